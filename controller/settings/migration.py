"""Settings files from one version to the next; the way back is the copy that a flash has kept of them."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from common.settings import SETTINGS_VERSION, SettingsError, SettingsFault


class SettingsStep(Struct, frozen=True):
    """What makes a file of one version of the file before it: text, so that comments and order stay."""

    version: int
    forward: Callable[[str], str]


STEPS: Final[tuple[SettingsStep, ...]] = ()
"""In the order of their versions; the first is 1 and needs none."""


def migrated(path: Path, to: int = SETTINGS_VERSION, steps: Sequence[SettingsStep] = STEPS) -> str:
    """The text of a settings file in its newest form; raises SettingsError if it cannot be read or is newer still."""
    try:
        text = path.read_bytes().decode("utf-8")
        begun = tomllib.loads(text).get("settings_version", 1)
    except (OSError, ValueError) as error:
        raise SettingsError([SettingsFault(str(path), "file", f"cannot be read: {error}")]) from error
    if not isinstance(begun, int) or begun > to:
        problem = f"{begun!r} is not a version of settings up to {to}; install the Pitlink that it was written for"
        raise SettingsError([SettingsFault(str(path), "settings_version", problem)])
    for step in (step for step in steps if begun < step.version <= to):
        text = step.forward(text)
    return text
