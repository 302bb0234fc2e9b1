"""A round of pai gow poker: each area against the dealer or the bank, paid from the far right, with its vigorish."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.money import Cents
from games.ranking import Rank
from games.showdown.pai_gow.setting import Foul, Setting
from games.showdown.pai_gow.vigorish import Rounding, vigorish

Result: TypeAlias = Literal["win", "lose", "push", "surrendered", "void"]


class Verdict(Struct, frozen=True):
    """How a wager ends, and why."""

    result: Result
    reason: str
    rule: str


class Area(Struct, frozen=True):
    """A betting area with a wager, and how it ends."""

    seat: int
    wager_cents: Cents
    verdict: Verdict


class AreaResult(Struct, frozen=True):
    """What the dealer does at one area; paid is what was won, before the vigorish."""

    seat: int
    result: Result
    wager_cents: Cents
    paid_cents: Cents
    vigorish_cents: Cents
    collected_cents: Cents
    returned_cents: Cents
    reason: str
    rule: str


# The player's high hand and low hand against the other's: 1 higher, 0 a copy, -1 lower.
_VERDICTS: Final[Mapping[tuple[int, int], Verdict]] = {
    (1, 1): Verdict("win", "both hands are higher", "11.9(i)"),
    (1, 0): Verdict("push", "the high hand is higher, the low hand a copy", "11.9(h)1"),
    (1, -1): Verdict("push", "the high hand is higher, the low hand lower", "11.9(h)1"),
    (0, 1): Verdict("push", "the low hand is higher, the high hand a copy", "11.9(h)2"),
    (-1, 1): Verdict("push", "the low hand is higher, the high hand lower", "11.9(h)2"),
    (0, 0): Verdict("lose", "both hands are copies", "11.9(g)2"),
    (0, -1): Verdict("lose", "the high hand is a copy, the low hand lower", "11.9(g)2"),
    (-1, 0): Verdict("lose", "the low hand is a copy, the high hand lower", "11.9(g)2"),
    (-1, -1): Verdict("lose", "both hands are lower", "11.9(g)1"),
}

SURRENDERED: Final = Verdict("surrendered", "the player surrendered the wager", "11.9(e)")
VOIDED: Final = Verdict("void", "the player voided the hand after a card was exposed", "11.11(d)")


def verdict(player: Setting | Foul, against: Setting) -> Verdict:
    """Win, lose or push of a player's hands against the dealer's or the bank's."""
    if isinstance(player, Foul):
        return Verdict("lose", player.reason, player.rule)
    high = _compare(player.high_rank, against.high_rank)
    return _VERDICTS[high, _compare(player.low_rank, against.low_rank)]


def settle_areas(areas: Iterable[Area], rounding: Rounding) -> tuple[AreaResult, ...]:
    """The areas in the order they are exposed and paid: from the dealer's far right, counterclockwise."""
    return tuple(settle_area(area, rounding) for area in sorted(areas, key=lambda area: area.seat, reverse=True))


def settle_area(area: Area, rounding: Rounding | None) -> AreaResult:
    """One to one less vigorish, if any, for a win; a push or a void hand gives the wager back; the rest is lost."""
    wager, how = area.wager_cents, area.verdict
    won = how.result == "win"
    back = how.result in ("win", "push", "void")
    return AreaResult(
        seat=area.seat,
        result=how.result,
        wager_cents=wager,
        paid_cents=wager if won else 0,
        vigorish_cents=vigorish(wager, rounding) if won and rounding else 0,
        collected_cents=0 if back else wager,
        returned_cents=wager if back else 0,
        reason=how.reason,
        rule=f"{how.rule}, 11.9(j)" if won and rounding else how.rule,
    )


def _compare(ours: Rank, theirs: Rank) -> int:
    return (ours > theirs) - (ours < theirs)
