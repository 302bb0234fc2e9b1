"""A played round: what lay at each seat, which cards fell, and which wagers are still alive at the end."""

from collections.abc import Mapping

from msgspec import Struct

from games.cards import Card
from games.game import Game, Irregularity, Wager
from games.money import Cents
from games.paytable import PayTable


class Seat(Struct, frozen=True):
    """One position: its wagers with their amounts (0 where nobody said), its cards in the order they came.

    player tells whose it is where one player holds two areas (11.12).
    """

    number: int
    wagers: Mapping[str, Cents]
    cards: tuple[Card, ...] = ()
    coupon: bool = False
    folded: bool = False
    numbers: Mapping[int, Cents] = {}
    displayed_cents: Cents | None = None
    player: str | None = None


class PlayedRound(Struct, frozen=True):
    """Everything that settlement asks; tables holds the pay table of every wager that has one."""

    game: Game
    tables: Mapping[str, PayTable]
    stake_cents: Cents
    meter_cents: Cents
    reset_cents: Cents
    seats: tuple[Seat, ...]
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    decks: int = 1
    settlement: str = "player_by_player"
    choices: Mapping[str, str] = {}
    limits: Mapping[str, Cents] = {}
    number_drawn: int | None = None
    irregularity: Irregularity | None = None
    irregular_seats: frozenset[int] = frozenset()

    def wager(self, name: str) -> Wager | None:
        """The game's wager of this name, as the house's choices make it."""
        changed = (
            wager
            for option in self.game.options
            for wager in option.wagers.get(self.choices.get(option.name, ""), ())
            if wager.name == name
        )
        return next(changed, None) or self.game.wager(name)

    def areas_of(self, seat: Seat) -> tuple[int, ...]:
        """The numbers of all seats that this seat's player holds, its own among them."""
        theirs = (other for other in self.seats if seat.player is not None and other.player == seat.player)
        return tuple(sorted({seat.number, *(other.number for other in theirs)}))

    def is_void(self, seat: Seat) -> bool:
        """Whether an irregularity made this seat's hand void."""
        if self.irregularity is None or self.irregularity.voids == "nothing":
            return False
        return self.irregularity.voids == "round" or seat.number in self.irregular_seats

    def is_live(self, seat: Seat, wager: Wager) -> bool:
        """Whether this wager lies at the seat and neither a fold nor an irregularity ended it."""
        if wager.name not in seat.wagers or (seat.folded and wager.fold.effect == "forfeits"):
            return False
        return not self.is_void(seat) or self.survives(wager)

    def survives(self, wager: Wager) -> bool:
        """Whether the irregularity leaves this wager to be settled all the same."""
        return self.irregularity is not None and wager.name in self.irregularity.survivors

    def wagers_at(self, seat: Seat) -> tuple[Wager, ...]:
        """The wagers of this game that lie at the seat."""
        known = (self.wager(name) for name in seat.wagers)
        return tuple(wager for wager in known if wager)

    def live_wagers(self, seat: Seat) -> tuple[Wager, ...]:
        """The wagers that are still alive at the seat."""
        return tuple(wager for wager in self.wagers_at(seat) if self.is_live(seat, wager))

    def cards_seen(self, seat: Seat, wager: Wager) -> tuple[Card, ...]:
        """The cards that decide this wager at this seat."""
        match wager.sees:
            case "own_and_flop":
                return seat.cards + self.community[:3]
            case "own_and_dealer":
                return seat.cards + self.dealer
            case "own_first_three":
                return seat.cards[:3]
            case "own" | "others" | "no_cards":
                return seat.cards
