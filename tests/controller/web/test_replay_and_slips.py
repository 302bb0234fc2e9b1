"""A round told again from the journal, its payout slips, and the dispute file."""

import argparse
import asyncio
import hashlib
import html
import json
import re
import sqlite3
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pypdf import PdfReader

from cli import dispute
from common.paper_settings import PAPERS, PaperSettings
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.web.dispute import dispute_html, read_dispute
from controller.web.replay import NoSuchRound, Replay, read_round
from controller.web.slip_pdf import slip_pdf
from controller.web.slips import amount_in_words, number_in_words, read_slip, slips_of
from games.round.events import (
    ClaimRejected,
    ClaimValidated,
    CouponRedeemed,
    HandClaimed,
    NoWinShown,
    PayoutConfirmed,
)
from tests.support.table.paper_floor import Bench

FLOP = ("Th", "Jh", "Qh")
MARLOWE = PaperSettings("Marlowe Casino", "1 Boardwalk, Atlantic City")


def journal_of(bench: Bench) -> Path:
    return Path(bench.settings.state_dir) / "journal.db"


def replay_of(bench: Bench, number: int) -> Replay:
    return read_round(journal_of(bench), "T1", bench.settings.rules, number)


async def win(bench: Bench, seat: int) -> None:
    """A flush claimed, once every seat before it has shown that it wins nothing; validated and paid."""
    await bench.must(HandClaimed(seat, ("2h", "3h"), FLOP, by="Dan"))
    before = tuple(other for other in sorted(bench.state.wagers) if other > seat)
    if before:
        await bench.must(NoWinShown(before, "Dan"))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    await bench.must(ClaimValidated(seat, "Sue"), PayoutConfirmed(seat, "Dan"))


async def whole_round(bench: Bench) -> None:
    """Two wagers, one of them a coupon, a late chip, a win, the end."""
    await bench.must(CouponRedeemed(5, f"C-{bench.state.round}", "Dan"))
    await bench.until(lambda: 5 in bench.state.wagers)
    await bench.deal(3)
    assert await bench.tell(HandClaimed(4, ("2h", "3h"), FLOP, by="Dan")) is not None
    await win(bench, 3)
    await bench.press_end_of_round()
    await bench.settle()


async def test_a_round_is_told_again_as_it_was(bench: Bench) -> None:
    """Event by event: lights, counts, claims, who, what was refused, what went to the meter."""
    await whole_round(bench)
    told = replay_of(bench, 1)
    by_event = {frame.event: frame for frame in told.frames}
    assert by_event["Coupon redeemed"].by == "Dan"
    assert by_event["Chip placed"].lights[3] == "lit"
    assert by_event["Chips counted"].count.words == "1 chip + 1 coupon = 2 lights"
    assert "Wagers" in by_event["Chips counted"].to_meter[0]
    refused = [frame for frame in told.frames if frame.refusal is not None]
    assert [frame.refusal.reason for frame in refused if frame.refusal] == ["seat 4 made no wager"]
    assert refused[0].refused_at == (4,)
    assert by_event["Claim validated"].by == "Sue"
    assert by_event["Payout confirmed"].payments[0].state == "paid"
    assert [frame.since_ms for frame in told.frames] == sorted(frame.since_ms for frame in told.frames)
    assert not any(frame.differs for frame in told.frames)
    assert told.frames[-1].phase == "ended"


async def test_the_next_round_begins_where_the_last_one_ended(bench: Bench) -> None:
    """Each round has its own frames, and none is told twice."""
    await whole_round(bench)
    await bench.deal(2)
    first, second = replay_of(bench, 1), replay_of(bench, 2)
    assert second.frames[0].number == first.frames[-1].number + 1
    assert second.frames[0].event == "Round opened"


async def test_an_old_round_is_told_from_the_snapshot_before_it(bench: Bench) -> None:
    """However long the journal: the book before a round is never far away."""
    await whole_round(bench)
    assert bench.assembly is not None
    table = bench.assembly.table
    told = replay_of(bench, 1)
    await table.on_journal(lambda: table.journal.write([], table.state, snapshot=True))
    await whole_round(bench)
    _, lines = table.journal.stretch(3)
    assert [lines[0].round, lines[-1].round] == [2, 3]
    assert replay_of(bench, 3).frames[0].event == "Round opened"
    assert replay_of(bench, 1) == told


async def test_a_round_that_never_was_is_named(bench: Bench) -> None:
    """With what there is instead."""
    with pytest.raises(NoSuchRound, match="no round 99; it has rounds 0 to 1"):
        replay_of(bench, 99)


async def test_rules_that_changed_since_are_not_hidden(bench: Bench) -> None:
    """What was accepted then and would be refused now says so."""
    await whole_round(bench)
    now = replace(bench.settings.rules, seats=(1, 2, 4, 5, 6, 7))
    told = read_round(journal_of(bench), "T1", now, 1)
    assert [frame.differs for frame in told.frames if frame.event == "Chip placed"] == ["this table has no seat 3"]


async def test_slips_count_on_through_rounds_and_keep_void_numbers(bench: Bench) -> None:
    """1 paid, 2 void, 3 paid: no gap, and each says what became of it."""
    await whole_round(bench)
    await bench.deal(3)
    await bench.must(HandClaimed(3, ("2h", "3h"), FLOP))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    await bench.must(ClaimValidated(3, "Sue"), ClaimRejected(3, "Sue", "a card was marked"))
    await win(bench, 3)
    path, rules = journal_of(bench), bench.settings.rules
    slips = [read_slip(path, "T1", rules, number) for number in (1, 2, 3)]
    assert [(slip.number, slip.round, slip.is_void, slip.state) for slip in slips if slip] == [
        (1, 1, False, "paid"),
        (2, 2, True, "VOID: a card was marked"),
        (3, 2, False, "paid"),
    ]
    assert read_slip(path, "T1", rules, 4) is None
    first = slips[0]
    assert first is not None
    assert (first.amount, first.in_words) == ("$50", "fifty dollars and 00/100")
    assert first.meter == "$10,001.40 before, $9,951.40 after"
    assert (first.validated_by, first.paid_by) == ("Sue", "Dan")
    assert [slip.number for slip in slips_of(replay_of(bench, 2))] == [2, 3]


async def test_a_slip_is_a_page_of_paper(bench: Bench) -> None:
    """The PDF says the same as the page, in figures and words."""
    await whole_round(bench)
    slip = read_slip(journal_of(bench), "T1", bench.settings.rules, 1)
    assert slip is not None
    reader = PdfReader(BytesIO(slip_pdf(slip, MARLOWE)), strict=True)
    text = reader.pages[0].extract_text()
    for words in (
        *("Marlowe Casino", "1 Boardwalk", "Payout slip", "T1-000001", "$50", "fifty dollars and 00/100", "PAID"),
        *("Floor supervisor", "2♥", "3♥", "Flop", "10♥", "J♥", "Q♥", "Local time", "UTC", slip.seal[:4]),
    ):
        assert words in text
    assert len(reader.pages) == 1


@pytest.mark.parametrize("paper", PAPERS)
async def test_nothing_of_a_slip_stands_beyond_its_paper(bench: Bench, paper: str) -> None:
    """On half a sheet and on a receipt, void and with words far too long."""
    await whole_round(bench)
    slip = read_slip(journal_of(bench), "T1", bench.settings.rules, 1)
    assert slip is not None
    long = replace(slip, is_void=True, reason="W" * 200, hand="W" * 80, paid_by="many words " * 18, game="W" * 60)
    for each in (slip, long):
        (page,) = PdfReader(BytesIO(slip_pdf(each, MARLOWE, paper)), strict=True).pages
        places: list[tuple[float, float]] = []

        def note(_words: str, _cm: object, matrix: list[float], *_font: object, at: list[tuple[float, float]]) -> None:
            at.append((matrix[4], matrix[5]))

        page.extract_text(visitor_text=partial(note, at=places))
        assert places
        assert all(0 <= x <= page.mediabox.width and 0 <= y <= page.mediabox.height for x, y in places)
    assert float(page.mediabox.width) == pytest.approx({"a4": 595.28, "letter": 612, "receipt": 226.77}[paper], abs=0.1)


async def test_names_of_every_house_can_be_printed(bench: Bench) -> None:
    """Latin, Greek and Cyrillic letters stand in the PDF; markup, long words and odd letters break nothing."""
    await whole_round(bench)
    slip = read_slip(journal_of(bench), "T1", bench.settings.rules, 1)
    assert slip is not None
    odd = "<b>&amp; \x07 " + 300 * "W"
    named = replace(
        slip, validated_by="Zoë Łukasiewicz, Đặng Thị Ŧ", paid_by="Ελένη Юрий", reason=odd, hand=odd, is_void=True
    )
    reader = PdfReader(BytesIO(slip_pdf(named, MARLOWE)), strict=True)
    text = reader.pages[0].extract_text()
    assert "Zoë Łukasiewicz, Đặng Thị Ŧ" in text
    assert "Ελένη Юрий" in text
    assert "<b>&amp;" in text
    assert "VOID" in text
    assert len(reader.pages) == 1


async def test_the_same_slip_is_the_same_file(bench: Bench) -> None:
    """Also where two are printed at once, in two threads."""
    await whole_round(bench)
    slip = read_slip(journal_of(bench), "T1", bench.settings.rules, 1)
    assert slip is not None
    other = replace(slip, paid_by="Юрий")
    alone = [slip_pdf(slip, MARLOWE), slip_pdf(other, MARLOWE)]
    together = await asyncio.gather(*(asyncio.to_thread(slip_pdf, each, MARLOWE) for each in 20 * (slip, other)))
    assert together == 20 * alone
    assert alone[0] != alone[1]


async def test_the_dispute_file_can_be_checked_by_anybody(bench: Bench, tmp_path: Path) -> None:
    """Its rows make their own hashes, by the words that stand beside them, and lead from one to the next."""
    await whole_round(bench)
    page = dispute_html(read_dispute(journal_of(bench), "T1", bench.settings.rules, 1))
    found = re.search(r'<code id="sealed">(.*?)</code>', page, re.DOTALL)
    assert found is not None
    text = html.unescape(found[1])
    sealed = json.loads(text)
    before = sealed["hash_before"]
    for *row, digest in sealed["rows"]:
        body = json.dumps([before, *row], separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(body.encode()).hexdigest() == digest
        before = digest
    assert hashlib.sha256(text.encode()).hexdigest() in page
    assert not re.search(r"<script|src=|href=|url\(", page)


async def test_a_dispute_file_is_read_from_the_top(bench: Bench) -> None:
    """Sentences come first; hashes and rows stand in the appendix."""
    await whole_round(bench)
    page = html.unescape(dispute_html(read_dispute(journal_of(bench), "T1", bench.settings.rules, 1)))
    text, appendix = page.split("Appendix A", 1)
    for words in ("Progressive wagers were accepted at seats 3, 5.", "The chips: 1 chip + 1 coupon = 2 lights.",
                  "Dan: coupon C-1 at seat 5", "Lock-out pressed", "Payout slip T1-000001"):  # fmt: skip
        assert words in text
    for frame in replay_of(bench, 1).frames:
        assert f"<code>{frame.hash}</code>" not in text
        assert frame.hash in appendix


async def test_what_people_wrote_cannot_break_the_page(bench: Bench) -> None:
    """Names and reasons are shown, not run."""
    await bench.must(CouponRedeemed(5, "<script>alert(1)</script>", "<img src=x>"))
    page = dispute_html(read_dispute(journal_of(bench), "T1", bench.settings.rules, 1))
    assert "<script" not in page
    assert "<img" not in page


async def test_pitlink_dispute_writes_the_file_and_says_its_hash(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash on the screen is the hash of the file; a wrong round or a damaged journal gives a reason."""
    await whole_round(bench)
    monkeypatch.setattr(dispute, "load", lambda _path: bench.settings)
    out = tmp_path / "round.html"
    assert _dispute("T1", "1", "--out", str(out)) == 0
    digest, name = capsys.readouterr().out.split()
    assert digest == hashlib.sha256(out.read_bytes()).hexdigest()
    assert name == str(out)
    assert _dispute("T1", "99") == dispute.BAD_REQUEST
    assert "no round 99" in capsys.readouterr().err
    with closing(sqlite3.connect(journal_of(bench))) as database, database:
        database.execute("UPDATE events SET at_ms = at_ms + 1 WHERE number = 3")
    assert _dispute("T1", "1") == dispute.DAMAGED
    assert "event 3 was altered" in capsys.readouterr().err


def test_pitlink_dispute_without_settings_says_which_file_it_wants(capsys: pytest.CaptureFixture[str]) -> None:
    """An id means a file in /etc/pitlink."""
    assert _dispute("nowhere", "1") == dispute.BAD_REQUEST
    assert "/etc/pitlink/nowhere.toml" in capsys.readouterr().err


def test_pitlink_dispute_takes_the_boards_own_settings_if_they_are_the_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board's units read table.toml, whatever its table is called; another table's id is not served from it."""
    text = (Path(__file__).parents[3] / "config" / "table.toml").read_text()
    (tmp_path / "table.toml").write_text(text.replace("/var/lib/pitlink/T1", str(tmp_path / "state")))
    monkeypatch.setattr(dispute, "SETTINGS", tmp_path)
    assert _dispute("T1", "1") == dispute.DAMAGED
    assert f"{tmp_path}/state/journal.db: there is no journal" in capsys.readouterr().err
    assert _dispute("T2", "1") == dispute.BAD_REQUEST
    assert f"{tmp_path}/T2.toml" in capsys.readouterr().err


def _dispute(*words: str) -> int:
    parser = argparse.ArgumentParser()
    dispute.arguments(parser)
    return dispute.run(parser.parse_args(words))


async def test_a_slip_that_somebody_deleted_is_missed(bench: Bench) -> None:
    """The index is only where to look: the round's own events say which slips there are."""
    await whole_round(bench)
    with closing(sqlite3.connect(journal_of(bench))) as database, database:
        database.execute("DELETE FROM slips")
    assert [slip.number for slip in slips_of(replay_of(bench, 1))] == [1]


async def test_a_damaged_round_is_not_told(bench: Bench) -> None:
    """An altered event is named, not shown."""
    await whole_round(bench)
    number = next(frame.number for frame in replay_of(bench, 1).frames if frame.event == "Claim validated")
    with closing(sqlite3.connect(journal_of(bench))) as database, database:
        database.execute("UPDATE events SET body = replace(body, 'Sue', 'Eve') WHERE number = ?", (number,))
    with pytest.raises(JournalFault, match=f"event {number}, or its entry . for the meter, was altered"):
        replay_of(bench, 1)


def test_a_journal_that_never_paid_has_no_slips(tmp_path: Path) -> None:
    """Nothing to list, nothing wrong."""
    journal = Journal.open(tmp_path / "journal.db")
    assert journal.slips() == []
    assert list(journal.rounds()) == []
    assert journal.stretch(1)[1] == []
    journal.close()


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "zero dollars and 00/100"),
        (1_00, "one dollar and 00/100"),
        (50_05, "fifty dollars and 05/100"),
        (1_019_80, "one thousand nineteen dollars and 80/100"),
        (1_234_567_89, "one million two hundred thirty-four thousand five hundred sixty-seven dollars and 89/100"),
    ],
)
def test_amounts_in_words(cents: int, words: str) -> None:
    """As a cheque has them (R70)."""
    assert amount_in_words(cents) == words


@given(st.integers(0, 10**12 - 1))
def test_no_two_amounts_have_the_same_words(number: int) -> None:
    """The words can be read back."""
    assert _read(number_in_words(number).replace("-", " ").split()) == number


def _read(words: list[str]) -> int:
    small = {number_in_words(number): number for number in (*range(20), *range(20, 100, 10))}
    large = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
    total = part = 0
    for word in words:
        if word == "hundred":
            part *= 100
        elif word in large:
            total, part = total + part * large[word], 0
        else:
            part += small[word]
    return total + part


def test_a_slip_names_the_currency_of_its_table() -> None:
    """Cents are hundredths in each of them."""
    assert [amount_in_words(2_05, currency) for currency in ("USD", "EUR", "CAD")] == [
        "two dollars and 05/100",
        "two euros and 05/100",
        "two dollars and 05/100",
    ]
