"""A table starts only where its journal, told again, says the same; an altered entry for the meter is named."""

import argparse
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli import journal as journal_command
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.settings.device_names import JOURNAL
from controller.table.meter_entries import entries
from controller.table.recovery import recall
from games.refusal import Refusal
from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    CouponRedeemed,
    CouponReturned,
    DeviceFaulted,
    Event,
    LockOutPressed,
    TableOpened,
)
from tests.support.games.pit import PaperTable
from tests.support.table.paper_floor import Bench

NOW = Moment(1_800_000_000_000, 5, True)
MORE_SEATS = """UPDATE outbox SET entry = replace(entry, '"seats":[3]', '"seats":[3,4]')"""
ANOTHER = """INSERT INTO outbox(seq, number, entry) SELECT seq + 1, {number}, entry FROM outbox"""


def write(path: Path, *, snapshot: bool = False) -> PaperTable:
    """A round with one wager, whose entry waits for the meter."""
    table, journal = PaperTable(is_open=False), Journal.open(path)
    for event in (TableOpened("Ann"), ChipPlaced(3), ChipPlaced(3), LockOutPressed(), ChipsCounted(1)):
        step = table.do(event)
        journal.write([EventRecord(event, step.refusal, step.state.round, NOW, entries(step, True))], step.state)
    if snapshot:
        journal.write([], table.state, snapshot=True)
    journal.close()
    return table


def damage(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def stand(path: Path, table: PaperTable) -> None:
    """What a table does with its journal at the start."""
    recall(table.rules, Journal.open(path))


def verify(path: Path) -> int:
    parser = argparse.ArgumentParser()
    journal_command.arguments(parser)
    return journal_command.run(parser.parse_args(["verify", str(path)]))


def test_a_table_stands_where_its_journal_ends(tmp_path: Path) -> None:
    """The same book, from the events or from a snapshot."""
    for name in ("events", "snapshot"):
        table = write(tmp_path / name, snapshot=name == "snapshot")
        journal = Journal.open(tmp_path / name)
        assert recall(table.rules, journal) == (table.state, 0 if name == "snapshot" else 5)
        journal.close()


@pytest.mark.parametrize("snapshot", [False, True])
@pytest.mark.parametrize(
    ("harm", "named"),
    [
        (MORE_SEATS, "entry 1 for the meter, was altered"),
        ("UPDATE outbox SET seq = 2", "was altered"),
        ("UPDATE outbox SET number = 4", "was altered"),
        ("UPDATE outbox SET number = 77", "event 76 is missing|was altered"),
        ("DELETE FROM outbox", "was altered|entry 1 for the meter is missing"),
        (ANOTHER.format(number=5), "entry 1, 2 for the meter, was altered"),
        (ANOTHER.format(number=2), "entry 2 for the meter, was altered"),
        (ANOTHER.format(number=6), "event 6 ordered an entry for the meter and is missing"),
    ],
)
def test_an_altered_entry_is_named_and_the_table_does_not_start(
    tmp_path: Path, harm: str, named: str, snapshot: bool
) -> None:
    """What waits for the meter is sealed by its event, before a snapshot as behind it."""
    table = write(tmp_path / "journal.db", snapshot=snapshot)
    damage(tmp_path / "journal.db", harm)
    with pytest.raises(JournalFault, match=named):
        stand(tmp_path / "journal.db", table)


@pytest.mark.parametrize("harm", [MORE_SEATS, "DELETE FROM outbox", ANOTHER.format(number=6)])
@pytest.mark.parametrize("booked", [False, True])
def test_verify_names_an_altered_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str, booked: bool
) -> None:
    """Acknowledged or not, for as long as the file is kept."""
    path = tmp_path / "journal.db"
    write(path, snapshot=True)
    damage(path, "UPDATE outbox SET booked = 1" if booked else "SELECT 1")
    assert verify(path) == 0
    damage(path, harm)
    assert verify(path) == 1
    assert "for the meter" in capsys.readouterr().err or harm.startswith("DELETE")


def test_an_answer_that_this_program_would_not_give_stops_the_table(tmp_path: Path) -> None:
    """A refusal is as much a part of what happened as the event."""
    table, journal = PaperTable(is_open=False), Journal.open(tmp_path / "journal.db")
    step = table.do(TableOpened("Ann"))
    journal.write([EventRecord(TableOpened("Ann"), Refusal("not today"), 1, NOW)], step.state)
    journal.close()
    with pytest.raises(JournalFault, match="the result of event 1 differs on replay"):
        stand(tmp_path / "journal.db", table)


def test_an_entry_that_this_program_would_not_send_stops_the_table(tmp_path: Path) -> None:
    """The meter hears only what the events amount to."""
    table, journal = PaperTable(is_open=False), Journal.open(tmp_path / "journal.db")
    happened: list[Event] = [TableOpened("Ann"), ChipPlaced(3), LockOutPressed(), ChipsCounted(1)]
    steps = [table.do(event) for event in happened]
    for event, step in zip(happened, steps, strict=True):
        journal.write([EventRecord(event, None, 1, NOW)], step.state)
    journal.close()
    with pytest.raises(JournalFault, match="the meter entry of event 4 differs on replay"):
        stand(tmp_path / "journal.db", table)


async def test_an_entry_altered_while_the_table_runs_is_never_sent(bench: Bench) -> None:
    """The gates shut, the words name the entry, and the meter books what was wagered once it stands there again."""
    bench.floor.broker.deaf_to = {"entry"}
    await bench.drop_chip(3)
    await bench.settle()
    await bench.press_lock_out()
    assert bench.assembly is not None
    table = bench.assembly.table
    await bench.until(lambda: bench.state.wagers_seq == 1)
    path = Path(bench.settings.state_dir) / "journal.db"
    damage(path, MORE_SEATS)
    await bench.until(lambda: "entry 1 for the meter, was altered" in table.trouble)
    assert bench.open_gates == []
    bench.floor.broker.deaf_to = set()
    damage(path, """UPDATE outbox SET entry = replace(entry, '"seats":[3,4]', '"seats":[3]')""")
    await bench.until(lambda: bench.state.registered)
    assert bench.floor.meter.pot.in_cents == 100


async def test_damage_far_behind_the_tail_shuts_the_table_and_survives_a_restart(bench: Bench) -> None:
    """The start looks at the tail only; the file as a whole is looked at beside it, and found again at every start."""
    for number in range(120):
        await bench.must(CouponRedeemed(3, f"C-{number}-", "x" * 200), CouponReturned(3))
    await bench.shut_down()
    _tear_page(Path(bench.settings.state_dir) / "journal.db", holding=b"C-7-")
    for _ in range(2):
        await bench.power_on()
        await bench.until(lambda: JOURNAL in bench.state.faults)
        assert "damaged" in bench.state.faults[JOURNAL].detail
        assert bench.open_gates == []
        await bench.power_cut()


async def test_an_old_event_altered_in_place_shuts_the_table(bench: Bench) -> None:
    """Pages are whole and the tail is sound: only the chain from the first event on tells."""
    for number in range(60):
        await bench.must(CouponRedeemed(3, f"C-{number}"), CouponReturned(3))
    await bench.shut_down()
    path = Path(bench.settings.state_dir) / "journal.db"
    damage(path, "UPDATE events SET body = replace(body, 'C-7', 'C-8')")
    await bench.power_on()
    await bench.until(lambda: JOURNAL in bench.state.faults)
    assert "altered" in bench.state.faults[JOURNAL].detail
    assert bench.open_gates == []


async def test_a_restored_journal_mends_the_table(bench: Bench) -> None:
    """The fault goes when the whole file was found sound, not before."""
    await bench.must(DeviceFaulted(JOURNAL, "damaged", "a page is torn"))
    assert bench.open_gates == []
    await bench.power_cut()
    await bench.power_on()
    await bench.until(lambda: JOURNAL not in bench.state.faults)


def _tear_page(path: Path, *, holding: bytes) -> None:
    content = bytearray(path.read_bytes())
    page = content.index(holding) // 4096 * 4096
    content[page : page + 4096] = bytes(4096)
    path.write_bytes(content)
