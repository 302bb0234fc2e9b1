"""The wired rig: a real board whose header is joined to the header of a second Raspberry Pi, its plug on a relay.

Runs on the second Pi. Wiring, pin by pin: docs/hil.md. Not tried on metal yet.
"""

import base64
import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpiozero import InputDevice, OutputDevice
from serial import Serial

from drivers.gpio.chip import open_metal
from hil.broker_and_meter import BrokerAndMeter
from hil.operator import BEAMS, END_OF_ROUND, GATES, KEY, LAMP, LIGHTS, LOCK_OUT
from hil.rig import Lost, Step
from hil.vm import ORDER_S, Done, GuestError
from hil.wire import SerialWire

BOARD: Final = "root@board"
RELAY: Final = 14
ADAPTER: Final = "/dev/ttyUSB0"
_DRIVEN: Final = (*BEAMS.values(), LOCK_OUT, END_OF_ROUND, KEY)
_READ: Final = (*GATES.values(), *LIGHTS.values(), LAMP)
_BOOT_S, _DISCHARGE_S = 120.0, 3.0
_ASK: Final = """
import json, sys
sys.path.insert(0, "/opt/bench")
from agent import ask
print(json.dumps(ask(*json.load(sys.stdin))))
"""
_SSH: Final = ("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", BOARD)


class WiredRig:
    """A board under test, reached by wires, by a relay in its supply and by ssh."""

    def __init__(self, folder: Path, house: BrokerAndMeter, *, seed: int = 0) -> None:
        del folder, seed  # its disk is real
        resting = {line: line in (LOCK_OUT, END_OF_ROUND, KEY) for line in _DRIVEN}
        self._pins = open_metal().pins
        output = partial(OutputDevice, pin_factory=self._pins)
        self._driven = {line: output(line, initial_value=level) for line, level in resting.items()}
        self._read = {line: InputDevice(line, pull_up=False, pin_factory=self._pins) for line in _READ}
        self._relay = output(RELAY, initial_value=False)
        self._adapter = Serial(ADAPTER, baudrate=9600)
        self._wire = SerialWire(os.dup(self._adapter.fileno()), house.hopper)

    def close(self) -> None:
        """Lets go of every wire; the relay falls, and the board is off."""
        self._wire.close()
        self._adapter.close()
        for device in (*self._driven.values(), *self._read.values(), self._relay):
            device.close()
        self._pins.close()

    def drive(self, levels: Mapping[int, bool]) -> None:
        """Puts levels on inputs of the board."""
        for line, level in levels.items():
            self._driven[line].value = level

    def play(self, steps: Sequence[Step]) -> None:
        """Puts levels on inputs one after the other."""
        for line, level, ms in steps:
            self.drive({line: level})
            time.sleep(ms / 1000)

    def read(self, lines: Iterable[int]) -> dict[int, bool]:
        """The levels of the board's outputs."""
        return {line: bool(self._read[line].value) for line in lines}

    def run(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> Done:
        """Runs a command as root, by ssh (the recipe's --keep-ssh)."""
        words = (*_SSH, shlex.join(argv))
        try:
            done = subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=within_s, check=False)
        except subprocess.TimeoutExpired:
            return Done(None, "", "took too long")
        return Done(done.returncode, done.stdout, done.stderr)

    def must(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> str:
        """Runs a command that may not fail."""
        done = self.run(*argv, within_s=within_s, stdin=stdin)
        if done.code != 0:
            raise GuestError(f"{shlex.join(argv)}: {done.code}\n{done.out}{done.err}")
        return done.out

    def database(self, path: str) -> bytes:
        """A copy of an SQLite file as it stands."""
        script = f"import sys; sys.path.insert(0, '/opt/bench'); from agent import database; print(database({path!r}))"
        return base64.b64decode(self.must("python3", "-c", script))

    def ask(self, action: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Asks the table's control interface; status 0 without a table."""
        done = self.run("python3", "-c", _ASK, stdin=json.dumps([action, body]))
        status, answer = json.loads(done.out) if done.code == 0 else (0, {"error": done.err})
        return status, answer

    def pull(self) -> Lost:
        """Opens the relay in the supply; what the card lost nobody can know."""
        self._relay.off()
        time.sleep(_DISCHARGE_S)
        return Lost()

    def put_in(self) -> None:
        """Closes the relay and waits until the board answers."""
        self._relay.on()
        until = time.monotonic() + _BOOT_S
        while self.run("true", within_s=10).code != 0:
            if time.monotonic() > until:
                raise GuestError("the board does not answer")
            time.sleep(1)
