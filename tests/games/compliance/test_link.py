"""What the rules forbid of a meter and of tables that share it."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.catalogue import GAMES
from games.compliance import GameOnLink, LinkCase, TableCase, joining_faults, link_faults, linked_faults, sign_fault
from games.compliance.offer import ProgressiveOffer, offer_of
from games.compliance.similarity import difference
from games.paytable import Fixed, Percent

HOLDEM = GameOnLink("texas-holdem-bonus", ("A",), (100,))
CARIBBEAN = GameOnLink("caribbean-stud", ("base",), (100,))
BLACKJACK = GameOnLink("blackjack", ("base",), (100,))


def three_card(table: str) -> GameOnLink:
    """Three card poker at $1 with this pay table."""
    return GameOnLink("three-card-poker", (table,), (100,))


def pai_gow(stake_cents: int) -> GameOnLink:
    """Pai gow poker with this stake."""
    return GameOnLink("pai-gow-poker", ("base",), (stake_cents,))


def link(*games: GameOnLink, rate_bp: int = 10_000, funded: int = 100_000_00, reset_rate_bp: int = 0) -> LinkCase:
    """A meter with these games, of ample terms if nothing else is said."""
    return LinkCase(rate_bp, funded, funded, games, tables=2, reset_rate_bp=reset_rate_bp)


def faults(case: LinkCase) -> set[tuple[str, object, str]]:
    """Key, value and clause of everything that is wrong."""
    return {(fault.key, fault.value, fault.rule) for fault in link_faults(case)}


def table(game: GameOnLink, *, sign: bool = False, decks: int | None = None) -> TableCase:
    """A table of that game."""
    return TableCase(game.game, game.pay_tables[0], game.stakes_cents[0], connection_sign=sign, decks=decks)


@pytest.mark.parametrize(
    ("game", "least", "rule"),
    [
        (HOLDEM, 7_000, "28.11(h)"),
        (CARIBBEAN, 7_000, "16.12(f)"),
        (BLACKJACK, 7_000, "2.19(i)"),
        (three_card("A"), 1_400, "20.13(f)"),
        (three_card("B"), 2_000, "20.13(f)"),
        (pai_gow(100), 2_100, "11.14(e)"),
        (pai_gow(500), 2_700, "11.14(e)"),
    ],
)
def test_a_rate_below_the_rules_is_a_fault(game: GameOnLink, least: int, rule: str) -> None:
    """70, 70, 70, 14 or 20, and 21 or 27 percent (S-25b, S-41, S-58, S-72, S-103)."""
    assert link_faults(link(game, rate_bp=least)) == ()
    assert faults(link(game, rate_bp=least - 1)) == {("rate_bp", least - 1, rule)}


@pytest.mark.parametrize(("game", "least"), [(BLACKJACK, 7_000), (three_card("A"), 1_400), (three_card("B"), 2_000)])
def test_20_13_f_2_19_i_the_reset_meter_counts_towards_the_rate(game: GameOnLink, least: int) -> None:
    """Meter and reset meter together (S-41, S-58)."""
    assert link_faults(link(game, rate_bp=least - 500, reset_rate_bp=500)) == ()
    (fault,) = link_faults(link(game, rate_bp=least - 500, reset_rate_bp=499))
    assert "meter and reset meter together" in fault.problem


@pytest.mark.parametrize(("game", "least"), [(HOLDEM, 7_000), (CARIBBEAN, 7_000), (pai_gow(100), 2_100)])
def test_elsewhere_the_meter_alone_must_reach_the_rate(game: GameOnLink, least: int) -> None:
    """These rules speak of the progressive meter only (S-25b, S-72, S-103)."""
    (fault,) = link_faults(link(game, rate_bp=least - 1, reset_rate_bp=5_000))
    assert fault.key == "rate_bp"


@pytest.mark.parametrize(
    ("game", "least", "rule"),
    [
        (three_card("A"), 1_000_00, "20.13(f)"),
        (BLACKJACK, 5_000_00, "2.19(i)"),
        (pai_gow(500), 10_000_00, "11.14(f)"),
    ],
)
def test_too_little_funded_at_first_or_at_a_reset_is_a_fault(game: GameOnLink, least: int, rule: str) -> None:
    """$1,000, $5,000 and $10,000, for the initial amount and for the reset amount (S-41, S-58, S-105)."""
    case = link(game, funded=least)
    assert link_faults(case) == ()
    assert faults(replace(case, base_cents=least - 1)) == {("base_cents", least - 1, rule)}
    assert faults(replace(case, reset_cents=least - 1)) == {("reset_cents", least - 1, rule)}


def test_28_11_h_16_12_f_no_least_amount_is_stated() -> None:
    """Hold 'em bonus and Caribbean stud leave it to the licensee (S-25b, S-72)."""
    assert link_faults(link(HOLDEM, CARIBBEAN, funded=0)) == ()


def test_1_39b_a_one_meter_serves_hold_em_and_caribbean() -> None:
    """Tables of different games may share a meter (S-3), for their prizes from it and the odds are the same (S-5)."""
    assert link_faults(link(HOLDEM, CARIBBEAN)) == ()


@pytest.mark.parametrize("name", ["A", "base"])
def test_28_11_g_table_a_or_no_lesser_hands_are_linked_to_caribbean(name: str) -> None:
    """Lesser hands may be paid by table A, or not at all (S-25a, S-6)."""
    one = replace(HOLDEM, pay_tables=(name,))
    assert link_faults(link(one, CARIBBEAN)) == ()
    assert linked_faults(table(one, sign=True), [table(CARIBBEAN)]) == ()


@pytest.mark.parametrize("name", ["B", "C", "D"])
def test_28_11_g_no_other_table_is_linked_to_caribbean(name: str) -> None:
    """Tables B, C and D are a fault on the link and at the table (S-25a, S-6)."""
    other = replace(HOLDEM, pay_tables=(name,))
    assert ("game[1].pay_tables", name, "28.11(g)") in faults(link(other, CARIBBEAN))
    found = linked_faults(table(other, sign=True), [table(CARIBBEAN)])
    assert ("pay_table", name, "28.11(g)") in {(fault.key, fault.value, fault.rule) for fault in found}
    assert link_faults(link(other)) == ()


@pytest.mark.parametrize("name", ["B", "C", "D"])
def test_1_39b_d_3_a_straight_from_the_meter_makes_tables_unlike(name: str) -> None:
    """Found by comparing what comes off the meter (S-5, S-6): A and base go together, B, C and D do too."""
    assert ("game[1].pay_tables", name, "1.39B(d)3") in faults(link(replace(HOLDEM, pay_tables=("A", name))))
    assert link_faults(link(replace(HOLDEM, pay_tables=("A", "base")))) == ()
    assert link_faults(link(replace(HOLDEM, pay_tables=("B", "C", "D")))) == ()


def test_16_12_e_the_table_before_the_amendment_is_not_linked() -> None:
    """Neither with others of its kind nor with hold 'em (S-70, S-71); alone on its meter it is lawful."""
    former = replace(CARIBBEAN, pay_tables=("pre_amendment",))
    expected = ("game[1].pay_tables", "pre_amendment", "16.12(e)")
    assert expected in faults(link(former))
    assert link_faults(replace(link(former), tables=1)) == ()
    found = faults(link(former, HOLDEM))
    assert expected in found
    assert ("game[2].pay_tables", "A", "1.39B(d)3") in found
    assert linked_faults(table(former), [table(former)])[0].rule == "16.12(e)"


def test_1_39b_d_3_one_and_five_dollars_are_unlike() -> None:
    """A wager of $5 would have the same meter for five times the money (S-31)."""
    mixed = GameOnLink("three-card-poker", ("A",), (100, 500))
    assert ("game[1].stakes_cents", 500, "1.39B(d)3") in faults(link(mixed))


def test_1_39b_d_3_three_card_tables_a_and_b_are_alike() -> None:
    """Only the whole meter comes off it, as often with either table (S-5); the rate is that of B."""
    both = GameOnLink("three-card-poker", ("A", "B"), (100,))
    assert link_faults(link(both, rate_bp=2_000)) == ()
    assert faults(link(both, rate_bp=1_999)) == {("rate_bp", 1_999, "20.13(f)")}


def test_1_39b_d_3_shoes_of_different_size_are_unlike() -> None:
    """The same prizes, but four aces of a color come at other odds from eight decks than from six (S-5)."""
    (fault,) = linked_faults(table(BLACKJACK, decks=8), [table(BLACKJACK, decks=6)])
    assert (fault.key, fault.value, fault.rule) == ("decks", 8, "1.39B(d)3")
    assert "once in 337,893" in fault.problem
    assert "once in 391,191" in fault.problem
    assert linked_faults(table(BLACKJACK, decks=6), [table(BLACKJACK)]) == ()


def _offers() -> list[ProgressiveOffer]:
    """Every lawful progressive wager of the catalogue."""
    cases = (
        TableCase(game.name, pay_table.name, pay_table.stake_cents)
        for game in GAMES.values()
        if game.progressive
        for pay_table in game.progressive.tables
    )
    return [offer for case in cases if (offer := offer_of(case))]


def test_1_39b_d_3_what_is_alike_is_computed_from_stakes_prizes_and_counts() -> None:
    """Of all pairs of the catalogue exactly these may share a meter (S-5)."""
    alike = {
        frozenset({f"{one.game.name} {one.table.name}", f"{other.game.name} {other.table.name}"})
        for one, other in combinations(_offers(), 2)
        if difference(one, other) is None
    }
    holdem, caribbean = "texas-holdem-bonus", "caribbean-stud base"
    assert alike == {
        frozenset({f"{holdem} base", f"{holdem} A"}),
        frozenset({f"{holdem} base", caribbean}),
        frozenset({f"{holdem} A", caribbean}),
        *(frozenset({f"{holdem} {one}", f"{holdem} {other}"}) for one, other in combinations("BCD", 2)),
        frozenset({"three-card-poker A", "three-card-poker B"}),
    }


@given(pair=st.lists(st.sampled_from(_offers()), min_size=2, max_size=2))
def test_likeness_goes_both_ways(pair: list[ProgressiveOffer]) -> None:
    """Each is like itself, and like another as the other is like it."""
    one, other = pair
    assert difference(one, one) is None
    assert (difference(one, other) is None) is (difference(other, one) is None)


def test_1_13g_h_1_13q_f_a_connection_needs_a_sign_at_both_tables() -> None:
    """Hold 'em and Caribbean on one meter, and nobody says so at the table (S-7)."""
    for game, other, rule in ((HOLDEM, CARIBBEAN, "1.13Q(f)"), (CARIBBEAN, HOLDEM, "1.13G(h)")):
        (fault,) = linked_faults(table(game), [table(other)])
        assert (fault.key, fault.value, fault.rule) == ("connection_sign", False, rule)
        assert linked_faults(table(game, sign=True), [table(other)]) == ()
        assert linked_faults(table(game), [table(game)]) == ()
        assert list(sign_fault(table(game), {game.game, other.game})) == [fault]


def test_a_sign_is_asked_for_when_the_meter_allows_the_other_game() -> None:
    """The other table may join at any time (S-7)."""
    (fault,) = linked_faults(table(HOLDEM), [], games=["caribbean-stud"])
    assert fault.rule == "1.13Q(f)"


def test_other_games_need_no_connection_sign() -> None:
    """1.13G(h) and 1.13Q(f) speak of these two games only."""
    assert list(sign_fault(table(BLACKJACK), {"texas-holdem-bonus", "caribbean-stud", "blackjack"})) == []


def test_raised_prizes_are_compared_too() -> None:
    """A house that pays $60 for a flush from the meter pays it at every table (S-5)."""
    more = replace(HOLDEM, pays={"flush": Fixed(60_00)})
    assert link_faults(link(more)) == ()
    assert ("game[2].pay_tables", "base", "1.39B(d)3") in faults(link(more, CARIBBEAN))
    assert link_faults(link(more, replace(CARIBBEAN, pays={"flush": Fixed(60_00)}))) == ()


def test_a_pay_below_the_listed_one_is_a_fault_of_the_link() -> None:
    """Once, whichever pay tables the link allows."""
    low = replace(HOLDEM, pay_tables=("A", "base"), pays={"flush": Fixed(1)})
    assert faults(link(low)) == {("game[1].pays.flush", "$0.01", "28.11(f)")}


def test_stakes_and_pay_tables_that_do_not_exist_are_faults() -> None:
    """By their place on the link."""
    strange = GameOnLink("texas-holdem-bonus", ("A", "Z"), (100, 250))
    assert faults(link(strange)) == {
        ("game[1].stakes_cents", 250, "28.6(c)"),
        ("game[1].pay_tables", "Z", "28.11(f)"),
    }
    (fault,) = link_faults(link(GameOnLink("roulette", ("A",), (100,))))
    assert (fault.key, fault.value) == ("game[1].name", "roulette")


def test_every_fault_of_a_link_is_found_at_once() -> None:
    """Rates, funding, stakes, pay tables and likeness of every game on it."""
    found = faults(
        LinkCase(
            1_000,
            10,
            10,
            (replace(HOLDEM, pay_tables=("B",)), replace(CARIBBEAN, pay_tables=("pre_amendment",)), pai_gow(500)),
            tables=3,
        )
    )
    assert {(key, rule) for key, _, rule in found} == {
        ("rate_bp", "28.11(h)"),
        ("rate_bp", "16.12(f)"),
        ("rate_bp", "11.14(e)"),
        ("base_cents", "11.14(f)"),
        ("reset_cents", "11.14(f)"),
        ("game[1].pay_tables", "28.11(g)"),
        ("game[2].pay_tables", "16.12(e)"),
        ("game[2].pay_tables", "1.39B(d)3"),
        ("game[3].stakes_cents", "1.39B(d)3"),
    }


@pytest.mark.parametrize(
    ("case", "key"),
    [
        (table(BLACKJACK), "game"),
        (replace(table(HOLDEM), pay_table="B"), "pay_table"),
        (replace(table(HOLDEM), stake_cents=500), "stake_cents"),
        (replace(table(HOLDEM), pays={"progressive": {"straight_flush": Percent(2_000)}}), "pays.progressive"),
    ],
)
def test_a_table_joins_only_a_link_that_was_set_up_for_it(case: TableCase, key: str) -> None:
    """Game, pay table, stake and raised prizes are the link's own (R20)."""
    (fault,) = joining_faults(case, link(HOLDEM))
    assert (fault.key, fault.rule) == (key, "1.39B(d)3")


def test_a_table_as_the_link_wants_it_joins() -> None:
    """The same raised prize on both sides is none to differ by; what does not come off the meter is the table's own."""
    assert joining_faults(table(HOLDEM), link(HOLDEM)) == ()
    pays = {"straight_flush": Percent(2_000)}
    raised = replace(table(HOLDEM), pays={"progressive": pays})
    assert joining_faults(raised, link(replace(HOLDEM, pays=pays))) == ()
