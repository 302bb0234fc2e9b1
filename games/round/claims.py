"""Claims: what the hands at a seat are, and every wager that wins with them."""

from collections.abc import Iterator

from msgspec.structs import replace

from games.cards import Card, CardFault, parse_cards
from games.game import Wager
from games.money import Cents
from games.paytable import PayLine, Percent
from games.refusal import Refusal, because
from games.round.events import HandClaimed, HandShown
from games.round.layout import layout
from games.round.state import Claim, ClaimState, Envy, RoundState
from games.round.table_rules import TableRules
from games.settlement.order import Turn, turns
from games.settlement.played_round import FIRST_THREE, PlayedRound
from games.settlement.settle import Won, limited, needs_validation, row, rule_of
from games.settlement.till import WHOLE, row_paid, worth


def hands_claimed(rules: TableRules, state: RoundState, event: HandClaimed) -> frozenset[str] | Refusal:
    """Every hand that the claimed cards are for this wager, or the one that was named; or why it cannot be."""
    wager = wager_called(rules, event.wager)
    if wager is None:
        return unknown_wager(rules, event.wager)
    if not event.cards:
        named = frozenset({event.hand}) if event.hand else None
        return named or because("show_or_name", rules.clause("hand"))
    cards = cards_of(rules, state, event)
    if isinstance(cards, Refusal):
        return cards
    made = wager.hands(cards)
    if event.hand and not made:
        return because("cards_are_not", rules.clause("hand"), hand=event.hand)
    if event.hand and event.hand not in made:
        return because("cards_are", rules.clause("hand"), hands=tuple(sorted(made)), hand=event.hand)
    return made


def wager_called(rules: TableRules, name: str) -> Wager | None:
    """The wager of this name that this table pays, as the house's choices make it; or None."""
    return layout(rules, RoundState()).wager(name) if rules.is_offered(name) and name != "envy" else None


def unknown_wager(rules: TableRules, name: str) -> Refusal:
    """Why a wager of this name cannot be placed or won here."""
    known = tuple(wager.name for wager in (rules.wager, *rules.layout_wagers))
    return because("unknown_wager", wager=name, wagers=known)


def cards_of(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> tuple[Card, ...] | Refusal:
    """The cards that decide this seat's wager, or why they cannot lie there."""
    wager = wager_called(rules, event.wager) if isinstance(event, HandClaimed) else rules.envy
    assert wager is not None
    own, size, more = len(event.cards), rules.game.hand_size, rules.game.hand_grows
    size = FIRST_THREE if wager.sees == "own_first_three" else size
    if own < size or (own > size and not more):
        key = "show_at_least" if more else "show_exactly"
        return because(key, rules.clause("hand"), seat=event.seat, wanted=size, shown=own)
    middle = _middle(rules, state, event if isinstance(event, HandClaimed) else HandClaimed(event.seat), wager)
    if isinstance(middle, Refusal):
        return middle
    counted = middle.pop(wager.sees, ())
    words = (*event.cards, *counted, *(word for cards in middle.values() for word in cards), *_elsewhere(state, event))
    seen = parse_cards(words, joker=rules.game.joker, decks=rules.decks)
    if isinstance(seen, CardFault):
        return because("seat_cards_impossible", rules.clause("hand"), seat=event.seat, fault=seen.problem)
    return seen[: own + len(counted)]


def _middle(
    rules: TableRules, state: RoundState, event: HandClaimed, wager: Wager
) -> dict[str, tuple[str, ...]] | Refusal:
    """The flop and the dealer's cards by the kind of wager that looks at them: told once a round, the same for all."""
    looked_at = {each.sees for name in rules.tables if (each := wager_called(rules, name))}
    middle = dict[str, tuple[str, ...]]()
    for sees, whose, size, told, known in (
        ("own_and_flop", "community", FIRST_THREE, tuple(event.community), state.community),
        ("own_and_dealer", "dealer", rules.game.hand_size, tuple(event.dealer), state.dealer),
    ):
        if told and sees not in looked_at:
            return because("not_looked_at", rules.clause("hand"), whose=whose)
        if told and known and told != known:
            return because("other_middle_cards", rules.clause("hand"), whose=whose, cards=known)
        cards = told or known
        if len(cards) != size and (cards or wager.sees == sees):
            rule, shown = rules.clause("hand"), len(cards)
            return because("show_middle_cards", rule, seat=event.seat, wanted=size, whose=whose, shown=shown)
        middle[sees] = cards
    return middle


def _elsewhere(state: RoundState, event: HandClaimed | HandShown) -> tuple[str, ...]:
    """The cards of everybody else that were written down this round, the dealer's hands among them."""
    others = tuple(word for other, cards in state.cards.items() if other != event.seat for word in cards)
    return (*others, *state.dealer_hands)


def unpaid(rules: TableRules, event: HandClaimed, hands: frozenset[str]) -> Refusal | None:
    """Why none of these hands is paid on this wager, or None."""
    if line_claimed(rules, event.wager, hands) or (event.wager not in rules.tables and hands):
        return None
    if not hands:
        return because("hand_pays_nothing", rules.clause("hand"), seat=event.seat)
    return because("pays_nothing", rules.clause("hand"), seat=event.seat, hands=tuple(sorted(hands)))


def line_claimed(rules: TableRules, name: str, hands: frozenset[str]) -> PayLine | None:
    """The row that these hands win on this wager at an ample meter, or None."""
    wager, table = wager_called(rules, name), rules.tables.get(name)
    return row_paid(wager, table, hands, meter_cents=None) if wager and table else None


def wins_all(rules: TableRules, name: str, hands: frozenset[str]) -> bool:
    """Whether these hands win the whole meter, and share it where the game says so."""
    line = line_claimed(rules, name, hands)
    return line is not None and line.pay == WHOLE


def written_down(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> RoundState:
    """The state with the cards, or the hand's name, of a lawful claim; what the dealer said of the seat is void."""
    state = replace(state, no_win=tuple(seat for seat in state.no_win if seat != event.seat))
    if isinstance(event, HandClaimed) and event.cards:
        state = replace(
            state,
            community=tuple(event.community) or state.community,
            dealer=tuple(event.dealer) or state.dealer,
        )
    named = dict(state.named.get(event.seat, {}))
    if isinstance(event, HandClaimed) and (not event.cards or _is_part(rules, event)):
        named[event.wager] = _name_of(rules, state, event) if event.cards else event.hand
        return replace(state, named=state.named | {event.seat: named})
    early = {wager.name for wager in rules.layout_wagers if wager.sees == "own_first_three"}
    kept = {name: hand for name, hand in named.items() if name in early or state.is_paid(event.seat, name)}
    return replace(state, cards=state.cards | {event.seat: tuple(event.cards)}, named=state.named | {event.seat: kept})


def _is_part(rules: TableRules, event: HandClaimed) -> bool:
    """Whether the cards shown are only the first three of a longer hand."""
    return not rules.game.hand_grows and len(event.cards) < rules.game.hand_size


def _name_of(rules: TableRules, state: RoundState, event: HandClaimed) -> str:
    hands = hands_claimed(rules, state, event)
    assert not isinstance(hands, Refusal)
    line = line_claimed(rules, event.wager, hands)
    assert line is not None
    return line.hand


def with_lines(rules: TableRules, state: RoundState) -> RoundState:
    """The state with a claim for every wager that wins by what is known, and the envy bonuses that are owed.

    What the meter was asked for, and what was paid, stands as it is.
    """
    played = layout(rules, state)
    won: list[Won] = [*(claim for claim in state.claims if claim.state is ClaimState.PAID), *_paid_envy(state)]
    envy: list[Envy] = list(_paid_envy(state))
    for turn in turns(played):
        if turn.holder:
            envy.extend(_owed(state, played, turn, won))
            continue
        known = state.claim(turn.seat.number, turn.wager.name)
        if known is not None and known.state is ClaimState.REJECTED:
            known = None
        line = row(played, turn, known.priced_at_cents if known else None)
        if line is None or (known is not None and (known.award_seq or known.state is ClaimState.PAID)):
            continue
        claim = _priced(rules, state, played, turn, line, won)
        state = state.with_claim(claim)
        won.append(claim)
    return replace(state, claims=tuple(_standing(rules, state, played)), envy=tuple(envy))


def _standing(rules: TableRules, state: RoundState, played: PlayedRound) -> Iterator[Claim]:
    """The claims without those that a card of the dealer's made, and another card in its place does not make."""
    insurances = {wager.name for wager in rules.layout_wagers if wager.dealer_hand}
    winners = {(turn.seat.number, turn.wager.name) for turn in turns(played) if insurances and turn.hands}
    for claim in state.claims:
        is_made = claim.wager not in insurances or (claim.seat, claim.wager) in winners
        if is_made or claim.state is ClaimState.PAID:
            yield claim


def _paid_envy(state: RoundState) -> Iterator[Envy]:
    return (envy for envy in state.envy if envy.paid_by)


def _owed(state: RoundState, played: PlayedRound, turn: Turn, won: list[Won]) -> Iterator[Envy]:
    """What this turn is owed for a hand of another, and was not paid yet."""
    line, seat = row(played, turn, None), turn.seat.number
    is_paid = any((envy.seat, envy.holder) == (seat, turn.holder) for envy in _paid_envy(state))
    if line is None or is_paid:
        return
    amount, limit = limited(played, turn, worth(line.pay, 0, turn.stake_cents), won)
    owed = Envy(seat, turn.holder, line.hand, amount, rule_of(played, turn, line, limit))
    won.append(owed)
    yield owed


def _priced(
    rules: TableRules, state: RoundState, played: PlayedRound, turn: Turn, line: PayLine, won: list[Won]
) -> Claim:
    """The claim of a turn at the row that pays it; what the rack pays alone is to be paid at once."""
    seat, wager = turn.seat.number, turn.wager
    known = state.claim(seat, wager.name)
    old = known if known is not None and known.state is not ClaimState.REJECTED else Claim(seat, wager.name)
    validation = needs_validation(rules.game, wager, line)
    amount, limit = (0, "") if line.deducted else limited(played, turn, _worth(turn, line), won)
    fixed = 0 if isinstance(line.pay, Percent) else _worth(turn, line)
    same = (old.hand, old.amount_cents) == (line.hand, amount)
    is_validated = same and bool(old.validated_by)
    ready = ClaimState.FIXED if validation and not is_validated else ClaimState.VALIDATED
    return replace(
        old,
        hand=line.hand,
        cards=state.cards.get(seat, ()),
        community=state.community if wager.sees == "own_and_flop" else (),
        percent_bp=line.pay.bp if isinstance(line.pay, Percent) else 0,
        fixed_cents=fixed,
        deducted=line.deducted,
        validation=validation,
        source=rules.game.source(line),
        rule=rule_of(played, turn, line, limit),
        state=ClaimState.WAITING if line.deducted else ready,
        amount_cents=amount,
        validated_by=old.validated_by if is_validated else "",
        slip=old.slip if same else 0,
    )


def _worth(turn: Turn, line: PayLine) -> Cents:
    return worth(line.pay, 0, turn.stake_cents, turn.wager.pays_whole_cents)


def spoken(hand: str) -> str:
    """A hand's name as people say it."""
    return hand.replace("_", " ")
