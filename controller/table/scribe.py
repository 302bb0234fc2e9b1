"""The scribe: one thread that does a journal's work in the order it is asked for, and nothing else."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeAlias

_Order: TypeAlias = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class Scribe:
    """A thread of its own: half the way that an executor takes, and a light waits for every step of it."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="journal", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[], Any]) -> "asyncio.Future[Any]":
        """What work returns or raises, once its turn has come."""
        answer = asyncio.get_running_loop().create_future()
        self._orders.put((work, answer))
        return answer

    def close(self) -> None:
        """Waits until everything asked for is done; nothing may be asked for any more."""
        self._orders.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (order := self._orders.get()) is not None:
            work, answer = order
            try:
                result = work()
            except Exception as error:  # noqa: BLE001  it is raised where the answer is awaited
                _tell(answer, answer.set_exception, error)
            else:
                _tell(answer, answer.set_result, result)


def _tell(answer: "asyncio.Future[Any]", settle: Callable[[Any], None], outcome: object) -> None:
    loop = answer.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: None if answer.done() else settle(outcome))
