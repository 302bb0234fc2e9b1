"""What binds one table: its game, pay table, stake, seats and the house's choices."""

from typing import Literal

from msgspec import Struct

from games.game import Demand, Game, Irregularity, Wager
from games.money import Cents
from games.paytable import PayTable
from games.round.device_events import NOT_YET
from games.round.phases import Order
from games.round.state import RoundState


class TableRules(Struct, frozen=True):
    """Everything the round asks of the rules."""

    game: Game
    pay_table: PayTable
    stake_cents: Cents
    seats: tuple[int, ...]
    decks: int = 1
    offers: tuple[str, ...] = ()  # what else lies on the layout beside the base game and the progressive
    settlement: str = "player_by_player"
    by_eye: bool = False
    supervisor_key: bool = False
    queue_when_link_lost: bool = False

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

    def clause(self, demand: Demand | Literal["coupons", "shares_whole_meter", "settlement"]) -> str:
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

    @property
    def envy_goes_with_progressive(self) -> bool:
        """Whether it is the progressive wager that entitles to envy, and not a bonus wager on the layout."""
        envy = self.game.wager("envy")
        return envy is not None and envy.needs is not None and self.wager.name in envy.needs.any_of

    @property
    def settles_envy_last(self) -> bool:
        """Whether every winning wager of the table is paid before the first envy bonus."""
        tours = self.game.settlement[self.settlement]
        together = (tour for tour in tours if any(step.wager == "envy" for step in tour.steps))
        return not any(step.wager == self.wager.name for tour in together for step in tour.steps)

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

    def refunds(self, irregularity: Irregularity) -> bool:
        """Whether an irregularity voids the progressive wagers, too."""
        return irregularity.voids == "round" and self.wager.name not in irregularity.survivors
