"""Rows R104 to R106: what ledger and floor's book have after a scripted day, each event with time, place and name."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from common.auth.roles import Role
from link.messages import Award, Payout, Release, Wagers
from meter.booking.booker import Booker, ParameterChange
from meter.ledger.decisions import ChangeTerms, Decided, DecideHeld, Stop
from meter.ledger.records import Entered, Joined, read_record
from meter.service.alarms import FloorAlarms
from meter.store.audit import audited
from meter.store.audit_log import (
    CLEAN,
    FIRST,
    LATE,
    UNCLEAN,
    Acknowledged,
    Alarm,
    Awarded,
    Measured,
    MeterRun,
    Used,
    all_lines,
    first_bad_line,
    read_note,
)
from meter.store.sqlite import SqliteStore
from tests.support.meter.floor_bench import FloorBench, link
from tests.support.meter.meter_bench import MeterBench, envelope, flush, payout, with_cards
from tests.support.meter.proved import Unchecked
from tests.support.web.floor_page import page_at

PLACES = ("link", "table", "machine", "by")


async def scripted_day(folder: Path) -> None:
    """A win, a rejected one, held wagers, a lost table, a wrong PIN, a decision; after closing time a new rate."""
    bench = FloorBench(folder)
    async with bench.running(), page_at(bench) as page:
        await bench.join()
        await bench.wager("T1")
        paid = await bench.enter("T1", with_cards(Award(1, 3, "straight_flush", percent_bp=1_000)))
        await bench.pay("T1", paid)
        rejected = await bench.enter("T1", Award(1, 2, "flush", fixed_cents=50_00))
        await bench.enter("T1", Release(rejected, "two suits", "supervisor 17"))
        await bench.enter("T2", Wagers(1, 500, (1,)))
        bench.present("T3", alive=False)
        assert (await page.post("/floor/sign-in", {"number": "3001", "pin": "000000"}))[0] == 403
        await page.sign_in(Role.SUPERVISOR)
        await page.post("/floor/acknowledge", {"alarm": bench.watch.open_alarms[0].number})
        held = {"table": "T2", "journal": "journal-T2", "seq": 1}
        assert (await page.decide({"type": "DecideHeld", "entry": held, "counts": False}))[0] == 200
        await bench.drain()
        await bench.watch.end()
    store = SqliteStore(folder / "ledger.sqlite")
    links = [link(name, ("T1", "T2", "T3")) for name in ("main", "side")]
    links[0] = replace(links[0], terms=replace(links[0].terms, rate_bp=7_100))
    Booker(store, links, bench.clock.wall_ms, Unchecked()).open(ParameterChange("Ann", "Sue", "approved 12 May"))
    store.close()


class Kept:
    """What the store has at the end: the floor's book and every ledger."""

    def __init__(self, path: Path) -> None:
        store = SqliteStore(path, reading=True)
        self.is_sealed = first_bad_line(all_lines(store)) == 0
        self.notes = [read_note(line) for line in all_lines(store)]
        self.records = [read_record(row.body) for name in store.links() for row in store.records(name)]
        self.pot = audited(store, "main").head.pot
        store.close()

    @property
    def said(self) -> list[object]:
        """The lines of the book without number and time."""
        return [note.said for note in self.notes]


@pytest.fixture
async def day(tmp_path: Path) -> Kept:
    """What is kept of the scripted day."""
    await scripted_day(tmp_path)
    return Kept(tmp_path / "ledger.sqlite")


def test_r104_every_class_of_event_is_kept_of_a_day(day: Kept) -> None:
    """All meters; time and place of each win; who came to the door; changed parameters; errors."""
    pot = day.pot
    assert (pot.in_cents, pot.hits, pot.paid_cents, pot.last_paid[0].table) == (3_00, 1, 1_000_22, "T1")
    entered = [(record.booked_ms, record.cause.envelope) for record in day.records if isinstance(record.cause, Entered)]
    [(booked_ms, win)] = [(ms, envelope) for ms, envelope in entered if isinstance(envelope.entry, Payout)]
    assert (booked_ms > 0, win.table, win.at_ms > 0) == (True, "T1", True)
    used = [(one.by, one.what) for one in day.said if isinstance(one, Used)]
    assert {("Tim", "wrong PIN"), ("Sue", "signed in")} <= set(used)
    decided = [record.cause for record in day.records if isinstance(record.cause, Decided)]
    assert [type(cause.decision) for cause in decided] == [DecideHeld, Stop, ChangeTerms]
    assert (decided[-1].by, decided[-1].and_by, decided[-1].reason) == ("Ann", "Sue", "approved 12 May")
    assert {one.kind for one in day.said if isinstance(one, Alarm)} == {"wagers held", "table lost", "link stopped"}
    assert any(isinstance(one, Acknowledged) and one.by == "Sue" for one in day.said)
    assert day.is_sealed


def test_r105_each_event_has_its_time_its_place_and_its_name(day: Kept) -> None:
    """Every line of the book and every record: when, at which link, table, machine or by whom, and what it was."""
    alarms = {note.number: note.said for note in day.notes if isinstance(note.said, Alarm)}
    assert [note.number for note in day.notes] == list(range(1, len(day.notes) + 1))
    for note in day.notes:
        said = alarms[note.said.alarm] if isinstance(note.said, Acknowledged) else note.said
        assert note.at_ms > 1_700_000_000_000
        assert any(getattr(said, place, "") for place in PLACES), note
        assert getattr(said, "kind", "") or getattr(said, "what", "") or isinstance(said, Measured), note
    for record in day.records:
        assert (record.booked_ms > 1_700_000_000_000, record.number > 0, bool(record.link)) == (True, True, True)
        match record.cause:
            case Entered(envelope=envelope):
                assert envelope.table in ("T1", "T2")
                assert type(envelope.entry).__name__ in ("Wagers", "Award", "Payout", "Release")
            case Joined(hello=hello):
                assert hello.table in ("T1", "T2", "T3")


def test_r106_starts_stops_and_awards_with_their_amounts_stand_in_the_book(day: Kept) -> None:
    """In the order in which they happened, each with its amount; the held wager is an alarm."""
    told = [one for one in day.said if isinstance(one, MeterRun | Awarded)]
    assert [one.what for one in told] == ["started", "fixed", "paid", "fixed", "given back", "stopped"]
    assert told[0] == MeterRun("started", "bench", "0.1.0 (not from a bundle)", FIRST)
    assert told[2] == Awarded("paid", "main", "T1", 3, "straight_flush", 1_000_22, journal="journal-T1", seq=2)
    assert [one.amount_cents for one in told[1:5] if isinstance(one, Awarded)] == [1_000_22, 1_000_22, 50_00, 50_00]


async def test_r106_a_run_that_ended_without_a_word_is_told_by_the_next(tmp_path: Path) -> None:
    """A power cut writes nothing; the start after it does, and one after a stop says that, too."""
    for stops in (True, False, True):
        bench = FloorBench(tmp_path)
        async with bench.running():
            if stops:
                await bench.watch.end()
    starts = [one.words for one in Kept(tmp_path / "ledger.sqlite").said if isinstance(one, MeterRun) and one.words]
    assert starts == [FIRST, CLEAN, UNCLEAN]


def test_r106_an_award_that_a_power_cut_kept_from_the_book_is_in_it_after_the_next_start(tmp_path: Path) -> None:
    """The ledger is on disk before the book: whatever is missing there is written once."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store)
    meter.join("T1")
    meter.deal("T1", seats=(3, 4))
    meter.say(envelope(2, flush()), envelope(3, payout(2)), envelope(4, flush(seat=4)))
    for _ in range(2):
        watch = FloorAlarms(store, unused, wall_ms=lambda: 1, now=lambda: 1.0, ring=lambda: None)
        watch.begin(meter.heads, machine="bench", program="test")
    awards = [said for note in map(read_note, all_lines(store)) if isinstance(said := note.said, Awarded)]
    store.close()
    assert [(one.what, one.seq, one.amount_cents) for one in awards] == [("paid", 2, 50_00), ("fixed", 4, 50_00)]
    assert {one.words for one in awards} == {LATE}


async def unused(_act: object) -> None:
    """Nobody runs errands here."""
