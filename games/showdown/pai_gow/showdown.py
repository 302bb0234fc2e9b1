"""The showdown of pai gow poker: each area against the dealer or the bank, and what house and bank end with."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents
from games.ranking import Rank
from games.showdown.input import InputFault
from games.showdown.pai_gow.bank import Centre, settle_centre
from games.showdown.pai_gow.hands import AnnouncedHands, Laid, SetHand, set_bank, set_dealer, set_player, shown
from games.showdown.pai_gow.setting import Foul, Setting
from games.showdown.pai_gow.start import DEALER
from games.showdown.pai_gow.table import AreaAsked, BankAsked, PaiGowShowdown, read_table, setting_orders, table_fault
from games.showdown.pai_gow.vigorish import Rounding, vigorish

Result: TypeAlias = Literal["win", "lose", "push", "surrendered", "void"]


class WagerVerdict(Struct, frozen=True):
    """How a wager ends, and why."""

    result: Result
    reason: str
    rule: str


class Area(Struct, frozen=True):
    """A betting area with a wager, and how it ends."""

    seat: int
    wager_cents: Cents
    verdict: WagerVerdict


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
_VERDICTS: Final[Mapping[tuple[int, int], WagerVerdict]] = {
    (1, 1): WagerVerdict("win", "both hands are higher", "11.9(i)"),
    (1, 0): WagerVerdict("push", "the high hand is higher, the low hand a copy", "11.9(h)1"),
    (1, -1): WagerVerdict("push", "the high hand is higher, the low hand lower", "11.9(h)1"),
    (0, 1): WagerVerdict("push", "the low hand is higher, the high hand a copy", "11.9(h)2"),
    (-1, 1): WagerVerdict("push", "the low hand is higher, the high hand lower", "11.9(h)2"),
    (0, 0): WagerVerdict("lose", "both hands are copies", "11.9(g)2"),
    (0, -1): WagerVerdict("lose", "the high hand is a copy, the low hand lower", "11.9(g)2"),
    (-1, 0): WagerVerdict("lose", "the low hand is a copy, the high hand lower", "11.9(g)2"),
    (-1, -1): WagerVerdict("lose", "both hands are lower", "11.9(g)1"),
}

SURRENDERED: Final = WagerVerdict("surrendered", "the player surrendered the wager", "11.9(e)")
VOIDED: Final = WagerVerdict("void", "the player voided the hand after a card was exposed", "11.11(d)")


def verdict(player: Setting | Foul, against: Setting) -> WagerVerdict:
    """Win, lose or push of a player's hands against the dealer's or the bank's."""
    if isinstance(player, Foul):
        return WagerVerdict("lose", player.reason, player.rule)
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


class HouseResult(Struct, frozen=True):
    """What the round brings the table inventory, wagers that go back not counted."""

    vigorish_cents: Cents
    net_cents: Cents


class PaiGowAnswer(Struct, frozen=True):
    """The hands, the result of every area in paying order, and what house and bank end with."""

    hands: tuple[AnnouncedHands, ...]
    results: tuple[AreaResult, ...]
    dealer_result: AreaResult | None
    centre: Centre | None
    house: HouseResult
    setting_order: dict[str, tuple[int, ...]]


def showdown(asked: PaiGowShowdown) -> PaiGowAnswer | InputFault:
    """Who wins, loses or pushes against the dealer or the bank, and what that costs and brings."""
    fault = table_fault(asked)
    if fault:
        return fault
    laid = read_table(asked)
    if isinstance(laid, InputFault):
        return laid
    against = _against(asked, laid)
    dealer = set_dealer(laid[DEALER], asked.options) if DEALER in laid else None
    others = [seat for seat in asked.seats if asked.bank is None or seat != asked.bank.seat]
    players = {seat: set_player(laid[seat], asked.options) for seat in others if seat in laid}
    areas = [_area(seat, asked.seats[seat], players.get(seat), against.setting) for seat in others]
    results = settle_areas(areas, asked.options.vigorish)
    dealer_result = _dealer_result(asked.bank, dealer, against.setting, results)
    centre = _centre(asked, results, dealer_result)
    return PaiGowAnswer(
        hands=_shown(asked, laid, players, against=against, dealer=dealer),
        results=results,
        dealer_result=dealer_result,
        centre=centre,
        house=_house(results, dealer_result, centre),
        setting_order=setting_orders(asked),
    )


def _against(asked: PaiGowShowdown, laid: Mapping[int, Laid]) -> SetHand:
    """The hands that everybody plays against; the dealer sets a co-bank's (11.10(e))."""
    if asked.bank is None:
        return set_dealer(laid[DEALER], asked.options)
    sets = set_dealer if asked.bank.co_bank else set_bank
    return sets(laid[asked.bank.seat], asked.options)


def _area(seat: int, area: AreaAsked, hand: SetHand | Foul | None, against: Setting) -> Area:
    if hand is None or area.surrendered or area.void:
        return Area(seat, area.wager_cents, VOIDED if area.void else SURRENDERED)
    return Area(seat, area.wager_cents, verdict(hand if isinstance(hand, Foul) else hand.setting, against))


def _dealer_result(
    bank: BankAsked | None, dealer: SetHand | None, against: Setting, results: Sequence[AreaResult]
) -> AreaResult | None:
    """The dealer's own wager against the bank: no vigorish, and paid last if the bank runs short (11.10(d)2)."""
    if bank is None or dealer is None or bank.dealer_wager_cents == 0:
        return None
    how = verdict(dealer.setting, against)
    result = settle_area(Area(DEALER, bank.dealer_wager_cents, WagerVerdict(how.result, how.reason, "11.10(k)")), None)
    if bank.chips_cents is None:
        return result
    left = bank.chips_cents + sum(each.collected_cents - each.paid_cents for each in results)
    return replace(result, paid_cents=min(result.paid_cents, left))


def _centre(asked: PaiGowShowdown, results: Sequence[AreaResult], dealer_result: AreaResult | None) -> Centre | None:
    if asked.bank is None:
        return None
    wagers = [*results, dealer_result] if dealer_result else results
    lost, won = sum(wager.collected_cents for wager in wagers), sum(wager.paid_cents for wager in wagers)
    return settle_centre(lost, won, asked.options.vigorish, co_bank=asked.bank.co_bank)


def _house(results: Sequence[AreaResult], dealer_result: AreaResult | None, centre: Centre | None) -> HouseResult:
    """The house banks the round, or takes part in it by the dealer's wager, half a co-bank and all vigorish."""
    vig = sum(result.vigorish_cents for result in results)
    if centre is None:
        return HouseResult(vig, vig + sum(result.collected_cents - result.paid_cents for result in results))
    vig += centre.vigorish_cents
    own = dealer_result.paid_cents - dealer_result.collected_cents if dealer_result else 0
    return HouseResult(vig, vig + own + centre.to_house_cents - centre.from_house_cents)


def _shown(
    asked: PaiGowShowdown,
    laid: Mapping[int, Laid],
    players: Mapping[int, SetHand | Foul],
    *,
    against: SetHand,
    dealer: SetHand | None,
) -> tuple[AnnouncedHands, ...]:
    """Every hand that lies on the layout, in the order they are exposed, the dealer's first."""
    hands: dict[int, SetHand | Foul] = {**players, asked.bank.seat: against} if asked.bank else dict(players)
    seats = sorted(hands, reverse=True)
    first = (shown(DEALER, laid[DEALER], dealer),) if dealer else ()
    return (*first, *(shown(seat, laid[seat], hands[seat]) for seat in seats))
