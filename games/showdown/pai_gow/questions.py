"""Pai gow poker's other questions: where the deal starts, who may bank, and how a hand is set."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from games.money import Cents
from games.refusal import Refusal, because
from games.showdown.input import Amount, InputFault
from games.showdown.pai_gow.bank import AfterTheLast, Candidate, bank_refusal, next_bank_offer, offers
from games.showdown.pai_gow.hands import (
    AnnouncedHands,
    HandAsked,
    Laid,
    PaiGowOptions,
    read_hands,
    set_dealer,
    set_player,
    shown,
)
from games.showdown.pai_gow.start import DEALER, POSITIONS, Start, by_button, by_dice, by_number, next_button, stacks
from games.showdown.pai_gow.table import SEATS

Die: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
One: TypeAlias = Annotated[int, Meta(ge=1, le=POSITIONS)]
Position: TypeAlias = Annotated[int, Meta(ge=DEALER, le=SEATS)]
Area: TypeAlias = Annotated[int, Meta(ge=1, le=SEATS)]


class StartAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Three dice, the generator's number, or where the button lay in the last round; position 0 is the dealer."""

    game: str
    question: Literal["start"]
    dice: tuple[Die, Die, Die] | None = None
    number: One | None = None
    button_was: Position | None = None
    bank: Area | None = None
    first_stack: One = 1


class StartAnswer(Struct, frozen=True):
    """The order in which the positions receive their cards, and which stack each receives if stacks are delivered."""

    position: int
    order: tuple[int, ...]
    stacks: tuple[int, ...]
    reason: str
    rule: str


class BankQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """The players at the table, who was offered the bank first in the last round, and who wants it now."""

    game: str
    question: Literal["bank"]
    seats: tuple[Area, ...]
    last_first_offer: Area | None = None
    first_round: bool = False
    candidate: "CandidateAsked | None" = None
    other_wagers_cents: Amount = 0
    after_the_last: AfterTheLast = "dealer_round"


class CandidateAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The player who wants the bank."""

    seat: Area
    chips_cents: Amount
    last_wager_cents: Amount = 0
    banked_last_round: bool = False
    areas: Annotated[int, Meta(ge=1, le=2)] = 1


class BankAnswer(Struct, frozen=True):
    """In which order the bank is offered, why the candidate may not have it, and the dealer's wager against him."""

    offers: tuple[int, ...]
    rule: str
    refusal: Refusal | None
    dealer_wager_cents: Cents | None


class SettingAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Seven cards, or a high and a low hand as they lie."""

    game: str
    question: Literal["setting"]
    hand: HandAsked
    options: PaiGowOptions = PaiGowOptions()


class SettingAnswer(Struct, frozen=True):
    """The hand as it lies, and as the house would set it."""

    lies: AnnouncedHands
    house_way: AnnouncedHands


def start(asked: StartAsked) -> StartAnswer | InputFault:
    """Which position receives the first card or stack."""
    if sum(way is not None for way in (asked.dice, asked.number, asked.button_was)) > 1:
        return InputFault("write one of dice, number and button_was", "input")
    if asked.first_stack != 1 and asked.bank is None:
        return InputFault("only a bank chooses the first stack (11.10(i)1)", "first_stack")
    begins = _begins(asked)
    return StartAnswer(begins.position, begins.order, stacks(asked.first_stack), begins.reason, begins.rule)


def bank(asked: BankQuestion) -> BankAnswer | InputFault:
    """Who is offered the bank in turn, and whether the one who wants it may have it."""
    if not asked.seats or len(set(asked.seats)) < len(asked.seats):
        return InputFault("write each occupied seat once", "seats")
    wants = asked.candidate
    if wants and wants.seat not in asked.seats:
        return InputFault("nobody sits there", "candidate.seat")
    first = next_bank_offer(asked.seats, asked.last_first_offer, asked.after_the_last)
    order = () if asked.first_round or first is None else offers(asked.seats, first)
    refusal = _refusal(asked, wants, first) if wants else None
    wager = wants.last_wager_cents if wants and refusal is None else None
    return BankAnswer(order, "11.10(b)" if asked.first_round else "11.10(c)", refusal, wager)


def setting(asked: SettingAsked) -> SettingAnswer | InputFault:
    """Whether a hand is set by the rules, and how the house would set it."""
    laid = read_hands({"hand": asked.hand})
    if isinstance(laid, InputFault):
        return laid
    lies = laid["hand"]
    house = set_dealer(Laid(lies.cards, None, ()), asked.options)
    return SettingAnswer(shown(None, lies, set_player(lies, asked.options)), shown(None, lies, house))


def _begins(asked: StartAsked) -> Start:
    first = DEALER if asked.bank is None else asked.bank
    if asked.dice is not None:
        return by_dice(asked.dice, first)
    if asked.number is not None:
        return by_number(asked.number, first)
    return by_button(next_button(asked.button_was))


def _refusal(asked: BankQuestion, wants: CandidateAsked, first: int | None) -> Refusal | None:
    if first is None and not asked.first_round:
        return because("bank_offer_returned", "11.10(c)")
    candidate = Candidate(
        seat=wants.seat,
        banked_last_round=wants.banked_last_round,
        last_wager_cents=wants.last_wager_cents,
        chips_cents=wants.chips_cents,
        areas=wants.areas,
    )
    return bank_refusal(candidate, asked.other_wagers_cents, first_round=asked.first_round)
