"""Supervision: a part that dies ends the process, a signal ends it cleanly, and systemd is told how we are."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

from common.log import Log

STOPPED: Final = 0
DIED: Final = 1
Part: TypeAlias = Coroutine[Any, Any, None]
Hear: TypeAlias = Callable[[str], None]
WindDown: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class ServiceManager:
    """What systemd hears from us (sd_notify); without systemd nobody hears it."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        pid = environ.get("WATCHDOG_PID", str(os.getpid()))
        self._watchdog_us = int(environ.get("WATCHDOG_USEC", "0")) if pid == str(os.getpid()) else 0

    def ready(self, status: str) -> None:
        """We do our work from now on."""
        self._say(f"READY=1\nSTATUS={status}")

    def still_starting(self, status: str, more_s: float) -> None:
        """We are not ready yet and ask for so much more time."""
        self._say(f"EXTEND_TIMEOUT_USEC={int(more_s * 1_000_000)}\nSTATUS={status}")

    def status(self, text: str) -> None:
        """What systemctl status shows."""
        self._say(f"STATUS={text}")

    def stopping(self) -> None:
        """We are on our way out."""
        self._say("STOPPING=1\nSTATUS=stopping")

    def alive(self) -> None:
        """We work; for those who have looked themselves."""
        self._say("WATCHDOG=1")

    async def pet_watchdog(self) -> None:
        """Shows for ever, at twice the asked pace, that the loop turns."""
        while self._watchdog_us:
            self.alive()
            await asyncio.sleep(self._watchdog_us / 2_000_000)
        await asyncio.Event().wait()

    def _say(self, words: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # A manager that does not listen must never stop a table.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
            sender.sendto(words.encode(), address)


def _unheard(reason: str) -> None:
    """Where only the log keeps why a part died."""
    del reason


async def _at_once() -> None:
    """Where nothing is under way that would have to be seen through."""


async def run_all(
    *parts: Part,
    log: Log,
    manager: ServiceManager,
    ready: str = "",
    wind_down: WindDown = _at_once,
    on_death: Hear = _unheard,
) -> int:
    """Runs parts that never end, until SIGTERM or SIGINT (0) or until one ends (1); every part is ended properly.

    The manager hears ready only when a signal would already be a clean stop: first wind_down, while the parts still
    run, then their end; on_death hears why a part has died.
    """
    stop = asyncio.Event()
    tasks = [asyncio.create_task(part, name=_name(part)) for part in (*parts, manager.pet_watchdog())]
    waiter = asyncio.create_task(stop.wait(), name="signal")
    with _signals_set(stop):
        manager.ready(ready)
        await asyncio.wait([*tasks, waiter], return_when=asyncio.FIRST_COMPLETED)
    manager.stopping()
    if stop.is_set():
        await wind_down()
    code = STOPPED if stop.is_set() else DIED
    for task in tasks:
        if task.done():
            code = DIED
            on_death(_explain(task, log))
    return max(code, await _end([*tasks, waiter], log, on_death))


async def _end(tasks: list["asyncio.Task[Any]"], log: Log, on_death: Hear) -> int:
    """Cancels what still runs and waits for it; a part that fails on its way out has died."""
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    failed = [task for task in running if not task.cancelled() and task.exception()]
    for task in failed:
        on_death(_explain(task, log))
    return DIED if failed else STOPPED


def _explain(task: "asyncio.Task[Any]", log: Log) -> str:
    error = None if task.cancelled() else task.exception()
    reason = f"{type(error).__name__}: {error}" if error else "it ended, and it never should"
    log.error("part_died", part=task.get_name(), reason=reason, exc_info=error)
    return f"{task.get_name()}: {reason}"


def _name(part: Part) -> str:
    return getattr(part, "__qualname__", "part")


@contextmanager
def _signals_set(stop: asyncio.Event) -> Iterator[None]:
    """The first signal asks for a clean stop; a second one is no longer ours and ends the process at once."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
