"""The control interface: what hardware does not say, as HTTP and JSON on a Unix socket for programs, same refusals."""

from collections.abc import Callable, Mapping
from typing import Final

from aiohttp import web
from msgspec import Struct

from common.web.events import ChangeFeed, stream
from common.web.server import as_json, bad, decoded
from controller.devices.performer import DevicePerformer
from controller.table.loop import Guard, TableLoop
from controller.web.view import TableView
from games.round import events
from games.round.step import RoundStep

ACTIONS: Final[Mapping[str, type[events.Event]]] = {
    "open": events.TableOpened,
    "close": events.CloseAsked,
    "coupon": events.CouponRedeemed,
    "return-coupon": events.CouponReturned,
    "recount": events.RecountAsked,
    "explain": events.MismatchExplained,
    "fold": events.SeatFolded,
    "correct-fold": events.FoldCorrected,
    "claim": events.HandClaimed,
    "show": events.HandShown,
    "all-shown": events.HandsAllShown,
    "wager": events.WagerPlaced,
    "take-back": events.WagerTakenBack,
    "as-last-round": events.WagersRepeated,
    "no-base": events.BaseWagerMissed,
    "base-laid": events.BaseWagerLaid,
    "no-win": events.NoWinShown,
    "number": events.NumberDrawn,
    "dealer-card": events.DealerCardDealt,
    "display": events.BonusDisplayed,
    "one-player": events.AreasHeld,
    "pay-envy": events.EnvyPaid,
    "validate": events.ClaimValidated,
    "reject": events.ClaimRejected,
    "pay": events.PayoutConfirmed,
    "pass-bank": events.BankPassed,
    "bank": events.BankTaken,
    "no-bank": events.BankGivenBack,
    "dice": events.DiceTotalled,
    "stub": events.StubCounted,
    "house-way": events.HouseWayAsked,
    "base-won": events.BaseWagerWon,
    "centre": events.CentreCounted,
    "irregularity": events.IrregularityNoted,
    "withdraw": events.IrregularityWithdrawn,
    "refund": events.RefundsConfirmed,
}


class _Retest(Struct, forbid_unknown_fields=True):
    device: str


class _ApiReply(Struct):
    accepted: bool
    reason: str
    rule: str
    state: TableView


class TableApi:
    """Serves one table to programs."""

    def __init__(
        self,
        table: TableLoop,
        performer: DevicePerformer,
        feed: ChangeFeed,
        *,
        look: Callable[[], TableView],
        bars_opening: Guard,
    ) -> None:
        self._table, self._performer, self._feed, self._look = table, performer, feed, look
        self._bars_opening = bars_opening

    def routes(self) -> list[web.RouteDef]:
        """The routes of the control interface."""
        return [
            web.get("/api/state", self._state),
            web.get("/api/stream", self._stream),
            web.post("/api/retest", self._retest),
            web.post("/api/{action}", self._act),
        ]

    async def _state(self, _request: web.Request) -> web.Response:
        return as_json(self._look())

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        return await stream(request, self._feed, self._look)

    async def _retest(self, request: web.Request) -> web.Response:
        asked = decoded(await request.read(), _Retest)
        if asked.device not in self._table.state.faults:
            return self._answer(f"nothing is wrong with {asked.device!r}", status=409)
        self._performer.retest(asked.device)
        return self._answer()

    async def _act(self, request: web.Request) -> web.Response:
        kind = ACTIONS.get(request.match_info["action"])
        if kind is None:
            raise bad(f"no such action; one of {', '.join(sorted(ACTIONS))}", "action", web.HTTPNotFound)
        event = decoded(await request.read(), kind)
        unless = self._bars_opening if kind is events.TableOpened else None
        step: RoundStep = await self._table.ask(event, unless=unless)
        if step.refusal is None:
            return self._answer()
        return self._answer(step.refusal.reason, step.refusal.rule, status=409)

    def _answer(self, reason: str = "", rule: str = "", *, status: int = 200) -> web.Response:
        return as_json(_ApiReply(not reason, reason, rule, self._look()), status)
