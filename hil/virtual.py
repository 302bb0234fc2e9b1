"""The virtual rig: a guest machine on a disk with a volatile cache, its hopper's wire, a snapshot to return to."""

import base64
import hashlib
import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hil import vm
from hil.broker_and_meter import BrokerAndMeter
from hil.disk import Platter, VolatileDisk
from hil.image import Image, image
from hil.machines import chosen, chosen_release
from hil.rig import Lost, Step
from hil.settings import table_settings
from hil.vm import ORDER_S, Done, Guest, GuestError
from hil.wire import SerialWire

_WAKE: Final = """
date -s @{now} >/dev/null
until disk=$(blkid -L bench-data); do udevadm settle; done
fsck -p "$disk" || [ $? -le 1 ]
mount -a
systemctl daemon-reload
systemctl start pitlink-flash-resume
systemctl start --no-block pitlink-table
"""


class VirtualRig:
    """A simulated board on the bench: one guest after the other on the same disk."""

    def __init__(
        self,
        folder: Path,
        house: BrokerAndMeter,
        *,
        seed: int = 0,
        can_go_back: bool = False,
        card: Image | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self.house = folder, house
        self._luck = random.Random(f"disk {seed}")
        self._image = card or image(machine := chosen(), chosen_release(), table_settings(machine))
        self._asleep = folder / "asleep.qcow2"
        self._disk: VolatileDisk | None = None
        self._data: str | None = None
        if self._image.data is None:
            self._root = self._volatile(self._image.root)
        else:
            self._root = str(folder / "root.qcow2")
            _overlay(self._image.root, "qcow2", folder / "root.qcow2")
            self._data = str(folder / "data.qcow2") if can_go_back else self._volatile(self._image.data)
            if can_go_back:
                _overlay(self._image.data, "raw", folder / "data.qcow2")
        self.guest: Guest | None = None
        self._wire: SerialWire | None = None

    def _volatile(self, disk: Path) -> str:
        """A copy of a disk behind a cache that a power cut empties."""
        copy = self._folder / "disk.raw"
        subprocess.run(["cp", "--sparse=always", str(disk), str(copy)], check=True)
        self._disk = VolatileDisk(Platter(copy), self._folder / "disk.sock")
        return self._disk.address

    def put_in(self) -> None:
        """Boots the guest."""
        self.start()
        self.booted.wait_until_booted()

    def prepare_waking(self) -> None:
        """Brings a machine that was booted once without the disk, for boards that wake up instead of booting."""
        kept = self._image.root.with_name(f"asleep-{_words(self._image)}.qcow2")
        if not kept.exists():
            _overlay(self._image.root, "qcow2", self._asleep)
            self.guest = self._power_on(str(self._asleep), data="")
            self.booted.wait_until_booted()
            self.booted.save()
            self.booted.pull_plug()
            self.guest = None
            copy = kept.with_suffix(f".{os.getpid()}")  # another bench may make one, too
            shutil.copy(self._asleep, copy)
            copy.rename(kept)
        shutil.copy(kept, self._asleep)

    def wake(self) -> None:
        """Power without a boot: a kernel that was booted before gets the disk, mounts it and starts the units."""
        self.guest = self._power_on(str(self._asleep), data="", is_woken=True)
        self.connect_hopper()
        assert self._data is not None, "a card is one disk: it boots"
        self.booted.plug_in_disk(self._data)
        self.booted.must("sh", "-c", _WAKE.format(now=int(time.time())), within_s=300)

    def start(self) -> None:
        """Gives power without waiting."""
        self.guest = self._power_on(self._root, data=self._data)
        self.connect_hopper()

    def _power_on(self, root: str, *, data: str | None, is_woken: bool = False) -> Guest:
        port = self.house.broker_port
        return Guest(self._image, self._folder, root=root, data=data, broker_port=port, is_woken=is_woken)

    def enter(self, house: BrokerAndMeter) -> None:
        """Goes back to the moment that was kept, in another house."""
        # In a process of its own: a machine that goes back while it runs keeps its old counters, and its clock jumps.
        self.house = house
        self.pull()
        self.guest = self._power_on(self._root, data=self._data, is_woken=True)
        self.connect_hopper()
        self.booted.must("date", "-s", f"@{int(time.time())}")

    def plug_in_stick(self, drive: str) -> None:
        """Puts a USB stick in, made as QEMU's words for a drive say."""
        words = self.booted.monitor(f"drive_add 0 if=none,id=stick-drive,{drive}")
        words += self.booted.monitor("device_add usb-storage,id=stick,bus=usb.0,drive=stick-drive,removable=on")
        if words.strip() != "OK":
            raise GuestError(words)

    def pull_stick(self) -> None:
        """Takes the stick out, whatever the board does with it."""
        if words := self.booted.monitor("device_del stick").strip():
            raise GuestError(words)

    def connect_hopper(self) -> None:
        """Plugs the hopper's wire into the guest's serial port."""
        self._connect("serial")

    def cut_hoppers_cable(self) -> None:
        """The hopper's wire ends in the air, whichever adapter it was in; the hopper has its power."""
        assert self._wire is not None, "it is cut already"
        self._wire.close()
        self._wire = None

    def plug_in_adapter(self) -> None:
        """Puts a USB serial adapter into the machine, always into the same socket, with the hopper at its other end."""
        socket = f"socket,id=adapter-wire,path={self.booted.place('adapter')},server=on,wait=off"
        words = self.booted.monitor(f"chardev-add {socket}")
        words += self.booted.monitor("device_add usb-serial,id=adapter,bus=usb.0,port=2,chardev=adapter-wire")
        if words.strip():
            raise GuestError(words)
        self._connect("adapter")

    def pull_adapter(self) -> None:
        """Takes the adapter out, whatever the board does with it."""
        self.cut_hoppers_cable()
        words = self.booted.monitor("device_del adapter")
        words += self.booted.monitor("chardev-remove adapter-wire")
        if words.strip():
            raise GuestError(words)

    def _connect(self, port: str) -> None:
        if self._wire is not None:
            self._wire.close()
        self._wire = SerialWire(self.booted.connect(port).detach(), self.house.hopper)

    def pull_behind_write(self, number: int, within_s: float = 10) -> Lost:
        """Pulls the plug when the disk has taken so many more writes, the last ones unflushed; or after a while."""
        if self._disk is not None:
            self._disk.platter.die_after(number)
            self._disk.platter.is_dead.wait(within_s)
        return self.pull()

    def pull(self) -> Lost:
        """Kills the guest and its hopper where they are; the disk loses what luck wants of what it had not flushed."""
        self.booted.pull_plug()
        self.house.cut_hoppers_power()
        self.guest = None
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        if self._disk is None:
            return Lost()
        self._disk.wait_until_unplugged()
        cached, kept = self._disk.platter.cut_power(self._luck)
        return Lost(cached, cached - kept)

    def close(self) -> None:
        """Ends everything and leaves no disk behind."""
        if self.guest is not None:
            self.pull()
        if self._disk is not None:
            self._disk.close()
        shutil.rmtree(self._folder)

    @property
    def booted(self) -> Guest:
        """The guest that has power now."""
        assert self.guest is not None, "the plug is out"
        return self.guest

    def drive(self, levels: Mapping[int, bool]) -> None:
        """Puts levels on inputs of the board."""
        self.booted.order("drive", levels={str(line): level for line, level in levels.items()})

    def play(self, steps: Sequence[Step]) -> None:
        """Puts levels on inputs one after the other, timed inside the guest."""
        self.booted.order("play", steps=steps)

    def react(self, line: int, level: bool, expected: Mapping[int, bool]) -> float:
        """Puts a level on an input; milliseconds, by the guest's own clock, until the outputs are as expected."""
        wanted = {str(other): high for other, high in expected.items()}
        took_ms = self.booted.order("react", line=str(line), level=level, expected=wanted)
        if took_ms is None:
            raise GuestError(f"line {line} went {level}, and nobody answered")
        return float(took_ms)

    def pass_beam(self, beam: int, light: int, ms: float, dark_ms: float) -> float:
        """Breaks a beam in the dark of its pulsing light; milliseconds from the clearing edge to a steady light."""
        return float(self.booted.order("pass_beam", beam=str(beam), light=str(light), ms=ms, dark_ms=dark_ms))

    def read(self, lines: Iterable[int]) -> dict[int, bool]:
        """The levels of the board's outputs."""
        found = self.booted.order("read", lines=[str(line) for line in lines])
        return {int(line): level for line, level in found.items()}

    def run(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> Done:
        """Runs a command as root."""
        return self.booted.run(*argv, within_s=within_s, stdin=stdin)

    def must(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> str:
        """Runs a command that may not fail."""
        return self.booted.must(*argv, within_s=within_s, stdin=stdin)

    def database(self, path: str) -> bytes:
        """A copy of an SQLite file as it stands."""
        return base64.b64decode(self.booted.order("database", path=path))

    def ask(self, action: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Asks the table's control interface; status 0 without a table."""
        status, answer = self.booted.order("ask", action=action, body=body)
        return status, answer


def _words(image: Image) -> str:
    """Stands for the words that QEMU gets: a moment that was kept of another machine is of no use to this one."""
    return hashlib.sha256(Path(vm.__file__).read_bytes() + repr(image.machine).encode()).hexdigest()[:12]


def _overlay(base: Path, kind: str, place: Path) -> None:
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", str(base), str(place)], check=True)
