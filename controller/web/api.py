"""The control interface: what hardware does not say, as HTTP and JSON on a Unix socket for programs, same refusals."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from aiohttp import web
from msgspec import Struct

from common.auth.authenticator import Credentials
from common.auth.lockout import OWN_SCREEN
from common.web.events import ChangeFeed, stream
from common.web.orders import replied
from common.web.server import as_json, converted, decoded
from common.words import ENGLISH
from controller.devices.performer import DevicePerformer
from controller.devices.self_test import KINDS
from controller.table.loop import Guard, TableLoop
from controller.web.orders import OrderDesk, OrderReply, SelfTestOrder, Signer
from controller.web.pin_levels import LineView
from controller.web.text import told
from controller.web.view import TableView
from games.refusal import Refusal, because
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
    "papers": events.PapersCompleted,
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


PROGRAM: Final = "a program here"
"""Who closes the table where no person signs it: a flash, for instance."""


class _Retest(Struct, forbid_unknown_fields=True):
    device: str


class _SignedTest(Struct, forbid_unknown_fields=True):
    what: str
    signed: Credentials
    part: str = ""


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
        desk: OrderDesk,
        look: Callable[[str], TableView],
        bars_opening: Guard,
        lines: Callable[[], tuple[LineView, ...]],
        parts: Callable[[], Mapping[str, Sequence[str]]],
    ) -> None:
        self._table, self._performer, self._feed, self._look = table, performer, feed, look
        self._desk, self._bars_opening = desk, bars_opening
        self._read_lines, self._parts = lines, parts

    def routes(self) -> list[web.RouteDef]:
        """The routes of the control interface."""
        return [
            web.get("/api/state", self._state),
            web.get("/api/stream", self._stream),
            web.get("/api/lines", self._lines),
            web.get("/api/tests", self._tests),
            web.post("/api/retest", self._retest),
            web.post("/api/test", self._test),
            web.post("/api/{action}", self._act),
        ]

    async def _state(self, _request: web.Request) -> web.Response:
        return as_json(self._look(ENGLISH))

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        return await stream(request, self._feed, lambda: self._look(ENGLISH))

    async def _lines(self, _request: web.Request) -> web.Response:
        """Every pin as it is now."""
        return as_json(self._read_lines())

    async def _tests(self, _request: web.Request) -> web.Response:
        """What a technician can have tested: each part once, or one part."""
        return as_json(dict.fromkeys(KINDS, ()) | dict(self._parts()))

    async def _test(self, request: web.Request) -> web.Response:
        """A technician's self-test; answers when it is over."""
        asked = decoded(await request.read(), _SignedTest)
        signer = await self._desk.signer("test", asked.signed, OWN_SCREEN)
        if isinstance(signer, Refusal):
            why = told(signer)
            return replied(OrderReply(accepted=False, reason=why.reason, rule=why.rule))
        return replied(await self._desk.run_test(SelfTestOrder(asked.what, asked.part), signer.name))

    async def _retest(self, request: web.Request) -> web.Response:
        asked = decoded(await request.read(), _Retest)
        if asked.device not in self._table.state.faults:
            return self._refused(because("nothing_wrong", device=asked.device))
        self._performer.retest(asked.device)
        return self._answer()

    async def _act(self, request: web.Request) -> web.Response:
        action = request.match_info["action"]
        says = decoded(await request.read(), dict[str, Any])
        signed = says.pop("signed", None)
        self._desk.require_sense(action, says)
        refusal = await self._carry_out(action, says, None if signed is None else converted(signed, Credentials))
        return self._answer() if refusal is None else self._refused(refusal)

    async def _carry_out(self, action: str, says: dict[str, Any], signed: Credentials | None) -> Refusal | None:
        """Why the order was refused, or None; a program may close the table without a person, and nothing else."""
        if signed is None and action != "close":
            return because("signature_needed")
        signer = Signer(PROGRAM) if signed is None else await self._desk.signer(action, signed, OWN_SCREEN)
        event = signer if isinstance(signer, Refusal) else self._desk.event(action, says, signer)
        if isinstance(event, Refusal):
            return event
        unless = self._bars_opening if isinstance(event, events.TableOpened) else None
        step: RoundStep = await self._table.ask(event, unless=unless)
        return step.refusal

    def _answer(self, reason: str = "", rule: str = "", *, status: int = 200) -> web.Response:
        return as_json(_ApiReply(not reason, reason, rule, self._look(ENGLISH)), status)

    def _refused(self, refusal: Refusal) -> web.Response:
        why = told(refusal)
        return self._answer(why.reason, why.rule, status=409)
