"""Staff copy: the meter's signed directory as this table keeps it on disk."""

from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from common.auth.directory import Directory, DirectoryFault, read_directory
from common.files import WatchedFile

COPY: Final = "staff.json"


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

    def _read(self, content: bytes) -> Directory:
        return read_directory(content, Ed25519PublicKey.from_public_bytes(bytes.fromhex(self._staff_key)))
