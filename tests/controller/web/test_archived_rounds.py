"""A running table whose journal is archived: it plays on, and says where its old rounds are."""

import argparse
import asyncio
from pathlib import Path

import pytest

from cli import dispute
from common.auth.roles import Role
from controller.journal.archive import archive
from controller.journal.journal import looked_at
from controller.settings.device_names import JOURNAL
from controller.web.dispute import dispute_html, read_dispute
from controller.web.replay import NoSuchRound, read_round
from controller.web.slips import read_slip
from games.round.events import ClaimValidated, HandClaimed, NoWinShown, PayoutConfirmed
from tests.support.table.old_books import ALL, OldBooks, volumes_in
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import Page

FLOP = ("Th", "Jh", "Qh")


@pytest.fixture(autouse=True)
def short_nights(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table makes its snapshot after every round, not only after a hundred events."""
    monkeypatch.setattr("controller.table.loop.SNAPSHOT_EVERY", 4)


async def win(bench: Bench) -> None:
    """A round in which seat 3 is paid."""
    await bench.deal(3, 4)
    await bench.must(HandClaimed(3, ("2h", "3h"), FLOP, by="Dan"), NoWinShown((4,), "Dan"))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await bench.press_end_of_round()
    await bench.settle()
    assert bench.assembly is not None
    table = bench.assembly.table
    await bench.until(lambda: not table.journal.waiting_in_all())


async def archived(bench: Bench) -> Path:
    """The table's rounds so far in a volume, made while it runs."""
    folder = Path(bench.settings.state_dir) / "archive"
    await asyncio.to_thread(archive, journal_of(bench), folder, ALL)
    return volumes_in(folder)[-1]


def journal_of(bench: Bench) -> Path:
    return Path(bench.settings.state_dir) / "journal.db"


async def test_a_table_plays_on_through_an_archive_and_a_power_cut(bench: Bench) -> None:
    """The same book, round, meter and numbers; the look at the whole file finds nothing wrong."""
    for _ in range(2):
        await win(bench)
    told = [read_round(journal_of(bench), "T1", bench.settings.rules, number) for number in (1, 2)]
    volume = await archived(bench)
    assert [read_round(volume, "T1", bench.settings.rules, number) for number in (1, 2)] == told
    await win(bench)
    state = bench.state
    await bench.power_cut()
    await bench.power_on()
    await bench.until(lambda: not bench.state.link_down)
    await bench.settle()
    assert (bench.state.round, bench.state.phase, bench.state.link_seq, bench.state.slips) == (4, state.phase, 12, 3)
    await win(bench)
    assert bench.floor.meter.pot.in_cents == 8 * 100
    assert JOURNAL not in bench.state.faults
    with looked_at(journal_of(bench)) as look:
        look.audit()
        assert look.rounds()[0] == 3


async def test_the_pages_say_which_volume_has_a_round_or_a_slip(bench: Bench, page: Page) -> None:
    """Plain words where the round was, and the newest slips still in their list."""
    await page.sign_in(Role.SUPERVISOR)
    for _ in range(2):
        await win(bench)
    volume = await archived(bench)
    status, answer = await page.get("/slips/data")
    assert (status, answer["slips"]) == (200, [])
    assert answer["archived"] == f"slips up to 2 are archived, the newest of them in {volume}"
    await win(bench)
    status, answer = await page.get("/replay/data?round=1")
    assert (status, answer["error"]) == (404, f"round 1 of table T1 is archived: {volume}")
    status, answer = await page.get("/slip/2/data")
    assert (status, answer["error"]) == (404, f"slip 2 of table T1 is archived: {volume}")
    assert (await page.get("/slip/3/data"))[0] == 200
    assert (await page.get("/slip/4/data"))[1]["error"] == "there is no slip 4"
    status, answer = await page.get("/slips/data")
    assert [slip["number"] for slip in answer["slips"]] == [3]
    assert answer["archived"] == f"slips up to 2 are archived, the newest of them in {volume}"
    slip = read_slip(volume, "T1", bench.settings.rules, 2)
    assert slip is not None
    assert (slip.amount, slip.paid_by) == ("$50", "Dan")


async def test_a_dispute_is_settled_from_the_volume(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command says which file to name, and reads it like the journal."""
    monkeypatch.setattr(dispute, "load", lambda _path: bench.settings)
    for _ in range(2):
        await win(bench)
    rules = bench.settings.rules
    before = read_dispute(journal_of(bench), "T1", rules, 1)
    volume = await archived(bench)
    with pytest.raises(NoSuchRound, match="round 1 of table T1 is archived"):
        read_dispute(journal_of(bench), "T1", rules, 1)
    assert _dispute("T1", "1") == dispute.BAD_REQUEST
    assert f"round 1 of table T1 is archived: {volume}" in capsys.readouterr().err
    assert _dispute("T1", "1", "--journal", str(volume), "--out", str(tmp_path / "1.html")) == 0
    after = read_dispute(volume, "T1", rules, 1)
    assert (after.replay, after.sealed.rows) == (before.replay, before.sealed.rows)
    page = (tmp_path / "1.html").read_text()
    assert f"of a closed volume, events 1 to {after.sealed.head}; its chain was checked" in page
    assert "Head of the volume" in page
    assert "whole chain" not in page
    await win(bench)
    page = dispute_html(read_dispute(journal_of(bench), "T1", rules, 3))
    with looked_at(journal_of(bench)) as look:
        begin = look.archived()
    assert f"the chain from event {begin.until + 1} on was checked; {begin}" in page


async def test_another_tables_volume_gets_no_page_with_this_tables_name(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both journals are named; where the table's own is not there or in pieces, a copy is read as it is."""
    monkeypatch.setattr(dispute, "load", lambda _path: bench.settings)
    books = OldBooks(tmp_path / "T2.db")
    books.rounds(2)
    books.close()
    (volume,) = archive(tmp_path / "T2.db", tmp_path / "T2", ALL)
    words = ("T1", "1", "--journal", volume.file, "--out", str(tmp_path / "1.html"))
    with looked_at(journal_of(bench)) as own:
        refusal = f"is of journal {books.journals[0].id}, but table T1 has journal {own.id}; name that table's settings"
    assert _dispute(*words) == dispute.BAD_REQUEST
    assert refusal in capsys.readouterr().err
    assert not (tmp_path / "1.html").exists()
    await bench.power_cut()
    journal_of(bench).write_bytes(b"in pieces")
    assert _dispute(*words) == 0
    journal_of(bench).unlink()
    assert _dispute(*words) == 0


def _dispute(*words: str) -> int:
    parser = argparse.ArgumentParser()
    dispute.arguments(parser)
    return dispute.run(parser.parse_args(words))
