"""The papers of a payment that the rack does not make (19:45-1.52): the cards lie until they are complete."""

from collections.abc import Sequence

import pytest

from games.round.effects import Light
from games.round.events import ClaimValidated, EndOfRoundPressed, HandClaimed, PapersCompleted, PayoutConfirmed
from games.round.outputs import outputs
from games.round.state import Phase
from tests.support.games.pit import FLUSH, ROYAL, STRAIGHT_FLUSH, PaperTable, table_rules

PARTS = {
    "texas-holdem-bonus": ("A", STRAIGHT_FLUSH, "house: rack and cage"),
    "caribbean-stud": ("base", ("5h", "6h", "7h", "8h", "9h"), "house: rack and cage"),
    "three-card-poker": ("A", ("As", "Ks", "Qs"), "20.13(e)"),
    "blackjack": ("base", ("As", "Ac", "As", "Ac"), "2.19(h)"),
    "pai-gow-poker": ("base", ("As", "Ks", "Qs", "Js", "Ts", "2h", "7d"), "11.9(l)"),
}


def paid_by_the_cage(name: str, pay_table: str, cards: Sequence[str]) -> PaperTable:
    """A part of the meter, paid at seat 3, whose papers nobody has done."""
    table = PaperTable(table_rules(pay_table, name=name, seats=3, decks=6 if name == "blackjack" else 1))
    table.deal(3)
    flop = ("Th", "Jh", "Qh") if name == "texas-holdem-bonus" else ()
    table.must(HandClaimed(3, tuple(cards), flop))
    table.fix(1_000_00)
    table.must(*([ClaimValidated(3, "Sue")] if table.claim(3).validation else []), PayoutConfirmed(3, "Dan"))
    return table


@pytest.mark.parametrize("name", PARTS)
def test_20_13_e_2_19_h_11_9_l_the_cards_stay_until_the_papers_are_done(name: str) -> None:
    """The round does not end before, the lamp asks for it, and then it ends (S-40, S-57, S-92)."""
    pay_table, cards, rule = PARTS[name]
    table = paid_by_the_cage(name, pay_table, cards)
    assert outputs(table.rules, table.state).lamp is Light.LOOK
    refused = table.refusal(EndOfRoundPressed())
    assert (refused.reason, refused.rule) == (
        "seat 3: keep its cards until the papers of its payment are complete, then say so",
        rule,
    )
    table.must(PapersCompleted(3, "Dan"))
    assert table.claim(3).papers_by == "Dan"
    table.must(EndOfRoundPressed())
    assert table.phase is Phase.ENDED


def test_20_13_e_2_19_h_11_9_l_what_the_rack_pays_needs_no_papers() -> None:
    """An amount, also one that comes off the meter, lets the cards go at once (S-40, S-57, S-92)."""
    table = PaperTable()
    table.deal(3)
    table.win(3, FLUSH)
    assert "needs papers" in table.refusal(PapersCompleted(3, "Dan")).reason
    table.must(EndOfRoundPressed())


def test_11_9_l_papers_are_done_once_and_after_the_payment() -> None:
    """Too early, twice, at a wrong seat and without a name are refused (S-92)."""
    table = PaperTable()
    table.deal(3)
    table.must(HandClaimed(3, ROYAL, ("Th", "Jh", "Qh")))
    assert "royal flush is not paid yet" in table.refusal(PapersCompleted(3, "Dan")).reason
    table.fix(5_000_00)
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert "say who you are" in table.refusal(PapersCompleted(3, " ")).reason
    assert "no seat 9" in table.refusal(PapersCompleted(9, "Dan")).reason
    table.must(PapersCompleted(3, "Dan"))
    assert "complete already" in table.refusal(PapersCompleted(3, "Dan")).reason
