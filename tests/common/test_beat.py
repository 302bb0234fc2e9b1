"""The beat: looks at one pace happen at one moment."""

from hypothesis import given
from hypothesis import strategies as st

from common.clock import next_beat


@given(at=st.floats(0, 1e7), pace_s=st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.5]))
def test_a_beat_is_ahead_within_its_pace_and_the_same_for_everybody_before_it(at: float, pace_s: float) -> None:
    """Time always goes on; nobody waits longer than the pace; whoever asks until then is told the same moment."""
    beat = next_beat(at, pace_s)
    assert at < beat <= at + 1.001 * pace_s
    assert beat - next_beat(beat, pace_s) < 0
    halfway = (at + beat) / 2
    assert halfway == beat or next_beat(halfway, pace_s) == beat
