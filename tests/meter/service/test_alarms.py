"""Alarms: they stay until somebody acknowledges them, through restarts, and say nothing twice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.mqtt.client import Message
from link.messages import Wagers, encode
from link.topics import entry_topic, hello_topic
from meter.booking.booker import Booker
from meter.ledger.decisions import DecideHeld, EntryRef, OrderClaims, Reopen, SettleAward, Stop
from meter.service.alarms import MEASURE_S, MOST_OPEN, standing
from meter.service.link_desk import GAPS
from meter.store.audit_log import CLOSED_ALARM, GROWTH, Acknowledged, Alarm, Used, first_bad_line, read_note
from meter.store.base import Store
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    payout,
    royal,
    straight_flush,
    wagers,
)
from tests.support.meter.proved import Unchecked
from tests.support.meter.watched_desk import WatchedDesk, watched_desk

MEASURE_MS = int(MEASURE_S * 1_000)
DAY_MS = 86_400_000


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[WatchedDesk]:
    async with watched_desk(tmp_path / "ledger.sqlite") as floor:
        floor.say(hello("T1"), hello("T2"), hello("T3"))
        yield floor


Happen = Callable[[WatchedDesk], object]


def lose_table(floor: WatchedDesk) -> None:
    floor.presence("T1", alive=True)
    floor.presence("T1", alive=False)


def miss_entries(floor: WatchedDesk) -> None:
    for _ in range(GAPS):
        floor.say(envelope(5, wagers()))


SIXTY = replace(payout(2), amount_cents=60_00)


def contradict(floor: WatchedDesk) -> None:
    floor.claim(flush())
    floor.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=False))
    floor.say(envelope(3, SIXTY))


def contest(floor: WatchedDesk, *, seq: int = 1) -> None:
    floor.claim(royal(), seq=seq)
    floor.claim(straight_flush(), "T2")


def pay_otherwise(floor: WatchedDesk) -> None:
    floor.claim(flush())
    floor.say(envelope(3, SIXTY))


CAUSES: dict[str, tuple[Happen, str]] = {
    "wagers held": (lambda floor: floor.say(envelope(1, Wagers(1, 500, (1,)))), "T1"),
    "claims contested": (contest, ""),
    "payout held": (pay_otherwise, "T1"),
    "award disputed": (contradict, "T1"),
    "link stopped": (lambda floor: floor.decide(Stop()), ""),
    "message refused": (lambda floor: floor.say(hello("T1", stake_cents=700)), "T1"),
    "entries missing": (miss_entries, "T1"),
    "table lost": (lose_table, "T1"),
    "broker lost": (lambda floor: floor.desk.went_down("no route"), ""),
}


@pytest.mark.parametrize("kind", CAUSES)
async def test_what_needs_a_person_is_an_alarm(floor: WatchedDesk, kind: str) -> None:
    """Held wagers, disputed payouts, contested claims, stops, refusals, gaps, lost tables: with advice (R39)."""
    cause, table = CAUSES[kind]
    cause(floor)
    assert (kind, table) in floor.kinds
    alarm = next(one.alarm for one in floor.watch.open_alarms if one.alarm.kind == kind)
    assert alarm.words
    assert alarm.advice
    assert floor.rings > 0


async def test_r72_a_payout_that_was_settled_is_no_alarm_any_more(floor: WatchedDesk) -> None:
    """Its cause is gone with the decision; somebody must have seen it all the same."""
    pay_otherwise(floor)
    assert [one.stands for one in floor.watch.open_alarms] == [True]
    floor.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True, amount_cents=60_00))
    assert [one.stands for one in floor.watch.open_alarms] == [False]


async def test_an_alarm_survives_a_restart_until_somebody_acknowledges_it(tmp_path: Path) -> None:
    """By whom and when stands in the book; the next start knows that it was seen."""
    path = tmp_path / "ledger.sqlite"
    async with watched_desk(path) as floor:
        floor.say(hello("T1"))
        lose_table(floor)
        await floor.watch.note("Sue", "signed in", "supervisor")  # which is on disk only after everything before it
    async with watched_desk(path) as floor:
        [alarm] = floor.watch.open_alarms
        assert alarm.alarm.kind == "table lost"
        assert await floor.watch.acknowledge(alarm.number, "Sue")
        assert not await floor.watch.acknowledge(alarm.number, "Ann")
        assert floor.kinds == []
    async with watched_desk(path) as floor:
        assert floor.kinds == []
        [closed] = floor.store.last_lines(CLOSED_ALARM, "main", 9)
        assert closed.number == alarm.number
        said = [read_note(line).said for line in floor.store.lines(0, 99)]
        assert said[-1] == Acknowledged(alarm.number, "Sue")
        assert Used("Sue", "signed in", "supervisor") in said
        assert first_bad_line(iter(floor.store.lines(0, 99))) == 0


@pytest.mark.parametrize(
    "damage", ["DELETE FROM floor_book WHERE number > 1", "UPDATE floor_book SET seal = x'00' WHERE number = 3"]
)
async def test_r104_a_book_that_was_cut_off_is_an_alarm_and_stays_cut_off(tmp_path: Path, damage: str) -> None:
    """The floor plays on, somebody is told, and no later line makes the book whole again."""
    path = tmp_path / "ledger.sqlite"
    async with watched_desk(path) as floor:
        for what in ("signed in", "looked", "signed out"):
            await floor.watch.note("Sue", what, "")
        floor.store._database.execute(damage)
    for _ in range(2):
        async with watched_desk(path) as floor:
            [alarm] = floor.watch.open_alarms
            assert (alarm.alarm.kind, alarm.number) == ("floor's book damaged", 4)
            assert "line 3" in alarm.alarm.words
            await floor.watch.note("Sue", "signed in", "")
            bad = first_bad_line(floor.store.lines(0, 99), floor.store.floor_end())
            assert bad == (2 if damage.startswith("DELETE") else 3)


async def test_the_same_again_counts_up_and_fills_nothing(floor: WatchedDesk) -> None:
    """However often a table is refused, there is one alarm, with the last words and how often."""
    for stake in range(700, 720):
        floor.say(hello("T1", stake_cents=stake))
    [alarm] = floor.watch.open_alarms
    assert (alarm.times, alarm.alarm.table) == (20, "T1")
    assert "$7.19" in alarm.latest_words
    assert "$7" in alarm.alarm.words


async def test_an_acknowledged_cause_that_stands_is_no_news_until_it_was_gone(floor: WatchedDesk) -> None:
    """A table that says the same hello every few seconds does not raise the alarm again, another reason does."""
    floor.say(hello("T1", stake_cents=700))
    await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
    floor.say(hello("T1", stake_cents=700))
    assert floor.kinds == []
    floor.say(hello("T1", seats=9))
    assert floor.kinds == [("message refused", "T1")]
    await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
    floor.say(hello("T1"))
    floor.say(hello("T1", stake_cents=700))
    assert floor.kinds == [("message refused", "T1")]


async def test_what_was_decided_raises_its_alarm_anew_the_next_time(floor: WatchedDesk) -> None:
    """Held, decided, held again; contested, ordered, contested again; stopped, opened, stopped again."""
    for seq in (1, 2):
        floor.say(envelope(seq, Wagers(1, 500, (1,))))
        assert floor.kinds == [("wagers held", "T1")]
        await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
        floor.decide(DecideHeld(EntryRef("T1", "journal-T1", seq), counts=False))
        floor.decide(Stop())
        assert floor.kinds == [("link stopped", "")]
        await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
        floor.decide(Reopen())
    contest(floor, seq=3)
    await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
    floor.decide(OrderClaims((EntryRef("T1", "journal-T1", 4), EntryRef("T2", "journal-T2", 2))))
    floor.claim(straight_flush(), "T3")
    assert floor.kinds == [("claims contested", "")]


async def test_a_table_that_comes_and_goes_is_news_each_time(floor: WatchedDesk) -> None:
    """Acknowledged after it had come back: the next loss is another one."""
    lose_table(floor)
    floor.presence("T1", alive=True)
    [alarm] = floor.watch.open_alarms
    assert not alarm.stands
    await floor.watch.acknowledge(alarm.number, "Sue")
    floor.presence("T1", alive=False)
    assert floor.kinds == [("table lost", "T1")]
    assert floor.watch.open_alarms[0].stands


async def test_a_table_still_gone_after_a_restart_is_still_lost(tmp_path: Path) -> None:
    """The broker's retained word that it left ends no alarm, and raises one where the meter was off meanwhile."""
    path = tmp_path / "ledger.sqlite"
    async with watched_desk(path) as floor:
        floor.say(hello("T1"), hello("T2"))
        lose_table(floor)
        await floor.watch.note("Sue", "signed in", "supervisor")
    async with watched_desk(path) as floor:
        for table in ("T1", "T2", "T3"):
            floor.presence(table, alive=False)
        assert floor.kinds == [("table lost", "T2"), ("table lost", "T1")]  # T3 has never joined
        assert all(alarm.stands for alarm in floor.watch.open_alarms)
        floor.presence("T1", alive=True)
        assert [alarm.stands for alarm in floor.watch.open_alarms] == [True, False]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["arises", "goes", "is seen"]), max_size=12))
def test_nothing_that_arose_anew_goes_unseen(tmp_path_factory: pytest.TempPathFactory, course: list[str]) -> None:
    """An alarm is open exactly if its cause arose after somebody had last seen it, or seen it go."""

    async def follow() -> None:
        path = tmp_path_factory.mktemp("floor") / "ledger.sqlite"
        async with watched_desk(path) as floor:
            is_open = stands = is_known = False
            for step in course:
                if step == "arises":
                    floor.watch.raised(Alarm("drill", "main", "T1", "words", "advice"))
                    stands, is_open = True, is_open or not is_known
                elif step == "goes":
                    floor.watch.over("drill", "main", "T1")
                    stands = is_known = False
                elif is_open:
                    await floor.watch.acknowledge(floor.watch.open_alarms[0].number, "Sue")
                    is_open, is_known = False, stands
                assert floor.kinds == ([("drill", "T1")] if is_open else [])

    asyncio.run(follow())


async def test_tables_of_no_link_share_one_alarm(floor: WatchedDesk) -> None:
    """Whoever invents names of tables does not fill the page."""
    for number in range(50):
        floor.desk.heard(Message(entry_topic("main", f"X{number}"), encode(envelope(1, wagers(), f"X{number}"))))
        floor.desk.heard(Message(hello_topic("main", f"X{number}"), b"{}"))
    report = floor.meter.say(*(work.message for work in floor.inbox))
    floor.desk.took(report)
    assert floor.kinds == [("message refused", "")]


async def test_a_stopped_link_is_one_alarm_and_not_one_for_each_table(floor: WatchedDesk) -> None:
    """Everybody is refused then, and everybody knows why."""
    floor.decide(Stop())
    floor.say(hello("T1"), hello("T2"), envelope(1, wagers()))
    assert floor.kinds == [("link stopped", "")]


async def test_the_number_of_open_alarms_has_an_end(floor: WatchedDesk) -> None:
    """The newest beyond it are counted in the log only."""
    for number in range(MOST_OPEN + 5):
        floor.watch.raised(Alarm("table lost", "main", str(number), "words", "advice"))
    assert len(floor.watch.open_alarms) == MOST_OPEN


async def test_money_that_waits_is_an_alarm_however_many_are_open(tmp_path: Path) -> None:
    """A floor full of lost tables hides no held wagers, no contest and no stopped link, through a restart, too."""
    path = tmp_path / "ledger.sqlite"
    money = {("wagers held", "T1"), ("claims contested", ""), ("link stopped", "")}
    async with watched_desk(path) as floor:
        floor.say(hello("T1"), hello("T2"))
        floor.say(envelope(1, Wagers(1, 500, (1,))))
        contest(floor, seq=2)
        for number in range(MOST_OPEN):
            floor.watch.raised(Alarm("table lost", "main", str(number), "words", "advice"))
        floor.decide(Stop())
        assert money <= set(floor.kinds)
        await floor.watch.note("Sue", "signed in", "supervisor")
    async with watched_desk(path) as floor:
        assert money <= set(floor.kinds)


async def test_r2_each_held_entry_is_news(floor: WatchedDesk) -> None:
    """The first was seen and waits for its decision; the second is other money, whatever its reason."""
    for seq in (1, 2):
        floor.say(envelope(seq, Wagers(1, 500, (1,))))
        [alarm] = floor.watch.open_alarms
        assert alarm.alarm.words.startswith(f"entry {seq} of journal journal-T1: ")
        await floor.watch.acknowledge(alarm.number, "Sue")


async def test_a_few_gaps_are_no_alarm(floor: WatchedDesk) -> None:
    """After a broken connection a table sends again what was lost; only one that goes on needs a person."""
    for _ in range(GAPS - 1):
        floor.say(envelope(3, wagers()))
    floor.say(envelope(1, wagers()))
    floor.say(envelope(3, wagers()))
    assert floor.kinds == []


async def test_what_stands_is_raised_at_every_start(floor: WatchedDesk) -> None:
    """A power cut between the ledger's record and the alarm hides nothing."""
    floor.say(envelope(1, Wagers(1, 500, (1,))))
    contest(floor, seq=2)
    floor.decide(Stop())
    kinds = {alarm.kind for alarm in standing("main", floor.desk.head)}
    assert kinds == {"wagers held", "claims contested", "link stopped"}
    floor.decide(Reopen())
    assert "link stopped" not in {alarm.kind for alarm in standing("main", floor.desk.head)}


@pytest.mark.parametrize("set_back_ms", [0, DAY_MS, -DAY_MS])
async def test_each_meter_is_measured_now_and_then(floor: WatchedDesk, set_back_ms: int) -> None:
    """At most once in ten minutes, with the record that it stood after, whatever is done to the calendar."""
    floor.say(envelope(1, wagers()))
    floor.set_back_ms = set_back_ms
    floor.now_ms += MEASURE_MS - 1
    floor.say(envelope(2, wagers()))
    floor.now_ms += 1
    floor.say(envelope(3, wagers()))
    await floor.watch.note("Sue", "signed in", "")
    assert [read_note(line).said.record for line in floor.store.last_lines(GROWTH, "main", 9)] == [7, 4]  # type: ignore[union-attr]  # measured


def test_members_are_known_after_a_restart(tmp_path: Path) -> None:
    """The page shows the tables of yesterday before they have said anything."""
    store: Store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store).join("T1", "T3")
    booker = Booker(store, [link()], lambda: NOW_MS, Unchecked())
    booker.open()
    assert sorted(member.hello.table for member in booker.members("main")) == ["T1", "T3"]
    store.close()  # type: ignore[attr-defined]  # of a file
