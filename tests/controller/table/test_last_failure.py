"""Why the program last stopped: on disk at its end, on the panel until somebody has acknowledged it."""

from pathlib import Path

import pytest

from common.auth.roles import Role
from controller.table.last_failure import FILE, MOST_WORDS, LastFailure
from games.round.events import PanelUsed
from tests.support.table.paper_floor import paper_floor
from tests.support.web.panel_page import Page, events, give_pins, page_at

AT_MS = 1_794_800_041_020


def test_a_failure_is_kept_counted_and_acknowledged(tmp_path: Path) -> None:
    """The last reason and how often, across restarts; after the acknowledgement nothing is left."""
    LastFailure(tmp_path).note("Table.run: OSError: disk full", AT_MS)
    assert str(LastFailure(tmp_path).known) == "stopped 2026-11-16 03:34:01 UTC: Table.run: OSError: disk full"
    LastFailure(tmp_path).note("cannot start: no gpiochip0", AT_MS)
    again = LastFailure(tmp_path)
    assert str(again.known) == "stopped 2 times, last 2026-11-16 03:34:01 UTC: cannot start: no gpiochip0"
    again.acknowledge()
    again.acknowledge()
    assert LastFailure(tmp_path).known is None


def test_a_reason_is_one_line_and_has_an_end(tmp_path: Path) -> None:
    """systemd takes a status line by line: a reason cannot speak for the service."""
    failure = LastFailure(tmp_path)
    failure.note("x\nREADY=1\n" + "y" * 2 * MOST_WORDS, AT_MS)
    assert failure.known is not None
    assert failure.known.reason.startswith("x READY=1 y")
    assert len(failure.known.reason) == MOST_WORDS


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff", b"[1]"])
def test_a_damaged_file_is_shown_rather_than_forgotten(tmp_path: Path, damage: bytes) -> None:
    """Something went wrong: that much is still true."""
    (tmp_path / FILE).write_bytes(damage)
    assert "cannot be read" in str(LastFailure(tmp_path).known)


async def test_the_panel_shows_it_until_a_technician_has_acknowledged_it(tmp_path: Path) -> None:
    """On every panel with what to do; a dealer cannot wave it away; the journal says who did, and what it was."""
    (tmp_path / "T1").mkdir()
    LastFailure(tmp_path / "T1").note("Table.run: OSError: disk full", AT_MS)
    async with paper_floor(tmp_path) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        assert bench.assembly is not None
        async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
            (shown,) = (await page.view())["advice"]
            assert shown["device"] == "table program"
            assert "disk full" in shown["detail"]
            await page.sign_in(Role.DEALER)
            assert (await page.act("acknowledge", await page.offer("acknowledge")))[0] == 403
            await page.sign_in(Role.TECHNICIAN)
            assert (await page.act("acknowledge", await page.offer("acknowledge")))[0] == 200
            await nothing_is_left(page)
        used = [(event.by, event.action) for event in events(bench, PanelUsed)]
        assert used[-1] == ("Tim", "acknowledged")
    assert LastFailure(tmp_path / "T1").known is None


async def nothing_is_left(page: Page) -> None:
    """Neither advice nor offer; a second acknowledgement is refused in words."""
    view = await page.view()
    assert view["advice"] == []
    assert "acknowledge" not in [offer["action"] for offer in view["offers"]]
    status, answer = await page.act("acknowledge", "")
    assert (status, answer["reason"]) == (409, "there is nothing to acknowledge")
