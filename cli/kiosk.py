"""pitlink kiosk: keeps a browser on a sign, and systemd's watchdog quiet only while the browser draws."""

import argparse
import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from common.log import Log, open_log
from common.supervision import DIED, STOPPED, ServiceManager

CHECK_S: Final = 5.0
ANSWER_S: Final = 15.0
NOT_INSTALLED: Final = 3
_LARGEST_ANSWER_BYTES: Final = 1_000_000
_BROWSER: Final = (
    "cage",
    "--",
    "chromium",
    "--kiosk",
    "--ozone-platform=wayland",
    "--no-first-run",
    "--no-default-browser-check",
    "--noerrdialogs",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-session-crashed-bubble",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--password-store=basic",
)
_DRAWN: Final = (
    'new Promise((seen) => requestAnimationFrame(() => seen(document.querySelector(".sign")?.dataset.state ?? "")))'
)
"""The state of the sign once a frame was drawn; nothing where another page, or an error, is shown."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--url", default="http://127.0.0.1:8080/sign", help="the sign; ?theme=ivory&language=es choose")
    parser.add_argument("browser", nargs="*", default=list(_BROWSER), help="another browser and its options, after --")


def run(args: argparse.Namespace) -> int:
    """Keeps the sign on the screen until SIGTERM (0); 1 if the browser ended or hangs, 3 if it is missing."""
    if shutil.which(args.browser[0]) is None:
        print(f"{args.browser[0]} is missing; on Debian: apt install cage chromium", file=sys.stderr)
        return NOT_INSTALLED
    return asyncio.run(keep(args.browser, args.url, manager=ServiceManager(), log=open_log()))


async def keep(words: Sequence[str], url: str, *, manager: ServiceManager, log: Log, check_s: float = CHECK_S) -> int:
    """Starts the browser and looks at it again and again; whoever started us starts us anew."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    browser = await BrowserPipe.start([*words, "--remote-debugging-pipe", url])
    try:
        while True:
            async with asyncio.timeout(ANSWER_S):
                if not await browser.show(url):
                    log.warning("sign_not_shown", url=url)
            manager.ready(f"showing {url}")
            manager.alive()
            await asyncio.sleep(check_s)
    except asyncio.CancelledError:
        return STOPPED
    except (TimeoutError, EOFError, OSError) as fault:
        log.warning("browser_lost", reason=str(fault) or "it does not answer")
        return DIED
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
        await browser.stop()


class BrowserPipe:
    """A Chromium that is asked through two pipes (--remote-debugging-pipe): no port is open for others."""

    def __init__(self, process: asyncio.subprocess.Process, orders: int, answers: asyncio.StreamReader) -> None:
        self._process, self._orders, self._answers, self._asked = process, orders, answers, 0

    @classmethod
    async def start(cls, words: Sequence[str]) -> "BrowserPipe":
        """Starts it with the pipes as file descriptors 3 and 4."""
        (orders_out, orders_in), (answers_out, answers_in) = os.pipe(), os.pipe()
        ends = (orders_out, answers_in)
        wrapped = ["bash", "-c", f'exec "$@" 3<&{orders_out} 4>&{answers_in}', "bash", *words]
        process = await asyncio.create_subprocess_exec(*wrapped, pass_fds=ends, start_new_session=True)
        for end in ends:
            os.close(end)
        reader = asyncio.StreamReader(limit=_LARGEST_ANSWER_BYTES)
        protocol = asyncio.StreamReaderProtocol(reader)
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(answers_out, "rb"))
        return cls(process, orders_in, reader)

    async def show(self, url: str) -> bool:
        """Whether the sign is drawn; where it is not, the browser is sent there."""
        targets = (await self._ask("Target.getTargets"))["targetInfos"]
        page = next((target["targetId"] for target in targets if target["type"] == "page"), None)
        if page is None:
            await self._ask("Target.createTarget", url=url)
            return False
        session = (await self._ask("Target.attachToTarget", targetId=page, flatten=True))["sessionId"]
        asked = {"expression": _DRAWN, "awaitPromise": True, "returnByValue": True}
        answer = await self._ask("Runtime.evaluate", session=session, **asked)
        is_drawn = bool(answer.get("result", {}).get("value"))
        if not is_drawn:
            await self._ask("Page.navigate", session=session, url=url)
        await self._ask("Target.detachFromTarget", sessionId=session)
        return is_drawn

    async def stop(self) -> None:
        """Ends it and all it started."""
        os.close(self._orders)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._process.wait()
                return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    async def _ask(self, method: str, *, session: str = "", **params: Any) -> dict[str, Any]:
        self._asked += 1
        order = {"id": self._asked, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self._orders, msgspec.json.encode(order) + b"\0")
        while True:
            said = msgspec.json.decode((await self._answers.readuntil(b"\0"))[:-1])
            if said.get("id") == self._asked:
                return said.get("result", {})  # type: ignore[no-any-return]
