"""Staff desk of a meter: what links publish and ask of the staff directory, and who is locked after long disuse."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from common.auth.directory import DirectoryFault, NoDirectory
from link.messages import SignInAnswer, SignInAsked
from meter.service.alarms import AlarmSink, staff_alarm
from meter.staff.keeper import StaffKeeper
from meter.staff.sign_in_check import SignInCheck

LOOK_S: Final = 3600.0
"""How often the meter looks for persons whom nobody saw for long, and whether the directory is sound."""


class StaffDesk:
    """The staff as the links see it."""

    def __init__(self, keeper: StaffKeeper, check: SignInCheck, watch: AlarmSink) -> None:
        self._keeper, self._check, self._watch = keeper, check, watch

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

    async def run(self, lock: Callable[[str], Awaitable[None]], after_days: int) -> None:
        """Locks whomever nobody saw for so many days (0: nobody), for ever."""
        while True:
            if self.sealed() is not None and after_days:
                for number in self._unused(after_days):
                    await lock(number)
            await asyncio.sleep(LOOK_S)

    def _unused(self, days: int) -> Iterable[str]:
        return self._check.unused(self._keeper.directory(), days)
