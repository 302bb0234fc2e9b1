"""Authenticator: checks PINs, applies the lock-out after wrong ones, and notes who signed in."""

import asyncio
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from common.auth.directory import Directory, DirectoryFault, Person
from common.auth.lockout import OWN_SCREEN, LockOut
from common.auth.roles import May, Role, Roles
from common.auth.sessions import BrowserSession, Session, Sessions

ALARM_AFTER: Final = 3
"""Wrong PINs of one person in a row at the own screen until somebody is told; over the network each one is told."""
_UNKNOWN: Final = "somebody unknown"
_NOBODY: Final = Person("", "", Role.DEALER, "00" * 16, "")
"""Has no PIN that fits; a number that nobody has takes as long to check as a wrong PIN."""
_UNKNOWN_EVERY_S: Final = 60
"""Tries of people who are not known are written down together: nobody fills a disk with them."""

LOOKING: Final = "see "
"""How actions begin that change nothing."""
Note: TypeAlias = Callable[[str, str, str], Awaitable[object]]
"""Writes down who did what, and what is to be said of it."""


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person shows: a staff number or a badge, the PIN and, over the network, the code of an app."""

    pin: str
    number: str = ""
    badge: str = ""
    code: str = ""

    @property
    def is_pin_only(self) -> bool:
        """Whether somebody who is signed in gives only the PIN."""
        return not self.number and not self.badge


class Vouched(Struct, frozen=True):
    """Somebody by his PIN, and the secret that proves it to the meter: for this one order, never to be kept."""

    person: Person
    secret: bytes


class SignedIn(Struct, frozen=True):
    """Somebody is in: the browser's new cookie and its session."""

    cookie: str
    browser: BrowserSession


class SignInRefused(Struct, frozen=True):
    """Nobody came in: why, how long the next attempt must wait, and whether only a PIN of one's own is missing."""

    reason: str
    wait_s: int = 0
    must_change: bool = False


class CodeCheck(Protocol):
    """Whoever knows the codes that people's apps show."""

    def bar(self) -> str:
        """Why nobody can sign in over the network now, or nothing."""
        ...

    async def is_right(self, who: Vouched, code: str) -> bool:
        """Whether this is the code that this person's app shows now."""
        ...


class Authenticator:
    """Lets people of the staff in, one attempt at a time."""

    def __init__(
        self,
        staff: Callable[[], Directory],
        attempts: LockOut,
        browsers: Sessions,
        *,
        may: May,
        note: Note,
        orders: Roles = frozenset(Role),
        alarm: Callable[[str], None] = lambda _words: None,
        check_code: CodeCheck | None = None,
        is_patient: bool = False,
        used: Callable[[Vouched], None] = lambda _who: None,
    ) -> None:
        self.staff, self._attempts, self.browsers = staff, attempts, browsers
        self._may, self._orders, self._note, self._alarm = may, orders, note, alarm
        self._check_code, self._is_patient, self._used = check_code, is_patient, used
        self._lanes: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._unknown_tries, self._unknown_noted = 0, -math.inf

    async def sign_in(self, cookie: str, shown: Credentials, source: str = OWN_SCREEN) -> SignedIn | SignInRefused:
        """Lets somebody in with staff number or badge, and PIN."""
        came = await self.vouch(shown, source)
        if isinstance(came, SignInRefused):
            return came
        return await self.admit(cookie, came.person)

    async def admit(self, cookie: str, person: Person) -> SignedIn:
        """Lets in somebody who has just been vouched for."""
        await self._note(person.name, "signed in", person.role.value)
        return SignedIn(*self.browsers.sign_in(cookie, person.name, person.role, person.number))

    async def vouch(
        self, shown: Credentials, source: str = OWN_SCREEN, *, stops: bool = False, may_be_new: bool = False
    ) -> Vouched | SignInRefused:
        """Who this is, by his PIN; the try counts as wrong, on disk, before the PIN is looked at.

        A try that must wait is refused; one that stops something is only delayed, and so is that of a command.
        With may_be_new somebody comes in who must choose a PIN of his own first.
        """
        if source != OWN_SCREEN and self._check_code is not None and (closed := self._check_code.bar()):
            return SignInRefused(closed)
        try:
            directory = self.staff()
            who = (directory.holder(shown.badge) if shown.badge else directory.person(shown.number)) or _NOBODY
            async with self._lane(who.number, source, stops=stops):
                wait_s = self._attempts.wait_s(who.number, source, stops=stops)
                if wait_s and not (stops or self._is_patient):
                    return SignInRefused(f"too many wrong PINs: wait {_span(wait_s)}", wait_s)
                await asyncio.sleep(wait_s)
                found = await self._check(who, shown, source, stops=stops)
        except (DirectoryFault, OSError) as fault:  # a try that cannot be counted is none
            return SignInRefused(str(fault))
        if found is None:
            return await self._turn_away(who, source, stops=stops)
        bar, other_bar = who.bar(today()), replace(who, must_change=False).bar(today())
        if other_bar if may_be_new else bar:
            return SignInRefused(bar, must_change=not other_bar)
        self._used(found)
        return found

    async def sign_out(self, browser: BrowserSession, name: str) -> None:
        """Ends the session of somebody who is signed in at this browser."""
        if any(session.name == name for session in browser.sessions):
            self.browsers.sign_out(name)
            await self._note(name, "signed out", "")

    def people(self, browser: BrowserSession | None) -> tuple[Session, ...]:
        """Who is in at this browser, the latest last."""
        return self._known(browser.sessions) if browser is not None and browser.sessions else ()

    def roles_for(self, action: str) -> Roles:
        """Who may do this here."""
        return self._may.get(action, frozenset())

    def can_order(self, role: Role) -> bool:
        """Whether a session of this role gives orders; others only look, and sign each order with number and PIN."""
        return role in self._orders

    def who_may(self, action: str, browser: BrowserSession | None) -> Session | None:
        """The latest to come in of those who may do this; asking counts as use."""
        roles = self.roles_for(action) if action.startswith(LOOKING) else self.roles_for(action) & self._orders
        session = next((one for one in reversed(self.people(browser)) if one.role in roles), None)
        if session is not None:
            session.used = self.browsers.now()
        return session

    def _lane(self, number: str, source: str, *, stops: bool) -> asyncio.Lock:
        """Tries of one lane come one by one: strangers in the network hold up neither the own screen nor a stop."""
        place = "own" if source == OWN_SCREEN else "remote"
        return self._lanes[f"stop {place} {number}" if stops else place]

    async def _check(self, who: Person, shown: Credentials, source: str, *, stops: bool) -> Vouched | None:
        """The person, where the PIN and over the network also the code are right; nothing says which one was wrong."""
        await asyncio.to_thread(self._attempts.begin, who.number, source, stops=stops)
        secret = await asyncio.to_thread(who.secret, shown.pin)
        if secret is None:
            return None
        came = Vouched(who, secret)
        if (
            source != OWN_SCREEN
            and self._check_code is not None
            and not await self._check_code.is_right(came, shown.code)
        ):
            return None
        await asyncio.to_thread(self._attempts.succeed, who.number, source, stops=stops)
        return came

    def _known(self, sessions: tuple[Session, ...]) -> tuple[Session, ...]:
        """Those of them who still have this role: whoever is removed from the directory is out at once."""
        try:
            people, day = self.staff().people, today()
            roles = {person.name: person.role for person in people if not person.bar(day)}
        except (DirectoryFault, OSError):
            return ()
        now = self.browsers.now()
        return tuple(one for one in sessions if roles.get(one.name) is one.role and one.left_s(now) > 0)

    async def _turn_away(self, who: Person, source: str, *, stops: bool) -> SignInRefused:
        wait_s = self._attempts.wait_s(who.number, source, stops=stops)
        place = "at the own screen" if source == OWN_SCREEN else f"from {source}"
        if source != OWN_SCREEN or self._attempts.count(who.number, source, stops=stops) >= ALARM_AFTER:
            self._alarm(f"wrong PIN of {who.name or _UNKNOWN} {place}")
        if who.number:
            await self._note(who.name, "wrong PIN", f"{place}, next try in {_span(wait_s)}")
        else:
            await self._note_unknown(place)
        what = "number and PIN" if source == OWN_SCREEN or self._check_code is None else "number, PIN and code"
        return SignInRefused(f"{what} do not match; wait {_span(wait_s)}", wait_s)

    async def _note_unknown(self, place: str) -> None:
        self._unknown_tries += 1
        if self.browsers.now() - self._unknown_noted >= _UNKNOWN_EVERY_S:
            tries, self._unknown_tries, self._unknown_noted = self._unknown_tries, 0, self.browsers.now()
            await self._note(_UNKNOWN, "wrong PIN", f"{place}, tries since the last note: {tries}")


def today() -> date:
    """The day here, by which persons expire."""
    return datetime.now().astimezone().date()


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{-(-seconds // 60)} min"
