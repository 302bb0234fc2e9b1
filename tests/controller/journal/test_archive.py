"""pitlink journal archive: what is old goes into closed volumes, and nothing else changes."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.journal.archive import archive
from controller.journal.cut_point import is_over
from controller.journal.file import JournalFault, hold_archive
from controller.journal.journal import Journal, looked_at
from controller.table.recovery import recall
from games.round.events import (
    AwardFixed,
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    EndOfRoundPressed,
    HandClaimed,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    MismatchExplained,
    NoWinShown,
    PayoutConfirmed,
    RoundOpened,
    TableClosed,
    TableOpened,
    WagersRegistered,
)
from games.round.state import Claim, ClaimState, Envy, Phase, RoundState
from tests.support.games.nights import Intent, happen
from tests.support.table.old_books import ALL, BEGIN_MS, MINUTE_MS, OldBooks, rows_of, volumes_in


@pytest.fixture
def books(tmp_path: Path) -> Iterator[OldBooks]:
    """A table with a journal and a twin that nobody archives."""
    books = OldBooks(tmp_path / "journal.db", tmp_path / "twin.db")
    yield books
    books.abandon()


def content(path: Path) -> list[str]:
    """Everything in the file, as SQLite writes it down."""
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def is_the_twin(folder: Path) -> None:
    """Volumes and journal together are what the twin has, and the table stands where the twin's would."""
    live, twin, volumes = folder / "journal.db", folder / "twin.db", volumes_in(folder / "archive")
    assert rows_of(*volumes, live) == rows_of(twin)
    with looked_at(live) as kept, looked_at(twin) as whole:
        assert kept.audit() == whole.audit()
        assert kept.recall() == whole.recall()
        assert kept.waiting() == whole.waiting()
        assert kept.booked_seq() == whole.booked_seq()
        assert [ran.program for ran in kept.programs()][-1:] == [ran.program for ran in whole.programs()][-1:]
        begin = kept.archived()
        assert kept.rounds() == range(max(begin.round + 1, whole.rounds()[0]), whole.rounds()[-1] + 1)
        for number in kept.rounds():
            state, lines = kept.stretch(number)
            assert (state, lines) == whole.stretch(number)
        assert kept.slips(most=99) == [slip for slip in whole.slips(most=99) if slip[1] > begin.round]
    for volume in volumes:
        with looked_at(volume) as part, looked_at(twin) as whole:
            assert list(part.lines()) == list(whole.lines(part.archived().until, part.last_number))
            for number in part.rounds():
                assert part.stretch(number)[1][-1] == whole.stretch(number)[1][-1]


def test_what_is_old_goes_and_the_rest_goes_on(books: OldBooks, tmp_path: Path) -> None:
    """The same identity, numbers, chain and book; the file says where the rest is."""
    books.rounds(4)
    until_ms = books.at_ms
    books.rounds(3, 1)
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", until_ms)
    is_the_twin(tmp_path)
    with looked_at(tmp_path / "journal.db") as look:
        assert look.archived() == volume
        assert list(look.rounds()) == [5, 6, 7, 8]
        assert look.id == books.journals[0].id
    books.round(3)
    books.close()
    books.open()
    recall(books.table.rules, books.journals[0])
    (second,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert (second.first, second.round) == (volume.until + 1, 8)
    is_the_twin(tmp_path)
    assert archive(tmp_path / "journal.db", tmp_path / "archive", ALL) == []


def test_a_volume_is_a_journal_that_no_table_runs_with(books: OldBooks, tmp_path: Path) -> None:
    """It is read like a copy, nobody writes to it, and it is not archived again."""
    books.rounds(3)
    archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    (volume,) = volumes_in(tmp_path / "archive")
    assert volume.stat().st_mode & 0o222 == 0
    with pytest.raises(JournalFault, match=r"a closed volume of an archive|readonly"):
        Journal.open(volume)
    with pytest.raises(JournalFault, match="a closed volume already"):
        archive(volume, tmp_path / "archive", ALL)


def test_nothing_goes_that_the_meter_has_not_booked(books: OldBooks, tmp_path: Path) -> None:
    """An entry that waits keeps its event, its round and everything after it."""
    books.rounds(2)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1))
    books.must(LinkLost("cut"), LinkRestored(), EndOfRoundPressed(), RoundOpened())
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed(), RoundOpened())
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert volume.round == 2
    with looked_at(tmp_path / "journal.db") as look:
        assert [letter.seq for letter in look.waiting()] == [3, 4]
    is_the_twin(tmp_path)
    books.book(3)
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert volume.round == 3
    is_the_twin(tmp_path)


def test_nothing_goes_of_an_open_round_or_claim(books: OldBooks, tmp_path: Path) -> None:
    """However old it is: the round in hand stays whole, with the claim somebody has to pay."""
    books.rounds(1)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), WagersRegistered(2))
    books.do(HandClaimed(1, ("2h", "3h"), ("Th", "Jh", "Qh")))
    books.book()
    for journal in books.journals:
        journal.write([], books.table.state, snapshot=True)
    books.do(LinkLost("cut"))
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert volume.round == 1
    assert archive(tmp_path / "journal.db", tmp_path / "archive", ALL) == []
    is_the_twin(tmp_path)


def test_a_round_that_still_gets_news_is_not_cut_in_two(books: OldBooks, tmp_path: Path) -> None:
    """A table that was closed and stopped writes under its last round's number until it is opened again."""
    books.rounds(2)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1))
    books.book()
    books.must(WagersRegistered(3), EndOfRoundPressed(), TableClosed("Sue", "night"))
    books.close()
    books.open()
    books.do(LinkLost("not yet"))
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert volume.round == 2
    is_the_twin(tmp_path)


@pytest.mark.parametrize(
    "unfinished",
    [
        {"phase": Phase.SETTLING},
        {"claims": (Claim(1, state=ClaimState.VALIDATED),)},
        {"envy": (Envy(1, 2, "flush", 500, ""),)},
        {"refunds_due": {3: ("progressive",)}},
    ],
)
def test_a_round_in_which_somebody_has_something_to_do_is_not_over(unfinished: dict[str, Any]) -> None:
    """A snapshot of such a round is no place to cut, whatever follows it."""
    over = RoundState(phase=Phase.ENDED, claims=(Claim(1, state=ClaimState.PAID),))
    assert is_over(over)
    assert not is_over(replace(over, **unfinished))


def test_a_round_in_which_somebody_has_money_to_come_is_not_cut_off(books: OldBooks, tmp_path: Path) -> None:
    """Its snapshot says so, though the next round has begun: the cut is before it."""
    books.rounds(2)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed())
    for journal in books.journals:
        journal.write([], replace(books.table.state, refunds_due={3: ("progressive",)}), snapshot=True)
    books.do(RoundOpened())
    books.book()
    (volume,) = archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert volume.round == 2
    is_the_twin(tmp_path)


def test_whoever_looks_sees_the_journal_as_it_stood(books: OldBooks, tmp_path: Path) -> None:
    """An archive that runs meanwhile takes nothing away from a look that has begun."""
    books.rounds(4)
    with looked_at(tmp_path / "journal.db") as look, looked_at(tmp_path / "twin.db") as twin:
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
        assert look.rounds() == twin.rounds()
        assert look.stretch(1) == twin.stretch(1)
        assert look.audit() == twin.audit()
    is_the_twin(tmp_path)


def test_only_what_is_old_enough_goes(books: OldBooks, tmp_path: Path) -> None:
    """The horizon is a moment; a board that believes it is 1970 archives nothing."""
    books.rounds(5)
    assert archive(tmp_path / "journal.db", tmp_path / "archive", 0) == []
    assert archive(tmp_path / "journal.db", tmp_path / "archive", BEGIN_MS + 3 * MINUTE_MS) == []
    assert volumes_in(tmp_path / "archive") == []
    is_the_twin(tmp_path)


def test_two_archives_at_once_are_one(books: OldBooks, tmp_path: Path) -> None:
    """The second is told so."""
    books.rounds(2)
    with hold_archive(tmp_path / "journal.db"), pytest.raises(JournalFault, match="another archive is under way"):
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL)


def test_a_disk_without_room_refuses_in_words(books: OldBooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before or while the volume is written: the journal is as it was, and nothing is left in the folder."""
    books.rounds(10)
    before = content(tmp_path / "journal.db")
    with monkeypatch.context() as patch:
        patch.setattr("common.backup_retention.RESERVE_BYTES", 2**62)
        with pytest.raises(JournalFault, match=r"no room for a copy of 1 MB .* free some space or name another folder"):
            archive(tmp_path / "journal.db", tmp_path / "archive", ALL)

    connect, steps = sqlite3.connect, list[str]()

    def small(place: str, **how: Any) -> sqlite3.Connection:
        database: sqlite3.Connection = connect(place, **how)
        if ".unfinished" in place:
            database.execute("PRAGMA max_page_count=16")
        return database

    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(JournalFault, match="database or disk is full; free some space on this disk"):
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL, steps.append)
    assert steps == ["volume begun"]
    monkeypatch.undo()
    assert content(tmp_path / "journal.db") == before
    assert list((tmp_path / "archive").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_a_fault_with_the_way_out(books: OldBooks, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    books.rounds(3)
    (tmp_path / "archive").write_text("")
    before = content(tmp_path / "journal.db")
    with pytest.raises(JournalFault, match="name another folder"):
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    assert content(tmp_path / "journal.db") == before


@pytest.mark.parametrize("number", [2, 20])
def test_a_damaged_journal_is_left_as_it_is(books: OldBooks, tmp_path: Path, number: int) -> None:
    """Whether the damage is in what would go or in what would stay."""
    books.rounds(4)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as database, database:
        database.execute("UPDATE events SET at_ms = at_ms + 1 WHERE number = ?", (number,))
    before = content(tmp_path / "journal.db")
    with pytest.raises(JournalFault, match=rf"event {number}(, or its entry \d for the meter,)? was altered"):
        archive(tmp_path / "journal.db", tmp_path / "archive", BEGIN_MS + 10 * MINUTE_MS)
    assert content(tmp_path / "journal.db") == before
    assert not (tmp_path / "archive").exists()


def test_a_journal_that_another_board_has_is_left_alone(books: OldBooks, tmp_path: Path) -> None:
    """It goes on there."""
    books.rounds(2)
    books.journals[0].hand_over("stick")
    with pytest.raises(JournalFault, match="handed over to another board; archive it there"):
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL)


def test_a_table_writes_and_others_read_while_it_is_archived(tmp_path: Path) -> None:
    """No write fails, no look at the journal ever finds a gap, and in the end nothing is missing."""
    books = OldBooks(tmp_path / "journal.db", tmp_path / "twin.db")
    books.rounds(30)
    problems: list[Exception] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                with looked_at(tmp_path / "journal.db") as journal:
                    journal.audit()
                    journal.stretch(journal.rounds()[0])
        except JournalFault as fault:
            problems.append(fault)

    reader = threading.Thread(target=look)
    reader.start()
    horizons = iter(range(BEGIN_MS, books.at_ms, 40 * MINUTE_MS))
    archivist = threading.Thread(
        target=lambda: [archive(tmp_path / "journal.db", tmp_path / "archive", ms) for ms in horizons]
    )
    archivist.start()
    while archivist.is_alive():
        books.round(1, 3)
    done.set()
    for thread in (archivist, reader):
        thread.join()
    books.abandon()
    assert problems == []
    assert len(volumes_in(tmp_path / "archive")) > 3
    assert rows_of(*volumes_in(tmp_path / "archive"), tmp_path / "journal.db") == rows_of(tmp_path / "twin.db")


def test_a_journal_that_is_archived_does_not_grow(tmp_path: Path) -> None:
    """What was deleted makes room for what comes: the file stays as large as one stretch of play makes it."""
    books = OldBooks(tmp_path / "journal.db")
    pages = []
    for _ in range(5):
        books.rounds(20)
        archive(tmp_path / "journal.db", tmp_path / "archive", books.at_ms - 30 * MINUTE_MS)
        with closing(sqlite3.connect(tmp_path / "journal.db")) as database:
            pages.append(database.execute("PRAGMA page_count").fetchone()[0])
    books.abandon()
    assert max(pages[2:]) <= pages[1] * 1.1
    assert len(volumes_in(tmp_path / "archive")) == 5


class Evening(NamedTuple):
    """Some rounds with their troubles, what the meter has booked after them, how far back they go, and the stop."""

    rounds: list[tuple[set[int], bool, list[Intent]]]
    waiting: int
    horizon: float
    is_clean: bool


_TROUBLES = (
    "late chip",
    "link lost",
    "link back",
    "claim by name",
    "recount",
    "a word",
    "pay",
    "refund",
    "next",
    "mend",
)
_troubles = st.lists(st.builds(Intent, st.sampled_from(_TROUBLES), st.integers(1, 4), st.integers(0, 2)), max_size=3)
_rounds = st.tuples(st.sets(st.integers(1, 4), min_size=1, max_size=3), st.booleans(), _troubles)
evenings = st.builds(
    Evening, st.lists(_rounds, min_size=1, max_size=4), st.integers(0, 3), st.floats(0.2, 1.1), st.booleans()
)


@given(st.lists(evenings, min_size=1, max_size=3))
@settings(max_examples=8, deadline=None)
def test_an_archived_journal_is_its_twin(tmp_path_factory: pytest.TempPathFactory, evenings: list[Evening]) -> None:
    """Whatever happens, whatever waits, whenever it is archived, and however often the table is started again."""
    folder = tmp_path_factory.mktemp("twins")
    books = OldBooks(folder / "journal.db", folder / "twin.db")
    books.do(TableOpened("Ann"))
    for number, evening in enumerate(evenings):
        for seats, wins, troubles in evening.rounds:
            play(books, sorted(seats), troubles, wins=wins)
        books.book(books.table.state.link_seq - evening.waiting)
        before_ms = BEGIN_MS + int((books.at_ms - BEGIN_MS) * evening.horizon)
        archive(folder / "journal.db", folder / "archive", before_ms)
        books.close() if evening.is_clean else books.abandon()
        is_the_twin(folder)
        books.open(f"0.1.{number} bb")
        for journal in books.journals:
            assert recall(books.table.rules, journal)[0] == books.table.state
    books.book()
    books.rounds(2)
    archive(folder / "journal.db", folder / "archive", ALL)
    books.close()
    assert volumes_in(folder / "archive")
    is_the_twin(folder)


def play(books: OldBooks, seats: list[int], troubles: list[Intent], *, wins: bool) -> None:
    """A round with troubles in its middle, which it survives."""
    books.must(*(ChipPlaced(seat) for seat in seats), LockOutPressed())
    for intent in troubles:
        books.synced = intent.slip != 1
        books.do(happen(books.table.state, intent))
    books.must(LinkRestored(), ChipsCounted(len(seats)), MismatchExplained("Sue", "found"))
    books.do(WagersRegistered(books.table.state.wagers_seq))
    if wins:
        books.do(HandClaimed(seats[0], ("2h", "3h"), ("Th", "Jh", "Qh")))
        books.do(NoWinShown(tuple(seats[1:]), "Dan"))
        books.do(AwardFixed(books.table.state.link_seq, 50_00, 1_000_000, 995_000))
        books.must(ClaimValidated(seats[0], "Sue"), PayoutConfirmed(seats[0], "Dan"))
    books.must(EndOfRoundPressed(), RoundOpened())
    assert books.table.state.phase is Phase.OPEN
