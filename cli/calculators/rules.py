"""pitlink rules: every row of the rule book, where it lives in code and which tests prove it (docs/rules.md)."""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cli.calculators.rulebook_scan import Proof, is_source_tree, proofs, scan
from games.rulebook import PARTS, ROWS, WITHOUT_ROWS, Keeper, Row, Subject
from games.rulebook.clauses import clauses_in

_USAGE: Final = 2
_NOT_KEPT: Final[tuple[Keeper, ...]] = ("people", "open")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which rows, from which sources, and how to write them."""
    parser.add_argument(
        "asked", nargs="?", metavar="CLAUSE|ROW", help="a clause such as 28.11(f), or a row such as S-19"
    )
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument(
        "--rescan",
        type=Path,
        nargs="?",
        const=Path(__file__).parents[2],
        metavar="SOURCES",
        help="take code and tests from this source tree, not from the program's own build",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the rows asked for, or why there are none; returns the exit code."""
    if args.rescan and not is_source_tree(args.rescan):
        print(f"pitlink rules: {args.rescan} has no tests; name a source tree", file=sys.stderr)
        return _USAGE
    asked = _asked(args.asked)
    if not asked and args.asked in WITHOUT_ROWS:
        return _without_rows(args.asked, as_json=args.json)
    if not asked:
        print(f"pitlink rules: no row of {args.asked!r}; {_known()}", file=sys.stderr)
        return _USAGE
    found = scan(args.rescan) if args.rescan else proofs()
    if args.json:
        rows = [_written(part, row, found[row.id]) for part in PARTS for row in part.rows if row.id in asked]
        print(json.dumps({"rows": rows, "open": [row["row"] for row in rows if row["status"] == "open"]}, indent=2))
    else:
        print("\n".join(_text(asked, found)))
    return 0


def status(row: Row, proof: Proof) -> Keeper:
    """Who keeps the row; what a program is said to keep and no test proves is open."""
    return "open" if row.kept in ("live", "calculator") and not proof.tests else row.kept


def _without_rows(section: str, *, as_json: bool) -> int:
    said = WITHOUT_ROWS[section]
    print(json.dumps({"rows": [], "open": [], "note": said}, indent=2) if as_json else f"{section}  {said}")
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
