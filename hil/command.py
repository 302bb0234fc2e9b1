"""The bench's command: image, tests, smoke, latencies, and the long run of power cuts."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hil.broker_and_meter import BrokerAndMeter
from hil.image import PROJECT, image, versions
from hil.latency import answers
from hil.machines import ARCH, MACHINES, RELEASE, RELEASES, chosen, chosen_release
from hil.operator import TableOperator
from hil.power_cut_run import MOMENTS, Cut, Night
from hil.results import CutRun, write, write_latency
from hil.settings import table_settings
from hil.virtual import VirtualRig


def main() -> int:
    """Runs what was asked for; interrupted, it clears up."""
    parser = argparse.ArgumentParser(prog="hil/bench", description="the virtual bench")
    parser.add_argument(
        "--arch", choices=list(MACHINES), default=chosen().name, help="the guest (default: %(default)s)"
    )
    parser.add_argument(
        "--release", choices=list(RELEASES), default=chosen_release().name, help="its Debian (default: %(default)s)"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("image", help="build the image if it is not in the cache")
    actions.add_parser("test", help="every test of hil/tests")
    actions.add_parser("smoke", help="boot, one round, one cut")
    latency = actions.add_parser("latency", help="edge to light and button to gates, against a bare callback")
    latency.add_argument("--rounds", type=int, default=10)
    cuts = actions.add_parser("cuts", help="the long run of power cuts")
    cuts.add_argument("--cuts", type=int, default=100)
    cuts.add_argument("--seed", type=int, default=20261116)
    cuts.add_argument("--boots-every", type=int, default=10, help="how many cuts share one full boot (default: 10)")
    cuts.add_argument("--only", choices=list(MOMENTS), action="append", help="cut only then (default: at any moment)")
    args, rest = parser.parse_known_args()
    if rest and args.action not in ("test", "smoke"):
        parser.error(f"nobody knows {' '.join(rest)}; --arch and --release come first")
    os.environ[ARCH], os.environ[RELEASE] = args.arch, args.release
    match args.action:
        case "image":
            print(image(chosen(), chosen_release(), table_settings(chosen())))
            return 0
        case "test":
            return _test(*rest)
        case "smoke":
            return _test("-k", "smoke", *rest)
        case "latency":
            return _latency(args.rounds)
        case _:
            moments = {moment: weight for moment, weight in MOMENTS.items() if moment in (args.only or MOMENTS)}
            return _cuts(args.cuts, args.seed, args.boots_every, moments)


def _test(*words: str) -> int:
    here = (str(PROJECT / "hil/tests"), "-c", str(PROJECT / "hil/pytest.ini"), "-p", "no:randomly", "-s")
    return pytest.main([*here, *words])


def _latency(rounds: int) -> int:
    with (
        tempfile.TemporaryDirectory(prefix="pitlink-bench-") as scratch,
        BrokerAndMeter(Path(scratch) / "house") as house,
    ):
        rig = VirtualRig(Path(scratch) / "rig", house)
        try:
            rig.put_in()
            write_latency(versions()[0], chosen().name, *answers(TableOperator(rig, house.hopper), rig, rounds))
        finally:
            rig.close()
    return 0


def _cuts(number: int, seed: int, boots_every: int, moments: Mapping[str, int]) -> int:
    began, started = datetime.now(UTC), time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="pitlink-bench-") as scratch,
        BrokerAndMeter(Path(scratch) / "house") as house,
    ):
        rig = VirtualRig(Path(scratch) / "rig", house, seed=seed)
        night = Night(rig, house, seed=seed, folder=Path(scratch))
        done: list[Cut] = []
        try:
            for cut in night.cuts(number, boots_every, moments):
                done.append(cut)
                took_s = round(time.monotonic() - started)
                write(CutRun(began, versions()[0], chosen().name, seed, tuple(done), took_s))
        finally:
            rig.close()
    broken = [cut for cut in done if cut.broken]
    print(f"bench: {len(done)} cuts, {len(broken)} with a broken law")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
