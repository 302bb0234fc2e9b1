"""Rows of the rule book on who may join a link, asked of the meter itself."""

import pytest
from msgspec.structs import replace

from games.paytable import Pay, Percent
from meter.booking.admission import join_refusal
from meter.settings import AllowedGame, Link
from tests.support.meter.meter_bench import MemoryStore, MeterBench, envelope, hello, link, shown_after, straight_flush

HOLDEM = AllowedGame("texas-holdem-bonus", ("A",), (100,))
CARIBBEAN = AllowedGame("caribbean-stud", ("base",), (100,))


@pytest.fixture
def both() -> Link:
    """A link with hold 'em bonus and Caribbean stud."""
    return replace(link(), games=(HOLDEM, CARIBBEAN))


def test_1_39b_e_1_only_an_approved_configuration_joins() -> None:
    """Nothing goes on the floor that was not approved as it is (S-4, R98)."""
    guarded = replace(link(), approved=("5f2c",))
    assert join_refusal(guarded, hello(config_hash="5f2c"), None) is None
    for other in ("", "5f2d"):
        refusal = join_refusal(guarded, hello(config_hash=other), None)
        assert refusal is not None
        assert "approved" in refusal


@pytest.mark.parametrize(
    ("game", "pay_table", "rule"), [("texas-holdem-bonus", "A", "1.13Q(f)"), ("caribbean-stud", "base", "1.13G(h)")]
)
def test_1_13g_h_1_13q_f_a_table_joins_both_games_only_with_its_sign(
    both: Link, game: str, pay_table: str, rule: str
) -> None:
    """The meter asks each table for the sign, and names the clause (S-7)."""
    asked = hello(game=game, pay_table=pay_table)
    assert f"[{rule}]" in str(join_refusal(both, asked, None))
    assert join_refusal(both, replace(asked, connection_sign=True), None) is None


def test_1_39b_a_tables_of_both_games_join_one_meter(both: Link) -> None:
    """Each with its own pay table and the same stake (S-3)."""
    for game in both.games:
        asked = hello(game=game.name, pay_table=game.pay_tables[0], connection_sign=True)
        assert join_refusal(both, asked, None) is None


def test_28_11_g_a_table_with_pay_table_b_does_not_join_caribbean(both: Link) -> None:
    """The link allows table A alone (S-6, S-25a)."""
    refusal = join_refusal(both, hello(pay_table="B", connection_sign=True), None)
    assert refusal is not None
    assert "pay table B" in refusal


@pytest.mark.parametrize(
    ("agreed", "said", "words"),
    [(None, 0, ""), (None, 6, ""), (8, 8, ""), (None, 8, "from 6 deck(s), this table from 8"), (8, 0, "table from 6")],
)
def test_1_39b_d_3_a_shoe_with_other_odds_does_not_join(agreed: int | None, said: int, words: str) -> None:
    """Blackjack's odds hang on its decks: the link has one number of them, six unless it says otherwise (S-5) (R20)."""
    shoe = replace(link(), games=(AllowedGame("blackjack", ("base",), (100,), decks=agreed),))
    refusal = join_refusal(shoe, hello(game="blackjack", pay_table="base", decks=said), None)
    assert words in str(refusal) if words else refusal is None


RAISED = {"straight_flush": Percent(2_000)}


@pytest.mark.parametrize(
    ("agreed", "said", "words"),
    [
        ({}, {}, ""),
        (RAISED, {"straight_flush": "20 %"}, ""),
        ({}, {"straight_flush": "10 %"}, ""),
        (RAISED, {}, "for straight_flush the meter pays 10 % of the meter at this table and 20 % of the meter on the"),
        ({}, {"straight_flush": "20 %"}, "20 % of the meter at this table and 10 % of the meter on the link"),
        ({}, {"flush": 60_00}, "$60 at this table and $50 on the link"),
        (RAISED, {"straight_flush": "a fifth"}, "'a fifth' for straight_flush is no pay"),
    ],
)
def test_r20_a_table_that_pays_other_prizes_from_the_meter_does_not_join(
    agreed: dict[str, Pay], said: dict[str, int | str], words: str
) -> None:
    """Nobody finds out when somebody wins: what the house pays above the least is said and compared before (S-5)."""
    pot = replace(link(), games=(replace(HOLDEM, pays=agreed),))
    refusal = join_refusal(pot, hello(pays=said), None)
    assert words in str(refusal) if words else refusal is None


def test_r20_a_claim_is_judged_by_the_links_own_pays() -> None:
    """Where the link pays a straight flush 20 %, it fixes 20 %, and no claim of the rule's 10 %."""
    meter = MeterBench(MemoryStore(), replace(link(), games=(replace(HOLDEM, pays=RAISED),)))
    meter.say(hello(pays={"straight_flush": "20 %"}))
    meter.deal("T1")
    assert "pays straight_flush from the meter otherwise" in meter.reply(envelope(2, straight_flush())).refusal
    raised = replace(straight_flush(), percent_bp=2_000)
    assert meter.reply(envelope(2, raised)).awards[0].amount_cents == shown_after(1) // 5


def test_a_game_of_one_deck_is_dealt_from_one() -> None:
    """Hold 'em bonus from two decks is another game (S-5)."""
    assert join_refusal(link(), hello(decks=1), None) is None
    assert "from 1 deck(s)" in str(join_refusal(link(), hello(decks=2), None))
