"""The swap file: a table's files with their owners, encrypted by a passphrase, for another board."""

import grp
import os
import pwd
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Struct

from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles

SHORTEST: Final = 12
"""Letters of a passphrase: such a file leaves the house in a pocket."""
LARGEST_BYTES: Final = 2**31 - 2**20
"""What ChaCha20-Poly1305 seals in one piece, with room for a header."""
_MAGIC: Final = b"PITSWAP\x01"
_HEADER: Final = struct.Struct(">8sB16s12s")
_COST: Final = 16  # 64 MB and about a second on a small board
_MOST_COST: Final = 20


def seal(content: bytes, passphrase: str) -> bytes:
    """Locks content with a passphrase."""
    if len(passphrase) < SHORTEST:
        raise FlashError(f"the passphrase is too short; take at least {SHORTEST} letters")
    require_fits(len(content))
    header = _HEADER.pack(_MAGIC, _COST, os.urandom(16), os.urandom(12))
    key, nonce = _key(header, passphrase)
    return header + ChaCha20Poly1305(key).encrypt(nonce, content, header)


def require_fits(size: int) -> None:
    """Refuses what is too large to be sealed."""
    if size > LARGEST_BYTES:
        raise FlashError(f"{size >> 20} MB do not fit into a swap file of 2047 MB; put the card into the other board")


def unseal(sealed: bytes, passphrase: str) -> bytes:
    """What was locked; another file, a damaged one or another passphrase is a FlashError."""
    if not sealed.startswith(_MAGIC) or len(sealed) < _HEADER.size or sealed[len(_MAGIC)] > _MOST_COST:
        raise FlashError("this is no swap file; take the one that `pitlink swap export` has made")
    header = sealed[: _HEADER.size]
    key, nonce = _key(header, passphrase)
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed[_HEADER.size :], header)
    except InvalidTag as error:
        raise FlashError("another passphrase, or the file is damaged; try again, or copy it again") from error


def _key(header: bytes, passphrase: str) -> tuple[bytes, bytes]:
    _, cost, salt, nonce = _HEADER.unpack(header)
    return Scrypt(salt=salt, length=32, n=2**cost, r=8, p=1).derive(passphrase.encode()), nonce


_USER: Final = "pitlink-table"
_ROOT: Final = "root"


class SwappedFile(Struct, frozen=True):
    """One file, where it belongs, and whose it is."""

    path: str
    data: bytes
    mode: int
    owner: str = ""
    group: str = ""


class SwapFile(Struct, frozen=True):
    """Everything that makes a board the one of its table; the journal is put in place last."""

    table: str
    journal_id: str
    software: str
    files: tuple[SwappedFile, ...]
    journal: SwappedFile


def pack(path: Path, data: bytes | None = None) -> SwappedFile:
    """A file of this board; data instead of its own content where that must be another."""
    with flash_errors(path):
        found = path.stat()
        content = path.read_bytes() if data is None else data
    return SwappedFile(str(path), content, found.st_mode & 0o777, *_names(found.st_uid, found.st_gid))


def unpack(file: SwappedFile, place: Path, disk: SyncedFiles) -> None:
    """Puts a file in place, for the same owner where this board knows him and we may give it away."""
    new = [folder for folder in place.parents if not folder.exists()]
    disk.write(place, file.data, mode=file.mode & 0o777)
    for folder in new:
        folder.chmod(0o755 if file.owner == _ROOT else 0o700)
    if os.geteuid() == 0 and file.owner:
        for made in (place, *new):
            with flash_errors(made):
                os.chown(made, *_numbers(file.owner, file.group))


def require_inside(swap_file: SwapFile, folders: Sequence[Path]) -> None:
    """Refuses a swap file with a file for any other folder, whether it says so, or uses `..` or a link."""
    for file in (*swap_file.files, swap_file.journal):
        if "\0" in file.path or not _is_inside(Path(file.path), folders):
            known = ", ".join(map(str, folders))
            raise FlashError(f"{file.path!r} lies outside {known}; if it belongs there, say --also FOLDER")


def without_strange_keys(swap_file: SwapFile, trust: Path) -> tuple[SwapFile, list[str]]:
    """The swap file less the keys that this board does not trust yet, and which these were."""
    with flash_errors(trust):
        known = {path.read_bytes() for path in trust.glob("*.pub")}
    keys = [file for file in swap_file.files if _is_inside(Path(file.path), [trust])]
    strange = [file for file in keys if file.data not in known]
    rest = tuple(file for file in swap_file.files if file not in strange)
    return msgspec.structs.replace(swap_file, files=rest), [file.path for file in strange]


def give_to_neighbours(paths: list[Path]) -> None:
    """Gives what root has made to the owner of the folder around it, or to the table's user where that is root's."""
    around = paths[-1].parent.stat()
    owner, group = _names(around.st_uid, around.st_gid)
    if owner == _ROOT and _USER in {user.pw_name for user in pwd.getpwall()}:
        owner = group = _USER
    for path in paths if os.geteuid() == 0 and owner else ():
        os.chown(path, *_numbers(owner, group))


def encode(swap_file: SwapFile) -> bytes:
    """A swap file as bytes."""
    return msgspec.msgpack.encode(swap_file)


def decode(data: bytes) -> SwapFile:
    """A swap file again; one of a newer kind is a FlashError."""
    try:
        return msgspec.msgpack.decode(data, type=SwapFile)
    except msgspec.DecodeError as error:
        raise FlashError(f"made by a Pitlink that this board does not understand ({error}); flash it first") from error


def _is_inside(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in folders)


def _names(user: int, group: int) -> tuple[str, str]:
    try:
        return pwd.getpwuid(user).pw_name, grp.getgrgid(group).gr_name
    except KeyError:
        return "", ""


def _numbers(owner: str, group: str) -> tuple[int, int]:
    try:
        return pwd.getpwnam(owner).pw_uid, grp.getgrnam(group).gr_gid
    except KeyError as error:
        raise FlashError(f"this board has no user {owner}; install the recipe of systemd/ first") from error
