"""Mutations are up to date, every kept row has one, and the command tells the dead from the living."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cli.calculators.rulebook_scan import proofs
from tests.mutants.__main__ import main
from tests.mutants.mutation import Mutation, fault, gaps, mutations
from tests.mutants.run import Tree, copied

ROOT: Final = Path(__file__).parents[2]
TESTS: Final = "tests/games/ranking/test_three_and_low.py"
# Rows that a program keeps and no mutation breaks yet. Only ever remove one.
WITHOUT_MUTATION: Final[tuple[str, ...]] = ()

KNOWN: Final = mutations()
FLUSH: Final = Mutation(
    "S-63", "games/ranking/three.py", "if ranks[0] - ranks[2] == 2:", "if ranks[0] - ranks[2] == 3:"
)


@pytest.mark.parametrize("mutation", KNOWN, ids=[f"{number}-{each.row}" for number, each in enumerate(KNOWN)])
def test_every_mutation_still_applies(mutation: Mutation) -> None:
    """Its old text stands in its file exactly once: whoever changes that line writes the mutation anew."""
    assert fault(mutation, ROOT) is None


def test_every_row_that_a_program_keeps_has_a_mutation() -> None:
    """But for those that are named above; the list can only become shorter."""
    assert gaps(KNOWN) == WITHOUT_MUTATION


def test_every_mutated_row_has_tests_that_can_notice() -> None:
    """A row without tests would let every mutant live."""
    found = proofs()
    assert [mutation.row for mutation in KNOWN if not found[mutation.row].tests] == []


def test_the_mutant_of_a_row_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    """The whole way of the command: copy, break, run the row's tests, mend, and run the killer once more."""
    assert main(["S-49"]) == 0
    assert "2 mutants: 2 killed, 0 survived, 0 errors" in capsys.readouterr().out


@pytest.fixture(scope="module")
def tree() -> Iterator[Tree]:
    """A copy of the sources."""
    with copied(ROOT) as tree:
        yield tree


def test_a_copy_is_whole_again_after_a_mutant(tree: Tree) -> None:
    """One that the tests notice dies, a changed docstring survives, and the real tree is untouched."""
    before = (ROOT / FLUSH.file).read_bytes()
    assert tree.judge(FLUSH, [TESTS]).result == "killed"
    harmless = Mutation("S-63", FLUSH.file, "A-2-3 is the lowest straight", "A-2-3 is a straight")
    verdict = tree.judge(harmless, [TESTS])
    assert (verdict.result, str(verdict)[:15]) == ("survived", "S-63   SURVIVED")
    assert (ROOT / FLUSH.file).read_bytes() == before


@pytest.mark.parametrize(
    ("mutation", "tests", "why"),
    [
        (Mutation("S-63", FLUSH.file, "no such text", "x"), [TESTS], "0 times, not once"),
        (Mutation("S-63", FLUSH.file, "return", "x"), [TESTS], "times, not once"),
        (Mutation("S-63", "games/no_such_file.py", "a", "b"), [TESTS], "there is no games/no_such_file.py"),
        (Mutation("S-1", FLUSH.file, FLUSH.old, FLUSH.new), [TESTS], "no row that a program keeps"),
        (Mutation("S-63", FLUSH.file, FLUSH.old, FLUSH.old), [TESTS], "the same"),
        (FLUSH, [], "no test is named"),
        (Mutation("S-63", FLUSH.file, FLUSH.old, "if if"), [TESTS], "pytest ended with"),
    ],
)
def test_a_mutation_that_says_nothing_is_an_error(tree: Tree, mutation: Mutation, tests: list[str], why: str) -> None:
    """An old text that is gone, a row that nobody keeps, a file that cannot even be read."""
    verdict = tree.judge(mutation, tests)
    assert verdict.result == "error"
    assert why in verdict.by


def test_a_row_without_mutations_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With where they are written down."""
    assert main(["S-1"]) == 2
    assert "S-1 has no mutation" in capsys.readouterr().err
