"""Web server of a meter: control interface and floor pages, put together and served."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from common.clock import Clock
from common.tls import LOOPBACK
from common.web.events import ChangeFeed
from common.web.guard import RequestGuard
from common.web.server import MAX_BODY_BYTES, json_only, loopback_application
from common.web.sign_in import SignInRoutes
from meter.service.alarms import FloorAlarms, wrong_pin_alarm
from meter.service.link_desk import LinkDesk
from meter.settings import MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.web.api import Decide, MeterApi
from meter.web.orders import Orders
from meter.web.permissions import authenticator_of
from meter.web.queries import MeterQueries
from meter.web.routes import MeterSite

COOKIE: Final = "pitlink-floor"


class MeterServer:
    """Everything of a meter that people and programs talk to."""

    def __init__(
        self,
        settings: MeterSettings,
        desks: Mapping[str, LinkDesk],
        decide: Decide,
        *,
        staff: StaffKeeper,
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
        )
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
        self.port = self.tls_port = 0

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Answers on loopback (control_port 0: nobody there), and to other machines with TLS if so configured."""
        runners: list[web.AppRunner] = []
        try:
            if self._settings.control_port:
                here = self.application()
                self.port = await _serve(runners, here, LOOPBACK[0], self._settings.control_port)
            tls = self._settings.floor.tls
            if tls is not None:
                there = self._remote_application()
                self.tls_port = await _serve(runners, there, tls.host, tls.port, ssl_context=tls.context())
            yield
        finally:
            self._feed.end()
            for runner in runners:
                await runner.cleanup()

    def application(self) -> web.Application:
        """What this machine is served: programs the control interface, people the pages."""
        guard = RequestGuard(self._authenticator, local=True, cookie_name=COOKIE)
        app = loopback_application([*self._site.routes(guard), *self._control.routes()])
        app.on_response_prepare.append(guard.add_headers)
        return app

    def _remote_application(self) -> web.Application:
        guard = RequestGuard(self._authenticator, local=False, cookie_name=COOKIE)
        app = web.Application(middlewares=[json_only], client_max_size=MAX_BODY_BYTES)
        app.add_routes(self._site.routes(guard))
        app.on_response_prepare.append(guard.add_headers)
        return app


async def _serve(runners: list[web.AppRunner], app: web.Application, host: str, port: int, **options: Any) -> int:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    runners.append(runner)
    await web.TCPSite(runner, host, port, **options).start()
    found: int = runner.addresses[0][1]
    return found
