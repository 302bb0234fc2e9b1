"""A table's settings for each game of the rule book: stakes, decks, seats, and who counts the chips."""

from pathlib import Path
from typing import Any

import pytest

from common.settings import SettingsError
from demo.table import bench_settings
from games.catalogue import GAMES
from games.game import Game
from games.paytable import words


def faults(folder: Path, **changes: Any) -> dict[str, tuple[str, str]]:
    """What is wrong with a bench table's settings, and by which clause."""
    with pytest.raises(SettingsError) as caught:
        bench_settings("T1", folder, **changes)
    return {fault.key: (fault.problem, fault.rule) for fault in caught.value.faults}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_can_be_dealt_with_every_pay_table_and_stake(game: Game, tmp_path: Path) -> None:
    """What the settings say is what the round asks."""
    assert game.progressive is not None
    for table in game.progressive.tables:
        part = {"game": game.name, "pay_table": table.name, "stake_cents": table.stake_cents}
        rules = bench_settings("T1", tmp_path, table=part).rules
        assert (rules.game, rules.pay_table, rules.stake_cents) == (game, table, table.stake_cents)
        assert rules.seats == tuple(range(1, game.most_seats + 1))
        assert rules.order == game.order


@pytest.mark.parametrize(
    ("game", "rule"),
    [
        ("texas-holdem-bonus", "28.7(b)"),
        ("caribbean-stud", "house: caribbean's wagers"),
        ("pai-gow-poker", "11.14(b)"),
    ],
)
def test_where_chips_come_from_a_return_device_nobody_counts_by_eye(game: str, rule: str, tmp_path: Path) -> None:
    """The rule names the device, so a table without one does not open."""
    assert GAMES[game].progressive is not None
    part = {"game": game, "pay_table": GAMES[game].progressive.pay_table_names[0]}  # type: ignore[union-attr]  # asserted
    found = faults(tmp_path, table=part, return_device={"kind": "by_eye"})
    assert found["return_device.kind"][1] == rule
    assert "cctalk or gpio" in found["return_device.kind"][0]


@pytest.mark.parametrize(("game", "pay_table"), [("three-card-poker", "A"), ("blackjack", "base")])
def test_where_the_count_comes_first_the_dealers_eye_will_do(game: str, pay_table: str, tmp_path: Path) -> None:
    """20.13(b) and 2.19(b) ask the dealer to verify, and name no device."""
    part = {"game": game, "pay_table": pay_table}
    rules = bench_settings("T1", tmp_path, table=part, return_device={"kind": "by_eye"}).rules
    assert (rules.by_eye, rules.order) == (True, "by_eye")


def test_by_eye_has_no_port_and_no_pin(tmp_path: Path) -> None:
    """What is not there is not set up."""
    part = {"game": "blackjack", "pay_table": "base"}
    found = faults(tmp_path, table=part, return_device={"kind": "by_eye", "port": "/dev/ttyUSB0"})
    assert "unknown key" in found["return_device.port"][0]


def test_20_10_c_the_house_says_in_which_order_it_settles(tmp_path: Path) -> None:
    """Player by player unless it says otherwise, and only as its game allows."""
    part = {"game": "three-card-poker", "pay_table": "B", "settlement": "procedure_by_procedure"}
    assert bench_settings("T1", tmp_path, table=part).rules.settlement == "procedure_by_procedure"
    assert bench_settings("T1", tmp_path).rules.settlement == "player_by_player"
    assert "player_by_player" in faults(tmp_path, table={"settlement": "procedure_by_procedure"})["table.settlement"][0]


@pytest.mark.parametrize(("decks", "expected"), [(None, 6), (2, 2), (8, 8)])
def test_a_shoe_has_as_many_decks_as_the_house_says(decks: int | None, expected: int, tmp_path: Path) -> None:
    """Six where it says nothing; every other game has one."""
    part: dict[str, Any] = {"game": "blackjack", "pay_table": "base"}
    if decks:
        part["decks"] = decks
    assert bench_settings("T1", tmp_path, table=part).rules.decks == expected
    assert bench_settings("T1", tmp_path).rules.decks == 1


def test_11_15_a_a_table_that_offers_the_bonus_wager_pays_envy_for_it(tmp_path: Path) -> None:
    """Where the house offers it, and only there."""
    part = {"game": "pai-gow-poker", "pay_table": "base"}
    assert bench_settings("T1", tmp_path, table=part).rules.envy is None
    assert bench_settings("T1", tmp_path, table={**part, "wagers": ["bonus"]}).rules.envy is not None


def test_2_18_f_the_round_of_a_multiple_action_table_knows_it(tmp_path: Path) -> None:
    """The progressive is settled with the first of the dealer's hands, and its payment cites that."""
    part = {"game": "blackjack", "pay_table": "base"}
    assert bench_settings("T1", tmp_path, table={**part, "dealer_hands": 3}).rules.choices == {"dealer_hands": "3"}
    assert bench_settings("T1", tmp_path, table=part).rules.choices == {}


def test_2_18_d_insurance_is_offered_where_the_house_says_what_it_pays(tmp_path: Path) -> None:
    """2.9 is not in our text; the third wager lies on every table of three hands."""
    part = {"game": "blackjack", "pay_table": "base", "dealer_hands": 3}
    assert bench_settings("T1", tmp_path, table=part).rules.offers == ("third_wager",)
    rules = bench_settings("T1", tmp_path, table={**part, "insurance_to_one": 2}).rules
    assert rules.offers == ("first_insurance", "second_insurance", "third_wager", "third_insurance")
    line = rules.tables["second_insurance"].line("ten_beside_ace")
    assert line is not None
    assert words(line.pay) == "2 to 1"
