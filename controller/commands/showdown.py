"""pitlink showdown: a question of the dealer's assist as JSON in, its answer as JSON out (docs/showdown.md)."""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.commands.reader_words import in_words
from games.showdown.fault import Fault
from games.showdown.questions import Question, find_question

BAD_INPUT: Final = 2
LARGEST_INPUT_BYTES: Final = 1_000_000
LONGEST_WORDS: Final = 400

_PLACE: Final = re.compile(r" - at `(?:key` in `)?\$\.?(?P<path>[^`]*)`$")


class _SaidTwiceError(ValueError):
    """A key that an object has twice: json.loads would silently keep the last."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file holds the question."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE|-", help="a question as JSON; - is standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one JSON object, the answer or error and where; returns the exit code."""
    data = _read(args.file)
    said = data if isinstance(data, Fault) else answer(data)
    if isinstance(said, Fault):
        print(json.dumps({"error": said.problem[:LONGEST_WORDS], "where": said.where[:LONGEST_WORDS]}))
        return BAD_INPUT
    print(json.dumps(said, indent=2))
    return 0


def answer(data: bytes) -> dict[str, Any] | Fault:
    """The answer to a question as written, or what is wrong with it and where."""
    raw = _parsed(data)
    if isinstance(raw, Fault):
        return raw
    name = raw.get("question", "showdown")
    question = find_question(raw.get("game"), name)
    if isinstance(question, Fault):
        return question
    asked = _typed(question, raw)
    given = asked if isinstance(asked, Fault) else question.answer(asked)
    if isinstance(given, Fault):
        return given
    return {"game": raw["game"], "question": name, **msgspec.to_builtins(given, str_keys=True)}


def _read(file: str) -> bytes | Fault:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(LARGEST_INPUT_BYTES + 1)
        else:
            with Path(file).open("rb") as source:
                data = source.read(LARGEST_INPUT_BYTES + 1)
    except OSError as error:
        return Fault(f"cannot be read: {error.strerror}", file)
    except ValueError:
        return Fault("is no file name", "FILE")
    return data if len(data) <= LARGEST_INPUT_BYTES else Fault(f"is longer than {LARGEST_INPUT_BYTES:,} bytes", file)


def _parsed(data: bytes) -> dict[str, Any] | Fault:
    """The object in these bytes; no JSON, a key said twice, or nesting beyond reason is a fault."""
    try:
        raw = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        return Fault(f"is not UTF-8 text (byte {error.start})", "input")
    except _SaidTwiceError as error:
        return Fault("is said twice", str(error))
    except RecursionError:
        return Fault("is nested too deeply", "input")
    except ValueError as error:
        return Fault(f"is not JSON: {error}", "input")
    return raw if isinstance(raw, dict) else Fault("is not a JSON object", "input")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise _SaidTwiceError(key)
        entries[key] = value
    return entries


def _typed(question: Question, raw: dict[str, Any]) -> msgspec.Struct | Fault:
    asked = _converted(question, raw)
    return _misread(question, raw, asked) if isinstance(asked, str) else asked


def _converted(question: Question, raw: dict[str, Any]) -> msgspec.Struct | str:
    """The question as its type, or the reader's message why it is none."""
    try:
        return msgspec.convert(raw, question.asked, str_keys=True)
    except msgspec.ValidationError as error:
        return str(error)
    except UnicodeEncodeError:
        return "holds half of a surrogate pair, which is no text"


def _misread(question: Question, raw: dict[str, Any], message: str) -> Fault:
    """What the reader says, at the very entry: it names an object's entries only as [...]."""
    found = _PLACE.search(message)
    if found is None:
        return Fault(in_words(message), "input")
    problem, path = in_words(message[: found.start()]), found["path"]
    field, dots, rest = path.partition("[...]")
    if dots and isinstance(raw.get(field), dict):
        path = f"{field}.{_misread_entry(question, raw, field)}{rest}"
    return Fault(problem, path or "input")


def _misread_entry(question: Question, raw: dict[str, Any], field: str) -> str:
    """The first entry of an object that cannot be read by itself."""
    alone = ((key, {**raw, field: {key: value}}) for key, value in raw[field].items())
    return next((key for key, entry in alone if isinstance(_converted(question, entry), str)), "[...]")
