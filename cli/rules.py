"""pitlink rules: every row of the rule book, where it lives in code and which tests prove it (docs/rules.md)."""

import argparse
import ast
import json
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from games.rulebook import PARTS, ROWS, WITHOUT_ROWS, Keeper, Row, Subject
from games.rulebook.clauses import Index, clauses_in, clauses_of_test

NAME: Final = "proofs.json"


class Proof(Struct, frozen=True):
    """Where a row lives and what proves it: files of ours, and tests by their addresses."""

    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def shipped() -> Mapping[str, Proof]:
    """What the last scan of the sources found, by row."""
    data = (files("games.rulebook") / NAME).read_bytes()
    return msgspec.json.decode(data, type=dict[str, Proof])


def write(proofs: Mapping[str, Proof], root: Path) -> Path:
    """Writes what a scan found to where it is shipped from."""
    path = root / "games" / "rulebook" / NAME
    path.write_bytes(msgspec.json.format(msgspec.json.encode(proofs), indent=1) + b"\n")
    return path


PACKAGES: Final = ("cli", "common", "controller", "demo", "drivers", "flashing", "games", "link", "meter")
_ITSELF: Final = ("games/rulebook/", "cli/rules.py")
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


_USAGE: Final = 2
_NOT_KEPT: Final[tuple[Keeper, ...]] = ("people", "open")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, and how to write them."""
    parser.add_argument(
        "asked", nargs="?", metavar="CLAUSE|ROW", help="a clause such as 28.11(f), or a row such as S-19"
    )
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument(
        "--rescan",
        type=Path,
        nargs="?",
        const=Path(__file__).parents[1],
        metavar="SOURCES",
        help="look for code and tests anew in a source tree, and keep what was found",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the rows asked for, or why there are none; returns the exit code."""
    if args.rescan:
        return _rescan(args.rescan)
    asked = _asked(args.asked)
    if not asked and args.asked in WITHOUT_ROWS:
        return _without_rows(args.asked, as_json=args.json)
    if not asked:
        print(f"pitlink rules: no row of {args.asked!r}; {_known()}", file=sys.stderr)
        return _USAGE
    proofs = shipped()
    if args.json:
        rows = [_written(part, row, proofs[row.id]) for part in PARTS for row in part.rows if row.id in asked]
        print(json.dumps({"rows": rows, "open": [row["row"] for row in rows if row["status"] == "open"]}, indent=2))
    else:
        print("\n".join(_text(asked, proofs)))
    return 0


def status(row: Row, proof: Proof) -> Keeper:
    """Who keeps the row; what a program is said to keep and no test proves is open."""
    return "open" if row.kept in ("live", "calculator") and not proof.tests else row.kept


def _without_rows(section: str, *, as_json: bool) -> int:
    said = WITHOUT_ROWS[section]
    print(json.dumps({"rows": [], "open": [], "note": said}, indent=2) if as_json else f"{section}  {said}")
    return 0


def _rescan(root: Path) -> int:
    if not (root / "tests").is_dir():
        print(f"pitlink rules: {root} has no tests; name a source tree", file=sys.stderr)
        return _USAGE
    proofs = scan(root)
    print(f"{write(proofs, root)}: {_summary(ROWS, proofs)}")
    return 0


def _known() -> str:
    sections = sorted({_section(text) for row in ROWS.values() for text in row.clauses}, key=_in_order)
    return f"ask for S-1 to S-122 or for {', '.join(sections)}; R-numbers are in docs/standards.md"


def _asked(word: str | None) -> Sequence[str]:
    """The rows that a row's number or a clause means; every row, if nobody asks for one."""
    if word is None or word.upper() in map(str.upper, ROWS):
        return [row for row in ROWS if word is None or row.upper() == word.upper()]
    wanted = tuple(clauses_in(re.sub(r"^[\d.]+[a-z]", lambda section: section[0].upper(), word)))
    found = [
        row.id
        for row in ROWS.values()
        for clauses in [tuple(clause for text in row.clauses for clause in clauses_in(text))]
        if any(_overlap(clause, want) for clause in clauses for want in wanted)
    ]
    return found or [row.id for row in ROWS.values() if any(_begins(_section(text), word) for text in row.clauses)]


def _section(clause: str) -> str:
    return clause.partition("(")[0]


def _in_order(section: str) -> tuple[int, int, str]:
    chapter, _, number = section.partition(".")
    return int(chapter), int(re.sub(r"\D", "", number)), number


def _begins(section: str, word: str) -> bool:
    """Whether whole numbers of the section are the word: 28 and 1.13 begin 28.11 and 1.13G, 2 and 1.1 do not."""
    return re.match(rf"{re.escape(word.rstrip('.'))}(?!\d)", section) is not None


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


def _written(part: Subject, row: Row, proof: Proof) -> dict[str, Any]:
    return {
        "row": row.id,
        "part": part.title,
        "clauses": list(row.clauses),
        "says": row.says,
        "status": status(row, proof),
        "lacks": row.lacks,
        "for_people": row.for_people,
        "told_by": row.told_by,
        "code": list(proof.code),
        "tests": list(proof.tests),
    }


def _text(asked: Sequence[str], proofs: Mapping[str, Proof]) -> Iterable[str]:
    for part in PARTS:
        rows = [row for row in part.rows if row.id in asked]
        if rows:
            yield part.title
            yield ""
        for row in rows:
            yield from _row_text(row, proofs[row.id])
            yield ""
    yield _summary(asked, proofs)


def _row_text(row: Row, proof: Proof) -> Iterable[str]:
    yield f"{row.id}  {', '.join(row.clauses)}  ({status(row, proof)})"
    yield f"    {row.says}"
    if row.lacks:
        yield f"    not live: {row.lacks}"
    if row.for_people:
        yield f"    for people: {row.for_people}; told by {row.told_by}"
    yield from (f"    code   {place}" for place in proof.code)
    yield from (f"    test   {place}" for place in proof.tests)


def _summary(asked: Iterable[str], proofs: Mapping[str, Proof]) -> str:
    found: dict[Keeper, list[str]] = {"live": [], "calculator": [], "people": [], "open": []}
    for row in asked:
        found[status(ROWS[row], proofs[row])].append(row)
    tests = len({test for row in asked for test in proofs[row].tests})
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in found.items() if rows)
    said = [f"{_counted(sum(map(len, found.values())), 'row')}: {counts}; {_counted(tests, 'test')}"]
    said += [f"{name}: {', '.join(found[name])}" for name in _NOT_KEPT if found[name]]
    return "; ".join(said)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
