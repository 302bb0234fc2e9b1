"""A table on paper whose journals grow old: the same events into each of them, a minute apart."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from controller.journal.journal import Journal, looked_at
from controller.journal.records import EventRecord, Moment, Row
from controller.table.meter_entries import entries
from games.round.events import EndOfRoundPressed, Event, RoundOpened, TableOpened
from games.round.state import Phase
from tests.support.games.pit import PaperTable, table_rules

BEGIN_MS = 1_800_000_000_000
MINUTE_MS = 60_000
ALL = 2**60
"""A moment after everything that ever happens."""


class OldBooks:
    """Writes down what happens at one table, with a snapshot after every round."""

    def __init__(self, *paths: Path, synced: bool = True, rehearsal: bool = False) -> None:
        self.paths, self.synced, self._rehearsal = paths, synced, rehearsal
        self.table, self.at_ms = PaperTable(table_rules("B", seats=4), is_open=False), BEGIN_MS
        self.journals: list[Journal] = []
        self.open()

    def open(self, program: str = "0.1.0 aa") -> None:
        """The table is started; a test need not wait for the disk."""
        self.journals = [Journal.open(path, rehearsal=self._rehearsal) for path in self.paths]
        for journal in self.journals:
            journal._database.execute("PRAGMA synchronous=OFF")
            journal.keep_program(program)

    def close(self) -> None:
        """The table is stopped cleanly."""
        for journal in self.journals:
            journal.write([], self.table.state, snapshot=True)
            journal.close()

    def abandon(self) -> None:
        """The plug is pulled."""
        for journal in self.journals:
            journal.abandon()

    def do(self, event: Event) -> None:
        """One event, a minute after the one before."""
        self.at_ms += MINUTE_MS
        step = self.table.do(event)
        moment = Moment(self.at_ms, self.at_ms - BEGIN_MS, self.synced)
        record = EventRecord(event, step.refusal, step.state.round, moment, entries(step, self.synced))
        for journal in self.journals:
            journal.write([record], step.state, snapshot=step.state.phase is Phase.ENDED)

    def must(self, *events: Event) -> None:
        """Events that the rules must allow."""
        for event in events:
            self.do(event)

    def book(self, until: int = ALL) -> None:
        """The meter has everything, or everything up to this entry."""
        for journal in self.journals:
            journal.mark_booked(until)

    def rounds(self, count: int, *seats: int) -> None:
        """Whole rounds with these wagers, all booked; the next one is open."""
        for _ in range(count):
            self.round(*seats)

    def round(self, *seats: int) -> None:
        """One round; the table is opened for it if it is closed."""
        if self.table.state.phase is Phase.CLOSED:
            self.do(TableOpened("Ann"))
        self._play(lambda table: table.deal(*(seats or (1, 2))))
        self.book()
        self.must(EndOfRoundPressed(), RoundOpened())

    def win(self, seat: int) -> None:
        """A round in which this seat is paid, with a slip."""
        self._play(lambda table: table.deal(seat))
        self.book()
        self._play(lambda table: table.win(seat))
        self.book()
        self.must(EndOfRoundPressed(), RoundOpened())

    def _play(self, scene: object) -> None:
        """What a paper table does by itself, written down event by event."""
        paper = Rehearsal(self.table)
        assert callable(scene)
        scene(paper)
        for event in paper.events:
            self.do(event)


class Rehearsal(PaperTable):
    """A copy of a table that remembers what happened to it."""

    def __init__(self, table: PaperTable) -> None:
        super().__init__(table.rules, is_open=False)
        self.state, self.events = table.state, list[Event]()

    def must(self, *happenings: Event) -> None:
        super().must(*happenings)
        self.events.extend(happenings)


def rows_of(*paths: Path) -> list[Row]:
    """Every event of these files, in the order of the files."""
    return [row for path in paths for row in _rows(path)]


def _rows(path: Path) -> Iterator[Row]:
    with looked_at(path) as look:
        yield from look.rows()


def volumes_in(folder: Path) -> Sequence[Path]:
    """The volumes in a folder, oldest first."""
    return sorted(folder.glob("volume-*.db"))
