"""Chip acceptors on pins: a slot with a gate and one or two beams, and a sensor that a chip rests on."""

from collections.abc import Sequence

from drivers.gpio.gate import Gate, GateDrive
from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.gpio.watch import LineWatch
from drivers.ports import FaultReported, PinFault, Signal
from drivers.recognise.chip_passage import ChipPassage
from drivers.recognise.chip_presence import ChipPresence
from drivers.recognise.debounce import SENSOR_TIMINGS, SLOT_TIMINGS, Timings
from drivers.recognise.geometry import Geometry
from drivers.recognise.wear import SeatHealth


class SlotAcceptor:
    """A slot whose gate is open only while its output is held active; a fault shuts it before anybody is told."""

    def __init__(
        self,
        board: PinRegistry,
        device: str,
        *,
        channel: int,
        beams: Sequence[InputWiring],
        gate: int,
        drive: GateDrive = GateDrive(),  # noqa: B008  a frozen value
        timings: Timings = SLOT_TIMINGS,
        geometry: Geometry | None = None,
    ) -> None:
        """Beams are given from the outside in; the gate is always active high, so that low and dead are shut."""
        self._board = board
        self._now, self._dark = board.clock.now, list[bool]()
        self._passage = ChipPassage(channel, device, beams=len(beams), timings=timings, geometry=geometry)
        self._gate = Gate(board, device, gate, moved=self._gate_moved, drive=drive)
        try:
            self._watch: LineWatch[Signal] = LineWatch(
                board, device, wires=beams, recogniser=self._passage, reread_ms=timings.reread_ms, act=self._act
            )
        except PinFault:
            self._gate.close()
            raise

    def open(self) -> None:
        """Lets chips in, unless there is a fault."""
        if self._passage.is_well:
            self._gate.open()

    def shut(self) -> None:
        """Lets no further chip in."""
        self._gate.shut()

    @property
    def is_busy(self) -> bool:
        """Whether a chip is, or may be, on its way in."""
        return self._passage.is_busy(self._now())

    def retest(self) -> None:
        """Shuts, listens for a while and reports what it finds."""
        self.shut()
        self._watch.retest()

    @property
    def is_open(self) -> bool:
        """Whether its gate lets chips in, or will by itself after a rest."""
        return self._gate.is_open or self._gate.is_resting

    def begin_proof(self) -> None:
        """The emitters are about to go off: what the beams do is no chip."""
        self._watch.pause()

    def see_dark(self) -> None:
        """The emitters are off: every beam must read as broken."""
        self._dark = self._watch.levels()

    def end_proof(self) -> None:
        """The emitters are on again: every beam must be clear."""
        self._watch.resume(self._passage.prove(self._dark, self._watch.levels(), self._now()))

    @property
    def health(self) -> SeatHealth:
        """How close it comes to its limits."""
        return self._passage.wear.look()

    def close(self) -> None:
        """Shuts for good and gives the pins back."""
        self.shut()
        self._watch.close()
        self._gate.close()

    def _act(self, signal: Signal) -> None:
        if isinstance(signal, FaultReported):
            self.shut()
        self._board.report(signal)

    def _gate_moved(self, is_open: bool, at: float) -> None:
        if is_open:
            self._passage.gate_opened(at)
        else:
            self._passage.gate_shut(at)


class SensorAcceptor:
    """A sensor without a gate: what is laid down while it is shut is reported all the same, for the table to refuse."""

    def __init__(
        self,
        board: PinRegistry,
        device: str,
        *,
        channel: int,
        sensor: InputWiring,
        has_chip: bool = False,
        timings: Timings = SENSOR_TIMINGS,
    ) -> None:
        """has_chip: whether the journal says that a chip rests there; then its presence at the start is no fault."""
        self._presence = ChipPresence(channel, device, timings=timings, has_chip=has_chip)
        self._watch: LineWatch[Signal] = LineWatch(
            board, device, wires=[sensor], recogniser=self._presence, reread_ms=timings.reread_ms, act=board.report
        )

    def open(self) -> None:
        """Nothing stands in a chip's way here."""

    def shut(self) -> None:
        """Nothing can be put in a chip's way here."""

    @property
    def is_busy(self) -> bool:
        """Whether a chip is just being laid down or lifted."""
        return self._presence.is_busy

    def retest(self) -> None:
        """Listens for a while and reports what it finds; the sensor must be clear."""
        self._watch.retest()

    @property
    def health(self) -> SeatHealth:
        """How often it was used and failed."""
        return self._presence.wear.look()

    def close(self) -> None:
        """Gives the pin back."""
        self._watch.close()
