"""Random rounds of every game at a table that is killed, a few times; for more: ./dev soak-rounds (docs/setups.md)."""

import subprocess
import sys
from pathlib import Path

import pytest

from games.catalogue import GAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(120)
def test_a_round_ends_as_settle_says_though_its_table_is_killed_between_any_two_steps() -> None:
    """Law 7 and law 8 with real kills: what is paid, in which order, and where the table stands (S-113)."""
    words = [sys.executable, "-m", "tests.soak.rounds", "--kills", "5", "--seed", "20261118"]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2_000:]
    played = dict(line.split(":", 1) for line in run.stdout.splitlines() if ":" in line)
    assert all(name in played for name in GAMES)
    assert "every round ended as settle says" in run.stdout
