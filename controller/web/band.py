"""Next-step band: the one thing that people do now at a table, with its reason and at most two acts."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from common.words import Words
from controller.settings.device_names import RETURN_DEVICE
from controller.web.actions import Action
from controller.web.advice import remedy
from controller.web.next_step import least_from_meter
from controller.web.text import device_words, place_words, reason_words, told
from games.round.coupons import unanswered
from games.round.deal import next_offered, owes_stub, start
from games.round.layout import act_of_meter, act_of_round
from games.round.outputs import takes_chips
from games.round.state import Claim, ClaimState, NotedIrregularity, Phase, RoundState
from games.round.table_rules import TableRules
from games.settlement.walk import AskDisplay, AskSeats, AskSharers, Standing

_KNOWN_FAULTS: Final = ("jam", "silent", "missing", "garbled", "reset", "distrusted", "stopped")


class BandAct(Struct, frozen=True):
    """One button of the band: an offer by its place among the offers, or a way to a seat's claim (0: choose one)."""

    label: str
    note: str = ""
    offer: int = -1
    seat: int = 0


class Band(Struct, frozen=True):
    """What to do now; go, wait for a person, stop, or nothing to do; the last act is the marked one."""

    tone: Literal["go", "wait", "stop", "idle"]
    shape: str
    sentence: str
    reason: str = ""
    acts: tuple[BandAct, ...] = ()
    asked: int = 0  # the seat that the sentence is about


class InForce(Struct, frozen=True):
    """An irregularity that holds until the round ends, and what it does."""

    what: str
    effect: str


class BandDesk:
    """Writes the band of one moment in the words of one language."""

    def __init__(self, rules: TableRules, state: RoundState, offers: Sequence[Action], words: Words) -> None:
        self._rules, self._state, self._offers, self._words = rules, state, offers, words
        self._say, self._table_words = words.say, words.page("panel")

    def band(self, *, trouble: str = "", testing: str = "") -> Band:
        """What is broken comes first, then the money, then the round; an irregularity stays until the round ends."""
        if testing:
            return Band("idle", "clock", self._say("testing", what=testing), self._say("testing_reason"))
        if trouble:
            return Band("stop", "octagon", self._say("no_journal"), trouble)
        now = self._wide_fault() or self._money() or self._waiting() or self._of_phase()
        return self._irregular(now) if self._state.irregularities and now.tone != "stop" else now

    def standing(self) -> tuple[InForce, ...]:
        """Every irregularity of the round with what it does."""
        return tuple(
            InForce(self._words.inside("irregularity", noted.name), self._effect(noted))
            for noted in self._state.irregularities
        )

    def _irregular(self, now: Band) -> Band:
        """The irregularity above whatever else is to be done: nobody forgets that hands are void."""
        noted = self._state.irregularities[-1]
        sentence = self._say("irregularity", what=self._name(noted))
        reason = self._say("irregularity_now", effect=self._effect(noted), step=now.sentence)
        withdraw = self._act("correct", "withdraw") if len(now.acts) < 2 else ()
        return replace(now, tone="wait", shape="triangle", sentence=sentence, reason=reason, acts=withdraw + now.acts)

    def _name(self, noted: NotedIrregularity) -> str:
        return self._words.inside("irregularity", noted.name)

    def _effect(self, noted: NotedIrregularity) -> str:
        known = self._rules.irregularity(noted.name)
        if known is None or known.voids == "nothing":
            return self._say("effect_nothing")
        if known.voids == "seats":
            return self._say("effect_seats", seats=_listed(noted.seats))
        return self._say("effect_survives" if self._rules.wager.name in known.survivors else "effect_round")

    def _wide_fault(self) -> Band | None:
        for device, fault in self._state.faults.items():
            if fault.seat:
                continue
            known = device == RETURN_DEVICE and fault.kind in _KNOWN_FAULTS
            sentence = (
                self._say(f"return_{fault.kind}")
                if known
                else self._say("device_fault", device=device_words(device, self._table_words))
            )
            again = self._act("test_again", "retest", device=device)
            return Band("stop", "plug", sentence, remedy(device, fault, self._table_words), again)
        return None

    def _money(self) -> Band | None:
        """What the walk around the table comes to next."""
        rules, state = self._rules, self._state
        act = act_of_round(rules, state) if state.claims or state.envy or state.named else None
        match act:
            case AskSeats(seats=seats, before=before):
                return self._asked(seats, before)
            case AskSharers(before=before):
                hand = self._hand(before.line.hand if before.line else "")
                reason = self._say("sharers_reason", seat=before.turn.seat.number, hand=hand)
                acts = (self._pick(), *self._act("nobody_else", "all-shown"))
                return Band("go", "eye", self._say("sharers"), reason, acts)
            case AskDisplay(standing=standing):
                seat = standing.turn.seat.number
                acts = self._act("display", "display", seat=seat)
                return Band("go", "eye", self._say("press_bonus", seat=seat), self._say("bonus_reason"), acts, seat)
            case None:
                return self._papers()
            case _:
                return self._turn(act.standing)

    def _papers(self) -> Band | None:
        """Cards of a payment that was not from the rack lie until its papers are complete."""
        if not self._state.papers_due:
            return None
        seat = self._state.papers_due[0]
        acts = self._act("papers_done", "papers", seat=seat, note=self._say("seat", seat=seat))
        return Band("go", "paper", self._say("papers"), self._say("papers_reason", seat=seat), acts, seat)

    def _asked(self, seats: tuple[int, ...], before: Standing) -> Band:
        """The highest lit seat is asked; one tap answers all of them."""
        seat = seats[0]
        least = self._hand(least_from_meter(self._rules))
        reason = self._say("asked_reason", hand=least, seat=before.turn.seat.number)
        wins = BandAct(self._say("seat_wins", seat=seat), seat=seat)
        no_win = self._act("no_win", "no-win", note=self._say("at_seats", seats=_listed(seats), number=len(seats)))
        return Band("go", "disc", self._say("asked", seat=seat), reason, (wins, *no_win), seat)

    def _turn(self, standing: Standing) -> Band:
        turn = standing.turn
        if turn.holder:
            return self._envy(standing)
        claim = self._state.claim(turn.seat.number, turn.wager.name)
        assert claim is not None
        return self._claim(claim)

    def _envy(self, standing: Standing) -> Band:
        seat, holder = standing.turn.seat.number, standing.turn.holder
        hand = self._hand(standing.line.hand if standing.line else "")
        if standing.validation:
            reason = self._say("envied", seat=holder, hand=hand)
            acts = self._act("validate", "validate", seat=holder, wager="envy", note=self._say("badge_or_pin"))
            return Band("wait", "person", self._say("call_supervisor"), reason, acts, holder)
        due = self._words.money(sum(envy.amount_cents for envy in self._state.envy_due if envy.seat == seat))
        reason = self._say("envy_reason", holder=holder)
        return Band(
            "go", "disc", self._say("pay", seat=seat, amount=due), reason, self._paid("pay-envy", seat, due), seat
        )

    def _claim(self, claim: Claim) -> Band:
        seat, what, amount = claim.seat, self._what(claim), self._words.money(claim.amount_cents)
        if self._state.is_held(claim):
            reason = self._say("held_reason", seat=seat, hand=what, why=self._state.held)
            return Band("wait", "clock", self._say("held"), reason, asked=seat)
        match claim.state:
            case ClaimState.FIXED | ClaimState.SHARING:
                reason = self._say("validate_reason", seat=seat, hand=what, amount=amount)
                acts = self._act("validate", "validate", seat=seat, wager=claim.wager, note=self._say("badge_or_pin"))
                return Band("wait", "person", self._say("call_supervisor"), reason, acts, seat)
            case ClaimState.CHECKING:
                why = claim.waits or self._say("meter_checks")
                reason = self._say("checking_reason", seat=seat, hand=what, amount=amount, why=why)
                return Band("wait", "clock", self._say("not_yet"), reason, asked=seat)
            case ClaimState.VALIDATED:
                source = self._say("pay_cage" if claim.source == "cage" else "pay_rack", hand=what)
                acts = self._paid("pay", seat, amount, claim.wager)
                return Band("go", "disc", self._say("pay", seat=seat, amount=amount), source, acts, seat)
            case _:
                reason = self._say("moment_reason", seat=seat, hand=what)
                return Band("idle", "clock", self._say("moment"), reason, asked=seat)

    def _waiting(self) -> Band | None:
        """Refunds, a coupon and the link: what the round waits for beside its cards."""
        state = self._state
        if state.refunds_due:
            seats = _listed(tuple(state.refunds_due))
            note = self._say("at_seats", seats=seats, number=len(state.refunds_due))
            acts = self._act("refunded", "refund", note=note)
            return Band("wait", "person", self._say("refund", seats=seats), self._say("refund_reason"), acts)
        if why := unanswered(state):
            return Band("wait", "clock", self._say("coupon_asked"), _sentence(told(why, self._words).reason))
        if self._rules.why_cut_off(state) and state.is_taking_wagers:
            reason = f"{_sentence(reason_words(state.link_down, self._words))} {self._say('finish_round')}"
            return Band("stop", "plug", self._say("no_new_wagers"), reason)
        return None

    def _of_phase(self) -> Band:
        rules, state = self._rules, self._state
        if state.is_miscounted:
            return self._mismatch()
        match state.phase:
            case Phase.CLOSED:
                return self._closed()
            case Phase.OPEN:
                return self._open()
            case Phase.LOCKED | Phase.COUNTING:
                reason = self._say("counting_reason", chips=state.returned, lights=len(state.wagers))
                return Band("idle", "clock", self._say("counting"), reason, self._act("count_again", "recount"))
            case Phase.COUNTED | Phase.IN_PLAY:
                return self._dealt()
            case Phase.SETTLING | Phase.ENDED if owes_stub(rules, state):
                return Band("go", "disc", self._say("stub"), self._say("stub_reason"), self._act("stub_act", "stub"))
            case Phase.VOIDED:
                return Band("go", "tick", self._say("voided"), self._say("voided_reason"))
            case _:
                return Band("go", "tick", self._say("end_round"), self._say("end_reason"), (self._pick(),))

    def _mismatch(self) -> Band:
        state = self._state
        chips, lights = (state.counted or 0) + len(state.coupons), len(state.wagers)
        sentence = self._say("mismatch", chips=chips, lights=lights)
        reason = self._say("mismatch_reason", seats=_listed(tuple(sorted(state.wagers)))) if lights else ""
        acts = (*self._act("explain", "explain"), *self._act("count_again", "recount"))
        return Band("stop", "octagon", sentence, reason or self._say("mismatch_dark"), acts)

    def _closed(self) -> Band:
        offer = self._find("open")
        why = offer is not None and self._offers[offer].refusal
        acts = () if why else self._act("open_table", "open", note=self._say("badge_or_pin"))
        return Band("idle", "padlock", self._say("closed"), _sentence(why) if why else self._say("closed_reason"), acts)

    def _open(self) -> Band:
        rules, state = self._rules, self._state
        lights = len(state.wagers)
        if state.closing:
            return Band("wait", "clock", self._say("closing"), self._say("closing_reason"))
        if not takes_chips(rules, state):
            return Band("stop", "plug", self._say("no_new_wagers"), self._say("finish_round"))
        broken = next((device for device, fault in state.faults.items() if fault.seat), "")
        if broken:
            fault = state.faults[broken]
            acts = self._act("test_again", "retest", device=broken)
            return Band(
                "stop",
                "plug",
                self._say("seat_out", seat=fault.seat),
                remedy(broken, fault, self._table_words),
                acts,
                fault.seat,
            )
        reason = self._say("open_by_eye" if rules.by_eye else "open_reason", number=lights)
        if seat := next_offered(rules, state.deal):
            acts = (
                *self._act("banks", "bank", says={"seat": seat}),
                *self._act("passes", "pass-bank", says={"seat": seat}),
            )
            return Band("go", "half", self._say("bank", seat=seat), reason, acts)
        return Band("go", "half", self._say("open"), reason, self._act("as_last_round", "as-last-round"))

    def _dealt(self) -> Band:
        rules, state = self._rules, self._state
        lights = len(state.wagers)
        begins = start(rules, state)
        first = self._say("first_cards", place=place_words(begins.position, self._table_words)) if begins else ""
        if rules.draws_by_press and state.number_drawn is None:
            return Band(
                "go", "disc", self._say("stacks"), self._say("stacks_reason"), self._act("number_act", "number")
            )
        if not lights:
            return Band("go", "tick", self._say("deal_alone"), first or self._say("deal_alone_reason"))
        counted = self._say("counted_reason", lights=lights)
        return Band("go", "tick", self._say("counted"), f"{first} {counted}".strip(), (self._pick(),))

    def _pick(self) -> BandAct:
        return BandAct(self._say("a_seat_wins"), self._say("tap_it"))

    def _paid(self, action: str, seat: int, amount: str, wager: str = "") -> tuple[BandAct, ...]:
        offer = self._find(action, seat=seat, wager=wager)
        label, note = self._say("paid", amount=amount), self._say("seat", seat=seat)
        return () if offer is None or self._offers[offer].refusal else (BandAct(label, note, offer),)

    def _act(
        self, key: str, action: str, *, note: str = "", says: dict[str, object] | None = None, **wanted: object
    ) -> tuple[BandAct, ...]:
        """The button of an offer that can be taken now, or nothing."""
        offer = self._find(action, **wanted)
        if offer is None or self._offers[offer].refusal:
            return ()
        return (BandAct(self._say(key, **(says or {})), note, offer),)

    def _find(self, action: str, **wanted: object) -> int | None:
        for number, offer in enumerate(self._offers):
            if offer.action == action and all(getattr(offer, name) == value for name, value in wanted.items()):
                return number
        return None

    def _what(self, claim: Claim) -> str:
        hand = self._hand(claim.hand)
        return hand if claim.wager == "progressive" else f"{self._words.wager(claim.wager)}: {hand}"

    def _hand(self, name: str) -> str:
        return self._words.hand(name)


class SeatTurn(Struct, frozen=True):
    """A seat in the round's questions: asked in this place (1: now), answered, or neither."""

    seat: int
    asked: int = 0
    answered: bool = False


def seat_turns(rules: TableRules, state: RoundState) -> Iterator[SeatTurn]:
    """The seats that are asked, in their order, and those that have answered that they win nothing from the meter."""
    act = act_of_meter(rules, state) if state.open_claims else None
    asked = act.seats if isinstance(act, AskSeats) else ()
    yield from (SeatTurn(seat, asked=turn) for turn, seat in enumerate(asked, start=1))
    yield from (SeatTurn(seat, answered=True) for seat in state.no_win)


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "." if words else ""
