"""Parts of one meter claimed at two tables at once: nobody pays before it is decided who comes first (28.11(i))."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.table.meter_entries import link_entry
from controller.web.actions import table_offers
from controller.web.slips import Slip, read_slip
from controller.web.view import payments
from games.round.effects import ReleaseAward, SendToMeter
from games.round.events import ClaimRejected, ClaimValidated, HandClaimed, PayoutConfirmed
from games.round.state import ClaimState, RoundState
from link.messages import MOST_WORDS, Release
from meter.ledger.decisions import AnyDecision, Decided, EntryRef, OrderClaims, SettleAward
from tests.support.table.paper_floor import LINK, Bench, PaperFloor, two_dealt_tables

FLOP = ("Th", "Jh", "Qh")


async def test_28_11_i_a_claim_at_another_table_holds_the_payout_until_it_is_gone(tmp_path: Path) -> None:
    """Both tables say why; the rejected claim frees the other, which then pays what the meter says (S-21)."""
    async with two_dealt_tables(tmp_path) as floor:
        one, two = await _contest(floor)
        refusal = await one.tell(PayoutConfirmed(3, "Dan"))
        assert refusal is not None
        assert "28.11(i)" in refusal.reason
        assert _state(two) is ClaimState.ASKED
        await two.must(ClaimRejected(3, "Sue", "misread"))
        await one.until(lambda: not one.state.held and not two.state.held, "still held")
        await one.must(PayoutConfirmed(3, "Dan"))
        await one.booked()
        claim = one.state.claim(3)
        assert claim is not None
        assert floor.meter.pot.paid_cents == claim.amount_cents


async def test_28_11_i_a_slip_of_an_amount_that_did_not_stand_is_void_and_the_next_has_its_own(tmp_path: Path) -> None:
    """While it is held nobody says an amount, validates or pays; the order names who comes first."""
    async with two_dealt_tables(tmp_path) as floor:
        one, two = await _contest(floor)
        await one.pass_time(1)
        assert _row(one) == ("100 % of the meter", f"held: {one.state.held}", ["reject"])
        await _order(floor, two, one)
        await one.until(lambda: "waits for table T2" in one.state.held and not two.state.held, "the order is not told")
        assert "waits for table T2" in _row(one)[1]
        await two.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
        await one.until(lambda: not one.state.held, "still held")
        await one.pass_time(1)
        await one.must(ClaimValidated(3, "Sam"), PayoutConfirmed(3, "Dan"))
        void, paid = _slip(one, 1), _slip(one, 2)
        assert (void.is_void, void.amount, void.validated_by) == (True, "$10,001.40", "")
        assert (paid.state, paid.amount, paid.validated_by) == ("paid", "$9,001.26", "Sam")
        assert void.issued_at < void.closed_at < paid.issued_at


async def test_r72_an_award_paid_while_the_table_was_cut_off_and_put_second_is_settled_and_the_table_plays_on(
    tmp_path: Path,
) -> None:
    """T1 paid what was fixed, T2 was first: two persons settle with what was paid, and nothing of T1 waits any more."""
    async with two_dealt_tables(tmp_path) as floor:
        one, two = floor.tables["T1"], floor.tables["T2"]
        await one.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
        await one.until(lambda: _state(one) is ClaimState.FIXED, "not fixed")
        await one.must(ClaimValidated(3, "Sue"))
        claim = one.state.claim(3)
        assert claim is not None
        with _cut_off(floor, "T1"):
            await one.until(lambda: bool(one.state.link_down), "the link is not lost")
            await one.must(PayoutConfirmed(3, "Dan"))
            await two.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
            await two.until(lambda: bool(two.state.held), "not held")
            await _order(floor, two, one)
            await two.until(lambda: _state(two) is ClaimState.FIXED, "not fixed")
            await two.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
            await two.booked()
        await one.until(lambda: bool(floor.meter.pot.reported), "the payout is not kept aside")
        await one.booked()
        settled = SettleAward(EntryRef(*floor.meter.pot.reported[0].key), paid=True, amount_cents=claim.amount_cents)
        await _decide(floor, one, settled)
        assert floor.meter.pot.paid_cents == 2 * claim.amount_cents
        assert not floor.meter.pot.awards
        await one.until(lambda: not one.state.link_down, "still down")


def test_what_people_write_is_cut_to_what_a_message_may_carry() -> None:
    """A long name or reason never keeps an entry from being booked; the journal has all of it."""
    long = "x" * 1_000
    released = link_entry(SendToMeter(2, ReleaseAward(1, long, "Sue")), RoundState())
    assert isinstance(released, Release)
    assert len(released.reason) == MOST_WORDS
    assert released.rejected_by == "Sue"


async def _contest(floor: PaperFloor) -> tuple[Bench, Bench]:
    """The royal flush of T1 is validated when T2 claims a straight flush: now both are held."""
    one, two = floor.tables["T1"], floor.tables["T2"]
    await one.must(HandClaimed(3, ("Ah", "Kh"), FLOP))
    await one.until(lambda: _state(one) is ClaimState.FIXED, "not fixed")
    await one.must(ClaimValidated(3, "Sue"))
    await two.must(HandClaimed(3, ("8h", "9h"), FLOP))
    await one.until(lambda: bool(one.state.held) and bool(two.state.held), "not held")
    return one, two


async def _order(floor: PaperFloor, *benches: Bench) -> None:
    """Management enters who comes first."""
    keys = {award.table: award.key for award in (*floor.meter.pot.awards, *floor.meter.pot.claims)}
    await _decide(floor, benches[0], OrderClaims(tuple(EntryRef(*keys[bench.settings.table]) for bench in benches)))


async def _decide(floor: PaperFloor, bench: Bench, decision: AnyDecision) -> None:
    asked = asyncio.ensure_future(floor.meter.books.decide(LINK, Decided(decision, "Sue", "Ann", "the cameras")))
    await bench.until(asked.done, "not decided")
    assert not asked.result().refusal


@contextmanager
def _cut_off(floor: PaperFloor, table: str) -> Iterator[None]:
    """Nothing of this table gets out, and nothing in."""
    mqtt = next(mqtt for mqtt in floor.broker.pipes if mqtt.client_id.startswith(table))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mqtt, "publish", lambda *_, **__: None)
        patch.setattr(mqtt, "hear", lambda _: None)
        yield


def _row(bench: Bench) -> tuple[str, str, list[str]]:
    """What the settlement says of seat 3, and what may be ordered there."""
    rules, state = bench.settings.rules, bench.state
    (line,) = payments(rules, state)
    return line.amount, line.state_words, [offer.action for offer in table_offers(rules, state) if offer.seat == 3]


def _slip(bench: Bench, number: int) -> Slip:
    slip = read_slip(Path(bench.settings.state_dir) / "journal.db", "T1", bench.settings.rules, number)
    assert slip is not None
    return slip


def _state(bench: Bench) -> ClaimState | None:
    claim = bench.state.claim(3)
    return claim.state if claim else None
