"""Routes of the floor's page, for this machine's own screen and over TLS."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from aiohttp import web

from common.web.events import ChangeFeed, stream
from common.web.guard import RequestGuard
from common.web.pages import page_routes
from common.web.server import as_json
from common.web.sign_in import SignInRoutes
from meter.reports.gaming_day import Calendar
from meter.service.alarms import FloorAlarms, OpenAlarm
from meter.service.link_desk import LinkDesk
from meter.settings import MeterSettings
from meter.web.orders import Orders
from meter.web.permissions import MAY
from meter.web.queries import MeterQueries
from meter.web.view import FloorView, LinkFloor, Sent, link_floor, only_news

PAGES: Final = {"/floor": "floor", "/statement": "statement"}
PACE_S: Final = 0.05  # a busy floor changes hundreds of times a second; nobody follows more than twenty

MINUTE_MS: Final = 60_000

_Drawn: TypeAlias = tuple[tuple[int, int], tuple[LinkFloor, ...], tuple[OpenAlarm, ...]]


class MeterSite:
    """What the pages of one meter are served from."""

    def __init__(
        self,
        settings: MeterSettings,
        desks: Mapping[str, LinkDesk],
        watch: FloorAlarms,
        *,
        sign_in: SignInRoutes,
        orders: Orders,
        reading: MeterQueries,
        feed: ChangeFeed,
        wall_ms: Callable[[], int],
    ) -> None:
        self._settings, self._desks, self._watch = settings, desks, watch
        self._sign_in, self._orders = sign_in, orders
        self._reading, self._feed, self._wall_ms, self._started_ms = reading, feed, wall_ms, wall_ms()
        self._drawn: _Drawn = ((-1, 0), (), ())

    def routes(self, guard: RequestGuard) -> list[web.RouteDef]:
        """Every page, and what pages read and order."""
        held, reading, orders, sign_in = guard.hold, self._reading, self._orders, self._sign_in
        return [
            web.get("/", _to_floor),
            *page_routes("meter.web", PAGES),
            web.get("/floor/now", held(self._now)),
            web.get("/floor/session", held(sign_in.session)),
            web.get("/floor/stream", held(self._stream)),
            web.get("/floor/history", held(reading.history)),
            web.get("/floor/growth/{link}", held(reading.growth)),
            web.get("/floor/evidence/{link}", held(reading.evidence)),
            web.get("/floor/outlook/{link}", held(reading.outlook)),
            web.get("/floor/statement/{link}", held(reading.statement)),
            web.post("/floor/sign-in", held(sign_in.sign_in)),
            web.post("/floor/sign-out", held(sign_in.sign_out)),
            web.post("/floor/own-pin", held(sign_in.own_pin)),
            web.post("/floor/acknowledge", held(orders.acknowledge)),
            web.post("/floor/decide/{link}", held(orders.decide)),
        ]

    async def _now(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What a page must know first; by the meter's clock it says how old something is, whatever its own says."""
        may_look = guard.may_look(request)
        links = tuple(self._desks) if may_look else ()
        rights = {action: sorted(role.value for role in roles) for action, roles in MAY.items()}
        now_ms, settings = self._wall_ms(), self._settings
        house = {"property": settings.papers.property, "day": Calendar(settings.day_starts).day_of(now_ms)}
        return as_json({"now_ms": now_ms, "links": links, "rights": rights, "may_look": may_look, **house})

    async def _stream(self, request: web.Request, guard: RequestGuard) -> web.StreamResponse:
        guard.require_look(request)
        sent: Sent = {}
        return await stream(request, self._feed, lambda: self._floor(request, guard, sent), pace_s=PACE_S)

    def _floor(self, request: web.Request, guard: RequestGuard, sent: Sent) -> FloorView | None:
        if not guard.may_look(request):
            return None
        _, links, alarms = self._newest()
        news = tuple(only_news(link, sent) for link in links)
        return FloorView(self._started_ms, news, alarms, self._sign_in.views(guard.people(request)))

    def _newest(self) -> _Drawn:
        """What all browsers see, worked out once for each change, and each minute: notices count days."""
        now_ms = self._wall_ms()
        heard = self._feed.rings, now_ms // MINUTE_MS
        if self._drawn[0] != heard:
            links = tuple(link_floor(name, desk, now_ms) for name, desk in self._desks.items())
            self._drawn = (heard, links, self._watch.open_alarms)
        return self._drawn


async def _to_floor(_request: web.Request) -> web.Response:
    raise web.HTTPFound("/floor")
