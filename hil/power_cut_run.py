"""Power-cut run: a table whose plug is pulled again and again, at moments that a seed chooses."""

import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from hil.broker_and_meter import BrokerAndMeter
from hil.image import versions
from hil.laws import holds
from hil.operator import END_OF_ROUND, LOCK_OUT, TableOperator
from hil.rig import Lost
from hil.virtual import VirtualRig
from hil.vm import GuestError

UP_S: Final = 400.0
MOMENTS: Final = {"round": 6, "backup": 2, "boot": 1, "flash": 1}
_LATEST_S: Final = {"round": 9.0, "backup": 14.0, "boot": 45.0, "flash": 240.0}
_BACKUP: Final = "systemctl start pitlink-backup.service"
_FLASH: Final = (
    "cp /opt/bench/{version}.pitlink /var/lib/pitlink-flash/bundles/ && systemctl start pitlink-flash@{version}.service"
)
_AT_THE_DISK: Final = 0.7  # how often the plug is pulled right behind a write, where a cut hurts most
_AT_REST: Final = {"versions", "current"}


class Cut(Struct, frozen=True):
    """One pulled plug."""

    number: int
    during: str
    after_s: float
    phase: str
    cached: int
    lost: int
    is_booted: bool
    broken: str


class Night:
    """People play, somebody pulls the plug, the board boots, and everything is looked over."""

    def __init__(self, rig: VirtualRig, house: BrokerAndMeter, *, seed: int, folder: Path) -> None:
        self._rig, self._house, self._folder = rig, house, folder
        self._luck = random.Random(seed)
        self.table = TableOperator(rig, house.hopper)
        self._seen: dict[str, Any] | None = None

    def cuts(self, number: int, boots_every: int, moments: Mapping[str, int] = MOMENTS) -> Iterator[Cut]:
        """So many of them, one after the other on the same disk; most boards wake up, every so many-th boots."""
        if boots_every > 1:
            self._rig.prepare_waking()
        self._give_power(is_booted=boots_every == 1)
        self._up()
        for index in range(1, number + 1):
            during = self._luck.choices(list(moments), list(moments.values()))[0]
            yield self._cut(index, during, is_booted=index % boots_every == 0)

    def _cut(self, number: int, during: str, *, is_booted: bool) -> Cut:
        after_s = self._luck.uniform(0, _LATEST_S[during])
        lost = self._booting(after_s) if during == "boot" else self._playing(during, after_s)
        seen, broken = self._seen, ""
        try:
            self._give_power(is_booted=is_booted)
            self._up()
            holds(self.table, self._house, seen, self._folder)
            self._is_one_version()
        except (AssertionError, TimeoutError, GuestError) as error:
            broken = repr(error)
        phase = seen["phase"] if seen else ""
        cut = Cut(number, during, round(after_s, 2), phase, lost.cached, lost.writes, is_booted, broken)
        print(f"bench: cut {number}: {cut}", file=sys.stderr, flush=True)
        return cut

    def _give_power(self, *, is_booted: bool) -> None:
        if is_booted:
            self._rig.put_in()
        else:
            self._rig.wake()

    def _booting(self, after_s: float) -> Lost:
        self._rig.pull()
        self._rig.start()
        time.sleep(after_s)
        return self._rig.pull()

    def _playing(self, during: str, after_s: float) -> Lost:
        """Another hand pulls the plug, whatever is going on then."""
        lost: list[Lost] = []
        pull = self._rig.pull
        if self._luck.random() < _AT_THE_DISK:
            pull = partial(self._rig.pull_behind_write, self._luck.randint(1, 40))
        hand = threading.Timer(after_s, lambda: lost.append(pull()))
        hand.start()
        try:
            if during in ("backup", "flash"):
                threading.Thread(target=self._maintain, args=(during,), daemon=True).start()
            while hand.is_alive():
                self._act()
        except (GuestError, OSError, AssertionError):
            pass  # the power is gone in the middle of something
        hand.join()
        return lost[0]

    def _maintain(self, what: str) -> None:
        """A backup or a flash beside the play; the broken version comes after the good one, which has no way back."""
        with suppress(GuestError, OSError):  # cut off, as it should be
            this, later, broken = versions()
            target = later if self._running() == this else broken
            self._rig.run("sh", "-c", _BACKUP if what == "backup" else _FLASH.format(version=target), within_s=1200)

    def _running(self) -> str:
        return self._rig.must("readlink", "/opt/pitlink/current").strip().rpartition("/")[2]

    def _is_one_version(self) -> None:
        """Whatever became of a flash: a whole version is in force, and nothing is left of the work."""
        assert self._running() in versions()[:2], f"{self._running()} is in force"
        left = set(self._rig.must("ls", "/opt/pitlink").split()) - _AT_REST
        assert not left, f"{sorted(left)} are left in /opt/pitlink"

    def _up(self) -> None:
        self._seen = self.table.until(lambda state: not state["link"]["reason"], "the table is not up", UP_S)

    def _act(self) -> None:
        """What people do with the table as it stands."""
        state = self.table.state()
        if state is None:
            return
        self._seen = state
        for device in state["faults"]:
            self.table.tell("retest", device=device)
        self._play(state)

    def _play(self, state: dict[str, Any]) -> None:
        table, luck = self.table, self._luck
        claim = state["claims"][0] if state["claims"] else None
        match state["phase"]:
            case "closed":
                table.turn_key(on=True)
                table.tell("open", by="Sue")
            case "open" if state["lights"] < 3:
                table.insert_chip(luck.randint(1, 7))
            case "open":
                table.press(LOCK_OUT)
            case "locked" if state["chips"] is not None:
                table.turn_key(on=True)
                table.tell("explain", by="Sue", reason="the power failed while a chip fell", void_seats=[])
            case "counted" | "in play" if claim is None and luck.random() < 0.7:
                lit = [seat["seat"] for seat in state["seats"] if seat["light"] == "lit"]
                table.tell("claim", seat=luck.choice(lit), cards=["2h", "3h"], community=["Th", "Jh", "Qh"])
            case "settling" if state["asks"]:
                table.tell("no-win", seats=state["asks"], by="Dan")
            case "settling" if claim and claim["state"] == "waiting for the supervisor":
                table.turn_key(on=True)
                table.tell("validate", seat=claim["seat"], by="Sue")
            case "settling" if claim and claim["state"] == "to be paid":
                table.tell("pay", seat=claim["seat"], by="Dan")
            case "settling" if claim and claim["state"] == "waiting for the meter":
                pass
            case "locked":
                pass
            case _:
                table.press(END_OF_ROUND)
