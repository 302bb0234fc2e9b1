"""The floor with its killer, for a few seconds; for a night: python -m tests.soak.floor (docs/setups.md)."""

from pathlib import Path

import pytest

from tests.soak.floor import SoakFloor
from tests.support.meter.postgres_bench import postgres_server

SECONDS = 3.0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [20_261_118])
async def test_every_cent_agrees_on_a_floor_with_one_meter(tmp_path: Path, seed: int) -> None:
    """Whatever is killed, books, journals and backups agree; without a meter a real table takes no chip (R40)."""
    account = await SoakFloor(tmp_path, seed, None).run(SECONDS)
    assert account.entries  # how many is a question of the machine
    assert account.chips_of_the_real_table
    assert account.kills["light"]
    assert account.backups > 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [20_261_119])
async def test_every_cent_agrees_on_a_floor_with_a_standby(tmp_path: Path, seed: int) -> None:
    """The same with two meters on a database that is killed, too."""
    with postgres_server() as server:  # of its own: it dies
        account = await SoakFloor(tmp_path, seed, server).run(SECONDS)
    assert account.entries  # how many is a question of the machine
    assert account.chips_of_the_real_table
    assert account.kills["light"]
    assert account.backups > 0
