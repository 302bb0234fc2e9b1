"""Handing over: a meter that cannot reach its broker leaves the books to another one, which may."""

import asyncio
from collections.abc import Collection
from typing import Final, Protocol

from common.log import Log

LOOK_S: Final = 1.0


class BrokerLost(Exception):  # noqa: N818  the pit says what is the matter
    """No link has had the broker for so long that another meter should try."""


class BrokerReach(Protocol):
    """The part of a pipe that says whether the broker is there."""

    @property
    def is_up(self) -> bool: ...


async def hand_over_without_broker(pipes: Collection[BrokerReach], give_up_s: float, log: Log) -> None:
    """Raises BrokerLost once no link has had the broker for so long; one link that has it keeps the books here.

    Of two meters that both cannot reach it each has the books for so long, and then the other. Looks are counted and
    not the time: a machine that stood still has not looked for its broker.
    """
    missed = 0
    while missed * LOOK_S < give_up_s:
        await asyncio.sleep(LOOK_S)
        missed = 0 if any(mqtt.is_up for mqtt in pipes) else missed + 1
    words = f"no broker for {give_up_s:g} s"
    log.warning("lock_released", reason=words, advice="another meter takes them; see why this one has no broker")
    raise BrokerLost(f"{words}: this meter ends, so that another one may take the books")
