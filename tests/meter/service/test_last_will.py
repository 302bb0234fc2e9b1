"""R63: what the broker says for a dead meter never takes the place of its own word that nobody may play."""

import pytest
import structlog
from msgspec.structs import replace

from drivers.mqtt.client import Outgoing
from link.messages import Gone, State, decode
from link.topics import state_topic
from meter.booking.results import BookingReport
from meter.ledger.link_state import Head
from meter.service.link_desk import LinkDesk
from meter.service.state import last_will
from tests.support.meter.meter_bench import NOW_MS, MeterBench, link


class Notary:
    """A pipe that remembers what was said and bequeathed, in its order."""

    oversized = 0

    def __init__(self) -> None:
        self.said: list[State | Outgoing] = []

    def flush(self) -> None: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        assert (topic, retain, qos) == (state_topic("main"), True, 0)
        self.said.append(decode(payload, State))

    def bequeath(self, will: Outgoing) -> None:
        self.said.append(will)


def standings() -> dict[str, Head]:
    """An open link, one that was stopped, and one that was closed after that."""
    head = MeterBench().heads["main"]
    stopped = replace(head, stopped="reviewed")
    return {"open": head, "stopped": stopped, "closed": replace(stopped, closed=True)}


@pytest.mark.parametrize("standing", ["open", "stopped", "closed"])
def test_r63_a_will_is_kept_only_while_the_link_is_open(standing: str) -> None:
    """The same words to whoever listens; a stop that the broker has in store stays there."""
    will = last_will("main", standings()[standing])
    assert (will.topic, will.qos, will.retain) == (state_topic("main"), 1, standing == "open")
    assert decode(will.payload, Gone) == Gone(1, "main")
    assert not decode(will.payload, State).forbids_play


def test_r63_a_stop_is_said_before_the_will_changes_and_so_is_its_end() -> None:
    """Whoever dies in between has said it, and the will of an open link comes back with it."""
    mqtt, heads, log = Notary(), standings(), structlog.get_logger()
    desk = LinkDesk(link(), heads["open"], post=mqtt, submit=lambda _: None, wall_ms=lambda: NOW_MS, log=log)
    for number, standing in enumerate(("stopped", "open", "stopped", "closed"), start=heads["open"].number + 1):
        head = replace(heads[standing], number=number)
        desk.took(BookingReport(head, (), ()))
        desk.went_up()
        state, will = mqtt.said[-2:]
        assert isinstance(state, State)
        assert isinstance(will, Outgoing)
        assert (state.number, state.forbids_play, will.retain) == (number, standing != "open", standing == "open")
