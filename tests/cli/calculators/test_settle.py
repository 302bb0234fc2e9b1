"""pitlink settle: its contract, its manual executed, and no input whatever that fails otherwise than by one object."""

import copy
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.calculators.json_input import LARGEST_INPUT_BYTES, BadJson
from cli.calculators.settle import settled
from cli.main import main
from games.catalogue import GAMES

MANUAL = Path(__file__).parents[3] / "docs" / "settle.md"
BLOCKS = [
    json.loads(block) for block in re.findall(r"```json\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
]
EXAMPLES = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))
ROUND: dict[str, Any] = EXAMPLES[0][0]


def answer(told: Any) -> dict[str, Any]:
    """What the command would print for this JSON value."""
    text = told if isinstance(told, bytes) else json.dumps(told).encode()
    try:
        return settled(text)
    except BadJson as bad:
        return {"error": bad.problem, "where": bad.where}


def changed(**entries: Any) -> dict[str, Any]:
    """The manual's first round with some keys said otherwise."""
    return ROUND | entries


def with_seat(**entries: Any) -> dict[str, Any]:
    """The manual's first round with seat 3 said otherwise."""
    told = copy.deepcopy(ROUND)
    told["seats"]["3"] |= entries
    return told


@pytest.mark.parametrize(("told", "expected"), EXAMPLES)
def test_every_example_of_the_manual_is_answered_as_printed(told: Any, expected: Any) -> None:
    """The manual is executed."""
    assert answer(told) == expected


def test_the_manual_names_every_irregularity_option_wager_and_pay_table() -> None:
    """Nothing that the program accepts is undocumented."""
    manual = MANUAL.read_text(encoding="utf-8")
    for game in GAMES.values():
        options = [option for option in game.options if option.settles]
        words = [game.name, *(wager.name for wager in game.wagers), *(option.name for option in options)]
        words += [choice for option in options for choice in option.choices if not choice.isdigit()]
        words += [cap.option for cap in game.caps if any(game.wager(name) for name in cap.wagers)]
        words += [name for wager in game.wagers for name in wager.pay_table_names if name not in "BCDE"]
        words += list(game.settlement)
        assert [word for word in words if f"`{word}`" not in manual] == []
        rows = [f"| `{case.name}` | {case.rule} |" for case in game.irregularities]
        assert [row for row in rows if row not in manual] == []


def test_the_command_reads_a_file_and_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0, and the settlement on standard output."""
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND), encoding="utf-8")
    assert main(["settle", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == EXAMPLES[0][1]


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_one_object_and_exit_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file, a directory."""
    assert main(["settle", str(tmp_path / name)]) == 2
    assert set(json.loads(capsys.readouterr().out)) == {"error", "where"}


def test_the_command_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With - and without an argument."""
    for words in (["settle", "-"], ["settle"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(ROUND).encode())))
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out) == EXAMPLES[0][1]


def test_the_installed_command_fails_with_one_object_and_no_traceback() -> None:
    """As a process: exit code 2, one line on standard output, nothing on standard error."""
    program = [sys.executable, "-m", "cli.main", "settle", "-"]
    done = subprocess.run(program, input=b"\xff{]", capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert set(json.loads(done.stdout)) == {"error", "where"}
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("told", "where"),
    [
        (b"", "input"),
        (b"{", "input"),
        (b"\xff", "input"),
        (b"[" * 100_000, "input"),
        (b'{"game": NaN}', "input"),
        (b'{"game": 1' + b"0" * 5_000 + b"}", "input"),
        (b'{"game": "blackjack", "game": "blackjack"}', "game"),
        ([], "input"),
        ({}, "game"),
        (changed(game="roulette"), "game"),
        (changed(game=["blackjack"]), "game"),
        (changed(table=1), "table"),
        (changed(stake_cents=500), "stake_cents"),
        (changed(stake_cents=100.0), "stake_cents"),
        (changed(stake_cents=True), "stake_cents"),
        (changed(pay_table="E"), "pay_table"),
        (changed(pay_table=["A"]), "pay_table"),
        (changed(options=[]), "options"),
        (changed(options={"decks": 2}), "options.decks"),
        (changed(options={"wheel": "lowest"}), "options.wheel"),
        (changed(options={"settlement": "procedure_by_procedure"}), "options.settlement"),
        (changed(options={"pay_tables": {"progressive": "E"}}), "options.pay_tables.progressive"),
        (changed(options={"pay_tables": {"ante": "A"}}), "options.pay_tables.ante"),
        (changed(options={"pays": {"ante": {}}}), "options.pays.ante"),
        (changed(options={"pays": {"progressive": 5}}), "options.pays.progressive"),
        (changed(options={"pays": {"progressive": {"one_pair": 5}}}), "options.pays.progressive.one_pair"),
        (changed(options={"pays": {"progressive": {"flush": "much"}}}), "options.pays.progressive.flush"),
        (changed(options={"pays": {"progressive": {"flush": 4_900}}}), "options.pays.progressive.flush"),
        (changed(options={"pays": {"progressive": {"straight": 1_100}}}), "options.pays.progressive.straight"),
        (changed(meter=None), "meter.amount_cents"),
        (changed(meter={"amount_cents": 5}), "meter.reset_cents"),
        (changed(meter={"amount_cents": -1, "reset_cents": 0}), "meter.amount_cents"),
        (changed(meter={"amount_cents": 10**13, "reset_cents": 0}), "meter.amount_cents"),
        (changed(meter={"amount_cents": "5", "reset_cents": 0}), "meter.amount_cents"),
        (changed(seats=None), "seats"),
        (changed(seats=[]), "seats"),
        (changed(seats={"0": {}}), "seats"),
        (changed(seats={"03": {}}), "seats"),
        (changed(seats={"٣": {}}), "seats"),
        (changed(seats={"8": {}}), "seats.8"),
        (changed(seats={"3": []}), "seats.3"),
        (changed(community="Ts Js Qs"), "community"),
        (changed(community=["Ts", "Js", "1s"]), "community[2]"),
        (changed(community=["Ts", "Js", None]), "community"),
        (changed(community=["Ts", "Js"]), "community"),
        (changed(dealer=["2c", "3c", "4c"]), "dealer"),
        (EXAMPLES[2][0] | {"community": ["2c", "3c", "4c"]}, "community"),
        (changed(irregularity="fire"), "irregularity"),
        (changed(irregularity="28.12(b)"), "irregularity"),
        (changed(irregularity=7), "irregularity"),
        (changed(irregularity={"name": "misdeal_at_seats", "seats": "3"}), "irregularity.seats"),
        (changed(irregularity={"name": "misdeal_at_seats", "seats": [True]}), "irregularity.seats"),
        (changed(irregularity={"name": "misdeal_at_seats", "seats": [4]}), "irregularity.seats"),
        (with_seat(wagers=["ante", "ante"]), "seats.3.wagers"),
        (with_seat(wagers=["ante", "envy"]), "seats.3.wagers"),
        (with_seat(wagers=["ante", "pair_plus"]), "seats.3.wagers"),
        (with_seat(wagers="ante"), "seats.3.wagers"),
        (with_seat(wagers=["progressive"]), "seats.3.wagers"),
        (with_seat(amounts={"bonus": 5}), "seats.3.amounts.bonus"),
        (with_seat(amounts={"progressive": 500}), "seats.3.amounts.progressive"),
        (with_seat(amounts={"ante": 0}), "seats.3.amounts.ante"),
        (with_seat(folded="no"), "seats.3.folded"),
        (with_seat(coupon=1), "seats.3.coupon"),
        (with_seat(cards=["8s", "As"]), "seats.5.cards[0]"),
        (with_seat(cards=["8s", "8s"]), "seats.3.cards[1]"),
        (with_seat(cards=["8s", "Jk"]), "seats.3.cards[1]"),
        (with_seat(cards=["8s"]), "seats.3.cards"),
        (with_seat(displayed_cents=100), "seats.3.displayed_cents"),
        (with_seat(numbers={"8": 100}), "seats.3.numbers.8"),
        (with_seat(numbers={"3": 100}), "seats.3.numbers"),
        (with_seat(seat=3), "seats.3.seat"),
        (with_seat(player=""), "seats.3.player"),
        (with_seat(player=3), "seats.3.player"),
    ],
)
def test_bad_input_is_refused_where_it_is_bad(told: Any, where: str) -> None:
    """One thing wrong, one object that says where."""
    assert answer(told).get("where") == where


def test_an_input_beyond_all_reason_is_refused_by_its_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A megabyte is no round."""
    file = tmp_path / "long.json"
    file.write_bytes(b" " * (LARGEST_INPUT_BYTES + 1))
    assert main(["settle", str(file)]) == 2
    assert "longer" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("name", [None, "", "base", "A"])
@pytest.mark.parametrize("game", ["caribbean-stud", "blackjack", "pai-gow-poker"])
def test_a_game_without_lettered_tables_takes_its_one_table_by_any_of_its_names(game: str, name: str | None) -> None:
    """Left out, base, or the first letter."""
    base = {"pai-gow-poker": "pai_gow", "blackjack": "blackjack"}.get(game, "ante")
    words = ["2s", "4s", "6s", "8s", "Ts", "Kh", "Qd"][: GAMES[game].hand_size]
    seats = {"1": {"wagers": [base, "progressive"], "cards": words}}
    told = {"game": game, "pay_table": name, "meter": {"amount_cents": 1, "reset_cents": 1}, "seats": seats}
    assert "payments" in answer(told)


def test_a_pay_table_for_the_whole_round_reaches_side_wagers_that_have_it_and_options_reach_single_ones() -> None:
    """pay_table D is a table of the 6 card bonus only; options.pay_tables goes first."""
    told: dict[str, Any] = {
        "game": "three-card-poker",
        "pay_table": "D",
        "seats": {"1": {"wagers": ["pair_plus", "six_card_bonus"], "cards": ["9s", "9h", "9d"]}},
        "dealer": ["2c", "5d", "Kh"],
    }
    assert answer(told)["payments"][0]["amount_cents"] == 700
    assert answer(told | {"options": {"pay_tables": {"six_card_bonus": "C"}}})["payments"][0]["amount_cents"] == 800
    told |= {"meter": {"amount_cents": 1, "reset_cents": 1}}
    told["seats"]["1"]["wagers"].append("progressive")
    assert answer(told)["where"] == "pay_table"


def test_the_table_of_the_progressive_wager_may_be_said_where_nobody_made_that_wager() -> None:
    """It is the table's, whoever wagers on it in this round; the insurance has its own."""
    seats = {"1": {"wagers": ["pai_gow", "insurance"], "cards": ["9s", "8d", "7s", "5s", "4h", "3d", "2c"]}}
    told = {"game": "pai-gow-poker", "pay_table": "base", "seats": seats}
    assert answer(told)["payments"][0]["amount_cents"] == 40_000
    assert answer(told | {"pay_table": "C"})["payments"][0]["amount_cents"] == 10_000
    assert answer(told | {"pay_table": "Z"})["error"] == "'Z' where one of A, B, C, D, E, base belongs"


def test_28_11_f_a_house_that_pays_more_than_the_least_is_settled_by_what_it_pays() -> None:
    """A part of the meter, an amount, or odds; never less, and never otherwise where the rule names the pay (S-25)."""
    told = changed(options={"pays": {"progressive": {"straight_flush": "12.5 %", "flush": 6_000}}})
    assert [line["amount_cents"] for line in answer(told)["payments"]] == [1_250_000, 8_750_000]
    told = changed(options={"pays": {"progressive": {"flush": 4_900}}})
    assert answer(told)["error"] == "$49 is too little; pay at least $50 [28.11(f)]"


def test_11_13_b_6_a_layout_may_print_any_odds_from_5_1_2_to_6() -> None:
    """5 3/4 to 1 on $5 is $28.75, paid as $28; 7 to 1 is beyond the rule (S-97)."""
    seats = {"1": {"wagers": ["pai_gow", "number"], "numbers": {"3": 500}}}
    told: dict[str, Any] = {"game": "pai-gow-poker", "seats": seats}
    told["options"] = {"number_drawn": 3, "pays": {"number": {"number": "5 3/4 to 1"}}}
    assert answer(told)["payments"][0]["amount_cents"] == 2_800
    told["options"]["pays"]["number"]["number"] = "7 to 1"
    assert answer(told)["error"] == "7 to 1 is too much; pay at most 6 to 1 [11.13(b)6]"


@pytest.mark.parametrize("word", ["28.12(a)", "19:47-28.12(a)", "dealer_card_exposed"])
def test_an_irregularity_is_known_by_its_name_and_by_a_clause_that_has_only_one(word: str) -> None:
    """The progressive is settled all the same."""
    assert len(answer(changed(irregularity=word))["payments"]) == 2


def test_28_12_b_2_who_names_the_clause_is_offered_the_case_that_settles_the_progressive_too() -> None:
    """Cards found face up after the deal of two are a point of the same clause, and not a refund (S-25d)."""
    told = answer(changed(irregularity="28.12(b)"))
    assert "several_cards_face_up_before_two_cards [28.12(b)]" in told["error"]
    assert "several_cards_face_up_after_two_cards [28.12(b)2]" in told["error"]
    assert "misdeal" not in told["error"]


def test_naming_seats_tells_the_cases_of_a_clause_apart() -> None:
    """16.13(d) has three cases, of which one concerns a seat."""
    told, expected = EXAMPLES[2]
    by_clause = told | {"irregularity": {"name": "16.13(d)", "seats": [3]}}
    assert answer(by_clause) == expected
    assert answer(told | {"irregularity": "16.13(d)"})["where"] == "irregularity"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["As", "progressive", "3"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


@given(
    st.binary(max_size=200) | st.text(max_size=100).map(str.encode) | JSON.map(lambda told: json.dumps(told).encode())
)
@settings(deadline=None)
def test_no_bytes_whatever_are_answered_otherwise_than_by_one_object(text: bytes) -> None:
    """Fuzzed from nothing: always error and where."""
    assert set(answer(text)) == {"error", "where"}


@given(st.data())
@settings(max_examples=600, deadline=None)
def test_a_round_with_one_place_changed_is_settled_or_refused_and_nothing_else(data: st.DataObject) -> None:
    """Fuzzed from the manual's rounds: any value at any place, or a key more."""
    told = copy.deepcopy(data.draw(st.sampled_from([told for told, _ in EXAMPLES])))
    path = data.draw(st.sampled_from(places(told)))
    instead = data.draw(JSON)
    if not path:
        told |= {data.draw(st.sampled_from(sorted(ROUND))): instead}
    else:
        inner = told
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = instead
    result = answer(told)
    assert set(result) in ({"error", "where"}, {"payments", "refunds", "meter", "cards_held", "meter_after_each"})
    assert json.loads(json.dumps(result)) == result
