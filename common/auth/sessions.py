"""Browser sessions and who is signed in at each; kept in memory only."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from common.auth.roles import Role

MINUTE: Final = 60.0
_MOST_OF_NOBODY: Final = 64


class Stay(Struct, frozen=True):
    """How long a session lasts in idleness, and at most."""

    idle_s: float
    longest_s: float


STAYS: Final[Mapping[Role, Stay]] = {
    Role.DEALER: Stay(30 * MINUTE, 4 * 60 * MINUTE),
    Role.SUPERVISOR: Stay(2 * MINUTE, 10 * MINUTE),
    Role.TECHNICIAN: Stay(10 * MINUTE, 60 * MINUTE),
    Role.ACCOUNTING: Stay(5 * MINUTE, 30 * MINUTE),
}


class Session(Struct):
    """Somebody who is signed in."""

    name: str
    role: Role
    since: float
    used: float
    number: str = ""

    def left_s(self, now: float) -> float:
        """How long it still lasts if nothing is touched."""
        stay = STAYS[self.role]
        return min(self.used + stay.idle_s, self.since + stay.longest_s) - now


class BrowserSession(Struct):
    """One browser, here or elsewhere: the secret its pages show with every order, its sessions, the latest last."""

    token: str
    local: bool
    sessions: tuple[Session, ...] = ()

    def is_token(self, shown: str) -> bool:
        """Whether a request shows this session's secret."""
        return hmac.compare_digest(self.token.encode(), shown.encode())


class Sessions:
    """All browsers of one daemon, by the cookie they show."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self._browsers: OrderedDict[str, BrowserSession] = OrderedDict()

    def find(self, cookie: str) -> BrowserSession | None:
        """The browser session of this cookie."""
        if cookie in self._browsers:
            self._browsers.move_to_end(cookie)
        return self._browsers.get(cookie)

    def begin(self, *, local: bool) -> tuple[str, BrowserSession]:
        """A new browser session without a person, and its cookie; the longest unused of these makes room."""
        cookie, browser = secrets.token_urlsafe(32), BrowserSession(secrets.token_urlsafe(32), local)
        self._browsers[cookie] = browser
        for old in self._of_nobody(local=local)[:-_MOST_OF_NOBODY]:
            del self._browsers[old]
        return cookie, browser

    def sign_in(self, cookie: str, name: str, role: Role, number: str = "") -> tuple[str, BrowserSession]:
        """Somebody signs in: under a new cookie, and out of every other place where he was."""
        self.sign_out(name)
        old = self._browsers.pop(cookie, None)
        new_cookie, browser = self.begin(local=old is not None and old.local)
        others = tuple(
            one for one in (old.sessions if old else ()) if one.role is not role and one.left_s(self.now()) > 0
        )
        browser.sessions = (*others, Session(name, role, self.now(), self.now(), number))
        return new_cookie, browser

    def sign_out(self, name: str) -> None:
        """Ends this person's session, wherever it is."""
        for browser in self._browsers.values():
            browser.sessions = tuple(session for session in browser.sessions if session.name != name)

    def _of_nobody(self, *, local: bool) -> list[str]:
        """Where nobody is signed in: only these can be too many, for a person is signed in at one place."""
        now = self.now()
        return [
            cookie
            for cookie, browser in self._browsers.items()
            if browser.local is local and all(session.left_s(now) <= 0 for session in browser.sessions)
        ]
