"""Web server of a meter: control interface and floor pages, put together and served."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from common.clock import Clock
from common.tls import LOOPBACK
from common.unix_http import CONTROL, PAGES
from common.web.bounded_server import Bounds, WebServers, tcp_listener, unix_listener
from common.web.events import ChangeFeed
from common.web.guard import RequestGuard
from common.web.peers import may_control, may_relay, pages_group, unix_application
from common.web.server import loopback_application
from common.web.sign_in import SignInRoutes
from common.web.words import word_routes
from meter.service.alarms import FloorAlarms, wrong_pin_alarm
from meter.service.link_desk import LinkDesk
from meter.settings import MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.staff.sign_in_check import SignInCheck
from meter.web.api import Decide, MeterApi
from meter.web.orders import Orders
from meter.web.permissions import authenticator_of
from meter.web.queries import MeterQueries
from meter.web.routes import MeterSite
from meter.web.staff_orders import StaffOrders

COOKIE: Final = "pitlink-floor"
SCRIPTS: Final = ("floor_script",)
"""Pages of the catalogue that the scripts speak from."""


class MeterServer:
    """Everything of a meter that people and programs talk to."""

    def __init__(
        self,
        settings: MeterSettings,
        desks: Mapping[str, LinkDesk],
        decide: Decide,
        *,
        staff: StaffKeeper,
        check: SignInCheck,
        watch: FloorAlarms,
        feed: ChangeFeed,
        clock: Clock,
    ) -> None:
        self._settings, self._feed = settings, feed
        self._authenticator = authenticator_of(
            settings,
            staff.directory,
            note=watch.note,
            now=clock.now,
            alarm=lambda words: watch.raised(wrong_pin_alarm(words)),
            check_code=check,
            used=lambda who: check.used(who.person.number),
        )
        self.staff_orders = StaffOrders(staff, self._authenticator, watch.write_down)
        for desk in desks.values():
            self.staff_orders.watch(desk.say_staff)
        self._control = MeterApi(
            lambda: {name: desk.head for name, desk in desks.items()},
            decide,
            authenticator=self._authenticator,
            wall_ms=clock.wall_ms,
        )
        self._site = MeterSite(
            desks,
            watch,
            sign_in=SignInRoutes(self._authenticator),
            orders=Orders(desks, decide, authenticator=self._authenticator, watch=watch),
            reading=MeterQueries(settings, desks, clock.wall_ms),
            feed=feed,
            wall_ms=clock.wall_ms,
        )
        self._words = word_routes(SCRIPTS, settings.currency, settings.floor.language)
        self.port = 0

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serves this machine's own screen (floor_port 0: nobody); programs and network pages on Unix sockets."""
        settings, servers = self._settings, WebServers()
        try:
            if settings.floor_port:
                listener = tcp_listener(LOOPBACK[0], settings.floor_port)
                self.port = listener.getsockname()[1]
                await servers.listen(self.application(), listener, Bounds())
            control = unix_application([*self._control.routes(), *self.staff_orders.routes()], may_control)
            await servers.listen(control, unix_listener(settings.folder / CONTROL), Bounds())
            if settings.floor.tls is not None:
                relayed = unix_listener(settings.folder / PAGES, group=pages_group())
                await servers.listen(self.application(local=False), relayed, Bounds())
            yield
        finally:
            self._feed.end()
            await servers.close()

    def application(self, *, local: bool = True) -> web.Application:
        """The floor's pages, for this machine's own screen or for the process that serves them to others."""
        guard = RequestGuard(self._authenticator, local=local, cookie_name=COOKIE)
        routes = [*self._site.routes(guard), *self._words]
        app = loopback_application(routes) if local else unix_application(routes, may_relay)
        app.on_response_prepare.append(guard.add_headers)
        return app
