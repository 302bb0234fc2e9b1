"""Virtual machine under QEMU: boots, takes orders inside, sleeps in a snapshot, and has a plug to pull."""

import itertools
import json
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from hil.image import Image
from hil.settings import BROKER

BOOT_S: Final = 400.0
ORDER_S: Final = 120.0
_MASKED: Final = (
    "e2scrub_reap",
    "modprobe@drm",
    "modprobe@fuse",
    "modprobe@efi_pstore",
    "systemd-networkd-wait-online",
)
_KERNEL: Final = "console=ttyS0 quiet mitigations=off random.trust_cpu=on net.ifnames=0 " + " ".join(
    f"systemd.mask={unit}.service" for unit in _MASKED
)

# Nothing can be written yet, not even /tmp: two units would try for minutes.
_WITHOUT_DISK: Final = " fstab=no systemd.mask=systemd-timesyncd.service systemd.mask=systemd-logind.service"


class GuestError(Exception):
    """An order that the guest could not carry out."""


class Done(Struct, frozen=True):
    """How a command inside the guest ended."""

    code: int | None
    out: str
    err: str


class Guest:
    """One machine from power-on to power-off."""

    def __init__(
        self, image: Image, folder: Path, *, root: str, data: str | None, broker_port: int, is_woken: bool = False
    ) -> None:
        """Its second disk is another file, or comes later (""), or it has none (None)."""
        self._folder, self._bus = folder, image.machine.bus
        self._console = folder / "console.log"
        for name in ("agent", "serial", "monitor"):
            self.place(name).unlink(missing_ok=True)
        words = [*_words(image, folder, root=root, data=data, broker_port=broker_port)]
        if is_woken:
            words += ["-loadvm", "ready"]
        with self._console.open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {0: Future()}
        self._agent = self.connect("agent")
        threading.Thread(target=self._listen, name="agent", daemon=True).start()

    def place(self, name: str) -> Path:
        """Where one of its sockets is."""
        return self._folder / f"{name}.sock"

    def connect(self, name: str) -> socket.socket:
        """The host's end of one of its sockets."""
        until = time.monotonic() + 30
        while True:
            channel = socket.socket(socket.AF_UNIX)
            try:
                channel.connect(str(self.place(name)))
            except OSError:
                channel.close()
                if time.monotonic() > until or self._process.poll() is not None:
                    raise GuestError(
                        f"QEMU did not start: {self._console.read_text(errors='replace')[-2000:]}"
                    ) from None
                time.sleep(0.05)  # a socket's file appears when QEMU has opened it; nothing tells us
            else:
                return channel

    def wait_until_booted(self, within_s: float = BOOT_S) -> None:
        """Returns when the hands inside are ready."""
        self._waiting[0].result(within_s)

    def order(self, do: str, patience_s: float = ORDER_S, **words: Any) -> Any:
        """Has something done inside, and returns the answer."""
        number = next(self._numbers)
        answer = self._waiting[number] = Future()
        self._agent.sendall(json.dumps({"id": number, "do": do, "with": words}).encode() + b"\n")
        return answer.result(patience_s)

    def run(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> Done:
        """Runs a command inside as root."""
        return Done(**self.order("run", within_s + 30, argv=argv, within_s=within_s, stdin=stdin))

    def must(self, *argv: str, within_s: float = ORDER_S, stdin: str = "") -> str:
        """Runs a command inside that may not fail; what it says comes back."""
        done = self.run(*argv, within_s=within_s, stdin=stdin)
        if done.code != 0:
            raise GuestError(f"{' '.join(argv)}: {done.code}\n{done.out}{done.err}")
        return done.out

    def plug_in_disk(self, data: str) -> None:
        """Adds the second disk while the machine runs."""
        words = self.monitor(f"drive_add 0 if=none,id=data,{_drive(data)}")
        words += self.monitor(f"device_add virtio-blk-pci,drive=data,bus={self._bus}")
        if words.strip() != "OK":
            raise GuestError(words)

    def monitor(self, command: str) -> str:
        """Tells QEMU something, in the words of its monitor."""
        with self.connect("monitor") as channel, channel.makefile("rw") as talk:
            talk.readline()
            for execute, arguments in (
                ("qmp_capabilities", {}),
                ("human-monitor-command", {"command-line": command}),
            ):
                talk.write(json.dumps({"execute": execute, "arguments": arguments}) + "\n")
                talk.flush()
                while "return" not in (answer := json.loads(talk.readline())):
                    if "error" in answer:
                        raise GuestError(f"{command}: {answer['error']}")
        return str(answer["return"])

    def save(self) -> None:
        """Keeps this moment, memory and disks."""
        if words := self.monitor("savevm ready").strip():
            raise GuestError(words)

    def pull_plug(self) -> None:
        """Ends it as a power cut does."""
        self._process.kill()
        self._process.wait(60)
        self._agent.close()

    def _listen(self) -> None:
        with suppress(OSError, ValueError), self._agent.makefile("rb") as lines:  # closed when the plug is pulled
            for line in lines:
                self._hear(json.loads(line))
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(GuestError("the machine has no power any more"))

    def _hear(self, said: dict[str, Any]) -> None:
        answer = self._waiting.get(said["id"])
        if answer is None or answer.done():
            return
        if "fault" in said:
            answer.set_exception(GuestError(said["fault"]))
        else:
            answer.set_result(said["answer"])


def _drive(data: str) -> str:
    return f"file={data},format={'raw' if data.startswith('nbd') else 'qcow2'},cache=writeback"


def _words(image: Image, folder: Path, *, root: str, data: str | None, broker_port: int) -> Sequence[str]:
    forward = f"guestfwd=tcp:{BROKER[0]}:{BROKER[1]}-cmd:socat - TCP:127.0.0.1:{broker_port}"
    machine = image.machine
    kernel = f"{image.command_line} {_KERNEL} modprobe.blacklist={machine.absent}"
    kernel += _WITHOUT_DISK if data == "" else ""
    return [
        *machine.qemu.split(), "-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append", kernel,
        *(("-dtb", str(image.tree)) if image.tree else ()),
        "-drive", f"{_drive(root)},if=virtio",
        *(("-drive", f"{_drive(data)},if=virtio") if data else ()),
        "-netdev", f"user,id=net,restrict=on,{forward}", "-device", "virtio-net-pci,netdev=net,romfile=",
        "-chardev", f"file,id=console,path={folder / 'console.log'},append=on", *machine.console.split(),
        "-chardev", f"socket,id=serial,path={folder / 'serial.sock'},server=on,wait=off", *machine.hopper.split(),
        "-chardev", f"socket,id=agent,path={folder / 'agent.sock'},server=on,wait=off",
        "-device", "virtserialport,chardev=agent,name=pitlink.bench",
        "-qmp", f"unix:{folder / 'monitor.sock'},server=on,wait=off",
    ]  # fmt: skip
