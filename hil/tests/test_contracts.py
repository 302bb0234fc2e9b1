"""The driver contract suites of tests/contracts and tests/drivers on the board's own character device."""

import base64
import io
import re
import tarfile
from typing import Final

import pytest

from hil.image import PROJECT
from hil.rig import Rig
from tests.support.drivers.line_rig import SUITES

SUITE: Final = "/run/bench-suite"
FILES: Final = tuple(f"tests/support/drivers/{name}.py" for name in ("bench_rig", "line_rig", "return_rigs"))
RUN: Final = (
    f"cd {SUITE} && PITLINK_RIG=sim_rig:{{rig}} PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/opt/bench/site "
    "/opt/pitlink/current/bin/python -m pytest -qx -rs --tb=short -c /dev/null --rootdir=/tmp -p no:cacheprovider "
    "-o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function -k 'not ccTalk'"
)


@pytest.mark.parametrize("lines", ["sim_rig", "expander_rig"])
@pytest.mark.parametrize(("contract", "not_on_lines"), SUITES.items())
def test_the_contract_holds_on_real_lines(rig: Rig, contract: str, not_on_lines: int, lines: str) -> None:
    """Edges, levels, bursts, debounce through gpiozero, gpiod and the kernel; docs/hil.md names what cannot be."""
    rig.must("systemctl", "stop", "pitlink-table")
    rig.must("sh", "-c", f"mkdir -p {SUITE} && base64 -d | tar -xz -C {SUITE}", stdin=_packed(contract))
    done = rig.run("sh", "-c", f"{RUN.format(rig=lines)} {contract}", within_s=1500)
    print(f"{contract}: {done.out[-4000:]}{done.err[-1000:]}")
    assert done.code == 0
    skipped = re.search(r"(\d+) skipped", done.out)
    assert int(skipped[1] if skipped else 0) == not_on_lines


def _packed(contract: str) -> str:
    """A suite and its rig, as text that a shell can take."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in (contract, *FILES):
            archive.add(PROJECT / name, name)
        for path in (PROJECT / "tests").rglob("__init__.py"):
            archive.add(path, str(path.relative_to(PROJECT)))
        archive.add(PROJECT / "hil/tests/sim_rig.py", "sim_rig.py")
        for path in (PROJECT / "drivers").rglob("*.py"):  # those of the board, and the twins, which no board carries
            archive.add(path, str(path.relative_to(PROJECT)))
    return base64.b64encode(packed.getvalue()).decode()
