"""JSON that a person hands to a command, in a file or on standard input: read strictly, faults said as one object."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from cli.json_input import BadJson

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
