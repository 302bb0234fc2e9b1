"""Cards for visitors of the demo: dealt at random, or so that somebody holds what was wished for."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from games.cards import DECK, DECK_AND_JOKER, JOKER, SUITS, Card, CardFault, parse_cards
from games.paytable import PayLine
from games.round.table_rules import TableRules
from games.settlement.played_round import FIRST_THREE
from games.settlement.till import row_paid

_FIVE: Final = {
    "royal_flush": "Ts Js Qs Ks As",
    "straight_flush": "5s 6s 7s 8s 9s",
    "four_of_a_kind": "8s 8h 8d 8c Kd",
    "full_house": "7s 7h 7d Jc Jd",
    "flush": "2s 5s 9s Js Ks",
    "straight": "4s 5h 6d 7c 8s",
    "three_of_a_kind": "6s 6h 6d Kc 2d",
    "two_pair": "Ts Th 4d 4c Ad",
}
EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "texas-holdem-bonus": _FIVE,
    "caribbean-stud": _FIVE,
    "three-card-poker": {
        "akq_suited_spades": "As Ks Qs",
        "akq_suited_other": "Ah Kh Qh",
        "straight_flush": "6s 7s 8s",
        "three_of_a_kind": "9s 9h 9d",
        "straight": "4s 5h 6d",
    },
    "blackjack": {
        "four_aces_same_color": "As Ac As Ac",
        "three_aces_same_suit": "As As As 5d",
        "three_aces_any": "As Ah Ad 5c",
        "two_aces_same_suit": "As As 9d 2c",
        "two_aces_any": "As Ah 9d 2c",
    },
    "pai-gow-poker": {
        "natural_royal_flush_and_pair": "Ts Js Qs Ks As 9h 9d",
        "five_aces_and_pair": "As Ah Ad Ac Jk Kh Kd",
        "natural_royal_flush": "Ts Js Qs Ks As 9h 4d",
        "five_aces": "As Ah Ad Ac Jk 9h 4d",
        "royal_flush_and_pair": "Jk Js Qs Ks As 9h 9d",
        "royal_flush": "Jk Js Qs Ks As 9h 4d",
        "straight_flush_and_pair": "5s 6s 7s 8s 9s Kh Kd",
        "straight_flush": "5s 6s 7s 8s 9s Kh 2d",
        "four_of_a_kind_and_pair": "8s 8h 8d 8c 3s Kh Kd",
        "four_of_a_kind": "8s 8h 8d 8c 3s Kh 5d",
        "full_house_and_pair": "7s 7h 7d Jc Jd Kh Kd",
        "full_house": "7s 7h 7d Jc Jd Kh 2s",
        "flush_and_pair": "2s 5s 9s Js Ks 8h 8d",
        "flush": "2s 5s 9s Js Ks 8h 3d",
        "straight_and_pair": "4s 5h 6d 7c 8s Kh Kd",
        "straight": "4s 5h 6d 7c 8s Kh Td",
        "three_of_a_kind_and_pair": "6s 6h 6d Kc 2d 9h 9c",
        "three_of_a_kind": "6s 6h 6d Kc 2d 9h Tc",
    },
}


class DealtCards(Struct, frozen=True):
    """The cards of one round, face up, and what they win: the progressive's hand, and side wagers, envy among them."""

    round: int
    community: tuple[str, ...]
    dealer: tuple[str, ...]  # where a wager looks at them
    hands: dict[int, tuple[str, ...]]
    wins: dict[int, str]
    side_wins: dict[int, tuple[str, ...]]


class CardWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a visitor wants to be dealt at a seat: a paid hand, or cards by name, community cards first; or anything."""

    seat: int = 0
    hand: str = ""
    cards: tuple[str, ...] = ()


def deal(luck: random.Random, rules: TableRules, *, number: int, wish: CardWish) -> DealtCards | CardFault:
    """Deals every seat; that of the wish gets what was wished for, if such cards can lie together."""
    size, seat = hand_size(rules), wish.seat
    wanted = _wanted(luck, rules, wish) if seat in rules.seats else ()
    if isinstance(wanted, CardFault):
        return wanted
    rest = _without(_shuffled(luck, rules), wanted)
    flop = rules.community_size
    community, left = (wanted[:flop], iter(rest)) if wanted else (tuple(rest[:flop]), iter(rest[flop:]))
    hands = {
        each: wanted[flop:] if wanted and each == seat else tuple(next(left) for _ in range(size))
        for each in rules.seats
    }
    wins = {each: line.hand for each, cards in hands.items() if (line := paid(rules, (*cards, *community)))}
    dealer = tuple(next(left) for _ in range(rules.game.hand_size)) if _is_dealer_seen(rules) else ()
    side = {each: tuple(_side_wins(rules, cards, dealer)) for each, cards in hands.items()}
    words = {each: _words(cards) for each, cards in hands.items()}
    return DealtCards(number, _words(community), _words(dealer), words, wins, side)


def hand_size(rules: TableRules) -> int:
    """How many cards the demo deals to a seat: those the progressive looks at."""
    return 4 if rules.game.hand_grows else rules.game.hand_size


def paid(rules: TableRules, cards: Sequence[Card]) -> PayLine | None:
    """The row that pays these cards at an ample meter, or None."""
    return row_paid(rules.wager, rules.pay_table, rules.wager.hands(cards), meter_cents=None)


def _is_dealer_seen(rules: TableRules) -> bool:
    return any(wager.sees == "own_and_dealer" for wager in rules.layout_wagers)


def _side_wins(rules: TableRules, cards: tuple[Card, ...], dealer: tuple[Card, ...]) -> Iterator[str]:
    """The side wagers that these cards win, and envy where others at the table are paid for them."""
    for wager in (*rules.layout_wagers, *([rules.envy] if rules.envy else [])):
        seen = cards[:FIRST_THREE] if wager.sees == "own_first_three" else cards
        seen += dealer if wager.sees == "own_and_dealer" else ()
        hands, table = wager.hands(seen), rules.tables.get(wager.name)
        if (row_paid(wager, table, hands, meter_cents=None) is not None) if table else bool(hands):
            yield wager.name


def _wanted(luck: random.Random, rules: TableRules, wish: CardWish) -> tuple[Card, ...] | CardFault:
    return _chosen(rules, wish.cards) if wish.cards else _wished(luck, rules, wish.hand)


def _chosen(rules: TableRules, words: Sequence[str]) -> tuple[Card, ...] | CardFault:
    count = rules.community_size + hand_size(rules)
    return parse_cards(words, count=count, joker=rules.game.joker, decks=rules.decks)


def _wished(luck: random.Random, rules: TableRules, wish: str) -> tuple[Card, ...]:
    """The example of this hand in suits of luck's choice, as far as the hand does not depend on them."""
    example = parse_cards(EXAMPLES[rules.game.name].get(wish, "").split(), joker=True, decks=rules.decks)
    if isinstance(example, CardFault) or not example:
        return ()
    turned = dict(zip(SUITS, luck.sample(SUITS, len(SUITS)), strict=True))
    other = tuple(card if card == JOKER else Card(card.rank, turned[card.suit]) for card in example)
    line = paid(rules, other)
    cards = other if line is not None and line.hand == wish else example
    return cards if rules.game.hand_grows else tuple(luck.sample(cards, len(cards)))


def _without(deck: list[Card], taken: Sequence[Card]) -> list[Card]:
    rest = list(deck)
    for card in taken:
        rest.remove(card)
    return rest


def _shuffled(luck: random.Random, rules: TableRules) -> list[Card]:
    deck = (DECK_AND_JOKER if rules.game.joker else DECK) * rules.decks
    return luck.sample(deck, len(deck))


def _words(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))
