"""The laws that a power cut is judged by: what may have changed between the last look and the cut, and what may not."""

from typing import Any, cast

import pytest

from hil.laws import LawBroken, stands_where_it_stood
from hil.operator import TableOperator

Seen = dict[str, Any]


class Standing:
    """A table that stands like this."""

    def __init__(self, now: Seen) -> None:
        self._now = now

    def state(self) -> Seen:
        return self._now


def standing(phase: str, lit: set[int], claims: dict[int, str] | None = None, number: int = 6) -> Seen:
    seats = [{"seat": seat, "light": "lit" if seat in lit else "dark"} for seat in range(1, 8)]
    told = [{"seat": seat, "state": state} for seat, state in (claims or {}).items()]
    return {"round": number, "phase": phase, "seats": seats, "claims": told}


SEEN = standing("settling", {2, 4, 6}, {2: "to be paid"})


@pytest.mark.parametrize(
    "now",
    [
        SEEN,
        standing("settling", {4, 6}, {2: "paid"}),
        standing("open", set(), number=7),
    ],
    ids=["as it stood", "paid behind the last look", "the next round"],
)
def test_what_people_did_behind_the_last_look_breaks_no_law(now: Seen) -> None:
    """A wager that was paid has no light any more, and a round may have ended."""
    stands_where_it_stood(SEEN, cast("TableOperator", Standing(now)))


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (standing("settling", {2, 6}, {2: "to be paid"}), "were lit"),
        (standing("settling", {4, 6}, {2: "to be paid"}), "were lit"),
        (standing("settling", {2, 4, 6}), "only claims"),
        (standing("in play", {2, 4, 6}, {2: "to be paid"}), "it was settling"),
        (standing("open", set(), number=5), "round 6 was played"),
    ],
    ids=["a light is gone", "the claimant's light is gone", "a claim is gone", "a phase back", "a round back"],
)
def test_what_a_cut_took_is_a_broken_law(now: Seen, words: str) -> None:
    """Nothing that anybody saw may be gone."""
    with pytest.raises(LawBroken, match=words):
        stands_where_it_stood(SEEN, cast("TableOperator", Standing(now)))
