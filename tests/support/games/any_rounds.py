"""Any lawful round of any game, for the laws that hold for all of them."""

from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from games.cards import ACE, DECK, DECK_AND_JOKER, Card
from games.catalogue import GAMES
from games.game import Game, Irregularity
from games.settlement import Fault, PlayedRound, settled_early
from tests.support.games.played_rounds import play, seat


def decks(game: Game) -> st.SearchStrategy[list[Card]]:
    """A deck of the game: shuffled, or sorted by suit or by rank and cut anywhere, so that hands win often."""
    whole = list(DECK_AND_JOKER if game.joker else DECK) * game.most_decks
    whole = [card for card in whole if card.rank == ACE or not game.hand_grows or card.suit == "c"]
    by_suit = sorted(whole, key=lambda card: (card.suit in "hd", card.suit, card.rank))
    by_rank = sorted(whole, key=lambda card: (card.rank, card.suit))
    cuts = st.integers(0, len(whole) - 1)
    sorted_decks = st.sampled_from((by_suit, by_rank, by_suit[::-1], by_rank[::-1]))
    cut = st.builds(lambda deck, place: deck[place:] + deck[:place], sorted_decks, cuts)
    return st.one_of(cut, cut, st.permutations(whole).map(list))


def offered(game: Game, choices: dict[str, str]) -> st.SearchStrategy[list[str]]:
    """The side wagers of a table: all that do not exclude each other."""
    side = [wager.name for wager in game.wagers_under(choices) if wager.needs and wager.sees != "others"]
    ones = {name for exclusion in game.exclusions for name in exclusion.one}
    others = {name for exclusion in game.exclusions for name in exclusion.other}
    return st.sampled_from([[name for name in side if name not in dropped] for dropped in (ones, others)])


def wagers(game: Game, side: list[str]) -> st.SearchStrategy[str]:
    """What lies at one seat: the base wagers and any of these side wagers."""
    base = [wager.name for wager in game.wagers if not wager.needs]
    chosen = st.lists(st.sampled_from(side), unique=True).map(_with_needed)
    return chosen.map(lambda names: " ".join([*base, *names]))


def _with_needed(names: list[str]) -> list[str]:
    """The third insurance lies beside the third wager."""
    lacks = "third_insurance" in names and "third_wager" not in names
    return [*names, "third_wager"] if lacks else names


@st.composite
def regular_rounds(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES)) -> PlayedRound:
    """A lawful round of any of these games."""
    game = GAMES[draw(st.sampled_from(games))]
    deck = draw(decks(game))
    numbers = draw(st.lists(st.integers(1, game.most_seats), min_size=1, max_size=5, unique=True))
    size = 4 if game.hand_grows else game.hand_size
    told: dict[int, dict[str, Any]] = {}
    choices = {"dealer_hands": draw(st.sampled_from("123"))} if game.hand_grows else {}
    is_multiple = choices.get("dealer_hands", "1") > "1"
    side = draw(offered(game, choices))
    for number in numbers:
        at_seat = draw(wagers(game, side))
        hand = " ".join(str(deck.pop()) for _ in range(size))
        may_fold = is_multiple or not any(word in at_seat for word in ("pai_gow", "blackjack"))
        told[number] = seat(at_seat, hand, folded=may_fold and draw(st.booleans()))
        if "number" in at_seat.split():
            told[number]["numbers"] = {3: 150, 5: 100}
        if "bonus" in at_seat.split() and game.hand_grows:
            told[number]["displayed_cents"] = 2_500 if is_blackjack(told[number]["cards"]) else None
    community = [deck.pop() for _ in range(5)] if game.name == "texas-holdem-bonus" else []
    dealer = [deck.pop() for _ in range(game.hand_size)]
    if is_multiple:
        up_card = next(card for card in deck if card.rank == ACE)
        dealer = [up_card, *draw(second_cards(told, int(choices["dealer_hands"])))]
    stakes = game.progressive.stakes if game.progressive else (100,)
    return play(
        game.name,
        told,
        stake=draw(st.sampled_from(stakes)),
        meter=draw(st.integers(0, 20_000_000)),
        reset=draw(st.integers(0, 2_000_000)),
        choices=choices,
        number_drawn=draw(st.integers(1, 7)),
        community=" ".join(map(str, community)),
        dealer=" ".join(map(str, dealer)),
    )


@st.composite
def second_cards(draw: st.DrawFn, told: dict[int, dict[str, Any]], hands: int) -> list[Card]:
    """The second card of every hand of the dealer's on which a wager is left."""
    standing = [each["names"] for each in told.values() if not each["folded"]]
    left = (1 if not standing else hands) - (hands == 3 and not any("third_wager" in names for names in standing))
    seconds = st.sampled_from([Card(rank, "d") for rank in (9, 10, 13)])
    return [draw(seconds) for _ in range(max(left, 1))]


@st.composite
def rounds(draw: st.DrawFn) -> PlayedRound:
    """A lawful round of any game, with any irregularity."""
    played = draw(regular_rounds())
    return draw(st.sampled_from((played, irregular(draw, played))))


def irregular(draw: st.DrawFn, played: PlayedRound) -> PlayedRound:
    """The same round with something gone wrong."""
    case: Irregularity = draw(st.sampled_from(played.game.irregularities))
    concerned = frozenset({played.seats[0].number}) if case.voids == "seats" else frozenset()
    seats = tuple(replace(each, displayed_cents=None) for each in played.seats)
    cleared = tuple(
        replace(each, wagers={name: cents for name, cents in each.wagers.items() if name != "bonus"})
        if played.game.hand_grows
        else each
        for each in seats
    )
    cleared_round = replace(played, seats=cleared)
    return replace(cleared_round, faults=(Fault(case, concerned, settled_early(cleared_round)),))


def is_blackjack(cards: tuple[Card, ...]) -> bool:
    """An ace and a ten in the first two cards."""
    ranks = sorted(card.rank for card in cards[:2])
    return ranks[1] == ACE and 10 <= ranks[0] < ACE
