"""Orders from pages: each under the name of who is signed in, carried out exactly once."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from aiohttp import web
from msgspec import Struct

from common.auth.sessions import BrowserSession
from common.web.guard import RequestGuard
from common.web.server import as_json, bad, converted, decoded
from controller.devices.self_test import KINDS, SelfTest
from controller.table.last_failure import LastFailure
from controller.table.loop import TableLoop
from controller.web.actions import staleness
from games.refusal import Refusal
from games.round.events import Event, PanelUsed, TableOpened
from games.round.state import RoundState

_REMEMBERED: Final = 256


class _PanelOrder(Struct, forbid_unknown_fields=True):
    """What every order carries: what its page had seen, a key of its own, and what the event needs."""

    seen: str
    key: str
    says: dict[str, Any] = {}


class _Test(Struct, forbid_unknown_fields=True):
    what: str


class _Device(Struct, forbid_unknown_fields=True):
    device: str


class OrderReply(Struct, frozen=True):
    """What came of an order."""

    accepted: bool
    reason: str = ""
    rule: str = ""


class OrderDesk:
    """Takes orders from pages; actions are those of the control interface."""

    def __init__(
        self,
        table: TableLoop,
        self_test: SelfTest,
        *,
        actions: Mapping[str, type[Event]],
        retest: Callable[[str], None],
        last_failure: LastFailure,
        told: Callable[[], None],
    ) -> None:
        self._table, self._self_test, self._actions = table, self_test, actions
        self._retest, self._last_failure, self._told = retest, last_failure, told
        self._answers: OrderedDict[tuple[str, str], asyncio.Future[OrderReply]] = OrderedDict()

    async def act(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """One order; the same key once more gets the same answer, and nothing happens twice."""
        browser, action = guard.require_own_page(request), request.match_info["action"]
        order = decoded(await request.read(), _PanelOrder)
        who = guard.require(request, action).name
        known = self._answers.get((browser.token, order.key))
        if known is None:
            known = asyncio.ensure_future(self._work(action, order, who))
            self._remember(browser, order.key, known)
        answer = await asyncio.shield(known)
        return as_json(answer, 200 if answer.accepted else 409)

    async def test(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """A technician's self-test; answers when it is over."""
        guard.require_own_page(request)
        asked = decoded(await request.read(), _Test)
        who = guard.require(request, "test").name
        if asked.what not in KINDS:
            raise bad(f"no such test; one of {', '.join(KINDS)}", "$.what")
        begun = await self._table.ask(PanelUsed(who, f"test {asked.what}"), unless=self._self_test.reserve)
        if begun.refusal is not None:
            return as_json(_refused(begun.refusal), 409)
        found = await self._self_test.run(asked.what, self._told)
        await self._table.ask(PanelUsed(who, f"tested {asked.what}", found))
        return as_json(OrderReply(accepted=True, reason=found))

    def _work(self, action: str, order: _PanelOrder, who: str) -> Coroutine[Any, Any, OrderReply]:
        """What carries the order out; an order that makes no sense is 400 or 404 before anything begins."""
        if action == "retest":
            return self._test_again(converted(order.says, _Device).device, who)
        if action == "acknowledge":
            return self._acknowledge(who)
        kind = self._actions.get(action)
        if kind is None:
            raise bad(f"no such action; one of {', '.join(sorted(self._actions))}", "action", web.HTTPNotFound)
        if "by" in order.says:
            raise bad("who it was is known already", "$.says.by")
        return self._carry_out(converted({**order.says, "by": who}, kind), order.seen)

    async def _carry_out(self, event: Event, seen: str) -> OrderReply:
        seat = getattr(event, "seat", 0)

        def unless(state: RoundState) -> Refusal | None:
            bars = self._self_test.bars_opening(state) if isinstance(event, TableOpened) else None
            return staleness(state, seat, seen) or bars

        step = await self._table.ask(event, unless=unless)
        return _refused(step.refusal) if step.refusal is not None else OrderReply(accepted=True)

    async def _test_again(self, device: str, who: str) -> OrderReply:
        if device not in self._table.state.faults:
            return OrderReply(accepted=False, reason=f"nothing is wrong with {device!r}")
        await self._table.ask(PanelUsed(who, "test again", device))
        self._retest(device)
        return OrderReply(accepted=True)

    async def _acknowledge(self, who: str) -> OrderReply:
        """The journal has who read it before the file is gone."""
        known = self._last_failure.known
        if known is None:
            return OrderReply(accepted=False, reason="there is nothing to acknowledge")
        await self._table.ask(PanelUsed(who, "acknowledged", str(known)))
        self._last_failure.acknowledge()
        self._told()
        return OrderReply(accepted=True)

    def _remember(self, browser: BrowserSession, key: str, answer: "asyncio.Future[OrderReply]") -> None:
        self._answers[browser.token, key] = answer
        while len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)


def _refused(refusal: Refusal) -> OrderReply:
    return OrderReply(accepted=False, reason=refusal.reason, rule=refusal.rule)
