"""What the house has arranged on its board is the same after a flash, whichever way it ends."""

import os
from pathlib import Path

import pytest

from tests.support.flash.flash_bench import NEW, SETTINGS_TEXT, FlashBench


@pytest.mark.parametrize("target", ["/dev/null", "/srv/house/not-mounted.service", "../elsewhere/old.service"])
@pytest.mark.parametrize("broken", ["", "exit code 3"])
def test_the_houses_own_link_stays(bench: FlashBench, target: str, broken: str) -> None:
    """A masked unit stays masked, and a link to somewhere else is none of ours, whether or not the flash goes back."""
    own = bench.places.units / f"pitlink-only-{NEW}.service"
    own.symlink_to(target)
    masked = bench.places.units / "pitlink-table.service"
    masked.unlink()
    masked.symlink_to(target)
    bench.units.broken = {NEW: broken} if broken else {}
    bench.run(NEW)
    assert [str(link.readlink()) for link in (own, masked)] == [target] * 2


@pytest.mark.parametrize("broken", ["", "exit code 3"])
def test_settings_keep_their_owner_and_mode(bench: FlashBench, broken: str) -> None:
    """Migrated or put back, they are for the same eyes as before; so is the copy that lies beside them meanwhile."""
    settings, copy = bench.places.settings / "table.toml", bench.places.settings_copy("table.toml")
    settings.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(settings, 0, 4321)
    before, seen = _eyes(settings), []
    migrating = bench.programs._migrate

    def witness(version: str, what: str, files: list[Path]) -> str:
        if what == "settings":
            seen.append(_eyes(copy))
        return migrating(version, what, files)

    bench.programs._migrate = witness  # type: ignore[method-assign]  # while the copy is there
    bench.units.broken = {NEW: broken} if broken else {}
    bench.run(NEW)
    assert (settings.read_text() == SETTINGS_TEXT) is bool(broken)
    assert [_eyes(settings), *seen] == [before] * 2


def _eyes(path: Path) -> tuple[int, int, int]:
    """Who may look."""
    kept = path.stat()
    return kept.st_mode, kept.st_uid, kept.st_gid
