"""Staff backup: the staff file and its signing key, in one private file beside a ledger's backup."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from common.files import make_folder, write_privately
from meter.staff.keeper import KEY_FILE, STAFF_FILE, STAGED
from meter.store.audit_log import last_staff_change
from meter.store.base import StoreFault
from meter.store.sqlite import SqliteStore

SUFFIX: Final = ".staff"


class _StaffCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """Both files as they were."""

    staff: str
    key: str


def back_up_staff(folder: Path, ledger: Path) -> str:
    """Copies the staff that the ledger's backup knows, and drops copies whose ledger has gone; says what was done."""
    try:
        content, key = _staff_file(folder, ledger), (folder / KEY_FILE).read_text(encoding="utf-8")
        write_privately(_beside(ledger), msgspec.json.encode(_StaffCopy(content.decode(), key)))
        for copy in ledger.parent.glob(f"ledger-*.sqlite{SUFFIX}"):
            if not copy.with_name(copy.name.removesuffix(SUFFIX)).exists():
                copy.unlink()
    except FileNotFoundError:
        return "no staff directory to copy: two persons begin one with pitlink staff init"
    except OSError as error:
        raise StoreFault(f"{_beside(ledger)}: {error.strerror}; the ledger was copied, the staff was not") from error
    return f"staff directory and key: {_beside(ledger)}, for the meter's user alone"


def restore_staff(ledger: Path, folder: Path) -> str:
    """Puts both files back where there are none; what is there stays, for it may be newer. Says what was done."""
    files = [folder / STAFF_FILE, folder / KEY_FILE]
    there = [path.name for path in files if path.exists()]
    try:
        copy = msgspec.json.decode(_beside(ledger).read_bytes(), type=_StaffCopy)
    except FileNotFoundError:
        return "" if there else f"there is no {_beside(ledger)}: staff.json and staff.key must come from elsewhere"
    except (OSError, msgspec.DecodeError) as error:
        raise StoreFault(f"{_beside(ledger)} cannot be read ({error}); the ledger was restored") from error
    if there:
        return f"staff: {' and '.join(there)} in {folder} stay as they are; move them away to take the backup's"
    make_folder(folder)
    for path, content in zip(files, (copy.staff, copy.key), strict=True):
        write_privately(path, content.encode())
    return f"staff directory and key restored into {folder}"


def _beside(ledger: Path) -> Path:
    return ledger.with_name(ledger.name + SUFFIX)


def _staff_file(folder: Path, ledger: Path) -> bytes:
    """The file that the last change in this ledger names, also while it is being put in place; or a newer one."""
    store = SqliteStore(ledger, reading=True)
    try:
        last = last_staff_change(store)
    finally:
        store.close()
    contents = [path.read_bytes() for path in (folder / STAFF_FILE, folder / STAGED) if path.exists()]
    named = [each for each in contents if last and hashlib.sha256(each).hexdigest() == last.digest]
    return named[0] if named else (folder / STAFF_FILE).read_bytes()
