"""The bench's own disk: what a machine was promised survives a pulled plug, and nothing else needs to."""

import random
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hil.disk import SECTOR, Platter
from hil.image import PROJECT
from hil.kernel_module import edited

SECTORS = 16
writes = st.tuples(st.integers(0, SECTORS - 1), st.integers(1, 4), st.integers(1, 255), st.booleans())
acts = st.lists(st.one_of(writes, st.just("flush")), max_size=30)
Act = tuple[int, int, int, bool] | str


@given(acts=acts, seed=st.integers(0, 1000))
def test_what_was_flushed_survives_and_a_sector_is_old_or_new(acts: list[Act], seed: int) -> None:
    """Before the cut the machine reads what it wrote; after it each sector holds the safe content or a later one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "disk"
        path.write_bytes(bytes(SECTORS * SECTOR))
        platter = Platter(path)
        now = [0] * SECTORS
        may_be = [{0} for _ in range(SECTORS)]
        for act in acts:
            if isinstance(act, str):  # "flush"
                platter.flush()
                may_be = [{value} for value in now]
                continue
            first, length, value, is_safe = act
            length = min(length, SECTORS - first)
            platter.write(first * SECTOR, bytes([value]) * SECTOR * length, is_safe=is_safe)
            for sector in range(first, first + length):
                now[sector] = value
                may_be[sector] = {value} if is_safe else may_be[sector] | {value}
        assert [platter.read(sector * SECTOR, SECTOR)[0] for sector in range(SECTORS)] == now
        platter.cut_power(random.Random(seed))
        for sector in range(SECTORS):
            content = platter.read(sector * SECTOR, SECTOR)
            assert len(set(content)) == 1, "a sector is torn"
            assert content[0] in may_be[sector]
        platter.close()


def test_a_disk_that_dies_behind_a_write_takes_no_more_orders(tmp_path: Path) -> None:
    """The write is in the cache, a flush comes too late, and what was safe before is all that must be there."""
    path = tmp_path / "disk"
    path.write_bytes(bytes(SECTORS * SECTOR))
    platter = Platter(path)
    platter.write(0, b"a" * SECTOR, is_safe=True)
    platter.die_after(1)
    platter.write(SECTOR, b"b" * SECTOR, is_safe=False)
    assert platter.is_dead.is_set()
    with pytest.raises(EOFError):
        platter.flush()
    with pytest.raises(EOFError):
        platter.write(2 * SECTOR, b"c" * SECTOR, is_safe=True)
    cached, _ = platter.cut_power(random.Random(0))
    assert cached == 1
    assert platter.read(0, SECTOR) == b"a" * SECTOR
    assert platter.read(2 * SECTOR, SECTOR) == bytes(SECTOR)
    platter.close()


def test_the_two_changes_of_the_kernels_source_are_made() -> None:
    """A source that looks different some day must not be built unchanged in silence."""
    call = "\t\thandle_simple_irq(irq_to_desc(irqnum));"
    assert edited("irq_sim.c", call) == "\t\tgeneric_handle_irq(irqnum);"
    case = "\tcase PIN_CONFIG_BIAS_PULL_UP:\n\t\treturn gpio_sim_apply_pull(chip, offset, 1);"
    assert edited("gpio-sim.c", case) == "\tcase PIN_CONFIG_BIAS_PULL_UP:\n\t\treturn 0;"


def test_the_recipe_and_the_guests_scripts_are_shell() -> None:
    """What runs as root on a board must at least parse."""
    for script in (
        PROJECT / "flashing/recipe/table-board",
        PROJECT / "hil/guest_files/bench-chip",
        PROJECT / "hil/bench",
    ):
        subprocess.run(["sh", "-n", str(script)], check=True)
