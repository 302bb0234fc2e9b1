"""The odds call a hand what the table calls it."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.cards import ACE, DECK, DECK_AND_JOKER, JOKER, Card, parse_cards
from games.catalogue import GAMES
from games.game import Wager
from games.odds import five_card, hand_counts, pai_gow
from games.odds import pai_gow_counts as names
from games.odds.deck_counts import Deck, ace_key, rank_key
from games.odds.hand_counts import Layout, count
from tests.support.games.wager_of import wager_of

RANKS = 13


def paying(wager: Wager, made: Iterable[str]) -> frozenset[str]:
    """Those hands that some table of the wager pays."""
    return frozenset(made) & {line.hand for table in wager.tables for line in table.lines}


def key_of(cards: Iterable[Card]) -> int:
    return sum(rank_key(card.rank - 2) for card in cards)


def long_suit(cards: Iterable[Card], least: int) -> list[Card]:
    suit, length = Counter(card.suit for card in cards).most_common(1)[0]
    return [card for card in cards if card.suit == suit] if length >= least else []


def marks_of(cards: Iterable[Card]) -> int:
    """The marks of real cards, but for the royal match."""
    naturals, joker = [card for card in cards if card != JOKER], JOKER in cards
    suit = key_of(long_suit(naturals, 4 if joker else 5))
    return pai_gow.marks(key_of(naturals), suit, ace_key(RANKS) if joker else 0, RANKS)


def names_of(marks: int, known: names.Names) -> frozenset[str]:
    [(made, _)] = names.named({marks: 1}, known).items()
    return made


def hand(words: str) -> list[Card]:
    cards = parse_cards(words.split(), joker=True)
    assert isinstance(cards, tuple)
    return list(cards)


def cards(size: int, deck: tuple[Card, ...] = DECK) -> st.SearchStrategy[list[Card]]:
    """Hands from a few ranks or a few suits: drawn from all of them, nearly every hand is nothing."""

    def dealt(ranks: set[int], suits: set[str]) -> st.SearchStrategy[list[Card]]:
        near = [card for card in deck if card == JOKER or (card.rank in ranks and card.suit in suits)]
        pool = near if len(near) >= size else deck
        return st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True)

    ranks = st.sets(st.integers(2, ACE), min_size=2, max_size=9)
    suits = st.sets(st.sampled_from("shdc"), min_size=1, max_size=4)
    return st.tuples(ranks, suits).flatmap(lambda near: dealt(*near))


@given(seven=cards(7, DECK_AND_JOKER))
@example(seven=hand("6h 7h 8h 9h Qh Tc Qd"))
@example(seven=hand("7s 7h 7d As Qs Ts Jk"))
@example(seven=hand("As Ks Qs Js Ts Jk Ah"))
@example(seven=hand("As Ks Qs Js Ts Jk Kh"))
@example(seven=hand("As Ah Ad Ac Jk 2s 2h"))
@settings(max_examples=300, deadline=None)
def test_11_14_d_every_division_is_counted_as_it_is_settled(seven: list[Card]) -> None:
    """Whatever seven cards can be paid as at the table, they are counted as, and nothing else (S-101)."""
    wager = wager_of("pai-gow-poker", "progressive")
    counted = names_of(marks_of(seven), names.PROGRESSIVE)
    assert paying(wager, counted) == paying(wager, wager.hands(seven))


@given(seven=cards(7, DECK_AND_JOKER))
@example(seven=hand("As 2s 3s 4s 5s 6s Jk"))
@example(seven=hand("2s 3s 4s 5s Jk 9h Th"))
@settings(max_examples=300, deadline=None)
def test_11_16_11_18_seven_cards_are_counted_as_they_are_settled(seven: list[Card]) -> None:
    """Bonus without the match, seven-card bonus and insurance read the same hand as the table does."""
    marks = marks_of(seven)
    bonus, best, insurance = (wager_of("pai-gow-poker", name) for name in ("bonus", "seven_card_bonus", "insurance"))
    settled = paying(bonus, bonus.hands(seven)) - {"royal_flush_plus_royal_match"}
    assert paying(bonus, names_of(marks, names.BONUS["king_queen"])) == settled
    assert names_of(marks, names.SEVEN_CARD_BONUS) == paying(best, best.hands(seven))
    assert names_of(marks, names.INSURANCE) == paying(insurance, insurance.hands(seven))


def test_11_3_f_2_royal_matches_are_as_many_as_the_table_finds() -> None:
    """Every hand with four royal cards of one suit and two other high ones, settled one by one, for both options."""
    [option] = [option for option in GAMES["pai-gow-poker"].options if option.name == "royal_match"]
    [natural] = [wager for wager in option.wagers["ace_king_natural"] if wager.name == "bonus"]
    wagers = {"king_queen": wager_of("pai-gow-poker", "bonus"), "ace_king_natural": natural}
    spades = [card for card in DECK_AND_JOKER if card == JOKER or (card.suit == "s" and card.rank >= 10)]
    others = [card for card in DECK if card.suit != "s" and card.rank >= 12]
    hands = [(*five, *two) for five in combinations(spades, 5) for two in combinations(others, 2)]
    for choice, wager in wagers.items():
        found = sum("royal_flush_plus_royal_match" in wager.hands(seven) for seven in hands)
        counted = names.named(pai_gow.tally(Deck(joker=True)), names.BONUS[choice])
        assert 4 * found == sum(n for made, n in counted.items() if "royal_flush_plus_royal_match" in made)


def test_11_18_b_three_cards_are_counted_as_they_are_settled() -> None:
    """All 23,426 first three cards with the joker, settled one by one."""
    wager = wager_of("pai-gow-poker", "three_card_bonus")
    settled = Counter(wager.hands(three) for three in combinations(DECK_AND_JOKER, 3))
    assert three_card_counts("pai-gow-poker", "three_card_bonus") == settled


def test_20_11_a_4_three_cards_are_counted_as_they_are_settled() -> None:
    """All 22,100 three card poker hands, settled one by one (S-35)."""
    wager = wager_of("three-card-poker", "progressive")
    settled = Counter(wager.hands(three) for three in combinations(DECK, 3))
    assert three_card_counts("three-card-poker", "progressive") == settled


def three_card_counts(game: str, wager: str) -> dict[frozenset[str], int]:
    counted = count(game, wager)
    assert counted is not None
    return dict(counted(Layout()))


def test_2_19_c_aces_are_counted_as_they_are_settled() -> None:
    """Every order of aces and other cards among the first four, written out in cards."""
    wager = wager_of("blackjack", "progressive")
    for suits in product(("s", "h", "d", "c", ""), repeat=4):
        four = [Card(ACE, suit) if suit else Card(10, "h") for suit in suits]
        assert frozenset(hand_counts.kinds(suits)) == wager.hands(four)


@given(six=cards(6))
@settings(max_examples=300, deadline=None)
def test_20_12a_c_the_best_five_are_counted_as_they_are_settled(six: list[Card]) -> None:
    """Five cards, and the best five of six, have the same name in the odds and at the table."""
    for dealt, wager in ((six[:5], "caribbean-stud progressive"), (six, "three-card-poker six_card_bonus")):
        best = five_card.best_hand(key_of(dealt), key_of(long_suit(dealt, 5)), RANKS)
        assert wager_of(*wager.split()).hands(dealt) == {best}
