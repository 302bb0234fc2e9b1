"""The demo as a newcomer and as a script start it."""

import json
import socket
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from cli.main import main
from demo.configuration import ABOVE_MINIMUM_BP
from games.catalogue import GAMES

KEYS = {"seed", "rounds", "tables", "wagers", "coupons", "refusals", "payouts", "meter"}
METER_KEYS = {
    "base_cents",
    "in_cents",
    "contribution_cents",
    "carry",
    "deducted_cents",
    "refill_cents",
    "amount_cents",
}


def demo(*words: str) -> dict[str, Any]:
    """Runs the headless demo and reads the one object on its stdout."""
    ran = subprocess.run(
        [sys.executable, "-m", "cli.main", "demo", "--headless", "--json", *words],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    result = json.loads(ran.stdout)
    assert isinstance(result, dict)
    return result


def adds_up(result: dict[str, Any], rate_bp: int) -> bool:
    """Whether wagers, contributions, payouts and the meter are one account."""
    meter = result["meter"]
    contributed = meter["contribution_cents"] + Fraction(meter["carry"])
    explained = meter["base_cents"] + meter["contribution_cents"] - meter["deducted_cents"] + meter["refill_cents"]
    deducted = sum(payout["amount_cents"] for payout in result["payouts"] if payout["deducted"])
    return bool(
        contributed == Fraction(meter["in_cents"] * rate_bp, 10_000)
        and meter["amount_cents"] == explained
        and meter["deducted_cents"] == deducted
    )


def test_the_same_seed_gives_the_same_result_and_every_cent_adds_up() -> None:
    """Wagers, payouts and meter are one consistent account, and reproducible."""
    first = demo("--tables", "2", "--rounds", "15", "--seed", "5")
    assert set(first) == KEYS
    assert set(first["meter"]) == METER_KEYS
    meter = first["meter"]
    assert first["wagers"] > 100
    assert first["coupons"] > 0
    assert first["refusals"] > 0
    assert meter["in_cents"] == 100 * first["wagers"]
    assert adds_up(first, 7_000 + ABOVE_MINIMUM_BP)
    assert first["payouts"], "nobody won in thirty rounds"
    assert demo("--tables", "2", "--rounds", "15", "--seed", "5") == first


def test_without_mosquitto_the_demo_brings_its_own_broker() -> None:
    """No system package is needed: the broker from the wheel gives the same result for the same seed."""
    words = ("--tables", "1", "--rounds", "3", "--seed", "9")
    assert demo(*words, "--broker", "nats-server") == demo(*words, "--broker", "mosquitto")


@pytest.mark.parametrize(
    ("game", "stake"),
    [("caribbean-stud", 1), ("three-card-poker", 5), ("blackjack", 1), ("pai-gow-poker", 5)],
)
def test_every_game_is_dealt_to_the_end_and_adds_up(game: str, stake: int) -> None:
    """Each with its own cards, order of counting and payouts; the contract of the result is the same."""
    result = demo("--game", game, "--stake", str(stake), "--tables", "1", "--rounds", "8", "--seed", "3")
    assert set(result) == KEYS
    assert result["meter"]["in_cents"] == 100 * stake * result["wagers"] > 0
    assert (result["coupons"] > 0) == GAMES[game].coupons
    pay_table = "A" if game == "three-card-poker" else "base"
    assert adds_up(result, GAMES[game].minimum_rate_bp(pay_table, 100 * stake) + ABOVE_MINIMUM_BP)


@pytest.mark.parametrize(
    ("words", "hands"),
    [
        ("pai-gow-poker --wagers three_card_bonus,seven_card_bonus,insurance --rounds 12", {"one_pair", "king_high"}),
        ("pai-gow-poker --rounds 13", {"number", "ace_high"}),
        ("blackjack --dealer-hands 3 --rounds 3 --seed 4", {"ten_beside_ace"}),
        ("three-card-poker --rounds 14", {"full_house"}),
    ],
)
def test_every_side_wager_is_laid_and_settled(words: str, hands: set[str]) -> None:
    """Those of 11.17 with their stub counted, the drawn number, insurance beside an ace, the six card bonus."""
    result = demo("--tables", "1", "--seed", "7", "--game", *words.split())
    assert hands <= {payout["hand"] for payout in result["payouts"]}


def test_s_3_two_games_share_a_meter_where_the_rules_let_them() -> None:
    """1.39B(a): hold 'em bonus and caribbean stud at two tables, one pot."""
    result = demo("--game", "mixed", "--rounds", "6", "--seed", "5")
    assert result["tables"] == 2
    assert result["meter"]["in_cents"] == 100 * result["wagers"]
    assert adds_up(result, 7_000 + ABOVE_MINIMUM_BP)


@pytest.mark.parametrize(
    "words",
    [
        ("--tables", "0"),
        ("--rounds", "-1"),
        ("--pay-table", "Z"),
        ("--game", "bingo"),
        ("--stake", "5"),
        ("--tables", "1", "--game", "mixed"),
        ("--game", "three-card-poker", "--game", "blackjack"),
        ("--game", "caribbean-stud", "--pay-table", "pre_amendment"),
    ],
)
def test_bad_arguments_end_with_2_and_a_reason(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer's typing error gets a sentence, not a traceback."""
    code: int | str | None
    try:
        code = main(["demo", "--headless", *words])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert words[0] in capsys.readouterr().err


def test_the_readable_result_is_an_account() -> None:
    """Without --json a person can read where the meter stands and why."""
    ran = subprocess.run(
        [sys.executable, "-m", "cli.main", "demo", "--headless", "--tables", "1", "--rounds", "2"],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert "1 table, 2 rounds each, seed 1" in ran.stdout
    assert "= base $10,000 + contributions" in ran.stdout


def test_a_port_that_is_taken_is_named_and_nothing_else_is_said() -> None:
    """One sentence with what to do; no traceback, no open session."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        ran = start_interactive("--port", str(port), "--tables", "1")
    assert (ran.returncode, ran.stderr) == (3, f"port {port} is taken; choose another with --port\n")


def test_a_port_that_cannot_be_is_refused_like_any_number() -> None:
    """argparse says which there are."""
    ran = start_interactive("--port", "99999")
    assert ran.returncode == 2
    assert "99999 will not do; write a number from 1 to 65535" in ran.stderr


def start_interactive(*words: str) -> subprocess.CompletedProcess[str]:
    """The demo of a browser, which ends by itself where it cannot begin."""
    command = [sys.executable, "-m", "cli.main", "demo", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
