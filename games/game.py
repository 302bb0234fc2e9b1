"""A game as a value: its wagers, what they need, when they are settled, and the clause behind each answer."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.cards import Card
from games.money import Cents
from games.paytable import Fixed, Odds, PayLine, PayTable, Percent

NOTHING: Final = "nothing"
CARD_MS: Final = 500
"""What a card takes to be dealt, at the least: nobody deals and reads more than two a second."""
KEY_MS: Final = 250
"""What a key takes to be pressed, at the least: nobody types more than four digits a second."""
SIGN_IN_KEYS: Final = 10
"""A staff number of four digits and a PIN of six."""

Hands: TypeAlias = Callable[[Sequence[Card]], frozenset[str]]
Source: TypeAlias = Literal["rack", "cage"]
# The cards that decide a wager.
Sees: TypeAlias = Literal[
    "own", "own_and_flop", "own_and_dealer", "own_first_three", "dealer_hand", "others", "no_cards"
]
# What a round asks of the people at the table.
Demand: TypeAlias = Literal["one_wager", "late", "count", "light", "hand", "pay_first"]


def no_hands(_: Sequence[Card]) -> frozenset[str]:
    """The hands of a wager that is settled elsewhere: none."""
    return frozenset()


class Prerequisite(Struct, frozen=True):
    """One of these wagers must lie at the seat."""

    any_of: tuple[str, ...]
    rule: str


class FoldEffect(Struct, frozen=True):
    """What becomes of a wager when its player folds or surrenders (bars: he may not), and which wager that folds."""

    effect: Literal["lives", "forfeits", "bars"]
    rule: str
    folds: str = ""


class Wager(Struct, frozen=True):
    """One bet: what it costs, needs and pays, and every kind of hand that given cards are for it."""

    name: str
    rule: str
    hands: Hands = no_hands
    tables: tuple[PayTable, ...] = ()
    # The only amounts that will do; where there are none, any amount from the minimum up.
    stakes: tuple[Cents, ...] = ()
    minimum_cents: Cents = 1
    pays_whole_cents: Cents = 1
    sees: Sees = "own"
    dealer_hand: int = 0  # which of the dealer's hands decides it, where it sees one of several
    needs: Prerequisite | None = None
    fold: FoldEffect = FoldEffect("forfeits", "")
    # The rule pays the highest hand, except where it tells the dealer to look for the highest pay.
    pays_highest: Literal["hand", "pay"] = "hand"

    @property
    def is_progressive(self) -> bool:
        """Whether this is the wager that moves the meter."""
        return self.name == "progressive"

    @property
    def pay_table_names(self) -> tuple[str, ...]:
        """The pay tables a licensee may choose from, the default first."""
        return tuple(dict.fromkeys(table.name for table in self.tables))

    def table_called(self, name: str) -> str:
        """The name of the table that people mean: where none has a letter, the first one is also A, or nothing said."""
        names = self.pay_table_names
        return names[0] if names[0] == "base" and name in {"", "A"} - {*names} else name

    def pay_table(self, name: str, stake_cents: Cents) -> PayTable | None:
        """The table of that name for this stake, or None."""
        fitting = (table for table in self.tables if table.name == name and table.stake_cents in (0, stake_cents))
        return next(fitting, None)

    def hand(self, cards: Sequence[Card], table: PayTable | None = None) -> str:
        """The name of what these cards are in that table, or in any of them, at an ample meter; or nothing."""
        made = self.hands(cards)
        return next((hand for hand in self.precedence(table) if hand in made), NOTHING)

    def precedence(self, table: PayTable | None = None) -> tuple[str, ...]:
        """Every hand that this table pays, or some table of the wager, best first."""
        lines = [line for each in ([table] if table else self.tables) for line in each.lines]
        if self.pays_highest == "pay":
            lines.sort(key=_ample_pay, reverse=True)
        return tuple(dict.fromkeys(line.hand for line in lines))


class MinimumRate(Struct, frozen=True):
    """The least part of each wager that moves the meter; pay_table "" or stake_cents 0 mean any."""

    bp: int
    rule: str
    pay_table: str = ""
    stake_cents: Cents = 0


class Exclusion(Struct, frozen=True):
    """Two groups of wagers that one table may not offer together."""

    one: frozenset[str]
    other: frozenset[str]
    rule: str


class Cap(Struct, frozen=True):
    """A limit that a house may set on what one player wins with these wagers in a round, and never on others."""

    option: str
    wagers: frozenset[str]
    at_least_cents: Cents
    rule: str


class SettlementStep(Struct, frozen=True):
    """One wager's turn at a seat; only these hands, where the rule settles the others at another time."""

    wager: str
    only: frozenset[str] | None = None


class Tour(Struct, frozen=True):
    """One walk of the dealer around the table, all steps at each seat; seats says to whom he goes."""

    steps: tuple[SettlementStep, ...]
    begins: Literal["right", "left"] = "right"
    seats: Literal["all", "standing", "folded"] = "all"

    def visits(self, *, is_folded: bool) -> bool:
        """Whether the dealer comes to such a seat on this walk."""
        return self.seats == "all" or (self.seats == "folded") is is_folded


class Irregularity(Struct, frozen=True):
    """Something that went wrong: whose hands it makes void, and which wagers are settled all the same.

    earliest is the part of the round from which on it can happen: while wagers are open, while chips are counted, or
    once cards are dealt. What voids nothing can happen at any time.
    """

    name: str
    rule: str
    voids: Literal["nothing", "round", "seats"]
    survivors: frozenset[str] = frozenset()
    earliest: Literal["open", "counting", "dealt"] = "dealt"


# What the text of a game does not foresee, or does not give us, refunds the hands it makes void.
HOUSE: Final = "house: void rounds"
MISDEALS: Final = (
    Irregularity("misdeal", HOUSE, "round", earliest="counting"),
    Irregularity("misdeal_at_seats", HOUSE, "seats"),
)


class Option(Struct, frozen=True):
    """A choice the rule leaves to the licensee, the default first; wagers are those that a choice changes or adds."""

    name: str
    choices: tuple[str, ...]
    rule: str
    wagers: Mapping[str, tuple[Wager, ...]] = {}
    settles: bool = True  # it may change what settlement pays; otherwise only how the live table is run
    # The wagers whose payments name this clause when the house chose otherwise than the default.
    cited_by: tuple[str, ...] = ()


class Game(Struct, frozen=True):
    """One game of the rule book; clauses names the source of every field that states a rule, and of every demand."""

    name: str
    title: str
    most_seats: int
    hand_size: int
    fewest_cards: int  # dealt in a round of one player and the dealer, at the least
    order: Literal["lock_then_count", "count_then_lock"]
    wagers: tuple[Wager, ...]
    settlement: Mapping[str, tuple[Tour, ...]]
    clauses: Mapping[str, str]
    minimum_rates: tuple[MinimumRate, ...]
    minimum_reset_cents: Cents = 0
    rate_combines_reset_meter: bool = False
    hand_grows: bool = False
    joker: bool = False
    most_decks: int = 1
    shares_whole_meter: bool = False
    exposes_all_first: bool = False  # every hand is exposed before the first one is paid
    validates_envy: bool = False
    has_fold: bool = True
    shows_folded_hands: bool = True
    coupons: bool = True
    validates: Literal["every", "deducted"] = "every"
    percentages_from: Source = "cage"
    amounts_from: Source = "rack"
    leave_stub: frozenset[str] = frozenset()  # wagers whose way to deal leaves a stub that must be counted
    sets_hands: bool = False  # a hand is set into two; the dealer's as the house sets it
    exclusions: tuple[Exclusion, ...] = ()
    caps: tuple[Cap, ...] = ()
    options: tuple[Option, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()

    @property
    def progressive(self) -> Wager | None:
        """The wager that moves the meter."""
        return next((wager for wager in self.wagers if wager.is_progressive), None)

    @property
    def shortest_round_ms(self) -> int:
        """The least time between two rounds of a table: that of dealing the fewest cards, and nothing else.

        A reading of ours, on the safe side: wagers, decisions and payments take time, too.
        """
        return self.fewest_cards * CARD_MS

    @property
    def shortest_claim_ms(self) -> int:
        """The least time from registered wagers to a claim: the cards are dealt after the wagers are registered."""
        return self.fewest_cards * CARD_MS

    @property
    def shortest_payout_ms(self) -> int:
        """The least time from a claim to its payout: two persons type staff number and PIN, ten keys each."""
        return 2 * SIGN_IN_KEYS * KEY_MS

    def wager(self, name: str) -> Wager | None:
        """The wager of this name, or None."""
        return next((wager for wager in self.wagers if wager.name == name), None)

    def wagers_under(self, choices: Mapping[str, str]) -> tuple[Wager, ...]:
        """Its wagers as the house's choices make them: a choice changes some, or adds them."""
        chosen = (option.wagers.get(choices.get(option.name, ""), ()) for option in self.options)
        changed = {wager.name: wager for wagers in chosen for wager in wagers}
        mine = tuple(changed.pop(wager.name, wager) for wager in self.wagers)
        return (*mine, *changed.values())

    def minimum_rate_bp(self, pay_table: str, stake_cents: Cents) -> int:
        """The least rate of progression for this pay table and stake."""
        fitting = (
            rate.bp
            for rate in self.minimum_rates
            if rate.pay_table in ("", pay_table) and rate.stake_cents in (0, stake_cents)
        )
        return max(fitting, default=0)

    def source(self, line: PayLine) -> Source:
        """Whether the rack or the cage pays this row."""
        return self.percentages_from if isinstance(line.pay, Percent) else self.amounts_from

    def must_be_validated(self, line: PayLine) -> bool:
        """Whether a supervisor validates a progressive payout of this row."""
        return self.validates == "every" or line.deducted


def _ample_pay(line: PayLine) -> tuple[int, Fraction]:
    """Orders rows by pay where the meter is worth more than any amount."""
    match line.pay:
        case Percent(bp=bp):
            return bp, Fraction(0)
        case Fixed(cents=cents):
            return 0, Fraction(cents)
        case Odds(to_one=odds):
            return 0, odds
