"""The floor of a real meter process: alarms survive a power cut, and a person ends them."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import ClientConnectorError, ClientSession
from link_bench import WITHIN_S
from meter_process import MeterProcess
from staff_pins import staff_file

from controller.demo.broker import free_port


async def look(url: str) -> Any:
    """What the page's stream shows as soon as there is an alarm; a process that has just begun may not listen yet."""
    async with ClientSession() as session, asyncio.timeout(WITHIN_S):
        while True:
            with suppress(ClientConnectorError):
                async with session.get(f"{url}/floor/stream") as stream:
                    async for line in stream.content:
                        if line.startswith(b"data: ") and (view := json.loads(line[6:]))["alarms"]:
                            return view
            await asyncio.sleep(0.05)


async def test_an_alarm_survives_a_power_cut_until_somebody_acknowledges_it(tmp_path: Path) -> None:
    """A meter without its broker says so; killed and started again, it says so since the same moment."""
    meter = MeterProcess(tmp_path, free_port())
    (tmp_path / "staff.json").write_bytes(staff_file())
    url = f"http://127.0.0.1:{meter.control}"
    try:
        await meter.start()
        [before] = (await look(url))["alarms"]
        assert before["alarm"]["kind"] == "broker lost"
        await sign_and_acknowledge(url, 0)  # whose answer is on disk only after everything before it
        meter.kill()
        await meter.start()
        [after] = (await look(url))["alarms"]
        assert (after["number"], after["at_ms"]) == (before["number"], before["at_ms"])
        assert await sign_and_acknowledge(url, after["number"]) == 200
    finally:
        meter.close()


async def sign_and_acknowledge(url: str, alarm: int) -> int:
    """Sue signs in and acknowledges this."""
    async with ClientSession(url) as session:
        async with session.get("/floor/session") as answer:
            token = (await answer.json())["token"]
            cookies = {name: cookie.value for name, cookie in answer.cookies.items()}
        headers = {"Origin": url, "X-Pitlink-Token": token}
        body = {"name": "Sue", "pin": "1357"}
        async with session.post("/floor/sign-in", json=body, headers=headers, cookies=cookies) as answer:
            headers["X-Pitlink-Token"] = (await answer.json())["token"]
            cookies = {name: cookie.value for name, cookie in answer.cookies.items()}
        order = {"alarm": alarm}
        async with session.post("/floor/acknowledge", json=order, headers=headers, cookies=cookies) as answer:
            return answer.status
