"""Measures the exact odds: every table of every game from a cold start, the count against C, and hands per second.

`python -m benchmarks.odds` needs a C compiler, and `phevaluator` and `treys` beside which it measures. The C
program also verifies the pai gow counts, all marks of all 154,143,080 hands.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from games.cards import DECK
from games.catalogue import GAMES
from games.game import Wager
from games.odds import five_card, pai_gow
from games.odds.bets import Asked, Bet, find
from games.odds.deck_counts import Deck
from games.odds.hand_counts import count
from games.ranking import best_five, high_five

HANDS = 20_000
COLD_RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", metavar="GAME", help="only work out every table of this game, or of all")
    parser.add_argument("--without-c", action="store_true", help="do not compile and run the C enumeration")
    args = parser.parse_args()
    if args.tables:
        print(sum(1 for _ in tables(args.tables)))
        return
    cold_starts()
    # Before anything else has filled the tables that they keep.
    counters()
    if not args.without_c:
        enumerate_in_c()
    for size in (5, 6, 7):
        evaluators(size)


def tables(name: str) -> Iterator[object]:
    """Every par sheet of a game, or of all games: each wager, pay table, stake, option and number of decks."""
    for game in GAMES.values() if name == "all" else [GAMES[name]]:
        decks = range(1, game.most_decks + 1)
        for wager in game.wagers:
            if count(game.name, wager.name):
                yield from (bet.par_sheet() for each in decks for bet in bets(game.name, wager, each))


def bets(game: str, wager: Wager, decks: int) -> Iterator[Bet]:
    choices = [{}, {"royal_match": "ace_king_natural"}] if game == "pai-gow-poker" else [{}]
    for table in wager.tables:
        for options in choices:
            stake = table.stake_cents or max(100, wager.minimum_cents)
            bet = find(Asked(game, wager.name, table.name, stake, decks, options))
            assert isinstance(bet, Bet)
            yield bet


def cold_starts() -> None:
    """Seconds for all tables of all games in a fresh interpreter, the best of some runs."""
    print(f"every par sheet in a fresh interpreter, best of {COLD_RUNS}:")
    for name in (*GAMES, "all"):
        seconds, sheets = min(cold_start(name) for _ in range(COLD_RUNS))
        print(f"  {name:20} {sheets:3} sheets {seconds:8.3f} s")


def cold_start(name: str) -> tuple[float, int]:
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, __file__, "--tables", name], check=True, capture_output=True)
    return time.perf_counter() - begun, int(done.stdout)


def enumerate_in_c() -> None:
    """Compiles and times the enumeration of all pai gow hands, and compares its counts with ours."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "pai_gow"
        source = Path(__file__).with_name("pai_gow.c")
        subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
        begun = time.perf_counter()
        printed = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - begun
    dealt = {int(marks): int(hands) for marks, hands in map(str.split, printed.splitlines())}
    begun = time.perf_counter()
    counted = {marks: hands for marks, hands in pai_gow.tally.__wrapped__(Deck(joker=True)).items() if hands}
    by_patterns = time.perf_counter() - begun
    if dealt != counted:
        sys.exit("the C enumeration counts other hands than games/odds")
    print(
        f"\nC deals and divides all {sum(dealt.values()):,} pai gow hands in {seconds:.1f} s and finds the same counts:"
    )
    print(f"  counting them by patterns takes 1/{seconds / by_patterns:.1f} of that")


def counters() -> None:
    """How many hands a second the counting stands for."""
    print("\nhands counted a second:")
    report: list[tuple[str, Callable[[], Mapping[str, int] | Mapping[pai_gow.Marks, int]]]] = [
        ("five cards", lambda: five_card.tally.__wrapped__(5, Deck())),
        ("best five of six", lambda: five_card.tally.__wrapped__(6, Deck())),
        ("pai gow, all divisions", lambda: pai_gow.tally.__wrapped__(Deck(joker=True))),
    ]
    for name, tally in report:
        begun = time.perf_counter()
        hands = sum(tally().values())
        print(f"  {name:24} {hands / (time.perf_counter() - begun):14,.0f}")


def evaluators(size: int) -> None:
    """Hands a second that ranking reads one by one, beside phevaluator and treys on the same hands."""
    # Here and not above: a cold start must not pay for loading them.
    import phevaluator
    import treys

    chance = random.Random(size)
    hands = [chance.sample(DECK, size) for _ in range(HANDS)]
    words = [[str(card) for card in hand] for hand in hands]
    cards = [[phevaluator.Card(word) for word in hand] for hand in words]
    numbers = [[treys.Card.new(word) for word in hand] for hand in words]
    evaluate = treys.Evaluator().evaluate
    speeds = {
        "phevaluator": speed(lambda hand: phevaluator.evaluate_cards(*hand), cards),
        "treys": speed(lambda hand: evaluate([], hand), numbers),
        "games.ranking": speed(high_five if size == 5 else best_five, hands[: HANDS // (1 if size == 5 else 20)]),
    }
    print(f"\n{size} cards, hands evaluated a second:")
    for name, each in speeds.items():
        print(f"  {name:16} {each:12,.0f}   {each / speeds['phevaluator']:6.2f} × phevaluator")


def speed(evaluate: Callable[..., object], hands: Sequence[object]) -> float:
    begun = time.perf_counter()
    for hand in hands:
        evaluate(hand)
    return len(hands) / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
