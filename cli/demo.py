"""pitlink demo: broker, meter and simulated tables in one command, without root."""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from pathlib import Path

import msgspec

from common.clock import ManualClock, PacedClock
from common.log import open_log
from demo.broker import KINDS, NoBroker
from demo.configuration import LONE, MIXED, SHARING, DemoGame, unlawful, usual_pay_table
from demo.floor import DemoFloor
from demo.player import DemoResult, play
from games.catalogue import GAMES
from games.game import Game
from games.money import dollars

ROUNDS = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--tables", type=_count(9), default=2, help="how many tables share the meter (1 to 9)")
    parser.add_argument(
        "--game",
        choices=[MIXED, *GAMES],
        action="append",
        help="what they deal; again for other tables, or mixed for two games that share (in a browser the default)",
    )
    parser.add_argument("--pay-table", help="which pay table they use (the game's first, for hold 'em A)")
    parser.add_argument("--stake", type=int, choices=(1, 5), default=1, help="dollars a wager costs")
    parser.add_argument("--decks", type=_count(8), help="blackjack: decks in the shoe (6)")
    offers = "side wagers on offer, such as three_card_bonus,seven_card_bonus (the game's usual ones; empty for none)"
    parser.add_argument("--wagers", help=offers)
    hands = "blackjack: multiple action, against 2 or 3 hands of the dealer"
    parser.add_argument("--dealer-hands", type=int, choices=(1, 2, 3), default=1, help=hands)
    parser.add_argument("--rounds", type=_count(100_000), default=ROUNDS, help="headless: rounds at each table")
    parser.add_argument("--seed", type=int, default=1, help="headless: the same seed deals the same cards")
    parser.add_argument("--headless", action="store_true", help="play by itself and print the result")
    parser.add_argument("--json", action="store_true", help="headless: one JSON object on stdout")
    parser.add_argument("--broker", choices=sorted(KINDS), default="", help="which broker (the first that is there)")
    parser.add_argument("--no-browser", action="store_true", help="interactive: do not open the page by itself")
    parser.add_argument(
        "--port", type=_count(65_535), default=8000, help="interactive: where the browser finds the tables"
    )


def run(args: argparse.Namespace) -> int:
    """Exit 0; 2 for bad arguments; 3 when the demo cannot run here."""
    deals = _deals(args)
    if isinstance(deals, str):
        print(deals, file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="pitlink-demo-") as folder:
            play_or_show = _headless if args.headless else _interactive
            return asyncio.run(play_or_show(args, deals, Path(folder)))
    except NoBroker as error:
        print(error, file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 0


async def _headless(args: argparse.Namespace, deals: tuple[DemoGame, ...], folder: Path) -> int:
    floor = DemoFloor(
        folder,
        deals=deals,
        clock=ManualClock(),
        log=open_log(),
        chip_ms=0,
        broker=args.broker,
        loss_s=60.0,  # the same seed gives the same result, however slow the machine
    )
    async with floor:
        result = await play(floor, rounds=args.rounds, seed=args.seed)
    print(msgspec.json.encode(result).decode() if args.json else _readable(result))
    return 0


async def _interactive(args: argparse.Namespace, deals: tuple[DemoGame, ...], folder: Path) -> int:
    from demo.page import DemoPage, NoPort

    floor = DemoFloor(
        folder,
        deals=deals,
        clock=PacedClock(asyncio.get_running_loop()),
        log=open_log((folder / "tables.log").open("a", encoding="utf-8"), readable=False),
        chip_ms=150,
        broker=args.broker,
    )
    try:
        async with floor, DemoPage(floor, args.port) as page:
            print(
                f"{page.url} shows {_tables(len(floor.tables))} on one meter ({floor.broker.kind}); Ctrl-C ends it",
                flush=True,
            )
            print(f"its data lie in {folder} until then; try for instance: {floor.commands()[0][0]}", flush=True)
            if not args.no_browser and _has_display():
                await asyncio.to_thread(webbrowser.open, page.url)
            await _told_to_stop()
    except NoPort as error:
        print(error, file=sys.stderr)
        return 3
    return 0


def _has_display() -> bool:
    """Whether a browser window would be seen."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def _told_to_stop() -> None:
    """Waits for Ctrl-C or SIGTERM: either ends broker and meter, too."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


def _deals(args: argparse.Namespace) -> tuple[DemoGame, ...] | str:
    """What each table deals, the games in turn; or what will not do."""
    asked = args.game or [LONE if args.headless or args.tables == 1 else MIXED]
    names = [game for name in asked for game in (SHARING if name == MIXED else (name,))]
    if args.tables < len(names):
        return f"--tables: {len(names)} games need as many tables, not {args.tables}"
    games = [_deal(args, GAMES[name]) for name in names]
    wrong = next((deal for deal in games if isinstance(deal, str)), "")
    known = [deal for deal in games if not isinstance(deal, str)]
    deals = tuple(known[number % len(known)] for number in range(args.tables)) if not wrong else ()
    why = unlawful(deals) if deals else ""
    return wrong or (f"--game: {why}" if why else deals)


def _deal(args: argparse.Namespace, game: Game) -> DemoGame | str:
    assert game.progressive is not None
    names, stakes = game.progressive.pay_table_names, game.progressive.stakes
    if args.pay_table not in (None, *names):
        return f"--pay-table: {game.name} has {', '.join(names)}"
    if args.stake * 100 not in stakes:
        return f"--stake: {game.name} is played for {' or '.join(map(dollars, stakes))}"
    decks = args.decks if game.most_decks > 1 else None
    wagers = None if args.wagers is None else tuple(name for name in args.wagers.split(",") if name)
    offered = [wager.name for wager in game.wagers if wager.needs and not wager.is_progressive and wager.name != "envy"]
    if strange := sorted({*(wagers or ())} - {*offered}):
        return f"--wagers: {game.name} has no {strange[0]}; it has {', '.join(offered) or 'no side wagers'}"
    if args.dealer_hands > 1 and game.most_decks == 1:
        return "--dealer-hands: only blackjack is played as multiple action"
    pay_table = args.pay_table or usual_pay_table(game)
    return DemoGame(game.name, pay_table, args.stake * 100, decks, wagers, args.dealer_hands)


def _readable(result: DemoResult) -> str:
    paid = [
        f"  {payout.table} round {payout.round} seat {payout.seat}: {payout.hand.replace('_', ' ')}"
        f" {dollars(payout.amount_cents)}{' from the meter' if payout.deducted else ''}"
        for payout in result.payouts
    ]
    meter = result.meter
    parts = (
        ("base", meter.base_cents),
        ("+ contributions", meter.contribution_cents),
        ("- deducted", meter.deducted_cents),
        ("+ refill", meter.refill_cents),
    )
    return "\n".join(
        [
            f"{_tables(result.tables)}, {result.rounds} rounds each, seed {result.seed}",
            f"{result.wagers} wagers, {result.coupons} of them coupons, {result.refusals} refusals",
            *paid,
            f"meter {dollars(meter.amount_cents)} = {' '.join(f'{word} {dollars(cents)}' for word, cents in parts)}",
        ]
    )


def _tables(many: int) -> str:
    return f"{many} table" if many == 1 else f"{many} tables"


def _count(most: int) -> Callable[[str], int]:
    def count(word: str) -> int:
        number = int(word)
        if not 1 <= number <= most:
            raise argparse.ArgumentTypeError(f"{number} will not do; write a number from 1 to {most}")
        return number

    return count
