"""Claims: which hands win, and what they win."""

from msgspec.structs import replace

from games.cards import Card, CardFault, parse_cards
from games.money import Cents
from games.paytable import Pay, Percent
from games.refusal import Refusal
from games.round.events import HandClaimed, HandShown
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules
from games.settlement.till import WHOLE, row_paid, worth


def hands_claimed(rules: TableRules, state: RoundState, event: HandClaimed) -> frozenset[str] | Refusal:
    """Every hand that the claimed cards are, or the one that was named; or why it cannot be."""
    if not event.cards:
        named = frozenset({event.hand}) if event.hand else None
        return named or Refusal("show the cards or name the hand", rules.clause("hand"))
    cards = cards_of(rules, state, event)
    if isinstance(cards, Refusal):
        return cards
    made = rules.wager.hands(cards)
    if event.hand and event.hand not in made:
        return Refusal(f"the cards are {_any_of(made)}, not {spoken(event.hand)}", rules.clause("hand"))
    return made


def cards_of(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> tuple[Card, ...] | Refusal:
    """The cards that decide this seat's wager, or why they cannot lie there."""
    community = (tuple(event.community) if isinstance(event, HandClaimed) else ()) or state.community
    if state.community and community != state.community:
        return Refusal(f"the community cards of this round are {' '.join(state.community)}", rules.clause("hand"))
    own, size, more = len(event.cards), rules.game.hand_size, rules.game.hand_grows
    if own < size or (own > size and not more) or len(community) != rules.community_size:
        flop = f" and {rules.community_size} of the flop" if rules.community_size else ""
        wanted = f"{'at least ' if more else ''}{size} cards{flop}"
        return Refusal(f"seat {event.seat}: show {wanted}, not {own} and {len(community)}", rules.clause("hand"))
    words = (*event.cards, *community, *_shown_elsewhere(state, event.seat))
    seen = parse_cards(words, joker=rules.game.joker, decks=rules.decks)
    if isinstance(seen, CardFault):
        return Refusal(f"seat {event.seat}: {seen.problem}", rules.clause("hand"))
    return seen[: own + len(community)]


def unpaid(rules: TableRules, seat: int, hands: frozenset[str]) -> Refusal | None:
    """Why none of these hands is paid, or None."""
    if row_paid(rules.wager, rules.pay_table, hands, meter_cents=None):
        return None
    return Refusal(f"seat {seat}: {_any_of(hands)} pays nothing", rules.clause("hand"))


def wins_all(rules: TableRules, hands: frozenset[str]) -> bool:
    """Whether these hands win the whole meter, and share it where the game says so."""
    line = row_paid(rules.wager, rules.pay_table, hands, meter_cents=None)
    return line is not None and line.pay == WHOLE


def new_claim(rules: TableRules, state: RoundState, event: HandClaimed) -> Claim:
    """The claim that a lawful event makes; what the meter holds is not known yet, so it is taken for ample."""
    hands = hands_claimed(rules, state, event)
    assert not isinstance(hands, Refusal)
    community = tuple(event.community) or state.community
    claim = Claim(event.seat, cards=tuple(event.cards), community=community, hands=tuple(sorted(hands)))
    return priced(rules, claim, meter_cents=None)


def priced(rules: TableRules, claim: Claim, meter_cents: Cents | None) -> Claim:
    """The claim at the row that pays its cards most at this meter, or at an ample one."""
    line = row_paid(rules.wager, rules.pay_table, frozenset(claim.hands), meter_cents=meter_cents)
    assert line is not None
    return replace(
        claim,
        hand=line.hand,
        percent_bp=line.pay.bp if isinstance(line.pay, Percent) else 0,
        fixed_cents=_amount(line.pay, rules.stake_cents),
        deducted=line.deducted,
        validation=rules.game.must_be_validated(line),
        source=rules.game.source(line),
        rule=line.rule,
    )


def spoken(hand: str) -> str:
    """A hand's name as people say it."""
    return hand.replace("_", " ")


def _shown_elsewhere(state: RoundState, seat: int) -> tuple[str, ...]:
    """The cards of every other hand that stands: a rejected one may have been misread."""
    standing = {claim.seat: claim.cards for claim in state.claims if claim.state is not ClaimState.REJECTED}
    shown = {holder: hand.cards for holder, hand in state.shown.items()}
    return tuple(word for other, cards in (shown | standing).items() if other != seat for word in cards)


def _any_of(hands: frozenset[str]) -> str:
    return " or ".join(map(spoken, sorted(hands))) or "this hand"


def _amount(pay: Pay, stake_cents: Cents) -> Cents:
    """What a row pays that is no part of the meter."""
    return 0 if isinstance(pay, Percent) else worth(pay, 0, stake_cents)
