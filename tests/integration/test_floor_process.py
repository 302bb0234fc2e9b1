"""The floor of a real meter process: alarms survive a power cut, and a person ends them."""

import socket
from argparse import Namespace
from pathlib import Path

from aiohttp import ClientSession

from cli.main import own_program
from demo.broker import free_port
from drivers.mqtt.settings import BrokerSettings
from link.messages import Award
from meter.store.audit_log import CLEAN, FIRST, UNCLEAN, Awarded, MeterRun, Said, all_lines, read_note
from meter.store.open import open_store
from tests.support.meter.link_bench import BrokerProcess
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.meter_process import LinkTable, MeterProcess
from tests.support.meter.staff_pins import SUE


async def test_an_alarm_survives_a_power_cut_until_somebody_acknowledges_it(tmp_path: Path) -> None:
    """A meter without its broker says so; killed and started again, it says so since the same moment."""
    meter = MeterProcess(tmp_path, free_port())
    url = f"http://127.0.0.1:{meter.control}"
    try:
        await meter.start()
        [before] = await meter.alarms(bool)
        assert before["alarm"]["kind"] == "broker lost"
        await sign_and_acknowledge(url, 0)  # whose answer is on disk only after everything before it
        meter.kill()
        await meter.start()
        [after] = await meter.alarms(bool)
        assert (after["number"], after["at_ms"]) == (before["number"], before["at_ms"])
        assert await sign_and_acknowledge(url, after["number"]) == 200
    finally:
        meter.close()


async def test_r106_starts_stops_and_paid_awards_stand_in_the_book(broker: BrokerProcess, meter: MeterProcess) -> None:
    """Started (R60, R111: by which program), an award paid, stopped; started and killed; the next start tells of it."""
    await meter.start()
    async with LinkTable("T1", BrokerSettings("127.0.0.1", broker.port)) as t1:
        t1.wager(3)
        claimed = t1.claim(with_cards(Award(1, 3, "straight_flush", percent_bp=1_000)))
        await t1.booked()
        t1.pay(claimed, 100_007)
        await t1.booked()
    assert await meter.stop() == 0
    for _ in range(2):
        await meter.start()
        meter.kill()
    happened = [one for one in written(meter.address) if isinstance(one, MeterRun | Awarded)]
    assert [one.what for one in happened] == ["started", "fixed", "paid", "stopped", "started", "started"]
    assert [one.words for one in happened if isinstance(one, MeterRun)] == [FIRST, "", CLEAN, UNCLEAN]
    assert [one.amount_cents for one in happened if isinstance(one, Awarded)] == [100_007, 100_007]
    assert happened[0] == MeterRun("started", socket.gethostname(), own_program(Namespace()), FIRST)


def written(address: str) -> list[Said]:
    """What the book of a meter says, first to last."""
    store = open_store(address, reading=True)
    try:
        return [read_note(line).said for line in all_lines(store)]
    finally:
        store.close()


async def sign_and_acknowledge(url: str, alarm: int) -> int:
    """Sue signs in and acknowledges this."""
    async with ClientSession(url) as session:
        async with session.get("/floor/session") as answer:
            token = (await answer.json())["token"]
            cookies = {name: cookie.value for name, cookie in answer.cookies.items()}
        headers = {"Origin": url, "X-Pitlink-Token": token}
        body = {"number": SUE.number, "pin": SUE.pin}
        async with session.post("/floor/sign-in", json=body, headers=headers, cookies=cookies) as answer:
            headers["X-Pitlink-Token"] = (await answer.json())["token"]
            cookies = {name: cookie.value for name, cookie in answer.cookies.items()}
        order = {"alarm": alarm}
        async with session.post("/floor/acknowledge", json=order, headers=headers, cookies=cookies) as answer:
            return answer.status
