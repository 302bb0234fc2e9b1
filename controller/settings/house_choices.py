"""What a house chooses beyond the game itself: what else its table offers, and what it pays above the rule's least."""

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import Struct

from common.settings import Section
from games.catalogue.blackjack import MULTIPLE_ACTION
from games.money import Cents
from games.paytable import Pay, pay_of
from games.showdown.blackjack import MOST_WAGERS, BesideMultipleAction

_PAY: Final = 'cents such as 6000, a part of the meter such as "12 %", or odds such as "30 to 1"'


class HouseChoices(Struct, frozen=True):
    """The rest of what a table's settings say to the rules; pay_tables and pays go by wager, pays then by hand."""

    decks: int | None = None
    wagers: tuple[str, ...] = ()
    pay_tables: Mapping[str, str] = {}
    pays: Mapping[str, Mapping[str, Pay]] = {}
    limits: Mapping[str, Cents] = {}
    limits_before: Mapping[str, Cents] = {}  # what a limit was before it was lowered
    minimums: Mapping[str, Cents] = {}
    dealer_hands: int = 1
    multiple_action_bonus: BesideMultipleAction = "refused"
    insurance_to_one: int = 0  # multiple action: what insurance pays; 0: it is not offered
    connection_sign: bool = False
    options: Mapping[str, str] = {}
    names_will_do: bool = False

    @property
    def of_the_round(self) -> Mapping[str, str]:
        """The options that the round knows, multiple action among them."""
        return {**self.options, **({"dealer_hands": str(self.dealer_hands)} if self.dealer_hands > 1 else {})}

    @property
    def multiple_action_offers(self) -> tuple[str, ...]:
        """The wagers of multiple action: the third one, and insurance if the house says what it pays (2.18(b), (d))."""
        added = MULTIPLE_ACTION.get(str(self.dealer_hands), ())
        return tuple(wager.name for wager in added if self.insurance_to_one or not wager.dealer_hand)


def read_choices(table: Section) -> HouseChoices:
    """Reads them from [table]; whether the rules allow them is asked later, of all settings together."""
    pays = table.section("pays")
    options = table.section("options").each(_text, "one of the choices of this option")
    if "dealer_hands" in options:
        table.fault("options.dealer_hands", "write dealer_hands under [table] itself", value=options["dealer_hands"])
    is_approved = table.choice("multiple_action_bonus", get_args(BesideMultipleAction), "refused") == "approved"
    return HouseChoices(
        decks=table.whole("decks", low=1, high=8) if table.has("decks") else None,
        wagers=_read_wagers(table),
        pay_tables=table.section("pay_tables").each(_text, "the name of a pay table"),
        pays={wager: pays.section(wager).each(pay_of, _PAY) for wager in pays.names()},
        limits=table.section("limits").each(_cents, "an amount in cents"),
        limits_before=table.section("limits_before").each(_cents, "an amount in cents"),
        minimums=table.section("minimums").each(_cents, "an amount in cents"),
        dealer_hands=table.whole("dealer_hands", 1, low=1, high=MOST_WAGERS),
        multiple_action_bonus="approved" if is_approved else "refused",
        insurance_to_one=table.whole("insurance_to_one", 0, low=0, high=100),
        connection_sign=table.flag("connection_sign", default=False),
        options=options,
        names_will_do=table.flag("names_will_do", default=False),
    )


def _read_wagers(table: Section) -> tuple[str, ...]:
    if not table.has("wagers"):
        return ()
    return table.texts("wagers", pattern=r"[a-z_]{1,32}", meaning="a wager such as bonus", most=8)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _cents(value: object) -> Cents | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
