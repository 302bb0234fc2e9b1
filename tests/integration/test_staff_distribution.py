"""The staff directory from the meter to a table's panel, by a real broker, and a removal that ends a session."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pyotp.totp import TOTP

from common.auth.directory import DirectoryFault
from common.auth.proof import prove
from common.clock import PacedClock
from common.log import open_log
from controller.meter_link.staff_copy import StaffCopy
from controller.meter_link.staff_link import NO_ANSWER
from demo.configuration import LONE, DemoGame, usual_pay_table
from demo.floor import DemoFloor
from demo.table import SimulatedTable
from games.catalogue import GAMES
from meter.staff.keeper import StaffKeeper
from tests.support.meter.staff_pins import ANN, DAN, SAM, SUE, TIM, Login
from tests.support.web.panel_page import page_at

WITHIN_S = 5.0


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[DemoFloor]:
    """One table, a broker, and a meter with everybody in its directory."""
    deals = [DemoGame(LONE, usual_pay_table(GAMES[LONE]), 100)]
    clock = PacedClock(asyncio.get_running_loop())
    with (tmp_path / "tables.log").open("a", encoding="utf-8") as file:
        log = open_log(file, readable=False)
        async with DemoFloor(tmp_path, deals=deals, clock=clock, log=log, chip_ms=0) as floor:
            yield floor


async def staff(folder: Path, *words: str, by: tuple[Login, Login] = (SUE, ANN), typed: str = "") -> int:
    """pitlink staff, while the meter runs."""
    command = [sys.executable, "-m", "cli.main", "staff", *words, "--config", str(folder / "meter.toml")]
    signed = ["--by", by[0].number, "--and-by", by[1].number]
    pins = f"{by[0].pin}\n{by[1].pin}\n{typed}"
    ran = await asyncio.to_thread(
        subprocess.run, [*command, *signed], input=pins, text=True, capture_output=True, check=False
    )
    return ran.returncode


async def staff_log(folder: Path) -> str:
    """Every change, oldest first."""
    command = [sys.executable, "-m", "cli.main", "staff", "log", "--config", str(folder / "meter.toml")]
    ran = await asyncio.to_thread(subprocess.run, command, text=True, capture_output=True, check=True)
    return ran.stdout


def knows(bench: SimulatedTable, login: Login) -> bool:
    """Whether the table's copy has this person."""
    try:
        return (
            StaffCopy(Path(bench.settings.state_dir), bench.settings.link.staff_key).directory().person(login.number)
            is not None
        )
    except DirectoryFault:
        return False


async def test_a_removal_ends_a_session_at_a_table_within_seconds(floor: DemoFloor, tmp_path: Path) -> None:
    """Added, signed in, removed: each while meter and table run, through the broker."""
    bench = floor.tables["T1"]
    await bench.until(lambda: knows(bench, DAN), "no directory")
    assert bench.assembly is not None
    async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
        assert (await page.sign_in_as(DAN))[0] == 200
        assert [person["name"] for person in (await page.view())["people"]] == ["Dan"]
        assert await staff(tmp_path, "remove", DAN.number) == 0
        told = time.monotonic()
        await bench.until(lambda: not knows(bench, DAN), "still there")
        assert time.monotonic() - told < WITHIN_S
        assert (await page.view())["people"] == []
        assert (await page.sign_in_as(DAN))[0] == 403


async def test_a_table_without_its_meter_goes_on_with_its_copy(floor: DemoFloor) -> None:
    """The link is lost and the table restarts: who was in the directory still is."""
    bench = floor.tables["T1"]
    await bench.until(lambda: knows(bench, DAN), "no directory")
    await floor.stop_meter()
    await bench.power_cut()
    await bench.power_on()
    assert bench.assembly is not None
    async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
        assert (await page.sign_in_as(DAN))[0] == 200


async def test_one_person_or_a_technician_changes_nothing_at_a_running_meter(floor: DemoFloor, tmp_path: Path) -> None:
    """The running meter checks both PINs and both roles itself."""
    assert floor.tables
    assert await staff(tmp_path, "remove", DAN.number, by=(SUE, SUE)) == 1
    assert await staff(tmp_path, "remove", DAN.number, by=(SUE, TIM)) == 1
    assert await staff(tmp_path, "add", "5001", "Eve", "dealer", by=(SUE, SAM), typed="930571\n") == 0


async def test_a_remote_sign_in_is_the_meters_to_allow(floor: DemoFloor, tmp_path: Path) -> None:
    """Number, PIN proof and TOTP code travel to the meter and back; a code does once, and none without the meter."""
    bench = floor.tables["T1"]
    await bench.until(lambda: knows(bench, DAN), "no directory")
    assert await staff(tmp_path, "enrol-totp", SAM.number) == 0
    assert bench.assembly is not None
    link = bench.assembly.link.staff
    sam = link.copy.directory().person(SAM.number)
    assert sam is not None
    secret = sam.secret(SAM.pin)
    assert secret is not None
    proof = prove(SAM.number, secret, link.order)
    code = TOTP(StaffKeeper(tmp_path, lambda: 0).totp_of(SAM.number)).now()
    wrong = prove(SAM.number, b"guess", link.order)
    assert "do not match" in await link.remote_check(SAM.number, code, wrong)
    await asyncio.sleep(1.1)  # the wait after a wrong try is the meter's own
    assert await link.remote_check(SAM.number, code, proof) == ""
    assert "do not match" in await link.remote_check(SAM.number, code, proof)
    await floor.stop_meter()
    await bench.until(lambda: bool(bench.state.link_down), "the link is up")
    assert await link.remote_check(SAM.number, code, proof) == NO_ANSWER


async def test_a_pin_that_others_set_is_changed_at_the_table_by_its_owner(floor: DemoFloor, tmp_path: Path) -> None:
    """Refused, chosen anew on the panel, kept by the meter, known to the table: and only then Dan is in."""
    bench = floor.tables["T1"]
    await bench.until(lambda: knows(bench, DAN), "no directory")
    assert await staff(tmp_path, "change", DAN.number, "--pin", typed="700413\n") == 0
    bench_copy = StaffCopy(Path(bench.settings.state_dir), bench.settings.link.staff_key)
    await bench.until(lambda: any(each.must_change for each in bench_copy.directory().people), "not told")
    assert bench.assembly is not None
    async with page_at(f"http://127.0.0.1:{bench.assembly.port}") as page:
        signed = replace(DAN, pin="700413")
        status, answer = await page.sign_in_as(signed)
        assert (status, answer["must_change"], "of his own" in answer["error"]) == (403, True, True)
        for pin, words in (("123456", "too easy"), ("700413", "that is the old PIN")):
            status, answer = await page.post("/panel/own-pin", {"signed": signed.shown, "pin": pin})
            assert (status, words in answer["error"]) == (409, True)
        wrong = {"signed": replace(DAN, pin="000000").shown, "pin": "318207"}
        assert (await page.post("/panel/own-pin", wrong))[0] == 403
        await asyncio.sleep(1.1)  # the wait after a wrong try
        status, answer = await page.post("/panel/own-pin", {"signed": signed.shown, "pin": "318207"})
        assert (status, [one["name"] for one in answer["people"]]) == (200, ["Dan"])
        page.token = answer["token"]
        assert (await page.sign_in_as(replace(DAN, pin="318207")))[0] == 200
    assert "changed the PIN of Dan (number 1001)" in (await staff_log(tmp_path)).splitlines()[-1]
