"""Sign-in endpoints: who is signed in at this browser, signing in and signing out."""

from typing import Any

from aiohttp import web
from msgspec import Struct

from common.auth.authenticator import Authenticator, Credentials, SignInRefused
from common.auth.sessions import BrowserSession, Session
from common.web.guard import RequestGuard
from common.web.server import as_json, decoded


class PersonView(Struct, frozen=True):
    """Somebody who is signed in; orders says whether without signing each order anew."""

    name: str
    role: str
    orders: bool


class _SignOut(Struct, forbid_unknown_fields=True):
    name: str


class SignInRoutes:
    """Serves the sign-in of one daemon."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

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
        if isinstance(came, SignInRefused):
            return as_json({"error": came.reason, "where": "pin", "wait_s": came.wait_s}, 403)
        response = as_json(self._whereabouts(came.browser, guard))
        guard.set_cookie(response, came.cookie)
        return response

    async def sign_out(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Ends somebody's session at this browser."""
        browser = guard.require_own_page(request)
        asked = decoded(await request.read(), _SignOut)
        await self._authenticator.sign_out(browser, asked.name)
        return as_json(self._whereabouts(browser, guard))

    def _whereabouts(self, browser: BrowserSession, guard: RequestGuard) -> dict[str, Any]:
        people = self.views(self._authenticator.people(browser))
        return {"token": browser.token, "people": people, "remote": not guard.local}

    def views(self, people: tuple[Session, ...]) -> tuple[PersonView, ...]:
        """Those who are signed in, as pages show them."""
        return tuple(PersonView(one.name, one.role.value, self._authenticator.can_order(one.role)) for one in people)
