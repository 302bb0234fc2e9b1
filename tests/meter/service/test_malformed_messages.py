"""R43: a line that loses, doubles, reorders and corrupts a tenth of everything changes no total."""

import random
from contextlib import suppress
from fractions import Fraction

import pytest
import structlog
from structlog.testing import CapturingLogger

from drivers.mqtt.client import Message, Outgoing
from link.messages import Garbled, Reply, decode, encode
from link.topics import entry_topic, hello_topic
from meter.booking.booker import Work
from meter.service.link_desk import LinkDesk
from tests.support.meter.meter_bench import TABLES, TERMS, MeterBench, envelope, hello, link, wagers

ROUNDS = 120
MOST_TRIES = 2_000


class Wire:
    """One direction: one message in ten each is lost, doubled, late, cut off with noise behind it."""

    def __init__(self, luck: random.Random) -> None:
        self._luck, self._late = luck, list[tuple[str, bytes]]()

    def carry(self, topic: str, payload: bytes) -> list[tuple[str, bytes]]:
        """What arrives when this is sent."""
        late, self._late = self._late, []
        match self._luck.randrange(10):
            case 0:
                return late
            case 1:
                return [(topic, payload), *late, (topic, payload)]
            case 2:
                self._late = [(topic, payload)]
                return late
            case 3:
                cut = self._luck.randrange(len(payload))
                return [*late, (topic, payload[:cut] + self._luck.randbytes(self._luck.randrange(20)))]
            case _:
                return [(topic, payload), *late]


class BadLine:
    """A desk at the end of a bad line, and what its tables hear of it."""

    oversized = 0

    def __init__(self, seed: int) -> None:
        luck = random.Random(seed)
        self._there, self._back = Wire(luck), Wire(luck)
        self.meter, self.inbox = MeterBench(), list[Work]()
        self.heard: dict[str, int] = dict.fromkeys(TABLES, 0)
        log = structlog.wrap_logger(CapturingLogger(), processors=[])
        head = self.meter.heads["main"]
        self.desk = LinkDesk(link(), head, post=self, submit=self.inbox.append, wall_ms=lambda: 1, log=log)

    def send(self, topic: str, payload: bytes) -> None:
        """A table publishes this; the meter books what arrives of it."""
        for each_topic, each in self._there.carry(topic, payload):
            self.desk.heard(Message(each_topic, each))
        if self.inbox:
            self.desk.took(self.meter.say(*(work.message for work in self.inbox)))
        self.inbox.clear()

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """The desk answers; the table hears what arrives of it."""
        for each_topic, each in self._back.carry(topic, payload):
            with suppress(Garbled):
                reply = decode(each, Reply)
                table = each_topic.rpartition("/")[2]
                self.heard[table] = max(self.heard[table], 0 if reply.refusal else reply.booked_seq)


@pytest.mark.parametrize("seed", range(5))
def test_r43_a_tenth_lost_doubled_late_and_corrupted_changes_no_total(seed: int) -> None:
    """Tables repeat until they hear that it is booked; every wager counts once, whatever became of the messages."""
    line, luck = BadLine(seed), random.Random(f"rounds {seed}")
    played = {
        table: [
            wagers(*sorted(luck.sample(range(1, 8), luck.randint(1, 7))), number=seq) for seq in range(1, ROUNDS + 1)
        ]
        for table in TABLES
    }
    journals = {
        table: [envelope(seq, entry, table) for seq, entry in enumerate(entries, start=1)]
        for table, entries in played.items()
    }
    for _ in range(MOST_TRIES):
        if all(booked == ROUNDS for booked in line.heard.values()):
            break
        for table, journal in journals.items():
            line.send(hello_topic("main", table), encode(hello(table)))
            for letter in journal[line.heard[table] : line.heard[table] + 5]:
                line.send(entry_topic("main", table), encode(letter))
    chips = sum(len(entry.seats) for entries in played.values() for entry in entries)
    pot = line.meter.heads["main"].pot
    assert pot.amount_cents + pot.carry == TERMS.base_cents + Fraction(chips * 100 * TERMS.rate_bp, 10_000)
    assert (pot.chips, line.heard) == (chips, dict.fromkeys(TABLES, ROUNDS))
    assert line.desk.tally["garbled"] > 0
