"""Page of a poker table: who opens, who wins which part of which pot, and when the deck is due (subchapter 14)."""

from collections.abc import Callable, Mapping
from errno import EADDRINUSE
from typing import Any, Final, Self

from aiohttp import web
from msgspec import Struct

from common.web.pages import page_routes
from common.web.server import as_json, loopback_application
from games.showdown.input import InputFault
from games.showdown.poker.betting_order import FORCED_BETS
from games.showdown.poker.games import POKER_GAMES

Answer = Callable[[bytes], dict[str, Any] | InputFault]
"""Answers one question of the dealer's assist, as it was written."""

_HOST: Final = "127.0.0.1"
# The text of mambo stud ends before its showdown (14.13A(d)).
_OPENING_ONLY: Final[Mapping[str, int]] = {"mambo-stud": 11}


class PortTaken(Exception):  # noqa: N818  what is missing, not an error of ours
    """The page cannot listen there; the message says what to do."""


class RoomGame(Struct, frozen=True):
    """A game as the page offers it: its seats, and what can be asked of it."""

    name: str
    most_players: int
    community_cards: int
    own_cards: int
    has_up_cards: bool
    has_showdown: bool
    has_kill: bool


def offered_games() -> tuple[RoomGame, ...]:
    """Every game of the room."""
    settled = tuple(
        RoomGame(
            name=game.name,
            most_players=game.most_players,
            community_cards=game.community_cards,
            own_cards=game.own_cards,
            has_up_cards=game.name in FORCED_BETS,
            has_showdown=True,
            has_kill=game.name == "omaha-eight-or-better",
        )
        for game in POKER_GAMES.values()
    )
    opened = tuple(
        RoomGame(name, most, 0, 0, has_up_cards=True, has_showdown=False, has_kill=False)
        for name, most in _OPENING_ONLY.items()
    )
    return (*settled, *opened)


class PokerPage:
    """Serves the page to the table's own screen; it keeps nothing and moves no money."""

    def __init__(self, answer: Answer, port: int) -> None:
        self._answer, self._port = answer, port
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        routes = [
            *page_routes("poker_room", {"/": "poker"}),
            web.get("/poker/games", self._games),
            web.post("/poker/ask", self._ask),
        ]
        self._runner = web.AppRunner(loopback_application(routes), access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, _HOST, self._port).start()
        except OSError as error:
            await self.__aexit__()
            why = "is taken" if error.errno == EADDRINUSE else f"cannot be had ({error.strerror})"
            raise PortTaken(f"port {self._port} {why}; choose another with --port") from error
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        """Where the browser finds it."""
        assert self._runner is not None
        return f"http://{_HOST}:{self._runner.addresses[0][1]}/"

    async def _games(self, _request: web.Request) -> web.Response:
        return as_json(offered_games())

    async def _ask(self, request: web.Request) -> web.Response:
        said = self._answer(await request.read())
        if isinstance(said, InputFault):
            return as_json({"error": said.problem, "where": said.where}, 409)
        return as_json(said)
