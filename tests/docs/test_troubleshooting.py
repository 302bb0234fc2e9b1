"""docs/troubleshooting.md quotes the program's own words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
SOURCES: Final = ("cli", "common", "controller", "demo", "drivers", "flashing", "games", "meter", "tests/flashing")
FOREIGN: Final = ("THESE PACKAGES DO NOT MATCH THE HASHES", "FILE: KEY: …", "variance")
"""What pip says, what stands for any line, and a row of a statement."""


def quoted() -> list[str]:
    """Every message in the first column."""
    rows = (line.split(" | ")[0] for line in PAGE.splitlines() if line.startswith("| ") and "you see" not in line)
    return [found for row in rows for found in re.findall(r"`([^`]+)`", row) if found not in FOREIGN]


def said() -> Iterator[str]:
    """Every string of the source and every English text of the catalogue, values left out."""
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from (
                node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            )
    for path in (ROOT / "common" / "languages" / "en").glob("*.json"):
        for text in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8")):
            yield from re.split(r"\{\w+(?::\w+)?\}|\*", text)
    yield from ((ROOT / script).read_text(encoding="utf-8") for script in ("dev", "flashing/recipe/system-update"))


@pytest.fixture(scope="module")
def words() -> str:
    return "\n".join(said())


@pytest.mark.parametrize("message", quoted())
def test_every_message_exists(message: str, words: str) -> None:
    """Whoever searches the page for what he sees finds it."""
    parts = [part for part in message.split("…") if part.strip(" :,.()")]
    assert parts, "a message has words of its own"
    assert [part for part in parts if part not in words] == []


def test_there_are_messages() -> None:
    """The page is a table of them."""
    assert len(quoted()) > 40
