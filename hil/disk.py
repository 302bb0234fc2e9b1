"""A disk with a volatile write cache and a plug: what was written and not flushed may be lost, torn or kept."""

import os
import random
import socket
import struct
import threading
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Final

SECTOR: Final = 512  # what a disk writes whole or not at all
_HAS_FLAGS, _SEND_FLUSH, _SEND_FUA = 1, 4, 8
_FLAGS: Final = _HAS_FLAGS | _SEND_FLUSH | _SEND_FUA
_OPTION: Final = struct.Struct(">8sII")
_REPLY: Final = struct.Struct(">QIII")
_REQUEST: Final = struct.Struct(">IHHQQI")
_ANSWER: Final = struct.Struct(">IIQ")
_OPTION_MAGIC: Final = b"IHAVEOPT"
_REPLY_MAGIC, _REQUEST_MAGIC, _ANSWER_MAGIC = 0x3E889045565A9, 0x25609513, 0x67446698
_ACK, _INFO, _UNSUPPORTED = 1, 3, 0x80000001
_ABORT, _INFO_OPTION, _GO = 2, 6, 7
_FUA: Final = 1
_EINVAL: Final = 22


class _Command(IntEnum):
    READ = 0
    WRITE = 1
    DISCONNECT = 2
    FLUSH = 3


class Platter:
    """Sectors that are safe, and sectors that still are in the cache."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR)
        self.size = os.fstat(self._file).st_size
        self._cached: dict[int, tuple[int, bytes]] = {}  # by sector: the number of the write, what it says
        self._writes = 0
        self._last: int | None = None
        self.is_dead = threading.Event()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Ends it; whatever is cached is gone."""
        os.close(self._file)

    def die_after(self, writes: int) -> None:
        """Loses its power right behind so many more writes, before anybody can ask for a flush."""
        with self._lock:
            self._last = self._writes + writes

    def read(self, at: int, length: int) -> bytes:
        """What the machine sees: the cache over the safe sectors."""
        with self._lock:
            found = bytearray(os.pread(self._file, length, at))
            for sector in range(at // SECTOR, (at + length) // SECTOR) if self._cached else ():
                if sector in self._cached:
                    place = sector * SECTOR - at
                    found[place : place + SECTOR] = self._cached[sector][1]
            return bytes(found)

    def write(self, at: int, content: bytes, *, is_safe: bool) -> None:
        """Takes whole sectors into the cache, or past it."""
        with self._lock:
            self._require_power()
            self._writes += 1
            for place in range(0, len(content), SECTOR):
                sector, body = (at + place) // SECTOR, content[place : place + SECTOR]
                self._cached[sector] = (self._writes, body)
                if is_safe:
                    self._save(sector)
            if self._writes == self._last:
                self.is_dead.set()

    def flush(self) -> None:
        """Everything written so far is safe."""
        with self._lock:
            self._require_power()
            for sector in list(self._cached):
                self._save(sector)

    def cut_power(self, luck: random.Random) -> tuple[int, int]:
        """Loses what luck wants of the cache, write by write, some torn; how many writes were cached and kept whole."""
        with self._lock:
            writes: dict[int, list[int]] = {}
            for sector, (number, _) in self._cached.items():
                writes.setdefault(number, []).append(sector)
            greed, kept = luck.choice((0.0, 0.1, 0.5, 0.9, 1.0)), 0
            for sectors in writes.values():
                survivors = luck.randint(0, len(sectors) - 1) if luck.random() < greed else len(sectors)
                kept += survivors == len(sectors)
                for sector in sectors[:survivors]:
                    self._save(sector)
            self._cached.clear()
            self._last = None
            self.is_dead.clear()
            return len(writes), kept

    def _require_power(self) -> None:
        if self.is_dead.is_set():
            raise EOFError

    def _save(self, sector: int) -> None:
        os.pwrite(self._file, self._cached.pop(sector)[1], sector * SECTOR)


class VolatileDisk:
    """A platter that QEMU reaches over a socket (NBD), one machine after the other."""

    def __init__(self, platter: Platter, place: Path) -> None:
        self.platter, self._place = platter, place
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(place))
        self._listener.listen(1)
        self._idle = threading.Event()
        self._idle.set()
        self._thread = threading.Thread(target=self._serve, name="disk", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """How QEMU names it."""
        return f"nbd+unix:///?socket={self._place}"

    def wait_until_unplugged(self, within_s: float = 30) -> None:
        """Returns when the machine that used it is gone and its last words are read."""
        if not self._idle.wait(within_s):
            raise TimeoutError("a machine still uses this disk")

    def close(self) -> None:
        """Ends it."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(30)
        self.platter.close()

    def _serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                machine, _ = self._listener.accept()
                self._idle.clear()
                with machine, suppress(EOFError, ConnectionError):
                    self._greet(machine)
                    while self._obey(machine):
                        pass
                self._idle.set()

    def _greet(self, machine: socket.socket) -> None:
        machine.sendall(b"NBDMAGIC" + _OPTION_MAGIC + struct.pack(">H", 3))
        _take(machine, 4)
        while True:
            _, option, length = _OPTION.unpack(_take(machine, _OPTION.size))
            _take(machine, length)
            if option in (_INFO_OPTION, _GO):
                export = struct.pack(">HQH", 0, self.platter.size, _FLAGS)
                machine.sendall(_REPLY.pack(_REPLY_MAGIC, option, _INFO, len(export)) + export)
            is_known = option in (_ABORT, _INFO_OPTION, _GO)
            machine.sendall(_REPLY.pack(_REPLY_MAGIC, option, _ACK if is_known else _UNSUPPORTED, 0))
            if option == _ABORT:
                raise EOFError
            if option == _GO:
                return

    def _obey(self, machine: socket.socket) -> bool:
        _, flags, kind, handle, at, length = _REQUEST.unpack(_take(machine, _REQUEST.size))
        error, answer = 0, b""
        match kind:
            case _Command.READ:
                answer = self.platter.read(at, length)
            case _Command.WRITE:
                self.platter.write(at, _take(machine, length), is_safe=bool(flags & _FUA))
            case _Command.DISCONNECT:
                return False
            case _Command.FLUSH:
                self.platter.flush()
            case _:
                error = _EINVAL
        machine.sendall(_ANSWER.pack(_ANSWER_MAGIC, error, handle) + answer)
        return True


def _take(machine: socket.socket, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = machine.recv(length - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
