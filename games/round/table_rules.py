"""What binds one table: its game, pay table, stake, seats and the house's choices."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from games.game import Demand, Game, Irregularity, Wager
from games.money import Cents
from games.paytable import PayTable
from games.round.device_events import NOT_YET
from games.round.phases import Order
from games.round.state import Phase, RoundState

RuledField: TypeAlias = Literal["coupons", "shares_whole_meter", "settlement", "percentages_from"]
"""A field of a game whose clause the round cites."""


class TableRules(Struct, frozen=True):
    """Everything the round asks of the rules; side_tables holds the pay table of every other wager that is offered."""

    game: Game
    pay_table: PayTable
    stake_cents: Cents
    seats: tuple[int, ...]
    decks: int = 1
    offers: tuple[str, ...] = ()  # what else lies on the layout beside the base game and the progressive
    side_tables: Mapping[str, PayTable] = {}
    minimums: Mapping[str, Cents] = {}
    choices: Mapping[str, str] = {}
    limits: Mapping[str, Cents] = {}
    limits_before: Mapping[str, Cents] = {}
    settlement: str = "player_by_player"
    sensors: tuple[tuple[int, str], ...] = ()  # the side wagers with a sensor of their own: seat and wager
    by_eye: bool = False
    names_will_do: bool = False  # an amount that comes off the meter may be claimed by the hand's name
    supervisor_key: bool = False
    queue_when_link_lost: bool = False

    @property
    def tables(self) -> dict[str, PayTable]:
        """The pay table of every wager that this table pays."""
        offered = (wager for wager in self._wagers if wager.tables and self.is_offered(wager.name))
        listed = {wager.name: wager.pay_table(wager.pay_table_names[0], self.stake_cents) for wager in offered}
        known = {name: table for name, table in listed.items() if table is not None}
        return known | dict(self.side_tables) | {self.wager.name: self.pay_table}

    @property
    def base_wager(self) -> Wager:
        """The wager that is taken as made at every seat, unless the dealer says otherwise."""
        return self.game.wagers[0]

    @property
    def layout_wagers(self) -> tuple[Wager, ...]:
        """The wagers that lie at a seat because the dealer says so."""
        told = (wager for wager in self._wagers[1:] if not wager.is_progressive and wager.sees != "others")
        return tuple(wager for wager in told if not wager.needs or wager.name in self.offers)

    @property
    def _wagers(self) -> tuple[Wager, ...]:
        return self.game.wagers_under(self.choices)

    @property
    def dealer_hands(self) -> int:
        """How many hands the dealer plays, one after the other (2.18)."""
        return int(self.choices.get("dealer_hands", "1"))

    @property
    def has_fold(self) -> bool:
        """Whether a player can leave the base game: in multiple action a hand above 21 does (2.18(f))."""
        return self.game.has_fold or self.dealer_hands > 1

    @property
    def draws_number(self) -> bool:
        """Whether a number is drawn at this table before the cards."""
        return "number" in self.offers or self.start == "generator"

    @property
    def start(self) -> str:
        """How this table finds where the deal starts; nothing where it always starts at the same seat."""
        if self.leaves_stub:
            return ""
        return "generator" if "number" in self.offers else self.choice("start")

    @property
    def leaves_stub(self) -> bool:
        """Whether cards go only to seats with a wager, so that a stub is left whose size depends on them (11.17)."""
        return not self.game.leave_stub.isdisjoint(self.offers)

    def choice(self, name: str) -> str:
        """What the house chose of an option, by default the rule's first; nothing where the game has no such option."""
        option = next((option for option in self.game.options if option.name == name), None)
        return self.choices.get(name, option.choices[0]) if option else ""

    @property
    def draws_by_press(self) -> bool:
        """Whether the number waits for the dealer's press: he deals by hand, and the stacks come first (11.8A(e))."""
        return self.draws_number and self.choices.get("dealing") == "by_hand"

    def is_number_due(self, state: RoundState) -> bool:
        """Whether the number is to be drawn: the cards may be dealt, and nobody drew it (11.8C(c), 11.13(b)3)."""
        waits = self.draws_by_press and not state.stacks_dealt
        return self.draws_number and self.may_deal(state) and state.number_drawn is None and not waits

    def may_deal(self, state: RoundState) -> bool:
        """Whether the cards may be dealt: wagers are registered, wait for a meter that is lost, or there are none."""
        is_queued = bool(state.link_down) and not self.why_cut_off(state)
        return state.phase is Phase.IN_PLAY or (state.phase is Phase.COUNTED and (not state.wagers or is_queued))

    def is_offered(self, name: str) -> bool:
        """Whether this table pays a wager of this name."""
        if name == "envy":
            return self.envy is not None
        return name == self.wager.name or name in self.offers

    def layout_wager(self, name: str) -> Wager | None:
        """The wager of this name that the dealer may say lies at a seat, or None."""
        return next((wager for wager in self.layout_wagers if wager.name == name), None)

    def has_sensor(self, seat: int, wager: str) -> bool:
        """Whether a sensor of its own, and nobody's tap, says that this wager lies at this seat."""
        return (seat, wager) in self.sensors

    def minimum_cents(self, wager: Wager) -> Cents:
        """The least that this table takes for a wager."""
        return max(self.minimums.get(wager.name, 0), wager.minimum_cents)

    def usual_cents(self, wager: Wager) -> Cents:
        """What is taken as wagered where nobody says how much."""
        least = self.minimum_cents(wager)
        return next((stake for stake in sorted(wager.stakes) if stake >= least), max(least, 1_00))

    def why_cut_off(self, state: RoundState) -> str:
        """Why there are no new wagers for want of a meter, or nothing.

        A house that queues plays on while the meter is lost: never while it refuses this table or may do so.
        """
        is_lost = not state.link_refused and state.link_down != NOT_YET
        return "" if self.queue_when_link_lost and is_lost else state.link_down

    @property
    def order(self) -> Order:
        """How wagers are closed and counted here."""
        return "by_eye" if self.by_eye else self.game.order

    def clause(self, demand: Demand | RuledField) -> str:
        """The clause of this game that makes a demand."""
        return self.game.clauses[demand]

    @property
    def wager(self) -> Wager:
        """The progressive wager this table takes."""
        assert self.game.progressive is not None
        return self.game.progressive

    @property
    def envy(self) -> Wager | None:
        """The envy bonus that this table pays, or None."""
        envy = self.game.wager("envy")
        return envy if self.envy_goes_with_progressive or "bonus" in self.offers else None

    def is_envied(self, hand: str) -> bool:
        """Whether others at this table are paid for a hand of this name."""
        table = self.tables.get("envy")
        return table is not None and table.line(hand) is not None

    @property
    def envy_goes_with_progressive(self) -> bool:
        """Whether it is the progressive wager that entitles to envy, and not a bonus wager on the layout."""
        envy = self.game.wager("envy")
        return envy is not None and envy.needs is not None and self.wager.name in envy.needs.any_of

    @property
    def can_be_shared(self) -> bool:
        """Whether two hands of a round can share the whole meter: around one flop of one deck they cannot."""
        return self.game.shares_whole_meter and not self.community_size

    @property
    def community_size(self) -> int:
        """How many community cards belong to the progressive hand."""
        return 3 if self.wager.sees == "own_and_flop" else 0

    def irregularity(self, name: str) -> Irregularity | None:
        """What this game's rules say of an irregularity, or None."""
        return next((known for known in self.game.irregularities if known.name == name), None)
