"""JSON that a person hands to a command: read strictly, every fault in words with its place."""

import json
import re
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

LARGEST_CENTS: Final = 10**12


class BadJson(Exception):  # noqa: N818 - the name says what is bad; it is an answer to a person, not a program's error
    """Words that mean nothing here, and where they stand."""

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.problem, self.where = problem, where


def entries(told: Any, where: str, known: Collection[str] | None = None) -> dict[str, Any]:
    """An object, empty if nobody said anything; with known keys only, if there are such."""
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise BadJson(f"{_short(told)} where an object belongs", where)
    for key in told:
        if known is not None and key not in known:
            problem = f"{_short(key)} is not known here; known are {', '.join(sorted(known)) or 'none'}"
            raise BadJson(problem, key if where == "input" else f"{where}.{key}")
    return told


def whole(told: Any, where: str, *, low: int, high: int) -> int:
    """A whole number from low to high."""
    if isinstance(told, int) and not isinstance(told, bool) and low <= told <= high:
        return told
    raise BadJson(f"{_short(told)} where a whole number from {low} to {high} belongs", where)


def cents(told: Any, where: str, *, low: int = 0) -> int:
    """An amount in whole cents."""
    return whole(told, where, low=low, high=LARGEST_CENTS)


def flag(told: Any, where: str) -> bool:
    """True or false; false if nobody said anything."""
    if told is None or isinstance(told, bool):
        return bool(told)
    raise BadJson(f"{_short(told)} where true or false belongs", where)


def text(told: Any, where: str) -> str | None:
    """A word, or None if nobody said any."""
    if told is None or (isinstance(told, str) and told.strip()):
        return told
    raise BadJson(f"{_short(told)} where a word belongs", where)


def texts(told: Any, where: str) -> list[str]:
    """A list of words, empty if nobody said anything."""
    if told is None:
        return []
    if isinstance(told, list) and all(isinstance(word, str) for word in told):
        return told
    raise BadJson(f"{_short(told)} where a list of words belongs", where)


def choice(told: Any, where: str, choices: Sequence[str]) -> str:
    """One of these words, or of these numbers; the first, if nobody said anything."""
    if told is None:
        return choices[0]
    word = str(told) if isinstance(told, int) and not isinstance(told, bool) else told
    if isinstance(word, str) and word in choices:
        return word
    raise BadJson(f"{_short(told)} where one of {', '.join(choices)} belongs", where)


def _short(told: Any) -> str:
    """A value as far as a person wants to see it again."""
    match told:
        case dict():
            return "an object"
        case list():
            return "a list"
        case None:
            return "nothing"
        case bool():
            return str(told).lower()
        case str():
            return repr(told[:40])
        case _:
            return str(told)[:40]


LARGEST_INPUT_BYTES: Final = 1_000_000
LONGEST_WORDS: Final = 400


def read_input(file: str) -> bytes:
    """The bytes of this file, or of standard input for a dash; raises BadJson."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_INPUT_BYTES + 1)
        else:
            with Path(file).open("rb") as source:
                data = source.read(LARGEST_INPUT_BYTES + 1)
    except OSError as error:
        raise BadJson(f"cannot be read: {error.strerror}", file) from error
    except ValueError as error:
        raise BadJson("is no file name", "FILE") from error
    if len(data) > LARGEST_INPUT_BYTES:
        raise BadJson(f"is longer than {LARGEST_INPUT_BYTES:,} bytes", file)
    return data


def parsed(data: bytes) -> Any:
    """The JSON in these bytes; what is no JSON, names a key twice or is nested beyond reason is a BadJson."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise BadJson(f"is not UTF-8 text (byte {error.start})", "input") from error
    except RecursionError as error:
        raise BadJson("is nested too deeply", "input") from error
    except ValueError as error:
        raise BadJson(f"is not JSON: {error}", "input") from error


def as_fault(problem: str, where: str) -> str:
    """One JSON object that says what is wrong and where, as long as a person reads it."""
    return json.dumps({"error": problem[:LONGEST_WORDS], "where": where[:LONGEST_WORDS]})


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key said twice json.loads would silently keep the last."""
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise BadJson("is said twice", key)
        entries[key] = value
    return entries


def _no_number(word: str) -> float:
    raise BadJson(f"{word} is no number", "input")


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
