"""Routes of a table's pages, for its own screen and over TLS."""

from collections.abc import Callable
from typing import Final

from aiohttp import web
from msgspec import Struct

from common.web.events import ChangeFeed, stream
from common.web.guard import RequestGuard
from common.web.pages import page_routes
from common.web.server import as_json
from common.web.sign_in import PersonView, SignInRoutes
from common.web.words import words_for
from common.words import PageWords, Words
from controller.devices.self_test import SelfTest
from controller.table.last_failure import LastFailure
from controller.table.loop import TableLoop
from controller.web.actions import Action, acknowledge_offer, table_offers
from controller.web.advice import Advice, advice
from controller.web.band import Band, BandDesk, InForce, SeatTurn, seat_turns
from controller.web.next_step import hint
from controller.web.orders import OrderDesk
from controller.web.pin_levels import LineView
from controller.web.queries import TableQueries
from controller.web.sign.routes import Sign
from controller.web.table_card import TableCard
from controller.web.view import TableView

PAGES: Final = {
    "/panel": "panel",
    "/sign": "sign",
    "/themes": "themes",
    "/replay": "replay",
    "/slips": "slips",
    "/slip/{number}": "slip",
}


class PanelView(Struct, frozen=True):
    """Everything the panel follows."""

    state: TableView
    offers: tuple[Action, ...]
    people: tuple[PersonView, ...]
    advice: tuple[Advice, ...]
    testing: str
    hint: str
    band: Band
    turns: tuple[SeatTurn, ...]
    standing: tuple[InForce, ...]


class Shows(Struct, frozen=True):
    """Where the pages look: the card, the table, its pins, who else claims the same meter, wrong PINs, and words."""

    card: Callable[[Words], TableCard]
    table: Callable[[str], TableView]
    lines: Callable[[], tuple[LineView, ...]]
    contest: Callable[[], tuple[str, ...]]
    wrong_pins: Callable[[], str]
    stale_staff: Callable[[], str]
    words: Callable[[str], Words]  # of the language that a screen asks for


class TableSite:
    """What the pages of one table are served from."""

    def __init__(
        self,
        table: TableLoop,
        words: PageWords,
        *,
        sign_in: SignInRoutes,
        desk: OrderDesk,
        reading: TableQueries,
        self_test: SelfTest,
        feed: ChangeFeed,
        sign: Sign,
        shows: Shows,
        last_failure: LastFailure,
    ) -> None:
        self._table, self._words = table, words
        self._sign_in, self._desk, self._reading = sign_in, desk, reading
        self._self_test, self._feed, self._shows, self._last_failure = self_test, feed, shows, last_failure
        self._sign = sign

    def routes(self, guard: RequestGuard) -> list[web.RouteDef]:
        """Every page, and what pages read and order."""
        held, reading = guard.hold, self._reading
        return [
            web.get("/", _to_panel),
            *page_routes("controller.web", PAGES),
            web.get("/panel/card", held(self._get_card)),
            web.get("/panel/session", held(self._sign_in.session)),
            web.get("/panel/stream", held(self._panel_stream)),
            web.get("/panel/lines", held(self._lines_stream)),
            web.get("/panel/tests", held(self._get_tests)),
            web.get("/panel/seat/{seat}", held(reading.seat)),
            web.get("/panel/hand", held(reading.hand)),
            web.get("/panel/evidence/{seat}", held(reading.evidence)),
            web.get("/replay/data", held(reading.replay)),
            web.get("/replay/rounds", held(reading.rounds)),
            web.get("/slips/data", held(reading.slips)),
            web.get("/slip/{number}/data", held(reading.slip)),
            web.get("/slip/{number}/pdf", held(reading.slip_pdf)),
            *self._sign.routes(),
            web.post("/panel/sign-in", held(self._sign_in.sign_in)),
            web.post("/panel/sign-out", held(self._sign_in.sign_out)),
            web.post("/panel/own-pin", held(self._sign_in.own_pin)),
            web.post("/panel/test", held(self._desk.test)),
            web.post("/panel/act/{action}", held(self._desk.act)),
        ]

    async def _get_card(self, request: web.Request, _guard: RequestGuard) -> web.Response:
        return as_json(self._shows.card(await words_for(request, self._words)))

    async def _panel_stream(self, request: web.Request, guard: RequestGuard) -> web.StreamResponse:
        guard.require_look(request)
        words = await words_for(request, self._words)
        return await stream(request, self._feed, lambda: self._panel(request, guard, words))

    async def _lines_stream(self, request: web.Request, guard: RequestGuard) -> web.StreamResponse:
        """Every pin, as often as a person can follow."""
        guard.require(request, "see pins")
        return await stream(request, self._feed, lambda: self._seen_lines(request, guard), every_s=0.1)

    async def _get_tests(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What can be tested of a single part."""
        guard.require(request, "see pins")
        return as_json(self._self_test.parts())

    def _panel(self, request: web.Request, guard: RequestGuard, words: Words) -> PanelView | None:
        if not guard.may_look(request):
            return None
        state, rules, failure = self._table.state, self._table.rules, self._last_failure.known
        seen, testing = self._shows.table(words.language), self._self_test.running
        offers = (*table_offers(rules, state, words), *([acknowledge_offer(state, words)] if failure else []))
        desk = BandDesk(rules, state, offers, self._shows.words(words.language))
        return PanelView(
            state=seen,
            offers=offers,
            people=self._sign_in.views(guard.people(request)),
            advice=advice(
                state,
                words,
                plays_on=not rules.why_cut_off(state),
                contest=self._shows.contest(),
                failure=failure,
                wrong_pins=self._shows.wrong_pins(),
                stale=self._shows.stale_staff(),
                board=seen.board_alarms,
            ),
            testing=testing,
            hint=hint(rules, state, words),
            band=desk.band(trouble=seen.trouble, testing=testing),
            turns=tuple(seat_turns(rules, state)),
            standing=desk.standing(),
        )

    def _seen_lines(self, request: web.Request, guard: RequestGuard) -> tuple[LineView, ...] | None:
        return self._shows.lines() if guard.is_allowed(request, "see pins") else None


async def _to_panel(_request: web.Request) -> web.Response:
    raise web.HTTPFound("/panel")
