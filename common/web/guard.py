"""Request guard: security headers, origins, cookies, and the CSRF token of every order."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from aiohttp import web

from common.auth.authenticator import Authenticator
from common.auth.lockout import OWN_SCREEN, source_of
from common.auth.sessions import BrowserSession, Session
from common.web.server import Handler, bad

TOKEN: Final = "X-Pitlink-Token"  # noqa: S105  the name of a header
CLIENT: Final = "X-Pitlink-Client"
"""The client's address, in what the process of network pages relays."""
_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
_ONE_YEAR: Final = 31_536_000
GuardedHandler: TypeAlias = Callable[[web.Request, "RequestGuard"], Awaitable[web.StreamResponse]]


class RequestGuard:
    """The guard of one site: local is the machine's own screen, the other one is reached over TLS."""

    def __init__(self, authenticator: Authenticator, *, local: bool, cookie_name: str) -> None:
        # A browser keeps one cookie of a name for all ports of a host: daemons on one machine need names of their own.
        # It takes one that begins with __Host- from this very host over TLS only: no neighbour plants it.
        self._authenticator, self.local = authenticator, local
        self._cookie_name = cookie_name if local else f"__Host-{cookie_name}"

    def cookie(self, request: web.Request) -> str:
        """What this browser shows us."""
        return request.cookies.get(self._cookie_name, "")

    def source(self, request: web.Request) -> str:
        """Where a try to sign in comes from, as the lock-out counts it."""
        return OWN_SCREEN if self.local else source_of(request.headers.get(CLIENT, "0.0.0.0"))  # noqa: S104  nobody binds to it

    def browser(self, request: web.Request) -> BrowserSession | None:
        """The browser session that the cookie names."""
        return self._authenticator.browsers.find(self.cookie(request))

    def people(self, request: web.Request) -> tuple[Session, ...]:
        """Who is in at this browser."""
        return self._authenticator.people(self.browser(request))

    def require(self, request: web.Request, action: str) -> Session:
        """Who is signed in and may do this, or 403."""
        session = self._authenticator.who_may(action, self.browser(request))
        if session is None:
            roles = " or ".join(sorted(role.value for role in self._authenticator.roles_for(action)))
            words = f"this is for a {roles or 'nobody'}: sign in, or sign it with number and PIN"
            raise bad(words, action, web.HTTPForbidden)
        return session

    def is_allowed(self, request: web.Request, action: str) -> bool:
        """Whether somebody here may still do this; looking on is no use."""
        roles = self._authenticator.roles_for(action)
        return any(session.role in roles for session in self.people(request))

    def may_look(self, request: web.Request) -> bool:
        """Whether this browser may look: at the machine's own screen everybody may, elsewhere whoever is signed in."""
        return self.local or bool(self.people(request))

    def require_look(self, request: web.Request) -> None:
        """403 for strangers at another machine."""
        if not self.may_look(request):
            raise bad("sign in first", "session", web.HTTPForbidden)

    def require_own_page(self, request: web.Request) -> BrowserSession:
        """The browser session of an order from one of our own pages, or 403: no other site can show its token."""
        sent_by = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "same-origin")
        scheme = "http" if self.local else "https"
        if sent_by != (f"{scheme}://{request.host}", "same-origin"):
            raise bad("orders come from our own pages only", "Origin", web.HTTPForbidden)
        browser = self.browser(request)
        if browser is None or not browser.is_token(request.headers.get(TOKEN, "")):
            raise bad("this page is too old: load it again", TOKEN, web.HTTPForbidden)
        return browser

    def set_cookie(self, response: web.StreamResponse, cookie: str) -> None:
        """Gives the browser its cookie; it ends with the browser, and no script sees it."""
        name = self._cookie_name
        response.set_cookie(name, cookie, path="/", httponly=True, samesite="Strict", secure=not self.local)

    def hold(self, handler: GuardedHandler) -> Handler:
        """The handler as a route: it is asked together with this guard."""

        async def held(request: web.Request) -> web.StreamResponse:
            return await handler(request, self)

        return held

    async def add_headers(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Puts the safe headers on every answer, streams and errors included (a signal of aiohttp)."""
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if not self.local:
            response.headers["Strict-Transport-Security"] = f"max-age={_ONE_YEAR}"
