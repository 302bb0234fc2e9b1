"""docs/standards.md: every row of the standards on meter and link is there, with a proof that exists or a reason."""

import ast
import re
from pathlib import Path

import pytest
from meter_bench import MeterBench, envelope, hello, wagers

from house.settings import SettingsError
from meter.settings import read_meter_settings

ROOT = Path(__file__).parents[2]
ROWS = {*range(1, 23), *range(29, 51), *range(65, 93), *range(104, 112)}
LINE = re.compile(r"^\| (R\d+(?:, R\d+)*) \| (.+?) \| (.+) \|$", re.MULTILINE)


def lines() -> list[tuple[set[int], str]]:
    """Each line of the tables: its rows, and what stands for a proof."""
    text = (ROOT / "docs" / "standards.md").read_text()
    return [({int(number) for number in re.findall(r"\d+", rows)}, proof) for rows, _, proof in LINE.findall(text)]


def test_every_row_stands_there_once() -> None:
    """None is left out, none is said twice."""
    said = [row for rows, _ in lines() for row in rows]
    assert sorted(said) == sorted(ROWS)


def test_every_proof_is_a_test_that_exists_and_every_other_row_has_a_reason() -> None:
    """A renamed test is missed here."""
    trees = [ast.parse(path.read_text()) for path in (ROOT / "tests").rglob("test_*.py")]
    known = {
        node.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for rows, proof in lines():
        names = set(re.findall(r"`((?:test|the)_\w+)`", proof))
        assert names <= known, f"R{rows}: {names - known}"
        assert names or proof.startswith("— "), f"R{rows} has neither a proof nor a reason"


def test_r48_joining_again_tries_the_line_and_counts_nothing() -> None:
    """After an interruption the table hears how far it is booked; neither meter nor ledger moves."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers()))
    before = meter.heads["main"]
    reply = meter.reply(hello("T1", next_seq=2))
    assert (reply.booked_seq, reply.refusal) == (1, "")
    assert meter.heads["main"] == before


def test_r38_a_meter_that_does_not_grow_is_no_link(tmp_path: Path) -> None:
    """A fixed amount is never shown on an incrementing meter."""
    example = (ROOT / "config" / "meter.toml").read_text()
    path = tmp_path / "meter.toml"
    path.write_text(re.sub(r"\nrate_bp = \d+", "\nrate_bp = 0", example, count=1))
    with pytest.raises(SettingsError, match=r"link\[1\]\.rate_bp: 0"):
        read_meter_settings(path)
