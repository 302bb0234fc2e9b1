"""The collector: has the return device give every chip to the rack and posts the count (1.13Q(e)4, 1.20(a)7)."""

import asyncio
from typing import Final, Protocol

from controller.settings.device_names import RETURN_DEVICE
from controller.table.loop import TableLoop
from drivers.ports import FaultKind, Reading, ReturnDevice, ReturnFault
from games.refusal import because
from games.round.events import ChipsCounted, ChipsReturned, CollectionStarted, DeviceFaulted, DeviceMended
from games.round.state import Collection, DeviceFault, Phase, RoundState

ASK_AGAIN_S: Final = 2.0
OVERTAKEN: Final = because("count_overtaken")
_OF_THE_WIRE: Final = frozenset(kind.value for kind in (FaultKind.SILENT, FaultKind.MISSING, FaultKind.GARBLED))
"""What a sound answer mends; everything else is mended by running until it is empty, and by nothing less."""


class Acceptors(Protocol):
    """The ways in, which must be empty where a count closes the wagers (20.13(b), 2.19(b))."""

    async def drain(self) -> None:
        """Lets no chip in and waits until none is on its way."""
        ...

    def stand_as_booked(self) -> None:
        """Lets chips in again where the book says so."""
        ...


class Collector:
    """Runs one collection at a time."""

    def __init__(self, table: TableLoop, device: ReturnDevice, throats: Acceptors) -> None:
        self._table = table
        self._device = device
        self._throats = throats
        self._wanted = asyncio.Event()
        self._look = self._try = False
        self.is_running = False

    def start(self) -> None:
        """Asks for a collection; asking twice is asking once."""
        self._wanted.set()

    def look(self) -> None:
        """Asks the device who it is; no motor turns."""
        self._look = True
        self._wanted.set()

    def retest(self) -> None:
        """Somebody has seen to the device: has it prove that it works."""
        self._try = True
        self.look()

    async def run(self) -> None:
        """Serves orders for ever."""
        while True:
            await self._order()
            self.is_running = True
            await self._serve_or_fault()
            self.is_running = False

    async def _order(self) -> None:
        """Waits to be wanted; a device that fell silent is asked again by itself, for it may be plugged in again."""
        patience = ASK_AGAIN_S if self._fault is not None and self._fault.kind in _OF_THE_WIRE else None
        try:
            async with asyncio.timeout(patience):
                await self._wanted.wait()
        except TimeoutError:
            self._look = True
        self._wanted.clear()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being collected or asked for."""
        return not self.is_running and not self._wanted.is_set()

    async def stop(self) -> None:
        """Has the device stand still."""
        try:
            await self._device.stop()
        except ReturnFault:
            return

    @property
    def _fault(self) -> DeviceFault | None:
        return self._table.state.faults.get(RETURN_DEVICE)

    @property
    def _is_distrusted(self) -> bool:
        """Whether the device may have miscounted: even after a reset this round believes no count of it."""
        return self._fault is not None and self._fault.kind == FaultKind.DISTRUSTED.value

    async def _serve_or_fault(self) -> None:
        try:
            await self._serve()
        except ReturnFault as fault:
            known = self._fault
            if known is None or (known.kind, known.detail) != (fault.kind.value, fault.detail):
                await self._table.ask(DeviceFaulted(RETURN_DEVICE, fault.kind.value, fault.detail))

    async def _serve(self) -> None:
        """Collects what is to be counted, or else tests what was at fault; both mend it, if they go well."""
        is_to_look, is_to_try = self._look or self._fault is not None, self._try
        self._look = self._try = False
        if is_to_look:
            await self._device.identify()
        state = self._table.state
        if state.is_to_be_counted and state.counted is None:
            if not self._is_distrusted:
                await self._collect()
        elif self._fault is not None and self._fault.kind in _OF_THE_WIRE:
            await self._mend("it answers")
        elif self._fault is not None and is_to_try and not _holds_wagers(state):
            await self._try_out()

    async def _try_out(self) -> None:
        start = await self._device.reading()
        end = await self._device.empty(lambda _now: None)
        chips = end.chips_since(start)
        await self._mend(f"it ran until it was empty; {chips} chips came out", chips)

    async def _mend(self, proof: str, chips_out: int = 0) -> None:
        if self._fault is not None:
            await self._table.ask(DeviceMended(RETURN_DEVICE, proof, chips_out))

    async def _collect(self) -> None:
        """The counter is on disk before a chip moves, so that a crash in the middle costs no chip its count."""
        number = self._table.state.counts
        if not self._table.state.chips_due and self._table.state.collection is None:
            await self._counted(0, number)
            return
        start = await self._device.reading()
        begun = await self._table.ask(CollectionStarted(start.epoch, start.count))
        since = begun.state.collection
        if begun.refusal is not None or since is None:
            return  # the round was voided meanwhile; its chips are counted with the next one's
        end = await self._device.empty(lambda now: self._progress(since, now))
        await self._mend("it ran until it was empty")
        await self._counted(_chips(since, end), number)

    async def _counted(self, chips: int, number: int) -> None:
        """Posts the count; one that a wager overtook is none, for another has been ordered by then."""
        if self._table.state.phase is Phase.COUNTING:
            await self._throats.drain()
        await self._table.ask(ChipsCounted(chips), unless=lambda state: OVERTAKEN if state.counts != number else None)
        self._throats.stand_as_booked()

    def _progress(self, since: Collection, now: Reading) -> None:
        chips = _chips(since, now)
        if chips > self._table.state.returned:
            self._table.post(ChipsReturned(chips))


def _holds_wagers(state: RoundState) -> bool:
    """Whether wagers lie in the device that no count has begun for: lock-out will, and then they are its proof."""
    return state.phase is Phase.OPEN and state.chips_due > state.loose_chips


def _chips(since: Collection, now: Reading) -> int:
    return since.carried + (now.count - since.count) % now.modulus
