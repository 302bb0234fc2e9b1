"""The counts against totals that anyone can look up or work out by hand."""

from math import comb, perm
from typing import Any

import pytest

from games.catalogue import GAMES
from games.odds.bets import Asked, Bet, find
from games.odds.hand_counts import count
from games.odds.par_sheet import ParSheet
from tests.support.games.wager_of import wager_of


def sheet(game: str, wager: str, pay_table: str | None = None, **asked: Any) -> ParSheet:
    bet = find(Asked(game, wager, pay_table, **asked))
    assert isinstance(bet, Bet)
    return bet.par_sheet()


def counts(par: ParSheet) -> dict[str, int]:
    return {row.line.hand: row.combinations for row in par.rows}


def test_28_11_f_g_five_cards() -> None:
    """The textbook frequencies of five-card hands, two cards and the flop being any five (S-25, S-25a)."""
    par = sheet("texas-holdem-bonus", "progressive", "A")
    assert par.total == 2_598_960
    assert counts(par) == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pair": 123_552,
    }
    assert par.nothing == 1_098_240 + 1_302_540


def test_16_12_e_caribbean_stud_breaks_even_where_everybody_says() -> None:
    """The known break-even of the $500, $100, $50 table: a meter just above $218,047.36 (S-71)."""
    assert sheet("caribbean-stud", "progressive").break_even_cents == 218_047_37


def test_20_11_a_4_three_cards() -> None:
    """The textbook frequencies of three-card hands, ace-king-queen suited being one of four spades (S-35)."""
    par = sheet("three-card-poker", "progressive", "A")
    assert par.total == 22_100
    assert counts(par) == {
        "akq_suited_spades": 1,
        "akq_suited_other": 3,
        "straight_flush": 44,
        "three_of_a_kind": 52,
        "straight": 720,
    }


def test_20_12a_six_cards() -> None:
    """The known frequencies of the best five of six cards."""
    par = sheet("three-card-poker", "six_card_bonus", "A")
    assert par.total == 20_358_520
    assert counts(par) == {
        "royal_flush": 188,
        "straight_flush": 1_656,
        "four_of_a_kind": 14_664,
        "full_house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three_of_a_kind": 732_160,
    }


def test_11_16_a_the_bonus_wager() -> None:
    """The known frequencies of the pai gow bonus hands, and its house edge of 7.77 %."""
    par = sheet("pai-gow-poker", "bonus")
    assert counts(par) == {
        "seven_card_straight_flush_no_joker": 32,
        "royal_flush_plus_royal_match": 72,
        "seven_card_straight_flush_with_joker": 196,
        "five_aces": 1_128,
        "royal_flush": 26_020,
        "straight_flush": 184_644,
        "four_of_a_kind": 307_472,
        "full_house": 4_188_528,
        "flush": 6_172_088,
        "three_of_a_kind": 7_672_500,
        "straight": 11_034_204,
    }
    assert round(10_000 * (1 - par.returns.fixed)) == 777


def test_11_3_f_2_ii_the_natural_match_is_rarer() -> None:
    """Four suits for the royal, three for ace and king, no joker: the other sixty are plain royals."""
    king_queen = counts(sheet("pai-gow-poker", "bonus"))
    ace_king = counts(sheet("pai-gow-poker", "bonus", options={"royal_match": "ace_king_natural"}))
    assert ace_king["royal_flush_plus_royal_match"] == 12
    assert ace_king["royal_flush"] == king_queen["royal_flush"] + 60


def test_11_14_d_five_aces_by_hand() -> None:
    """All aces and the joker leave two of 48 cards: 12 × 6 of those choices are pairs (S-101)."""
    par = counts(sheet("pai-gow-poker", "progressive"))
    assert (par["five_aces_and_pair"], par["five_aces"]) == (72, comb(48, 2) - 72)


def test_11_14_d_natural_royals_by_hand() -> None:
    """Four royals beside two of 48 cards: pairs of 8 ranks with four and of 5 with three cards, or joker and ace."""
    par = counts(sheet("pai-gow-poker", "progressive"))
    with_pair = 8 * comb(4, 2) + 5 * comb(3, 2) + 3
    assert par["natural_royal_flush_and_pair"] == 4 * with_pair
    assert par["natural_royal_flush"] == 4 * (comb(48, 2) - with_pair)


def test_11_18_b_three_cards_with_the_joker_by_hand() -> None:
    """Two cards beside the joker: 25 pairs of ranks lie within a straight of three."""
    par = sheet("pai-gow-poker", "three_card_bonus")
    assert par.total == comb(53, 3)
    assert counts(par) == {
        "straight_flush_no_joker": 48,
        "three_of_a_kind": 52 + comb(4, 2),
        "straight_flush_with_joker": 25 * 4,
        "straight": 720 + 25 * 12,
        "flush": 1_096 + (comb(13, 2) - 25) * 4,
        "one_pair": 3_744 + 12 * comb(4, 2) + (12 - 4) * 12,
    }


@pytest.mark.parametrize("decks", range(1, 9))
def test_2_19_c_aces_by_hand(decks: int) -> None:
    """Orders of four cards of so many decks, the player always drawing."""
    par = sheet("blackjack", "progressive", decks=decks)
    got, cards, aces = counts(par), 52 * decks, 4 * decks
    drawn = (cards - 2) * (cards - 3)
    one_color = 2 * perm(2 * decks, 4)
    assert par.total == perm(cards, 4)
    assert got["four_aces_same_color"] == one_color
    assert got["three_aces_same_suit"] == 4 * perm(decks, 3) * (cards - 3) - 4 * perm(decks, 3) * (2 * decks - 3)
    assert sum(got.values()) == perm(aces, 2) * drawn
    assert got["three_aces_any"] + got["three_aces_same_suit"] + one_color == perm(aces, 3) * (cards - 3)
    suited_pair_only = 4 * perm(decks, 2) * (cards - aces) * (cards - 3)
    assert got["two_aces_same_suit"] == suited_pair_only


@pytest.mark.parametrize(("game", "wager"), [(g, w.name) for g in GAMES for w in GAMES[g].wagers if count(g, w.name)])
def test_every_table_adds_up_to_every_hand(game: str, wager: str) -> None:
    """Paid and unpaid hands are all hands, on every pay table and at every stake; no row goes unnoticed."""
    value = wager_of(game, wager)
    for table in value.tables:
        par = sheet(game, wager, table.name, stake_cents=table.stake_cents or max(100, value.minimum_cents))
        assert par.total == sum(counts(par).values()) + par.nothing
        assert all(hands > 0 for hands in counts(par).values())
        assert tuple(counts(par)) == tuple(line.hand for line in table.lines)
