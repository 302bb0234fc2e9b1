"""A table of pai gow poker as it is written: areas, dealer, bank, and what cannot be so."""

from collections import defaultdict
from typing import Final, Literal

from msgspec import Struct

from games.catalogue.pai_gow_poker import AREA_FAULTS, areas_refusal, setting_order
from games.money import dollars
from games.showdown.input import Amount, InputFault, Seat, Words
from games.showdown.pai_gow.hands import HandAsked, Laid, PaiGowOptions, read_hands
from games.showdown.pai_gow.start import DEALER, POSITIONS

SEATS: Final = POSITIONS - 1


class AreaAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A betting area: its wager and hands, whose it is, and what the player has announced."""

    wager_cents: Amount = 0
    cards: Words | None = None
    high: Words | None = None
    low: Words | None = None
    player: str | None = None
    surrendered: bool = False
    void: bool = False
    side_wagers: tuple[Literal["progressive", "seven_card_bonus"], ...] = ()


class BankAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The player bank, whether the house covers half of it, what the dealer wagers against it, and its chips."""

    seat: Seat
    co_bank: bool = False
    dealer_wager_cents: Amount = 0
    chips_cents: Amount | None = None


class PaiGowShowdown(Struct, frozen=True, forbid_unknown_fields=True):
    """A round of pai gow poker with all hands set."""

    game: str
    seats: dict[Seat, AreaAsked]
    question: Literal["showdown"] = "showdown"
    dealer: HandAsked | None = None
    bank: BankAsked | None = None
    options: PaiGowOptions = PaiGowOptions()


def table_fault(asked: PaiGowShowdown) -> InputFault | None:
    """The first thing that cannot be so at a table, or None."""
    if not asked.seats or max(asked.seats) > SEATS:
        return InputFault(f"write at least one of the seats 1 to {SEATS}", "seats")
    return _dealer_fault(asked) or _bank_fault(asked) or _area_faults(asked) or _player_fault(asked)


def read_table(asked: PaiGowShowdown) -> dict[int, Laid] | InputFault:
    """The cards that lie at each place, the dealer's at place 0; void and surrendered hands may be missing."""
    hands = {seat: HandAsked(area.cards, area.high, area.low) for seat, area in asked.seats.items()}
    written = {f"seats.{seat}": hand for seat, hand in sorted(hands.items()) if _must_lie(asked.seats[seat], hand)}
    if asked.dealer:
        written["dealer"] = asked.dealer
    read = read_hands(written)
    if isinstance(read, InputFault):
        return read
    return {DEALER if where == "dealer" else int(where.removeprefix("seats.")): laid for where, laid in read.items()}


def setting_orders(asked: PaiGowShowdown) -> dict[str, tuple[int, ...]]:
    """For each player with two areas: which hand is set first (11.12(b))."""
    return {
        player: setting_order({seat: asked.seats[seat].wager_cents for seat in seats})
        for player, seats in _areas_by_player(asked).items()
        if len(seats) > 1
    }


def _must_lie(area: AreaAsked, hand: HandAsked) -> bool:
    return not (area.surrendered or area.void) or hand != HandAsked()


def _dealer_fault(asked: PaiGowShowdown) -> InputFault | None:
    needed = asked.bank is None or asked.bank.dealer_wager_cents > 0
    return (
        InputFault("missing; the dealer's hand plays in this round", "dealer") if needed and not asked.dealer else None
    )


def _bank_fault(asked: PaiGowShowdown) -> InputFault | None:
    bank = asked.bank
    if bank is None:
        return None
    if bank.co_bank and bank.dealer_wager_cents:
        return InputFault(
            "a dealer who is co-banking may not wager against the bank (11.10(e))", "bank.dealer_wager_cents"
        )
    area = asked.seats.get(bank.seat)
    if area is None or area.surrendered or area.void:
        return InputFault("the bank's own hand is missing among the seats", "bank.seat")
    wagers = sum(area.wager_cents for area in asked.seats.values())
    if bank.chips_cents is not None and bank.chips_cents < wagers:
        return InputFault(
            f"the bank's chips do not cover the wagers of {dollars(wagers)} (11.10(d)2)", "bank.chips_cents"
        )
    return None


def _area_faults(asked: PaiGowShowdown) -> InputFault | None:
    faults = (_area_fault(asked, seat, area) for seat, area in sorted(asked.seats.items()))
    return next((fault for fault in faults if fault), None)


def _area_fault(asked: PaiGowShowdown, seat: int, area: AreaAsked) -> InputFault | None:
    banks = asked.bank is not None and asked.bank.seat == seat
    if banks != (area.wager_cents == 0):
        problem = "the bank makes no wager of its own" if banks else "a seat without a wager is not in the round"
        return InputFault(problem, f"seats.{seat}.wager_cents")
    if area.surrendered and area.void:
        return InputFault("a hand is surrendered or void, not both", f"seats.{seat}")
    if area.surrendered and area.side_wagers:
        return InputFault(f"a player with a {area.side_wagers[0]} wager may not surrender (11.9(e))", f"seats.{seat}")
    return None


def _player_fault(asked: PaiGowShowdown) -> InputFault | None:
    bank = asked.bank.seat if asked.bank else None
    for player, seats in _areas_by_player(asked).items():
        refusal = areas_refusal(seats, bank=bank)
        if refusal:
            return InputFault(
                f"{AREA_FAULTS[refusal.key]} ({refusal.rule}), not {player} at {len(seats)}", f"seats.{seats[0]}.player"
            )
    return None


def _areas_by_player(asked: PaiGowShowdown) -> dict[str, tuple[int, ...]]:
    areas: dict[str, list[int]] = defaultdict(list)
    for seat, area in sorted(asked.seats.items()):
        if area.player is not None:
            areas[area.player].append(seat)
    return {player: tuple(seats) for player, seats in areas.items()}
