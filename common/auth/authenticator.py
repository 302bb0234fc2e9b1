"""Authenticator: checks PINs, applies the lock-out after wrong ones, and notes who signed in."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from msgspec import Struct

from common.auth.lockout import LockOut
from common.auth.pins import Person, Staff, StaffFault
from common.auth.roles import May, Role, Roles
from common.auth.sessions import BrowserSession, Session, Sessions

KEY_HOLDER: Final = "supervisor key"
_LONGEST_NAME: Final = 32

Note: TypeAlias = Callable[[str, str, str], Awaitable[object]]
"""Writes down who did what, and what is to be said of it."""


class SignedIn(Struct, frozen=True):
    """Somebody is in: the browser's new cookie and its session."""

    cookie: str
    browser: BrowserSession


class SignInRefused(Struct, frozen=True):
    """Nobody came in: why, and how long the next attempt must wait."""

    reason: str
    wait_s: int = 0


class Authenticator:
    """Lets people of the staff in, one attempt at a time."""

    def __init__(
        self,
        staff: Staff,
        attempts: LockOut,
        browsers: Sessions,
        *,
        may: May,
        note: Note,
        wall_ms: Callable[[], int],
        key_turned: Callable[[], bool] = lambda: False,
    ) -> None:
        self.staff, self._attempts, self.browsers = staff, attempts, browsers
        self._may, self._note, self._wall_ms, self._key_turned = may, note, wall_ms, key_turned
        self._one_at_a_time = asyncio.Lock()

    async def sign_in(self, cookie: str, name: str, pin: str) -> SignedIn | SignInRefused:
        """Lets somebody in with his PIN."""
        person = await self.vouch(name, pin)
        if isinstance(person, SignInRefused):
            return person
        await self._note(person.name, "signed in", person.role.value)
        return SignedIn(*self.browsers.sign_in(cookie, person.name, person.role))

    async def vouch(self, name: str, pin: str) -> Person | SignInRefused:
        """Who this is, by his PIN; the attempt counts as failed, on disk, before the PIN is looked at."""
        async with self._one_at_a_time:
            wait_s = self._wait_s(name)
            if wait_s:
                return SignInRefused(f"too many wrong PINs: wait {_span(wait_s)}", wait_s)
            try:
                person = await asyncio.to_thread(self._check, name, pin)
            except (StaffFault, OSError) as fault:  # an attempt that cannot be counted is none
                return SignInRefused(str(fault))
        return person or await self._turn_away(name)

    async def sign_out(self, browser: BrowserSession, name: str) -> None:
        """Ends the session of somebody who is signed in at this browser."""
        if any(session.name == name for session in browser.sessions):
            self.browsers.sign_out(name)
            await self._note(name, "signed out", "")

    def names(self) -> tuple[Person, ...]:
        """Everybody who has a PIN; nobody, where the file cannot be read."""
        try:
            return self.staff.everybody()
        except StaffFault:
            return ()

    def people(self, browser: BrowserSession | None, *, local: bool) -> tuple[Session, ...]:
        """Who is in at this browser, the latest last; a turned key is a person only at the machine's own screen."""
        now = self.browsers.now()
        holder = (Session(KEY_HOLDER, Role.SUPERVISOR, now, now),) if local and self._key_turned() else ()
        known = self._known(browser.sessions) if browser is not None and browser.sessions else ()
        return (*holder, *known)

    def roles_for(self, action: str) -> Roles:
        """Who may do this here."""
        return self._may.get(action, frozenset())

    def who_may(self, action: str, browser: BrowserSession | None, *, local: bool) -> Session | None:
        """The latest to come in of those who may do this; asking counts as use."""
        roles = self.roles_for(action)
        session = next((one for one in reversed(self.people(browser, local=local)) if one.role in roles), None)
        if session is not None:
            session.used = self.browsers.now()
        return session

    def _check(self, name: str, pin: str) -> Person | None:
        self._attempts.begin(name, self._wall_ms())
        person = self.staff.check(name, pin)
        if person is not None:
            self._attempts.succeed(name)
        return person

    def _known(self, sessions: tuple[Session, ...]) -> tuple[Session, ...]:
        """Those of them who still have this role: a PIN taken away ends its session at once."""
        roles = {person.name: person.role for person in self.names()}
        now = self.browsers.now()
        return tuple(one for one in sessions if roles.get(one.name) is one.role and one.left_s(now) > 0)

    async def _turn_away(self, name: str) -> SignInRefused:
        heard, wait_s = "".join(filter(str.isprintable, name))[:_LONGEST_NAME], self._wait_s(name)
        locked = f"locked for {_span(wait_s)}" if self._attempts.is_locked(name) else ""
        await self._note(heard, "wrong PIN", locked)
        return SignInRefused(f"name and PIN do not match; wait {_span(wait_s)}", wait_s)

    def _wait_s(self, name: str) -> int:
        return -(-self._attempts.wait_ms(name, self._wall_ms()) // 1000)


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{-(-seconds // 60)} min"
