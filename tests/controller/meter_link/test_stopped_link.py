"""A link that is stopped to be closed: each table says by itself whether anything is left there."""

from pathlib import Path
from typing import Any

import pytest

from games.round.events import ClaimValidated, HandClaimed, PapersCompleted, PayoutConfirmed
from games.round.state import ClaimState
from link import messages as wire
from link import topics
from meter.ledger.decisions import AnyDecision, Close, Decided, Reopen, Stop
from tests.support.table.paper_floor import LINK, Bench, PaperFloor, open_table, paper_floor

FLOP = ("Th", "Jh", "Qh")
QUICK: dict[str, Any] = {"name": "demo", "loss_s": 2.0}


async def decide(floor: PaperFloor, decision: AnyDecision) -> str:
    """Two persons decide this; why not, or nothing."""
    return (await floor.meter.books.decide(LINK, Decided(decision, "Ann", "Ben", "the link ends"))).refusal


def kept(floor: PaperFloor) -> wire.State:
    """What the broker has in store of the meter."""
    return wire.decode(floor.broker.retained[topics.state_topic(LINK)], wire.State)


def last_hello(floor: PaperFloor) -> wire.Hello:
    """What the table said of itself last."""
    said = [payload for topic, payload in floor.broker.log if topic == topics.hello_topic(LINK, "T1")]
    return wire.decode(said[-1], wire.Hello)


async def stopped(floor: PaperFloor, bench: Bench) -> None:
    """Two persons stop the link; the table has heard it and greeted since."""
    assert await decide(floor, Stop()) == ""
    await bench.until(lambda: "stopped" in bench.state.link_down)
    greeted = len(floor.broker.log)
    await bench.until(lambda: any("/hello" in topic for topic, _ in floor.broker.log[greeted:]))


async def test_r90_a_table_without_a_wager_lets_its_link_be_closed(tmp_path: Path) -> None:
    """It says nothing of it while the link is open, and says it by itself once it is stopped."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        assert not last_hello(floor).idle
        assert "not stopped" in await decide(floor, Close())
        await stopped(floor, bench)
        await bench.until(lambda: last_hello(floor).idle)
        await bench.settle()
        assert await decide(floor, Close()) == ""


async def test_r90_a_royal_on_the_layout_is_paid_before_its_link_is_closed(tmp_path: Path) -> None:
    """Stopped in the middle of a hand, the link is not closed over it; opened again, the player gets his jackpot."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await stopped(floor, bench)
        assert "table T1 has a round in hand" in await decide(floor, Close())
        await bench.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
        await bench.until(lambda: last_hello(floor).next_seq == 3)
        await bench.settle()
        assert "table T1 has 1 entries that are not booked" in await decide(floor, Close())
        assert await decide(floor, Reopen()) == ""
        await bench.until(lambda: bench.state.claims[0].state is ClaimState.FIXED)
        await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"), PapersCompleted(3, "Dan"))
        await bench.booked()
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 2)
        await stopped(floor, bench)
        await bench.until(lambda: last_hello(floor).idle)
        assert await decide(floor, Close()) == ""
        assert floor.meter.pot.paid_cents == 10_000_70


async def test_a_table_that_plays_on_without_its_meter_rests_while_the_link_is_stopped(tmp_path: Path) -> None:
    """The house has it queue where the meter is lost; a link that was stopped is not lost."""
    async with paper_floor(tmp_path, link=QUICK | {"when_lost": "queue"}) as floor:
        bench = floor.tables["T1"]
        await stopped(floor, bench)
        await bench.until(lambda: last_hello(floor).idle)
        await bench.settle()
        assert await decide(floor, Close()) == ""


@pytest.mark.parametrize("then", ["killed", "killed and started and killed"])
async def test_r63_a_table_that_was_off_finds_the_stop_of_a_meter_that_was_killed_since(
    tmp_path: Path, then: str
) -> None:
    """Two persons stop the link, the meter dies: what the broker says for it is not kept in the place of their word."""
    queues = QUICK | {"when_lost": "queue"}
    async with paper_floor(tmp_path, tables=("T1", "T2"), link=queues) as floor:
        async with floor.bench("T2") as off:
            await open_table(off)
            assert off.open_gates
        await stopped(floor, floor.tables["T1"])
        await floor.meter.kill()
        if "started" in then:
            floor.meter.start()
            await floor.tables["T1"].until(lambda: kept(floor).number > 0)
            await floor.meter.kill()
        assert kept(floor).forbids_play
        async with floor.bench("T2") as back:
            await back.until(lambda: "the link ends" in back.state.link_down)
            await back.pass_time(3 * QUICK["loss_s"])
            assert back.state.link_refused
            assert back.open_gates == []
            floor.meter.start()
            assert await decide(floor, Reopen()) == ""
            await back.linked()
            await back.settle()
            assert back.open_gates


async def test_a_table_that_was_off_plays_on_where_an_open_link_lost_its_meter(tmp_path: Path) -> None:
    """A stop that two persons have taken back binds nobody: the house queues, and the will is kept as ever."""
    queues = QUICK | {"when_lost": "queue"}
    async with paper_floor(tmp_path, tables=("T1", "T2"), link=queues) as floor:
        async with floor.bench("T2") as off:
            await open_table(off)
        bench = floor.tables["T1"]
        await stopped(floor, bench)
        assert await decide(floor, Reopen()) == ""
        await bench.until(lambda: kept(floor).alive and "meter" in {mqtt.client_id for mqtt in floor.broker.pipes})
        await floor.meter.kill()
        assert kept(floor).number == 0
        async with floor.bench("T2") as back:
            await back.until(lambda: bool(back.open_gates))
            assert back.state.link_down
