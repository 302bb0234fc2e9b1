"""What each game says of itself, clause by clause."""

from itertools import combinations

import pytest
from hypothesis import given

from games.cards import ACE, JOKER, Card
from games.catalogue import GAMES, game
from games.catalogue.blackjack import MULTIPLE_ACTION
from games.game import NOTHING, Game, Wager
from games.paytable import Fixed, Percent
from games.ranking import HIGH_HANDS
from games.settlement.till import worth
from tests.support.games.card_hands import hand, hands
from tests.support.games.slow_ranking import best, kinds_of_pai_gow_five
from tests.support.games.wager_of import wager_of

RULE_FIELDS = (
    "most_seats",
    "hand_size",
    "fewest_cards",
    "order",
    "settlement",
    "minimum_rates",
    "minimum_reset_cents",
    "shares_whole_meter",
    "coupons",
    "validates",
    "percentages_from",
    "amounts_from",
)


def progressive(name: str) -> Wager:
    """A game's progressive wager."""
    found = GAMES[name].progressive
    assert found is not None
    return found


@pytest.mark.parametrize("each", GAMES.values(), ids=list(GAMES))
def test_every_field_that_states_a_rule_names_its_clause(each: Game) -> None:
    """A clause of the text, or the house's own reading, said so."""
    assert all(each.clauses[field] for field in RULE_FIELDS)
    assert all(wager.rule and wager.fold.rule for wager in each.wagers)
    assert all(wager.needs.rule for wager in each.wagers if wager.needs)
    rules = (each.minimum_rates, each.exclusions, each.caps, each.irregularities, each.options)
    assert all(value.rule for values in rules for value in values)


def test_every_game_has_a_shortest_round() -> None:
    """Both hands dealt, and the cards in the middle: between two seconds and a quarter of a minute, never nothing."""
    shortest = {name: game.shortest_round_ms for name, game in GAMES.items()}
    assert shortest == {
        "blackjack": 2_000,
        "caribbean-stud": 5_000,
        "pai-gow-poker": 7_000,
        "texas-holdem-bonus": 4_500,
        "three-card-poker": 3_000,
    }
    assert all(game.fewest_cards >= 2 * game.hand_size for game in GAMES.values())


@pytest.mark.parametrize("each", GAMES.values(), ids=list(GAMES))
def test_what_a_game_refers_to_exists(each: Game) -> None:
    """Prerequisites, folds, settlement steps and exclusions name wagers of the game, and each is settled somewhere."""
    names = {wager.name for wager in each.wagers}
    assert {name for wager in each.wagers if wager.needs for name in wager.needs.any_of} <= names
    assert {wager.fold.folds for wager in each.wagers} - {""} <= names
    assert {name for pair in each.exclusions for name in pair.one | pair.other} <= names
    chosen = {wager.name for added in MULTIPLE_ACTION.values() for wager in added}  # by the house's dealer_hands
    paying = {wager.name for wager in each.wagers if wager.tables}
    for tours in each.settlement.values():
        steps = [step.wager for tour in tours for step in tour.steps]
        assert paying <= set(steps) <= names | chosen


def test_the_catalogue_knows_the_five_games_and_no_other() -> None:
    """Names are those of the command line."""
    assert set(GAMES) == {"texas-holdem-bonus", "caribbean-stud", "three-card-poker", "blackjack", "pai-gow-poker"}
    assert game("roulette") is None


def test_28_7_b_hold_em_bonus_locks_then_counts() -> None:
    """Lock-out first, then the chips are counted against the lights."""
    assert GAMES["texas-holdem-bonus"].order == GAMES["caribbean-stud"].order == "lock_then_count"


def test_11_14_b_pai_gow_locks_then_counts() -> None:
    """Lock-out first, then the chips are counted against the lights."""
    assert GAMES["pai-gow-poker"].order == "lock_then_count"


def test_20_13_b_three_card_counts_then_closes_the_betting() -> None:
    """Chips are counted, then no more bets are taken, then the meter moves (S-33)."""
    assert GAMES["three-card-poker"].order == "count_then_lock"


def test_2_19_b_blackjack_counts_then_closes_the_betting() -> None:
    """Chips are counted, then no more bets are taken, then the meter moves (S-53, S-62)."""
    assert GAMES["blackjack"].order == "count_then_lock"


def test_28_11_h_hold_em_bonus_moves_its_meter_by_70_percent_at_least() -> None:
    """No least reset amount is stated."""
    assert GAMES["texas-holdem-bonus"].minimum_rate_bp("A", 100) == 7_000
    assert GAMES["texas-holdem-bonus"].minimum_reset_cents == 0
    assert not GAMES["texas-holdem-bonus"].rate_combines_reset_meter


def test_16_12_f_caribbean_moves_its_meter_by_70_percent_at_least() -> None:
    """No least reset amount is stated."""
    assert GAMES["caribbean-stud"].minimum_rate_bp("base", 100) == 7_000
    assert GAMES["caribbean-stud"].minimum_reset_cents == 0
    assert not GAMES["caribbean-stud"].rate_combines_reset_meter


def test_20_13_f_three_card_moves_its_meters_by_14_or_20_percent_from_1000_dollars() -> None:
    """By pay table, whatever the stake; the reset meter counts towards the rate."""
    three_card = GAMES["three-card-poker"]
    assert [three_card.minimum_rate_bp("A", stake) for stake in (100, 500)] == [1_400, 1_400]
    assert [three_card.minimum_rate_bp("B", stake) for stake in (100, 500)] == [2_000, 2_000]
    assert three_card.minimum_reset_cents == 100_000
    assert three_card.rate_combines_reset_meter


def test_2_19_i_blackjack_moves_its_meters_by_70_percent_from_5000_dollars() -> None:
    """The reset meter counts towards the rate."""
    assert GAMES["blackjack"].minimum_rate_bp("base", 100) == 7_000
    assert GAMES["blackjack"].minimum_reset_cents == 500_000
    assert GAMES["blackjack"].rate_combines_reset_meter


def test_11_14_e_pai_gow_moves_its_meter_by_21_or_27_percent() -> None:
    """By stake, and by the meter alone (S-103)."""
    assert GAMES["pai-gow-poker"].minimum_rate_bp("base", 100) == 2_100
    assert GAMES["pai-gow-poker"].minimum_rate_bp("base", 500) == 2_700
    assert not GAMES["pai-gow-poker"].rate_combines_reset_meter


def test_11_14_f_pai_gow_starts_from_10000_dollars() -> None:
    """The part that the licensee funds."""
    assert GAMES["pai-gow-poker"].minimum_reset_cents == 1_000_000


def test_1_13q_a_hold_em_bonus_has_at_most_seven_seats() -> None:
    """Seven positions after the amendment."""
    assert GAMES["texas-holdem-bonus"].most_seats == 7


def test_11_8c_b_3_pai_gow_has_six_seats() -> None:
    """Seven hands are six players and the dealer."""
    assert GAMES["pai-gow-poker"].most_seats == 6


def carriers(name: str) -> tuple[str, ...]:
    """The wagers of which one must lie beside the progressive."""
    needs = progressive(name).needs
    assert needs is not None
    return needs.any_of


def test_28_6_c_hold_em_bonus_needs_an_ante() -> None:
    """Upon placing an ante wager; caribbean stud alike (S-15)."""
    assert carriers("texas-holdem-bonus") == carriers("caribbean-stud") == ("ante",)


def test_20_6_a_4_three_card_needs_an_ante_or_pair_plus() -> None:
    """Either of them (S-32)."""
    assert carriers("three-card-poker") == ("ante", "pair_plus")


def test_2_19_f_blackjack_needs_a_blackjack_wager() -> None:
    """Nothing else carries the progressive."""
    assert carriers("blackjack") == ("blackjack",)


def test_11_7_d_pai_gow_needs_a_pai_gow_wager() -> None:
    """Nothing else carries the progressive."""
    assert carriers("pai-gow-poker") == ("pai_gow",)


def test_28_10_a_2_hold_em_bonus_outlives_a_fold() -> None:
    """The ante is lost, the progressive is not; caribbean stud alike."""
    assert progressive("texas-holdem-bonus").fold.effect == progressive("caribbean-stud").fold.effect == "lives"
    assert wager_of("texas-holdem-bonus", "ante").fold.effect == "forfeits"


def test_20_10_b_three_card_is_forfeited_by_a_fold_but_for_the_envy_bonus() -> None:
    """Ante and progressive go, envy stays."""
    assert progressive("three-card-poker").fold.effect == "forfeits"
    assert wager_of("three-card-poker", "envy").fold.effect == "lives"


def test_20_10_b_1_a_fold_leaves_the_six_card_bonus() -> None:
    """Ante and pair plus go, the 6 card bonus stays."""
    assert wager_of("three-card-poker", "six_card_bonus").fold.effect == "lives"
    assert wager_of("three-card-poker", "pair_plus").fold.effect == "forfeits"


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("As 2d 3c 4h 5s 9d", "straight"),
        ("Td Js Qc Kh As 4d", "straight"),
        ("As 2s 3s 4s 5s 9d", "straight_flush"),
        ("Ts Js Qs Ks As 4d", "royal_flush"),
        ("Qs Kd Ac 2h 3s 9d", NOTHING),
    ],
)
def test_20_12a_a_2_6_ace_to_five_is_a_straight_as_ten_to_ace_is(cards: str, made: str) -> None:
    """Both ends count, and nothing goes around the ace (S-119)."""
    assert wager_of("three-card-poker", "six_card_bonus").hand(hand(cards)) == made


def test_11_9_e_pai_gow_bars_a_surrender() -> None:
    """With a progressive or a seven-card bonus wager there is none."""
    assert progressive("pai-gow-poker").fold.effect == "bars"
    assert wager_of("pai-gow-poker", "seven_card_bonus").fold.effect == "bars"


def test_28_11_i_hold_em_bonus_shares_the_whole_meter() -> None:
    """Royal flushes at one table share equally (S-20)."""
    assert GAMES["texas-holdem-bonus"].shares_whole_meter


def test_16_12_g_caribbean_shares_the_whole_meter() -> None:
    """Royal flushes at one table share equally."""
    assert GAMES["caribbean-stud"].shares_whole_meter


def test_2_19_h_blackjack_shares_the_whole_meter() -> None:
    """Four black or red aces at one table share equally."""
    assert GAMES["blackjack"].shares_whole_meter


def test_20_13_g_three_card_knows_no_sharing() -> None:
    """Each is paid of the meter at his turn."""
    assert not GAMES["three-card-poker"].shares_whole_meter


def test_11_14_g_pai_gow_knows_no_sharing() -> None:
    """Each is paid of the meter at his turn."""
    assert not GAMES["pai-gow-poker"].shares_whole_meter


def test_28_10_h_4_ii_a_supervisor_validates_every_progressive_payout() -> None:
    """So in caribbean stud (16.11(b)3) and blackjack (2.19(g)3)."""
    assert {name for name in GAMES if GAMES[name].validates == "every"} == {
        "texas-holdem-bonus",
        "caribbean-stud",
        "blackjack",
    }


def test_20_13_d_3_a_supervisor_validates_what_is_deducted() -> None:
    """Of the three card payouts the whole meter only."""
    assert GAMES["three-card-poker"].validates == "deducted"


def test_11_14_c_3_a_supervisor_validates_what_is_deducted() -> None:
    """Of the pai gow payouts those that the meter pays."""
    assert GAMES["pai-gow-poker"].validates == "deducted"


@pytest.mark.parametrize("each", GAMES.values(), ids=list(GAMES))
def test_20_13_e_percentages_are_never_paid_from_the_rack_and_amounts_always(each: Game) -> None:
    """Source and validation follow from the row."""
    assert each.progressive is not None
    for table in each.progressive.tables:
        assert {each.source(line) for line in table.lines if isinstance(line.pay, Percent)} <= {"cage"}
        assert {each.source(line) for line in table.lines if isinstance(line.pay, Fixed)} == {"rack"}
        assert all(each.must_be_validated(line) for line in table.lines if line.deducted)


def test_28_1_turn_and_river_are_not_part_of_the_hand() -> None:
    """The progressive sees the player's two cards and the flop."""
    assert progressive("texas-holdem-bonus").sees == "own_and_flop"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("As Ks Qs", "akq_suited_spades"),
        ("Qh Ah Kh", "akq_suited_other"),
        ("As 2s 3s", "straight_flush"),
        ("7s 7d 7c", "three_of_a_kind"),
        ("Ad 2s 3s", "straight"),
        ("As 9s 3s", NOTHING),
        ("As Ad 3s", NOTHING),
    ],
)
def test_20_11_a_4_hands_of_the_three_card_progressive(words: str, kind: str) -> None:
    """A flush pays nothing, and ace-king-queen counts by its suit (S-35, S-36)."""
    assert progressive("three-card-poker").hand(hand(words)) == kind


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("As Ac As Ac", "four_aces_same_color"),
        ("Ah Ad Ah Ah", "four_aces_same_color"),
        ("As Ac As Ah", "three_aces_any"),
        ("As As As Ah", "three_aces_same_suit"),
        ("As As As", "three_aces_same_suit"),
        ("As Ac As", "three_aces_any"),
        ("As As Ks As", "two_aces_same_suit"),
        ("As Ac", "two_aces_any"),
        ("As Ks As As", NOTHING),
        ("Ks As As As As", NOTHING),
        ("As", NOTHING),
        ("", NOTHING),
    ],
)
def test_2_19_e_aces_count_from_the_first_card_on_and_the_highest_hand_only(cards: str, kind: str) -> None:
    """A king among the first cards ends the series, whatever comes after it."""
    words = cards.split()
    aces = [Card(ACE if word[0] == "A" else 13, word[1]) for word in words]
    assert progressive("blackjack").hand(aces) == kind


@pytest.mark.parametrize(
    ("words", "wins"), [("As Kd", True), ("Td Ah", True), ("As 9d", False), ("Kd Qd", False), ("As Ad", False)]
)
def test_2_20_d_a_blackjack_is_an_ace_and_a_ten_in_the_first_two_cards(words: str, wins: bool) -> None:
    """Third cards do not matter."""
    assert (wager_of("blackjack", "bonus").hands((*hand(words), Card(ACE, "c"))) == {"blackjack"}) is wins


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("6h 7h 8h 9h Qh Tc Qd", "straight_and_pair"),
        ("7s 7h 7d As Qs Ts Jk", "flush_and_pair"),
        ("As Ks Qs Js Ts Jk Ad", "natural_royal_flush_and_pair"),
        ("As Ks Qs Js Ts 2d 3d", "natural_royal_flush"),
        ("As Ks Qs Js Jk 2d 2c", "royal_flush_and_pair"),
        ("Ks Qs Js Ts 9s Jk Ad", "royal_flush"),
        ("As Ah Ad Ac Jk 2d 2c", "five_aces_and_pair"),
        ("As Ah Ad Ac Jk 3d 2c", "five_aces"),
        ("As Ah Ad Ac 2s 2d 2c", "four_of_a_kind_and_pair"),
        ("Ks Kh Kd 2s 2d 3s 3d", "full_house_and_pair"),
        ("Ks Kh 2d 2s 7h 9c Jd", NOTHING),
    ],
)
def test_11_9_j_the_hand_type_with_the_highest_payout_counts_not_the_highest_hand(words: str, kind: str) -> None:
    """The dealer resets the cards to what pays most."""
    assert progressive("pai-gow-poker").hand(hand(words)) == kind


@given(hands(7, joker=True))
def test_11_14_d_the_progressive_hand_is_the_best_paid_of_all_divisions_by_the_letter(cards: list[Card]) -> None:
    """Five by 11.3, two a pair with the joker as an ace, and the highest amount of the $1 table with an ample meter."""
    wager = progressive("pai-gow-poker")
    table = wager.pay_table("base", 100)
    assert table is not None
    pays = {line.hand: worth(line.pay, meter_cents=10**9, stake_cents=100) for line in table.lines}
    reached = max((pays.get(kind, 0) for kind in types_by_the_letter(cards)), default=0)
    assert pays.get(wager.hand(cards), 0) == reached


def types_by_the_letter(cards: list[Card]) -> set[str]:
    """Every type of 11.14(d) that five and two of these cards are."""
    types = set()
    for five in combinations(cards, 5):
        two = [card for card in cards if card not in five]
        kind = best(kinds_of_pai_gow_five(five), HIGH_HANDS[::-1])
        if kind == "royal_flush" and JOKER not in five:
            kind = "natural_royal_flush"
        ranks = [ACE if card == JOKER else card.rank for card in two]
        types |= {kind, f"{kind}_and_pair"} if ranks[0] == ranks[1] else {kind}
    return types


def test_11_16_d_limits_never_touch_the_progressive() -> None:
    """A cap names the wagers it is for, and the progressive is not among them."""
    caps = {cap.option: (cap.at_least_cents, set(cap.wagers)) for each in GAMES.values() for cap in each.caps}
    assert caps == {
        "bet_limit_cents": (500_000, {"bet"}),
        "bonus_limit_cents": (4_000_000, {"bonus", "insurance", "envy"}),
        "seven_card_bonus_limit_cents": (5_000_000, {"seven_card_bonus"}),
    }


def test_28_10_h_4_ii_names_no_rack_and_no_cage_and_20_13_e_does() -> None:
    """Where the text does not say who pays a part of the meter, the clause says that it is a reading of the house."""
    named = {name: (each.clauses["percentages_from"], each.clauses["amounts_from"]) for name, each in GAMES.items()}
    assert named["texas-holdem-bonus"] == named["caribbean-stud"] == ("house: rack and cage",) * 2
    assert named["three-card-poker"] == ("20.13(e)",) * 2


def test_2_19_d_a_hand_above_21_keeps_its_progressive() -> None:
    """No point total has a bearing on it, the dealer's or the player's own (S-55)."""
    assert wager_of("blackjack", "progressive").fold.effect == "lives"
    assert wager_of("blackjack", "blackjack").fold.effect == "forfeits"


@pytest.mark.parametrize(
    ("cards", "entitled"),
    [
        ("As Ac", "two_aces_any"),
        ("As Ac Ad", "three_aces_any"),
        ("As Ac Ad 9h", "three_aces_any"),
        ("As Ac Ks Ad", "two_aces_any"),
        ("As Ac Ad Ah", "three_aces_any"),
    ],
)
def test_2_19_e_h_the_entitlement_grows_with_the_hand(cards: str, entitled: str) -> None:
    """Two aces become three with the third card; a card in between ends it (S-115)."""
    assert wager_of("blackjack", "progressive").hand(hand(cards)) == entitled


def test_11_16_a_three_of_a_kind_is_paid_though_the_definition_asks_for_a_straight() -> None:
    """The schedule counts: three to one, above the straight's two (S-118)."""
    assert wager_of("pai-gow-poker", "bonus").hand(hand("9s 9h 9d 2c 4h 6s Kc")) == "three_of_a_kind"


def test_20_11_a_4_a_king_high_straight_flush_of_spades_is_no_ace_king_queen() -> None:
    """Only ace, king, queen take the meter, in spades alone (S-35)."""
    progressive = wager_of("three-card-poker", "progressive")
    held = {suit: progressive.hand(hand(f"A{suit} K{suit} Q{suit}")) for suit in "shdc"}
    assert held == {"s": "akq_suited_spades", **dict.fromkeys("hdc", "akq_suited_other")}
    assert progressive.hand(hand("Ks Qs Js")) == progressive.hand(hand("As 2s 3s")) == "straight_flush"


@pytest.mark.parametrize("missing", ["As", "Ks", "Ts"])
def test_11_3_a_e_a_royal_flush_with_the_joker_is_not_natural(missing: str) -> None:
    """The joker completes it, and the prize is the lesser one (S-80)."""
    royal = "As Ks Qs Js Ts 2d 3d"
    progressive = wager_of("pai-gow-poker", "progressive")
    assert progressive.hand(hand(royal)) == "natural_royal_flush"
    assert progressive.hand(hand(royal.replace(missing, "Jk"))) == "royal_flush"
