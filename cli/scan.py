"""Finds, in the sources themselves, which row lives where and which tests prove it."""

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from cli.proofs import Proof
from games.rulebook import ROWS
from games.rulebook.clauses import Index, clauses_in, clauses_of_test

PACKAGES: Final = ("cli", "common", "controller", "demo", "drivers", "flashing", "games", "link", "meter")
_ITSELF: Final = ("games/rulebook/", "cli/rules.py", "cli/scan.py", "cli/proofs.py")
_WORDS: Final = frozenset({"STRING", "COMMENT", "FSTRING_MIDDLE"})
_ROW: Final = re.compile(r"\bS-\d{1,3}[a-d]?\b")


def scan(root: Path) -> Mapping[str, Proof]:
    """What this source tree says of every row: by clause or by S-number, in code and in tests."""
    index = Index(ROWS.values())
    code = _gathered((place, rows) for place, words in _code(root) for rows in [_rows_named(words, index)])
    tests = _gathered((place, _rows_proved(test, index)) for place, test in _tests(root))
    return {row: Proof(code=tuple(code[row]), tests=tuple(tests[row])) for row in ROWS}


def _gathered(found: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    places: dict[str, dict[str, None]] = {row: {} for row in ROWS}
    for place, rows in found:
        for row in rows:
            places[row][place] = None
    return {row: sorted(each) for row, each in places.items()}


def _code(root: Path) -> Iterator[tuple[str, str]]:
    """Every string and comment of our packages with its file."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            if not place.startswith(_ITSELF):
                yield from ((place, words) for words in _words(path))


def _words(path: Path) -> Iterator[str]:
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if tokenize.tok_name[token.type] in _WORDS:
                yield token.string


def _rows_named(words: str, index: Index) -> set[str]:
    by_clause = (row for clause in clauses_in(words) for row in index.rows(clause))
    return {*by_clause, *_numbered(words)}


def _tests(root: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every test with its address."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        place = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{place}::{node.name}", node


def _rows_proved(test: ast.FunctionDef | ast.AsyncFunctionDef, index: Index) -> set[str]:
    """The rows that its docstring numbers; if none, those of the clauses in its name."""
    numbered = set(_numbered(ast.get_docstring(test) or ""))
    clauses = clauses_of_test(test.name, index.sections)
    return numbered or {row for clause in clauses for row in index.rows(clause)}


def _numbered(words: str) -> Iterator[str]:
    return (found[0] for found in _ROW.finditer(words) if found[0] in ROWS)
