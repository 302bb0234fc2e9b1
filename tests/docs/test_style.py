"""Rules of docs/style.md that a look at the source can check."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, and every name from one, with dots."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module or ''}.{name.name}" for name in names)


def is_test(module: str) -> bool:
    """Whether a module, or one that it belongs to, is collected by pytest."""
    parts = module.split(".")
    has_tests = any(part.startswith("test_") or part == "conftest" for part in parts[1:])
    return "tests" in parts[:2] and has_tests


def test_tests_import_no_tests() -> None:
    """What two tests need stands in tests/support (docs/style.md 27): a test can be moved or removed by itself."""
    files = [path for folder in ("tests", "hil", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)} imports {module}" for path in files for module in imported(path) if is_test(module)
    ]
    assert found == []


PRODUCT = ("cli", "common", "controller", "demo", "drivers", "flashing", "games", "link", "meter", "poker_room")
ROW = re.compile(r"\b(R\d{1,3}|S-\d{1,3})\b")
SHOWS_ROWS = ("cli/calculators/rules.py", "games/rulebook/")


def words(path: Path) -> Iterator[str]:
    """Every string of a file but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def classes(path: Path) -> Iterator[str]:
    """Every public class of a file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


@pytest.mark.parametrize("folders", [(*PRODUCT, "benchmarks", "hil"), ("tests/support", "tests/soak")], ids=str)
def test_a_class_name_is_one_class(folders: tuple[str, ...]) -> None:
    """Whoever reads a name knows which class it is (docs/style.md 2), also in the support package of the tests."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for name in classes(path):
            places[name].append(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_message_shows_a_row_of_the_rule_book() -> None:
    """R96 says nothing to a dealer (docs/style.md 5): rows stand in `rule` fields, docstrings and tests."""
    files = [path.relative_to(ROOT) for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py"))]
    shown = [file for file in files if not file.as_posix().startswith(SHOWS_ROWS)]
    found = [
        f"{file}: {text}"
        for file in shown
        for text in words(ROOT / file)
        if ROW.search(text) and not ROW.fullmatch(text)
    ]
    assert found == []


def test_an_import_of_a_test_is_seen(tmp_path: Path) -> None:
    """However it is written; an import from the support package is none."""
    source = tmp_path / "test_one.py"
    source.write_text(
        "import tests.meter.test_daemon\nfrom tests.meter import test_settings\nfrom hil.tests.conftest import Bench\n"
        "from tests.meter.test_settings import GOOD\nfrom tests.support.web.pages import Page\nimport json\n"
    )
    assert [module for module in imported(source) if is_test(module)] == [
        "tests.meter.test_daemon",
        "tests.meter.test_settings",
        "hil.tests.conftest.Bench",
        "tests.meter.test_settings.GOOD",
    ]
