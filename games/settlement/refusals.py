"""Why a played round cannot be settled: the first thing in it that the rules forbid."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct

from games.cards import ACE, Card, first_impossible, how_many
from games.catalogue.pai_gow_poker import AREA_FAULTS, areas_refusal
from games.game import Wager
from games.money import Cents, dollars
from games.settlement.played_round import FIRST_THREE, HAND_RULES, PlayedRound, Seat


class Refused(Struct, frozen=True):
    """What is wrong, in words of the pit, where it stands in the round, and the clause that says so."""

    problem: str
    where: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.problem} [{self.rule}]" if self.rule else self.problem


Refusals: TypeAlias = Iterator[Refused]


def hand(played: PlayedRound, seat: Seat) -> Refusals:
    """A hand that decides a wager is whole; one that decides nothing may be missing, but not be in part."""
    size, got = played.game.hand_size, len(seat.cards)
    is_whole = got >= size if played.game.hand_grows else got == size
    sees = {wager.sees for wager in played.live_wagers(seat)} - {"no_cards", "dealer_hand"}
    if sees == {"own_first_three"} and played.is_void(seat):
        is_whole, size = got >= FIRST_THREE, FIRST_THREE
    if not is_whole and (sees or (got and not played.is_void(seat))):
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


def dealer_hands(played: PlayedRound) -> Refusals:
    """In multiple action: the up-card and the second card of each hand that was dealt, as far as insurance needs them.

    Insurance is offered beside an ace; section 2.9 is not in our text.
    """
    if played.dealer_hands == 1:
        return
    live = [wager for seat in played.seats for wager in played.live_wagers(seat)]
    insured = [wager for wager in live if wager.dealer_hand]
    last = max((wager.dealer_hand for wager in insured), default=0)
    if len(played.dealer) <= last and insured:
        yield Refused(f"what was the second card of the dealer's hand {len(played.dealer) or 1}?", "dealer", "2.18(d)")
    elif insured and played.dealer[0].rank != ACE:
        yield Refused("insurance is offered beside an ace only", "dealer[0]", "house: insurance")
    dealt = len(played.dealer) - 1
    if dealt > played.dealer_hands:
        yield Refused(f"the dealer plays {played.dealer_hands} hands here, not {dealt}", "dealer", "2.18(f)")
    for hand in range(2, dealt + 1):
        if not played.is_hand_played(hand):
            yield Refused(f"nobody has a wager on the dealer's hand {hand}", "dealer", HAND_RULES[hand])


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


def seat_number(played: PlayedRound, seat: Seat) -> Refusals:
    """A table has only so many positions."""
    most = played.game.most_seats
    if not 1 <= seat.number <= most:
        rule = played.game.clauses["most_seats"]
        yield Refused(f"seat {seat.number} is not one of 1 to {most}", f"seats.{seat.number}", rule)


def areas(played: PlayedRound, seat: Seat) -> Refusals:
    """Where the rule lets a player hold two areas, they are adjacent."""
    found = areas_refusal(played.areas_of(seat), bank=None) if "areas" in played.game.clauses else None
    if found:
        yield Refused(AREA_FAULTS[found.key], f"seats.{seat.number}.player", found.rule)


def wagers(played: PlayedRound, seat: Seat) -> Refusals:
    """A wager must belong to the game, have its base wager beside it, and be of a lawful amount."""
    for name, cents in seat.wagers.items():
        wager = played.wager(name)
        if wager is None or wager.sees == "others":
            wagers = played.game.wagers_under(played.choices)
            known = ", ".join(each.name for each in wagers if each.sees != "others")
            yield Refused(f"{name!r} is no wager of {played.game.title}; it has {known}", f"seats.{seat.number}.wagers")
            return
        yield from _prerequisite(seat, wager)
        yield from _amount(seat, wager, cents)


def coupon(played: PlayedRound, seat: Seat) -> Refusals:
    """A coupon stands for a progressive wager, where the game takes coupons."""
    where = f"seats.{seat.number}.coupon"
    if seat.coupon and not played.game.coupons:
        rule = played.game.clauses["coupons"]
        yield Refused(f"seat {seat.number} wagers by coupon, but {played.game.title} takes only chips", where, rule)
    elif seat.coupon and not any(wager.is_progressive for wager in played.wagers_at(seat)):
        yield Refused(f"seat {seat.number} has a coupon but no progressive wager", where)


def fold(played: PlayedRound, seat: Seat) -> Refusals:
    """Some wagers bar their player from surrender, and who made no ante cannot fold it."""
    where = f"seats.{seat.number}.folded"
    if seat.folded and not seat.wagers:
        yield Refused(f"seat {seat.number} made no wager and so has nothing to fold", where)
    for wager in played.wagers_at(seat) if seat.folded else ():
        if wager.fold.effect == "bars":
            yield Refused(f"seat {seat.number} may not surrender with {wager.name}", where, wager.fold.rule)
        elif wager.fold.folds and wager.fold.folds not in seat.wagers:
            problem = f"seat {seat.number} made no {wager.fold.folds} and so has nothing to fold"
            yield Refused(problem, where, wager.fold.rule)


def numbers(played: PlayedRound, seat: Seat) -> Refusals:
    """A number wager says on which numbers it lies, and somebody says which number was drawn."""
    where = f"seats.{seat.number}.numbers"
    if "number" in seat.wagers and not seat.numbers:
        yield Refused(f"seat {seat.number} wagers on no number", where, "11.13(b)2")
    if seat.numbers and "number" not in seat.wagers:
        yield Refused(f"seat {seat.number} has numbers but no number wager", where, "11.13(b)2")
    is_live = any(wager.sees == "no_cards" and wager.tables for wager in played.live_wagers(seat))
    if seat.numbers and is_live and played.number_drawn is None:
        yield Refused("which number was drawn?", "options.number_drawn", "11.13(b)3")


def exclusions(played: PlayedRound) -> Refusals:
    """Some wagers may not be offered at one table."""
    made = {name for seat in played.seats for name in seat.wagers}
    for exclusion in played.game.exclusions:
        if made & exclusion.one and made & exclusion.other:
            both = f"{min(made & exclusion.one)} and {min(made & exclusion.other)}"
            yield Refused(f"{both} may not be offered at one table", "seats", exclusion.rule)


def limits(played: PlayedRound) -> Refusals:
    """A limit on payouts may not be lower than the rule says."""
    for cap in played.game.caps:
        limit = played.limits.get(cap.option, cap.at_least_cents)
        if limit < cap.at_least_cents:
            problem = f"a limit of {dollars(limit)}; it must be at least {dollars(cap.at_least_cents)}"
            yield Refused(problem, f"options.{cap.option}", cap.rule)


def irregular_seats(played: PlayedRound) -> Refusals:
    """An irregularity of single seats says of which, and any other of none."""
    for fault in played.faults:
        named, rule = fault.irregularity.name, fault.irregularity.rule
        by_seat = fault.irregularity.voids == "seats"
        if by_seat and not fault.seats:
            yield Refused(f"{named} at which seats?", "irregularity.seats", rule)
        if fault.seats and not by_seat:
            yield Refused(f"{named} is not a matter of single seats", "irregularity.seats", rule)
        for number in sorted(fault.seats - {seat.number for seat in played.seats}):
            yield Refused(f"{named} at seat {number}, where nobody plays", "irregularity.seats", rule)


def _prerequisite(seat: Seat, wager: Wager) -> Refusals:
    needs = wager.needs
    if needs and not any(name in seat.wagers for name in needs.any_of):
        problem = f"seat {seat.number} has {wager.name} without {' or '.join(needs.any_of)}"
        yield Refused(problem, f"seats.{seat.number}.wagers", needs.rule)


def _amount(seat: Seat, wager: Wager, cents: Cents) -> Refusals:
    where = f"seats.{seat.number}.amounts.{wager.name}"
    told = f"{wager.name} of {dollars(cents)} at seat {seat.number}"
    if wager.stakes and cents not in wager.stakes:
        yield Refused(f"{told}; it costs {' or '.join(map(dollars, wager.stakes))}", where, wager.rule)
    elif 0 < cents < wager.minimum_cents:
        yield Refused(f"{told}; at least {dollars(wager.minimum_cents)}", where, wager.rule)


_OF_SEATS: Final[tuple[Callable[[PlayedRound, Seat], Refusals], ...]] = (
    seat_number,
    areas,
    numbers,
    wagers,
    coupon,
    fold,
    hand,
    display,
)

_OF_ROUNDS: Final[tuple[Callable[[PlayedRound], Refusals], ...]] = (
    exclusions,
    limits,
    irregular_seats,
    community,
    dealer,
    dealer_hands,
    deck,
)


def refusal(played: PlayedRound) -> Refused | None:
    """The first reason why this round cannot be settled, or None."""
    at_seats = (check(played, seat) for seat in played.seats for check in _OF_SEATS)
    of_round = (check(played) for check in _OF_ROUNDS)
    return next(chain.from_iterable(chain(at_seats, of_round)), None)
