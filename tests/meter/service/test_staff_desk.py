"""What links publish of the staff directory, its alarms, and who is locked after long disuse."""

import asyncio
from pathlib import Path

import msgspec

from common.auth.directory import open_directory
from common.auth.proof import OWN_PIN, ProvedOrder, prove, seal_pin
from drivers.mqtt.client import Message
from link.messages import VERSION, SignInAnswer, SignInAsked, TableAlarm, decode, encode
from link.topics import alarm_topic, sign_in_answer_topic, sign_in_topic, staff_topic
from meter.service.staff_desk import StaffDesk
from meter.staff.keeper import STAFF_FILE
from meter.staff.sign_in_check import USE_FILE
from meter.store.audit_log import STAFF, StaffChanged, read_note
from tests.support.meter.floor_bench import FloorBench, SilentPipe
from tests.support.meter.staff_pins import DAN, STAFF_KEY, SUE, set_by_others


class Shelf(SilentPipe):
    """A post office that keeps what it was given."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, bool]] = []
        self.news = asyncio.Event()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        del qos
        self.sent.append((topic, payload, retain))
        self.news.set()


def desk_of(bench: FloorBench) -> StaffDesk:
    return StaffDesk(bench.staff, bench.check, bench.watch)


async def test_every_connection_and_every_change_publishes_the_directory_retained(tmp_path: Path) -> None:
    """Sealed and signed, on the topic of each link."""
    async with FloorBench(tmp_path).running() as bench:
        shelf, desk = Shelf(), bench.desks["main"]
        desk._post, desk._staff = shelf, desk_of(bench)
        desk.went_up()
        for _ in range(2):
            [sent] = [payload for topic, payload, is_kept in shelf.sent if topic == staff_topic("main") and is_kept]
            assert open_directory(sent, STAFF_KEY) == bench.staff.directory()
            shelf.sent.clear()
            await bench.web_server.staff_orders.lock(DAN.number)


async def test_a_damaged_directory_raises_an_alarm_and_is_not_published(tmp_path: Path) -> None:
    """Tables keep the copy that they have; a mended file ends the alarm's cause."""
    async with FloorBench(tmp_path).running() as bench:
        staff, file = desk_of(bench), tmp_path / STAFF_FILE
        sound = file.read_bytes()
        file.write_text("[{")
        assert staff.sealed() is None
        [alarm] = [each for each in bench.watch.open_alarms if each.alarm.kind == "staff directory"]
        assert "cannot be read" in alarm.alarm.words
        file.write_bytes(sound)
        assert staff.sealed() is not None
        assert not next(each for each in bench.watch.open_alarms if each.alarm.kind == "staff directory").stands


async def test_the_meter_locks_whoever_was_not_seen_for_long(tmp_path: Path) -> None:
    """In the book it is the meter that did it; everybody else stays as he is."""
    async with FloorBench(tmp_path).running() as bench:
        staff = desk_of(bench)
        bench.check.unused(bench.staff.directory(), 90)
        uses = msgspec.json.decode((tmp_path / USE_FILE).read_bytes())
        bench.check._uses[DAN.number] = msgspec.structs.replace(bench.check._uses[DAN.number], day="2020-01-01")
        assert set(uses) == {person.number for person in bench.staff.directory().people}
        locked = asyncio.Event()
        bench.web_server.staff_orders.watch(locked.set)
        watching = asyncio.create_task(staff.run(bench.web_server.staff_orders.lock, 90))
        async with asyncio.timeout(10):
            await locked.wait()
        watching.cancel()
        await asyncio.wait([watching])
        said = read_note(bench.store.last_lines(STAFF, "", 1)[0]).said
        assert isinstance(said, StaffChanged)
        assert (said.by, said.what) == ("the meter", "locked Dan (number 1001) after long disuse")
        assert [person.name for person in bench.staff.directory().people if person.locked] == ["Dan"]


async def test_a_table_that_has_joined_is_answered_and_no_other(tmp_path: Path) -> None:
    """The journal of the Hello is what the proof must cover."""
    async with FloorBench(tmp_path).running() as bench:
        shelf, desk = Shelf(), bench.desks["main"]
        desk._post, desk._staff = shelf, desk_of(bench)
        person = bench.staff.secret_of(SUE.number)
        assert person is not None
        proof = prove(SUE.number, person.secret, ProvedOrder("sign in", "main", "T1", "journal-T1"))
        asked = SignInAsked(VERSION, "T1", "n", SUE.number, proof, "123456")
        desk.heard(Message(sign_in_topic("main", "T1"), encode(asked)))
        assert shelf.sent == [], "it has not joined"
        await bench.join("T1")
        shelf.sent.clear()
        desk.heard(Message(sign_in_topic("main", "T2"), encode(asked)))
        assert shelf.sent == [], "another table's topic"
        desk.heard(Message(sign_in_topic("main", "T1"), encode(asked)))
        [(topic, payload, retained)] = shelf.sent
        assert (topic, retained) == (sign_in_answer_topic("main", "T1"), False)
        assert "no TOTP secret" in decode(payload, SignInAnswer).refusal


async def test_a_tables_wrong_pins_are_one_alarm_of_the_floor_however_many(tmp_path: Path) -> None:
    """A stolen certificate that sends thousands fills neither the page nor the book; after a look it is news again."""
    async with FloorBench(tmp_path).running() as bench:
        await bench.join("T1")
        desk = bench.desks["main"]
        for number in range(1_000):
            told = TableAlarm(VERSION, "T1", f"wrong PIN of Sue from 192.0.2.{number % 250}", 3)
            desk.heard(Message(alarm_topic("main", "T1"), encode(told)))
            desk.heard(Message(alarm_topic("main", "T2"), encode(told)))
        [shown] = [each for each in bench.watch.open_alarms if each.alarm.kind == "wrong PIN"]
        assert (shown.alarm.link, shown.alarm.table, shown.times) == ("main", "T1", 1_000)
        assert "wrong PIN of Sue from 192.0.2.249 (tries since the last alarm: 3)" in shown.latest_words
        assert await bench.watch.acknowledge(shown.number, "Sue")
        desk.heard(Message(alarm_topic("main", "T1"), encode(told)))
        assert [each.times for each in bench.watch.open_alarms if each.alarm.kind == "wrong PIN"] == [1]


async def test_a_pin_chosen_at_a_table_is_answered_when_it_is_on_disk(tmp_path: Path) -> None:
    """By the secret of the old one; the directory and the book have it before the table hears so."""
    async with FloorBench(tmp_path).running() as bench:
        await bench.join("T1")
        shelf, desk, staff = Shelf(), bench.desks["main"], desk_of(bench)
        desk._post, desk._staff = shelf, staff
        set_by_others(bench.staff, SUE)
        order = ProvedOrder("sign in", "main", "T1", "journal-T1")
        sealed = seal_pin("318207", SUE.secret, msgspec.structs.replace(order, act=OWN_PIN))
        asked = SignInAsked(VERSION, "T1", "n", SUE.number, prove(SUE.number, SUE.secret, order), new_pin=sealed)
        answers = asyncio.create_task(staff.take_pins(bench.web_server.staff_orders.own_pin))
        desk.heard(Message(sign_in_topic("main", "T1"), encode(asked)))
        async with asyncio.timeout(10):
            while not (said := [each[1] for each in shelf.sent if each[0] == sign_in_answer_topic("main", "T1")]):
                shelf.news.clear()
                await shelf.news.wait()
        answers.cancel()
        await asyncio.wait([answers])
        assert decode(said[0], SignInAnswer).refusal == ""
        sue = bench.staff.directory().person(SUE.number)
        assert sue is not None
        assert (sue.secret("318207") is not None, sue.must_change) == (True, False)
