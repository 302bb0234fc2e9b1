"""The showdown of pai gow poker: every area against the dealer or the bank, and what house and bank end with."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.money import Cents
from games.showdown.fault import Fault
from games.showdown.pai_gow.bank import Centre, settle_centre
from games.showdown.pai_gow.hands import (
    HandShown,
    Laid,
    SetHand,
    set_bank,
    set_dealer,
    set_player,
    shown,
)
from games.showdown.pai_gow.setting import Foul, Setting
from games.showdown.pai_gow.showdown import (
    SURRENDERED,
    VOIDED,
    Area,
    AreaResult,
    Verdict,
    settle_area,
    settle_areas,
    verdict,
)
from games.showdown.pai_gow.start import DEALER
from games.showdown.pai_gow.table import (
    AreaAsked,
    BankAsked,
    PaiGowShowdown,
    read_table,
    setting_orders,
    table_fault,
)


class House(Struct, frozen=True):
    """What the round brings the table inventory, wagers that go back not counted."""

    vigorish_cents: Cents
    net_cents: Cents


class PaiGowAnswer(Struct, frozen=True):
    """The hands, the result of every area in paying order, and what house and bank end with."""

    hands: tuple[HandShown, ...]
    results: tuple[AreaResult, ...]
    dealer_result: AreaResult | None
    centre: Centre | None
    house: House
    setting_order: dict[str, tuple[int, ...]]


def showdown(asked: PaiGowShowdown) -> PaiGowAnswer | Fault:
    """Who wins, loses or pushes against the dealer or the bank, and what that costs and brings."""
    fault = table_fault(asked)
    if fault:
        return fault
    laid = read_table(asked)
    if isinstance(laid, Fault):
        return laid
    against = _against(asked, laid)
    dealer = set_dealer(laid[DEALER], asked.options) if DEALER in laid else None
    others = [seat for seat in asked.seats if asked.bank is None or seat != asked.bank.seat]
    players = {seat: set_player(laid[seat], asked.options) for seat in others if seat in laid}
    areas = [_area(seat, asked.seats[seat], players.get(seat), against.setting) for seat in others]
    results = settle_areas(areas, asked.options.vigorish)
    dealer_result = _dealer_result(asked.bank, dealer, against.setting)
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


def _dealer_result(bank: BankAsked | None, dealer: SetHand | None, against: Setting) -> AreaResult | None:
    """The dealer's own wager against the bank, which pays no vigorish."""
    if bank is None or dealer is None or bank.dealer_wager_cents == 0:
        return None
    how = verdict(dealer.setting, against)
    return settle_area(Area(DEALER, bank.dealer_wager_cents, Verdict(how.result, how.reason, "11.10(k)")), None)


def _centre(asked: PaiGowShowdown, results: Sequence[AreaResult], dealer_result: AreaResult | None) -> Centre | None:
    if asked.bank is None:
        return None
    wagers = [*results, dealer_result] if dealer_result else results
    lost, won = sum(wager.collected_cents for wager in wagers), sum(wager.paid_cents for wager in wagers)
    return settle_centre(lost, won, asked.options.vigorish, co_bank=asked.bank.co_bank)


def _house(results: Sequence[AreaResult], dealer_result: AreaResult | None, centre: Centre | None) -> House:
    """The house banks the round, or takes part in it by the dealer's wager, half a co-bank and all vigorish."""
    vig = sum(result.vigorish_cents for result in results)
    if centre is None:
        return House(vig, vig + sum(result.collected_cents - result.paid_cents for result in results))
    vig += centre.vigorish_cents
    own = dealer_result.paid_cents - dealer_result.collected_cents if dealer_result else 0
    return House(vig, vig + own + centre.to_house_cents - centre.from_house_cents)


def _shown(
    asked: PaiGowShowdown,
    laid: Mapping[int, Laid],
    players: Mapping[int, SetHand | Foul],
    *,
    against: SetHand,
    dealer: SetHand | None,
) -> tuple[HandShown, ...]:
    """Every hand that lies on the layout, in the order they are exposed, the dealer's first."""
    hands: dict[int, SetHand | Foul] = {**players, asked.bank.seat: against} if asked.bank else dict(players)
    seats = sorted(hands, reverse=True)
    first = (shown(DEALER, laid[DEALER], dealer),) if dealer else ()
    return (*first, *(shown(seat, laid[seat], hands[seat]) for seat in seats))
