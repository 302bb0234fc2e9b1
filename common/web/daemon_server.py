"""Web server of a daemon: its own screen on loopback, programs and network pages on Unix sockets."""

from collections.abc import Callable, Iterable
from pathlib import Path

from aiohttp import web

from common.auth.authenticator import Authenticator
from common.unix_http import CONTROL, PAGES
from common.web.bounded_server import Bounds, WebServers, tcp_listener, unix_listener
from common.web.events import ChangeFeed
from common.web.guard import RequestGuard
from common.web.peers import may_control, may_relay, pages_group, unix_application
from common.web.server import loopback_application


class DaemonServer:
    """Serves one site behind its guard with the words of its scripts, and the control interface beside it."""

    def __init__(
        self,
        site: Callable[[RequestGuard], list[web.RouteDef]],
        control: Iterable[web.RouteDef],
        words: Iterable[web.RouteDef],
        *,
        authenticator: Authenticator,
        folder: Path,
        cookie_name: str,
        feed: ChangeFeed,
    ) -> None:
        self._site, self._control, self._words, self._authenticator = site, control, words, authenticator
        self._folder, self._cookie_name, self._feed = folder, cookie_name, feed
        self._servers = WebServers()

    async def open(self, host: str, port: int | None, *, network_pages: bool) -> int:
        """Serves everything; returns the port of the own screen (0 without one: port is None)."""
        opened = 0
        if port is not None:
            listener = tcp_listener(host, port)
            opened = listener.getsockname()[1]
            await self._servers.listen(self.pages(), listener, Bounds())
        control = unix_application(self._control, may_control)
        await self._servers.listen(control, unix_listener(self._folder / CONTROL), Bounds())
        if network_pages:
            relayed = unix_listener(self._folder / PAGES, group=pages_group())
            await self._servers.listen(self.pages(local=False), relayed, Bounds())
        return opened

    async def close(self) -> None:
        """Ends every stream and every listener."""
        self._feed.end()
        await self._servers.close()

    def pages(self, *, local: bool = True) -> web.Application:
        """The pages, for the own screen or for the process that serves them to other machines."""
        guard = RequestGuard(self._authenticator, local=local, cookie_name=self._cookie_name)
        routes = [*self._site(guard), *self._words]
        app = loopback_application(routes) if local else unix_application(routes, may_relay)
        app.on_response_prepare.append(guard.add_headers)
        return app
