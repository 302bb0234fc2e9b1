"""Staff orders: the control interface's way to list and change the staff directory."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web
from msgspec import Struct
from pyotp.totp import TOTP

from common.auth.authenticator import Authenticator, SignInRefused
from common.auth.directory import DirectoryFault, Person
from common.web.server import as_json, decoded
from meter.staff.book import KeptSecret, StaffBook
from meter.staff.changes import Asked, EnrolTotp, LockPerson, OwnPin, StaffChange
from meter.staff.keeper import StaffKeeper
from meter.store.audit_log import StaffChanged
from meter.web.permissions import Pair, proven_change

WriteDown: TypeAlias = Callable[[StaffChanged], Awaitable[None]]


class StaffOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A change as a program brings it, with the numbers and PINs of two persons; of one for his own PIN."""

    change: Asked
    by: str = ""
    and_by: str = ""
    pins: Pair | None = None


class StaffReply(Struct, frozen=True):
    """What became of a change; told is for the person concerned only: the address that an app makes codes from."""

    taken: bool
    reason: str = ""
    directory: int = 0
    told: str = ""


class StaffEntry(Struct, frozen=True):
    """Somebody as managers see him."""

    number: str
    name: str
    role: str
    expires_on: str
    must_change: bool
    locked: bool
    has_badge: bool
    has_totp: bool


class StaffOrders:
    """Changes the directory of a meter that runs, one change at a time."""

    def __init__(self, staff: StaffKeeper, authenticator: Authenticator, write_down: WriteDown) -> None:
        self._staff, self._authenticator, self._write_down = staff, authenticator, write_down
        self._one_at_a_time = asyncio.Lock()
        self._watchers: list[Callable[[], None]] = []

    def watch(self, heard: Callable[[], None]) -> None:
        """Calls this after every change."""
        self._watchers.append(heard)

    def routes(self) -> list[web.RouteDef]:
        """Those of the control interface."""
        return [web.get("/api/staff", self._list), web.post("/api/staff", self._take)]

    async def lock(self, number: str) -> None:
        """The meter itself locks somebody after long disuse."""
        async with self._one_at_a_time:
            await self._carry_out(LockPerson(number), ("the meter", ""))

    async def own_pin(self, number: str, pin: str) -> str:
        """Somebody who gave the old PIN gets this one; says why not, or nothing when it is on disk."""
        async with self._one_at_a_time:
            try:
                person = self._staff.directory().person(number)
                await self._carry_out(OwnPin(number, pin), (person.name if person else number, ""))
            except DirectoryFault as fault:
                return str(fault)
        return ""

    async def _list(self, _request: web.Request) -> web.Response:
        try:
            return as_json({"people": entries(self._staff.book())})
        except DirectoryFault as fault:
            return as_json({"error": str(fault), "where": "staff"}, 409)

    async def _take(self, request: web.Request) -> web.Response:
        order = decoded(await request.read(), StaffOrder)
        async with self._one_at_a_time:
            names = await proven_change(self._authenticator, order.change, (order.by, order.and_by), order.pins)
            if isinstance(names, SignInRefused):
                return as_json(StaffReply(taken=False, reason=names.reason), 409)
            try:
                line = await self._carry_out(order.change, names)
            except DirectoryFault as fault:
                return as_json(StaffReply(taken=False, reason=str(fault)), 409)
        return as_json(reply(self._staff, order.change, line))

    async def _carry_out(self, change: StaffChange, names: Pair) -> StaffChanged:
        line = await asyncio.to_thread(self._staff.stage, change, *names)
        await self._write_down(line)
        self._staff.finish(line)
        for heard in self._watchers:
            heard()
        return line


def reply(staff: StaffKeeper, change: Asked, line: StaffChanged) -> StaffReply:
    """The answer to a change that is on disk."""
    return StaffReply(taken=True, reason=line.what, directory=line.directory, told=_told(staff.book(), change))


def entries(book: StaffBook) -> tuple[StaffEntry, ...]:
    """Everybody, by number."""
    return tuple(_entry(person, book.secrets.get(person.number)) for person in book.directory.people)


def _entry(person: Person, kept: KeptSecret | None) -> StaffEntry:
    return StaffEntry(
        number=person.number,
        name=person.name,
        role=person.role.value,
        expires_on=person.expires_on,
        must_change=person.must_change,
        locked=person.locked,
        has_badge=bool(person.badge),
        has_totp=bool(kept and kept.totp),
    )


def _told(book: StaffBook, change: Asked) -> str:
    person = book.directory.person(change.number) if isinstance(change, EnrolTotp) else None
    if person is None:
        return ""
    return TOTP(book.secrets[person.number].totp).provisioning_uri(name=person.name, issuer_name="Pitlink")
