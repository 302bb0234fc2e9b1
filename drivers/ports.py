"""What the controller may ask of a device and what a device may report."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeAlias

from msgspec import Struct

from drivers.light_patterns import Pattern


class FaultKind(Enum):
    """How a device can be wrong; the value is what logs and journals say."""

    STUCK = "stuck"  # an input that does not let go
    CHATTER = "chatter"  # more edges than a chip or a finger can make
    SPURIOUS = "spurious"  # something seen where nothing can be
    TWO_CHIPS = "two chips"  # one behind the other without a gap
    FLAT_CHIP = "flat chip"  # a chip that does not stand upright, or something else as short
    HELD_CHIP = "held chip"  # longer in a beam than any fall takes
    DRAWN_BACK = "drawn back"  # a chip on a string
    DAZZLED = "dazzled"  # a receiver that sees light while its emitter is off
    DARK = "dark"  # a receiver that sees no light while its emitter is on
    OUT_OF_ORDER = "out of order"  # beams broken in an impossible order
    JAM = "jam"  # chips that do not move
    SILENT = "silent"  # a device that does not answer
    GARBLED = "garbled"  # answers that make no sense
    MISSING = "missing"  # no such pin, port or device
    RESET = "reset"  # a device that restarted by itself
    REFUSED = "refused"  # a device that answers and does not do what it is told
    DISTRUSTED = "distrusted"  # a count that may be wrong
    STOPPED = "stopped"  # a device that was told to stand still before it was done


class ChipEntered(Struct, frozen=True, tag=True):
    """A chip went all the way in (slot) or came to rest (sensor)."""

    channel: int
    at: float


class ChipTaken(Struct, frozen=True, tag=True):
    """The chip that rested on a sensor was taken away."""

    channel: int
    at: float


class ButtonPressed(Struct, frozen=True, tag=True):
    """A button was pressed and meant it (debounced)."""

    name: str
    at: float


class KeyTurned(Struct, frozen=True, tag=True):
    """A key switch stands in a new position (debounced)."""

    name: str
    on: bool
    at: float


class FaultReported(Struct, frozen=True, tag=True):
    """A device is wrong; detail is for the person who must act."""

    device: str
    kind: FaultKind
    detail: str


class FaultCleared(Struct, frozen=True, tag=True):
    """The cause of a fault was tested again and is gone."""

    device: str


Signal: TypeAlias = ChipEntered | ChipTaken | ButtonPressed | KeyTurned | FaultReported | FaultCleared
Report: TypeAlias = Callable[[Signal], None]
"""Called in the loop's thread, never from a pin's own thread."""


class Lamp(Protocol):
    """One lamp."""

    def show(self, pattern: Pattern) -> None: ...


class Acceptor(Protocol):
    """One chip acceptor; it starts shut, and shut is what it is without power or program."""

    def open(self) -> None:
        """Lets chips in; does nothing while the acceptor has a fault or is being retested."""
        ...

    def shut(self) -> None: ...

    @property
    def is_busy(self) -> bool:
        """Whether a chip is, or may be, on its way in at this moment."""
        ...

    def retest(self) -> None:
        """Shuts and looks again; reports FaultCleared (then it may be opened), or FaultReported once more."""
        ...


class Control(Protocol):
    """A button or a key switch; it reports by itself."""

    def retest(self) -> None:
        """Looks at the input again; reports FaultCleared, or FaultReported once more."""
        ...

    def close(self) -> None:
        """Lets go of the pin."""
        ...


class PinFault(Exception):  # noqa: N818  it is a fault in the pit's words, raised while devices are fitted
    """A device cannot have the pin it asks for."""

    def __init__(self, device: str, problem: str) -> None:
        super().__init__(f"{device}: {problem}")
        self.device = device
        self.problem = problem


class Identity(Struct, frozen=True):
    """Who a return device says it is."""

    maker: str
    product: str
    serial: str


class Reading(Struct, frozen=True):
    """A return device's running count of chips; counts compare only within one epoch."""

    epoch: str
    count: int
    modulus: int = 1 << 24

    def chips_since(self, earlier: "Reading") -> int:
        """Chips counted since an earlier reading of the same epoch."""
        return (self.count - earlier.count) % self.modulus


class ReturnFault(Exception):  # noqa: N818  it is a fault in the pit's words, raised by devices
    """A return device could not do what it was asked; nothing it did is hidden by that."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class ReturnDevice(Protocol):
    """The table inventory return device."""

    async def identify(self) -> Identity: ...

    async def reading(self) -> Reading: ...

    async def empty(self, progress: Callable[[Reading], None], *, most: int | None = None) -> Reading:
        """Gives back every chip it holds, telling progress each count; safe to call again after a fault or crash.

        With most it stops after so many.
        """
        ...

    async def stop(self) -> None:
        """Stands still at once."""
        ...
