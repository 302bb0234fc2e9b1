"""Buttons and key switches on pins."""

from collections.abc import Callable

from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.gpio.watch import LineWatch
from drivers.ports import Signal
from drivers.recognise.button_press import ButtonPress, Finger, Touched, TouchWasNoise
from drivers.recognise.debounce import BUTTON_TIMINGS, Timings
from drivers.recognise.key_position import KeyPosition


def _nothing() -> None:
    """Nobody asked to be told."""


class Button:
    """A push button: on_touch hears its very first edge, on_false_touch that this was noise, the report a press."""

    def __init__(
        self,
        board: PinRegistry,
        name: str,
        wire: InputWiring,
        *,
        on_touch: Callable[[], None] = _nothing,
        on_false_touch: Callable[[], None] = _nothing,
        timings: Timings = BUTTON_TIMINGS,
    ) -> None:
        self._report, self._on_touch, self._on_false_touch = board.report, on_touch, on_false_touch
        press = ButtonPress(name, timings=timings)
        self._watch: LineWatch[Finger] = LineWatch(
            board, name, wires=[wire], recogniser=press, reread_ms=timings.reread_ms, act=self._act
        )

    def retest(self) -> None:
        """Listens for a while and reports what it finds; the button must be up."""
        self._watch.retest()

    def close(self) -> None:
        """Gives the pin back."""
        self._watch.close()

    def _act(self, finger: Finger) -> None:
        match finger:
            case Touched():
                self._on_touch()
            case TouchWasNoise():
                self._on_false_touch()
            case _:
                self._report(finger)


class KeySwitch:
    """A key switch; its position is reported when it changes, and at the start if it is on."""

    def __init__(self, board: PinRegistry, name: str, wire: InputWiring, *, timings: Timings = BUTTON_TIMINGS) -> None:
        turn = KeyPosition(name, timings=timings)
        self._watch: LineWatch[Signal] = LineWatch(
            board, name, wires=[wire], recogniser=turn, reread_ms=timings.reread_ms, act=board.report
        )

    def retest(self) -> None:
        """Listens for a while and reports what it finds; the key must not be moved."""
        self._watch.retest()

    def close(self) -> None:
        """Gives the pin back."""
        self._watch.close()
