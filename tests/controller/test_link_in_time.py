"""How long a table stays open without its meter, measured on a clock that the test moves."""

from pathlib import Path

import pytest
from clocked_link import BEAT_S, clocked_link
from hypothesis import given, settings
from hypothesis import strategies as st

LOSS_S = st.floats(2.0, 60.0)
"""What the settings allow."""
MOMENT = st.floats(0.0, BEAT_S)
"""When, after its last word, a meter dies."""


@given(LOSS_S, MOMENT)
@settings(max_examples=15)
async def test_r40_a_silent_meter_is_lost_after_loss_s_and_not_a_moment_later(
    tmp_path_factory: pytest.TempPathFactory, loss_s: float, moment: float
) -> None:
    """Whatever loss_s is, and whenever in its beat the meter falls silent; and not sooner, either."""
    async with clocked_link(tmp_path_factory.mktemp("silent"), loss_s) as link:
        last = link.clock.now()
        link.meter.fall_silent()
        await link.pass_time(min(moment, loss_s / 2))
        assert link.is_open
        await link.pass_time(loss_s + BEAT_S)
        assert not link.is_open
        assert link.gates.shut_at == pytest.approx(last + loss_s, abs=1e-6)
        assert link.why_lost[-1] == "the meter does not answer"
