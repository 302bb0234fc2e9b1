"""Whose a file is that root has written among a daemon's own."""

import os
from pathlib import Path

from common.files import sync_folder


def leave_to_owner(file: int, path: Path) -> None:
    """Gives root's open file to the owner of what is at its path, or of the folder: the daemon itself is not root."""
    if os.geteuid() != 0:
        return
    owners = [place.stat() for place in (path, path.parent) if place.exists()]
    for owner in [owner for owner in owners if owner.st_uid != 0][:1]:
        os.fchown(file, owner.st_uid, owner.st_gid)


def make_folder(path: Path) -> None:
    """Makes a folder and those around it, each its parent's owner's; returns when their names are on disk."""
    if path.exists():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    around = path.parent.stat()
    if os.geteuid() == 0:
        os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)
    sync_folder(path.parent)
