"""The table's side of the link: lost, repeated, foreign and malformed messages, and what it says of itself."""

from pathlib import Path

import msgspec
import pytest

from games.paytable import Fixed, Percent
from games.round.events import ChipPlaced, ClaimValidated, HandClaimed, PayoutConfirmed
from games.round.state import ClaimState
from link import messages as wire
from link import topics
from tests.support.table.paper_floor import Bench, PaperFloor, paper_floor

FLOP = ("Th", "Jh", "Qh")


@pytest.mark.parametrize("lost", ["entry", "T1", "state"])
async def test_lost_messages_are_sent_again(floor: PaperFloor, bench: Bench, lost: str) -> None:
    """Entries, replies and states may be lost on the way; the books agree all the same."""
    floor.broker.deaf_to = {lost}
    await bench.drop_chip(3)
    await bench.settle()
    await bench.press_lock_out()
    await bench.settle()
    floor.broker.deaf_to = set()
    await bench.until(lambda: bench.state.registered)
    await bench.booked()
    assert floor.meter.pot.in_cents == 100


async def test_messages_that_come_twice_count_once(floor: PaperFloor, bench: Bench) -> None:
    """Every entry and every reply is delivered twice; the meter and the journal are not impressed."""
    floor.broker.twice = {"entry", "T1", "hello"}
    await bench.deal(2, 3)
    await bench.must(HandClaimed(3, ("2h", "3h"), FLOP))
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.FIXED)
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await bench.booked()
    assert floor.meter.pot.in_cents == 200
    assert floor.meter.pot.deducted_cents == 50_00


async def test_entries_of_long_ago_change_nothing_when_replayed(floor: PaperFloor, bench: Bench) -> None:
    """The whole traffic of a round, sent again by a stranger, moves no cent."""
    await bench.deal(2, 3)
    await bench.booked()
    for topic, payload in list(floor.broker.log):
        floor.broker.deliver(topic, payload, retain=False)
    await bench.settle()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    await bench.deal(4)
    assert floor.meter.pot.in_cents == 300


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"nonsense",
        b"\xff" * 40,
        b'{"v":1}',
        b'{"v":2,"journal":"other","booked_seq":99}',
        msgspec.json.encode(wire.Reply(wire.VERSION, "somebody else's journal", 99)),
        b'{"v":1,"journal":"x","booked_seq":-5}',
        b"[" * 10_000,
    ],
)
async def test_foreign_and_malformed_replies_are_ignored(floor: PaperFloor, bench: Bench, payload: bytes) -> None:
    """What is not for this journal is counted and changes nothing."""
    assert bench.assembly is not None
    before = bench.assembly.client.ignored
    floor.broker.deliver(topics.reply_topic("demo", "T1"), payload, retain=False)
    await bench.until(lambda: bench.assembly is not None and bench.assembly.client.ignored == before + 1)
    await bench.deal(3)
    assert floor.meter.pot.in_cents == 100


async def test_a_second_board_with_the_same_table_id_is_refused_and_says_why(
    floor: PaperFloor, bench: Bench, tmp_path: Path
) -> None:
    """R13: the newcomer stays closed; the table that was there plays on."""
    (tmp_path / "elsewhere").mkdir()
    floor.folder = tmp_path / "elsewhere"
    async with floor.bench("T1") as twin:
        await twin.until(lambda: "another" in twin.state.link_down or "journal" in twin.state.link_down)
        assert twin.open_gates == []
        await twin.turn_key(on=True)
        assert await twin.tell(ChipPlaced(3)) is not None
    await bench.until(lambda: not bench.state.link_down)
    await bench.deal(3)
    assert floor.meter.pot.in_cents == 100


async def test_r98_the_table_shows_the_meter_the_configuration_it_runs(floor: PaperFloor, bench: Bench) -> None:
    """The hash in the hello is the one --print-config shows; another pay table has another one."""
    hellos = [payload for topic, payload in floor.broker.log if topic == topics.hello_topic("demo", "T1")]
    said = wire.decode(hellos[-1], wire.Hello).config_hash
    assert said == bench.settings.config_hash
    assert len(said) == 64
    assert said != msgspec.structs.replace(bench.settings, pay_table="B").config_hash


async def test_r76_an_award_says_how_far_its_tables_clock_can_be_trusted(floor: PaperFloor, bench: Bench) -> None:
    """Management sees beside contested claims whether their times mean anything."""
    await bench.deal(3)
    await bench.must(HandClaimed(3, ("2h", "3h"), FLOP))
    await bench.booked()
    entries = [payload for topic, payload in floor.broker.log if topic == topics.entry_topic("demo", "T1")]
    awards = [
        entry for entry in (wire.decode(body, wire.Envelope).entry for body in entries) if isinstance(entry, wire.Award)
    ]
    assert {award.clock for award in awards} <= {"synchronised", "not synchronised", "unknown"}
    assert awards
    assert all(award.clock for award in awards)


async def test_r20_a_table_says_what_it_pays_above_the_least_and_is_paid_so(tmp_path: Path) -> None:
    """Both pay a straight flush 12 % and a flush $60: the claim is the link's own."""
    pays = {"straight_flush": "12 %", "flush": 60_00}
    agreed = {"straight_flush": Percent(1_200), "flush": Fixed(60_00)}
    async with paper_floor(tmp_path, table={"pays": {"progressive": pays}}, pays=agreed) as floor:
        bench = floor.tables["T1"]
        (said,) = {payload for topic, payload in floor.broker.log if topic.endswith("/hello")}
        assert dict(wire.decode(said, wire.Hello).pays) == pays
        await bench.deal(3)
        await bench.must(HandClaimed(3, ("8h", "9h"), FLOP))
        await bench.until(lambda: bench.state.claims[0].state is ClaimState.FIXED)
        assert floor.meter.pot.awards[0].percent_bp == 1_200


async def test_r20_a_table_with_other_prizes_is_told_before_anybody_wins(tmp_path: Path) -> None:
    """It never opens for a wager that its meter would not pay."""
    pays = {"straight_flush": Percent(2_000)}
    floor = PaperFloor(tmp_path, pays=pays)
    floor.meter.start()
    async with floor.bench("T1") as bench:
        await bench.until(lambda: "20 % of the meter on the link" in bench.state.link_down)
    await floor.meter.kill()
