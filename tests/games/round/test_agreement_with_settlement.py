"""A live round of any game with every wager ends with what `settle` says of the same cards, however it was told."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.round.layout import act_of_meter
from games.settlement import PlayedRound
from tests.support.games.any_rounds import regular_rounds
from tests.support.games.crew import Crew, due, with_one_player_at_two_seats


@given(regular_rounds(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_a_live_round_pays_exactly_what_the_settlement_says(played: PlayedRound, luck: Random) -> None:
    """Every line to the cent, what leaves the meter in the rule's order, and the meter after it (S-113).

    Hands are told in any order, awards validated before an earlier seat is claimed, rack wins paid at any time.
    """
    crew = Crew(with_one_player_at_two_seats(played, luck), luck)
    crew.play()
    expected = due(crew.settlement)
    assert [line for line in crew.paid if line.deducted] == [line for line in expected if line.deducted]
    assert Counter(crew.paid) == Counter(expected)
    assert crew.meter.cents == crew.settlement.meter_after_cents


@given(regular_rounds(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_crew_that_follows_the_panel_pays_every_line_in_the_order_of_the_settlement(
    played: PlayedRound, luck: Random
) -> None:
    """With every hand told first, the walk pays line by line as the settlement lists them."""
    crew = Crew(played, luck)
    crew.play_as_led()
    assert crew.paid == due(crew.settlement)
    assert act_of_meter(crew.table.rules, crew.table.state) is None
