"""docs/threats.md: every test that it names exists, and every row has an answer."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
STRIDE = {
    "Spoofing",
    "Tampering",
    "Repudiation",
    "Information disclosure",
    "Denial of service",
    "Elevation of privilege",
}
LAST_ROWS = {"2.1": 12, "2.2": 3, "2.3": 3, "2.4": 5, "2.5": 7, "2.6": 3, "2.7": 6, "2.8": 7, "2.9": 3, "2.10": 4}
LAST_ROWS |= {"3.1": 1, "3.2": 4, "3.3": 4, "3.4": 5, "3.5": 3, "3.7": 1, "4.1": 5, "4.2": 2, "4.3": 3}
DELETED = "4.1.4"
FINDING = re.compile(r"(?:finding_|Finding |test_15_)([1-9])(?!\d)")


def rows() -> Iterator[list[str]]:
    """Every line of a table of the document, by cells."""
    for line in (ROOT / "docs" / "threats.md").read_text().splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def named_in(path: Path) -> Iterator[tuple[str, str]]:
    """The tests of a file: name, and name with docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name, f"{node.name} {ast.get_docstring(node) or ''}"


def test_every_test_that_the_document_names_exists() -> None:
    """A renamed test is missed here."""
    named = set(TEST.findall((ROOT / "docs" / "threats.md").read_text()))
    missing = {
        (file, name) for file, name in named if not (ROOT / file).exists() or name not in dict(named_in(ROOT / file))
    }
    assert named
    assert missing == set()


def test_every_row_of_stride_names_a_test_or_says_gap() -> None:
    """And every kind of threat has rows."""
    found = [row for row in rows() if row[0] in STRIDE]
    assert {row[0] for row in found} == STRIDE
    assert [row for row in found if not TEST.search(row[-1]) and not row[-1].startswith("gap: ")] == []


def test_every_row_of_asvs_level_2_is_answered_once() -> None:
    """V2, V3 and V4: met, not applicable or gap, with words or a test."""
    answers = [(row[0], row[-1]) for row in rows() if re.fullmatch(r"\d\.\d+\.\d+", row[0])]
    wanted = [f"{part}.{number}" for part, last in LAST_ROWS.items() for number in range(1, last + 1)]
    assert [number for number, _ in answers] == [number for number in wanted if number != DELETED]
    unclear = [row for row in answers if not re.match(r"(met|not applicable|gap)\b.{0,20}: .", row[1])]
    assert unclear == []


def test_every_finding_of_the_penetration_test_has_a_test() -> None:
    """Findings 1 to 9, named by tests as finding_N, Finding N or test_15_N."""
    found = {
        number
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__)
        for _, words in named_in(path)
        for number in FINDING.findall(words)
    }
    assert found == set("123456789")
