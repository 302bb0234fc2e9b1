"""A table that loses its meter and finds it again: shut in time, the round finished, nothing lost, nothing guessed."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from drivers.light_patterns import Pattern
from games.round.events import HandClaimed, LinkLost, LinkRestored
from games.round.state import ClaimState, Phase
from link import messages as wire
from link import topics
from meter.ledger.decisions import Decided, Reopen
from meter.store.backup import back_up, restore
from tests.support.table.paper_floor import Bench, PaperFloor, open_table, paper_floor

FLOP = ("Th", "Jh", "Qh")
QUICK: dict[str, Any] = {"name": "demo", "loss_s": 2.0}


def lost(bench: Bench) -> list[str]:
    """Why the link was lost, as often as the journal says that it was."""
    assert bench.assembly is not None
    lines = bench.assembly.table.journal.lines()
    return [line.event.reason for line in lines if isinstance(line.event, LinkLost)]


async def play_round(bench: Bench) -> None:
    """One wager, dealt, booked and over."""
    number = bench.state.round
    await bench.deal(2)
    await bench.booked()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == number + 1)


def put_back(backup: Path, ledger: Path) -> None:
    """The books of a dead meter are replaced by an older copy."""
    for file in ledger.parent.glob(f"{ledger.name}*"):
        file.unlink()
    restore(backup, str(ledger), datetime.now(UTC))


async def test_within_loss_s_of_losing_the_meter_no_chip_is_accepted(tmp_path: Path) -> None:
    """Gates shut, dealer and players are told (R40), and on return everything is as it was (R42)."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.drop_chip(3)
        await bench.settle()
        await floor.meter.kill()
        await bench.until(lambda: bool(bench.state.link_down))
        assert bench.open_gates == []
        assert bench.lit == [3]
        assert bench.assembly is not None
        shown = bench.assembly.look()
        assert (shown.phase_words, shown.next_step) == (
            "No new wagers",
            "No progressive wagers: the meter has stopped",
        )
        assert await bench.look(4) is Pattern.DARK
        await bench.drop_chip(4)
        assert bench.metal.chips_bounced == [4]
        floor.meter.start()
        await bench.until(lambda: not bench.state.link_down)
        await bench.settle()
        assert bench.open_gates == [1, 2, 4, 5, 6, 7]


async def test_a_table_that_was_held_up_itself_does_not_accuse_the_meter(tmp_path: Path) -> None:
    """What the meter said while the loop stood still is heard before anybody says that it is gone."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        client, before = bench.assembly.client, len(lost(bench))
        time.sleep(QUICK["loss_s"] + 0.5)  # noqa: ASYNC251  the loop must stand still: that is what is tested
        heard = client._session.lost_at
        await bench.until(lambda: client._session.lost_at != heard)
        await bench.settle()
        assert len(lost(bench)) == before
        assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]


async def test_the_round_in_hand_is_finished_without_the_meter_and_booked_when_it_returns(tmp_path: Path) -> None:
    """Nothing is lost and nothing guessed: the wagers wait in the outbox."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.drop_chip(3)
        await bench.settle()
        floor.broker.switch_off()
        await bench.until(lambda: bool(bench.state.link_down))
        assert bench.assembly is not None
        shown = bench.assembly.look()
        assert shown.next_step == "No progressive wagers: the network to the meter is down: call a technician"
        assert shown.link.detail
        await bench.press_lock_out()
        await bench.settle()
        assert bench.state.phase is Phase.COUNTED
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 2)
        assert floor.meter.pot.in_cents == 0
        floor.broker.switch_on()
        await bench.until(lambda: not bench.state.link_down)
        await bench.booked()
        assert floor.meter.pot.in_cents == 100


async def test_r46_a_table_that_was_cut_off_hands_everything_in_before_it_plays(tmp_path: Path) -> None:
    """The meter is there and welcomes it, an entry is lost on the way: the link is not back before that is booked."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        client, books = bench.assembly.client, floor.meter
        booked_cents: list[int] = []
        bench.assembly.table.watch(
            lambda event, _step: booked_cents.append(books.pot.in_cents) if isinstance(event, LinkRestored) else None
        )
        await bench.drop_chip(3)
        await bench.settle()
        floor.broker.switch_off()
        await bench.until(lambda: bool(bench.state.link_down))
        await bench.press_lock_out()
        await bench.settle()
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 2)
        floor.broker.deaf_to = {"entry"}
        floor.broker.switch_on()
        await bench.until(lambda: client._session.is_joined and client.view().waiting == 1)
        await bench.settle()
        assert bench.state.link_down
        assert bench.open_gates == []
        floor.broker.deaf_to = set()
        await bench.until(lambda: not bench.state.link_down)
        assert booked_cents == [100]
        await bench.settle()
        assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]


async def test_a_house_with_compensating_controls_queues_rounds(tmp_path: Path) -> None:
    """With when_lost = "queue" the table plays on; every round is booked once afterwards."""
    async with paper_floor(tmp_path, link={**QUICK, "when_lost": "queue"}) as floor:
        bench = floor.tables["T1"]
        floor.broker.switch_off()
        await bench.until(lambda: bool(bench.state.link_down))
        for number in range(1, 4):
            await bench.drop_chip(3)
            await bench.settle()
            await bench.press_lock_out()
            await bench.settle()
            await bench.press_end_of_round()
            await bench.until(lambda number=number: bench.state.round == number + 1)  # type: ignore[misc]  # bound at once
        floor.broker.switch_on()
        await bench.until(lambda: not bench.state.link_down)
        await bench.booked()
        assert floor.meter.pot.in_cents == 300


async def test_a_broker_absent_at_the_start_is_waited_for(tmp_path: Path) -> None:
    """The table starts closed to wagers, says why, and opens when the meter is found."""
    floor = PaperFloor(tmp_path)
    floor.broker.switch_off()
    async with floor.bench("T1") as bench:
        await bench.settle()
        assert bench.state.link_down
        assert bench.open_gates == []
        floor.broker.switch_on()
        floor.meter.start()
        await bench.until(lambda: not bench.state.link_down)
        await open_table(bench)
        assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]
    await floor.meter.kill()


async def test_an_award_asked_for_before_the_meter_died_is_fixed_once_when_it_returns(tmp_path: Path) -> None:
    """The claim waits, the amount is fixed once."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await floor.meter.kill()
        await bench.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
        await bench.until(lambda: bool(bench.state.link_down))
        assert bench.state.claims[0].state is ClaimState.ASKED
        floor.meter.start()
        await bench.until(lambda: bench.state.claims[0].state is ClaimState.FIXED)
        assert bench.state.claims[0].amount_cents == 10_000_70
        assert floor.meter.pot.amount_cents == 5_000_00


async def test_r82_a_meter_that_died_lowers_no_amount_and_hides_no_award(tmp_path: Path) -> None:
    """Its will has no figures: each table keeps what was said last, and says that the meter is gone."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await bench.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
        assert bench.assembly is not None
        client = bench.assembly.client
        await bench.until(lambda: client.state is not None and bool(client.state.pending))
        told = client.state
        assert told is not None
        await floor.meter.kill()
        await bench.until(lambda: client.state is not None and not client.state.alive)
        left = client.state
        assert left is not None
        assert left == msgspec.structs.replace(
            told, alive=False, health="stopped", notice=wire.GONE[0], notices=wire.GONE, at_ms=left.at_ms
        )
        assert client.view().amount_cents == 5_000_00
        await bench.until(lambda: bench.state.link_down == wire.GONE[0])


async def test_a_meter_that_lost_its_ledger_is_not_played_on(floor: PaperFloor, bench: Bench) -> None:
    """Books that know less than they had acknowledged, again and again, close the table and call accounting."""
    await bench.deal(2)
    await bench.booked()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    assert bench.assembly is not None
    nonce = bench.assembly.client._session.nonce
    short = wire.encode(wire.Reply(wire.VERSION, bench.assembly.table.journal.id, 0, nonce=nonce))
    floor.broker.deaf_to = {"hello"}
    for _ in range(30):
        floor.broker.deliver(topics.reply_topic("demo", "T1"), short, retain=False)
    await bench.until(lambda: "lost entries" in bench.state.link_down)
    assert bench.open_gates == []


async def test_a_ledger_restored_from_a_backup_opens_no_table_that_was_told_more(tmp_path: Path) -> None:
    """Stopped by the restore; opened by two persons, two rounds are in no book: the idle table calls accounting."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        assert bench.assembly is not None
        await play_round(bench)
        back_up(str(tmp_path / "ledger.db"), tmp_path / "backup")
        await play_round(bench)
        await play_round(bench)
        await floor.meter.kill()
        await bench.until(lambda: bool(bench.state.link_down))
        written = bench.assembly.table.journal.last_number
        put_back(tmp_path / "backup", tmp_path / "ledger.db")
        floor.meter.start()
        await bench.until(lambda: "restored from backup" in bench.state.link_down)
        assert bench.open_gates == []
        reopened = await floor.meter.books.decide("demo", Decided(Reopen(), "Ann", "Ben", "nothing was decided since"))
        assert reopened.refusal == ""
        await bench.until(lambda: "lost entries" in bench.state.link_down)
        assert bench.open_gates == []
        assert LinkRestored() not in [line.event for line in bench.assembly.table.journal.lines(after=written)]
