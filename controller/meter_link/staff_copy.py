"""Staff copy: the meter's sealed directory as this table keeps it on disk."""

import os
from pathlib import Path
from typing import Final

from common.auth.directory import Directory, DirectoryFault, open_directory
from common.files import WatchedFile, write_privately

COPY: Final = "staff.json"
_DAY_MS: Final = 86_400_000


class StaffCopy:
    """The copy in the state directory, checked against the key in the settings; it counts while the link is lost."""

    def __init__(self, state_dir: Path, staff_key: str) -> None:
        self._staff_key = staff_key
        self._file = WatchedFile(state_dir / COPY, self._read)

    def directory(self) -> Directory:
        """Everybody; raises DirectoryFault where the copy is missing or damaged, or no key tells a right one."""
        if not self._staff_key:
            raise DirectoryFault(
                "nobody can sign in here: write staff_key in [link]; pitlink staff key prints it at the meter"
            )
        try:
            return self._file.now()
        except FileNotFoundError as missing:
            raise DirectoryFault(
                "nobody can sign in here yet: the meter sends the staff directory when the link is up"
            ) from missing
        except OSError as error:
            raise DirectoryFault(f"{self._file.path}: cannot be read ({error.strerror})") from error

    def take(self, content: bytes) -> str:
        """Keeps a newer directory; says why another one is not taken, or nothing."""
        try:
            new = self._read(content) if self._staff_key else None
        except DirectoryFault as fault:
            return str(fault)
        own = self._own_number()
        if new is None or new.number == own:
            return ""
        if new.number < own:
            return f"the meter sends directory {new.number}, but {own} was here already: it is not taken"
        write_privately(self._file.path, content)
        return ""

    def touch(self, now_ms: int) -> None:
        """The meter was heard by now: what is here is what it says."""
        if self._file.path.exists():
            os.utime(self._file.path, ns=(now_ms * 1_000_000, now_ms * 1_000_000))

    def staleness(self, now_ms: int, days: int) -> str:
        """Says so where the meter has not confirmed this copy for so many days; 0: never."""
        if not days or not self._file.path.exists():
            return ""
        old_days = (now_ms - self._file.path.stat().st_mtime_ns // 1_000_000) // _DAY_MS
        return f"the staff directory here was last confirmed {old_days} days ago" if old_days >= days else ""

    def _own_number(self) -> int:
        """0 for a copy that is missing or damaged: any that the meter signed is better."""
        try:
            return self._file.now().number
        except (OSError, DirectoryFault):
            return 0

    def _read(self, content: bytes) -> Directory:
        return open_directory(content, self._staff_key)
