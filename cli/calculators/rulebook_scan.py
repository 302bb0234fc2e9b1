"""Proofs of the rule book: where each row lives in code, and which tests prove it, as the sources themselves say.

The build step runs this file (setup.py) before anything is installed, so it needs only the standard library.
"""

import ast
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from games.rulebook import ROWS
from games.rulebook.clauses import Index, clauses_in, clauses_of_test

PROOFS: Final = "proofs.json"
"""What a wheel carries beside games/rulebook; a source tree has its tests instead."""
_TREE: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a row lives and what proves it: files of ours, and tests by their addresses."""

    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def proofs() -> Mapping[str, Proof]:
    """The proofs of each row: in a source tree those of its tests, in an installed program those of its build."""
    if is_source_tree(_TREE):
        return scan(_TREE)
    found = json.loads((files("games.rulebook") / PROOFS).read_bytes())
    return {row: Proof(tuple(proof["code"]), tuple(proof["tests"])) for row, proof in found.items()}


def is_source_tree(root: Path) -> bool:
    """Whether the project's tests lie here."""
    return (root / "pyproject.toml").is_file() and (root / "tests").is_dir()


def write(found: Mapping[str, Proof], folder: Path) -> None:
    """Writes what a scan found into a folder that becomes games/rulebook."""
    written = {row: asdict(proof) for row, proof in found.items()}
    (folder / PROOFS).write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


PACKAGES: Final = ("cli", "common", "controller", "demo", "drivers", "flashing", "games", "link", "meter", "poker_room")
_ITSELF: Final = ("games/rulebook/", "cli/calculators/rules.py", "cli/calculators/rulebook_scan.py")
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
