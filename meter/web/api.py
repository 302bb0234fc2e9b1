"""Control interface of the meter: each link's status, and decisions, as HTTP and JSON on a Unix socket for programs."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from aiohttp import web
from msgspec import Struct

from common.auth.authenticator import Authenticator, SignInRefused
from common.web.server import as_json, bad, decoded
from link.messages import State
from meter.booking.booker import DecisionVerdict
from meter.ledger.accounts import Account
from meter.ledger.awards import contest
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Decided
from meter.ledger.link_state import Head
from meter.ledger.open_items import DoubtedAward, HeldWagers, OpenAward, ReportedPayout
from meter.service.state import state_of
from meter.web.permissions import Pair, proven

Decide: TypeAlias = Callable[[str, Decided], Awaitable[DecisionVerdict]]


class LinkStatus(Struct, frozen=True):
    """A link for those who look after it: everything that waits for them, with its evidence (R10, R67, R76).

    contest holds the percentages that management must put in order: each table's own time and clock, its sequence, and
    the meter before; doubted are claims of seats without a wager or made twice, reported payouts of another amount
    than the fixed one (R72).
    """

    state: State
    terms: LinkTerms
    accounts: Mapping[str, int]
    chips: int
    chip_cents: int
    coupons: int
    coupon_cents: int
    awards: tuple[OpenAward, ...]
    contest: tuple[OpenAward, ...]
    held: tuple[HeldWagers, ...]
    doubted: tuple[DoubtedAward, ...]
    reported: tuple[ReportedPayout, ...]
    last_paid: tuple[OpenAward, ...]


class DecisionReply(Struct, frozen=True):
    """What became of a decision."""

    taken: bool
    reason: str
    number: int


class Signed(Decided, frozen=True, tag="Decided"):
    """A decision as a program brings it, with the PINs of its two persons where they have any."""

    pins: Pair | None = None

    def decided(self, names: Pair) -> Decided:
        """What goes into the ledger, by these two: no PIN does."""
        return Decided(self.decision, *names, self.reason)


def view_of(link: str, head: Head, now_ms: int) -> LinkStatus:
    """This link for those who look after it; all accounts, touched or not, in ten-thousandths of a cent."""
    pot = head.pot
    return LinkStatus(
        state=state_of(link, head, now_ms),
        terms=head.terms,
        accounts={account.value: pot.balances.get(account, 0) for account in Account},
        chips=pot.chips,
        chip_cents=pot.chip_cents,
        coupons=pot.coupons,
        coupon_cents=pot.coupon_cents,
        awards=pot.awards,
        contest=contest(pot),
        held=pot.held,
        doubted=pot.doubted,
        reported=pot.reported,
        last_paid=pot.last_paid,
    )


class MeterApi:
    """Serves one meter."""

    def __init__(
        self,
        heads: Callable[[], Mapping[str, Head]],
        decide: Decide,
        *,
        authenticator: Authenticator,
        wall_ms: Callable[[], int],
    ) -> None:
        self._heads, self._decide, self._authenticator, self._wall_ms = heads, decide, authenticator, wall_ms

    def routes(self) -> list[web.RouteDef]:
        """The routes of the control interface."""
        return [
            web.get("/api/links", self._links),
            web.get("/api/links/{link}", self._link),
            web.post("/api/links/{link}/decisions", self._take),
        ]

    async def _links(self, _request: web.Request) -> web.Response:
        now_ms = self._wall_ms()
        return as_json({name: state_of(name, head, now_ms) for name, head in self._heads().items()})

    async def _link(self, request: web.Request) -> web.Response:
        name = request.match_info["link"]
        return as_json(view_of(name, self._head(name), self._wall_ms()))

    async def _take(self, request: web.Request) -> web.Response:
        name = request.match_info["link"]
        self._head(name)
        signed = decoded(await request.read(), Signed)
        what = type(signed.decision).__name__
        names = await proven(self._authenticator, what, (signed.by, signed.and_by), signed.pins)
        if isinstance(names, SignInRefused):
            return as_json(DecisionReply(taken=False, reason=names.reason, number=0), 409)
        verdict = await self._decide(name, signed.decided(names))
        number = verdict.reports[name].head.number if name in verdict.reports else 0
        return as_json(DecisionReply(not verdict.refusal, verdict.refusal, number), 409 if verdict.refusal else 200)

    def _head(self, name: str) -> Head:
        head = self._heads().get(name)
        if head is None:
            raise bad(f"there is no link {name}", "link", web.HTTPNotFound)
        return head
