"""Page of the demo: a browser's hands push chips and press buttons, and see the pins."""

import asyncio
import random
from errno import EADDRINUSE
from typing import Any, Final, Self

import msgspec
from aiohttp import web

from common.auth.roles import Role
from common.unix_http import ask
from common.web.events import ChangeFeed, stream
from common.web.pages import page_routes
from common.web.server import as_json, bad, decoded, loopback_application
from demo.cards import CardWish, DealtCards, deal
from demo.faults import DemoFaults
from demo.floor import STAFF, DemoFloor
from demo.table import SimulatedTable
from demo.view import VisitorView
from games.cards import CardFault
from games.round.state import Phase, RoundState

FRAME_S: Final = 0.1
ANSWER_WITHIN_S: Final = 30
_HOST: Final = "127.0.0.1"


class NoPort(Exception):  # noqa: N818  like NoBroker: what is missing, not an error of ours
    """The page cannot listen there; the message says what to do."""


class DemoPage:
    """Serves the page; everything it does goes through pins, wires and the tables' own interfaces."""

    def __init__(self, floor: DemoFloor, port: int) -> None:
        self._floor, self._port = floor, port
        self._eyes = {name: VisitorView(table) for name, table in floor.tables.items()}
        self._dealt: dict[str, DealtCards] = {}
        self._faults = DemoFaults(floor)
        self._feed = ChangeFeed()
        self._commands = floor.commands()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = loopback_application(
            [
                *page_routes("demo", {"/": "demo"}),
                web.get("/demo/stream", self._stream),
                web.post("/demo/fault/{name}/{position}", self._fault),
                web.post("/demo/{table}/hand/{act}/{seat}", self._hand),
                web.post("/demo/{table}/deal", self._deal),
                web.post("/demo/{table}/api/{action}", self._api),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await self._listen(self._runner)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._feed.end()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        """Where the browser finds it."""
        assert self._runner is not None
        return f"http://{_HOST}:{self._runner.addresses[0][1]}/"

    async def _listen(self, runner: web.AppRunner) -> None:
        try:
            await web.TCPSite(runner, _HOST, self._port).start()
        except OSError as error:
            await self.__aexit__()
            why = "is taken" if error.errno == EADDRINUSE else f"cannot be had ({error.strerror})"
            raise NoPort(f"port {self._port} {why}; choose another with --port") from error

    def _frame(self) -> dict[str, Any]:
        return {
            "tables": {name: eyes.look(self._dealt.get(name)) for name, eyes in self._eyes.items()},
            "faults": list(self._faults.shown()),
            "broker": self._floor.broker.kind,
            "floor_port": self._floor.meter_port,
            "folder": str(self._floor.folder),
            "commands": self._commands,
            "people": [
                {"number": number, "name": name, "role": role.value, "pin": pin} for number, name, role, pin in STAFF
            ],
        }

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """Pins do not ring: the page looks as often as a person can follow."""
        return await stream(request, self._feed, self._frame, every_s=FRAME_S)

    async def _hand(self, request: web.Request) -> web.Response:
        table, act, word = self._table(request), request.match_info["act"], request.match_info["seat"]
        seat = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else -1
        match act:
            case "chip" if seat in table.metal.slots:
                table.insert_chip(seat)
            case "lock-out":
                await table.press_lock_out()
            case "end":
                await table.press_end_of_round()
            case "key":
                await table.turn_key(on=seat == 1)
            case _:
                raise bad("there is no such thing to touch", act, web.HTTPNotFound)
        return as_json({})

    async def _deal(self, request: web.Request) -> web.Response:
        """Random cards, or wished ones at a seat; the controller sees none of them until somebody claims."""
        name, table = request.match_info["table"], self._table(request)
        wish = decoded(await request.read(), CardWish)
        if table.assembly is not None:
            if why := self._no_deal(name, table.state):
                raise bad(why, "deal", web.HTTPConflict)
            rules, number = table.settings.rules, table.state.round
            dealt = deal(random.SystemRandom(), rules, number=number, wish=wish)
            if isinstance(dealt, CardFault):
                raise bad(dealt.problem, f"$.cards{dealt.where}")
            self._dealt[name] = dealt
        return as_json({})

    def _no_deal(self, name: str, state: RoundState) -> str:
        """Why no cards may be laid now: not before the count, and not over those that lie there."""
        dealt = self._dealt.get(name)
        if state.phase is Phase.SETTLING or (dealt and dealt.round == state.round):
            return "the cards of this round lie there already"
        return (
            "" if state.phase in (Phase.COUNTED, Phase.IN_PLAY) else "press lock-out first, cards come after the count"
        )

    async def _api(self, request: web.Request) -> web.Response:
        """The table's own control interface, through its own socket."""
        table, action = self._table(request), request.match_info["action"]
        if table.assembly is None or not action.replace("-", "").isalpha():
            raise bad("nobody there does this", action, web.HTTPConflict)
        says = decoded(await request.read(), dict[str, Any])
        signed = {} if action == "retest" else {"signed": _credentials(str(says.pop("by", "Dan")))}
        body = msgspec.json.encode(says | signed)
        status, words = await asyncio.to_thread(
            ask, table.assembly.control, "POST", f"/api/{action}", body, within_s=ANSWER_WITHIN_S
        )
        return web.Response(body=words, status=status, content_type="application/json")

    async def _fault(self, request: web.Request) -> web.Response:
        name, position = request.match_info["name"], request.match_info["position"]
        if name not in self._faults or position not in {"on", "off"}:
            raise bad("there is no such switch", name, web.HTTPNotFound)
        await self._faults.turn(name, breaks=position == "on")
        return as_json({})

    def _table(self, request: web.Request) -> SimulatedTable:
        name = request.match_info["table"]
        if name not in self._floor.tables:
            raise bad("there is no such table", name, web.HTTPNotFound)
        return self._floor.tables[name]


def _credentials(name: str) -> dict[str, str]:
    """The staff number and PIN of somebody of the demo's staff."""
    found = next((one for one in STAFF if one[1] == name), ("", "", Role.DEALER, ""))
    return {"number": found[0], "pin": found[3]}
