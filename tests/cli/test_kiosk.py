"""The kiosk: a browser that is sent back to the sign, and whose end is ours."""

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from cli.kiosk import BrowserPipe, keep
from cli.main import main
from common.log import open_log
from common.supervision import DIED, ServiceManager
from tests.support.table.paper_floor import Silent, paper_floor
from tests.support.web.pages import FLAGS

QUIET = [flag for flag in FLAGS if "debugging" not in flag]


def browser(folder: Path) -> list[str]:
    """Chromium without a screen."""
    program = shutil.which("chromium")
    assert program is not None, "install Debian's chromium"
    return [program, *QUIET, f"--user-data-dir={folder}"]


class Heard(ServiceManager):
    """Counts how often somebody said that the sign is drawn."""

    def __init__(self) -> None:
        super().__init__({})
        self.beats = asyncio.Queue[int]()

    def alive(self) -> None:
        self.beats.put_nowait(1)


async def test_a_browser_that_shows_something_else_is_sent_back_to_the_sign(tmp_path: Path) -> None:
    """As after an error page while the table started; then the sign is drawn."""
    async with paper_floor(tmp_path) as floor:
        assembly = floor.tables["T1"].assembly
        assert assembly is not None
        url = f"http://127.0.0.1:{assembly.port}/sign"
        chromium = await BrowserPipe.start([*browser(tmp_path / "chromium"), "--remote-debugging-pipe", "about:blank"])
        try:
            async with asyncio.timeout(90):
                assert not await chromium.show(url)
                while not await chromium.show(url):  # noqa: ASYNC110  a browser rings no bell
                    await asyncio.sleep(3)  # the page needs its time, as between two looks of a kiosk
        finally:
            await chromium.stop()


async def test_a_kiosk_ends_with_its_browser(tmp_path: Path) -> None:
    """It says that it lives while frames are drawn; systemd then starts both anew."""
    manager, pid = Heard(), tmp_path / "pid"
    words = ["sh", "-c", f'echo $$ > {pid}; exec "$@"', "sh", *browser(tmp_path / "chromium")]
    async with asyncio.timeout(110):
        ended = asyncio.create_task(keep(words, "about:blank", manager=manager, log=open_log(Silent()), check_s=0.1))
        await manager.beats.get()
        await manager.beats.get()
        os.kill(int(pid.read_text()), signal.SIGKILL)
        assert await ended == DIED


def test_a_missing_browser_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With what to install."""
    assert main(["kiosk", "--", "no-such-browser"]) == 3
    assert "no-such-browser is missing; on Debian: apt install cage chromium" in capsys.readouterr().err
