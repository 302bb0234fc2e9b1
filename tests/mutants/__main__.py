"""The command behind ./dev mutants: breaks each rule of the rule book and says whether its tests notice.

./dev mutants [S-35 …] [--jobs 2]
"""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from cli.calculators.rulebook_scan import scan
from games.rulebook import ROWS
from tests.mutants.mutation import gaps, mutations
from tests.mutants.run import Verdict, broken_without_mutation, verdicts

ROOT: Final = Path(__file__).parents[2]
_USAGE: Final = 2


def main(words: list[str] | None = None) -> int:
    """Runs the mutants of these rows, or of all; 0 if every one was killed."""
    parser = argparse.ArgumentParser(prog="./dev mutants", description="breaks each rule to see that its tests notice")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="rows such as S-35; all of them if none is named")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many mutants at a time")
    args = parser.parse_args(words)
    known = mutations()
    unknown = sorted(set(args.rows) - {mutation.row for mutation in known})
    if unknown:
        print(f"mutants: {', '.join(unknown)} has no mutation; see tests/mutants/mutations/", file=sys.stderr)
        return _USAGE
    proofs = scan(ROOT)
    chosen = [
        (mutation, proofs[mutation.row].tests if mutation.row in ROWS else ())
        for mutation in known
        if not args.rows or mutation.row in args.rows
    ]
    judged = []
    for verdict in verdicts(ROOT, chosen, args.jobs):
        print(verdict, flush=True)
        judged.append(verdict)
    return _sum_up(judged, () if args.rows else gaps(known))


def _sum_up(judged: list[Verdict], without: tuple[str, ...]) -> int:
    broken = broken_without_mutation(ROOT, [verdict for verdict in judged if verdict.result == "killed"])
    counts = Counter(verdict.result for verdict in judged)
    print(f"{len(judged)} mutants: {counts['killed']} killed, {counts['survived']} survived, {counts['error']} errors")
    for verdict in judged:
        if verdict.result != "killed":
            print(f"  {verdict}")
    for test in broken:
        print(f"  fails without any mutation: {test}")
    if without:
        print(f"{len(without)} rows without a mutation: {', '.join(without)}")
    return 1 if broken or counts["killed"] < len(judged) else 0


if __name__ == "__main__":
    sys.exit(main())
