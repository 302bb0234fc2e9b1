"""Pai gow poker: progressive, bonus with envy, insurance, three- and seven-card bonus and number wagers (19:47-11)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from games.cards import JOKER, Card
from games.catalogue import pai_gow_pay_tables as pays
from games.catalogue.irregularities import PAI_GOW, side_wagers_of
from games.game import (
    MISDEALS,
    Cap,
    Exclusion,
    FoldEffect,
    Game,
    MinimumRate,
    Option,
    Prerequisite,
    SettlementStep,
    Tour,
    Wager,
)
from games.money import Cents
from games.ranking import (
    divisions,
    kinds_in_seven,
    kinds_of_seven,
    pai_gow,
    pai_gow_five,
    pai_gow_two,
    three_with_joker,
)
from games.refusal import Refusal, because

AREA_FAULTS: Final[Mapping[str, str]] = {
    "bank_one_area": "the bank may wager on one betting area only",
    "areas_apart": "a player may wager on two adjacent betting areas at most",
}
"""The refusals of areas_refusal as the answers of settle and showdown say them."""


def areas_refusal(seats: tuple[int, ...], *, bank: int | None) -> Refusal | None:
    """Why one player may not hold these areas in one round, or None."""
    if len(seats) > 1 and bank in seats:
        return because("bank_one_area", "11.10(f)")
    if len(seats) > 2 or max(seats) - min(seats) > 1:
        return because("areas_apart", "11.12(a)")
    return None


def setting_order(wagers: Mapping[int, Cents]) -> tuple[int, ...]:
    """The order in which one player sets the hands: the larger wager first, equal ones counterclockwise."""
    return tuple(sorted(wagers, key=lambda seat: (wagers[seat], seat), reverse=True))


# A hand that the rule pays a part of the meter for is also the lesser hand beside it, should the meter be very low.
_IS_ALSO: Final = {"natural_royal_flush": "royal_flush", "five_aces": "four_of_a_kind"}

_NEEDS: Final = ("pai_gow",)


def _hands(cards: Sequence[Card]) -> frozenset[str]:
    """Every hand type of 11.14(d) that some division of seven cards into five and two makes."""
    return frozenset(kind for five, two in divisions(cards) for kind in _of_division(five, two))


def _of_division(five: Sequence[Card], two: Sequence[Card]) -> list[str]:
    kind = pai_gow_five(five).name
    if kind == "royal_flush" and JOKER not in five:
        kind = "natural_royal_flush"
    kinds = [kind, _IS_ALSO[kind]] if kind in _IS_ALSO else [kind]
    paired = [f"{kind}_and_pair" for kind in kinds] if pai_gow_two(two).name == "one_pair" else []
    return kinds + paired


_PAI_GOW: Final = Wager(name="pai_gow", rule="11.7(a)", sees="no_cards", fold=FoldEffect("forfeits", "11.9(e)1"))

_PROGRESSIVE: Final = Wager(
    name="progressive",
    rule="11.14(a)",
    hands=_hands,
    tables=pays.PROGRESSIVE,
    stakes=pays.STAKES,
    minimum_cents=1_00,
    needs=Prerequisite(_NEEDS, "11.14(a)"),
    fold=FoldEffect("bars", "11.9(e)"),
    pays_highest="pay",
)

_BONUS: Final = Wager(
    name="bonus",
    rule="11.15(b)",
    hands=kinds_of_seven,
    tables=pays.BONUS,
    minimum_cents=1_00,
    needs=Prerequisite(_NEEDS, "11.15(b)"),
    fold=FoldEffect("lives", "11.15(d)1i"),
    pays_highest="pay",
)
_BONUS_ACE_KING: Final = replace(_BONUS, hands=partial(kinds_of_seven, royal_match="ace_king_natural"))

_ENVY: Final = Wager(
    name="envy",
    rule="11.15(c)",
    hands=kinds_of_seven,
    tables=pays.ENVY,
    sees="others",
    # The amount of the bonus wager that entitles to it.
    minimum_cents=5_00,
    needs=Prerequisite(("bonus",), "11.15(c)"),
    fold=FoldEffect("lives", "11.15(d)1ii"),
)
_ENVY_ACE_KING: Final = replace(_ENVY, hands=_BONUS_ACE_KING.hands)

_INSURANCE: Final = Wager(
    name="insurance",
    rule="11.15(b)",
    hands=pai_gow,
    tables=pays.INSURANCE,
    needs=Prerequisite(_NEEDS, "11.15(b)"),
    fold=FoldEffect("lives", "11.15(d)1ii"),
)

_THREE_CARD_BONUS: Final = Wager(
    name="three_card_bonus",
    rule="11.17(a)",
    hands=three_with_joker,
    tables=pays.THREE_CARD_BONUS,
    sees="own_first_three",
    needs=Prerequisite(_NEEDS, "11.7(e)"),
    fold=FoldEffect("lives", "11.17(f)"),
)

_SEVEN_CARD_BONUS: Final = Wager(
    name="seven_card_bonus",
    rule="11.17(a)",
    hands=kinds_in_seven,
    tables=pays.SEVEN_CARD_BONUS,
    needs=Prerequisite(_NEEDS, "11.7(e)"),
    fold=FoldEffect("bars", "11.9(e)"),
    pays_highest="pay",
)

_NUMBER: Final = Wager(
    name="number",
    rule="11.13(a)",
    tables=pays.NUMBER,
    pays_whole_cents=1_00,
    sees="no_cards",
    needs=Prerequisite(_NEEDS, "11.13(b)1"),
    fold=FoldEffect("lives", "11.13(c)"),
)

# Their own way to deal starts at the dealer's left, so that no number is drawn to wager on (11.17(b), (d)).
_DEALT_BY_11_17: Final = frozenset({"three_card_bonus", "seven_card_bonus"})

PAI_GOW_POKER: Final = Game(
    name="pai-gow-poker",
    title="Pai gow poker",
    most_seats=6,
    hand_size=7,
    fewest_cards=14,
    joker=True,
    order="lock_then_count",
    wagers=(
        _PAI_GOW,
        _PROGRESSIVE,
        _BONUS,
        _ENVY,
        _INSURANCE,
        _THREE_CARD_BONUS,
        _SEVEN_CARD_BONUS,
        _NUMBER,
    ),
    settlement={
        "player_by_player": (
            Tour((SettlementStep("number"),)),
            Tour((SettlementStep("three_card_bonus"),)),
            Tour(
                (
                    SettlementStep("progressive"),
                    SettlementStep("seven_card_bonus"),
                    SettlementStep("bonus", only=pays.PLAIN),
                    SettlementStep("insurance"),
                ),
            ),
            Tour((SettlementStep("envy"), SettlementStep("bonus", only=pays.PREMIUM))),
        )
    },
    exposes_all_first=True,
    validates_envy=True,
    validates="deducted",
    minimum_rates=(
        MinimumRate(2_100, "11.14(e)", stake_cents=1_00),
        MinimumRate(2_700, "11.14(e)", stake_cents=5_00),
    ),
    minimum_reset_cents=10_000_00,
    leave_stub=_DEALT_BY_11_17,
    sets_hands=True,
    exclusions=(
        Exclusion(frozenset({"bonus"}), _DEALT_BY_11_17, "11.15(a), 11.17(a)"),
        Exclusion(frozenset({"number"}), _DEALT_BY_11_17, "11.13(a), 11.17(d)"),
    ),
    caps=(
        Cap("bonus_limit_cents", frozenset({"bonus", "insurance", "envy"}), 40_000_00, "11.16(d)"),
        Cap("seven_card_bonus_limit_cents", frozenset({"seven_card_bonus"}), 50_000_00, "11.18(d)"),
    ),
    options=(
        Option(
            "royal_match",
            ("king_queen", "ace_king_natural"),
            "11.3(f)2",
            wagers={"ace_king_natural": (_BONUS_ACE_KING, _ENVY_ACE_KING)},
            cited_by=("bonus", "envy"),
        ),
        Option("wheel", ("second_highest", "lowest"), "11.3(d)"),
        Option("start", ("dice", "generator", "button"), "11.4(a)", settles=False),
        Option("vigorish", ("exact", "next_25"), "11.9(j)", settles=False),
        Option("player_bank", ("none", "bank", "co_bank"), "11.10(a), (e)", settles=False),
        Option("bank_offer", ("dealer_round", "wrap"), "11.10(c)", settles=False),
        Option("bank_side_wagers", ("refused", "taken"), "11.10(f), (p)", settles=False),
        Option("stub", ("counted", "shuffler_counts"), "11.17(h), (i)", settles=False),
        # Where cards are dealt by hand, the number is drawn once the stacks lie there.
        Option("dealing", ("shoe", "by_hand"), "11.8A(e)", settles=False),
    ),
    irregularities=(
        *side_wagers_of(PAI_GOW),
        *MISDEALS,
    ),
    clauses={
        "most_seats": "11.8C(b)3",
        "areas": "11.12(a)",
        "hand_size": "11.8(c)",
        "fewest_cards": "house: pace",
        "joker": "11.2(a)",
        "leave_stub": "11.17(h)",
        "sets_hands": "11.9(a)-(d)",
        "order": "11.14(b)",
        "settlement": "11.9(i)(j), 11.13(b)5, 11.15(d), 11.17(f)",
        "minimum_rates": "11.14(e)",
        "minimum_reset_cents": "11.14(f)",
        "shares_whole_meter": "11.14(g)",
        "exposes_all_first": "11.9(f)-(i)",
        "validates_envy": "house: envy",
        "coupons": "11.7(d)",
        "validates": "11.14(c)3",
        "percentages_from": "11.9(l)",
        "amounts_from": "11.9(l)",
        "one_wager": "11.14(a)",
        "late": "11.7(c)",
        "count": "11.14(b)",
        "light": "11.14(c)1",
        "hand": "11.14(c)2",
        "pay_first": "11.9(i)",
    },
)
