"""Why a bank, a start position, a stub or a won base wager is refused."""

from collections.abc import Mapping
from typing import Final

from games.refusal import Refusal, Value, because
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
        return because("no_player_bank", "11.10(a)")
    if deal.bank is not None:
        return because("bank_taken", "11.10(c)", seat=deal.bank.seat)
    if deal.rounds <= 1:
        return because("bank_first_round", "11.10(b)")
    if not bank_offers(rules, deal):
        return because("bank_offer_returned", "11.10(c)")
    return None


def _pass(rules: TableRules, state: RoundState, event: BankPassed) -> Refusal | None:
    unknown = sorted(set(event.seats) - set(rules.seats))
    if not event.seats:
        return because("name_passing_seats")
    if unknown:
        return no_such_seat(rules, unknown[0])
    known = next((seat for seat in event.seats if seat in state.deal.passed), None)
    again = because("passed_already", "11.10(c)", seat=known) if known else None
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
        return because("write_amount", most=_CENTRE_CENTS)
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
        return because("passed_on", "11.10(c)", seat=seat)
    before = [other for other in order[: order.index(seat)] if other not in passed]
    if not before:
        return None
    return because("bank_out_of_turn", "11.10(c)", before=tuple(before), seat=seat)


def _dealer_wager(rules: TableRules, event: BankTaken) -> Refusal | None:
    if event.co_bank and rules.choice("player_bank") != "co_bank":
        return because("no_co_bank_here", "11.10(e)")
    if event.co_bank and event.dealer_wager_cents:
        return because("co_bank_wagers", "11.10(e)")
    if event.dealer_wager_cents > event.last_wager_cents:
        return because("dealer_wager_most", "11.10(g)", most=event.last_wager_cents)
    return None


def _give_back(_: TableRules, state: RoundState, __: BankGivenBack) -> Refusal | None:
    is_begun = state.deal.bank is not None or state.deal.passed
    return None if is_begun else because("bank_not_begun")


def _dice(rules: TableRules, _: RoundState, event: DiceTotalled) -> Refusal | None:
    if rules.start != "dice":
        return because("no_dice_here", "11.4(a)")
    return None if all(die in _DIE for die in event.dice) else because("die_range", "11.4(a)1")


def _stub(rules: TableRules, _: RoundState, event: StubCounted) -> Refusal | None:
    if not rules.leaves_stub:
        return because("no_stub_here", "11.17(h)")
    if rules.choice("stub") == "shuffler_counts":
        return because("shuffler_counts", "11.17(i)")
    if event.hands not in range(2, POSITIONS + 1):
        return because("stub_hands", "11.17(h)", most=POSITIONS)
    if event.cards == stub_size(event.hands):
        return None
    found = event.cards + HAND_SIZE * event.hands
    counted: dict[str, Value] = {"cards": event.cards, "hands": event.hands, "found": found}
    return because("stub_wrong", "11.17(h)2", size=HAND_SIZE, deck=DECK_SIZE, **counted)


def _house_way(rules: TableRules, state: RoundState, event: HouseWayAsked) -> Refusal | None:
    if not rules.game.sets_hands:
        return because("no_hand_is_set", game=rules.game.name)
    if event.seat not in (0, *rules.seats):
        return no_such_seat(rules, event.seat)
    read = read_hands({"hand": HandAsked(event.cards)})
    if isinstance(read, InputFault):
        return because("cards_impossible", "11.9(d)", fault=read.problem)
    lying = {seat: cards for seat, cards in (state.deal.set_cards | state.cards).items() if seat != event.seat}
    for seat, cards in lying.items():
        twice = next((card for card in event.cards if card in cards), None)
        if twice:
            return _lies_elsewhere(twice, seat)
    return None


def _lies_elsewhere(card: str, seat: int) -> Refusal:
    if seat:
        return because("card_at_seat", "11.2(a)", card=card, seat=seat)
    return because("card_at_dealer", "11.2(a)", card=card)


def _won(rules: TableRules, state: RoundState, event: BaseWagerWon) -> Refusal | None:
    if not rules.game.sets_hands:
        return because("base_on_layout", wager=rules.base_wager.name, game=rules.game.name)
    if event.seat not in rules.seats:
        return no_such_seat(rules, event.seat)
    if event.seat in (*state.baseless, *state.folded, *state.voided):
        return because("base_cannot_win", "11.9(i)", seat=event.seat, wager=rules.base_wager.name)
    if not 0 < event.cents <= MOST_CENTS:
        return because("write_amount", most=MOST_CENTS)
    return None


def _centre(rules: TableRules, state: RoundState, event: CentreCounted) -> Refusal | None:
    bank = state.deal.bank
    if bank is None:
        return because("nobody_banks", "11.10(l)")
    if not all(0 <= cents <= _CENTRE_CENTS for cents in (event.lost_cents, event.won_cents)):
        return because("write_amount", most=_CENTRE_CENTS)
    rounding = house_choices(rules).vigorish
    due = settle_centre(event.lost_cents, event.won_cents, rounding, co_bank=bank.co_bank).from_bank_cents
    if due <= bank.chips_cents:
        return None
    return because("bank_short", "11.10(d)2", due=due, has=bank.chips_cents)


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
