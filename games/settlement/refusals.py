"""Why a played round cannot be settled: the first thing in it that the rules forbid."""

from collections.abc import Callable
from itertools import chain
from typing import Final

from games.settlement import cards_refused, wagers_refused
from games.settlement.played_round import PlayedRound, Seat
from games.settlement.refused import Refusals, Refused

_OF_SEATS: Final[tuple[Callable[[PlayedRound, Seat], Refusals], ...]] = (
    wagers_refused.seat_number,
    wagers_refused.areas,
    wagers_refused.numbers,
    wagers_refused.wagers,
    wagers_refused.coupon,
    wagers_refused.fold,
    cards_refused.hand,
    cards_refused.display,
)

_OF_ROUNDS: Final[tuple[Callable[[PlayedRound], Refusals], ...]] = (
    wagers_refused.exclusions,
    wagers_refused.limits,
    wagers_refused.irregular_seats,
    cards_refused.community,
    cards_refused.dealer,
    cards_refused.deck,
)


def refusal(played: PlayedRound) -> Refused | None:
    """The first reason why this round cannot be settled, or None."""
    at_seats = (check(played, seat) for seat in played.seats for check in _OF_SEATS)
    of_round = (check(played) for check in _OF_ROUNDS)
    return next(chain.from_iterable(chain(at_seats, of_round)), None)
