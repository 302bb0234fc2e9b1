"""Broker and meter, which keep their power, and the return device, which loses it with the board."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from demo.broker import KINDS, free_port
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from hil.staff import give_staff
from meter.ledger.balances import LinkBalances
from meter.store.sqlite import SqliteStore

LINK: Final = "main"
RATE_BP: Final = 7_000
_METER: Final = """
store = "{store}"
floor_port = {control}

[broker]
host = "127.0.0.1"
port = {port}

[[link]]
name = "main"
rate_bp = 7000
base_cents = 10000000
reset_cents = 500000
limit_cents = 0
reset_rate_bp = 0
tables = ["T1"]
shortest_round_ms = 0
shortest_claim_ms = 0
shortest_payout_ms = 0

[[link.game]]
name = "texas-holdem-bonus"
pay_tables = ["A"]
stakes_cents = [100]
"""


class BrokerAndMeter:
    """A floor of one table, from opening to closing time."""

    def __init__(self, folder: Path, broker_port: int = 0) -> None:
        self._folder = folder
        self.broker_port = broker_port or free_port()
        self.metal = HopperMechanics(chip_ms=30)
        board = HopperBoard(self.metal, time_factor=0.1)
        board.latches_power_loss = True
        self.hopper = SimulatedHopper(board)
        self.ledger = folder / "ledger.sqlite"
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self.hopper.__enter__()
        self._start_broker()
        self._start_meter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait(30)
        self.hopper.__exit__(None, None, None)

    def pot(self) -> LinkBalances:
        """The meter's figures as its books have them."""
        store = SqliteStore(self.ledger, reading=True)
        try:
            saved = store.load(LINK)
        finally:
            store.close()
        assert saved is not None, "the meter has no books"
        return saved.head.pot

    def cut_hoppers_power(self) -> None:
        """The hopper stops in the middle of whatever it does; it keeps its counters and a latch."""
        with self.hopper.hands_on() as board:
            board.advance(now := time.monotonic())
            board.restart(by_power=True, now=now)

    def settings(self) -> Path:
        """The meter's settings."""
        return self._folder / "meter.toml"

    def _start_broker(self) -> None:
        config = self._folder / "mosquitto.conf"
        config.write_text(KINDS["mosquitto"].format(port=self.broker_port), encoding="utf-8")
        program = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program is not None, "install mosquitto"
        self._start("broker", program, "-c", str(config))
        self._wait_for_broker()

    def _wait_for_broker(self) -> None:
        until = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.broker_port)).close()
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
            else:
                return

    def _start_meter(self) -> None:
        text = _METER.format(store=self.ledger, control=free_port(), port=self.broker_port)
        self.settings().write_text(text, encoding="utf-8")
        give_staff(self._folder)
        words = (sys.executable, "-m", "cli.main", "meter", "--config", str(self.settings()))
        self._start("meter", *words)

    def _start(self, name: str, *words: str) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            self._processes.append(subprocess.Popen(words, stdout=log, stderr=log))
