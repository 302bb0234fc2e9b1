"""The acceptors of one ccTalk wire, asked in turn; what must be shut is told before anything else is asked."""

import asyncio
from contextlib import suppress
from typing import Final

from common.clock import Clock
from drivers.cctalk.acceptor import AcceptorAddress, CcTalkAcceptor
from drivers.cctalk.bus import Bus
from drivers.ports import Report
from drivers.recognise.wear import SeatHealth

POLL_S: Final = 0.2  # the standard's pace; an acceptor that hears nothing for a second shuts itself
SHUT_S: Final = 1.0
"""In so much time every acceptor has been shut and its last chip told: a burst, the way in, a round of polls."""


class AcceptorPoller:
    """One wire with its acceptors; run() serves them for ever."""

    def __init__(self, bus: Bus, clock: Clock, report: Report, *, poll_s: float = POLL_S) -> None:
        self._bus, self._clock, self._report, self._poll_s = bus, clock, report, poll_s
        self._acceptors: list[CcTalkAcceptor] = []
        self._news = asyncio.Event()

    def add(self, device: str, place: AcceptorAddress, channel: int) -> "PolledAcceptor":
        """One more acceptor on the wire."""
        acceptor = CcTalkAcceptor(self._bus, device, place, channel=channel, report=self._report)
        self._acceptors.append(acceptor)
        return PolledAcceptor(acceptor, self._news)

    async def run(self) -> None:
        """Meets, shuts and opens, and polls, in this order of urgency."""
        while True:
            self._news.clear()
            await self._obey_all()
            await self._serve_next()

    async def stop(self) -> None:
        """Shuts every acceptor on the way out, as far as they answer; the rest shut themselves when nobody asks."""
        for acceptor in self._acceptors:
            acceptor.shut()
        await self._obey_all()

    async def _obey_all(self) -> None:
        """One burst: each is told once, those to be shut first; who did not answer is told again after a poll."""
        behind = [acceptor for acceptor in self._acceptors if acceptor.is_behind]
        for acceptor in sorted(behind, key=CcTalkAcceptor.opens):
            await acceptor.obey(self._clock)

    async def _serve_next(self) -> None:
        now = self._clock.now()
        for acceptor in self._acceptors:
            if not acceptor.is_met:
                await acceptor.meet(self._clock)
                return
        heard = [acceptor for acceptor in self._acceptors if acceptor.is_heard]
        following = min(heard, key=lambda acceptor: acceptor.due, default=None)
        if following is not None and following.due <= now:
            following.due = now + self._poll_s
            await following.poll(self._clock)
        else:
            await self._wait(None if following is None else following.due - now)

    async def _wait(self, seconds: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()


class PolledAcceptor:
    """An acceptor as a table knows it: whatever is wanted of it wakes its chain at once."""

    def __init__(self, acceptor: CcTalkAcceptor, news: asyncio.Event) -> None:
        self._acceptor, self._news = acceptor, news

    def open(self) -> None:
        """Lets chips in, unless there is a fault."""
        self._acceptor.open()
        self._news.set()

    def shut(self) -> None:
        """Lets no further chip in, as soon as the wire has carried it there."""
        self._acceptor.shut()
        self._news.set()

    @property
    def is_busy(self) -> bool:
        """Whether it is still being shut, or a chip from before may not have been told yet."""
        return self._acceptor.is_busy()

    def retest(self) -> None:
        """Shuts, asks again who is there and reports what it finds."""
        self._acceptor.retest()
        self._news.set()

    @property
    def health(self) -> SeatHealth:
        """How many chips it took, gave back, and how often it failed."""
        return self._acceptor.wear.look()

    def close(self) -> None:
        """The wire is closed by whoever opened it; unasked, the acceptor shuts itself."""
        self.shut()
