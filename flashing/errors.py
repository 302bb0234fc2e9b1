"""Flash errors: what a technician reads when a board cannot do what it was asked to."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_ADVICE: Final = {
    errno.ENOSPC: "the disk is full; free some space (old bundles, old logs) and start again",
    errno.EDQUOT: "the disk is full; free some space (old bundles, old logs) and start again",
    errno.EROFS: "the file system is read-only; look for a worn card (dmesg), remount it for writing and start again",
    errno.EACCES: "not allowed; run it as root or by its unit (systemctl start pitlink-flash@VERSION)",
    errno.EPERM: "not allowed; run it as root or by its unit (systemctl start pitlink-flash@VERSION)",
    errno.EIO: "the disk does not read or write any more; swap the board (pitlink swap)",
}


class FlashError(Exception):
    """Something a technician can act on; the message says how."""


@contextmanager
def flash_errors(path: Path) -> Iterator[None]:
    """Turns the system's errors about a file into a FlashError that says what to do."""
    try:
        yield
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, error.strerror or str(error))
        raise FlashError(f"{error.filename or path}: {advice}") from error
