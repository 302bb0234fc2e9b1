"""What one board hands to another: files with their owners, put in place so that each is the old or the new."""

import grp
import os
import pwd
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from flashing.errors import BoardFault, told
from flashing.files import Disk

_USER: Final = "pitlink"
_ROOT: Final = "root"


class ParcelFile(Struct, frozen=True):
    """One file, where it belongs, and whose it is."""

    path: str
    data: bytes
    mode: int
    owner: str = ""
    group: str = ""


class Parcel(Struct, frozen=True):
    """Everything that makes a board the one of its table; the journal is put in place last."""

    table: str
    journal_id: str
    software: str
    files: tuple[ParcelFile, ...]
    journal: ParcelFile


def pack(path: Path, data: bytes | None = None) -> ParcelFile:
    """A file of this board; data instead of its own content where that must be another."""
    with told(path):
        found = path.stat()
        content = path.read_bytes() if data is None else data
    return ParcelFile(str(path), content, found.st_mode & 0o777, *_names(found.st_uid, found.st_gid))


def unpack(file: ParcelFile, place: Path, disk: Disk) -> None:
    """Puts a file in place, for the same owner where this board knows him and we may give it away."""
    new = [folder for folder in place.parents if not folder.exists()]
    disk.write(place, file.data, mode=file.mode & 0o777)
    for folder in new:
        folder.chmod(0o755 if file.owner == _ROOT else 0o700)
    if os.geteuid() == 0 and file.owner:
        for made in (place, *new):
            with told(made):
                os.chown(made, *_numbers(file.owner, file.group))


def require_inside(parcel: Parcel, folders: Sequence[Path]) -> None:
    """Refuses a parcel with a file for any other folder, whether it says so, or uses `..` or a link."""
    for file in (*parcel.files, parcel.journal):
        if "\0" in file.path or not _is_inside(Path(file.path), folders):
            known = ", ".join(map(str, folders))
            raise BoardFault(f"{file.path!r} lies outside {known}; if it belongs there, say --also FOLDER")


def without_strange_keys(parcel: Parcel, trust: Path) -> tuple[Parcel, list[str]]:
    """The parcel less the keys that this board does not trust yet, and which these were."""
    with told(trust):
        known = {path.read_bytes() for path in trust.glob("*.pub")}
    keys = [file for file in parcel.files if _is_inside(Path(file.path), [trust])]
    strange = [file for file in keys if file.data not in known]
    rest = tuple(file for file in parcel.files if file not in strange)
    return msgspec.structs.replace(parcel, files=rest), [file.path for file in strange]


def give_to_neighbours(paths: list[Path]) -> None:
    """Gives what root has made to the owner of the folder around it, or to the table's user where that is root's."""
    around = paths[-1].parent.stat()
    owner, group = _names(around.st_uid, around.st_gid)
    if owner == _ROOT and _USER in {user.pw_name for user in pwd.getpwall()}:
        owner = group = _USER
    for path in paths if os.geteuid() == 0 and owner else ():
        os.chown(path, *_numbers(owner, group))


def encode(parcel: Parcel) -> bytes:
    """A parcel as bytes."""
    return msgspec.msgpack.encode(parcel)


def decode(data: bytes) -> Parcel:
    """A parcel again; one of a newer kind is a BoardFault."""
    try:
        return msgspec.msgpack.decode(data, type=Parcel)
    except msgspec.DecodeError as error:
        raise BoardFault(f"made by a Pitlink that this board does not understand ({error}); flash it first") from error


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
        raise BoardFault(f"this board has no user {owner}; install the recipe of systemd/ first") from error
