"""Orders: each by who is signed in, or who signs it with number and PIN; those of pages happen exactly once."""

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from common.auth.authenticator import Authenticator, Credentials, SignInRefused
from common.auth.proof import ProvedOrder, prove
from common.web.guard import RequestGuard
from common.web.orders import OrdersOnce, replied
from common.web.server import bad, converted, decoded
from common.web.words import language_of
from common.words import PageWords, Words
from controller.devices.self_test import KINDS, SelfTest
from controller.table.last_failure import LastFailure
from controller.table.loop import TableLoop
from controller.web.actions import staleness
from controller.web.text import IN_ENGLISH, told
from games.refusal import Refusal, because
from games.round.events import ClaimValidated, Event, PanelUsed, PayoutConfirmed, TableOpened
from games.round.state import Claim, RoundState


class _PanelOrder(Struct, forbid_unknown_fields=True):
    """What every order carries: what its page had seen, a key of its own, what the event needs, and who signs it."""

    seen: str
    key: str
    says: dict[str, Any] = {}
    signed: Credentials | None = None


class SelfTestOrder(Struct, forbid_unknown_fields=True):
    """A test of each part once, or of one part."""

    what: str
    part: str = ""


class _Device(Struct, forbid_unknown_fields=True):
    device: str


class OrderReply(Struct, frozen=True):
    """What came of an order."""

    accepted: bool
    reason: str = ""
    rule: str = ""


class Signer(Struct, frozen=True):
    """Whoever gives an order; the secret is there where the PIN was typed for it."""

    name: str
    number: str = ""
    secret: bytes = b""


class OrderDesk:
    """Takes orders; actions are those of the control interface."""

    def __init__(
        self,
        table: TableLoop,
        self_test: SelfTest,
        authenticator: Authenticator,
        *,
        actions: Mapping[str, type[Event]],
        to_prove: Callable[[str, Claim], ProvedOrder],
        remote_validation: bool,
        retest: Callable[[str], None],
        last_failure: LastFailure,
        rung: Callable[[], None],
        words: PageWords,
    ) -> None:
        self._table, self._self_test, self._authenticator, self._actions = table, self_test, authenticator, actions
        self._to_prove, self._remote_validation = to_prove, remote_validation
        self._retest, self._last_failure, self._rung, self._words = retest, last_failure, rung, words
        self._once = OrdersOnce[OrderReply]()

    async def act(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """One order; the same key once more gets the same answer, and nothing happens twice."""
        browser, action = guard.require_own_page(request), request.match_info["action"]
        order = decoded(await request.read(), _PanelOrder)
        signed = order.signed
        if signed is None or signed.is_pin_only:
            here = guard.require(request, action)
            signed = signed and replace(signed, number=here.number)
        if action == "validate" and not guard.local and not self._remote_validation:
            raise bad(
                "claims are validated at the table's own screen: go there", "panel.remote_validation", web.HTTPForbidden
            )
        self.require_sense(action, order.says)

        async def carry_out() -> OrderReply:
            signer = await self.signer(action, signed, guard.source(request)) if signed else Signer(here.name)
            return await self._take(action, order, signer, self._words.of(language_of(request)))

        return await self._once.reply(browser, order.key, carry_out)

    async def test(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """A technician's self-test; answers when it is over."""
        guard.require_own_page(request)
        asked = decoded(await request.read(), SelfTestOrder)
        who = guard.require(request, "test").name
        return replied(await self.run_test(asked, who, self._words.of(language_of(request))))

    async def run_test(self, asked: SelfTestOrder, who: str, words: Words = IN_ENGLISH) -> OrderReply:
        """Has the table reserved, moves the part, and writes down what was found."""
        what = f"{asked.what} {asked.part}".rstrip()
        if not self._self_test.is_known(asked.what, asked.part):
            raise bad(f"there is no test {what!r}; one of {', '.join(self._tests())}", "$.what")
        begun = await self._table.ask(PanelUsed(who, f"test {what}"), unless=self._self_test.reserve)
        if begun.refusal is not None:
            return _refused(begun.refusal, words)
        found = await self._self_test.run(asked.what, self._rung, asked.part)
        await self._table.ask(PanelUsed(who, f"tested {what}", found))
        return OrderReply(accepted=True, reason=found)

    def _tests(self) -> list[str]:
        return [*KINDS, *(f"{kind} {part}" for kind, parts in self._self_test.parts().items() for part in parts)]

    def require_sense(self, action: str, says: Mapping[str, Any]) -> None:
        """400 or 404 for an order that makes no sense, before anybody's PIN is looked at."""
        if action == "retest":
            converted(says, _Device)
        elif action != "acknowledge":
            kind = self._actions.get(action)
            if kind is None:
                raise bad(f"no such action; one of {', '.join(sorted(self._actions))}", "action", web.HTTPNotFound)
            for word in ("by", "proof"):
                if word in says:
                    raise bad("who it was is known by number and PIN", f"$.{word}")
            converted({**says, "by": "?"}, kind)

    async def signer(self, action: str, signed: Credentials, source: str) -> Signer | Refusal:
        """Who signs this order with number and PIN, or why nobody does."""
        came = await self._authenticator.vouch(signed, source, stops=action == "close")
        if isinstance(came, SignInRefused):
            return because("sign_in_refused", why=came.reason)
        person, roles = came.person, self._authenticator.roles_for(action)
        if person.role not in roles:
            wanted = tuple(sorted(role.value for role in roles))
            return because("other_role", person=person.name, role=person.role.value, wanted=wanted)
        return Signer(person.name, person.number, came.secret)

    def event(self, action: str, says: Mapping[str, Any], signer: Signer) -> Event | Refusal:
        """The event that this order is; where the meter pays, it carries the signer's proof."""
        event = converted({**says, "by": signer.name}, self._actions[action])
        if not isinstance(event, ClaimValidated | PayoutConfirmed):
            return event
        claim = self._table.state.claim(event.seat, event.wager)
        if claim is None or not claim.deducted:
            return event
        if not signer.secret:
            return because("type_pin")
        return replace(event, proof=prove(signer.number, signer.secret, self._to_prove(action, claim)))

    async def _take(self, action: str, order: _PanelOrder, signer: Signer | Refusal, words: Words) -> OrderReply:
        why = signer if isinstance(signer, Refusal) else await self._taken(action, order, signer)
        return OrderReply(accepted=True) if why is None else _refused(why, words)

    async def _taken(self, action: str, order: _PanelOrder, signer: Signer) -> Refusal | None:
        """Why the order was refused, or None once it is carried out."""
        if action == "retest":
            return await self._test_again(converted(order.says, _Device).device, signer.name)
        if action == "acknowledge":
            return await self._acknowledge(signer.name)
        event = self.event(action, order.says, signer)
        return event if isinstance(event, Refusal) else await self._carry_out(event, order.seen)

    async def _carry_out(self, event: Event, seen: str) -> Refusal | None:
        seat = getattr(event, "seat", 0)

        def unless(state: RoundState) -> Refusal | None:
            bars = self._self_test.bars_opening(state) if isinstance(event, TableOpened) else None
            return staleness(state, seat, seen) or bars

        step = await self._table.ask(event, unless=unless)
        return step.refusal

    async def _test_again(self, device: str, who: str) -> Refusal | None:
        if device not in self._table.state.faults:
            return because("nothing_wrong", device=device)
        await self._table.ask(PanelUsed(who, "test again", device))
        self._retest(device)
        return None

    async def _acknowledge(self, who: str) -> Refusal | None:
        """The journal has who read it before the file is gone."""
        known = self._last_failure.known
        if known is None:
            return because("nothing_to_acknowledge")
        await self._table.ask(PanelUsed(who, "acknowledged", str(known)))
        self._last_failure.acknowledge()
        self._rung()
        return None


def _refused(refusal: Refusal, words: Words) -> OrderReply:
    why = told(refusal, words)
    return OrderReply(accepted=False, reason=why.reason, rule=why.rule)
