"""Web server of a meter: control interface and floor pages, put together and served."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from common.auth.authenticator import Vouched
from common.clock import Clock
from common.tls import LOOPBACK
from common.web.daemon_server import DaemonServer
from common.web.events import ChangeFeed
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
        self._settings = settings
        self.authenticator = authenticator = authenticator_of(
            settings,
            staff.directory,
            note=watch.note,
            now=clock.now,
            alarm=lambda words: watch.raised(wrong_pin_alarm(words)),
            check_code=check,
            used=lambda who: check.used(who.person.number),
        )
        self.staff_orders = StaffOrders(staff, authenticator, watch.write_down)
        for desk in desks.values():
            self.staff_orders.watch(desk.say_staff)
        control = MeterApi(
            lambda: {name: desk.head for name, desk in desks.items()},
            decide,
            authenticator=authenticator,
            wall_ms=clock.wall_ms,
        )
        site = MeterSite(
            settings,
            desks,
            watch,
            sign_in=SignInRoutes(authenticator, self._change_pin),
            orders=Orders(desks, decide, authenticator=authenticator, watch=watch),
            reading=MeterQueries(settings, desks, clock.wall_ms),
            feed=feed,
            wall_ms=clock.wall_ms,
        )
        self._server = DaemonServer(
            site.routes,
            [*control.routes(), *self.staff_orders.routes()],
            word_routes(SCRIPTS, settings.currency, settings.floor.language),
            authenticator=authenticator,
            folder=settings.folder,
            cookie_name=COOKIE,
            feed=feed,
        )
        self.port = 0

    async def _change_pin(self, who: Vouched, pin: str) -> str:
        return await self.staff_orders.own_pin(who.person.number, pin)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serves this machine's own screen (floor_port 0: nobody); programs and network pages on Unix sockets."""
        settings = self._settings
        try:
            port = settings.floor_port or None
            self.port = await self._server.open(LOOPBACK[0], port, network_pages=settings.floor.tls is not None)
            yield
        finally:
            await self._server.close()

    def application(self) -> web.Application:
        """The floor's pages, for this machine's own screen."""
        return self._server.pages()
