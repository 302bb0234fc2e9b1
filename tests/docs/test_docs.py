"""What the documents take from the code is what the code says."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def generator() -> ModuleType:
    """docs/generate.py as a module."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_parts_are_current() -> None:
    """`./dev docs` was run after the last change of a phase table."""
    assert generator().stale() == []


def test_the_round_diagram_is_in_the_document() -> None:
    """The block is there and not empty, so that the test above has something to compare."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert "OPEN --> LOCKED: LockOutPressed" in text


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    """A link to a file that is not there is a dead end for a newcomer."""
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


SHIPPED = [path for path in (*(ROOT / "config").rglob("*"), *(ROOT / "systemd").rglob("*")) if path.is_file()]


@pytest.mark.parametrize("file", [*PAGES, *SHIPPED], ids=lambda path: str(path.relative_to(ROOT)))
def test_files_agree_on_names(file: Path) -> None:
    """Every file of ours that one names is there, and certificates end as docs/link.md makes them."""
    text = file.read_text(encoding="utf-8")
    for name in re.findall(r"(?<![\w/])((?:config|docs)/[\w./-]*\w)", text):
        assert (ROOT / name).exists(), name
    assert ".pem" not in text


def test_ci_runs_exactly_the_readmes_test_command() -> None:
    """One command for people and machines, with the system's Python and with another one."""
    commands = re.findall(r"^ *(?:PYTHON=\S+ )?(\./dev.*)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert commands == ["./dev test", "./dev test"]
    assert "\n./dev test\n" in (ROOT / "README.md").read_text()
