"""pitlink showdown: the documented examples, and one JSON object for whatever is given to it."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.calculators.json_input import LARGEST_INPUT_BYTES
from cli.calculators.showdown import answer
from cli.main import main
from games.catalogue.irregularities import CARIBBEAN, PAI_GOW
from games.showdown.input import InputFault
from games.showdown.questions import QUESTIONS

DOCS: Final = Path(__file__).parents[3] / "docs" / "showdown.md"
BLOCKS: Final = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)]
SPOKEN: Final = [block for block in BLOCKS if "error" not in block]
EXAMPLES: Final = list(zip(SPOKEN[::2], SPOKEN[1::2], strict=True))
MINE: Final = re.compile(r"`([a-z_]+)` \| (1[16]\.[^|]+) \|")


def kind(question: dict[str, Any]) -> tuple[str, str]:
    return question["game"], question.get("question", "showdown")


def said(question: dict[str, Any]) -> Any:
    """The answer as a reader of the JSON sees it."""
    given_back = answer(json.dumps(question).encode())
    return given_back if isinstance(given_back, InputFault) else json.loads(json.dumps(given_back))


@pytest.mark.parametrize(
    ("question", "documented"), EXAMPLES, ids=["-".join(kind(question)) for question, _ in EXAMPLES]
)
def test_every_documented_example_is_answered_as_documented(
    question: dict[str, Any], documented: dict[str, Any]
) -> None:
    """docs/showdown.md says what the command says."""
    assert said(question) == documented


def test_every_question_has_a_documented_example() -> None:
    """Games that share a question share its example."""
    asked = {kind(question) for question, _ in EXAMPLES}
    known = {(game, question) for game, questions in QUESTIONS.items() for question in questions}
    assert asked <= known
    for game, question in known:
        same = {other for other, questions in QUESTIONS.items() if questions.get(question) == QUESTIONS[game][question]}
        assert any((other, question) in asked for other in same), (game, question)


def test_every_irregularity_is_documented_with_its_clause() -> None:
    """The two tables of cases list what the code knows, and nothing else."""
    documented = MINE.findall(DOCS.read_text("utf-8"))
    cases = [(name, case.rule) for cases in (PAI_GOW, CARIBBEAN) for name, case in cases.items()]
    assert [(name, rule.strip()) for name, rule in documented] == cases


def test_the_answer_is_printed_and_the_exit_code_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in, JSON out."""
    question, documented = EXAMPLES[0]
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(question))
    assert main(["showdown", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == documented


def test_a_dash_reads_standard_input() -> None:
    """As a whole process, with its exit codes."""
    command = [sys.executable, "-m", "cli.main", "showdown", "-"]
    question, documented = EXAMPLES[1]
    good = subprocess.run(command, input=json.dumps(question).encode(), capture_output=True, check=False)
    assert (good.returncode, json.loads(good.stdout), good.stderr) == (0, documented, b"")
    bad = subprocess.run(command, input=b"\xff", capture_output=True, check=False)
    assert (bad.returncode, bad.stderr) == (2, b"")
    assert json.loads(bad.stdout) == {"error": "is not UTF-8 text (byte 0)", "where": "input"}


def holdem(second: str, more: str = "") -> str:
    """A question about two players as text, the second one's entry as given."""
    first = '"1": {"cards": ["As", "Ad"], "paid_cents": 5}'
    return f'{{"game": "holdem", "community": ["2h", "3h", "5c", "8d", "Jc"], "players": {{{first}, {second}}}{more}}}'


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "input"),
        ("null", "input"),
        ("[]", "input"),
        ("{", "input"),
        ("[" * 100_000, "input"),
        ('{"game": NaN}', "input"),
        ("{}", "game"),
        ('{"game": ["holdem"]}', "game"),
        ('{"game": "bridge"}', "game"),
        ('{"game": "holdem", "question": "who"}', "question"),
        ('{"game": "holdem", "question": null}', "question"),
        ('{"game": "mambo-stud"}', "question"),
        ('{"game": "holdem"}', "input"),
        ('{"game": "holdem", "game": "holdem"}', "game"),
        (holdem('"1": {}'), "1"),
        (holdem('"2": {"cards": 5}'), "players.2.cards"),
        (holdem('"2": {"paid_cents": -1}'), "players.2.paid_cents"),
        (holdem('"2": {"paid_cents": 1.5}'), "players.2.paid_cents"),
        (holdem('"2": {"paid_cents": 1' + "0" * 5000 + "}"), "input"),
        (holdem('"2": {"paid": 1}'), "players.2"),
        (holdem('"two": {}'), "players"),
        (holdem('"12": {}'), "players"),
        (holdem('"02": {}'), "players"),
        (holdem('"\\ud800": {}'), "input"),
        (holdem('"2": {"cards": ["\\ud800"], "paid_cents": 5}'), "players.2.cards[0]"),
        (holdem('"2": {"cards": ["Ks", "Ad"], "paid_cents": 5}'), "players.2.cards[1]"),
        (
            holdem('"2": {"cards": ["Ks", "Kd"], "paid_cents": 5}', ', "options": {"chip_cents": 3}'),
            "options.chip_cents",
        ),
        (holdem('"2": {}', ', "kill": {"kind": "kill", "minimum_cents": 4, "times": 16}'), "kill.times"),
        (holdem('"2": {}', ', "pots": [{"amount_cents": 0, "seats": [1]}]'), "pots[0].amount_cents"),
        ('{"game": "pai-gow-poker", "question": "start", "dice": [1, 2, 7]}', "dice[2]"),
        ('{"game": "pai-gow-poker", "question": "start", "dice": [1, 2]}', "dice"),
    ],
)
def test_bad_input_is_one_object_with_error_and_where(
    text: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and nothing else on any stream."""
    file = tmp_path / "bad.json"
    file.write_text(text)
    assert main(["showdown", str(file)]) == 2
    streams = capsys.readouterr()
    told = json.loads(streams.out)
    assert (set(told), told["where"], streams.err) == ({"error", "where"}, where, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (holdem('"2": {"paid_cents": -1}'), "write a whole number of at least 0"),
        (holdem('"2": {"paid_cents": 1.5}'), "write a whole number, not a fraction"),
        (holdem('"2": {"cards": "Ks"}'), "write a list, not text"),
        (holdem('"2": {"paid": 1}'), "'paid' is not known here"),
        (holdem('"2": {}', ', "kill": {"kind": "kill", "times": 15}'), "'minimum_cents' is missing"),
        (holdem('"2": {}', ', "options": {"chip_cents": 3}'), "3 is none of the choices; the manual lists them"),
        ('{"game": "pai-gow-poker", "question": "start", "dice": [1, 2, 7]}', "write a whole number of at most 6"),
        ('{"game": "pai-gow-poker", "question": "start", "dice": [1, 2]}', "write 3 entries, not 2"),
    ],
)
def test_bad_input_is_told_in_words_that_a_dealer_understands(text: str, words: str) -> None:
    """No names of types, no signs of the reader's own."""
    fault = answer(text.encode())
    assert isinstance(fault, InputFault)
    assert fault.problem == words


def test_files_that_cannot_be_read_are_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, a folder, too long, or no name at all."""
    long = tmp_path / "long.json"
    long.write_bytes(b" " * (LARGEST_INPUT_BYTES + 1))
    for file in (str(tmp_path / "none.json"), str(tmp_path), str(long), "nul\0"):
        assert main(["showdown", file]) == 2
        assert set(json.loads(capsys.readouterr().out)) == {"error", "where"}


def test_standard_input_is_read_when_no_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same as a dash."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(EXAMPLES[0][0]).encode())))
    assert main(["showdown"]) == 0
    assert json.loads(capsys.readouterr().out) == EXAMPLES[0][1]


scalars: Final = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["As", "Jk", "1", "holdem"])
)
values: Final = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any, *, remove: bool) -> Any:
    """A copy of a JSON value with one place replaced or removed."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if remove and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = changed(value[path[0]], path[1:], new, remove=remove)
    return copy


def check_said(data: bytes) -> None:
    told = answer(data)
    assert isinstance(told, dict | InputFault)
    json.dumps({"error": told.problem, "where": told.where} if isinstance(told, InputFault) else told)
    assert isinstance(told, InputFault) or "error" not in told


@settings(deadline=None)
@given(
    data=st.binary(max_size=60)
    | st.text(max_size=60).map(str.encode)
    | values.map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_answered_or_refused(data: bytes) -> None:
    """No input raises."""
    check_said(data)


@settings(deadline=None, max_examples=400)
@given(data=st.data())
def test_any_change_to_a_good_question_is_answered_or_refused(data: st.DataObject) -> None:
    """One place of a documented question becomes anything, or vanishes; moved cards and seats come up, too."""
    question = data.draw(st.sampled_from([question for question, _ in EXAMPLES]))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(question)))
        question = changed(question, path, data.draw(values), remove=data.draw(st.booleans()))
    check_said(json.dumps(question).encode())
