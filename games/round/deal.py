"""The deal of a round: whose bank it is, where it starts, the stub, hands set the house way, vigorish and centre."""

from typing import Final

import msgspec
from msgspec.structs import replace

from games.round.effects import Outcome
from games.round.events import (
    BankGivenBack,
    BankPassed,
    BankTaken,
    BaseWagerWon,
    CentreCounted,
    DealEvent,
    DiceTotalled,
    HouseWayAsked,
    StubCounted,
)
from games.round.state import Bank, Deal, RoundState
from games.round.table_rules import TableRules
from games.round.wagers import without_base
from games.showdown.pai_gow.bank import AfterTheLast, Centre, next_bank_offer, offers, settle_centre
from games.showdown.pai_gow.deck import is_stub_due
from games.showdown.pai_gow.hands import AnnouncedHands, HandAsked, Laid, PaiGowOptions, read_hands, set_dealer, shown
from games.showdown.pai_gow.start import DEALER, Start, by_button, by_dice, by_number, next_button

DECK_FAULTS: Final = frozenset({"wrong_number_of_cards", "wrong_count_left_deck_faulty"})
"""What a stub of the wrong size means, as a supervisor writes it down (11.17(h)2)."""


def arranged(rules: TableRules, state: RoundState, event: DealEvent) -> Outcome:
    """Writes down how the round is banked and dealt."""
    deal = state.deal
    match event:
        case BankPassed(seats=seats):
            return _with(state, replace(deal, passed=(*deal.passed, *seats))), ()
        case BankTaken():
            return _bank(rules, state, event)
        case BankGivenBack():
            baseless = tuple(seat for seat in state.baseless if not deal.bank or seat != deal.bank.seat)
            return replace(state, baseless=baseless, deal=replace(deal, bank=None, passed=())), ()
        case DiceTotalled(dice=dice):
            return _with(state, replace(deal, dice=dice)), ()
        case StubCounted():
            return _with(state, replace(deal, is_stub_counted=True)), ()
        case HouseWayAsked(seat=seat, cards=cards):
            return _with(state, replace(deal, set_cards=deal.set_cards | {seat: cards})), ()
        case BaseWagerWon(seat=seat, cents=cents):
            return _with(state, replace(deal, won=deal.won | {seat: cents})), ()
        case CentreCounted(lost_cents=lost, won_cents=won):
            return _with(state, replace(deal, centre=(lost, won))), ()


def _with(state: RoundState, deal: Deal) -> RoundState:
    return replace(state, deal=deal)


def _bank(rules: TableRules, state: RoundState, event: BankTaken) -> Outcome:
    """The bank makes no base wager, and so no other either, unless the house takes side wagers on its one area."""
    bank = Bank(event.seat, event.co_bank, event.chips_cents, event.dealer_wager_cents)
    state = replace(state, deal=replace(state.deal, bank=bank))
    return (state, ()) if rules.choice("bank_side_wagers") == "taken" else without_base(rules, state, event.seat)


def first_deal() -> Deal:
    """The first deal of a table that was opened: nobody banks it, and the button lies before the dealer."""
    return Deal(rounds=1, uncounted=1, button=DEALER)


def next_deal(rules: TableRules, state: RoundState) -> Deal:
    """The deal of the next round: what it must know of this one."""
    deal = state.deal
    is_counted = deal.is_stub_counted or any(noted.name in DECK_FAULTS for noted in state.irregularities)
    return Deal(
        rounds=deal.rounds + 1,
        last_first_offer=_first_offer(rules, deal),
        banked_last=deal.bank.seat if deal.bank else 0,
        unwagered=deal.unwagered if deal.bank else state.baseless,
        button=next_button(deal.button),
        uncounted=1 if is_counted else deal.uncounted + 1,
    )


def has_bank(rules: TableRules) -> bool:
    """Whether players may bank at this table."""
    return rules.choice("player_bank") in {"bank", "co_bank"}


def bank_offers(rules: TableRules, deal: Deal) -> tuple[int, ...]:
    """The seats in the order the bank is offered to them in this round; nobody where it is the dealer's."""
    first = _first_offer(rules, deal)
    return () if first is None else tuple(seat for seat in offers(rules.seats, first) if seat != deal.banked_last)


def _first_offer(rules: TableRules, deal: Deal) -> int | None:
    if not has_bank(rules) or deal.rounds <= 1:
        return None
    after: AfterTheLast = "wrap" if rules.choice("bank_offer") == "wrap" else "dealer_round"
    return next_bank_offer(rules.seats, deal.last_first_offer, after)


def next_offered(rules: TableRules, deal: Deal) -> int | None:
    """Who is offered the bank now, or None where nobody is."""
    return next((seat for seat in bank_offers(rules, deal) if seat not in deal.passed and deal.bank is None), None)


def start(rules: TableRules, state: RoundState) -> Start | None:
    """Where the deal of this round starts, as soon as dice, generator or button say so (11.8C, 11.10(h)-(j))."""
    one = state.deal.bank.seat if state.deal.bank else DEALER
    match rules.start, state.deal.dice:
        case "generator", _ if state.number_drawn is not None:
            return by_number(state.number_drawn, one)
        case "dice", (first, second, third):
            return by_dice((first, second, third), one)
        case "button", _:
            return by_button(state.deal.button)
        case _:
            return None


def owes_stub(rules: TableRules, state: RoundState) -> bool:
    """Whether the stub must be counted before this round ends (11.17(h)); where hands are void, in the next one."""
    kinds = (rules.irregularity(noted.name) for noted in state.irregularities)
    is_void = any(kind is not None and kind.voids == "round" for kind in kinds)
    shuffler_counts = rules.choice("stub") == "shuffler_counts"
    is_due = rules.leaves_stub and is_stub_due(state.deal.uncounted, shuffler_counts=shuffler_counts)
    return is_due and not is_void and not state.deal.is_stub_counted


def house_choices(rules: TableRules) -> PaiGowOptions:
    """What this house chose for setting hands and for vigorish."""
    chosen = {name: rules.choice(name) for name in ("wheel", "vigorish")}
    return msgspec.convert(chosen, PaiGowOptions)


def house_way(rules: TableRules, seat: int, cards: tuple[str, ...]) -> AnnouncedHands:
    """These seven cards as the house sets them; to be asked of cards that were not refused."""
    laid = read_hands({"hand": HandAsked(cards)})
    assert isinstance(laid, dict)
    lies: Laid = laid["hand"]
    return shown(seat, lies, set_dealer(lies, house_choices(rules)))


def centre(rules: TableRules, deal: Deal) -> Centre | None:
    """How the chips in the centre are settled, where a player banks and they were counted."""
    if deal.centre is None or deal.bank is None:
        return None
    lost, won = deal.centre
    return settle_centre(lost, won, house_choices(rules).vigorish, co_bank=deal.bank.co_bank)
