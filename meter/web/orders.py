"""Orders from the floor's page: acknowledged alarms, and decisions of two persons by PIN, each once."""

import asyncio
from collections.abc import Mapping
from typing import Final

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from common.auth.authenticator import Authenticator, Credentials, SignInRefused
from common.web.guard import RequestGuard
from common.web.orders import OrdersOnce, replied
from common.web.server import bad, decoded
from link.messages import Count, Words
from meter.ledger.decisions import AnyDecision, Decided
from meter.service.alarms import FloorAlarms
from meter.service.link_desk import LinkDesk
from meter.web.api import Decide
from meter.web.obstacles import obstacle_to
from meter.web.permissions import Pair, sign
from meter.web.view import stale_token

STALE: Final = "the link has moved on since this page looked: look again"


class _FloorOrder(Struct, forbid_unknown_fields=True):
    """A decision: what the page had seen, a key of its own, what is decided and why, and the two who sign it."""

    seen: str
    key: str
    decision: AnyDecision
    reason: Words
    first: Credentials
    second: Credentials


class _Acknowledgement(Struct, forbid_unknown_fields=True):
    alarm: Count


class FloorOrderReply(Struct, frozen=True):
    """What came of an order; record is where the ledger says so."""

    accepted: bool
    reason: str = ""
    record: int = 0


class Orders:
    """Takes orders from the page."""

    def __init__(
        self, desks: Mapping[str, LinkDesk], decide: Decide, *, authenticator: Authenticator, watch: FloorAlarms
    ) -> None:
        self._desks, self._decide, self._authenticator, self._watch = desks, decide, authenticator, watch
        self._once = OrdersOnce[FloorOrderReply]()
        self._one_at_a_time = asyncio.Lock()

    async def acknowledge(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Somebody has seen an alarm."""
        guard.require_own_page(request)
        asked = decoded(await request.read(), _Acknowledgement)
        who = guard.require(request, "acknowledge").name
        if await self._watch.acknowledge(asked.alarm, who):
            return replied(FloorOrderReply(accepted=True))
        return replied(FloorOrderReply(accepted=False, reason="nobody needs to acknowledge this any more"))

    async def decide(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """A decision; the same key once more gets the same answer, and nothing happens twice."""
        browser, link = guard.require_own_page(request), request.match_info["link"]
        guard.require_look(request)
        order = decoded(await request.read(), _FloorOrder)
        what = type(order.decision).__name__
        if not self._authenticator.roles_for(what):
            raise bad("nobody decides this", what, web.HTTPForbidden)
        if order.first.is_pin_only:
            here = guard.require(request, what)
            order = replace(order, first=replace(order.first, number=here.number))
        if link not in self._desks:
            raise bad(f"there is no link {link}", "link", web.HTTPNotFound)
        return await self._once.reply(browser, order.key, lambda: self._take(link, order, guard.source(request)))

    async def _take(self, link: str, order: _FloorOrder, source: str) -> FloorOrderReply:
        """One order at a time: of two pages that show the same, the second finds the link moved on."""
        if self._has_moved_on(link, order):
            return FloorOrderReply(accepted=False, reason=STALE)
        names = await self._signers(order, source)
        if isinstance(names, FloorOrderReply):
            return names
        async with self._one_at_a_time:
            if self._has_moved_on(link, order):  # while the PINs were looked at, which takes its time on purpose
                return FloorOrderReply(accepted=False, reason=STALE)
            return await self._carry_out(link, Decided(order.decision, *names, order.reason))

    def _has_moved_on(self, link: str, order: _FloorOrder) -> bool:
        return stale_token(self._desks[link].head) != order.seen

    async def _signers(self, order: _FloorOrder, source: str) -> Pair | FloorOrderReply:
        """The names of the two who sign it, or why they do not."""
        what, names = type(order.decision).__name__, list[str]()
        for which, shown in (("first", order.first), ("second", order.second)):
            person = await sign(self._authenticator, shown, what, source)
            if isinstance(person, SignInRefused):
                return FloorOrderReply(accepted=False, reason=f"the {which} person: {person.reason}")
            names.append(person.name)
        if names[0] == names[1]:
            return FloorOrderReply(accepted=False, reason="two different persons must decide this")
        return names[0], names[1]

    async def _carry_out(self, link: str, decided: Decided) -> FloorOrderReply:
        what, both = type(decided.decision).__name__, f"{decided.by} and {decided.and_by}"
        obstacle = obstacle_to(self._desks[link], decided.decision)
        if obstacle is not None:
            return FloorOrderReply(accepted=False, reason=f"{obstacle.why}. {obstacle.until}")
        verdict = await self._decide(link, decided)
        if verdict.refusal:
            await self._watch.note(both, f"were refused {what}", f"link {link}: {verdict.refusal}")
            return FloorOrderReply(accepted=False, reason=verdict.refusal)
        record = verdict.reports[link].head.number
        await self._watch.note(both, f"decided {what}", f"link {link}, record {record}: {decided.reason}")
        return FloorOrderReply(accepted=True, record=record)
