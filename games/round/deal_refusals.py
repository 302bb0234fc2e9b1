"""Why a bank, a start position, a stub or a won base wager is refused."""

from collections.abc import Mapping
from typing import Final

from games.cards import how_many
from games.money import dollars
from games.refusal import Refusal
from games.round.claims import spoken
from games.round.deal import bank_offers, has_bank, house_choices
from games.round.events import (
    BankGivenBack,
    BankPassed,
    BankTaken,
    BaseWagerWon,
    CentreCounted,
    DiceTotalled,
    Event,
    HouseWayAsked,
    StubCounted,
)
from games.round.state import RoundState
from games.round.table_rules import TableRules
from games.round.wager_refusals import MOST_CENTS, Check, no_such_seat
from games.showdown.input import InputFault
from games.showdown.pai_gow.bank import Candidate, bank_refusal, settle_centre
from games.showdown.pai_gow.deck import DECK_SIZE, HAND_SIZE, POSITIONS, stub_size
from games.showdown.pai_gow.hands import HandAsked, read_hands

_DIE: Final = range(1, 7)
_CENTRE_CENTS: Final = 10 * MOST_CENTS


def _no_bank(rules: TableRules, state: RoundState) -> Refusal | None:
    deal = state.deal
    if not has_bank(rules):
        return Refusal("players do not bank at this table", "11.10(a)")
    if deal.bank is not None:
        return Refusal(f"seat {deal.bank.seat} banks this round", "11.10(c)")
    if deal.rounds <= 1:
        return Refusal("no player banks the first round after the shuffle that opens the table", "11.10(b)")
    if not bank_offers(rules, deal):
        return Refusal("the offer has returned to the dealer; nobody banks this round", "11.10(c)")
    return None


def _pass(rules: TableRules, state: RoundState, event: BankPassed) -> Refusal | None:
    unknown = sorted(set(event.seats) - set(rules.seats))
    if not event.seats:
        return Refusal("name the seats that pass the bank on")
    if unknown:
        return no_such_seat(rules, unknown[0])
    known = next((seat for seat in event.seats if seat in state.deal.passed), None)
    again = Refusal(f"seat {known} has passed the bank on already", "11.10(c)") if known else None
    return _no_bank(rules, state) or again


def _take(rules: TableRules, state: RoundState, event: BankTaken) -> Refusal | None:
    return (
        no_such_seat(rules, event.seat)
        or _no_bank(rules, state)
        or _unfit(state, event)
        or _out_of_turn(rules, state, event.seat)
        or _dealer_wager(rules, event)
    )


def _unfit(state: RoundState, event: BankTaken) -> Refusal | None:
    amounts = (event.chips_cents, event.others_cents, event.last_wager_cents, event.dealer_wager_cents)
    if not all(0 <= cents <= _CENTRE_CENTS for cents in amounts):
        return Refusal(f"write amounts up to {dollars(_CENTRE_CENTS)}")
    candidate = Candidate(
        seat=event.seat,
        banked_last_round=event.seat == state.deal.banked_last,
        last_wager_cents=0 if event.seat in state.deal.unwagered else event.last_wager_cents,
        chips_cents=event.chips_cents,
        areas=next((len(areas) for areas in state.areas if event.seat in areas), 1),
    )
    return bank_refusal(candidate, event.others_cents, first_round=False)


def _out_of_turn(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    """The bank is offered from the dealer's right, each seat before this one has passed it on."""
    order, passed = bank_offers(rules, state.deal), state.deal.passed
    if seat in passed:
        return Refusal(f"seat {seat} has passed the bank on", "11.10(c)")
    before = [other for other in order[: order.index(seat)] if other not in passed]
    if not before:
        return None
    first = f"seat{'s' if len(before) > 1 else ''} {', '.join(map(str, before))}"
    words = f"a bank out of turn: {first} come{'' if len(before) > 1 else 's'} before seat {seat}"
    return Refusal(f"{words}; offer it there, and enter that they pass", "11.10(c)")


def _dealer_wager(rules: TableRules, event: BankTaken) -> Refusal | None:
    if event.co_bank and rules.choice("player_bank") != "co_bank":
        return Refusal("this house does not cover half of a bank", "11.10(e)")
    if event.co_bank and event.dealer_wager_cents:
        return Refusal("a dealer who is co-banking may not wager against the bank", "11.10(e)")
    if event.dealer_wager_cents > event.last_wager_cents:
        most = dollars(event.last_wager_cents)
        return Refusal(f"the dealer wagers at most {most}, the bank's last wager against the dealer", "11.10(g)")
    return None


def _give_back(_: TableRules, state: RoundState, __: BankGivenBack) -> Refusal | None:
    is_begun = state.deal.bank is not None or state.deal.passed
    return None if is_begun else Refusal("nobody has taken the bank or passed it on")


def _dice(rules: TableRules, _: RoundState, event: DiceTotalled) -> Refusal | None:
    if rules.start != "dice":
        return Refusal("no dice say where the deal starts at this table", "11.4(a)")
    return None if all(die in _DIE for die in event.dice) else Refusal("a die shows 1 to 6", "11.4(a)1")


def _stub(rules: TableRules, _: RoundState, event: StubCounted) -> Refusal | None:
    if not rules.leaves_stub:
        return Refusal("no stub is counted at this table", "11.17(h)")
    if rules.choice("stub") == "shuffler_counts":
        return Refusal("the shuffler counts the deck of this table", "11.17(i)")
    if event.hands not in range(2, POSITIONS + 1):
        return Refusal(f"2 to {POSITIONS} hands were dealt, the dealer's among them", "11.17(h)")
    if event.cards == stub_size(event.hands):
        return None
    found = event.cards + HAND_SIZE * event.hands
    words = f"{how_many(event.cards)} and {event.hands} hands of {HAND_SIZE} make {found}, not {DECK_SIZE}"
    then = "count again, or call the supervisor: all hands are void by a misdeal or a faulty deck"
    return Refusal(f"{words}: {then}", "11.17(h)2")


def _house_way(rules: TableRules, state: RoundState, event: HouseWayAsked) -> Refusal | None:
    if not rules.game.sets_hands:
        return Refusal(f"no hand is set in {rules.game.title}")
    if event.seat not in (0, *rules.seats):
        return no_such_seat(rules, event.seat)
    read = read_hands({"hand": HandAsked(event.cards)})
    if isinstance(read, InputFault):
        return Refusal(read.problem, "11.9(d)")
    lying = {seat: cards for seat, cards in (state.deal.set_cards | state.cards).items() if seat != event.seat}
    for seat, cards in lying.items():
        twice = next((card for card in event.cards if card in cards), None)
        if twice:
            return Refusal(f"{twice} lies at {f'seat {seat}' if seat else 'the dealer'}", "11.2(a)")
    return None


def _won(rules: TableRules, state: RoundState, event: BaseWagerWon) -> Refusal | None:
    if not rules.game.sets_hands:
        return Refusal(f"the dealer settles the {spoken(rules.base_wager.name)} of {rules.game.title} on the layout")
    if event.seat not in rules.seats:
        return no_such_seat(rules, event.seat)
    if event.seat in (*state.baseless, *state.folded, *state.voided):
        return Refusal(f"seat {event.seat} has no {spoken(rules.base_wager.name)} wager that could win", "11.9(i)")
    if not 0 < event.cents <= MOST_CENTS:
        return Refusal(f"write an amount up to {dollars(MOST_CENTS)}")
    return None


def _centre(rules: TableRules, state: RoundState, event: CentreCounted) -> Refusal | None:
    bank = state.deal.bank
    if bank is None:
        return Refusal("nobody banks this round: the dealer pays from the rack", "11.10(l)")
    if not all(0 <= cents <= _CENTRE_CENTS for cents in (event.lost_cents, event.won_cents)):
        return Refusal(f"write amounts up to {dollars(_CENTRE_CENTS)}")
    rounding = house_choices(rules).vigorish
    due = settle_centre(event.lost_cents, event.won_cents, rounding, co_bank=bank.co_bank).from_bank_cents
    if due <= bank.chips_cents:
        return None
    words = f"the bank would owe {dollars(due)} and has {dollars(bank.chips_cents)}"
    return Refusal(f"{words}: pay the players first, the dealer's wager of what is left", "11.10(d)2")


DEAL_CHECKS: Final[Mapping[type[Event], Check]] = {
    BankPassed: _pass,
    BankTaken: _take,
    BankGivenBack: _give_back,
    DiceTotalled: _dice,
    StubCounted: _stub,
    HouseWayAsked: _house_way,
    BaseWagerWon: _won,
    CentreCounted: _centre,
}
