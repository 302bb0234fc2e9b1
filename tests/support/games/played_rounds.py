"""Rounds for settlement tests, told in few words."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from games.cards import Card, parse_cards
from games.catalogue import GAMES
from games.settlement import Fault, PlayedRound, Seat, Settlement, refusal, settle, settled_early

METER = 10_000_000
RESET = 1_000_000


def cards(words: str) -> tuple[Card, ...]:
    """The cards of a line; whether they can lie together is asked of the round."""
    parsed = parse_cards(words.split(), joker=True, decks=8)
    assert isinstance(parsed, tuple)
    return parsed


def seat(wagers: str, hand: str = "", **told: Any) -> dict[str, Any]:
    """What lies at a seat: its wagers, its cards, and anything else by name."""
    return {"names": wagers.split(), "cards": cards(hand)} | told


def play(name: str, seats: Mapping[int, dict[str, Any]], **told: Any) -> PlayedRound:
    """A round of a game; pay_tables names the table of a wager, irregularity its name."""
    game = GAMES[name]
    stake = told.pop("stake", 100)
    chosen = told.pop("pay_tables", {})
    irregularity, concerned = told.pop("irregularity", None), told.pop("irregular_seats", frozenset())
    for place in ("community", "dealer"):
        told[place] = cards(told.get(place, ""))
    tables = {
        wager.name: table
        for wager in game.wagers_under(told.get("choices", {}))
        if wager.tables and (table := wager.pay_table(chosen.get(wager.name, wager.pay_table_names[0]), stake))
    }
    played = PlayedRound(
        game=game,
        tables=tables,
        stake_cents=stake,
        meter_cents=told.pop("meter", METER),
        reset_cents=told.pop("reset", RESET),
        seats=tuple(_seat(number, dict(each), stake) for number, each in seats.items()),
        decks=told.pop("decks", game.most_decks),
        **told,
    )
    cases = [each for each in game.irregularities if each.name == irregularity]
    return replace(played, faults=tuple(Fault(case, concerned, settled_early(played)) for case in cases))


def settled(name: str, seats: Mapping[int, dict[str, Any]], **told: Any) -> Settlement:
    """The settlement of a round that the rules do not refuse."""
    played = play(name, seats, **told)
    assert refusal(played) is None
    return settle(played)


def refused(name: str, seats: Mapping[int, dict[str, Any]], **told: Any) -> tuple[str, str]:
    """The clause and the place of the refusal."""
    found = refusal(play(name, seats, **told))
    assert found is not None
    return found.rule, found.where


def paid(settlement: Settlement) -> list[tuple[int, str, str, int]]:
    """Seat, wager, hand and cents of every line, in paying order."""
    return [(line.seat, line.wager, line.hand, line.amount_cents) for line in settlement.payments]


def _seat(number: int, told: dict[str, Any], stake: int) -> Seat:
    base = {"ante", "pair_plus", "blackjack", "third_wager", "pai_gow"}
    amounts = told.pop("amounts", {})
    numbers = told.get("numbers", {})
    wagers = {name: amounts.get(name, 0 if name in base else stake) for name in told.pop("names")}
    if "number" in wagers:
        wagers["number"] = sum(numbers.values())
    return Seat(number=number, wagers=wagers, **told)
