"""The word of a flash under way to the version that runs: do not open the table."""

import sys
from pathlib import Path

from flashing.paths import Places, is_whole


def held(prefix: Path = Path(sys.prefix)) -> str:
    """Why no table may open under this version now, or nothing."""
    if not is_whole(prefix):
        return ""
    hold = Places(opt=prefix.parent.parent).hold
    return hold.read_text(encoding="utf-8").strip() if hold.is_file() else ""
