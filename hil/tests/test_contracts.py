"""The driver contract suite of tests/drivers on the board's own character device."""

from hil.rig import Rig

PYTHON = "/opt/pitlink/current/bin/python"
SUITE = (
    "cd /opt/bench/drivers && BENCH_SLOWER=25 LG_WD=/tmp PITLINK_RIG=sim_rig:SimRig PYTHONDONTWRITEBYTECODE=1 "
    f"PYTHONPATH=/opt/bench:/opt/bench/site {PYTHON} -m pytest -q -c /dev/null --rootdir=/tmp -o asyncio_mode=auto "
    "-p no:cacheprovider -x test_acceptor_contract.py"
)


def test_the_acceptor_contract_holds_on_real_lines(rig: Rig) -> None:
    """Edges, levels, bursts and debounce through gpiozero, lgpio and the kernel, on a clock as slow as the guest."""
    rig.must("systemctl", "stop", "pitlink-table")
    done = rig.run("sh", "-c", SUITE, within_s=1500)
    assert done.code == 0, done.out[-3000:] + done.err[-1000:]
    assert "27 passed" in done.out
