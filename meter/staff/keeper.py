"""Staff keeper: the meter's staff file and signing key, on disk beside the ledger."""

import hashlib
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct
from msgspec.structs import replace

from common.auth.directory import (
    Directory,
    DirectoryFault,
    NoDirectory,
    SignedDirectory,
    read_directory,
    seal_directory,
    sign_directory,
    table_key,
)
from common.auth.roles import Role
from common.files import WatchedFile, make_folder, sync, write_privately
from meter.staff.book import KeptSecret, StaffBook
from meter.staff.changes import StaffChange, applied, words
from meter.store.audit_log import StaffChanged

STAFF_FILE: Final = "staff.json"
KEY_FILE: Final = "staff.key"
STAGED: Final = "staff.json.next"


class StaffSecret(Struct, frozen=True):
    """Somebody whose proofs the meter can check."""

    number: str
    name: str
    role: Role
    secret: bytes


class _StaffFile(Struct, frozen=True, forbid_unknown_fields=True):
    signed: SignedDirectory
    secrets: dict[str, KeptSecret]


class StaffKeeper:
    """The staff of one meter; the files are looked at again at every question, so that a damaged one closes at once.

    last is the newest change in the floor's book: an older directory does not count, and a missing one closes.
    """

    def __init__(self, folder: Path, wall_ms: Callable[[], int], last: StaffChanged | None = None) -> None:
        self.folder, self._wall_ms, self._last = folder, wall_ms, last
        self._file = WatchedFile(folder / STAFF_FILE, self._read)
        self._key = WatchedFile(folder / KEY_FILE, _read_key)

    def directory(self) -> Directory:
        """Everybody; raises NoDirectory where none was ever made, DirectoryFault where it is missing or damaged."""
        return self.book().directory

    def secret_of(self, number: str, *, may_be_new: bool = False) -> StaffSecret | None:
        """Whose proofs carry this number: None for a stranger, and for somebody who may not sign in.

        With may_be_new also for somebody who must choose a PIN of his own first.
        """
        book = self.book()
        person, kept = book.directory.person(number), book.secrets.get(number)
        if person is None or kept is None:
            return None
        if (replace(person, must_change=False) if may_be_new else person).bar(self.today()):
            return None
        return StaffSecret(number, person.name, person.role, bytes.fromhex(kept.secret))

    def book(self) -> StaffBook:
        """Everybody and the secrets; raises as directory() does."""
        return self._now()[0]

    def sealed(self) -> bytes:
        """The directory as tables take it; raises as directory() does."""
        return seal_directory(self._now()[1], self._signing_key())

    def totp_of(self, number: str) -> str:
        """The secret of this person's TOTP codes, or nothing."""
        kept = self.book().secrets.get(number)
        return kept.totp if kept else ""

    def today(self) -> date:
        """The day here."""
        return datetime.fromtimestamp(self._wall_ms() / 1000).astimezone().date()

    def has_key(self) -> bool:
        """Whether the signing key was made."""
        return self._key.path.exists()

    def make_key(self) -> None:
        """Makes the signing key; raises DirectoryFault where there is one."""
        if self.has_key():
            raise DirectoryFault(f"{self._key.path}: there is a key already; every table's settings name it")
        make_folder(self.folder)
        write_privately(self._key.path, Ed25519PrivateKey.generate().private_bytes_raw().hex().encode())

    def table_key(self) -> str:
        """What tables' settings name as staff_key; raises DirectoryFault without a key."""
        return table_key(self._signing_key())

    def stage(self, change: StaffChange, by: str, and_by: str) -> StaffChanged:
        """Puts the directory after this change on disk beside the old one; returns the line for the floor's book.

        The line decides: finish() follows as soon as that is on disk, if need be after a power cut.
        """
        try:
            book = self.book()
        except NoDirectory:
            book = StaffBook()
        new = applied(book, change)
        content = self.content(new)
        write_privately(self._staged, content)
        return StaffChanged(by, and_by, words(book, change), new.directory.number, _digest(content))

    def finish(self, line: StaffChanged) -> None:
        """The line of the staged directory is on disk: from now on it counts."""
        self._last = line
        self._take_staged()

    def content(self, book: StaffBook) -> bytes:
        """The meter's staff file with this in it, signed."""
        signed = msgspec.json.decode(sign_directory(book.directory, self._signing_key()), type=SignedDirectory)
        return msgspec.json.encode(_StaffFile(signed, dict(book.secrets)))

    @property
    def _staged(self) -> Path:
        return self.folder / STAGED

    def _take_staged(self) -> None:
        """Lets the staged file take the old one's place, if it is the one that the floor's book names."""
        if self._last and self._staged.exists() and _digest(self._staged.read_bytes()) == self._last.digest:
            self._staged.replace(self._file.path)
            sync(self.folder)

    def _now(self) -> tuple[StaffBook, bytes]:
        self._take_staged()
        try:
            found = self._file.now()
        except FileNotFoundError as missing:
            if self._last is None:
                raise NoDirectory("nobody has a PIN here yet: two persons begin with pitlink staff init") from missing
            raise DirectoryFault(
                f"{self._file.path}: the staff directory is missing, but the ledger knows of one; restore the file "
                "from a backup"
            ) from missing
        except OSError as error:
            raise DirectoryFault(f"{self._file.path}: cannot be read ({error.strerror})") from error
        least = self._last.directory if self._last else 0
        if found[0].directory.number < least:
            raise DirectoryFault(
                f"{self._file.path}: this staff directory is number {found[0].directory.number}, but the ledger knows "
                f"of number {least}; restore the newer file"
            )
        return found

    def _read(self, content: bytes) -> tuple[StaffBook, bytes]:
        try:
            file = msgspec.json.decode(content, type=_StaffFile)
        except msgspec.DecodeError as error:
            raise DirectoryFault(
                f"{self._file.path}: cannot be read ({error}); restore the file from a backup"
            ) from error
        signed = msgspec.json.encode(file.signed)
        return StaffBook(read_directory(signed, self._signing_key().public_key()), file.secrets), signed

    def _signing_key(self) -> Ed25519PrivateKey:
        try:
            return self._key.now()
        except OSError as error:
            raise DirectoryFault(
                f"{self._key.path}: cannot be read ({error.strerror}); pitlink staff key makes it once, later only a "
                "backup has it"
            ) from error


def _read_key(content: bytes) -> Ed25519PrivateKey:
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(content.decode().strip()))
    except ValueError as error:
        raise DirectoryFault(f"{KEY_FILE} is not a signing key ({error}); restore it from a backup") from error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
