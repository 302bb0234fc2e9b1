"""Rows of the rule book on what signs say."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from common.words import Words, read_catalogues
from controller.web.sign.card import SignCard, sign_card
from controller.web.sign.themes import DEFAULT, read_themes
from controller.web.sign.view import sign_view
from controller.web.sign.words import title
from controller.web.table_card import table_card
from games.catalogue import GAMES
from games.paytable import Fixed, Odds, Pay, PayTable, Percent, raised
from games.round.table_rules import TableRules
from link.messages import VERSION, State
from tests.support.games.pit import table_rules
from tests.support.table.paper_floor import two_dealt_tables

TABLES = [
    pytest.param(game.name, table, id=f"{game.name}-{table.name}-{table.stake_cents}")
    for game in GAMES.values()
    if game.progressive
    for table in game.progressive.tables
]


WORDS = Words(read_catalogues()[0]["en"], "sign", "USD")


def card_of(rules: TableRules) -> SignCard:
    """The sign's card in English."""
    return sign_card("T1", rules, WORDS, theme=read_themes(None)[0][DEFAULT], house="", logo="")


def told(card: SignCard, title: str = "Progressive") -> list[tuple[str, str]]:
    """The hands of one wager and what they win, with "and pair" said in full."""
    (block,) = (block for block in card.blocks if block.title == title)
    ends = ("", " and pair") if block.heads == ("alone", "with a pair") else ("",)
    cells = [(row.hand + end, row.cells[place].words) for row in block.rows for place, end in enumerate(ends)]
    return [(hand, words) for hand, words in cells if words != "–"]


def said(pay: Pay) -> str:
    match pay:
        case Percent(bp=bp):
            return "Jackpot" if bp == 10_000 else f"{bp // 100} %"
        case Fixed(cents=cents):
            return f"${cents // 100:,}"
        case Odds(to_one=odds):
            return f"{odds.numerator:,} to 1"


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_1_13q_e_2_a_sign_tells_every_winning_hand_and_what_it_pays(name: str, table: PayTable) -> None:
    """Each row of the pay table in force, and none besides (S-11)."""
    card = card_of(table_rules(table.name, name=name, stake_cents=table.stake_cents))
    pays = [(WORDS.hand(line.hand), said(line.pay)) for line in table.lines]
    assert sorted(told(card)) == sorted(pays)


def test_1_13q_e_2_a_sign_tells_what_this_house_pays() -> None:
    """Raised pays are on the sign, for they are what is paid (S-11)."""
    rules = table_rules()
    rules = replace(rules, pay_table=raised(rules.pay_table, {"flush": Fixed(75_00)}))
    assert dict(told(card_of(rules)))["Flush"] == "$75"


async def test_1_13g_h_1_13q_f_the_sign_says_which_game_is_connected(tmp_path: Path) -> None:
    """As the meter tells it: every other game by its name, and nothing at a table that is alone (S-7)."""
    async with two_dealt_tables(tmp_path) as floor:
        assembly = floor.tables["T1"].assembly
        assert assembly is not None
        table, live = assembly.look(), assembly.web_server.sign.view()
    assert live.linked.startswith("One jackpot with other tables here. Wagers at any of them raise it")
    games = ("texas-holdem-bonus", "caribbean-stud")
    both = State(VERSION, "demo", alive=True, tables=2, games=games)
    for mine, other in (games, reversed(games)):
        seen = sign_view(replace(table, game=mine), both, WORDS)
        for linked in (seen.linked, seen.linked_short):
            assert f"One jackpot with *{title(WORDS, GAMES[other])}*." in linked
            assert title(WORDS, GAMES[mine]) not in linked
    assert sign_view(table, replace(both, tables=1), WORDS).linked == ""


@pytest.mark.parametrize("pay_table", ["A", "B", "C", "D"])
def test_1_10a_b_6_the_sign_tells_the_odds_of_the_six_card_bonus(pay_table: str) -> None:
    """Those of the table that the house chose; a table that does not offer it is silent (S-46)."""
    wager = GAMES["three-card-poker"].wager("six_card_bonus")
    assert wager is not None
    table = wager.pay_table(pay_table, 100)
    assert table is not None
    rules = table_rules(name="three-card-poker", offers=("six_card_bonus",), side_tables={"six_card_bonus": table})
    rows = told(card_of(rules), "Six card bonus")
    assert rows == [(WORDS.hand(line.hand), said(line.pay)) for line in table.lines]
    assert rows[0][1] == "1,000 to 1"
    silent = card_of(table_rules(name="three-card-poker"))
    assert [block.title for block in silent.blocks] == ["Progressive"]


def test_11_16_d_11_18_d_sign_and_panel_tell_every_payout_limit_and_that_it_was_lowered() -> None:
    """Whom it binds and how far; a house without a limit tells none (S-117)."""
    limits = {"bonus_limit_cents": 40_000_00, "seven_card_bonus_limit_cents": 60_000_00}
    before = {"bonus_limit_cents": 50_000_00}
    rules = table_rules("base", name="pai-gow-poker", limits=limits, limits_before=before)
    assert card_of(rules).limits == (
        "Payout limit on bonus, envy, insurance: *$40,000* a player and round, lowered from $50,000.",
        "Payout limit on seven card bonus: *$60,000* a player and round.",
    )
    assert table_card("T1", rules, lock_ends_round=False).limits == (
        "Payout limit on bonus, envy, and insurance: $40,000 a player and round, lowered from $50,000 (11.16(d))",
        "Payout limit on seven card bonus: $60,000 a player and round (11.18(d))",
    )
    assert card_of(table_rules()).limits == ()


def test_16_12_d_the_sign_of_caribbean_stud_tells_the_limit_of_a_bet() -> None:
    """The dealer pays the bet; table and players read how much at most (S-69)."""
    rules = table_rules("base", name="caribbean-stud", limits={"bet_limit_cents": 5_000_00})
    assert card_of(rules).limits == ("Payout limit on bet: *$5,000* a player and round.",)
