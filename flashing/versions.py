"""Names of versions and platforms: which is older, and what this board can run."""

import platform
import re
import sys
from typing import Final

from flashing.errors import FlashError

MACHINES: Final = ("aarch64", "x86_64")
PYTHONS: Final = ("3.11", "3.12", "3.13")
"""Debian 12 has the first, Debian 13 and this year's Raspberry Pi OS the last."""
_NAME: Final = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:rc(\d{1,6}))?")
_FINAL: Final = 10**6
"""A release comes after every candidate for it."""


def order(version: str) -> tuple[int, int, int, int]:
    """What versions are sorted by: 0.9.0 < 0.10.0rc1 < 0.10.0; another spelling is a FlashError."""
    found = _NAME.fullmatch(version)
    if found is None:
        raise FlashError(f"{version!r} is no version; versions look like 1.4.0 or 1.4.0rc2")
    major, minor, patch, candidate = found.groups()
    return int(major), int(minor), int(patch), int(candidate) if candidate else _FINAL


def this_platform() -> str:
    """What this machine can run, as bundles name it."""
    return platform_name(platform.machine(), f"{sys.version_info.major}.{sys.version_info.minor}")


def platform_name(machine: str, python: str) -> str:
    """A platform as bundles name it: machine and Python."""
    return f"linux-{machine}-py{python}"


def build_words(platform: str) -> str:
    """The options of `pitlink bundle build` for a platform."""
    _, machine, python = platform.split("-")
    return f"--platform {machine} --python {python.removeprefix('py')}"


def wheel_tags(machine: str) -> list[str]:
    """The platforms of wheels that run on this machine's Debian 12 (glibc 2.36), 13 or Raspberry Pi OS."""
    if machine not in MACHINES:
        raise FlashError(f"no wheels are known for {machine!r}; choose one of {', '.join(MACHINES)}")
    return [f"manylinux_2_{minor}_{machine}" for minor in range(36, 16, -1)] + [f"manylinux2014_{machine}"]
