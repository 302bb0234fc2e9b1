"""config/table.toml in the set-ups of config/: a whole table on simulated metal deals a round, and knows a cut line."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

from controller.settings.table import load
from demo.broker import free_port
from demo.network_cut import NetworkCable
from drivers.mqtt.settings import BrokerSettings
from meter.store.sqlite import SqliteStore
from tests.support.meter.link_bench import WITHIN_S
from tests.support.meter.setup_bench import ROOT, Setup
from tests.support.meter.staff_pins import ANN, SUE
from tests.support.table.paper_floor import Bench, open_table

SETUPS = ROOT / "docs" / "setups.md"
PINS = f"{SUE.pin}\n{ANN.pin}\n"
LOSS_S = 5.0
A_LOOK_S = 1.0  # how late a table may look, on a busy machine


async def deal_a_round(bench: Bench) -> None:
    """Opened by a supervisor: three chips fall, are counted, registered and booked."""
    await open_table(bench)
    await bench.until(lambda: len(bench.open_gates) == 7, "the beams are not proved")
    await bench.deal(1, 3, 7)
    await bench.booked()
    assert bench.lit == [1, 3, 7]
    assert bench.state.counted == 3


async def test_one_table_alone_deals_a_round(setup: Setup) -> None:
    """Board, broker and meter on one machine, each with its shipped file."""
    port = free_port()
    setup.broker("one-table/mosquitto.conf", port)
    meter = setup.meter("meter.toml", port)
    await meter.start()
    async with setup.board("T1", port, certified=False) as bench:
        await deal_a_round(bench)
    assert (await meter.look())["state"]["in_cents"] == 3_00


async def test_s_4_only_a_table_with_the_printed_hash_joins_where_one_is_approved(setup: Setup) -> None:
    """The command of docs/setups.md prints what the comment of the shipped meter asks for; another hash is refused."""
    (command,) = re.findall(r"^(pitlink table .*--print-config .*)$", SETUPS.read_text(), re.MULTILINE)
    port = free_port()
    setup.broker("one-table/mosquitto.conf", port)
    meter = setup.meter("meter.toml", port)
    shipped = meter.config.read_text()
    board = setup.board("T1", port, certified=False)
    words = command.replace("pitlink", f"{sys.executable} -m cli.main", 1)
    words = words.replace("/etc/pitlink/table.toml", str(setup.settings_of("T1")))
    printed = await asyncio.to_thread(subprocess.run, words, shell=True, capture_output=True, text=True, check=True)
    (own,) = re.findall(r"[0-9a-f]{64}", printed.stdout)
    async with board as bench:
        for approved, joins in (("0" * 64, False), (own, True)):
            text, times = re.subn(r"^# approved = .*$", f'approved = ["{approved}"]', shipped, flags=re.MULTILINE)
            assert times == 1
            meter.config.write_text(text)
            if joins:
                await asyncio.to_thread(apply_terms, meter.config)
            await meter.start()
            if joins:
                await open_table(bench)
            else:
                await bench.until(lambda: f"configuration {own} is not one of those approved" in bench.state.link_down)
                assert await meter.stop() == 0


async def test_s_4_r96_the_steps_of_the_document_put_a_hash_on_a_link_that_is_played(setup: Setup) -> None:
    """Word by word as docs/setups.md has them, systemctl aside; with a restart alone the meter does not start."""
    (block,) = re.findall(r"^```sh approved\n(.*?)^```", SETUPS.read_text(), re.DOTALL | re.MULTILINE)
    port = free_port()
    setup.broker("one-table/mosquitto.conf", port)
    meter = setup.meter("meter.toml", port)
    await meter.start()
    async with setup.board("T1", port, certified=False) as bench:
        await open_table(bench)
        own = load(setup.settings_of("T1")).config_hash
        listed = re.sub(r"^# approved = .*$", f'approved = ["{own}"]', meter.config.read_text(), flags=re.MULTILINE)
        for step in block.splitlines():
            match step.partition("#")[0].split():
                case ["systemctl", "stop", "pitlink-meter"]:
                    await bench.until(lambda: is_at_rest(meter.store))
                    assert await meter.stop() == 0
                    meter.config.write_text(listed)
                    meter.launch()
                    assert await meter.code() == 3
                case ["systemctl", "start", "pitlink-meter"]:
                    await meter.start()
                case ["pitlink", *_]:
                    await asyncio.to_thread(run, step.replace("/etc/pitlink/meter.toml", str(meter.config)))
        await bench.until(lambda: not bench.state.link_down)
        await bench.deal(1, 3, 7)
        await bench.booked()
    assert (await meter.look())["state"]["in_cents"] == 3_00


def run(command: str) -> None:
    """A command of a document, in a shell."""
    words = command.replace("pitlink", f"{sys.executable} -m cli.main", 1)
    subprocess.run(words, shell=True, capture_output=True, check=True, input=PINS, text=True)


def is_at_rest(ledger: Path) -> bool:
    """Whether every table that has joined is idle, by the books."""
    store = SqliteStore(ledger, reading=True)
    try:
        saved = store.load("main")
        return saved is not None and all(member.idle for member in saved.members)
    finally:
        store.close()


def apply_terms(config: Path) -> None:
    """Two persons put the list into the ledger: it is a parameter of the link (R96)."""
    words = f"meter --config {config} --apply-terms --by {SUE.number} --and-by {ANN.number} --reason approved".split()
    subprocess.run([sys.executable, "-m", "cli.main", *words], capture_output=True, check=True, input=PINS, text=True)


async def test_a_table_of_a_pit_deals_a_round_over_its_certificate(setup: Setup) -> None:
    """The part of config/table.toml that stands in a comment works when it is taken out of it."""
    port = free_port()
    setup.broker("mosquitto.conf", port, mosquitto=["mosquitto.acl"])
    meter = setup.meter("pit/meter.toml", port)
    await meter.start()
    async with setup.board("T1", port) as bench:
        await deal_a_round(bench)
    assert (await meter.look())["state"]["in_cents"] == 3_00


async def test_r40_a_branch_closes_within_five_seconds_of_a_cut_line(setup: Setup) -> None:
    """Its own broker stays and nobody is told of the cut: no chip is taken all the same until the line is mended."""
    main_port, branch_port = free_port(), free_port()
    setup.broker("properties/main.conf", main_port, mosquitto=["properties/main.acl"])
    meter = setup.meter("properties/meter.toml", main_port)
    await meter.start()
    async with NetworkCable(BrokerSettings("127.0.0.1", main_port)) as line:
        setup.main_port = line.address.port
        await asyncio.to_thread(
            setup.broker, "properties/branch.conf", branch_port, mosquitto=["properties/branch.acl"]
        )
        async with setup.board("B1", branch_port) as bench, asyncio.timeout(WITHIN_S):
            await deal_a_round(bench)
            await bench.press_end_of_round()
            await bench.until(lambda: bench.open_gates == [1, 2, 3, 4, 5, 6, 7], "not open")
            line.cut()
            cut_at = asyncio.get_running_loop().time()
            await bench.until(lambda: bench.open_gates == [], "chips are still taken")
            assert asyncio.get_running_loop().time() - cut_at < LOSS_S + A_LOOK_S
            assert bench.state.link_down
            line.mend()
            await bench.until(lambda: bench.open_gates == [1, 2, 3, 4, 5, 6, 7], "not open again")
            await bench.deal(2)
            await bench.booked()
    state = (await meter.look())["state"]
    assert (state["in_cents"], state["held"]) == (3_00, 1)  # booked, and held: no hand is dealt in these few seconds
