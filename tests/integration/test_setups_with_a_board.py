"""config/table.toml in the set-ups of config/: a whole table on simulated metal deals a round, and knows a cut line."""

import asyncio

from link_bench import WITHIN_S
from paper_floor import Bench, open_table
from setup_bench import Setup

from controller.demo.broker import free_port
from controller.demo.cable import Cable
from drivers.broker import Broker

LOSS_S = 5.0
A_LOOK_S = 1.0  # how late a table may look, on a busy machine


async def deal_a_round(bench: Bench) -> None:
    """Opened by a supervisor: three chips fall, are counted, registered and booked."""
    await open_table(bench)
    await bench.deal(1, 3, 7)
    await bench.booked()
    assert bench.lit == [1, 3, 7]
    assert bench.book.counted == 3


async def test_one_table_alone_deals_a_round(setup: Setup) -> None:
    """Board, broker and meter on one machine, each with its shipped file."""
    port = free_port()
    setup.broker("one-table/mosquitto.conf", port)
    meter = setup.meter("meter.toml", port)
    await meter.start()
    async with setup.board("T1", port, certified=False) as bench:
        await deal_a_round(bench)
    assert (await meter.look())["state"]["in_cents"] == 3_00


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
    setup.broker("mosquitto.conf", main_port, mosquitto=["mosquitto.acl", "properties/main.acl"])
    meter = setup.meter("properties/meter.toml", main_port)
    await meter.start()
    async with Cable(Broker("127.0.0.1", main_port)) as line:
        setup.main_port = line.address.port
        await asyncio.to_thread(setup.broker, "properties/branch.conf", branch_port, branch=["properties/branch.acl"])
        async with setup.board("B1", branch_port) as bench, asyncio.timeout(WITHIN_S):
            await deal_a_round(bench)
            await bench.press_end_of_round()
            await bench.until(lambda: bench.open_gates == [1, 2, 3, 4, 5, 6, 7], "not open")
            line.cut()
            cut_at = asyncio.get_running_loop().time()
            await bench.until(lambda: bench.open_gates == [], "chips are still taken")
            assert asyncio.get_running_loop().time() - cut_at < LOSS_S + A_LOOK_S
            assert bench.book.link_down
            line.mend()
            await bench.until(lambda: bench.open_gates == [1, 2, 3, 4, 5, 6, 7], "not open again")
            await bench.deal(2)
            await bench.booked()
    state = (await meter.look())["state"]
    assert (state["in_cents"], state["held"]) == (3_00, 1)  # booked, and held: no hand is dealt in these few seconds
