"""Nights at a table: any order of events, with enough sense in them to reach every phase."""

from collections.abc import Callable

from hypothesis import strategies as st
from msgspec import Struct

from games.game import Irregularity
from games.money import part_up
from games.round import events
from games.round.layout import act_of_meter
from games.round.state import ClaimState, RoundState
from games.round.table_rules import TableRules
from games.settlement.walk import AskSeats
from tests.support.games.pit import FLOP, table_rules

# Per game: what the claimed cards may be, rack and meter, shared and envied, losing and impossible.
HANDS: dict[str, tuple[str, ...]] = {
    "texas-holdem-bonus": ("Ah Kh", "8h 9h", "2h 3h", "Kc Ad", "Tc Td", "4c 5d"),
    "caribbean-stud": ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "9c 8c 7c 6c 5c", "2d 2h 2s 2c 9d", "2d 4d 6d 8d Td", "3s"),
    "three-card-poker": ("As Ks Qs", "Ah Kh Qh", "5d 6d 7d", "9s 9h 9d", "4c 5h 6s", "2c 7c Jc"),
    "blackjack": ("As Ac As Ac", "Ah Ad Ah Ad", "Ah As Ad", "Ad Ad", "Ac Ah", "Kd As"),
    "pai-gow-poker": (
        "As Ks Qs Js Ts 2h 2d",
        "Ac Kc Qc Jc Tc Jk Td",
        "9h Th Jh Qh Kh 3c 2c",
        "8s 8h 8d 8c 2h 5d 5c",
        "6h 7h 8h 9h Qh Tc Qd",
        "2s 4h 5d 7c 9s Jh Kd",
    ),
}
HOLD_EM = table_rules("B", seats=4)
TABLES = (
    HOLD_EM,
    table_rules("base", name="caribbean-stud", seats=4),
    table_rules("A", name="three-card-poker", seats=4, offers=("six_card_bonus",)),
    table_rules(
        "B", name="three-card-poker", stake_cents=500, seats=4, by_eye=True, settlement="procedure_by_procedure"
    ),
    table_rules("base", name="blackjack", seats=4, decks=2, offers=("bonus",), names_will_do=True),
    table_rules("base", name="pai-gow-poker", stake_cents=500, seats=4, offers=("bonus", "insurance", "number")),
    table_rules("base", name="pai-gow-poker", seats=4, offers=("three_card_bonus", "seven_card_bonus", "insurance")),
)
DEALER = ("2s", "3d", "8c")
tables: st.SearchStrategy[TableRules] = st.sampled_from(TABLES)


class Intent(Struct, frozen=True):
    """Somebody wants something: what, where, and how clumsily (0 is right, more is off by so much)."""

    kind: str
    seat: int
    slip: int


def _asked(_rules: TableRules, state: RoundState, intent: Intent) -> events.Event:
    """The meter answers; an even seat finds it at $150, where a part of it is less than many an amount."""
    claim = next((claim for claim in state.claims if claim.state is ClaimState.ASKED), None)
    seq = (claim.award_seq if claim else 1) + intent.slip
    meter = 1_000_001 if intent.seat % 2 else 150_01
    amount = (claim.fixed_cents or part_up(meter, claim.percent_bp)) if claim else 1_234
    return events.AwardFixed(seq, amount, meter, max(meter - amount, 0))


def _seat(state: RoundState, intent: Intent) -> int:
    """The seat whose turn it is, or that shares it; a clumsy hand touches another one."""
    turn = next((claim.seat for claim in state.claims if claim.has_the_turn), intent.seat)
    return turn if intent.slip == 0 else intent.seat


def _claimed(rules: TableRules, state: RoundState, intent: Intent, *, other: int = 0) -> events.Event:
    """A seat that wagered and has not claimed yet; a clumsy hand takes any."""
    free = sorted(set(state.wagers) - {claim.seat for claim in state.claims})
    seat = free[-1 if other else 0] if free and not intent.slip else intent.seat
    hands = HANDS[rules.game.name]
    cards = hands[(intent.seat + other - 1) % len(hands)]
    return events.HandClaimed(seat, tuple(cards.split()), FLOP if rules.community_size else ())


def _named(rules: TableRules, _state: RoundState, intent: Intent) -> events.Event:
    names = (rules.pay_table.lines[0].hand, rules.pay_table.lines[-1].hand, "one_pair")
    return events.HandClaimed(intent.seat, hand=names[intent.slip], paid=intent.slip == 1, by="Dan")


def _grown(rules: TableRules, state: RoundState, intent: Intent) -> events.Event:
    """The hand of a seat with one more card; a clumsy hand forgets its first ones."""
    shown = state.cards.get(intent.seat, ("Ah",))
    return events.HandClaimed(intent.seat, (*shown[intent.slip :], "Ad"), FLOP if rules.community_size else ())


def _told(rules: TableRules, _state: RoundState, intent: Intent) -> events.Event:
    """A wager that the dealer sees on the layout; a clumsy hand puts it where it cannot lie."""
    names = [wager.name for wager in rules.layout_wagers] or ["bonus"]
    if intent.slip:
        return events.WagerPlaced(intent.seat, names[0], 5_00, number=intent.slip - 1)
    name = names[intent.seat % len(names)]
    return events.WagerPlaced(intent.seat, name, number=intent.seat if name == "number" else 0)


def _side(state: RoundState, intent: Intent) -> tuple[int, str]:
    """A seat and one of its side wagers; a clumsy hand names any."""
    lying = [(seat, name) for seat, side in state.side.items() for name in (*side.amounts, *side.numbers)]
    seat, name = lying[intent.seat % len(lying)] if lying and not intent.slip else (intent.seat, "bonus")
    return seat, name if isinstance(name, str) else "number"


def _side_claimed(rules: TableRules, state: RoundState, intent: Intent) -> events.Event:
    """A side wager that wins, by the name of its best hand, paid at once; or by the cards that all wagers look at."""
    seat, name = _side(state, intent)
    lines = rules.tables[name].lines if name in rules.tables else ()
    if intent.seat % 2:
        hand, is_priced = (lines[0].hand, True) if lines else ("blackjack", False)
        return events.HandClaimed(seat, hand=hand, wager=name, by="Dan", paid=is_priced)
    cards = tuple(HANDS[rules.game.name][intent.seat].split())
    own = cards[:3] if name == "three_card_bonus" else cards
    return events.HandClaimed(seat, own, wager=name, dealer=DEALER if name == "six_card_bonus" else ())


def _checked(_: TableRules, state: RoundState, intent: Intent) -> events.Event:
    """The meter agrees with what it was told, does not, or waits for an approval."""
    asked = [claim.seat for claim in state.claims if claim.validation_seq and not claim.is_agreed]
    seat = next(iter(asked), intent.seat)
    if intent.slip == 1:
        return events.ValidationRefused(seat, "the proof does not hold")
    return events.ValidationAccepted(seat, "two persons must approve it" if intent.slip else "")


def _no_win(rules: TableRules, state: RoundState, intent: Intent) -> events.Event:
    """What the dealer is asked before the meter is; a clumsy hand answers for any seat."""
    act = act_of_meter(rules, state)
    asked = act.seats if isinstance(act, AskSeats) and not intent.slip else (intent.seat,)
    return events.NoWinShown(asked, "Dan")


def _withdrawn(_rules: TableRules, state: RoundState, intent: Intent) -> events.Event:
    noted = [each.name for each in state.irregularities]
    return events.IrregularityWithdrawn(noted[-1] if noted and not intent.slip else "misdeal", "Sue")


def _envied(state: RoundState, intent: Intent) -> int:
    return state.envy_due[0].holder if state.envy_due and not intent.slip else intent.seat


def _payable(state: RoundState, intent: Intent) -> events.Event:
    """Anything that is to be paid; a clumsy hand pays any seat."""
    ready = [claim for claim in state.claims if claim.is_to_be_paid]
    if not ready or intent.slip:
        return events.PayoutConfirmed(intent.seat, "Dan")
    claim = ready[intent.seat % len(ready)]
    return events.PayoutConfirmed(claim.seat, "Dan", claim.wager)


def _shown(rules: TableRules, _state: RoundState, intent: Intent) -> events.Event:
    return events.HandShown(intent.seat, tuple(HANDS[rules.game.name][intent.slip].split()))


def _closed(rules: TableRules, state: RoundState, _intent: Intent) -> events.Event:
    """The dealer's first press."""
    return events.ChipsAttested(state.chips_due) if rules.by_eye else events.LockOutPressed()


def _void(rules: TableRules, state: RoundState, intent: Intent, voids: str) -> str:
    """An irregularity of the game that voids so much and may happen by now; a clumsy hand names any other."""
    known = rules.game.irregularities
    is_early = state.is_taking_wagers or state.is_to_be_counted
    fitting = [each.name for each in known if each.voids == voids and not (is_early and each.earliest == "dealt")]
    if fitting and not intent.slip:
        return fitting[intent.seat % len(fitting)]
    return [*known, Irregularity("nonsense", "", "round")][-intent.slip].name


def _coupon_answered(state: RoundState, intent: Intent) -> events.Event:
    """The meter answers the first coupon that it was asked for; a clumsy one refuses it."""
    asked = next((coupon.seq for coupon in state.asked_coupons.values()), 1)
    return events.CouponRefused(asked, "redeemed at T2") if intent.slip == 1 else events.CouponAccepted(asked)


KINDS: dict[str, Callable[[TableRules, RoundState, Intent], events.Event]] = {
    "chip": lambda _, __, intent: events.ChipPlaced(intent.seat),
    "another chip": lambda _, __, intent: events.ChipPlaced(intent.seat),
    "lift": lambda _, __, intent: events.ChipLifted(intent.seat),
    "coupon": lambda _, __, intent: events.CouponRedeemed(intent.seat, f"C{intent.slip}"),
    "coupon answered": lambda _, state, intent: _coupon_answered(state, intent),
    "coupon back": lambda _, __, intent: events.CouponReturned(intent.seat),
    "lock": _closed,
    "a word": lambda _, state, intent: events.ChipsAttested(state.chips_due + intent.slip),
    "start": lambda _, __, intent: events.CollectionStarted("xy"[intent.slip % 2], intent.seat),
    "returned": lambda _, state, __: events.ChipsReturned(state.returned + 1),
    "late chip": lambda _, __, intent: events.ChipPlaced(intent.seat),
    "count": lambda _, state, intent: events.ChipsCounted(state.chips_due + intent.slip),
    "recount": lambda _, __, ___: events.RecountAsked("Dan"),
    "explain": lambda _, __, intent: events.MismatchExplained("Sue", "found", (intent.seat,) if intent.slip else ()),
    "registered": lambda _, state, intent: events.WagersRegistered(state.wagers_seq + intent.slip),
    "side wager": _told,
    "side back": lambda _, state, intent: events.WagerTakenBack(*_side(state, intent)),
    "as last round": lambda _, __, ___: events.WagersRepeated("Dan"),
    "no base": lambda _, __, intent: events.BaseWagerMissed(intent.seat, "Dan"),
    "base": lambda _, state, intent: events.BaseWagerLaid(next(iter(state.baseless), intent.seat), "Dan"),
    "number": lambda _, __, intent: events.NumberDrawn(intent.seat + 4 * intent.slip, "Dan"),
    "display": lambda _, state, intent: events.BonusDisplayed(
        _side(state, intent)[0], 0 if intent.slip > 1 else 50_00, "Dan"
    ),
    "claim side": _side_claimed,
    "grow": _grown,
    "no win": _no_win,
    "validate envy": lambda _, state, intent: events.ClaimValidated(_envied(state, intent), "Sue", "envy"),
    "withdrawn": _withdrawn,
    "one player": lambda _, __, intent: events.AreasHeld((intent.seat, intent.seat + 1 + intent.slip)),
    "fold": lambda _, __, intent: events.SeatFolded(intent.seat),
    "fold corrected": lambda _, __, intent: events.FoldCorrected(intent.seat, "Sue"),
    "claim": _claimed,
    "claim other": lambda rules, state, intent: _claimed(rules, state, intent, other=1 + intent.slip),
    "claim by name": _named,
    "show": _shown,
    "fixed": _asked,
    "all shown": lambda _, __, ___: events.HandsAllShown("Dan"),
    "validate": lambda _, state, intent: events.ClaimValidated(_seat(state, intent), "Sue"),
    "validate share": lambda _, __, intent: events.ClaimValidated(intent.seat, "Sue"),
    "checked": _checked,
    "reject": lambda _, state, intent: events.ClaimRejected(_seat(state, intent), "Sue", "no"),
    "pay": lambda _, state, intent: events.PayoutConfirmed(_seat(state, intent), "Dan"),
    "pay any": lambda _, state, intent: _payable(state, intent),
    "pay envy": lambda _, state, intent: events.EnvyPaid(
        state.envy_due[0].seat if state.envy_due and not intent.slip else intent.seat, "Dan"
    ),
    "papers": lambda _, state, intent: events.PapersCompleted(next(iter(state.papers_due), intent.seat), "Dan"),
    "void round": lambda rules, state, intent: events.IrregularityNoted(_void(rules, state, intent, "round"), "Sue"),
    "misdeal": lambda _, __, intent: (
        events.IrregularityNoted("misdeal", "Sue") if intent.slip == 2 else events.PanelUsed("Sue", "look")
    ),
    "void seat": lambda rules, state, intent: events.IrregularityNoted(
        _void(rules, state, intent, "seats"), "Sue", (intent.seat,)
    ),
    "nothing void": lambda rules, state, intent: events.IrregularityNoted(
        _void(rules, state, intent, "nothing"), "Sue"
    ),
    "refund": lambda _, __, ___: events.RefundsConfirmed("Dan"),
    "end": lambda _, __, ___: events.EndOfRoundPressed(),
    "next": lambda _, __, ___: events.RoundOpened(),
    "close": lambda _, __, intent: (
        events.CloseAsked("Sue", "night") if intent.slip else events.TableClosed("Sue", "night")
    ),
    "open": lambda _, __, ___: events.TableOpened("Ann"),
    "key": lambda _, __, intent: events.SupervisorKeyTurned(on=intent.slip == 0),
    "fault": lambda _, __, intent: (
        events.DeviceFaulted("return device", "jam", "clear it")
        if intent.slip
        else events.DeviceFaulted(f"seat {intent.seat} acceptor", "stuck", "beam", intent.seat)
    ),
    "mend": lambda _, state, __: events.DeviceMended(next(iter(state.faults), "nothing")),
    "held": lambda _, __, intent: events.AwardsHeld("management decides") if intent.slip else events.AwardsFreed(),
    "link lost": lambda _, __, ___: events.LinkLost("gone"),
    "link back": lambda _, __, ___: events.LinkRestored(),
}
# A round as it goes, and how often each step is tried at least and at most; noise may fall anywhere in it.
ROUND: dict[str, tuple[int, int]] = {
    "as last round": (0, 1),
    "chip": (1, 3),
    "side wager": (0, 3),
    "side back": (0, 1),
    "side wager again": (0, 1),
    "no base": (0, 1),
    "lock": (1, 1),
    "late chip": (0, 1),
    "misdeal": (0, 1),
    "count": (1, 2),
    "registered": (1, 1),
    "nothing void": (0, 1),
    "withdrawn": (1, 1),
    "number": (0, 1),
    "claim side": (0, 2),
    "fold": (0, 1),
    "claim": (0, 2),
    "claim other": (0, 2),
    "show": (0, 2),
    "display": (0, 1),
    "no win": (0, 1),
    "all shown": (0, 1),
    "fixed": (1, 2),
    "validate share": (0, 2),
    "validate": (1, 2),
    "checked": (1, 3),
    "pay": (1, 2),
    "no win again": (0, 1),
    "fixed again": (0, 1),
    "validate again": (0, 1),
    "checked again": (0, 1),
    "pay again": (0, 2),
    "pay any": (0, 3),
    "papers": (0, 2),
    "validate envy": (0, 1),
    "pay envy": (0, 3),
    "refund": (0, 1),
    "end": (1, 1),
    "close": (0, 1),
    "next": (1, 1),
    "open": (1, 1),
}

_seats = st.integers(1, 4)
_slips = st.sampled_from([0, 0, 0, 0, 1, 2])
_TROUBLE = st.sampled_from(["void round", "void seat", "withdrawn", "reject", "explain"])
_noise = st.lists(st.builds(Intent, st.one_of(_TROUBLE, st.sampled_from(sorted(KINDS))), _seats, _slips), max_size=3)
_steps = st.tuples(
    *(
        st.lists(st.builds(Intent, st.just(kind.removesuffix(" again")), _seats, _slips), min_size=least, max_size=most)
        for kind, (least, most) in ROUND.items()
    )
).map(lambda parts: [intent for part in parts for intent in part])
_rounds = st.builds(lambda steps, cut, noise: [*steps[:cut], *noise, *steps[cut:]], _steps, st.integers(2, 24), _noise)
nights: st.SearchStrategy[list[Intent]] = st.lists(_rounds, min_size=1, max_size=2).map(
    lambda parts: [intent for part in parts for intent in part]
)


def happen(state: RoundState, intent: Intent, rules: TableRules = HOLD_EM) -> events.Event:
    """The event that an intent becomes at this book."""
    return KINDS[intent.kind](rules, state, intent)
