"""A played round: what lay at each seat, which cards fell, and which wagers are still alive at the end."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.cards import Card
from games.game import Game, Irregularity, Wager
from games.money import Cents
from games.paytable import PayTable

FIRST_THREE: Final = 3
# Why there is no such hand of the dealer's: everybody is above 21, or nobody made a third wager.
MOST_HANDS: Final = 3
HAND_RULES: Final[Mapping[int, str]] = {2: "2.18(f)1", 3: "2.18(h)"}


class Seat(Struct, frozen=True):
    """One position: its wagers with their amounts (0 where nobody said), its cards in the order they came.

    named holds what was said to win where nobody wrote the cards down; lost the wagers of which somebody said that
    they win nothing. player tells whose it is where one player holds two areas (11.12).
    """

    number: int
    wagers: Mapping[str, Cents]
    cards: tuple[Card, ...] = ()
    coupon: bool = False
    folded: bool = False
    numbers: Mapping[int, Cents] = {}
    displayed_cents: Cents | None = None
    player: str | None = None
    named: Mapping[str, str] = {}
    lost: frozenset[str] = frozenset()


class Fault(Struct, frozen=True):
    """One irregularity of a round: the seats it names, and the wagers that had been settled before it happened."""

    irregularity: Irregularity
    seats: frozenset[int] = frozenset()
    settled: frozenset[str] = frozenset()

    def hits(self, seat: int) -> bool:
        """Whether it makes the hand of this seat void."""
        return self.irregularity.voids == "round" or (self.irregularity.voids == "seats" and seat in self.seats)

    def spares(self, wager: str) -> bool:
        """Whether this wager of a void hand is settled all the same."""
        return wager in self.irregularity.survivors or wager in self.settled


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
    faults: tuple[Fault, ...] = ()

    def wager(self, name: str) -> Wager | None:
        """The game's wager of this name, as the house's choices make it."""
        changed = (
            wager
            for option in self.game.options
            for wager in option.wagers.get(self.choices.get(option.name, ""), ())
            if wager.name == name
        )
        return next(changed, None) or self.game.wager(name)

    @property
    def dealer_hands(self) -> int:
        """How many hands the dealer plays, one after the other (2.18)."""
        return int(self.choices.get("dealer_hands", "1"))

    def seat(self, number: int) -> Seat:
        """The seat of this number."""
        return next(seat for seat in self.seats if seat.number == number)

    def areas_of(self, seat: Seat) -> tuple[int, ...]:
        """The numbers of all seats that this seat's player holds, its own among them."""
        theirs = (other for other in self.seats if seat.player is not None and other.player == seat.player)
        return tuple(sorted({seat.number, *(other.number for other in theirs)}))

    def is_void(self, seat: Seat) -> bool:
        """Whether an irregularity made this seat's hand void."""
        return any(fault.hits(seat.number) for fault in self.faults)

    def is_live(self, seat: Seat, wager: Wager) -> bool:
        """Whether this wager lies at the seat and neither a fold nor an irregularity ended it."""
        return wager.name in seat.wagers and not self.is_forfeited(seat, wager) and not self.is_refunded(seat, wager)

    def is_forfeited(self, seat: Seat, wager: Wager) -> bool:
        """Whether its player lost this wager by folding."""
        return seat.folded and wager.fold.effect == "forfeits"

    def is_refunded(self, seat: Seat, wager: Wager) -> bool:
        """Whether the seat's hand is void and this wager with it; what every fault spares is settled all the same."""
        return any(fault.hits(seat.number) and not fault.spares(wager.name) for fault in self.faults)

    def is_shown(self, seat: Seat) -> bool:
        """Whether others see this hand: a folded one goes away unseen, unless the house has it exposed (20.10(b))."""
        is_unseen = seat.folded and not self.game.shows_folded_hands and self.choices.get("folded_hands") != "exposed"
        return bool(seat.cards) and not is_unseen and not self.is_void(seat)

    def is_hand_played(self, hand: int) -> bool:
        """Whether a wager is left against this hand of the dealer's: two are made, the third is a choice (2.18(b))."""
        wager = "third_wager" if hand == MOST_HANDS else self.game.wagers[0].name
        return any(wager in seat.wagers and not seat.folded for seat in self.seats)

    def wagers_at(self, seat: Seat) -> tuple[Wager, ...]:
        """The wagers of this game that lie at the seat."""
        known = (self.wager(name) for name in seat.wagers)
        return tuple(wager for wager in known if wager)

    def live_wagers(self, seat: Seat) -> tuple[Wager, ...]:
        """The wagers that are still alive at the seat."""
        return tuple(wager for wager in self.wagers_at(seat) if self.is_live(seat, wager))

    def is_waiting_for_cards(self, wager: Wager) -> bool:
        """Whether the flop or the dealer's cards, which this wager looks at, are not known yet."""
        is_dealer_hidden = wager.sees == "own_and_dealer" and len(self.dealer) < self.game.hand_size
        if wager.dealer_hand:
            return len(self.dealer) <= wager.dealer_hand
        return is_dealer_hidden or (wager.sees == "own_and_flop" and len(self.community) < FIRST_THREE)

    def cards_seen(self, seat: Seat, wager: Wager) -> tuple[Card, ...]:
        """The cards that decide this wager at this seat."""
        match wager.sees:
            case "own_and_flop":
                return seat.cards + self.community[:3]
            case "own_and_dealer":
                return seat.cards + self.dealer
            case "own_first_three":
                return seat.cards[:3]
            case "dealer_hand":
                return self.dealer[:1] + self.dealer[wager.dealer_hand : wager.dealer_hand + 1]
            case "own" | "others" | "no_cards":
                return seat.cards


def settled_early(played: PlayedRound) -> frozenset[str]:
    """The wagers that are settled before the hands are played, as far as this round has come.

    The number once it is drawn (11.13(b)5), the three cards once four more are dealt (11.17(f)), and the blackjack
    bonus once its winners' cards lie under it (2.20(e)).
    """
    is_past = {
        "no_cards": played.number_drawn is not None,
        "own_first_three": any(len(seat.cards) > FIRST_THREE for seat in played.seats),
    }
    is_displayed = any(seat.displayed_cents is not None for seat in played.seats)
    return frozenset(
        wager.name
        for wager in played.game.wagers
        if wager.needs and (is_past.get(wager.sees) if wager.tables else is_displayed and wager.sees == "own")
    )
