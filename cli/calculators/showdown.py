"""pitlink showdown: a question of the dealer's assist as JSON in, its answer as JSON out (docs/showdown.md)."""

import argparse
import json
import re
from typing import Any, Final

import msgspec

from cli.calculators.json_input import BadJson, as_fault, in_words, parsed, read_input
from controller.web.text import told
from games.showdown.input import InputFault
from games.showdown.pai_gow.questions import BankAnswer
from games.showdown.questions import Question, find_question

BAD_INPUT: Final = 2

_PLACE: Final = re.compile(r" - at `(?:key` in `)?\$\.?(?P<path>[^`]*)`$")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file holds the question."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE|-", help="a question as JSON; - is standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one JSON object, the answer or error and where; returns the exit code."""
    try:
        said = answer(read_input(args.file))
    except BadJson as bad:
        said = InputFault(bad.problem, bad.where)
    if isinstance(said, InputFault):
        print(as_fault(said.problem, said.where))
        return BAD_INPUT
    print(json.dumps(said, indent=2))
    return 0


def answer(data: bytes) -> dict[str, Any] | InputFault:
    """The answer to a question as written, or what is wrong with it and where."""
    raw = _parsed(data)
    if isinstance(raw, InputFault):
        return raw
    name = raw.get("question", "showdown")
    question = find_question(raw.get("game"), name)
    if isinstance(question, InputFault):
        return question
    asked = _typed(question, raw)
    given = asked if isinstance(asked, InputFault) else question.answer(asked)
    if isinstance(given, InputFault):
        return given
    said = msgspec.to_builtins(given, str_keys=True)
    if isinstance(given, BankAnswer) and given.refusal is not None:
        said["refusal"] = msgspec.to_builtins(told(given.refusal))
    return {"game": raw["game"], "question": name, **said}


def _parsed(data: bytes) -> dict[str, Any] | InputFault:
    """The object in these bytes, or what is wrong with them."""
    try:
        raw = parsed(data)
    except BadJson as bad:
        return InputFault(bad.problem, bad.where)
    return raw if isinstance(raw, dict) else InputFault("is not a JSON object", "input")


def _typed(question: Question, raw: dict[str, Any]) -> msgspec.Struct | InputFault:
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


def _misread(question: Question, raw: dict[str, Any], message: str) -> InputFault:
    """What the reader says, at the very entry: it names an object's entries only as [...]."""
    found = _PLACE.search(message)
    if found is None:
        return InputFault(in_words(message), "input")
    problem, path = in_words(message[: found.start()]), found["path"]
    field, dots, rest = path.partition("[...]")
    if dots and isinstance(raw.get(field), dict):
        path = f"{field}.{_misread_entry(question, raw, field)}{rest}"
    return InputFault(problem, path or "input")


def _misread_entry(question: Question, raw: dict[str, Any], field: str) -> str:
    """The first entry of an object that cannot be read by itself."""
    alone = ((key, {**raw, field: {key: value}}) for key, value in raw[field].items())
    return next((key for key, entry in alone if isinstance(_converted(question, entry), str)), "[...]")
