"""pitlink poker-room: the page of a poker table, which has no acceptor, meter or light."""

import argparse
import asyncio
import signal
import sys

from cli.calculators.showdown import answer
from poker_room.page import PokerPage, PortTaken

NO_PORT = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--port", type=int, default=8090, help="where this machine's browser finds the page")


def run(args: argparse.Namespace) -> int:
    """Serves the page until it is told to stop (0); 3 where the port cannot be had."""
    try:
        return asyncio.run(_serve(args.port))
    except PortTaken as error:
        print(error, file=sys.stderr)
        return NO_PORT


async def _serve(port: int) -> int:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with PokerPage(answer, port) as page:
        print(f"{page.url} shows the poker room's page on this machine; Ctrl-C ends it", flush=True)
        await stop.wait()
    return 0
