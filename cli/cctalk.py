"""pitlink cctalk: what answers on a ccTalk wire and what a table would do with it; clears a hopper's latched bits."""

import argparse
import asyncio
import sys
from typing import Final

from msgspec.structs import replace

from drivers.cctalk.bus import Bus, BusSettings
from drivers.cctalk.commands import Header, HopperFlag, named
from drivers.cctalk.frame import Checksum
from drivers.cctalk.hopper import HopperTalk
from drivers.cctalk.probe import Asker, ProbedDevice, ProbedWire, find, look
from drivers.ports import ReturnFault

NOT_USABLE: Final = 1
NO_PORT: Final = 3
_RESTART_MS: Final = 1500


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True)
    probe = actions.add_parser("probe", help="who answers, what it can do, and the settings for it; no chip moves")
    reset = actions.add_parser("reset", help="reset one hopper after its chips were counted by hand")
    for action in (probe, reset):
        action.add_argument(
            "port", metavar="PORT", help="a serial port such as /dev/serial/by-id/…; stop the table first"
        )
        action.add_argument("--baud", type=int, default=9600, help="bits per second (9600)")
        action.add_argument(
            "--checksum",
            choices=[kind.value for kind in Checksum],
            help="simple or crc (probe tries both; reset: simple)",
        )
    reset.add_argument("address", metavar="ADDRESS", type=_address, help="the hopper's, from 2 to 255")


def run(args: argparse.Namespace) -> int:
    """0 where all is usable, 1 where something is not or nothing answers, 3 if the port cannot be had."""
    settings = BusSettings(args.port, baud=args.baud, echo=False, reply_timeout_ms=150, retries=1)
    try:
        if args.action == "reset":
            chosen = replace(settings, checksum=Checksum(args.checksum or Checksum.SIMPLE.value))
            return asyncio.run(_reset(chosen, args.address))
        kinds = [Checksum(args.checksum)] if args.checksum else list(Checksum)
        return asyncio.run(_probe([replace(settings, checksum=kind) for kind in kinds]))
    except ReturnFault as fault:
        print(fault.detail, file=sys.stderr)
        return NO_PORT


def _address(word: str) -> int:
    if not word.isdecimal() or not 2 <= int(word) <= 255:
        raise argparse.ArgumentTypeError(f"{word} is no address of a device; write a number from 2 to 255")
    return int(word)


async def _probe(ways: list[BusSettings]) -> int:
    for settings in ways:
        bus = Bus(settings)
        try:
            wire = await find(bus, settings)
            if wire.addresses:
                return await _show_all(bus, wire)
        finally:
            await bus.close()
    tried = " and ".join(settings.checksum.value for settings in ways)
    print(f"nothing answers on {ways[0].port} at {ways[0].baud} baud (checksum {tried})")
    print("look at power, ground, the data wire and the adapter; then try --baud 4800, 19200 or 115200")
    return NOT_USABLE


async def _show_all(bus: Bus, wire: ProbedWire) -> int:
    echo = "the wire has an echo" if wire.has_echo else "the wire has no echo"
    print(f"{wire.port}: checksum {wire.checksum.value}, {echo}", flush=True)
    is_usable = True
    for address in wire.addresses:
        found = await look(bus, wire, address)
        _show(found)
        is_usable = is_usable and found.is_usable
    for address in wire.polled_only:
        print(f"\naddress {address}: told its address and answers nothing else; a PIN may lock it, or it was noise")
    return 0 if is_usable else NOT_USABLE


def _show(found: ProbedDevice) -> None:
    print(f"\naddress {found.address}: {found.category}")
    for word, said in found.facts.items():
        print(f"  {word}: {said}")
    print(f"  {found.verdict}", flush=True)
    for line in found.settings:
        print(f"    {line}")


async def _reset(settings: BusSettings, address: int) -> int:
    bus = Bus(settings)
    try:
        before = await _flags(bus, address)
        await HopperTalk(bus, address, settings.port).reset(_RESTART_MS)
        after = await _flags(bus, address)
    finally:
        await bus.close()
    print(f"before: {_words(before)}")
    print(f"after:  {_words(after)}")
    return 0 if after is not None and HopperFlag.MEMORY_ERROR not in after else NOT_USABLE


async def _flags(bus: Bus, address: int) -> HopperFlag | None:
    registers = await Asker(bus, address).data(Header.TEST_HOPPER, sizes=range(1, 5))
    return None if registers is None else HopperFlag(int.from_bytes(registers, "little"))


def _words(flags: HopperFlag | None) -> str:
    return "no hopper answers there" if flags is None else named(flags) or "no flag is set"
