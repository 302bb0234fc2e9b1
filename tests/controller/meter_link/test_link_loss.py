"""How long a table stays open without its meter, measured on a clock that the test moves."""

import asyncio
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.web.text import told
from games.round.events import ChipPlaced, EndOfRoundPressed, RoundOpened
from tests.support.table.clocked_link import BEAT_S, CALM, clocked_link

LOSS_S = st.floats(2.0, 60.0)
"""What the settings allow."""
MOMENT = st.floats(0.0, BEAT_S)
"""When, after its last word, a meter dies."""


@given(LOSS_S, MOMENT)
@settings(max_examples=15)
async def test_r40_a_silent_meter_is_lost_after_loss_s_and_not_a_moment_later(
    tmp_path_factory: pytest.TempPathFactory, loss_s: float, moment: float
) -> None:
    """Whatever loss_s is, and whenever in its beat the meter falls silent; and not sooner, either."""
    async with clocked_link(tmp_path_factory.mktemp("silent"), loss_s) as link:
        last = link.clock.now()
        link.meter.fall_silent()
        await link.pass_time(min(moment, loss_s / 2))
        assert link.is_open
        await link.pass_time(loss_s + BEAT_S)
        assert link.is_shut
        assert link.gates.shut_at == pytest.approx(last + loss_s, abs=1e-6)
        assert link.why_lost[-1] == "the meter does not answer"


@given(LOSS_S, st.floats(0.0, 0.9))
@settings(max_examples=15)
async def test_r40_a_broker_that_came_back_without_its_meter_is_a_lost_link(
    tmp_path_factory: pytest.TempPathFactory, loss_s: float, part: float
) -> None:
    """The table is connected again before loss_s is over, nobody answers its hello: it closes all the same, in time."""
    async with clocked_link(tmp_path_factory.mktemp("back"), loss_s) as link:
        last = link.clock.now()
        link.meter.fall_silent()
        link.cut()
        await link.pass_time(part * loss_s)
        link.connect()
        await link.pass_time(loss_s + BEAT_S)
        assert link.is_shut
        assert link.gates.shut_at == pytest.approx(last + loss_s, abs=1e-6)
        assert link.why_lost[-1] == "the meter does not answer"


@given(LOSS_S, MOMENT)
@settings(max_examples=15)
async def test_r40_a_broker_that_is_gone_takes_the_meter_with_it(
    tmp_path_factory: pytest.TempPathFactory, loss_s: float, moment: float
) -> None:
    """loss_s counts from the meter's last word and not from the end of the connection; until then it may come back."""
    async with clocked_link(tmp_path_factory.mktemp("gone"), loss_s) as link:
        last = link.clock.now()
        link.meter.fall_silent()
        await link.pass_time(moment)
        link.cut()
        await link.pass_time(loss_s - moment - 0.01)
        assert link.is_open
        await link.pass_time(BEAT_S)
        assert link.is_shut
        assert link.gates.shut_at == pytest.approx(last + loss_s, abs=1e-6)
        assert link.why_lost[-1] == "the network to the meter is down: call a technician"


@pytest.mark.parametrize("loss_s", [2.0, 5.0, 60.0])
async def test_r40_a_meter_that_says_that_it_is_gone_is_lost_at_once(tmp_path: Path, loss_s: float) -> None:
    """Its will, or its own last word: nobody waits for a silence."""
    async with clocked_link(tmp_path, loss_s) as link:
        await link.pass_time(0.3)
        link.meter.die()
        died = link.clock.now()
        await link.settle()
        assert link.is_shut
        assert link.gates.shut_at == died
        assert link.why_lost[-1] == "the meter has stopped"


async def test_r40_a_line_that_blinks_for_ever_is_no_meter(tmp_path: Path) -> None:
    """Every new connection gets a hello, none an answer: that a connection is new excuses nothing."""
    async with clocked_link(tmp_path) as link:
        last = link.clock.now()
        link.meter.fall_silent()
        for _ in range(30):
            link.cut()
            await link.pass_time(0.2)
            link.connect()
            await link.pass_time(0.2)
        assert link.is_shut
        assert link.gates.shut_at == pytest.approx(last + 5.0)


async def test_r40_a_meter_that_beats_and_does_not_answer_this_table_is_lost_to_it(tmp_path: Path) -> None:
    """Locked out of its topics after a new connection: the others' meter is there, this table's entries are not."""
    async with clocked_link(tmp_path) as link:
        link.meter.answers.clear()
        last = link.clock.now()
        link.cut()
        link.connect()
        await link.pass_time(20)
        assert link.is_shut
        assert link.gates.shut_at <= last + 5.0
        link.meter.answers |= {"hello", "entry"}
        await link.pass_time(2)
        assert link.is_open


async def test_a_blink_that_the_meter_answers_in_time_is_no_loss(tmp_path: Path) -> None:
    """Nobody at the table notices, and nothing is written down."""
    async with clocked_link(tmp_path) as link:
        before = link.why_lost
        for _ in range(10):
            link.cut()
            await link.pass_time(1.5)
            link.connect()
            await link.pass_time(1.5)
            assert link.is_open
        assert link.why_lost == before


async def test_who_is_down_already_waits_for_the_first_answer_and_then_says_what_is_true(tmp_path: Path) -> None:
    """The network is back, the meter is not: after loss_s nobody sends for a technician of the network any more."""
    async with clocked_link(tmp_path) as link:
        link.meter.fall_silent()
        link.cut()
        await link.pass_time(10)
        assert link.why_lost[-1] == "the network to the meter is down: call a technician"
        written = len(link.why_lost)
        link.connect()
        await link.pass_time(4.5)
        assert len(link.why_lost) == written
        await link.pass_time(1)
        assert link.why_lost[written:] == ["the meter does not answer"]


async def test_a_state_of_long_ago_opens_no_closed_table(tmp_path: Path) -> None:
    """A bridge that connects again hands on what it had kept, as if it were new: only a Reply opens (R42)."""
    async with clocked_link(tmp_path) as link:
        kept = link.meter.state
        link.meter.fall_silent()
        await link.pass_time(30)
        assert link.is_shut
        link.meter.say(kept)
        await link.settle()
        assert link.is_shut
        link.meter.start()
        await link.pass_time(1)
        assert link.is_open


async def test_an_answer_from_before_the_line_was_cut_opens_nothing(tmp_path: Path) -> None:
    """It was heard and not read yet: on the next connection the meter must answer again."""
    async with clocked_link(tmp_path) as link:
        link.meter.fall_silent()
        await link.pass_time(30)
        link.client.heard(link.meter.answer(link.table.journal.id))
        link.cut()
        link.connect()
        await link.settle()
        assert link.is_shut


async def test_a_meter_that_knows_less_than_it_acknowledged_opens_no_table(tmp_path: Path) -> None:
    """Restored from a backup, it answers an idle table: that stays shut, and after five answers says why (R42)."""
    async with clocked_link(tmp_path) as link:
        await link.deal(2, 3)
        assert link.table.state.registered
        link.meter.die()
        link.meter.booked_seq = 0
        link.meter.start()
        for _ in range(30):
            await link.pass_time(0.25)
            assert not link.client.view().up
        assert link.why_lost[-1] == "the meter has lost entries it had booked: call accounting"
        link.meter.booked_seq = 1
        await link.pass_time(2)
        assert link.client.view().up


async def test_one_answer_that_comes_late_closes_no_table_and_proves_no_meter(tmp_path: Path) -> None:
    """It is older than what was acknowledged: neither a loss of records nor a sign of life."""
    async with clocked_link(tmp_path) as link:
        late = link.meter.answer(link.table.journal.id)
        await link.deal(2, 3)
        link.client.heard(late)
        await link.pass_time(2)
        assert link.client.view().up
        last = link.clock.now()
        link.meter.fall_silent()
        await link.pass_time(4)
        link.client.heard(late)
        await link.pass_time(last + 5.5 - link.clock.now())
        assert not link.client.view().up


@given(st.integers(1, 6), st.floats(0.0, 10.0))
@settings(max_examples=10)
async def test_r46_the_link_is_back_when_nothing_is_owed_and_at_once_then(
    tmp_path_factory: pytest.TempPathFactory, rounds: int, deaf_s: float
) -> None:
    """However many rounds were queued, and however long the meter takes no entry."""
    async with clocked_link(tmp_path_factory.mktemp("owes"), queue_when_link_lost=True) as link:
        link.cut()
        await link.pass_time(6)
        for _ in range(rounds):
            await link.deal(2, 3)
            await link.must(EndOfRoundPressed(), RoundOpened())
        link.meter.answers = {"hello"}
        link.connect()
        await link.pass_time(deaf_s)
        assert not link.client.view().up
        link.meter.answers.add("entry")
        while not link.client.view().up:
            assert link.meter.booked_seq < rounds
            await link.pass_time(0.25)
        assert link.meter.booked_seq == rounds


async def test_r46_whoever_is_welcome_again_sends_at_once_what_it_owes(tmp_path: Path) -> None:
    """A meter that dies with an entry on its way and is back the next moment: nobody waits for the next repetition."""
    async with clocked_link(tmp_path) as link:
        link.meter.answers = {"hello"}
        await link.deal(2, 3)
        link.meter.die()
        link.meter.answers.add("entry")
        link.meter.come_back()
        await link.pass_time(1)
        assert link.client.view().up
        assert link.meter.booked_seq == 1


async def test_r40_a_meter_is_lost_in_time_to_a_table_that_waits_for_its_disk(tmp_path: Path) -> None:
    """The disk takes its time over something else: a chip that falls after loss_s comes behind the loss, not before."""
    async with clocked_link(tmp_path) as link:
        disk = threading.Event()
        writing = asyncio.create_task(link.table.on_journal(disk.wait))
        link.client.wake()  # asks the journal what waits, and waits itself
        link.meter.fall_silent()
        for _ in range(20):
            link.clock.advance(5.0 / 20)
            for _ in range(CALM):
                await asyncio.sleep(0)
        chip = asyncio.create_task(link.table.ask(ChipPlaced(1)))
        disk.set()
        refusal = (await chip).refusal
        assert refusal is not None
        assert "the meter does not answer" in told(refusal).reason
        await writing
