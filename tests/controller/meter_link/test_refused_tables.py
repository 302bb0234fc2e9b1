"""A house that plays on and queues while the meter is lost never does so where the meter does not let it play."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.web.advice import advice
from games.round.device_events import NOT_YET
from games.round.events import LinkLost
from tests.support.table.clocked_link import SHUT_DOWN, ClockedLink, clocked_link

WHY = "a rehearsal table cannot join a live link, nor a live table a rehearsal"


def advised(link: ClockedLink) -> str:
    """What the panel says to do about the meter."""
    table = link.table
    plays_on = not table.rules.why_cut_off(table.state)
    (found,) = advice(table.state, plays_on=plays_on, contest=(), failure=None)
    return found.advice


async def test_a_refused_hello_shuts_a_table_that_queues_and_losing_the_meter_does_not_open_it(tmp_path: Path) -> None:
    """Neither a cut line nor a silence nor a will makes a loss of a refusal; only the meter lets it play again."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.cut()
        link.meter.refusal = WHY
        link.connect()
        await link.settle()
        assert link.is_shut
        assert "until the meter takes this table" in advised(link)
        link.meter.die()
        await link.pass_time(20)
        link.cut()
        await link.pass_time(20)
        assert link.why_lost[-3:] == [
            WHY,
            "the meter has stopped",
            "the network to the meter is down: call a technician",
        ]
        assert link.is_shut
        link.meter.refusal = ""
        link.connect()
        link.meter.start()
        await link.pass_time(2)
        assert link.is_open


async def test_a_refusal_that_is_cut_off_at_once_is_a_refusal(tmp_path: Path) -> None:
    """The line goes in the same moment, before anybody has written it down."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.meter.refusal = WHY
        link.client.heard(link.meter.answer(link.table.journal.id))
        await link.client._settle_replies()
        link.cut()
        await link.pass_time(20)
        assert link.is_shut


async def test_a_stopped_link_shuts_a_table_that_queues_and_a_meter_that_leaves_does_not(tmp_path: Path) -> None:
    """A stop is somebody's word that nobody may play; a will is a meter that is lost."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.meter.die()
        await link.settle()
        assert link.is_open
        assert "Play on" in advised(link)
        link.meter.start()
        await link.pass_time(2)
        notice = "the progressive is stopped: the figures disagree"
        link.meter.state = replace(link.meter.state, number=8, alive=False, health="stopped", notice=notice)
        link.meter.refusal = notice
        await link.pass_time(2)
        assert link.is_shut
        assert link.why_lost[-1] == notice


@pytest.mark.parametrize("queues", [True, False])
async def test_a_meter_that_is_shut_down_is_lost_and_not_stopped(tmp_path: Path, queues: bool) -> None:
    """A house that queues plays on through an update of the meter; every other closes at once; both come back."""
    async with clocked_link(tmp_path, queue_when_link_lost=queues) as link:
        link.meter.shut_down()
        await link.settle()
        assert link.is_open is queues
        assert link.why_lost[-1] == SHUT_DOWN
        await link.pass_time(60)
        assert link.is_open is queues
        link.meter.start()
        await link.pass_time(2)
        assert link.is_open
        assert not link.table.state.link_down


async def test_r63_no_shutting_down_makes_a_loss_of_a_stop(tmp_path: Path) -> None:
    """A stopped meter is started anew and shut down as if nothing were: the table waits for an answer that takes it."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.meter.say(replace(link.meter.state, number=8, alive=False, health="stopped", notice="the disk is full"))
        link.meter.fall_silent()
        await link.settle()
        assert link.is_shut
        link.meter.state = replace(link.meter.state, number=8)
        link.meter.shut_down()
        await link.pass_time(20)
        assert link.is_shut
        assert link.table.state.link_refused


async def test_r63_a_stop_that_was_missed_is_found_at_the_broker(tmp_path: Path) -> None:
    """The meter stopped while this table was cut off or had no power: what the broker kept keeps it shut."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.cut()
        link.meter.fall_silent()
        await link.pass_time(20)
        assert link.is_open
        link.connect()
        stopped = replace(link.meter.state, number=8, alive=False, health="stopped", notice="the disk is full")
        link.meter.say(stopped, retained=True)
        await link.pass_time(20)
        assert link.is_shut
        assert link.why_lost[-1] == "the disk is full"
        link.meter.state = replace(link.meter.state, number=9)
        link.meter.start()
        await link.pass_time(2)
        assert link.is_open


async def test_a_refusal_outlives_the_program(tmp_path: Path) -> None:
    """Started again with the line cut, the table that queues is as shut as before."""
    async with clocked_link(tmp_path, queue_when_link_lost=True) as link:
        link.meter.refusal = WHY
        link.cut()
        link.connect()
        await link.settle()
    async with clocked_link(tmp_path, is_up=False, queue_when_link_lost=True) as link:
        link.cut()
        await link.pass_time(20)
        assert link.table.state.link_refused
        assert link.is_shut


async def test_a_table_that_queues_waits_for_an_answer_before_it_plays_on(tmp_path: Path) -> None:
    """It wakes up: only when the meter has not answered for loss_s, or there is no network, is it lost."""
    async with clocked_link(tmp_path, queue_when_link_lost=True):
        pass
    async with clocked_link(tmp_path, is_up=False, queue_when_link_lost=True) as link:
        link.connect()
        await link.pass_time(4.5)
        assert link.table.state.link_down == NOT_YET
        assert link.is_shut
        await link.pass_time(1)
        assert link.is_open


def test_a_loss_that_is_no_refusal_is_written_as_older_versions_write_it() -> None:
    """So that they can read it; a refusal they cannot know."""
    assert msgspec.json.encode(LinkLost("gone")) == b'{"type":"LinkLost","reason":"gone"}'
    assert msgspec.json.decode(b'{"type":"LinkLost","reason":"gone"}', type=LinkLost) == LinkLost("gone", refused=False)
