"""Rows of the rule book on what signs say."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.web.sign import sign_view
from controller.web.table_card import table_card
from games.catalogue import GAMES
from games.paytable import Fixed, PayTable, raised, words
from link.messages import VERSION, State
from tests.support.paper_floor import two_dealt_tables
from tests.support.pit import table_rules

TABLES = [
    pytest.param(game.name, table, id=f"{game.name}-{table.name}-{table.stake_cents}")
    for game in GAMES.values()
    if game.progressive
    for table in game.progressive.tables
]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_1_13q_e_2_a_sign_tells_every_winning_hand_and_what_it_pays(name: str, table: PayTable) -> None:
    """Each row of the pay table in force, none besides, in its order (S-11)."""
    rules = table_rules(table.name, name=name, stake_cents=table.stake_cents)
    card = table_card("T1", rules, lock_ends_round=False)
    assert [(row.hand, row.pay) for row in card.pays] == [(line.hand, words(line.pay)) for line in table.lines]


def test_1_13q_e_2_a_sign_tells_what_this_house_pays() -> None:
    """Raised pays are on the sign, for they are what is paid (S-11)."""
    rules = table_rules()
    rules = replace(rules, pay_table=raised(rules.pay_table, {"flush": Fixed(75_00)}))
    card = table_card("T1", rules, lock_ends_round=False)
    assert {row.hand: row.pay for row in card.pays}["flush"] == "$75"


async def test_1_13g_h_1_13q_f_the_sign_says_which_game_is_connected(tmp_path: Path) -> None:
    """As the meter tells it: every other game by its name, and nothing at a table that is alone (S-7)."""
    async with two_dealt_tables(tmp_path) as floor:
        assembly = floor.tables["T1"].assembly
        assert assembly is not None
        table, live = assembly.look(), assembly.web_server.sign()
    assert live.connected.startswith("This progressive is connected to other tables: ")
    games = ("texas-holdem-bonus", "caribbean-stud")
    both = State(VERSION, "demo", alive=True, tables=2, games=games)
    for mine, other in (games, reversed(games)):
        said = sign_view(replace(table, game=mine), both).connected
        assert f"of {GAMES[other].title}:" in said
        assert GAMES[mine].title not in said
    assert sign_view(table, replace(both, tables=1)).connected == ""


@pytest.mark.parametrize("pay_table", ["A", "B", "C", "D"])
def test_1_10a_b_6_the_sign_tells_the_odds_of_the_six_card_bonus(pay_table: str) -> None:
    """Those of the table that the house chose; a table that does not offer it is silent (S-46)."""
    wager = GAMES["three-card-poker"].wager("six_card_bonus")
    assert wager is not None
    table = wager.pay_table(pay_table, 100)
    assert table is not None
    rules = table_rules(name="three-card-poker", offers=("six_card_bonus",), side_tables={"six_card_bonus": table})
    card = table_card("T1", rules, lock_ends_round=False)
    (row,) = (each for each in card.wagers if each.name == "six_card_bonus")
    assert [(pay.hand, pay.pay) for pay in row.pays] == [(line.hand, words(line.pay)) for line in table.lines]
    assert row.pays[0].pay == "1000 to 1"
    silent = table_card("T1", table_rules(name="three-card-poker"), lock_ends_round=False)
    assert all(each.name != "six_card_bonus" for each in silent.wagers)
