"""A meter without a broker hands its books over after a while, and one that has it on any link keeps them."""

import io
from collections.abc import Iterator

import pytest

from common.log import open_log
from meter.service import broker_loss as handing_over
from meter.service.broker_loss import BrokerLost, hand_over_without_broker


class Line:
    """A pipe that is up or down, look after look, and ends the test with its last one."""

    def __init__(self, *looks: bool) -> None:
        self._looks: Iterator[bool] = iter(looks)
        self.looked = 0

    @property
    def is_up(self) -> bool:
        self.looked += 1
        return next(self._looks)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing_over, "LOOK_S", 0.001)


async def test_so_many_looks_in_a_row_without_a_broker_end_it() -> None:
    """A broker that was there in between begins the count anew."""
    said = io.StringIO()
    line = Line(False, False, True, False, False, False)
    with pytest.raises(BrokerLost, match="another one may take the books"):
        await hand_over_without_broker([line], 0.003, open_log(said))
    assert line.looked == 6
    assert "lock_released" in said.getvalue()


async def test_one_link_with_a_broker_keeps_the_books() -> None:
    """A certificate that has run out on one link is no reason to interrupt the others."""
    down, up = Line(*[False] * 20), Line(*[True] * 20)
    with pytest.raises(RuntimeError):  # the looks of the test are over
        await hand_over_without_broker([down, up], 0.003, open_log(io.StringIO()))
    assert up.looked == 20
