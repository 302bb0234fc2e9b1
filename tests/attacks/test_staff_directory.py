"""Attacks on the staff directory: by one manager, a dealer, a stolen table certificate, and whoever spoils files."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common.auth.directory import DirectoryFault, open_directory
from common.web.server import loopback_application
from controller.meter_link.staff_copy import StaffCopy
from link import access, topics
from meter.staff.keeper import STAFF_FILE
from meter.store.audit_log import STAFF, StaffChanged, read_note
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.staff_pins import (
    ANN,
    DAN,
    SALT,
    SAM,
    STAFF_KEY,
    SUE,
    TIM,
    Login,
    give_copy,
    give_staff,
    sealed,
    staff_book,
)

EVE = {"type": "AddPerson", "number": "6666", "name": "Eve", "role": "supervisor", "pin": "930571"}


class Programs:
    """A program at the meter's control interface."""

    def __init__(self, bench: FloorBench, client: "TestClient[Any, Any]") -> None:
        self.bench, self._client = bench, client

    async def order(self, change: dict[str, Any], *by: Login, **other: Any) -> tuple[int, str]:
        """What the meter answers to a change in the name of these two."""
        first, second = by
        body = {"change": change, "by": first.number, "and_by": second.number, "pins": [first.pin, second.pin]}
        async with self._client.post("/api/staff", json=body | other) as answer:
            found = await answer.json()
            return answer.status, found.get("reason", "")

    def lines(self) -> list[StaffChanged]:
        """What the floor's book says of changes, oldest first."""
        notes = [read_note(line).said for line in reversed(self.bench.store.last_lines(STAFF, "", 100))]
        return [said for said in notes if isinstance(said, StaffChanged)]


@pytest.fixture
async def programs(tmp_path: Path) -> AsyncIterator[Programs]:
    async with FloorBench(tmp_path).running() as bench:
        app = loopback_application(bench.web_server.staff_orders.routes())
        async with TestClient(TestServer(app)) as client:
            yield Programs(bench, client)


@pytest.mark.parametrize(
    ("by", "other", "words"),
    [
        ((SUE, SUE), {}, "two different persons"),
        ((SUE, DAN), {}, "Dan may not"),
        ((SUE, TIM), {}, "Tim may not"),
        ((SUE, ANN), {"pins": None}, "both persons must give theirs"),
        ((SUE, ANN), {"pins": [SUE.pin, "000000"]}, "do not match"),
        ((SUE, ANN), {"by": "Sue", "and_by": "Ann"}, "do not match"),
        ((SUE, ANN), {"by": "Zoe", "and_by": "Max", "pins": ["", ""]}, "do not match"),
    ],
)
async def test_nobody_alone_adds_an_accomplice(
    programs: Programs, by: tuple[Login, Login], other: dict[str, Any], words: str
) -> None:
    """One manager, a dealer, a technician, names without PINs: the directory and the book stay as they are."""
    status, reason = await programs.order(EVE, *by, **other)
    assert (status, words in reason) == (409, True), reason
    assert programs.bench.staff.directory().number == 1
    assert programs.lines() == []


@pytest.mark.parametrize(
    "change",
    [
        {"type": "ChangePerson", "number": ANN.number, "role": "supervisor"},
        {"type": "ChangePerson", "number": SUE.number, "expires_on": ""},
        {"type": "EnrolTotp", "number": SUE.number},
        {"type": "UnlockPerson", "number": ANN.number},
        {"type": "RemovePerson", "number": ANN.number},
    ],
)
async def test_nobody_helps_to_change_the_own_entry(programs: Programs, change: dict[str, Any]) -> None:
    """Two others must."""
    status, reason = await programs.order(change, SUE, ANN)
    assert (status, "nobody changes the own entry" in reason) == (409, True)


async def test_the_directory_is_begun_once(programs: Programs) -> None:
    """Whoever has a shell at the meter cannot begin another one."""
    first = {"type": "FirstPersons", "people": [EVE, EVE | {"number": "6667", "name": "Ivo"}]}
    status, reason = await programs.order(first, SUE, ANN)
    assert (status, "begun already" in reason) == (409, True)
    assert programs.bench.staff.directory().number == 1


async def test_finding_7_every_change_leaves_a_sealed_line_with_both_names(programs: Programs) -> None:
    """Added, changed, removed, and a PIN of one's own."""
    assert (await programs.order(EVE, SUE, ANN))[0] == 200
    assert (await programs.order({"type": "ChangePerson", "number": "6666", "role": "dealer"}, SUE, SAM))[0] == 200
    own = {"type": "OwnPin", "number": "6666", "pin": "318207"}
    assert (await programs.order(own, SUE, ANN, pins=["930571", ""]))[0] == 200
    assert (await programs.order({"type": "RemovePerson", "number": "6666"}, SAM, ANN))[0] == 200
    assert [(line.by, line.and_by, line.what, line.directory) for line in programs.lines()] == [
        ("Sue", "Ann", "added Eve (number 6666), supervisor", 2),
        ("Sue", "Sam", "changed Eve (number 6666): role dealer", 3),
        ("Eve", "", "changed the PIN of Eve (number 6666)", 4),
        ("Sam", "Ann", "removed Eve (number 6666)", 5),
    ]
    assert all("930571" not in line.what and "318207" not in line.what for line in programs.lines())


async def test_finding_6_a_directory_that_is_spoilt_while_the_meter_runs_closes_at_once(programs: Programs) -> None:
    """Nobody signs, nobody begins anew, and there is no way around it by names."""
    assert (await programs.order(EVE, SUE, ANN))[0] == 200
    (programs.bench.staff.folder / STAFF_FILE).unlink()
    for order in (EVE | {"number": "6668", "name": "Ivo"}, {"type": "RemovePerson", "number": SAM.number}):
        status, reason = await programs.order(order, SUE, ANN)
        assert (status, "restore the file" in reason) == (409, True)


async def test_an_older_file_brings_nobody_back(programs: Programs) -> None:
    """Yesterday's file is put in place of today's: it is not what the ledger names."""
    file = programs.bench.staff.folder / STAFF_FILE
    before = file.read_bytes()
    assert (await programs.order({"type": "RemovePerson", "number": DAN.number}, SUE, ANN))[0] == 200
    file.write_bytes(before)
    status, reason = await programs.order(EVE, SUE, ANN)
    assert (status, "the ledger knows of number 2" in reason) == (409, True)


def test_a_stolen_table_certificate_cannot_publish_a_directory() -> None:
    """The access list gives the topic to the meter alone, and observers do not even read it."""
    staff = topics.staff_topic("main")
    assert staff not in access.table_access("main", "T1").writes
    assert staff in access.meter_access("main").writes
    observer = access.observer_access("main").reads
    assert not {staff, topics.sign_in_topic("main", "+"), topics.sign_in_answer_topic("main", "+")} & set(observer)


def test_a_directory_of_a_thiefs_own_lets_nobody_in(tmp_path: Path) -> None:
    """Written to the board's disk, or sent by a broker that he runs."""
    give_copy(tmp_path, SUE, ANN, number=3)
    copy = StaffCopy(tmp_path, STAFF_KEY)
    thiefs = Ed25519PrivateKey.generate()
    forged = sealed(staff_book(DAN, number=9).directory, thiefs)
    assert "not sealed by the meter" in copy.take(forged)
    assert "it is not taken" in copy.take(sealed(staff_book(DAN, number=2).directory))
    assert [person.name for person in copy.directory().people] == ["Sue", "Ann"]


def test_a_stolen_table_certificate_reads_no_salt_no_check_and_no_name(tmp_path: Path) -> None:
    """What the broker keeps, and what a board has on disk, is sealed: there is nothing to guess PINs against."""
    (tmp_path / "meter").mkdir()
    keeper = give_staff(tmp_path / "meter")
    give_copy(tmp_path)
    for what in (keeper.sealed(), (tmp_path / "staff.json").read_bytes()):
        assert open_directory(what, STAFF_KEY).people
        for words in ("salt", "check", "Sue", SALT, staff_book(number=0).directory.people[0].check):
            assert words.encode() not in what
        public_half_only = STAFF_KEY[:64] + "00" * 32
        with pytest.raises(DirectoryFault, match="compare staff_key"):
            open_directory(what, public_half_only)
