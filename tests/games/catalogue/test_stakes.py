"""What a progressive wager may cost: one dollar, or one or five at the house's choice."""

from tests.support.games.wager_of import wager_of


def test_28_6_c_hold_em_bonus_takes_one_dollar() -> None:
    """A stake that the rule does not offer has no table (S-15)."""
    assert_one_dollar_only("texas-holdem-bonus")


def test_16_12_caribbean_takes_one_dollar() -> None:
    """Its amounts are those of the $1 wager that it shares with hold 'em bonus."""
    assert_one_dollar_only("caribbean-stud")


def test_2_19_a_blackjack_takes_one_dollar() -> None:
    """An additional one dollar wager."""
    assert_one_dollar_only("blackjack")


def assert_one_dollar_only(game: str) -> None:
    """There is a table for $1 and none for $5."""
    progressive = wager_of(game, "progressive")
    assert progressive.stakes == (100,)
    assert progressive.pay_table("base", 100) is not None
    assert progressive.pay_table("base", 500) is None


def test_20_13_a_three_card_takes_one_or_five_dollars() -> None:
    """At the discretion of the licensee."""
    assert wager_of("three-card-poker", "progressive").stakes == (100, 500)


def test_11_14_a_pai_gow_takes_one_or_five_dollars() -> None:
    """At the discretion of the licensee."""
    assert wager_of("pai-gow-poker", "progressive").stakes == (100, 500)
