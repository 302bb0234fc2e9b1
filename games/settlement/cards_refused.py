"""What cannot be of the cards that were played."""

from collections.abc import Iterator

from games.cards import Card, first_impossible, how_many
from games.settlement.played_round import PlayedRound, Seat
from games.settlement.refused import Refusals, Refused


def hand(played: PlayedRound, seat: Seat) -> Refusals:
    """A hand that decides a wager is whole; one that decides nothing may be missing, but not be in part."""
    size, got = played.game.hand_size, len(seat.cards)
    is_whole = got >= size if played.game.hand_grows else got == size
    needed = any(wager.sees != "no_cards" for wager in played.live_wagers(seat))
    if not is_whole and (needed or (got and not played.is_void(seat))):
        least = "at least " if played.game.hand_grows else ""
        problem = f"seat {seat.number} has {how_many(got)} where {least}{size} belong"
        yield Refused(problem, f"seats.{seat.number}.cards", played.game.clauses["hand_size"])


def display(played: PlayedRound, seat: Seat) -> Refusals:
    """The bonus button shows an amount to every winner of the blackjack bonus, and to nobody else (2.20(g)1)."""
    where = f"seats.{seat.number}.displayed_cents"
    wins = any(
        not wager.tables and len(seat.cards) >= played.game.hand_size and wager.hands(played.cards_seen(seat, wager))
        for wager in played.live_wagers(seat)
    )
    if wins and seat.displayed_cents is None:
        yield Refused(f"seat {seat.number} won the bonus; what did its display show?", where, "2.20(f)")
    if seat.displayed_cents is not None and not wins:
        yield Refused(f"seat {seat.number} did not win a displayed bonus", where, "2.20(d)")


def community(played: PlayedRound) -> Refusals:
    """Hold 'em has a flop, then a turn, then a river; no other game has any."""
    got = len(played.community)
    if not any(wager.sees == "own_and_flop" for wager in played.game.wagers):
        if got:
            yield Refused(f"{played.game.title} has no community cards", "community")
        return
    needed = any(wager.sees == "own_and_flop" for seat in played.seats for wager in played.live_wagers(seat))
    if got not in (3, 4, 5) and (needed or got):
        problem = f"{how_many(got)} in the middle; the flop has 3, with the turn 4 and with the river 5"
        yield Refused(problem, "community", "28.1")


def dealer(played: PlayedRound) -> Refusals:
    """The dealer's hand is whole where it decides a wager, and never too large."""
    got, size = len(played.dealer), played.game.hand_size
    needed = any(wager.sees == "own_and_dealer" for seat in played.seats for wager in played.live_wagers(seat))
    if (needed and got != size) or (got > size and not played.game.hand_grows):
        rule = played.game.clauses["hand_size"]
        yield Refused(f"the dealer has {how_many(got)} where {size} belong", "dealer", rule)


def deck(played: PlayedRound) -> Refusals:
    """No card lies there more often than the decks hold it; a void hand proves nothing, its deck may be at fault."""
    placed = list(_placed(played))
    found = first_impossible([card for _, card in placed], joker=played.game.joker, decks=played.decks)
    if found:
        place, problem = found
        yield Refused(problem, placed[place][0])


def _placed(played: PlayedRound) -> Iterator[tuple[str, Card]]:
    for where, cards in (("community", played.community), ("dealer", played.dealer)):
        yield from ((f"{where}[{place}]", card) for place, card in enumerate(cards))
    for seat in played.seats:
        if not played.is_void(seat) or played.live_wagers(seat):
            yield from ((f"seats.{seat.number}.cards[{place}]", card) for place, card in enumerate(seat.cards))
