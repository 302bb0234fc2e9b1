"""docs/standards.md: every row of the standards on meter and link is there, with a proof that exists or a reason."""

import ast
import re
from pathlib import Path

import pytest

from common.settings import SettingsError
from meter.settings import read_meter_settings
from tests.support.meter.meter_bench import MeterBench, envelope, hello, wagers

ROOT = Path(__file__).parents[2]
ROWS = {*range(1, 23), *range(29, 93), 96, 98, *range(104, 112)}
LINE = re.compile(r"^\| (R\d+(?:, R\d+)*) \| (.+?) \| (.+) \|$", re.MULTILINE)


def lines() -> list[tuple[set[int], str]]:
    """Each line of the tables: its rows, and what stands for a proof."""
    text = (ROOT / "docs" / "standards.md").read_text()
    return [({int(number) for number in re.findall(r"\d+", rows)}, proof) for rows, _, proof in LINE.findall(text)]


def test_every_row_stands_there_once() -> None:
    """None is left out, none is said twice."""
    said = [row for rows, _ in lines() for row in rows]
    assert sorted(said) == sorted(ROWS)


def proofs(words: str) -> set[str]:
    """The tests that a line names."""
    return set(re.findall(r"`((?:test|the)_\w+)`", words))


def rows_of_tests() -> dict[str, set[int]]:
    """Every test, with the rows that it says it proves: in its name (test_r2_…) or in its docstring (R2)."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("test_*.py")]
    found: dict[str, set[int]] = {}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            said = re.findall(r"(?:_r|\bR)(\d+)(?![\da-z])", f"{node.name} {ast.get_docstring(node) or ''}")
            found.setdefault(node.name, set()).update(map(int, said))
    return found


def test_every_proof_is_a_test_that_exists_and_every_other_row_has_a_reason() -> None:
    """A renamed test is missed here."""
    known = rows_of_tests().keys()
    for rows, proof in lines():
        names = proofs(proof)
        assert names <= known, f"R{rows}: {names - known}"
        assert names or proof.startswith("— "), f"R{rows} has neither a proof nor a reason"


def test_no_row_is_claimed_by_a_test_that_knows_nothing_of_it() -> None:
    """Each proof says that it is for one of the line's rows, and each row of the line is said by one of its proofs."""
    known = rows_of_tests()
    for rows, proof in lines():
        for name in proofs(proof):
            assert known[name] & rows, f"{name} does not say that it proves R{sorted(rows)}"
        said = set().union(*(known[name] for name in proofs(proof)))
        assert not proofs(proof) or rows <= said, f"no test says that it proves R{sorted(rows - said)}"


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
