"""Reading JSON that people wrote: each question answers with a typed value, or raises BadJson saying what and where."""

from collections.abc import Collection, Sequence
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
