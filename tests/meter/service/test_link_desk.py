"""The desk of a link: what it hands on, what it ignores, what it says."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
import structlog
from msgspec.structs import replace
from structlog.testing import CapturingLogger

from drivers.mqtt.client import Message, Outgoing
from link.messages import MAX_MESSAGE_BYTES, MOST_WORDS, VERSION, Presence, Reply, State, Wagers, decode, encode
from link.topics import entry_topic, hello_topic, presence_topic
from meter.booking.booker import Work
from meter.booking.group_commit import GroupCommit
from meter.booking.rate_limits import CALM_MS
from meter.booking.results import BookingReport
from meter.ledger.decisions import Decided, Stop
from meter.ledger.open_items import OpenAward
from meter.service import link_desk as service
from meter.service.link_desk import LinkDesk
from tests.support.meter.meter_bench import (
    NOW_MS,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    royal,
    straight_flush,
    wagers,
)


class Shelf:
    """A post office that keeps everything."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, bool]] = []
        self.oversized = 0
        self.will: Outgoing | None = None
        self._more = asyncio.Event()

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None:
        self.will = will

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        self.sent.append((topic, payload, retain))
        self._more.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self._more.clear()
                await self._more.wait()

    def replies(self) -> list[tuple[str, Reply]]:
        return [(topic, decode(payload, Reply)) for topic, payload, _ in self.sent if "/reply/" in topic]

    def states(self) -> list[State]:
        return [decode(payload, State) for topic, payload, _ in self.sent if topic.endswith("/state")]


class DeskBench:
    """A desk without a wire, with a bookkeeper that answers when the test asks him to."""

    def __init__(self) -> None:
        self.meter = MeterBench()
        self.shelf, self.lines = Shelf(), CapturingLogger()
        self.inbox: list[Work] = []
        self.now_ms = NOW_MS
        self.desk = LinkDesk(
            link(),
            self.meter.heads["main"],
            post=self.shelf,
            submit=self.inbox.append,
            wall_ms=lambda: self.now_ms,
            log=structlog.wrap_logger(self.lines, processors=[]),
        )

    def hear(self, topic: str, payload: bytes) -> None:
        self.desk.heard(Message(topic, payload))

    def settle(self) -> BookingReport:
        """Lets the bookkeeper book what waits, and the desk answer."""
        report = self.meter.say(*(work.message for work in self.inbox))
        self.inbox = []
        self.desk.took(report)
        return report

    @property
    def reasons(self) -> list[Any]:
        return [
            call.kwargs.get("reason") for call in self.lines.calls if call.kwargs.get("event") == "message_rejected"
        ]


@pytest.fixture
def bench() -> DeskBench:
    return DeskBench()


def test_a_hello_and_an_entry_are_booked_and_answered(bench: DeskBench) -> None:
    """One reply to the table that spoke, on its own topic."""
    bench.hear(hello_topic("main", "T1"), encode(hello()))
    bench.hear(entry_topic("main", "T1"), encode(envelope(1, wagers())))
    assert bench.shelf.replies() == []
    bench.settle()
    assert bench.shelf.replies() == [("pitlink/v1/main/meter/reply/T1", Reply(VERSION, "journal-T1", 1))]


@pytest.mark.parametrize(
    ("topic", "payload", "kind"),
    [
        ("pitlink/v1/main/table/T1/entry", b"not json", "garbled"),
        ("pitlink/v1/main/table/T1/entry", b"", "garbled"),
        ("pitlink/v1/main/table/T1/entry", b"{" * 10_000, "garbled"),
        ("pitlink/v1/main/table/T1/entry", b" " * 16_385, "garbled"),
        ("pitlink/v1/main/table/T1/hello", b"[]", "garbled"),
        ("pitlink/v1/main/table/T1/presence", b"{}", "garbled"),
        ("pitlink/v1/main/table/T1/gossip", b"{}", "foreign"),
        ("pitlink/v1/other/table/T1/entry", encode(envelope(1, wagers())), "foreign"),
        ("pitlink/v1/main/table/T9/presence", encode(Presence(1, "T9", True)), "foreign"),
        ("somewhere/else", b"{}", "foreign"),
    ],
)
def test_what_nobody_can_be_told_of_is_counted_logged_and_ignored(
    bench: DeskBench, topic: str, payload: bytes, kind: str
) -> None:
    """No reply, no work, one more on the tally, one line in the log."""
    bench.hear(topic, payload)
    assert bench.desk.tally == {kind: 1}
    assert len(bench.reasons) == 1
    assert (bench.shelf.sent, bench.inbox) == ([], [])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"v": 2}, "version 2"),
        ({"v": 2, "colour": "red"}, "version 2"),
        ({"table": "T2"}, "table T2 on table T1's topic"),
        ({"tip": 1}, "unknown field"),
        ({"seq": 0}, ">= 1"),
    ],
)
def test_a_sender_that_can_be_made_out_is_told(bench: DeskBench, changed: dict[str, Any], words: str) -> None:
    """R50, R45: refused on the topic's own reply topic, never handed on."""
    payload = json.dumps(json.loads(encode(envelope(1, wagers()))) | changed).encode()
    bench.hear(entry_topic("main", "T1"), payload)
    ((topic, reply),) = bench.shelf.replies()
    assert topic.endswith("/reply/T1")
    assert words in reply.refusal
    assert (reply.journal, reply.booked_seq) == ("journal-T1", 0)
    assert bench.inbox == []


def test_a_refusal_is_no_longer_than_a_message_may_carry(bench: DeskBench) -> None:
    """A field name of 16 kB comes back as far as a panel can show it, cut where it can be seen."""
    payload = json.dumps(json.loads(encode(envelope(1, wagers()))) | {"x" * 16_000: 1}).encode()
    assert len(payload) <= MAX_MESSAGE_BYTES
    bench.hear(entry_topic("main", "T1"), payload)
    ((_, reply),) = bench.shelf.replies()
    assert (len(reply.refusal), reply.refusal[-1]) == (MOST_WORDS, "…")


def test_r50_a_presence_of_another_version_moves_no_table(bench: DeskBench) -> None:
    """Whatever that version means by it, nobody came or went; it is counted and logged."""
    bench.hear(presence_topic("main", "T1"), encode(Presence(VERSION + 1, "T1", alive=True)))
    assert bench.desk.tables["T1"].alive is None
    assert bench.desk.tally == {"refused": 1}
    assert "version 2" in bench.reasons[0]


def test_a_sender_outside_the_link_is_not_answered(bench: DeskBench) -> None:
    """Whoever is not on the link's list and cannot even spell gets no reply."""
    bench.hear("pitlink/v1/main/table/T9/entry", encode(replace(envelope(1, wagers()), v=2)))
    assert (bench.shelf.sent, bench.inbox, bench.desk.tally) == ([], [], {"foreign": 1})


def test_a_thousand_pending_awards_fit_into_one_state(bench: DeskBench) -> None:
    """However much is pending, the state stays a message that everybody takes."""
    awards = tuple(OpenAward("T" * 32, "j", seq, 7, "royal_flush", 0, taken_cents=seq) for seq in range(1_000))
    head = bench.meter.heads["main"]
    bench.desk.took(BookingReport(replace(head, number=9, pot=replace(head.pot, awards=awards)), (), ()))
    bench.desk.went_up()
    (state,) = bench.shelf.states()
    assert state.pending[0].amount_cents == 999
    assert len(bench.shelf.sent[0][1]) <= MAX_MESSAGE_BYTES


def test_what_waits_for_people_is_an_alarm_once(bench: DeskBench) -> None:
    """R2, 28.11(i), R39: held wagers, contested claims and a stop are said in the log, each one time."""
    bench.meter.join()
    bench.meter.deal("T2")
    bench.desk.took(bench.meter.say(envelope(1, Wagers(1, 500, (1,)))))
    bench.desk.took(bench.meter.say(envelope(2, wagers(3)), envelope(3, royal(number=2))))
    bench.desk.took(bench.meter.say(envelope(2, straight_flush(), "T2")))
    bench.desk.took(bench.meter.say(envelope(1, wagers(), "T3")))
    bench.meter.decide(Stop(), reason="drill")
    bench.desk.took(BookingReport(bench.meter.heads["main"], (), ()))
    alarms = [(call.kwargs["event"], call.kwargs.get("reason")) for call in bench.lines.calls]
    assert alarms == [
        ("wagers_held", "wagers of $5 from a table that joined with $1"),
        ("claims_contested", None),
        ("link_stopped", "drill"),
    ]


def test_a_flood_of_garbage_does_not_fill_the_log(bench: DeskBench) -> None:
    """Ten thousand bad messages are all counted and said in a few lines."""
    for _ in range(10_000):
        bench.hear(entry_topic("main", "T1"), b"?")
    assert bench.desk.tally == {"garbled": 10_000}
    assert 10 <= len(bench.reasons) < 30


def test_a_flood_of_one_table_hides_nothing_of_another(bench: DeskBench) -> None:
    """Neither its first bad message nor what strangers say, of whom there may be as many as they like."""
    for number in range(5_000):
        bench.hear(entry_topic("main", "T1"), b"?")
        bench.hear(entry_topic("main", f"X{number}"), b"?")
    before = len(bench.lines.calls)
    assert before < 60
    for table in ("T2", "T3"):
        bench.hear(entry_topic("main", table), b"?")
    assert [call.kwargs["table"] for call in bench.lines.calls[before:]] == ["T2", "T3"]
    assert bench.desk.tally == {"garbled": 10_002}
    assert len(bench.desk._log_throttle) == 4, "three tables, and all strangers as one"


def test_what_happens_after_a_calm_minute_is_said_again(bench: DeskBench) -> None:
    """A flood of last month hides nothing of today."""
    for _ in range(1_000):
        bench.hear(entry_topic("main", "T1"), b"?")
    before = len(bench.reasons)
    bench.now_ms += CALM_MS - 1
    bench.hear(entry_topic("main", "T1"), b"?")
    assert len(bench.reasons) == before
    bench.now_ms += CALM_MS
    bench.hear(entry_topic("main", "T1"), b"?")
    assert len(bench.reasons) == before + 1


def test_presence_is_noted_when_it_changes(bench: DeskBench) -> None:
    """A repeated presence is no news."""
    for alive in (True, True, False):
        bench.hear(presence_topic("main", "T1"), encode(Presence(VERSION, "T1", alive)))
    events = [call.kwargs.get("event") for call in bench.lines.calls]
    assert events == ["table_connected", "table_disconnected"]


def test_a_table_that_comes_and_goes_without_end_does_not_fill_the_log(bench: DeskBench) -> None:
    """Three thousand moves within a minute are a few lines; another table's, and the next day's, are said."""

    def move(table: str, *, alive: bool) -> None:
        bench.hear(presence_topic("main", table), encode(Presence(VERSION, table, alive)))

    for number in range(3_000):
        move("T2", alive=number % 2 == 0)
    flooded = len(bench.lines.calls)
    assert 10 <= flooded < 25
    move("T1", alive=True)
    bench.now_ms += 86_400_000
    move("T2", alive=True)
    said = [(call.kwargs["event"], call.kwargs["table"]) for call in bench.lines.calls[flooded:]]
    assert said == [("table_connected", "T1"), ("table_connected", "T2")]
    assert bench.desk.tables["T2"].alive


def test_a_broker_that_is_away_is_explained(bench: DeskBench) -> None:
    """The line in the log says what to do."""
    bench.desk.went_down("broker 127.0.0.1:1883: refused")
    (call,) = bench.lines.calls
    assert "keeps trying" in call.kwargs["advice"]
    assert "127.0.0.1:1883" in call.kwargs["reason"]


def test_the_status_says_how_the_link_is(bench: DeskBench) -> None:
    """One line for systemctl status: the amount, and who is there or what is missing."""
    assert bench.desk.status == "main $10,000, waiting for the broker"
    bench.desk.went_up()
    bench.hear(presence_topic("main", "T1"), encode(Presence(VERSION, "T1", alive=True)))
    assert bench.desk.status == "main $10,000, 1 table(s) present"


async def test_the_state_is_said_at_every_change_and_at_every_beat(
    bench: DeskBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retained, with a number that grows, the open award in it, and parts that add up (R31)."""
    monkeypatch.setattr(service, "BEAT_S", 0.01)
    monkeypatch.setattr(service, "SHORTEST_S", 0.0)
    monkeypatch.setattr(service, "SHORTEST_FOR_NEWS_S", 0.0)
    bench.meter.join("T1")
    bench.shelf.oversized = 2
    task = asyncio.create_task(bench.desk.run())
    await bench.shelf.until(lambda: len(bench.shelf.sent) >= 3)
    bench.desk.took(bench.meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, flush())))
    await bench.shelf.until(lambda: bool(bench.shelf.states()[-1].pending))
    task.cancel()
    assert bench.desk.tally["oversized"] == 2
    first, last = bench.shelf.states()[0], bench.shelf.states()[-1]
    assert all(retain for _, _, retain in bench.shelf.sent[:3])
    assert (first.number, last.number) == (1, 4)
    assert last.pending[0].table == "T1"
    assert last.amount_cents == 1_000_000 + 211 - 50_00
    assert last.amount_cents == last.base_cents + last.contribution_cents - last.deducted_cents + last.refill_cents
    assert (last.carry, last.in_cents) == ("11/100", 300)


async def test_news_are_told_at_once_and_wagers_in_their_time(
    bench: DeskBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A growing amount waits for the next state; an award and a stop do not (R31)."""
    monkeypatch.setattr(service, "SHORTEST_S", 3600.0)
    monkeypatch.setattr(service, "SHORTEST_FOR_NEWS_S", 0.0)
    bench.meter.join("T1")
    task = asyncio.create_task(bench.desk.run())
    await bench.shelf.until(lambda: len(bench.shelf.states()) == 1)
    bench.desk.took(bench.meter.say(envelope(1, wagers(1, 2, 3))))
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(bench.shelf.states()) == 1
    bench.desk.took(bench.meter.say(envelope(2, flush())))
    await bench.shelf.until(lambda: len(bench.shelf.states()) == 2)
    assert [award.hand for award in bench.shelf.states()[-1].pending] == ["flush"]
    taken = bench.meter.booker.decide("main", Decided(Stop(), "Ann", "Ben", "drill"))
    bench.desk.took(taken.reports["main"])
    await bench.shelf.until(lambda: len(bench.shelf.states()) == 3)
    assert not bench.shelf.states()[-1].alive
    task.cancel()
    await asyncio.wait([task])


async def test_everything_that_waits_goes_into_one_transaction() -> None:
    """While one transaction is on its way, the next one gathers; the thread ends when it is told to."""
    meter = MeterBench()
    meter.join()
    reports: list[BookingReport] = []
    heard = asyncio.Event()

    def hear(_link: str, report: BookingReport) -> None:
        reports.append(report)
        if reports[-1].head.pot.chips == 300:
            heard.set()

    books = GroupCommit(meter.booker, hear)
    for seq in range(1, 101):
        books.submit(Work("main", envelope(seq, wagers())))
    task = asyncio.create_task(books.run())
    await asyncio.wait_for(heard.wait(), 60)
    task.cancel()
    await asyncio.wait([task])
    assert len(reports) == 1
    assert reports[0].replies == (("T1", Reply(VERSION, "journal-T1", 100)),)
