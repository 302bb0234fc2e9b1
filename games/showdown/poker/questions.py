"""Questions about the poker room as they are written, and their answers."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from games.cards import Card
from games.money import Cents
from games.showdown.input import Amount, InputFault, Place, Seat, SomeAmount, Words, read_deal
from games.showdown.poker.games import POKER_GAMES, PokerGame, Side, deals
from games.showdown.poker.hands import OddLowCard, ShownHand, Sorting, shown_hand
from games.showdown.poker.kill import FEWEST_TIMES, MOST_TIMES, Kill, KillButton, next_kill
from games.showdown.poker.pots import Pot, Stake, Uncalled, pots, uncalled
from games.showdown.poker.showdown import PotShare, awards

Dealt: TypeAlias = tuple[Mapping[int, tuple[Card, ...]], tuple[Card, ...]]


class PlayerAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's cards and what he has put in."""

    cards: Words = ()
    paid_cents: Amount | None = None
    folded: bool = False


class PotAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A pot as the dealer has made it, and the seats that play for it."""

    amount_cents: SomeAmount
    seats: tuple[Seat, ...]


class OptionsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest chip that pots are divided in, and which low card takes an excess."""

    chip_cents: Literal[100, 50, 25, 5, 1] = 100
    odd_low_card: OddLowCard = "farthest_from_ace"


class KillAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The kill as the house posts it, and the seat its button lies at in this hand."""

    kind: Literal["kill", "half_kill"]
    minimum_cents: SomeAmount
    times: Annotated[int, Meta(ge=FEWEST_TIMES, le=MOST_TIMES)]
    holder: Seat | None = None


class PokerShowdown(Struct, frozen=True, forbid_unknown_fields=True):
    """Cards and money of a hand of poker after its last betting round."""

    game: str
    players: dict[Seat, PlayerAsked]
    question: Literal["showdown"] = "showdown"
    community: Words = ()
    pots: tuple[PotAsked, ...] | None = None
    options: OptionsAsked = OptionsAsked()
    kill: KillAsked | None = None


class HandReading(Struct, frozen=True):
    """A hand as it is read aloud."""

    hand: str
    cards: tuple[str, ...]


class PokerAnswer(Struct, frozen=True):
    """The pots, what each seat shows and takes, and why; the shares add up to the pots."""

    pots: tuple[Pot, ...]
    returned: tuple[Uncalled, ...]
    hands: dict[int, dict[Side, HandReading]]
    awards: tuple[PotShare, ...]
    shares: dict[int, Cents]
    kill: KillButton | None


def showdown(asked: PokerShowdown) -> PokerAnswer | InputFault:
    """Who takes what part of which pot."""
    game = POKER_GAMES[asked.game]
    fault = _table_fault(game, asked) or _money_fault(asked)
    if fault:
        return fault
    dealt = _dealt(game, asked)
    if isinstance(dealt, InputFault):
        return dealt
    middle, returned = _middle(asked)
    hands = _hands(game, asked, dealt) if len(_live(asked)) > 1 else {side: {} for side in game.sides}
    given = awards(game, hands, middle, asked.options.chip_cents)
    shares = {seat: sum(award.amount_cents for award in given if award.seat == seat) for seat in _live(asked)}
    return PokerAnswer(middle, returned, _read_aloud(hands), given, shares, _kill(asked, middle, shares))


def _live(asked: PokerShowdown) -> list[int]:
    return sorted(seat for seat, player in asked.players.items() if not player.folded)


def _table_fault(game: PokerGame, asked: PokerShowdown) -> InputFault | None:
    if not 2 <= len(asked.players) <= game.most_players or max(asked.players) > game.most_players:
        return InputFault(
            f"{game.name} has 2 to {game.most_players} players at seats 1 to {game.most_players}", "players"
        )
    if not _live(asked):
        return InputFault("every player has folded; the last one cannot", "players")
    if asked.kill and asked.game != "omaha-eight-or-better":
        return InputFault("only omaha-eight-or-better may have a kill (14.11(i))", "kill")
    if asked.kill and asked.kill.holder is not None and asked.kill.holder not in asked.players:
        return InputFault("the kill button lies before a player of this hand (14.11(i))", "kill.holder")
    return None


def _money_fault(asked: PokerShowdown) -> InputFault | None:
    """The money is what each player paid, or the pots as they lie; never both, never neither."""
    if asked.pots is not None:
        return _pots_fault(asked, asked.pots)
    for seat, player in asked.players.items():
        if player.paid_cents is None:
            return InputFault("missing; write what every player paid, or the pots", f"players.{seat}.paid_cents")
        if player.paid_cents == 0 and not player.folded:
            return InputFault("a player who has put in nothing cannot win anything", f"players.{seat}.paid_cents")
    return None


def _pots_fault(asked: PokerShowdown, given: Sequence[PotAsked]) -> InputFault | None:
    for seat, player in asked.players.items():
        if player.paid_cents is not None:
            return InputFault("write what every player paid, or the pots, not both", f"players.{seat}.paid_cents")
    live = set(_live(asked))
    for number, pot in enumerate(given):
        if not pot.seats or len(set(pot.seats)) < len(pot.seats) or not live.issuperset(pot.seats):
            return InputFault(
                "write each seat once that has not folded and plays for this pot", f"pots[{number}].seats"
            )
    idle = live - {seat for pot in given for seat in pot.seats}
    return InputFault(f"seat {min(idle)} has not folded but plays for no pot", "pots") if idle else None


def _middle(asked: PokerShowdown) -> tuple[tuple[Pot, ...], tuple[Uncalled, ...]]:
    if asked.pots is not None:
        return tuple(Pot(pot.amount_cents, tuple(sorted(pot.seats))) for pot in asked.pots), ()
    stakes = [Stake(seat, player.paid_cents or 0, player.folded) for seat, player in asked.players.items()]
    extra = uncalled(stakes)
    return pots(stakes), (extra,) if extra else ()


def _dealt(game: PokerGame, asked: PokerShowdown) -> Dealt | InputFault:
    """The cards; only players who show down need all of theirs."""
    contested = len(_live(asked)) > 1
    deal = next((deal for deal in deals(game) if deal[1] == len(asked.community)), None)
    if contested and deal is None:
        wanted = " or ".join(str(community) for _, community in deals(game))
        return InputFault(f"{len(asked.community)} community cards where {wanted} belong", "community")
    own = deal[0] if contested and deal else game.own_cards
    seats = sorted(asked.players)
    places = [
        Place(
            f"players.{seat}.cards",
            asked.players[seat].cards,
            (own,) if contested and not asked.players[seat].folded else range(game.own_cards + 1),
        )
        for seat in seats
    ]
    read = read_deal([*places, Place("community", asked.community, range(6))])
    return read if isinstance(read, InputFault) else (dict(zip(seats, read[:-1], strict=True)), read[-1])


def _hands(game: PokerGame, asked: PokerShowdown, dealt: Dealt) -> dict[Side, dict[int, ShownHand]]:
    own, community = dealt
    hands: dict[Side, dict[int, ShownHand]] = {}
    for side in game.sides:
        sorting = Sorting(side, asked.options.odd_low_card)
        shown = [shown_hand(game, sorting, own[seat], community, seat=seat) for seat in _live(asked)]
        hands[side] = {hand.seat: hand for hand in shown if hand}
    return hands


def _read_aloud(hands: Mapping[Side, Mapping[int, ShownHand]]) -> dict[int, dict[Side, HandReading]]:
    seats = sorted({seat for shown in hands.values() for seat in shown})
    return {
        seat: {
            side: HandReading(shown[seat].rank.name, tuple(map(str, shown[seat].cards)))
            for side, shown in hands.items()
            if seat in shown
        }
        for seat in seats
    }


def _kill(asked: PokerShowdown, middle: Sequence[Pot], shares: Mapping[int, Cents]) -> KillButton | None:
    if asked.kill is None:
        return None
    posted = Kill(asked.kill.kind, asked.kill.minimum_cents, asked.kill.times, asked.kill.holder)
    return next_kill(posted, sum(pot.amount_cents for pot in middle), shares)
