"""Sign-in endpoints: who is signed in at this browser, signing in and signing out."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from aiohttp import web
from msgspec import Struct

from common.auth.authenticator import Authenticator, Credentials, SignedIn, SignInRefused, Vouched
from common.auth.directory import weakness
from common.auth.sessions import BrowserSession, Session
from common.web.guard import RequestGuard
from common.web.server import as_json, bad, decoded

ChangePin: TypeAlias = Callable[[Vouched, str], Awaitable[str]]
"""Has the meter take somebody's new PIN; returns when it counts here, or says why it does not."""


class PersonView(Struct, frozen=True):
    """Somebody who is signed in; orders says whether without signing each order anew."""

    name: str
    role: str
    orders: bool


class _SignOut(Struct, forbid_unknown_fields=True):
    name: str


class _OwnPin(Struct, frozen=True, forbid_unknown_fields=True):
    signed: Credentials
    pin: str


class SignInRoutes:
    """Serves the sign-in of one daemon."""

    def __init__(self, authenticator: Authenticator, change_pin: ChangePin) -> None:
        self._authenticator, self._change_pin = authenticator, change_pin

    async def session(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Who is here; a browser without a session gets one."""
        browser = guard.browser(request)
        if browser is not None:
            return as_json(self._whereabouts(browser, guard))
        cookie, browser = self._authenticator.browsers.begin(local=guard.local)
        response = as_json(self._whereabouts(browser, guard))
        guard.set_cookie(response, cookie)
        return response

    async def sign_in(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Lets somebody in, or says why not and how long to wait."""
        guard.require_own_page(request)
        shown = decoded(await request.read(), Credentials)
        came = await self._authenticator.sign_in(guard.cookie(request), shown, guard.source(request))
        return _turned_away(came) if isinstance(came, SignInRefused) else self._let_in(came, guard)

    async def own_pin(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Takes a new PIN from somebody who gives the old one, and lets that person in."""
        guard.require_own_page(request)
        asked = decoded(await request.read(), _OwnPin)
        if not guard.local:
            raise bad("a PIN is chosen at the own screen of a table or of the meter", "pin", web.HTTPForbidden)
        came = await self._authenticator.vouch(asked.signed, guard.source(request), may_be_new=True)
        if isinstance(came, SignInRefused):
            return _turned_away(came)
        refusal = weakness(asked.pin) or await self._change_pin(came, asked.pin)
        if refusal:
            return as_json({"error": refusal, "where": "new pin"}, 409)
        return self._let_in(await self._authenticator.admit(guard.cookie(request), came.person), guard)

    async def sign_out(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Ends somebody's session at this browser."""
        browser = guard.require_own_page(request)
        asked = decoded(await request.read(), _SignOut)
        await self._authenticator.sign_out(browser, asked.name)
        return as_json(self._whereabouts(browser, guard))

    def _let_in(self, came: SignedIn, guard: RequestGuard) -> web.Response:
        response = as_json(self._whereabouts(came.browser, guard))
        guard.set_cookie(response, came.cookie)
        return response

    def _whereabouts(self, browser: BrowserSession, guard: RequestGuard) -> dict[str, Any]:
        people = self.views(self._authenticator.people(browser))
        return {"token": browser.token, "people": people, "remote": not guard.local}

    def views(self, people: tuple[Session, ...]) -> tuple[PersonView, ...]:
        """Those who are signed in, as pages show them."""
        return tuple(PersonView(one.name, one.role.value, self._authenticator.can_order(one.role)) for one in people)


def _turned_away(refused: SignInRefused) -> web.Response:
    told = {"error": refused.reason, "where": "pin", "wait_s": refused.wait_s, "must_change": refused.must_change}
    return as_json(told, 403)
