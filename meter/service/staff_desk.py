"""Staff desk of a meter: what links publish and ask of the staff directory, and who is locked after long disuse."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from common.auth.directory import DirectoryFault, NoDirectory
from link.messages import VERSION, SignInAnswer, SignInAsked, shortened
from meter.service.alarms import AlarmSink, staff_alarm
from meter.staff.changes import OwnPin
from meter.staff.keeper import StaffKeeper
from meter.staff.sign_in_check import SignInCheck

LOOK_S: Final = 3600.0
"""How often the meter looks for persons whom nobody saw for long, and whether the directory is sound."""

MOST_WAITING: Final = 50
"""Changes of PINs that wait their turn."""


class StaffDesk:
    """The staff as the links see it."""

    def __init__(self, keeper: StaffKeeper, check: SignInCheck, watch: AlarmSink) -> None:
        self._keeper, self._check, self._watch = keeper, check, watch
        self._pins: asyncio.Queue[tuple[OwnPin, str, Callable[[SignInAnswer], None]]] = asyncio.Queue(MOST_WAITING)

    def sealed(self) -> bytes | None:
        """The directory as tables take it; None while there is none that counts, with an alarm if there was one."""
        try:
            sealed = self._keeper.sealed()
        except NoDirectory:
            return None
        except DirectoryFault as fault:
            self._watch.raised(staff_alarm(str(fault)))
            return None
        self._watch.over("staff directory", "", "")
        return sealed

    def answer(self, link: str, asked: SignInAsked, journal: str) -> SignInAnswer | None:
        """Whether somebody may sign in at a table."""
        return self._check.answer(link, asked, journal)

    def change_pin(self, link: str, asked: SignInAsked, journal: str, then: Callable[[SignInAnswer], None]) -> None:
        """Somebody chose another PIN at a table: the answer comes when the directory with it is on disk."""
        opened = self._check.own_pin(link, asked, journal)
        if isinstance(opened, SignInAnswer):
            then(opened)
        elif self._pins.full():
            then(SignInAnswer(VERSION, asked.nonce, "too many PINs are changed at once: try again in a minute"))
        else:
            self._pins.put_nowait((opened, asked.nonce, then))

    async def take_pins(self, own_pin: Callable[[str, str], Awaitable[str]]) -> None:
        """Carries out changes of PINs that were asked for at tables, one after the other, for ever."""
        while True:
            change, nonce, then = await self._pins.get()
            then(SignInAnswer(VERSION, nonce, shortened(await own_pin(change.number, change.pin))))

    async def run(self, lock: Callable[[str], Awaitable[None]], after_days: int) -> None:
        """Locks whomever nobody saw for so many days (0: nobody), for ever."""
        while True:
            if self.sealed() is not None and after_days:
                for number in self._unused(after_days):
                    await lock(number)
            await asyncio.sleep(LOOK_S)

    def _unused(self, days: int) -> Iterable[str]:
        return self._check.unused(self._keeper.directory(), days)
