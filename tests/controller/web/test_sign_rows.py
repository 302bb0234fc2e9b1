"""Rows of the rule book on what signs say."""

import pytest
from msgspec.structs import replace

from controller.web.table_card import table_card
from games.catalogue import GAMES
from games.paytable import Fixed, PayTable, raised, words
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
