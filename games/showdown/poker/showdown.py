"""The showdown of the poker room: who takes which part of which pot, and the clause that says so."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.money import Cents, dollars
from games.showdown.poker.games import PokerGame, Side
from games.showdown.poker.hands import ShownHand, odd_card
from games.showdown.poker.pots import Pot

CHIPS: Final[tuple[Cents, ...]] = (100, 50, 25, 5, 1)
MOST_EXCESS: Final[Cents] = 100  # 14.9(i)2, 14.11(f)2: "which shall not exceed $1.00"


class Division(Struct, frozen=True):
    """Equal parts, the chip they are counted in, and what is left over."""

    part_cents: Cents
    chip_cents: Cents
    excess_cents: Cents


def divide(amount_cents: Cents, ways: int, chip_cents: Cents = CHIPS[0]) -> Division:
    """Equal parts in the largest chip, up to chip_cents, that leaves no more than $1.00 over."""
    return next(
        division
        for chip in CHIPS
        if chip <= chip_cents and amount_cents % chip == 0
        for division in [_in_chips(amount_cents, ways, chip)]
        if division.excess_cents <= MOST_EXCESS
    )


def _in_chips(amount_cents: Cents, ways: int, chip: Cents) -> Division:
    part = amount_cents // ways // chip * chip
    return Division(part, chip, amount_cents - part * ways)


Hands: TypeAlias = Mapping[Side, Mapping[int, ShownHand]]

_ODD_POINT: Final[Mapping[Side, str]] = {"high": "ii", "low": "iii"}
_ODD_WORDS: Final[Mapping[Side, str]] = {"high": "highest high card", "low": "lowest low card"}


class PotShare(Struct, frozen=True):
    """What one seat takes of one pot; excess is the part of it that could not be divided."""

    pot: int
    part: Literal["whole", "high", "low"]
    seat: int
    amount_cents: Cents
    excess_cents: Cents
    hand: str | None
    cards: tuple[str, ...]
    reason: str
    rule: str


class PotPart(Struct, frozen=True):
    """The share of a pot that one side plays for, with what a plain winner's line says of it."""

    pot: int
    name: Literal["whole", "high", "low"]
    side: Side
    amount_cents: Cents
    chip_cents: Cents
    why: str
    rule: str
    excess_cents: Cents = 0


def awards(game: PokerGame, hands: Hands, pots: Sequence[Pot], chip_cents: Cents) -> tuple[PotShare, ...]:
    """Everything that is given, pot by pot, high before low; the awards of a pot add up to it exactly."""
    return tuple(
        award
        for number, pot in enumerate(pots, start=1)
        for award in _pot_awards(game, hands, number, pot, chip_cents=chip_cents)
    )


def _pot_awards(game: PokerGame, hands: Hands, number: int, pot: Pot, *, chip_cents: Cents) -> list[PotShare]:
    if len(pot.seats) == 1:
        why = "nobody else plays for this pot"
        return [PotShare(number, "whole", pot.seats[0], pot.amount_cents, 0, None, (), why, game.winner_rule)]
    shown = {side: [hand for seat, hand in hands[side].items() if seat in pot.seats] for side in game.sides}
    return [
        award
        for part in _parts(game, number, pot, low=bool(shown.get("low")), chip_cents=chip_cents)
        for award in _divided(game, part, shown[part.side])
    ]


def _parts(game: PokerGame, number: int, pot: Pot, *, low: bool, chip_cents: Cents) -> list[PotPart]:
    """The whole pot, or a high half that takes the excess and a low half."""
    if len(game.sides) == 1:
        return [PotPart(number, "whole", game.sides[0], pot.amount_cents, chip_cents, "", game.winner_rule)]
    if not low:
        rule = game.qualifier_rule or game.winner_rule
        return [PotPart(number, "whole", "high", pot.amount_cents, chip_cents, "no low hand qualifies; ", rule)]
    halves = divide(pot.amount_cents, 2, chip_cents)
    chip = halves.chip_cents
    over = f"an excess of {dollars(halves.excess_cents)} goes with the high half; " if halves.excess_cents else ""
    high_rule = f"{game.split}i" if halves.excess_cents else game.winner_rule
    return [
        PotPart(
            number, "high", "high", halves.part_cents + halves.excess_cents, chip, over, high_rule, halves.excess_cents
        ),
        PotPart(number, "low", "low", halves.part_cents, chip, "", game.winner_rule),
    ]


def _divided(game: PokerGame, part: PotPart, shown: Sequence[ShownHand]) -> list[PotShare]:
    best = max(hand.rank for hand in shown)
    tied = sorted((hand for hand in shown if hand.rank == best), key=lambda hand: hand.odd_key, reverse=True)
    if len(tied) == 1:
        why = f"{part.why}best {part.side} hand"
        return [_award(part, tied[0], part.amount_cents, why=why, rule=part.rule, excess=part.excess_cents)]
    equal = divide(part.amount_cents, len(tied), part.chip_cents)
    seats = ", ".join(str(seat) for seat in sorted(hand.seat for hand in tied))
    why, rule = f"{part.why}equal {part.side} hands at seats {seats}", f"{part.rule}, 14.3(d)"
    given = [_award(part, hand, equal.part_cents, why=why, rule=rule) for hand in tied]
    if equal.excess_cents:
        words = f"the excess of {dollars(equal.excess_cents)} goes to the {_ODD_WORDS[part.side]} by suit"
        given[0] = _award(
            part,
            tied[0],
            equal.part_cents + equal.excess_cents,
            why=f"{why}; {words}, {odd_card(tied[0], tied[1])}",
            rule=f"{rule}, {game.split}{_ODD_POINT[part.side]}",
            excess=equal.excess_cents,
        )
    return sorted(given, key=lambda award: award.seat)


def _award(part: PotPart, hand: ShownHand, amount: Cents, *, why: str, rule: str, excess: Cents = 0) -> PotShare:
    cards = tuple(map(str, hand.cards))
    return PotShare(part.pot, part.name, hand.seat, amount, excess, hand.rank.name, cards, why, rule)
