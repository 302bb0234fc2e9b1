"""Folders: names that are to outlast a power cut."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Returns when the names in it are on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
