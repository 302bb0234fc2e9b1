"""A run of mutants: each in a copy of the tree, against the tests named for its row."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final, Literal

from msgspec import Struct

from tests.mutants.mutation import Mutation, fault

_SLOW: Final = ("tests/browser", "tests/integration", "tests/systemd", "tests/hil")
_LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "screenshots")
_PYTEST: Final = ("-m", "pytest", "-q", "--tb=no", "--no-header", "-p", "no:randomly", "-p", "no:cacheprovider")
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (?P<test>[^\s\[]+::\w+)", re.MULTILINE)
_TESTS_FAILED: Final = 1
_SECONDS: Final = 600

# A file's bytecode is told from another's by size and time of change, so no two writes may have the same time.
_WRITES: Final = count(1_000_000_000)


class Verdict(Struct, frozen=True):
    """What became of a mutant; by is the test that failed, or what went wrong."""

    mutation: Mutation
    result: Literal["killed", "survived", "error"]
    by: str
    seconds: float

    def __str__(self) -> str:
        said = {"killed": f"killed by {self.by}", "survived": "SURVIVED", "error": f"ERROR: {self.by}"}[self.result]
        return f"{self.mutation.row:7}{said}  ({self.mutation}; {self.seconds:.1f} s)"


class Tree:
    """A copy of the sources that may be broken and mended again."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def judge(self, mutation: Mutation, tests: Sequence[str]) -> Verdict:
        """Whether the tests notice this mutation."""
        began = time.monotonic()
        why = fault(mutation, self._root) or (None if tests else "no test is named for the row")
        if why:
            return Verdict(mutation, "error", why, 0.0)
        with self._mutated(mutation):
            code, failed, said = self.run(_nearest_first(tests, mutation.file), "-x")
        seconds = time.monotonic() - began
        if code == _TESTS_FAILED and failed:
            return Verdict(mutation, "killed", failed[0], seconds)
        if code == 0:
            return Verdict(mutation, "survived", "", seconds)
        return Verdict(mutation, "error", f"pytest ended with {code}: {said}", seconds)

    def run(self, tests: Iterable[str], *options: str) -> tuple[int, list[str], str]:
        """Runs these tests in this tree: pytest's exit code, the tests that failed, the last line it said."""
        environment = os.environ | {"PYTHONPATH": str(self._root), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
        command = (sys.executable, *_PYTEST, *options, *tests)
        try:
            ended = subprocess.run(
                command, cwd=self._root, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return -1, [], f"not done after {_SECONDS} seconds"
        last = (ended.stdout + ended.stderr).strip().rsplit("\n", 1)[-1]
        return ended.returncode, _FAILED.findall(ended.stdout), last

    @contextmanager
    def _mutated(self, mutation: Mutation) -> Iterator[None]:
        path = self._root / mutation.file
        before = path.read_text()
        _write(path, before.replace(mutation.old, mutation.new))
        try:
            yield
        finally:
            _write(path, before)


@contextmanager
def copied(root: Path) -> Iterator[Tree]:
    """A copy of the tree, gone at the end; in memory where there is such a place."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(prefix="mutant-", dir=memory if memory.is_dir() else None) as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(root, tree, ignore=_LEFT_OUT, symlinks=True)
        yield Tree(tree)


def verdicts(root: Path, chosen: Sequence[tuple[Mutation, Sequence[str]]], jobs: int) -> Iterator[Verdict]:
    """Every mutant's verdict in the given order, some at a time, each in a copy of its own."""
    free: SimpleQueue[Tree] = SimpleQueue()

    def judge(each: tuple[Mutation, Sequence[str]]) -> Verdict:
        tree = free.get()
        try:
            return tree.judge(*each)
        finally:
            free.put(tree)

    with ExitStack() as stack:
        for _ in range(jobs):
            free.put(stack.enter_context(copied(root)))
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        yield from pool.map(judge, chosen)


def broken_without_mutation(root: Path, killed: Iterable[Verdict]) -> list[str]:
    """Those of the killing tests that fail in a tree without any mutation: they say nothing of the mutants."""
    tests = sorted({verdict.by for verdict in killed})
    if not tests:
        return []
    with copied(root) as tree:
        code, failed, said = tree.run(tests)
    return failed if failed or code == 0 else [said]


def _nearest_first(tests: Iterable[str], file: str) -> list[str]:
    """Tests that mirror the mutated file come first, tests of whole processes last: most mutants die early."""
    folders = {folder.as_posix() for folder in Path("tests", file).parents}

    def key(test: str) -> tuple[bool, int, str]:
        shared = sum(folder.as_posix() in folders for folder in Path(test).parents)
        return test.startswith(_SLOW), -shared, test

    return sorted(tests, key=key)


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    moment = next(_WRITES)
    os.utime(path, (moment, moment))
