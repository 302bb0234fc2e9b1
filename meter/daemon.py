"""pitlink meter: reads the settings, checks the books, and only then speaks to anybody."""

import argparse
import asyncio
import gc
import os
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from common.auth.authenticator import SignInRefused
from common.auth.pins import StaffFault
from common.clock import Clock, RealClock
from common.log import Log, adopt_libraries, open_log
from common.settings import SettingsError
from common.supervision import ServiceManager, run_all
from common.web.events import ChangeFeed
from drivers.mqtt.client import MqttClient
from link import messages as wire
from meter.booking.booker import Booker, ParameterChange, refuse_orphans
from meter.booking.group_commit import GroupCommit
from meter.ledger.link_state import Head
from meter.service.alarms import FloorAlarms, standing
from meter.service.background_audit import BackgroundAudit, settle_doubt
from meter.service.broker_loss import hand_over_without_broker
from meter.service.hang_guard import HangGuard
from meter.service.link_desk import LinkDesk, Submit
from meter.service.shutdown import Shutdown
from meter.service.state import last_will
from meter.settings import Link, MeterSettings, read_meter_settings
from meter.store.base import InUse, OpenStore, StoreFault
from meter.store.open import open_store, own
from meter.store.standby import Shared, wait_for_turn
from meter.web.permissions import Pair
from meter.web.pin_prompt import asked_pins, proven_here
from meter.web.server import MeterServer

NOT_BELIEVED: Final = 1
BAD_SETTINGS: Final = 2
BAD_STORE: Final = 3
AUDITED_AT_START: Final = 5_000  # records of all links, half a second: more would keep a floor and a standby waiting
STATUS_S: Final = 2.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings")
    parser.add_argument("--print-config", action="store_true", help="show what is in force, and stop")
    parser.add_argument(
        "--apply-terms", action="store_true", help="let the settings' parameters rule from now on, and stop"
    )
    parser.add_argument("--by", default="", metavar="NAME", help="who applies them")
    parser.add_argument("--and-by", default="", metavar="NAME", help="the second person")
    parser.add_argument("--reason", default="", metavar="WORDS", help="why, such as the approval's number")
    parser.add_argument(
        "--given-up",
        action="append",
        default=[],
        metavar="TABLE",
        help="do not wait for this table: it will not come back",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the meter until it is told to stop, or changes its parameters.

    1 if two persons were not believed, 2 for bad settings, 3 for books that cannot be trusted or written.
    """
    try:
        settings = read_meter_settings(args.config)
        # Before the books are ours: nobody's meter waits while somebody looks for his PIN.
        pins = asked_pins(settings, (args.by, args.and_by)) if args.apply_terms else None
    except (SettingsError, StaffFault) as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    if args.print_config:
        print(msgspec.json.format(msgspec.json.encode(_in_force(settings), enc_hook=str), indent=2).decode())
        return 0
    log = open_log()
    try:
        store = open_store(settings.store)
    except StoreFault as fault:
        return _not_applied(settings, fault) if args.apply_terms else _refused(log, fault)
    try:
        if args.apply_terms:
            change = ParameterChange(args.by, args.and_by, args.reason, tuple(args.given_up))
            return _apply_terms(settings, store, change, pins)
        return asyncio.run(_serve(settings, store, log, args.program))
    except StoreFault as fault:
        return _not_applied(settings, fault) if args.apply_terms else _refused(log, fault)
    finally:
        store.close()


def _in_force(settings: MeterSettings) -> dict[str, Any]:
    """Everything, with what each game says where the settings do not (R1)."""
    shown: dict[str, Any] = msgspec.to_builtins(settings, enc_hook=str)
    for told, link in zip(shown["links"], settings.links, strict=True):
        told["shortest_round_ms"] = {game.name: link.shortest_round_of(game.name) for game in link.games}
    return shown


def _apply_terms(settings: MeterSettings, store: OpenStore, change: ParameterChange, pins: Pair | None) -> int:
    """While the store is ours no meter runs, and no link is in operation (R96)."""
    own(store)
    names = proven_here(settings, "ChangeTerms", (change.by, change.and_by), pins)
    if isinstance(names, SignInRefused):
        print(f"the parameters cannot change: {names.reason}", file=sys.stderr)
        return NOT_BELIEVED
    refuse_orphans(store, settings.links)
    change = ParameterChange(*names, change.reason, change.given_up)
    heads = Booker(store, settings.links, lambda: time.time_ns() // 1_000_000).open(change)
    for name, head in heads.items():
        print(f"link {name}: these parameters rule since record {head.number} at the latest")
    return 0


def _not_applied(settings: MeterSettings, fault: StoreFault) -> int:
    """Says why nothing was changed; nobody has tried to start a meter, and one that runs goes on."""
    print(f"the parameters were not changed: {fault}", file=sys.stderr)
    if isinstance(fault, InUse):
        links = ", ".join(link.name for link in settings.links)
        print(
            f"the meter that runs goes on as it was. Let two persons stop the link that is to change, then stop the "
            f"meter: every table of {links} is closed until it is started again [R96]",
            file=sys.stderr,
        )
    return BAD_STORE


async def _serve(settings: MeterSettings, store: OpenStore, log: Log, program: str) -> int:
    """Wires the parts together; nothing is sent before the books are ours and have passed their audit (R49).

    A long ledger is trusted as far as its last figures are sealed to its last record, and audited behind our back.
    """
    adopt_libraries(log)
    clock = RealClock(asyncio.get_running_loop())
    manager = ServiceManager()
    await wait_for_turn(store, clock, log, manager)
    store.require_room()
    bookkeeper = Booker(store, settings.links, clock.wall_ms)
    was_doubted = await settle_doubt(settings.store, store, log, manager)
    refuse_orphans(store, settings.links)
    heads = bookkeeper.open(audited_at_most=AUDITED_AT_START)
    audit = BackgroundAudit(settings.store, {} if was_doubted else bookkeeper.unaudited, log)
    desks: dict[str, LinkDesk] = {}
    guard = HangGuard(lambda words: _end_hanging(log, manager, words))
    books = GroupCommit(bookkeeper, lambda link, report: desks[link].took(report), guard=guard)
    pipes = {link.name: _pipe(settings, link, heads[link.name], books=books) for link in settings.links}
    last_words = Shutdown(bookkeeper, desks, pipes, doubt=store.write_doubt, wall_ms=clock.wall_ms)
    bell = ChangeFeed()
    watch = FloorAlarms(store, books.errand, wall_ms=clock.wall_ms, now=clock.now, ring=bell.ring)
    watch.begin(heads, machine=socket.gethostname(), program=program)
    desks |= _desks(settings, bookkeeper, heads, pipes=pipes, submit=books.submit, watch=watch, clock=clock, log=log)
    parts = [last_words.of(books.run()), last_words.of(audit.run()), watch.run()]
    parts += [last_words.of(pipes[name].run(desk)) for name, desk in desks.items()]
    parts += [desk.run() for desk in desks.values()]
    if isinstance(store, Shared) and settings.give_up_s:
        parts.append(hand_over_without_broker(pipes.values(), settings.give_up_s, log))
    _announce(settings, heads, log)
    ready = f"{len(settings.links)} link(s), broker {settings.broker.address}"
    front = MeterServer(settings, desks, books.decide, watch=watch, bell=bell, clock=clock)
    gc.freeze()  # what stands now stays: going through all of it again and again held up one wager in a thousand
    async with front.served():
        parts.append(_keep_status(manager, desks))
        code = await run_all(*parts, log=log, manager=manager, ready=ready, wind_down=watch.end)
    guard.close()
    return code


def _desks(
    settings: MeterSettings,
    bookkeeper: Booker,
    heads: Mapping[str, Head],
    *,
    pipes: Mapping[str, MqttClient],
    submit: Submit,
    watch: FloorAlarms,
    clock: Clock,
    log: Log,
) -> dict[str, LinkDesk]:
    """A desk for every link; what waits for people there is raised anew."""
    for name, head in heads.items():
        for alarm in standing(name, head):
            watch.raised(alarm)
    return {
        link.name: LinkDesk(
            link,
            heads[link.name],
            post=pipes[link.name],
            submit=submit,
            wall_ms=clock.wall_ms,
            log=log,
            members=bookkeeper.members(link.name),
            watch=watch,
        )
        for link in settings.links
    }


def _end_hanging(log: Log, manager: ServiceManager, words: str) -> None:
    """Ends the process from outside its loop, which may never turn again; the last will tells every table."""
    log.error("store_hung", reason=words, advice="the meter is started again by systemd")
    manager.status(words)
    os._exit(BAD_STORE)


async def _keep_status(manager: ServiceManager, desks: Mapping[str, LinkDesk]) -> None:
    while True:
        manager.status("; ".join(desk.status for desk in desks.values()))
        await asyncio.sleep(STATUS_S)


def _pipe(settings: MeterSettings, link: Link, head: Head, *, books: GroupCommit) -> MqttClient:
    """A link's pipe; a meter that was passed over must not speak again under the name that another has by now."""
    return MqttClient(
        settings.broker.known_as(link.identity),
        link.identity,
        topics=[topic(link.name, "+") for topic in (wire.entry_topic, wire.hello_topic, wire.presence_topic)],
        will=last_will(link.name, head),
        largest_bytes=wire.MAX_MESSAGE_BYTES,
        prove=books.prove,
        read=books.book_now,
    )


def _announce(settings: MeterSettings, heads: Mapping[str, Head], log: Log) -> None:
    for name, head in heads.items():
        log.info("link_opened", link=name, record=head.number, amount_cents=head.pot.amount_cents)
    log.info("meter_started", broker=settings.broker.address, store=settings.store, links=len(settings.links))


def _refused(log: Log, fault: StoreFault) -> int:
    log.error("meter_refused_to_start", reason=str(fault), advice="nothing was published; every table stays closed")
    ServiceManager().status(f"refused to start: {fault}")
    return BAD_STORE
