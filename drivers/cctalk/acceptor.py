"""A ccTalk coin acceptor at a seat: credits out of its event buffer, its master inhibit as the lock-out."""

from collections.abc import Container
from typing import Final

from msgspec import Struct

from common.clock import Clock
from drivers.cctalk.bus import Bus, BusyFault
from drivers.cctalk.commands import Header
from drivers.cctalk.credits import (
    COIN_ACCEPTOR,
    AcceptorHeader,
    CoinSeen,
    ErrorSeen,
    NewEvents,
    mask,
    read_news,
    self_check,
    status_code,
)
from drivers.cctalk.frame import HOST, CcTalkMessage
from drivers.ports import ChipEntered, FaultCleared, FaultKind, FaultReported, Report, ReturnFault
from drivers.recognise.wear import Wear

MISSES_FORGIVEN: Final = 3
POLLS_TO_REMIND: Final = 10


class AcceptorAddress(Struct, frozen=True):
    """Which acceptor serves a seat, and which of its coins is the chip."""

    address: int
    coins: tuple[int, ...] = (1,)
    in_flight_ms: float = 200  # from the decision to let a chip in until its credit, at most


class CcTalkAcceptor:
    """One acceptor of a chain: open() and shut() say what is wanted, the chain's turns make it so."""

    def __init__(self, bus: Bus, device: str, place: AcceptorAddress, *, channel: int, report: Report) -> None:
        self._bus, self._device, self._place = bus, device, place
        self._channel, self._report = channel, report
        self._wants_open = False
        self._told_open: bool | None = None  # what it has acknowledged; None: nobody knows
        self._shut_at = self._polled_at = 0.0
        self._counter: int | None = None
        self._misses = self._polls = 0
        self._is_faulty = self._is_on_trial = self._is_alone = False
        self._has_master = True  # it knows the master inhibit
        self.is_met = False
        self.due = 0.0
        self.wear = Wear()

    def open(self) -> None:
        """Wants chips let in, unless there is a fault or a trial."""
        self._wants_open = not (self._is_faulty or self._is_on_trial)

    def shut(self) -> None:
        """Wants no further chip let in."""
        self._wants_open = False

    def is_busy(self) -> bool:
        """Whether it is still being shut, or a chip from before may not have been told yet."""
        if self._is_faulty or self._wants_open or not self.is_met:
            return False
        return self._told_open is not False or self._polled_at < self._shut_at + self._place.in_flight_ms / 1000

    def retest(self) -> None:
        """Shuts, and is met again at the next turn."""
        self._wants_open, self._is_on_trial, self.is_met = False, True, False

    def opens(self) -> bool:
        """Whether chips are to be let in; who is to be shut comes first."""
        return self._wants_open

    @property
    def is_behind(self) -> bool:
        """Whether it has not acknowledged what is wanted."""
        return self.is_met and self._told_open is not self._wants_open

    async def meet(self, clock: Clock) -> None:
        """Asks who is there, shuts it, takes its counter as it stands and says what came of it."""
        self.is_met = True
        try:
            await self._identify()
            await self._require_alone()
            await self._shut_anyhow()
            self._told_open, self._shut_at = False, clock.now()
            await self._require_healthy()
            self._counter = (await self._news(None)).counter
        except ReturnFault as fault:
            await self._fail(fault)
            return
        was_on_trial, self._is_on_trial = self._is_on_trial, False
        self._is_faulty, self._misses, self._polled_at = False, 0, clock.now()
        if was_on_trial:
            self._report(FaultCleared(self._device))

    async def obey(self, clock: Clock) -> None:
        """Puts its master inhibit as wanted, once; a missing answer counts as a miss and is tried again."""
        wanted = self._wants_open
        try:
            await self._once(*self._order(wanted), 0)
        except ReturnFault as fault:
            await self._miss(fault)
            return
        self._told_open = wanted
        if not wanted:
            self._shut_at = clock.now()
            self.due = self._shut_at + self._place.in_flight_ms / 1000  # then its last chip is in the buffer

    async def poll(self, clock: Clock) -> None:
        """Asks for news, once, and reports it."""
        asked_at = clock.now()
        try:
            news = await self._news(self._counter)
        except ReturnFault as fault:
            await self._miss(fault)
            return
        self._misses, self._counter = 0, news.counter
        for seen in news.seen:
            self._tell(seen, clock.now())
        self._judge(news)
        self._polled_at = asked_at
        self._polls += 1
        if self._polls % POLLS_TO_REMIND == 0 and self.is_heard:
            await self._remind()

    async def _remind(self) -> None:
        """Says again what it was told: one that restarted before its first event counts from 0 as if nothing were."""
        try:
            if self._has_master:
                await self._once(AcceptorHeader.MODIFY_INHIBIT_STATUS, mask(self._place.coins), 0)
            await self._once(*self._order(bool(self._told_open)), 0)
        except ReturnFault as fault:
            await self._miss(fault)

    @property
    def is_heard(self) -> bool:
        """Whether it may be asked: it was met and nothing is wrong with it."""
        return self.is_met and not self._is_faulty

    def _tell(self, seen: CoinSeen | ErrorSeen, at: float) -> None:
        match seen:
            case CoinSeen(coin=coin) if coin in self._place.coins:
                self.wear.accepted()
                self._report(ChipEntered(self._channel, at))
            case CoinSeen(coin=coin):
                self._fault(FaultKind.SPURIOUS, f"took coin {coin}, which is no chip of this table: look what went in")
            case ErrorSeen(code=code):
                self._tell_code(code)

    def _tell_code(self, code: int) -> None:
        meaning = status_code(code)
        if meaning.fault is not None:
            self._fault(meaning.fault, f"{meaning.words} (code {code})")
        elif meaning.is_chip_back:
            self.wear.rejected()

    def _judge(self, news: NewEvents) -> None:
        if news.was_reset:
            self._fault(FaultKind.RESET, "restarted by itself, a chip may be missing: check its power and the count")
        elif news.lost:
            self._fault(FaultKind.GARBLED, f"{news.lost} events came too fast to be told: check the count")

    async def _identify(self) -> None:
        category = await self._text(Header.REQUEST_EQUIPMENT_CATEGORY_ID)
        if category != COIN_ACCEPTOR:
            problem = f"address {self._place.address} is a {category!r}, not a {COIN_ACCEPTOR!r}; correct the address"
            raise ReturnFault(FaultKind.MISSING, problem)

    async def _shut_anyhow(self) -> None:
        """Shuts it by its master inhibit, or coin by coin where it has none, and lets in no coin but the chip."""
        self._has_master = True
        try:
            await self._say(*self._order(False))
            await self._say(AcceptorHeader.MODIFY_INHIBIT_STATUS, mask(self._place.coins))
        except ReturnFault as fault:
            if fault.kind is FaultKind.MISSING:
                raise
            self._has_master = False
            await self._say(*self._order(False))

    def _order(self, is_open: bool) -> tuple[AcceptorHeader, bytes]:
        """The words that let chips in, or none."""
        if self._has_master:
            return AcceptorHeader.MODIFY_MASTER_INHIBIT_STATUS, bytes((is_open,))
        return AcceptorHeader.MODIFY_INHIBIT_STATUS, mask(self._place.coins if is_open else ())

    async def _require_healthy(self) -> None:
        """Has it test itself; one that does not know how is believed when it answers everything else."""
        try:
            answer = await self._twice(
                CcTalkMessage(self._place.address, HOST, AcceptorHeader.PERFORM_SELF_CHECK), range(1, 4)
            )
        except ReturnFault as fault:
            if fault.kind is FaultKind.MISSING or isinstance(fault, BusyFault):
                raise
            return
        found = self_check(answer.data[0]) if answer.header == Header.REPLY else None
        if found is not None:
            kind, words = found
            raise ReturnFault(kind, f"{words} (self-check {answer.data[0]})")

    async def _miss(self, fault: ReturnFault) -> None:
        self._misses += 1
        if self._misses > MISSES_FORGIVEN or fault.kind is FaultKind.MISSING:
            await self._fail(fault)

    async def _fail(self, fault: ReturnFault) -> None:
        """It cannot be spoken to: unasked, it shuts itself within a second, as the standard wants."""
        detail = fault.detail
        if fault.kind is FaultKind.GARBLED and await self._is_shared():
            detail = self._clash
        self._fault(fault.kind, detail)
        self._told_open = False

    async def _require_alone(self) -> None:
        """A roll call takes a second of the wire, so it is held once; later only noise is a reason for another."""
        if not self._is_alone and await self._is_shared():
            raise ReturnFault(FaultKind.GARBLED, self._clash)
        self._is_alone = True

    async def _is_shared(self) -> bool:
        try:
            return await self._bus.roll_call(self._place.address) > 1
        except ReturnFault:  # the wire went as well: what is known already is told
            return False

    @property
    def _clash(self) -> str:
        return f"two devices answer at address {self._place.address}; give one of them another address"

    def _fault(self, kind: FaultKind, detail: str) -> None:
        self._wants_open = False
        if self._is_faulty and not self._is_on_trial:
            return
        self._is_faulty, self._is_on_trial = True, False
        self.wear.failed()
        self._report(FaultReported(self._device, kind, f"{detail}, then retest"))

    async def _text(self, header: Header) -> str:
        answer = await self._twice(CcTalkMessage(self._place.address, HOST, header), range(256))
        return answer.data.decode("ascii", errors="replace").strip("\0 ")

    async def _say(self, header: AcceptorHeader, data: bytes) -> None:
        self._require_consent(await self._twice(CcTalkMessage(self._place.address, HOST, header, data), (0,)))

    async def _twice(self, request: CcTalkMessage, sizes: Container[int]) -> CcTalkMessage:
        """Asks once more at most: while one acceptor is silent, the others wait for their turn."""
        try:
            return await self._bus.ask_once(request, sizes)
        except ReturnFault as fault:
            if fault.kind is FaultKind.MISSING:
                raise
            return await self._bus.ask_once(request, sizes)

    async def _once(self, header: AcceptorHeader, data: bytes, size: int) -> bytes:
        answer = await self._bus.ask_once(CcTalkMessage(self._place.address, HOST, header, data), (size,))
        self._require_consent(answer)
        return answer.data

    async def _news(self, before: int | None) -> NewEvents:
        return read_news(before, await self._once(AcceptorHeader.READ_BUFFERED_CREDIT_OR_ERROR_CODES, b"", 11))

    def _require_consent(self, answer: CcTalkMessage) -> None:
        if answer.header == Header.NAK:
            raise ReturnFault(FaultKind.GARBLED, f"address {self._place.address} refuses what every acceptor does")
