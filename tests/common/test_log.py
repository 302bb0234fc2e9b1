"""The log: one JSON object a line in service, words in a terminal."""

import json
import logging
from io import StringIO

import pytest

from common.log import adopt_libraries, open_log


def test_a_service_logs_one_json_object_a_line() -> None:
    """Event, level, time and keys; what was bound once is on every line."""
    stream = StringIO()
    log = open_log(stream).bind(table="T1")
    log.info("chip_placed", seat=3)
    log.warning("link_lost")
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["level"], first["table"], first["seat"]) == ("chip_placed", "info", "T1", 3)
    assert first["timestamp"].endswith("Z")
    assert (second["event"], second["table"]) == ("link_lost", "T1")


def test_a_person_reads_words() -> None:
    """The same event without braces, for a terminal."""
    stream = StringIO()
    open_log(stream, readable=True).info("chip_placed", seat=3)
    assert "chip_placed" in stream.getvalue()
    assert "seat=3" in stream.getvalue()
    assert "{" not in stream.getvalue()


@pytest.mark.parametrize("readable", [True, False])
def test_an_error_brings_its_traceback(readable: bool) -> None:
    """What went wrong can be found again."""
    stream = StringIO()
    open_log(stream, readable=readable).error("part_died", exc_info=LookupError("no such seat"))
    assert "LookupError: no such seat" in stream.getvalue()


def test_what_libraries_say_arrives_in_the_same_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning through the standard module is a line like any other; chatter below it is not."""
    stream, root = StringIO(), logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    adopt_libraries(open_log(stream))
    logging.getLogger("mqtt").warning("There are %d pending calls", 11)
    logging.getLogger("mqtt").info("chatter")
    (line,) = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (line["library"], line["text"], line["level"]) == ("mqtt", "There are 11 pending calls", "warning")
