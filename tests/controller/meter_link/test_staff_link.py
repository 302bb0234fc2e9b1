"""What a table says of wrong PINs, and to whom while the link is lost."""

import io
from pathlib import Path

from common.log import open_log
from controller.meter_link.staff_copy import StaffCopy
from controller.meter_link.staff_link import ALARM_EVERY_MS, StaffLink
from drivers.mqtt.client import Message
from link import topics
from link.messages import TableAlarm, decode
from tests.support.meter.staff_pins import STAFF_KEY


class Wire:
    """A pipe that keeps what it was given."""

    def __init__(self) -> None:
        self.alarms: list[TableAlarm] = []

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        assert (topic, retain, qos) == (topics.alarm_topic("main", "T1"), False, 1)
        self.alarms.append(decode(payload, TableAlarm))


async def test_wrong_pins_reach_the_floor_at_most_once_in_ten_seconds_and_none_is_lost(tmp_path: Path) -> None:
    """A flood of tries is a few messages; what happened while the link was lost is told when the meter speaks."""
    now_ms = [1_800_000_000_000]
    copy = StaffCopy(tmp_path, STAFF_KEY)
    log = open_log(io.StringIO())
    link = StaffLink(copy, link="main", table="T1", journal="j", wall_ms=lambda: now_ms[0], log=log)
    beat, wire = Message(topics.state_topic("main"), b"{}"), Wire()
    link._mqtt = wire
    link.warn("wrong PIN of Dan at the own screen")
    link.heard(beat)
    link.went_up()
    for number in range(500):
        link.warn(f"wrong PIN of Sue from 192.0.2.{number % 250}")
        link.heard(beat)
    assert [(each.words, each.tries) for each in wire.alarms] == [("wrong PIN of Dan at the own screen", 1)]
    link.went_down("cut")
    now_ms[0] += ALARM_EVERY_MS
    link.warn("wrong PIN of Ann at the own screen")
    assert len(wire.alarms) == 1
    link.heard(beat)
    assert [(each.words, each.tries) for each in wire.alarms[1:]] == [("wrong PIN of Ann at the own screen", 501)]
    link.heard(beat)
    assert len(wire.alarms) == 2
