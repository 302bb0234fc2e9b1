"""pitlink rules: what it tells of each row is what code and tests say themselves."""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli.calculators import rulebook_scan
from cli.calculators.rulebook_scan import Proof, proofs, scan
from cli.calculators.rules import status
from cli.main import main
from games.rulebook import ROWS

ROOT = Path(__file__).parents[3]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The answer as JSON."""
    assert main(["rules", "--json", *words]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.fixture(scope="module", autouse=True)
def scanned_once() -> Iterator[None]:
    """The sources do not change while these tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cli.calculators.rules.proofs", cache(proofs))
        yield


def test_a_wheel_carries_what_the_tests_of_its_sources_prove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build writes the proofs; a program that is installed without tests reads the same there."""
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path / "lib")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    monkeypatch.setattr(rulebook_scan, "_TREE", tmp_path)
    monkeypatch.setattr(rulebook_scan, "files", lambda package: tmp_path / "lib" / package.replace(".", "/"))
    assert proofs() == scan(ROOT)
    assert not (ROOT / "games" / "rulebook" / rulebook_scan.PROOFS).exists()


def test_what_no_program_keeps_is_named() -> None:
    """People keep five rows, and none is open."""
    found = proofs()
    kept = {row: status(ROWS[row], found[row]) for row in ROWS}
    assert [row for row in kept if kept[row] == "people"] == ["S-1", "S-26", "S-29", "S-30", "S-91"]
    assert [row for row in kept if kept[row] == "open"] == []


def test_17_1_double_down_stud_has_definitions_only(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says so instead of calling it no clause."""
    assert main(["rules", "17.1"]) == 0
    assert "Double down stud: the text has its definitions only" in capsys.readouterr().out
    answer = told(capsys, "17.1")
    assert (answer["rows"], "definitions only" in answer["note"]) == ([], True)


@pytest.mark.parametrize("section", ["14.2", "14.2(b)", "14.4", "14.5"])
def test_14_2_the_poker_rooms_decks_have_a_row(capsys: pytest.CaptureFixture[str], section: str) -> None:
    """Tables, decks, opening and shuffling (S-121)."""
    assert [row["row"] for row in told(capsys, section)["rows"]] == ["S-121"]


def test_every_row_is_told_with_clauses_code_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """The whole book, in order."""
    answer = told(capsys)
    assert [row["row"] for row in answer["rows"]] == list(ROWS)
    assert set(answer["open"]) == {row["row"] for row in answer["rows"] if row["status"] == "open"}
    for row in answer["rows"]:
        assert row["says"] == ROWS[row["row"]].says
        assert all((ROOT / place).is_file() for place in row["code"])
        assert all(_exists(address) for address in row["tests"])


def _exists(address: str) -> bool:
    file, _, name = address.partition("::")
    return f"def {name}(" in (ROOT / file).read_text()


def test_a_row_is_found_by_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    """Also in small letters."""
    (row,) = told(capsys, "s-25A")["rows"]
    assert (row["row"], row["clauses"], row["status"]) == ("S-25a", ["28.11(g)"], "live")
    assert "games/catalogue/texas_holdem_bonus.py" in row["code"]
    assert any("test_28_11_g_" in test for test in row["tests"])


@pytest.mark.parametrize(
    ("clause", "rows"),
    [
        ("28.11(f)", ["S-25"]),
        ("28.11", ["S-6", "S-19", "S-20", "S-21", "S-25", "S-25a", "S-25b", "S-113"]),
        ("11.11(c)", ["S-95"]),
        ("1.13q(f)", ["S-7"]),
        ("28.10(h)4ii(2)", ["S-19", "S-22", "S-24", "S-113"]),
        ("16", [row for row in ROWS if any(text.startswith("16.") for text in ROWS[row].clauses)]),
        ("16.", [row for row in ROWS if any(text.startswith("16.") for text in ROWS[row].clauses)]),
        ("1.10", [row for row in ROWS if any(text.startswith("1.10A") for text in ROWS[row].clauses)]),
    ],
)
def test_rows_are_found_by_clause(capsys: pytest.CaptureFixture[str], clause: str, rows: list[str]) -> None:
    """Those of the clause itself, of what it contains, and of what contains it."""
    assert [row["row"] for row in told(capsys, clause)["rows"]] == rows


@pytest.mark.parametrize("word", ["S-123", "99.1(a)", "1.1", "R2", "royal", ""])
def test_what_is_no_row_and_no_clause_is_refused_with_what_there_is(
    capsys: pytest.CaptureFixture[str], word: str
) -> None:
    """Exit 2, and nothing on standard output."""
    assert main(["rules", word]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "28.9, 28.10, 28.11, 28.12; R-numbers are in docs/standards.md" in said.err


def test_the_text_tells_sentence_status_code_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """For people, with a sum at the end."""
    assert main(["rules", "S-18"]) == 0
    said = capsys.readouterr().out
    assert "S-18  28.7(b), 28.8(b)3, 28.9(b)2  (live)" in said
    assert ROWS["S-18"].says in said
    assert "test   tests/games/round/test_step.py::test_28_7_b_2_chips_must_equal_lights" in said
    assert "1 row: 1 live; " in said
    assert main(["rules", "S-1"]) == 0
    assert f"for people: {ROWS['S-1'].for_people}" in capsys.readouterr().out


def tree(folder: Path, *, code: str = "", tests: str = "") -> Path:
    """A small source tree."""
    for name, text in (("games/rule.py", code), ("tests/games/test_rule.py", tests)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "pyproject.toml").touch()
    return folder


def test_code_is_found_by_clauses_in_strings_and_comments_only(tmp_path: Path) -> None:
    """A number is no clause; a row's own number will do."""
    found = scan(tree(tmp_path, code='RULE = "28.11(f)"\n# 11.14(f) says so\nx = 11.12\n"""Keeps S-19 and S-999."""\n'))
    assert {row for row, proof in found.items() if proof.code} == {"S-25", "S-105", "S-19"}
    assert found["S-25"].code == ("games/rule.py",)


def test_tests_are_found_by_name_or_by_the_rows_that_their_docstring_numbers(tmp_path: Path) -> None:
    """A docstring with numbers is more exact than the clause in the name; a clause without a test proves nothing."""
    tests = '''
async def test_28_11_f_a_flush():
    """Fifty dollars."""
def test_28_11_i_royals():
    """They share (S-20)."""
class TestInside:
    def test_11_12_b_two_areas(self): ...
def helper_28_11_g(): ...
'''
    found = scan(tree(tmp_path, tests=tests))
    assert {row: proof.tests for row, proof in found.items() if proof.tests} == {
        "S-25": ("tests/games/test_rule.py::test_28_11_f_a_flush",),
        "S-20": ("tests/games/test_rule.py::test_28_11_i_royals",),
        "S-96": ("tests/games/test_rule.py::test_11_12_b_two_areas",),
    }


def test_another_source_tree_is_scanned_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An inspector with the sources of an installed program looks for himself."""
    root = tree(tmp_path, code='RULE = "28.11(f)"', tests="def test_28_11_h_a_rate(): ...")
    (row,) = told(capsys, "S-25", "--rescan", str(root))["rows"]
    assert (row["code"], row["tests"], row["status"]) == (["games/rule.py"], [], "open")
    assert main(["rules", "--rescan", str(root)]) == 0
    assert "126 rows: 1 live, 5 people, 120 open; 1 test;" in capsys.readouterr().out


def test_a_tree_without_tests_is_not_scanned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An installed program has none."""
    assert main(["rules", "--rescan", str(tmp_path)]) == 2
    assert "no tests" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "proof", "expected"),
    [
        ("S-25", Proof(tests=("t",)), "live"),
        ("S-25", Proof(code=("c",)), "open"),
        ("S-25", Proof(), "open"),
        ("S-64", Proof(tests=("t",)), "calculator"),
        ("S-64", Proof(), "open"),
        ("S-1", Proof(), "people"),
        ("S-1", Proof(tests=("t",)), "people"),
    ],
)
def test_a_row_is_live_calculator_open_or_for_people(row: str, proof: Proof, expected: str) -> None:
    """Code that no test proves is open; a test does not make live what the live table cannot do."""
    assert status(ROWS[row], proof) == expected
