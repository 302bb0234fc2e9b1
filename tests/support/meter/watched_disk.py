"""SQLite's real disk with somebody beside it who writes down what is written and synced, in order."""

import _sqlite3
import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_WRITE, _SYNC = 3, 5  # the places of xWrite and xSync among the methods of an open file
_METHODS = 19
_Methods = ctypes.c_void_p * _METHODS
# A name is handed on as the pointer that it is: SQLite keeps it for as long as the file is open.
_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_void_p
)
_Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Vfs(ctypes.Structure):
    """sqlite3_vfs as far as it matters here."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_bytes", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
        ("others", ctypes.c_void_p * 15),
    )


class WatchedDisk:
    """What SQLite asked of its disk: "wrote NAME", "synced NAME", each after it was done."""

    def __init__(self, real: _Vfs, *, shares_memory: bool) -> None:
        self.acts: list[str] = []
        self._shares_memory = shares_memory
        self._names: dict[int, str] = {}
        self._kept: list[object] = [real]  # SQLite calls it for as long as a file is open
        self._really_open = _Open(real.open)
        self.vfs = _Vfs.from_buffer_copy(real)
        self.vfs.name, self.vfs.next = b"watched", None
        self.vfs.open = self._callable(_Open(self._open))

    def _open(self, vfs: int, name: int, file: "ctypes._Pointer[ctypes.c_void_p]", flags: int, out: int) -> int:
        code = self._really_open(vfs, name, file, flags, out)
        if code == 0 and file[0]:
            path = ctypes.string_at(name).decode() if name else "nameless"
            self._names[ctypes.addressof(file.contents)] = Path(path).name
            methods = _Methods.from_buffer_copy(_Methods.from_address(file[0]))
            methods[_WRITE] = self._callable(_Write(self._noting("wrote", _Write(methods[_WRITE] or 0))))
            methods[_SYNC] = self._callable(_Sync(self._noting("synced", _Sync(methods[_SYNC] or 0))))
            if not self._shares_memory:
                methods[0] = 1  # the version of these methods that has none for it
            self._kept.append(methods)
            file[0] = ctypes.addressof(methods)
        return int(code)

    def _noting(self, act: str, really: Callable[..., int]) -> Callable[..., int]:
        def noted(file: int, *rest: int) -> int:
            code = really(file, *rest)
            self.acts.append(f"{act} {self._names[file]}")
            return code

        return noted

    def _callable(self, function: "ctypes._CFunctionType") -> int | None:
        self._kept.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value


@contextmanager
def watched_disk(*, shares_memory: bool = True) -> Iterator[list[str]]:
    """Every file that SQLite opens inside is watched; a log of it needs a disk that shares memory.

    Skips where Python has an SQLite that cannot be reached.
    """
    sqlite = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        find, register, forget = sqlite.sqlite3_vfs_find, sqlite.sqlite3_vfs_register, sqlite.sqlite3_vfs_unregister
    except AttributeError:
        pytest.skip("this Python keeps its SQLite to itself")
    find.restype = ctypes.POINTER(_Vfs)
    real = find(None)
    disk = WatchedDisk(real.contents, shares_memory=shares_memory)
    register(ctypes.byref(disk.vfs), 1)
    try:
        yield disk.acts
    finally:
        register(real, 1)
        forget(ctypes.byref(disk.vfs))
