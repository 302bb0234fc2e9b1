"""Laws of every poker showdown, over random tables, and the same answers from an independent library."""

from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import (
    Automation,
    EightOrBetterLowHand,
    NoLimitTexasHoldem,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    StandardHighHand,
)

from games.cards import DECK
from games.showdown.poker.games import POKER_GAMES
from tests.support.games.showdown_asking import ask

GAMES: Final = sorted(POKER_GAMES)
WORDS: Final = [str(card) for card in DECK]

Table = dict[str, Any]


@st.composite
def tables(draw: st.DrawFn, games: list[str] = GAMES, ranks: int = 13) -> Table:
    """A question about a random table; few ranks make many ties."""
    game = POKER_GAMES[draw(st.sampled_from(games))]
    pack = draw(st.permutations([word for word in WORDS if word[0] in "A23456789TJQK"[:ranks]]))
    cards = iter(pack)
    most = min(game.most_players, (len(pack) - game.community_cards) // game.own_cards)
    seats = draw(st.lists(st.integers(1, game.most_players), min_size=2, max_size=most, unique=True))
    players = {
        str(seat): {
            "cards": [next(cards) for _ in range(game.own_cards)],
            "paid_cents": draw(st.sampled_from([5_00, 20_00, 20_50, 77_01])),
            "folded": number > 1 and draw(st.booleans()),
        }
        for number, seat in enumerate(seats)
    }
    chip = draw(st.sampled_from([100, 50, 25, 5, 1]))
    community = [next(cards) for _ in range(game.community_cards)]
    return {"game": game.name, "players": players, "community": community, "options": {"chip_cents": chip}}


@settings(deadline=None)
@given(table=tables() | tables(ranks=8))
def test_the_shares_add_up_to_the_pots_exactly(table: Table) -> None:
    """Every cent that was paid is in a share or goes back, and every pot is given away whole."""
    told = ask(**table)
    paid = sum(player["paid_cents"] for player in table["players"].values())
    assert sum(told["shares"].values()) + sum(back["amount_cents"] for back in told["returned"]) == paid
    for number, pot in enumerate(told["pots"], start=1):
        given_away = [award for award in told["awards"] if award["pot"] == number]
        assert sum(award["amount_cents"] for award in given_away) == pot["amount_cents"]
        assert {award["seat"] for award in given_away} <= set(pot["seats"])


@settings(deadline=None)
@given(table=tables(ranks=8), data=st.data())
def test_the_order_of_players_and_cards_changes_nothing(table: Table, data: st.DataObject) -> None:
    """Whoever is written first, and however a hand is fanned, the answer is the same."""
    shuffled = {
        **table,
        "players": {
            seat: {**player, "cards": data.draw(st.permutations(player["cards"]))}
            for seat, player in data.draw(st.permutations(list(table["players"].items())))
        },
        "community": data.draw(st.permutations(table["community"])),
    }
    assert ask(**shuffled) == ask(**table)


@settings(deadline=None)
@given(table=tables(ranks=8), data=st.data())
def test_changing_seats_changes_who_is_paid_and_nothing_else(table: Table, data: st.DataObject) -> None:
    """No seat is favoured: the shares move with the players."""
    seats = list(table["players"])
    moved = dict(zip(seats, data.draw(st.permutations(seats)), strict=True))
    told = ask(**{**table, "players": {moved[seat]: player for seat, player in table["players"].items()}})
    assert told["shares"] == {moved[seat]: share for seat, share in ask(**table)["shares"].items()}


@settings(deadline=None)
@given(table=tables(ranks=8))
def test_14_3_d_equal_hands_get_equal_parts_but_for_an_excess_of_a_dollar(table: Table) -> None:
    """Within one part of one pot everybody paid gets the same; one of them may get up to $1.00 more."""
    awards = ask(**table)["awards"]
    for pot, part in {(award["pot"], award["part"]) for award in awards}:
        tied = [award for award in awards if (award["pot"], award["part"]) == (pot, part)]
        assert len({award["amount_cents"] - award["excess_cents"] for award in tied}) == 1
        assert len({award["hand"] for award in tied}) == 1
        assert sum(award["excess_cents"] > 0 for award in tied) <= 1
        assert all(award["excess_cents"] <= 1_00 for award in tied)


KNOWN: Final[dict[str, dict[str, Any]]] = {
    "seven-card-stud-high": {"high": StandardHighHand},
    "seven-card-stud-high-low": {"high": StandardHighHand, "low": RegularLowHand},
    "seven-card-stud-eight-or-better": {"high": StandardHighHand, "low": EightOrBetterLowHand},
    "holdem": {"high": StandardHighHand},
    "omaha-high": {"high": OmahaHoldemHand},
    "omaha-eight-or-better": {"high": OmahaHoldemHand, "low": OmahaEightOrBetterLowHand},
    "five-card-draw-high": {"high": StandardHighHand},
    "five-card-draw-low": {"low": RegularLowHand},
    "five-card-stud": {"high": StandardHighHand},
}


def winners_elsewhere(table: Table, side: str) -> set[int]:
    """Who wins one side of the main pot, by pokerkit's hands."""
    kind: Any = KNOWN[table["game"]][side]
    hands = {
        int(seat): kind.from_game_or_none("".join(player["cards"]), "".join(table["community"]))
        for seat, player in table["players"].items()
        if not player["folded"]
    }
    qualified = {seat: hand for seat, hand in hands.items() if hand is not None}
    best = max(qualified.values(), default=None)
    return {seat for seat, hand in qualified.items() if hand == best}


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_pokerkit_finds_the_same_winners(game: str, data: st.DataObject) -> None:
    """Each side of the main pot goes to the seats that an independent evaluator finds best."""
    table = data.draw(tables([game]) | tables([game], ranks=8))
    awards = ask(**table)["awards"]
    given_to = {
        side: {award["seat"] for award in awards if award["pot"] == 1 and award["part"] == side}
        for side in ("whole", "high", "low")
    }
    high = winners_elsewhere(table, "high") if "high" in KNOWN[game] else set()
    low = winners_elsewhere(table, "low") if "low" in KNOWN[game] else set()
    split = (
        {"whole": set(), "high": high, "low": low}
        if high and low
        else {"whole": high or low, "high": set(), "low": set()}
    )
    assert given_to == split


HANDS_ON: Final = (
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.CARD_BURNING,
    Automation.RUNOUT_COUNT_SELECTION,
)


def stacks_elsewhere(stacks: list[int], holes: list[str], board: list[str]) -> list[int]:
    """What everybody has after going all in before the flop, by pokerkit."""
    state = NoLimitTexasHoldem.create_state(
        tuple(automation for automation in Automation if automation not in HANDS_ON),
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(1_00, 2_00),
        min_bet=2_00,
        raw_starting_stacks=stacks,
        player_count=len(stacks),
    )
    for hole in holes:
        state.deal_hole(hole)
    while state.actor_index is not None:
        if state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()
    for cards in (board[:3], board[3:4], board[4:]):
        state.burn_card("??")
        state.deal_board("".join(cards))
    return list(state.stacks)


@settings(deadline=None, max_examples=40)
@given(
    pack=st.permutations(WORDS),
    stacks=st.lists(st.integers(1, 6).map(lambda stack: stack * 60_00), min_size=2, max_size=6),
)
def test_pokerkit_divides_main_and_side_pots_alike(pack: list[str], stacks: list[int]) -> None:
    """Everybody all in before the flop: the same payoffs; at these amounts there is no excess."""
    holes = [pack[2 * number : 2 * number + 2] for number in range(len(stacks))]
    board = pack[20:25]
    players = {
        str(seat): {"cards": hole, "paid_cents": stack}
        for seat, (hole, stack) in enumerate(zip(holes, stacks, strict=True), start=1)
    }
    told = ask("holdem", players=players, community=board)
    back = {str(extra["seat"]): extra["amount_cents"] for extra in told["returned"]}
    ours = [share + back.get(seat, 0) for seat, share in told["shares"].items()]
    assert ours == stacks_elsewhere(stacks, ["".join(hole) for hole in holes], board)
