"""Settings files: TOML read into typed values, or the list of everything that is wrong with it."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

LARGEST_FILE_BYTES: Final = 1_000_000
MOST_DEPTH: Final = 20
SETTINGS_VERSION: Final = 1
"""The form of settings files that this program reads; a file that does not say has the first."""

_REQUIRED: Final = object()
_STEP: Final = re.compile(r"(?P<key>[^\[\]]+)(?:\[(?P<number>\d+)\])?")

Meant = TypeVar("Meant")


class SettingsFault(Struct, frozen=True):
    """One thing wrong in a settings file, and what to write instead."""

    file: str
    key: str
    problem: str
    rule: str = ""
    value: Any = None  # what the file says there, if anything

    def __str__(self) -> str:
        clause = f" [{self.rule}]" if self.rule[:1].isdigit() else ""  # a row such as R45 says nothing to its reader
        return f"{self.file}: {self.key}: {self.problem}{clause}"


class SettingsError(Exception):
    """A settings file cannot be used; carries every fault at once."""

    def __init__(self, faults: Sequence[SettingsFault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


class Section:
    """One table of a settings file; every question marks its key as known and collects what is wrong."""

    def __init__(self, file: str, path: str, data: Mapping[str, Any], faults: list[SettingsFault]) -> None:
        self._file, self._path, self._data, self._faults = file, path, data, faults
        self._asked: set[str] = set()
        self._parts: list[Section] = []

    def text(self, key: str, default: Any = _REQUIRED, *, pattern: str = ".+", meaning: str = "some text") -> str:
        """A string that matches the whole pattern."""
        value = self._value(key, default, example=f'{key} = "…" ({meaning})')
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        return str(self._wrong(key, value, f"write {meaning}", instead=""))

    def optional_text(self, key: str, *, pattern: str = ".+", meaning: str = "some text") -> str | None:
        """A string that may be left out."""
        return self.text(key, pattern=pattern, meaning=meaning) if self.has(key) else None

    def whole(self, key: str, default: Any = _REQUIRED, *, low: int, high: int) -> int:
        """A whole number from low to high."""
        value = self._value(key, default, example=f"{key} = … (a whole number from {low} to {high})")
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        return int(self._wrong(key, value, f"write a whole number from {low} to {high}", instead=low))

    def number(self, key: str, default: Any = _REQUIRED, *, low: float, high: float) -> float:
        """A number from low to high; never for money."""
        value = self._value(key, default, example=f"{key} = … (a number from {low:g} to {high:g})")
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        return float(self._wrong(key, value, f"write a number from {low:g} to {high:g}", instead=low))

    def flag(self, key: str, default: Any = _REQUIRED) -> bool:
        """true or false."""
        value = self._value(key, default, example=f"{key} = true or false")
        return value if isinstance(value, bool) else bool(self._wrong(key, value, "write true or false", instead=False))

    def choice(self, key: str, options: Sequence[str], default: Any = _REQUIRED) -> str:
        """One of the listed words."""
        offer = ", ".join(f'"{option}"' for option in options)
        value = self._value(key, default, example=f"{key} = one of {offer}")
        if value in options:
            return str(value)
        return str(self._wrong(key, value, f"write one of {offer}", instead=options[0]))

    def wholes(self, key: str, default: Any = _REQUIRED, *, low: int, high: int, most: int) -> tuple[int, ...]:
        """A list of one to most whole numbers."""
        value = self._value(key, default, example=f"{key} = [ … ] (1 to {most} whole numbers from {low} to {high})")
        if _is_list(value, most) and all(type(item) is int and low <= item <= high for item in value):
            return tuple(value)
        advice = f"write a list of 1 to {most} whole numbers from {low} to {high}"
        return tuple(self._wrong(key, value, advice, instead=()))

    def texts(self, key: str, *, pattern: str, meaning: str, most: int) -> tuple[str, ...]:
        """A list of one to most different strings that match the whole pattern."""
        value = self._value(key, _REQUIRED, example=f'{key} = ["…"] (1 to {most}, each {meaning})')
        fits = _is_list(value, most) and all(isinstance(item, str) and re.fullmatch(pattern, item) for item in value)
        if fits and len(set(value)) == len(value):
            return tuple(value)
        advice = f"write a list of 1 to {most} different strings, each {meaning}"
        return tuple(self._wrong(key, value, advice, instead=()))

    def only(self, key: str, parse: Callable[[Any], Meant | None], meaning: str) -> Meant | None:
        """What a key's value means; None, with a fault, if it means nothing."""
        value = self._value(key, None, example="")
        meant = parse(value)
        if meant is None:
            self._wrong(key, value, f"write {meaning}", instead=None)
        return meant

    def section(self, key: str) -> "Section":
        """A table inside this one; a missing table is an empty one."""
        value = self._value(key, {}, example="")
        if not isinstance(value, dict):
            value = self._wrong(key, value, f"write a table: [{self._full(key)}]", instead={})
        return self._part(self._full(key), value)

    def sections(self, key: str) -> list["Section"]:
        """The tables of a list: [[key]]."""
        value = self._value(key, [], example="")
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            value = self._wrong(key, value, f"write tables: [[{self._full(key)}]]", instead=[])
        return [self._part(f"{self._full(key)}[{number}]", item) for number, item in enumerate(value, start=1)]

    def names(self) -> tuple[str, ...]:
        """Every key that the file has here."""
        return tuple(self._data)

    def each(self, parse: Callable[[Any], Meant | None], meaning: str) -> dict[str, Meant]:
        """Every key that the file has here, with what its value means."""
        self._asked.update(self._data)
        read = {key: parse(value) for key, value in self._data.items()}
        for key in (key for key, meant in read.items() if meant is None):
            self._wrong(key, self._data[key], f"write {meaning}", instead=None)
        return {key: meant for key, meant in read.items() if meant is not None}

    def has(self, key: str) -> bool:
        """Whether the file says anything under this key."""
        return key in self._data

    def is_sound(self, key: str) -> bool:
        """Whether nothing was found wrong with this key, so that its value is what the file says."""
        return all(fault.key != self._full(key) for fault in self._faults)

    def fault(self, key: str, problem: str, rule: str = "", *, value: Any = None) -> None:
        """Records that this key is wrong for a reason only the caller knows."""
        said = value_at(self._data, key) if value is None else value
        self._faults.append(SettingsFault(self._file, self._full(key), problem, rule, said))

    def close(self) -> None:
        """Reports every key nobody asked for, here and in the parts."""
        for key in self._data.keys() - self._asked:
            known = ", ".join(sorted(self._asked)) or "nothing"
            self.fault(key, f"unknown key; remove it (known here: {known})")
        for part in self._parts:
            part.close()

    def _part(self, path: str, data: Mapping[str, Any]) -> "Section":
        part = Section(self._file, path, data, self._faults)
        self._parts.append(part)
        return part

    def _value(self, key: str, default: Any, *, example: str) -> Any:
        self._asked.add(key)
        if key in self._data:
            return self._data[key]
        if default is _REQUIRED:
            self.fault(key, f"missing; add {example}")
        return default

    def _wrong(self, key: str, value: Any, advice: str, *, instead: Any) -> Any:
        if value is not _REQUIRED:
            self.fault(key, f"{value!r} will not do; {advice}")
        return instead

    def _full(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key


def value_at(data: Any, key: str) -> Any:
    """What stands under a key as faults name it: table.stake_cents, seat[3].gate; None where nothing does."""
    for step in key.split("."):
        found = _STEP.fullmatch(step)
        data = data.get(found["key"]) if found and isinstance(data, dict) else None
        if found and found["number"]:
            place = int(found["number"]) - 1
            data = data[place] if isinstance(data, list) and 0 <= place < len(data) else None
    return data


def _is_list(value: Any, most: int) -> bool:
    return isinstance(value, list | tuple) and 1 <= len(value) <= most


class SettingsFile:
    """A TOML file being read: ask its root, then finish()."""

    def __init__(self, file: str, data: Mapping[str, Any]) -> None:
        self.faults: list[SettingsFault] = []
        self._file = file
        self.root = Section(file, "", data, self.faults)
        self.root.only("settings_version", _readable_version, f"at most {SETTINGS_VERSION}: a newer Pitlink wrote it")

    def expect(self, own: str, *, not_other: str, advice: str) -> None:
        """Raises SettingsError with this advice alone if the file has the other kind's key and not its own."""
        if self.root.has(not_other) and not self.root.has(own):
            raise SettingsError([SettingsFault(self._file, not_other, advice)])

    def finish(self) -> None:
        """Raises SettingsError with every fault found, unknown keys included."""
        self.root.close()
        if self.faults:
            raise SettingsError(self.faults)


def _readable_version(value: Any) -> int | None:
    version = 1 if value is None else value
    return version if type(version) is int and 1 <= version <= SETTINGS_VERSION else None


def open_settings(path: Path) -> SettingsFile:
    """Reads a TOML file; a file that is missing, unreadable or not TOML is a SettingsError, too."""
    try:
        data = tomllib.loads(_bytes(path).decode("utf-8"))
    except OSError as error:
        raise _unreadable(path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"is not UTF-8 text (byte {error.start})") from error
    except RecursionError as error:
        raise _unreadable(path, "is nested too deeply") from error
    except ValueError as error:
        raise _unreadable(path, f"is not TOML: {error}") from error
    if _depth_exceeds(data, MOST_DEPTH):
        raise _unreadable(path, "is nested too deeply")
    if _holds_giants(data):
        raise _unreadable(path, "holds a whole number of more than 64 bits, which is not TOML")
    return SettingsFile(str(path), data)


def _bytes(path: Path) -> bytes:
    with path.open("rb") as source:
        data = source.read(LARGEST_FILE_BYTES + 1)
    if len(data) > LARGEST_FILE_BYTES:
        raise ValueError(f"longer than {LARGEST_FILE_BYTES:,} bytes")
    return data


def _depth_exceeds(data: Any, most: int) -> bool:
    level = [data]
    for _ in range(most):
        level = [part for each in level if isinstance(each, dict | list) for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(data: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return data.values() if isinstance(data, dict) else data


def _holds_giants(data: Any) -> bool:
    if isinstance(data, dict | list):
        return any(map(_holds_giants, _parts(data)))
    return isinstance(data, int) and data.bit_length() > 63


def _unreadable(path: Path, problem: str) -> SettingsError:
    return SettingsError([SettingsFault(str(path), "file", problem)])
