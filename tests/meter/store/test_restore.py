"""A restore forgets what people decided after the backup: so it opens nothing, and says so where people look."""

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.main import main
from meter.booking.results import MessageResult
from meter.ledger.decisions import Close, EntryRef, Reopen, SettleAward, Stop
from meter.ledger.records import Stopped, read_record
from meter.reports.source import open_books
from meter.settings import read_meter_settings
from meter.store.audit import audited
from meter.store.audit_log import PUT_BACK, MeterRun, Note, all_lines, first_bad_line, read_note, start
from meter.store.backup import back_up, restore
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    MeterBench,
    envelope,
    hello,
    link,
    payout,
    royal,
    store_address,
    wagers,
)
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.postgres_bench import active_store
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins

LATER = datetime.fromtimestamp(NOW_MS / 1_000 + 3_600, UTC)
SETUPS = (Path(__file__).parents[3] / "docs" / "setups.md").read_text(encoding="utf-8")
ROYAL = EntryRef("T1", "journal-T1", 2)


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new store of each kind."""
    return store_address(request, tmp_path)


def with_an_open_award(file: Path) -> MeterBench:
    """A night with a royal on the layout; the store stays open."""
    meter = MeterBench(SqliteStore(file), link(), link(name="side"))
    meter.join("T1")
    meter.say(envelope(1, wagers()), envelope(2, royal()))
    return meter


def leave(meter: MeterBench) -> None:
    """Closes the meter's store."""
    meter.store.close()  # type: ignore[attr-defined]  # a bench is handed an open store here


def notes(address: str) -> list[Note]:
    """The floor's book, sound to its end."""
    with open_books(address) as store:
        assert first_bad_line(all_lines(store), store.floor_end()) == 0
        return [read_note(line) for line in all_lines(store)]


def test_an_award_that_people_settled_after_the_backup_is_not_paid_again(tmp_path: Path, address: str) -> None:
    """R63: the restored link is stopped, on disk, with the words that say why; two persons open it."""
    old, file = tmp_path / "old.sqlite", tmp_path / "night.backup"
    meter = with_an_open_award(old)
    heads = back_up(str(old), file)
    assert meter.decide(SettleAward(ROYAL, paid=True)) == ""
    assert meter.decide(Stop(), reason="funds seized") == ""
    leave(meter)
    restored = restore(file, address, LATER)
    again = MeterBench(active_store(address), link(), link(name="side"))
    assert again.heads == restored
    assert [head.number for head in restored.values()] == [head.number + 1 for head in heads.values()]
    assert {head.stopped.partition(":")[0] for head in restored.values()} == {
        "restored from night.backup, which ends at record 4 of 2027-01-15 08",
        "restored from night.backup, which ends at record 1 of 2027-01-15 08",
    }
    assert restored["main"].stopped.endswith("UTC: whatever people decided after it must be entered again")
    refused = again.say(hello(next_seq=3), envelope(3, payout(2)))
    assert all(outcome.result is not MessageResult.BOOKED for outcome in refused.outcomes)
    assert again.heads["main"].pot.paid_cents == 0
    assert again.decide(SettleAward(ROYAL, paid=True)) == ""
    assert again.decide(Reopen()) == ""
    assert again.say(hello(next_seq=3)).outcomes[0].result is MessageResult.JOINED
    leave(again)
    with open_books(address) as store:
        causes = [read_record(row.body).cause for row in store.records("main")]
        assert isinstance(causes[heads["main"].number], Stopped)
        audited(store, "main")


def test_the_floors_book_says_what_was_restored_and_the_next_start_too(tmp_path: Path, address: str) -> None:
    """R106: who looks for what is missing finds the file, its end, the machine and the program."""
    file = tmp_path / "night.backup"
    leave(with_an_open_award(file))
    restore(file, address, LATER, machine="pit1", program="0.1.0")
    (note,) = notes(address)
    assert (note.number, note.at_ms) == (1, NOW_MS + 3_600_000)
    words = (
        "link main ends at record 4 of 2027-01-15 08:00:00 UTC; link side ends at record 1 of 2027-01-15 08:00:00 UTC"
    )
    assert note.said == MeterRun("restored", "pit1", "0.1.0", f"from night.backup: {words}")
    with open_books(address) as store:
        assert start(store, "pit1", "0.1.0").words == PUT_BACK


def test_a_link_that_was_closed_stays_closed_and_one_that_was_stopped_says_why(tmp_path: Path, address: str) -> None:
    """Nothing is written behind a closed ledger; a stop of before is not forgotten over the new one."""
    file = tmp_path / "night.backup"
    meter = MeterBench(SqliteStore(file), link(), link(name="side"))
    assert meter.decide(Close(), link="side") == ""
    assert meter.decide(Stop(), reason="funds seized") == ""
    leave(meter)
    restored = restore(file, address, LATER)
    assert restored["side"] == meter.heads["side"]
    assert restored["main"].stopped.endswith("entered again; it was stopped there: funds seized")


def test_the_way_back_in_the_docs_leads_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its commands, in order, on books that lack a settled award: it is settled once, and the link is open."""
    monkeypatch.chdir(tmp_path)
    give_staff(tmp_path)
    type_pins(monkeypatch, SUE, ANN)
    Path("meter.toml").write_text(GOOD, encoding="utf-8")
    meter = MeterBench(SqliteStore(Path("ledger.sqlite")), *read_meter_settings(Path("meter.toml")).links)
    meter.say(hello(journal="77ab"))
    meter.say(envelope(1, wagers(), journal="77ab"), envelope(2, royal(), journal="77ab"))
    leave(meter)
    (block,) = re.findall(r"^```sh way back\n(.*?)^```", SETUPS, re.DOTALL | re.MULTILINE)
    lines = block.replace("/etc/pitlink/", "").replace("/var/lib/pitlink-meter/", "").replace("/backup/", "")
    main(["backup", "make", "2026-11-16.ledger", "--config", "meter.toml"])
    said = {}
    for command in (shlex.split(line, comments=True) for line in lines.splitlines()):
        match command:
            case ["mkdir", folder]:
                Path(folder).mkdir()
            case ["mv", pattern, folder]:
                for path in [*Path().glob(pattern)]:
                    path.rename(Path(folder) / path.name)
            case ["pitlink", *words]:
                assert main(words) == 0, command
                said[" ".join(words[:2])] = capsys.readouterr().out
            case other:
                assert other[0] == "systemctl"
    assert "link main is stopped until two persons decide Reopen" in said["backup restore"]
    with open_books("ledger.sqlite") as store:
        head = audited(store, "main").head
    assert (head.stopped, head.pot.awards, head.pot.paid_cents) == (
        "",
        (),
        meter.heads["main"].pot.awards[0].amount_cents,
    )
