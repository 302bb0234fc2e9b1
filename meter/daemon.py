"""Composition root of a meter: checks the books, and only then publishes anything."""

import asyncio
import gc
import os
import socket
from collections.abc import Mapping
from functools import partial
from typing import Final

from common.auth.lockout import LockOut
from common.clock import Clock, RealClock
from common.log import Log, adopt_libraries
from common.supervision import ServiceManager, run_all
from common.web.events import ChangeFeed
from drivers.mqtt.buffered_client import BufferedMqttClient
from link import messages as wire
from link import topics
from meter.booking.booker import Booker, refuse_orphans
from meter.booking.group_commit import GroupCommit
from meter.booking.proofs import ProofCheck
from meter.ledger.link_state import Head
from meter.service.alarms import FloorAlarms, standing
from meter.service.background_audit import BackgroundAudit, settle_doubt
from meter.service.hang_guard import HangGuard
from meter.service.link_desk import LinkDesk, Submit
from meter.service.shutdown import Shutdown
from meter.service.staff_desk import StaffDesk
from meter.service.state import last_will
from meter.settings import Link, MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.staff.sign_in_check import SignInCheck
from meter.store.audit_log import last_staff_change
from meter.store.base import OpenStore, StoreFault
from meter.store.standby import wait_for_turn
from meter.web.permissions import ATTEMPTS
from meter.web.server import MeterServer

BAD_SETTINGS: Final = 2
BAD_STORE: Final = 3
AUDITED_AT_START: Final = 5_000  # records of all links, half a second: more would keep a floor and a standby waiting
STATUS_S: Final = 2.0
_FROM_TABLES: Final = (
    topics.entry_topic,
    topics.hello_topic,
    topics.presence_topic,
    topics.lights_topic,
    topics.sign_in_topic,
    topics.alarm_topic,
)


async def serve(settings: MeterSettings, store: OpenStore, log: Log, program: str) -> int:
    """Wires the parts together; nothing is sent before the books are ours and have passed their audit (R49).

    A long ledger is trusted as far as its last figures are sealed to its last record, and audited behind our back.
    """
    adopt_libraries(log)
    clock = RealClock(asyncio.get_running_loop())
    manager = ServiceManager()
    await wait_for_turn(store, clock, log, manager)
    store.require_room()
    staff = StaffKeeper(settings.folder, clock.wall_ms, last_staff_change(store))
    booker = Booker(store, settings.links, clock.wall_ms, ProofCheck(staff.secret_of))
    was_doubted = await settle_doubt(settings.store, store, log, manager)
    refuse_orphans(store, settings.links)
    heads = booker.open(audited_at_most=AUDITED_AT_START)
    audit = BackgroundAudit(settings.store, {} if was_doubted else booker.unaudited, log)
    desks: dict[str, LinkDesk] = {}
    guard = HangGuard(lambda words: _end_hanging(log, manager, words))
    books = GroupCommit(booker, lambda link, report: desks[link].took(report), guard=guard)
    pipes = {link.name: _mqtt(settings, link, heads[link.name], books=books) for link in settings.links}
    shutdown = Shutdown(booker, desks, pipes, doubt=store.write_doubt, wall_ms=clock.wall_ms)
    feed = ChangeFeed()
    watch = FloorAlarms(store, books.errand, wall_ms=clock.wall_ms, now=clock.now, ring=feed.ring)
    watch.begin(heads, machine=socket.gethostname(), program=program)
    check = SignInCheck(staff, LockOut(settings.folder / ATTEMPTS, clock.now), wall_ms=clock.wall_ms)
    staff_desk = StaffDesk(staff, check, watch)
    desk_for = partial(_desk, booker=booker, submit=books.submit, watch=watch, staff=staff_desk, clock=clock, log=log)
    desks |= {link.name: desk_for(link, heads[link.name], pipes[link.name]) for link in settings.links}
    parts = [shutdown.of(books.run()), shutdown.of(audit.run()), watch.run()]
    parts += [shutdown.of(pipes[name].run(desk)) for name, desk in desks.items()]
    parts += [desk.run() for desk in desks.values()]
    _announce(settings, heads, log)
    ready = f"{len(settings.links)} link(s), broker {settings.broker.address}"
    web_server = MeterServer(
        settings, desks, books.decide, staff=staff, check=check, watch=watch, feed=feed, clock=clock
    )
    parts.append(staff_desk.run(web_server.staff_orders.lock, settings.lock_after_days))
    parts.append(staff_desk.take_pins(web_server.staff_orders.own_pin))
    gc.freeze()  # what stands now stays: going through all of it again and again held up one wager in a thousand
    async with web_server.served():
        parts.append(_keep_status(manager, desks))
        code = await run_all(*parts, log=log, manager=manager, ready=ready, wind_down=watch.end)
    guard.close()
    return code


def _desk(
    link: Link,
    head: Head,
    pipe: BufferedMqttClient,
    *,
    booker: Booker,
    submit: Submit,
    watch: FloorAlarms,
    staff: StaffDesk,
    clock: Clock,
    log: Log,
) -> LinkDesk:
    """The desk of a link; what waits for people there is raised anew."""
    for alarm in standing(link.name, head):
        watch.raised(alarm)
    return LinkDesk(
        link,
        head,
        post=pipe,
        submit=submit,
        wall_ms=clock.wall_ms,
        log=log,
        members=booker.members(link.name),
        watch=watch,
        staff=staff,
    )


def _end_hanging(log: Log, manager: ServiceManager, words: str) -> None:
    """Ends the process from outside its loop, which may never turn again; the last will tells every table."""
    log.error("store_hung", reason=words, advice="the meter is started again by systemd")
    manager.status(words)
    os._exit(BAD_STORE)


async def _keep_status(manager: ServiceManager, desks: Mapping[str, LinkDesk]) -> None:
    while True:
        manager.status("; ".join(desk.status for desk in desks.values()))
        await asyncio.sleep(STATUS_S)


def _mqtt(settings: MeterSettings, link: Link, head: Head, *, books: GroupCommit) -> BufferedMqttClient:
    """A link's pipe; a meter that was passed over must not speak again under the name that another has by now."""
    return BufferedMqttClient(
        settings.broker.known_as(link.identity),
        link.identity,
        topics=[topic(link.name, "+") for topic in _FROM_TABLES],
        will=last_will(link.name, head),
        largest_bytes=wire.MAX_MESSAGE_BYTES,
        prove=books.prove,
        read=books.book_now,
    )


def _announce(settings: MeterSettings, heads: Mapping[str, Head], log: Log) -> None:
    for name, head in heads.items():
        log.info("link_opened", link=name, record=head.number, amount_cents=head.pot.amount_cents)
    log.info("meter_started", broker=settings.broker.address, store=settings.store, links=len(settings.links))


def refused(log: Log, fault: StoreFault) -> int:
    log.error("meter_refused_to_start", reason=str(fault), advice="nothing was published; every table stays closed")
    ServiceManager().status(f"refused to start: {fault}")
    return BAD_STORE
