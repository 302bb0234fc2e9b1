"""What the reader of typed JSON finds wrong, in words for whoever wrote it."""

import re
from collections.abc import Callable
from typing import Final

_KINDS: Final = {
    "int": "a whole number",
    "float": "a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}

_SAID: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(r"Expected `int` >= (-?\d+)"), lambda found: f"write a whole number of at least {found[1]}"),
    (re.compile(r"Expected `int` <= (-?\d+)"), lambda found: f"write a whole number of at most {found[1]}"),
    (
        re.compile(r"Expected `array` of length (\d+), got (\d+)"),
        lambda found: f"write {found[1]} entries, not {found[2]}",
    ),
    (re.compile(r"Expected `([^`]+)`, got `([^`]+)`"), lambda found: f"write {_kind(found[1])}, not {_kind(found[2])}"),
    (re.compile(r"Invalid enum value (.+)"), lambda found: f"{found[1]} is none of the choices; the manual lists them"),
    (re.compile(r"Object contains unknown field `(.*)`"), lambda found: f"{found[1]!r} is not known here"),
    (re.compile(r"Object missing required field `(.*)`"), lambda found: f"{found[1]!r} is missing"),
)


def in_words(message: str) -> str:
    """The reader's message as people say it; one that is not known stays as it is."""
    for pattern, said in _SAID:
        if found := pattern.fullmatch(message):
            return said(found)
    return message


def _kind(kinds: str) -> str:
    """The first of the kinds of value that may stand there: what may also be left out needs no word."""
    first = kinds.partition(" | ")[0]
    return _KINDS.get(first, first)
