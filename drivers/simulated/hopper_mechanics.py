"""The metal of a simulated hopper: chips, disc, exit and the counters beside them; time comes in with every call."""

from enum import Enum

from drivers.cctalk.commands import DAZZLED, JAMMED, HopperFlag


class Jam(Enum):
    """How chips can fail to come out."""

    DISC = "disc"  # the disc cannot turn: the motor reverses, then its current is cut
    EXIT = "exit"  # a chip stands in the exit beam, also after a restart
    LIGHT = "light"  # somebody shines a light into the exit
    BRIDGE = "bridge"  # chips hold each other above the disc: it turns in vain, as if there were none


class HopperMechanics:
    """What turns, falls and counts."""

    def __init__(self, *, chip_ms: float = 150, lifetime: int = 0) -> None:
        self.chip_ms = chip_ms
        self.lifetime = lifetime
        self.stock = 0
        self.given = 0  # chips that left, whatever the counters say
        self.jam: Jam | None = None
        self.jam_after = 0  # chips that still come before the jam
        self.cut_after: int | None = None  # chips that still come before the power fails
        self.cuts_a_write = False  # it fails while the last chip is written down
        self.vanishing = 0  # chips that fall in and are not there
        self.miscount = 0  # how many too many the next chip is counted
        self.reversals = 0  # how often the motor will turn back to free the disc
        self.reverses_in_vain = False  # the motor turns back whenever no chip comes, as some hoppers do
        self.flags = HopperFlag(0)
        self.remaining = self.paid = self.unpaid = 0
        self.due: float | None = None  # when something happens next, while the motor runs
        self._timeout = 0.0

    @property
    def is_stuck(self) -> bool:
        """Whether the jam stands now."""
        return self.jam is not None and self.jam_after <= 0

    def load(self, chips: int, now: float) -> None:
        """Chips fall in; a disc that turns in vain finds them."""
        lost = min(self.vanishing, chips)
        self.vanishing -= lost
        self.stock += chips - lost
        if self.due is not None:
            self.due = self._next_due(now)

    def start(self, chips: int, now: float, timeout: float) -> None:
        """Turns the disc until that many chips came out, or none came for timeout seconds."""
        self.flags &= ~HopperFlag.PAYOUT_TIMEOUT
        self.remaining, self.paid, self.unpaid = chips, 0, 0
        self._timeout = timeout
        self.due = self._next_due(now) if chips else None
        self.advance(now)

    def halt(self) -> None:
        """Stops the motor where it is."""
        if self.due is not None:
            self.remaining, self.unpaid, self.due = 0, self.remaining, None

    def forget_a_chip(self) -> None:
        """The power failed before the last chip was written down."""
        if self.paid:
            self.lifetime = (self.lifetime - 1) % (1 << 24)

    def advance(self, now: float) -> None:
        """All that the disc does by now, or until the power fails."""
        while self.due is not None and self.due <= now and self.cut_after != 0:
            self._turn(self.due)

    def _next_due(self, now: float) -> float:
        is_in_vain = self.jam is Jam.BRIDGE if self.is_stuck else not self.stock
        return now + (self._timeout if is_in_vain else self.chip_ms / 1000)

    def _turn(self, now: float) -> None:
        if self.reversals:
            self.reversals -= 1
            self.flags |= HopperFlag.MOTOR_REVERSED
        if self.is_stuck:
            self._jam()
        elif self.stock:
            self._give()
        else:
            self.flags |= HopperFlag.PAYOUT_TIMEOUT
            if self.reverses_in_vain:
                self.flags |= HopperFlag.MOTOR_REVERSED
        if not self.remaining or self.flags & (JAMMED | DAZZLED | HopperFlag.PAYOUT_TIMEOUT):
            self.halt()
        else:
            self.due = self._next_due(now)

    def _give(self) -> None:
        self.stock -= 1
        self.given += 1
        counted = 1 + self.miscount
        self.miscount = 0
        self.remaining = max(0, self.remaining - counted)
        self.paid = min(255, self.paid + counted)
        self.lifetime = (self.lifetime + counted) % (1 << 24)
        self.jam_after -= 1
        if self.cut_after is not None:
            self.cut_after -= 1

    def _jam(self) -> None:
        match self.jam:
            case Jam.DISC:
                self.flags |= HopperFlag.MOTOR_REVERSED | HopperFlag.CURRENT_EXCEEDED
            case Jam.EXIT:
                self.flags |= HopperFlag.EXIT_BLOCKED_PAYING
            case Jam.LIGHT:
                self.flags |= HopperFlag.EXIT_DAZZLED_PAYING
            case Jam.BRIDGE | None:
                self.flags |= HopperFlag.PAYOUT_TIMEOUT
