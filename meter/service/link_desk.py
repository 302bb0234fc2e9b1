"""Link desk: the MQTT front of one link; takes well-formed messages and publishes its state."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from common.log import Log
from drivers.mqtt.client import Message, Outgoing
from games.money import dollars
from link import messages as wire
from link import topics
from meter.booking.booker import Work
from meter.booking.rate_limits import LogThrottle
from meter.booking.results import BookingReport, MessageOutcome, MessageResult
from meter.ledger.link_state import Head, Member
from meter.service.alarms import (
    NOBODY,
    AlarmSink,
    DecisionAlarms,
    broker_alarm,
    disputed_alarm,
    gap_alarm,
    lost_table_alarm,
    refused_message_alarm,
    table_pin_alarm,
)
from meter.service.state import is_news, last_will, state_of
from meter.settings import Link

BEAT_S: Final = 0.8  # at least once a second, whatever else there is to do
GAPS: Final = 10  # a table sends again what was lost: a few gaps after a broken connection are no news
SHORTEST_S: Final = 0.25  # between two states of a growing amount: each of them goes to every table and sign of a link
SHORTEST_FOR_NEWS_S: Final = 0.05  # after any state, however much happens

_REFUSALS: Final = frozenset({"refused", "too_often", "garbled", "foreign"})

Submit: TypeAlias = Callable[[Work], None]


class Publisher(Protocol):
    """The part of a pipe that a desk needs; oversized counts what it dropped for its length."""

    oversized: int

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None: ...

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None: ...


class StaffFront(Protocol):
    """The staff directory, as a desk sees it."""

    def sealed(self) -> bytes | None:
        """The directory as tables take it; None while there is none that counts."""
        ...

    def answer(self, link: str, asked: wire.SignInAsked, journal: str) -> wire.SignInAnswer | None:
        """Whether somebody may sign in at a table; None where it only reports that he did."""
        ...

    def change_pin(
        self, link: str, asked: wire.SignInAsked, journal: str, then: Callable[[wire.SignInAnswer], None]
    ) -> None:
        """Takes the PIN that somebody chose at a table."""
        ...


class TablePresence(Struct):
    """What a desk knows of a table besides its entries: there or gone since when, when last heard, its lights."""

    alive: bool | None = None
    since_ms: int = 0
    heard_ms: int = 0
    gaps: int = 0
    lights: wire.TableLights | None = None


class LinkDesk:
    """The MQTT front of one link; the money is with the booker."""

    def __init__(
        self,
        link: Link,
        head: Head,
        *,
        post: Publisher,
        submit: Submit,
        wall_ms: Callable[[], int],
        log: Log,
        members: Iterable[Member] = (),
        watch: AlarmSink = NOBODY,
        staff: StaffFront | None = None,
    ) -> None:
        self._staff = staff
        self._link, self._head, self._post, self._submit = link, head, post, submit
        self._wall_ms, self._watch = wall_ms, watch
        self._log = log.bind(link=link.name)
        self._calls = DecisionAlarms(link.name, log=self._log, watch=watch)
        self._changed, self._news = asyncio.Event(), asyncio.Event()
        self.members = {member.hello.table: member for member in members}
        self.tables = {table: TablePresence() for table in link.tables}
        self.is_up, self.up_since_ms = False, wall_ms()
        self.tally: Counter[str] = Counter()
        self._log_throttle = LogThrottle(self.tables, wall_ms)

    @property
    def head(self) -> Head:
        """Where the link stands, as far as it is on disk."""
        return self._head

    @property
    def status(self) -> str:
        """The link in a few words, for whoever looks after the service."""
        tables = sum(table.alive is True for table in self.tables.values())
        where = f"{tables} table(s) present" if self.is_up else "waiting for the broker"
        return f"{self._link.name} {dollars(self._head.pot.amount_cents)}, {where}"

    async def run(self) -> None:
        """Says for ever where the meter stands: news at once, a grown amount soon, and something once a beat."""
        while True:
            self._changed.clear()
            self._news.clear()
            self._say_state()
            self._note_oversized()
            await asyncio.sleep(SHORTEST_FOR_NEWS_S)
            if not await _is_set(self._news, SHORTEST_S - SHORTEST_FOR_NEWS_S):
                await _is_set(self._changed, BEAT_S - SHORTEST_S)

    def took(self, report: BookingReport) -> None:
        """Answers the tables of a transaction that is on disk, first of all."""
        for table, reply in report.replies:
            self._post.publish(topics.reply_topic(self._link.name, table), wire.encode(reply))
        self._post.flush()
        if report.head.number != self._head.number:
            self._calls.moved(self._head, report.head)
            if is_news(self._head, report.head):
                self._news.set()
            self._head = report.head
            self._changed.set()
            self._watch.moved(self._link.name, report.head)
        self.members |= {member.hello.table: member for member in report.members}
        for outcome in report.outcomes:
            is_booked = outcome.result is MessageResult.KEPT_ASIDE
            self._count(outcome.result.value, outcome.table, "" if is_booked else outcome.words)
            self._judge(outcome)

    def _judge(self, outcome: MessageOutcome) -> None:
        """A table that is refused, or whose entries go on missing, needs a person; one that is taken does not."""
        table = self.tables.get(outcome.table)
        if table is None:
            return
        match outcome.result:
            case MessageResult.GAP:
                table.gaps += 1
                if table.gaps == GAPS:
                    self._watch.raised(gap_alarm(self._link.name, outcome.table))
            case MessageResult.BOOKED | MessageResult.JOINED | MessageResult.KEPT_ASIDE:
                table.gaps = 0
                if outcome.words:
                    self._dispute(outcome)
                self._watch.over("entries missing", self._link.name, outcome.table)
                self._watch.over("message refused", self._link.name, outcome.table)

    def _dispute(self, outcome: MessageOutcome) -> None:
        """An event, not a state: said once, and shown until somebody has seen it."""
        alarm = disputed_alarm(self._link.name, outcome.table, outcome.words)
        self._log.warning("award_disputed", table=outcome.table, reason=outcome.words, advice=alarm.advice)
        self._watch.raised(alarm)
        self._watch.over("award disputed", self._link.name, outcome.table)

    def went_up(self) -> None:
        self._log.info("broker_connected")
        self.is_up, self.up_since_ms = True, self._wall_ms()
        self._watch.over("broker lost", self._link.name, "")
        self._watch.changed()
        self._say_state()
        self.say_staff()

    def say_staff(self) -> None:
        """Publishes the staff directory, retained; while there is none, tables keep the copy that they have."""
        sealed = self._staff.sealed() if self._staff else None
        if sealed is not None:
            self._post.publish(topics.staff_topic(self._link.name), sealed, retain=True, qos=1)
            self._post.flush()

    def went_down(self, reason: str) -> None:
        advice = "start the broker or correct [broker] in the settings; the meter keeps trying"
        self._log.warning("broker_disconnected", reason=reason, advice=advice)
        if self.is_up:
            self.is_up, self.up_since_ms = False, self._wall_ms()
        self._watch.raised(broker_alarm(self._link.name, reason, advice))

    def heard(self, message: Message) -> None:
        address = topics.table_address(message.topic)
        if address is None or address.link != self._link.name:
            self._count("foreign", "", f"a message on topic {message.topic}")
            return
        if address.table in self.tables:
            self.tables[address.table].heard_ms = self._wall_ms()
        try:
            self._sort(address, message.payload)
        except wire.Garbled as error:
            self._garbled(address, message.payload, str(error))

    def _sort(self, address: topics.Address, payload: bytes) -> None:
        match address.kind:
            case "entry":
                self._take(address, wire.decode(payload, wire.Envelope))
            case "hello":
                self._take(address, wire.decode(payload, wire.Hello))
            case "presence":
                self._note_presence(address, wire.decode(payload, wire.Presence))
            case "lights":
                self._note_lights(address, wire.decode(payload, wire.TableLights))
            case "sign-in":
                self._answer_sign_in(address, wire.decode(payload, wire.SignInAsked))
            case "alarm":
                self._note_alarm(address, wire.decode(payload, wire.TableAlarm))
            case _:
                self._count("foreign", address.table, f"nothing is known of {address.kind}")

    def _answer_sign_in(self, address: topics.Address, asked: wire.SignInAsked) -> None:
        """Only a table that has joined asks: its journal is part of what the proof covers."""
        member = self.members.get(address.table)
        if asked.v != wire.VERSION or asked.table != address.table or member is None or self._staff is None:
            self._count("foreign", address.table, f"a sign-in at table {asked.table}")
            return
        answered = partial(self._say_answer, address.table)
        if asked.new_pin:
            self._staff.change_pin(self._link.name, asked, member.hello.journal, answered)
        else:
            answered(self._staff.answer(self._link.name, asked, member.hello.journal))

    def _say_answer(self, table: str, answer: wire.SignInAnswer | None) -> None:
        if answer is not None:
            self._post.publish(topics.sign_in_answer_topic(self._link.name, table), wire.encode(answer))
            self._post.flush()

    def _note_alarm(self, address: topics.Address, told: wire.TableAlarm) -> None:
        """Wrong PINs at a table: an event, shown until somebody has seen it; however often, one line of the book."""
        if told.v != wire.VERSION or told.table != address.table or address.table not in self.tables:
            self._count("foreign", address.table, f"an alarm of table {told.table}")
            return
        alarm = table_pin_alarm(self._link.name, told.table, told.words, told.tries)
        if self._log_throttle.worth_a_line("wrong PIN", told.table):
            self._log.warning("wrong_pins", table=told.table, tries=told.tries, reason=told.words, advice=alarm.advice)
        self._watch.raised(alarm)
        self._watch.over("wrong PIN", self._link.name, told.table)

    def _take(self, address: topics.Address, message: wire.Envelope | wire.Hello) -> None:
        if message.v != wire.VERSION:
            self._refuse(address, message.journal, _other_version(message.v))
        elif message.table != address.table:
            self._refuse(
                address, message.journal, f"a message of table {message.table} on table {address.table}'s topic"
            )
        else:
            self._submit(Work(self._link.name, message))

    def _note_presence(self, address: topics.Address, presence: wire.Presence) -> None:
        table = self.tables.get(address.table)
        if presence.v != wire.VERSION:
            self._count(MessageResult.REFUSED.value, address.table, _other_version(presence.v))
        elif presence.table != address.table or table is None:
            self._count("foreign", address.table, f"the presence of table {presence.table}")
        elif table.alive != presence.alive:
            was_here = table.alive is True or presence.table in self.members
            table.alive, table.since_ms = presence.alive, self._wall_ms()
            count = self._log_throttle.worth_a_line("presence", presence.table)
            if count:
                self._log.info(
                    "table_connected" if presence.alive else "table_disconnected", table=presence.table, count=count
                )
            self._note_move(presence, was_here=was_here)

    def _note_lights(self, address: topics.Address, lights: wire.TableLights) -> None:
        table = self.tables.get(address.table)
        if lights.v != wire.VERSION:
            self._count(MessageResult.REFUSED.value, address.table, _other_version(lights.v))
        elif lights.table != address.table or table is None:
            self._count("foreign", address.table, f"the lights of table {lights.table}")
        elif table.lights != lights:
            table.lights = lights
            self._watch.changed()

    def _note_move(self, presence: wire.Presence, *, was_here: bool) -> None:
        """A table that was never here is not lost; one that was before this meter started is."""
        if presence.alive:
            self._watch.over("table lost", self._link.name, presence.table)
        elif was_here:
            self._watch.raised(lost_table_alarm(self._link.name, presence.table))
        self._watch.changed()

    def _garbled(self, address: topics.Address, payload: bytes, problem: str) -> None:
        """Tells the sender as much as can be made out; a message of another version is no garbage."""
        try:
            header = wire.decode(payload, wire.MessageHeader)
        except wire.Garbled:
            self._count("garbled", address.table, problem)
            return
        words = f"a message that is none: {problem}" if header.v == wire.VERSION else _other_version(header.v)
        self._refuse(address, header.journal, words)

    def _refuse(self, address: topics.Address, journal: str, words: str) -> None:
        if address.table not in self._link.tables:
            self._count("foreign", address.table, words)
            return
        self._count(MessageResult.REFUSED.value, address.table, words)
        reply = wire.Reply(wire.VERSION, journal, 0, refusal=wire.shortened(words))
        self._post.publish(topics.reply_topic(self._link.name, address.table), wire.encode(reply))

    def _count(self, kind: str, table: str, words: str) -> None:
        """Counts everything; says what is worth saying, and of a flood ever less."""
        self.tally[kind] += 1
        count = self._log_throttle.worth_a_line(kind, table) if words else 0
        if count:
            self._log.warning("message_rejected", kind=kind, count=count, table=table[:32], reason=words[:300])
        is_shut = self._head.stopped or self._head.closed  # which refuses everybody, and is said already
        if words and kind in _REFUSALS and not is_shut:
            self._watch.raised(refused_message_alarm(self._link.name, table if table in self.tables else "", words))

    def _note_oversized(self) -> None:
        new = self._post.oversized - self.tally["oversized"]
        if new:
            self.tally["oversized"] += new
            self._log.warning("messages_too_long", count=self.tally["oversized"])

    def _say_state(self) -> None:
        games = tuple(game.name for game in self._link.games)
        state = state_of(self._link.name, self._head, self._wall_ms())
        state = replace(state, tables=len(self._link.tables), games=games)
        self._post.publish(topics.state_topic(self._link.name), wire.encode(state), retain=True)
        self._post.bequeath(last_will(self._link.name, self._head))  # after the word of a stop that it must not replace


async def _is_set(event: asyncio.Event, within_s: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await event.wait()
    return event.is_set()


def _other_version(version: int) -> str:
    return f"protocol version {version} is not spoken here; this meter speaks version {wire.VERSION}"
