"""Paths of a board below a given root: versions, bundles, state, settings, the open hold."""

import sys
from pathlib import Path
from typing import Final

from msgspec import Struct

PROOF: Final = "release"
"""Written last into the folder of a version: the signed manifest it was made of."""


class BoardPaths(Struct, frozen=True):
    """The four folders of a board that a flash touches, and what lies in them."""

    opt: Path = Path("/opt/pitlink")
    state: Path = Path("/var/lib/pitlink-flash")
    settings: Path = Path("/etc/pitlink")
    units: Path = Path("/etc/systemd/system")

    @property
    def folders(self) -> tuple[Path, ...]:
        """All four."""
        return self.opt, self.state, self.settings, self.units

    @property
    def versions(self) -> Path:
        """One folder for each installed version."""
        return self.opt / "versions"

    @property
    def current(self) -> Path:
        """The link to the version that runs."""
        return self.opt / "current"

    @property
    def flasher(self) -> Path:
        """The link to the version that flashes, while it does: it must outlive a broken new one."""
        return self.opt / "flasher"

    @property
    def rollback(self) -> Path:
        """The link that becomes current when a flash fails: renaming it needs no space on a full disk."""
        return self.opt / "way-back"

    @property
    def hold(self) -> Path:
        """While this file is there, no table opens."""
        return self.opt / "hold"

    @property
    def bundles(self) -> Path:
        """Where bundles wait."""
        return self.state / "bundles"

    @property
    def trust(self) -> Path:
        """The public keys that this board believes."""
        return self.settings / "trust"

    @property
    def unpacked(self) -> Path:
        """A bundle's wheels while they are installed."""
        return self.state / "unpacked"

    def version(self, name: str) -> Path:
        """The folder of one version."""
        return self.versions / name

    def settings_copy(self, name: str) -> Path:
        """A settings file as it was before the flash, where renaming puts it back even on a full disk."""
        return self.settings / f".{name}.before-flash"

    def bundle(self, version: str) -> Path:
        """The bundle of one version."""
        return self.bundles / f"{version}.pitlink"

    def running(self) -> str:
        """The name of the version that current leads to, or nothing."""
        return self.current.readlink().name if self.current.is_symlink() else ""


def is_whole(version: Path) -> bool:
    """Whether a folder is a version from a bundle, not the remains of an installation, nor a developer's."""
    return (version / PROOF).is_file()


def held(prefix: Path = Path(sys.prefix)) -> str:
    """Why no table may open under this version now, or nothing."""
    if not is_whole(prefix):
        return ""
    hold = BoardPaths(opt=prefix.parent.parent).hold
    return hold.read_text(encoding="utf-8").strip() if hold.is_file() else ""
