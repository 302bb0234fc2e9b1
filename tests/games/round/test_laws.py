"""The laws of the table, over any order of any events, at tables of every game and of either order."""

from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import Phase as Generation
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from games.round.effects import AddWagers, DeductAward, Effect, FixAward, Light, OpenGate, ReleaseAward, SendToMeter
from games.round.events import (
    AwardFixed,
    ChipsAttested,
    ChipsCounted,
    EnvyPaid,
    Event,
    HandClaimed,
    MismatchExplained,
    PayoutConfirmed,
)
from games.round.outputs import live_wagers, outputs
from games.round.phases import PHASE_TABLES
from games.round.state import Claim, ClaimState, Phase, RoundState
from games.round.step import at_boot, handle
from games.round.table_rules import TableRules
from tests.support.games.nights import TABLES, Intent, happen, nights, tables
from tests.support.games.pit import PaperTable

any_nights = settings(max_examples=60, deadline=None)


class Moment(Struct, frozen=True):
    """One event of a night, and what it did."""

    event: Event
    before: RoundState
    state: RoundState
    effects: tuple[Effect, ...]
    is_refused: bool


def play(rules: TableRules, night: list[Intent]) -> tuple[PaperTable, list[Moment]]:
    """A night at a four-seat table, remembered step by step."""
    table = PaperTable(rules)
    table.meter_agrees = False  # the nights say what it does
    story = []
    for intent in night:
        before = table.state
        event = happen(before, intent, rules)
        step = table.do(event)
        story.append(Moment(event, before, step.state, step.effects, step.refusal is not None))
    return table, story


@given(tables, nights)
@any_nights
def test_law_1_a_light_is_lit_exactly_while_its_seat_has_a_live_wager(rules: TableRules, night: list[Intent]) -> None:
    """Lit lights and live wagers are the same set after every event."""
    _, story = play(rules, night)
    for moment in story:
        lit = {seat for seat, light in outputs(rules, moment.state).lights.items() if light is Light.LIT}
        assert lit == live_wagers(moment.state)


@given(tables, nights)
@any_nights
def test_law_2_once_closed_nothing_becomes_a_wager(rules: TableRules, night: list[Intent]) -> None:
    """Wagers are added only while the round takes them, and gates are open only then."""
    _, story = play(rules, night)
    for moment in story:
        before, state = moment.before, moment.state
        if not before.is_taking_wagers and state.round == before.round:
            assert set(state.wagers) <= set(before.wagers)
        if any(isinstance(effect, OpenGate) for effect in moment.effects):
            assert state.is_taking_wagers
        assert state.is_taking_wagers or not any(outputs(rules, state).gates.values())


@given(tables, nights)
@any_nights
def test_law_3_a_round_is_registered_only_when_count_and_lights_agree_or_were_explained(
    rules: TableRules, night: list[Intent]
) -> None:
    """Every entry of wagers comes from an equal count, by machine or by eye, or from a supervisor's explanation."""
    _, story = play(rules, night)
    for moment in story:
        for effect in moment.effects:
            if isinstance(effect, SendToMeter) and isinstance(effect.entry, AddWagers):
                event = moment.event
                counted = isinstance(event, ChipsAttested) if rules.by_eye else isinstance(event, ChipsCounted)
                chips = event.chips if isinstance(event, ChipsAttested | ChipsCounted) else None
                equal = counted and chips == moment.before.chips_due
                assert equal or isinstance(event, MismatchExplained)
                assert effect.entry.seats == tuple(sorted(moment.state.wagers))


@given(tables, nights)
@any_nights
def test_law_4_each_round_goes_to_the_meter_once_and_numbers_have_no_gap(
    rules: TableRules, night: list[Intent]
) -> None:
    """Entries count 1, 2, 3 …; a round's wagers are among them at most once, each seat once."""
    table, _ = play(rules, night)
    assert [order.seq for order in table.entries] == list(range(1, len(table.entries) + 1))
    rounds = [order.entry for order in table.entries if isinstance(order.entry, AddWagers)]
    assert len({entry.round for entry in rounds}) == len(rounds)
    assert all(len(set(entry.seats)) == len(entry.seats) for entry in rounds)
    assert all(set(entry.coupons) <= set(entry.seats) for entry in rounds)
    assert all(entry.stake_cents == rules.stake_cents for entry in rounds)


@given(tables, nights)
@any_nights
def test_law_5_what_players_are_paid_is_what_the_meter_fixed(rules: TableRules, night: list[Intent]) -> None:
    """To the cent, also where several share it equally; nothing else comes off the meter."""
    table, story = play(rules, night)
    fixed = {
        moment.event.seq: moment.event.amount_cents
        for moment in story
        if isinstance(moment.event, AwardFixed) and not moment.is_refused
    }
    paid: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for moment in story:
        for claim in moment.state.claims:
            if claim.state is ClaimState.PAID and claim.award_seq:
                paid[claim.award_seq][claim.seat] = claim.amount_cents
    for order in table.entries:
        if isinstance(order.entry, DeductAward):
            shares = paid.pop(order.entry.award_seq)
            assert sum(shares.values()) == fixed[order.entry.award_seq]
            assert max(shares.values()) - min(shares.values()) <= 1
            assert len(shares) == 1 or rules.game.shares_whole_meter
    for award_seq, shares in paid.items():
        assert any(claim.is_open for claim in table.state.claims_to(award_seq)), f"{shares} paid and never deducted"


@given(tables, nights)
@any_nights
def test_law_6_nothing_is_paid_without_light_hand_and_supervisor_and_nothing_twice(
    rules: TableRules, night: list[Intent]
) -> None:
    """A payout follows a claim of a live wager, validated where it must be; an award is closed at most once."""
    table, story = play(rules, night)
    for moment in story:
        before, state = moment.before, moment.state
        paid = [claim for claim in state.claims if claim.state is ClaimState.PAID]
        for claim in [claim for claim in paid if not before.is_paid(claim.seat, claim.wager)]:
            assert _was_to_be_paid(moment, claim)
            assert claim.validated_by or not (claim.validation or claim.deducted)
            assert claim.cards or not claim.percent_bp
            assert claim.wager != "progressive" or claim.seat in live_wagers(before)
            assert not claim.takes_all or not rules.can_be_shared or _all_are_known(before, claim)
            assert not (claim.percent_bp and before.held)
        assert len({(claim.seat, claim.wager) for claim in paid}) == len(paid)
    fixed = [order.seq for order in table.entries if isinstance(order.entry, FixAward)]
    closed = Counter(
        order.entry.award_seq for order in table.entries if isinstance(order.entry, DeductAward | ReleaseAward)
    )
    assert set(closed) <= set(fixed)
    assert all(times == 1 for times in closed.values())


def _was_to_be_paid(moment: Moment, claim: Claim) -> bool:
    """Whether the dealer paid what was to be paid, or said at once that he paid what no supervisor validates."""
    if isinstance(moment.event, HandClaimed):
        return moment.event.paid and not (claim.validation or claim.deducted)
    earlier = moment.before.claim(claim.seat, claim.wager)
    return isinstance(moment.event, PayoutConfirmed) and earlier is not None and earlier.is_to_be_paid


def _all_are_known(state: RoundState, claim: Claim) -> bool:
    """Whether somebody spoke of every lit seat, or said that nobody shares, or a share was paid before."""
    is_begun = any(each.state is ClaimState.PAID for each in state.claims_to(claim.award_seq))
    return state.all_shown or is_begun or not _unanswered(state)


def _unanswered(state: RoundState) -> set[int]:
    """Lit seats of whose progressive wager nobody has said anything; a void hand wins nothing."""
    named = {seat for seat, hands in state.named.items() if "progressive" in hands}
    return set(live_wagers(state)) - {*state.voided, *state.cards, *state.no_win, *named}


@given(tables, nights)
@any_nights
def test_28_10_h_the_meter_is_asked_only_when_every_earlier_lit_seat_was_answered_for(
    rules: TableRules, night: list[Intent]
) -> None:
    """From the right, folded hold 'em seats last; in pai gow every hand is exposed first (16.12(g), 11.9(f)-(i))."""
    _, story = play(rules, night)
    for moment in story:
        for order in moment.effects:
            if isinstance(order, SendToMeter) and isinstance(order.entry, FixAward):
                place = _place(rules, moment.state, order.entry.seat)
                unknown = _unanswered(moment.state)
                waiting = {claim.seat for claim in moment.state.claims if claim.state is ClaimState.WAITING}
                assert all(_place(rules, moment.state, seat) > place for seat in waiting)
                assert all(_place(rules, moment.state, seat) > place for seat in unknown)
                assert not (unknown and rules.game.exposes_all_first)


def _place(rules: TableRules, state: RoundState, seat: int) -> tuple[bool, int]:
    """Where a seat stands in the paying order of its progressive wager."""
    return rules.game.name == "texas-holdem-bonus" and seat in state.folded, -seat


@given(tables, nights)
@any_nights
def test_law_6_no_wager_is_paid_and_refunded(rules: TableRules, night: list[Intent]) -> None:
    """Whatever went wrong and in which order: a line that was paid stands, and its wager does not go back as well."""
    _, story = play(rules, night)
    for moment in story:
        state = moment.state
        back = {(seat, name) for due in (state.refunds_due, state.refunded) for seat in due for name in due[seat]}
        assert not any(state.is_paid(seat, name) for seat, name in back)
        assert not any(claim.is_open and (claim.seat, claim.wager) in back for claim in state.claims)
        assert not any(name == "progressive" and seat in state.forfeited for seat, name in back)


@given(tables, nights)
@any_nights
def test_law_6_only_one_claim_has_the_turn_and_the_round_never_ends_over_an_open_one(
    rules: TableRules, night: list[Intent]
) -> None:
    """One player at a time, from the right; an open claim, a refund or an envy bonus keeps the round alive."""
    _, story = play(rules, night)
    for moment in story:
        before, state = moment.before, moment.state
        assert sum(claim.has_the_turn for claim in state.claims) <= 1
        if state.phase is Phase.ENDED and before.phase is not Phase.ENDED:
            assert not before.open_claims
            assert not before.refunds_due
            assert not before.envy_due
            assert not before.papers_due


@given(tables, nights)
@any_nights
def test_law_6_envy_is_paid_once_for_each_hand_of_somebody_else_and_never_from_the_meter(
    rules: TableRules, night: list[Intent]
) -> None:
    """Only where the game knows it, to seats that wagered, for hands that were shown and are not void."""
    _, story = play(rules, night)
    for moment in story:
        envy = moment.state.envy
        assert rules.envy is not None or not envy
        assert len({(each.seat, each.holder) for each in envy}) == len(envy)
        assert all(each.seat != each.holder for each in envy)
        assert all(each.seat in _carriers(rules, moment.state) for each in envy)
        assert all(each.holder in moment.state.cards for each in moment.state.envy_due)
        if isinstance(moment.event, EnvyPaid) and not moment.is_refused:
            mine = [each for each in moment.before.envy_due if each.seat == moment.event.seat]
            validated = moment.before.envy_validated
            assert not rules.game.validates_envy or all(each.holder in validated for each in mine)
            assert moment.event.seat == max(each.seat for each in moment.before.envy_due)
            assert not any(isinstance(effect, SendToMeter) for effect in moment.effects)


def _carriers(rules: TableRules, state: RoundState) -> set[int]:
    """Seats whose wager carries envy: the progressive, or a bonus wager of $5 or more."""
    if rules.envy_goes_with_progressive:
        return set(state.wagers)
    return {seat for seat, side in state.side.items() if side.amounts.get("bonus", 0) >= 5_00}


@given(tables, nights, st.integers(0, 100))
@any_nights
def test_law_7_the_same_journal_gives_the_same_book(rules: TableRules, night: list[Intent], cut: int) -> None:
    """A snapshot anywhere, written and read as JSON, and the rest of the events lead to the same book and look."""
    table, story = play(rules, night)
    cut = min(cut, len(story))
    middle = story[cut - 1].state if cut else PaperTable(rules).state
    state = msgspec.json.decode(msgspec.json.encode(middle), type=RoundState)
    for moment in story[cut:]:
        decoded = msgspec.json.decode(msgspec.json.encode(moment.event), type=Event)
        assert decoded == moment.event
        state = handle(rules, state, decoded).state
    assert state == table.state
    assert at_boot(rules, state) == at_boot(rules, table.state)


@given(tables, nights)
@any_nights
def test_a_refused_event_moves_neither_phase_nor_wagers_nor_meter(rules: TableRules, night: list[Intent]) -> None:
    """What the rules forbid changes nothing that counts, and says why."""
    _, story = play(rules, night)
    for moment in (moment for moment in story if moment.is_refused):
        kept = [
            (
                *(state.phase, state.wagers, state.side, state.baseless, state.loose_chips, state.claims, state.cards),
                *(state.link_seq, state.refunds_due, state.refunded, state.envy, state.forfeited, state.irregularities),
            )
            for state in (moment.before, moment.state)
        ]
        assert kept[0] == kept[1]
        assert not any(isinstance(effect, SendToMeter | OpenGate) for effect in moment.effects)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.game.name} {rules.order}")
def test_the_nights_reach_every_phase_and_a_payout(rules: TableRules) -> None:
    """The laws above are tried where they matter: random nights visit every phase and do what the game knows."""
    seen: Counter[str] = Counter()
    wanted = _worth_a_visit(rules)

    @given(nights)
    @settings(max_examples=4_000, deadline=None, database=None, derandomize=True, phases=[Generation.generate])
    def visit(night: list[Intent]) -> None:
        table, story = play(rules, night)
        seen.update({moment.state.phase.value for moment in story})
        seen.update({type(order.entry).__name__ for order in table.entries})
        seen.update({"sharing" for order in table.entries if getattr(order.entry, "sharers", ())})
        seen.update(word for moment in story for word in _landmarks(moment))
        if wanted <= seen.keys():
            raise AllSeen

    with pytest.raises(AllSeen):
        visit()


def _landmarks(moment: Moment) -> Iterator[str]:
    """What is worth a visit in this moment."""
    state = moment.state
    seen = {
        "envy": any(envy.paid_by for envy in state.envy),
        "forfeited": state.forfeited,
        "refunded": state.refunded,
        "no base": state.baseless,
        "a chip without a light": state.loose_chips,
        "several irregularities": len(state.irregularities) > 1,
    }
    yield from (word for word, is_seen in seen.items() if is_seen)
    if not moment.is_refused:
        yield type(moment.event).__name__
    yield from (f"{claim.wager} paid" for claim in state.claims if claim.state is ClaimState.PAID)


class AllSeen(Exception):  # noqa: N818  no error: it ends a search that has found everything
    """Random nights have been everywhere."""


def _worth_a_visit(rules: TableRules) -> set[str]:
    phases = {phase.value for ways in PHASE_TABLES[rules.order].values() for phase in ways.values()}
    foreign = {Phase.COUNTING.value, Phase.LOCKED.value} - {phase.value for phase in _counting_phases(rules)}
    foreign |= set() if _can_end_before_registration(rules) else {Phase.VOIDED.value}
    wanted = (phases - foreign) | {"AddWagers", "FixAward", "DeductAward", "ReleaseAward", "progressive paid"}
    wanted |= {"refunded", "no base", "several irregularities", "IrregularityWithdrawn", "NoWinShown"}
    wanted |= set() if rules.by_eye else {"a chip without a light"}
    wanted |= {f"{wager.name} paid" for wager in rules.layout_wagers if wager.name in rules.offers}
    wanted |= {"NumberDrawn"} if rules.draws_number else set()
    wanted |= {"WagerPlaced", "WagerTakenBack", "WagersRepeated"} if rules.layout_wagers else set()
    wanted |= {"sharing"} if rules.can_be_shared else set()
    wanted |= {"envy"} if rules.envy else set()
    wanted |= {"forfeited"} if rules.wager.fold.effect == "forfeits" else set()
    return wanted


def _can_end_before_registration(rules: TableRules) -> bool:
    """Whether something can make the round void before its wagers are closed."""
    early = {known.earliest for known in rules.game.irregularities if known.voids == "round"}
    return "open" in early or ("counting" in early and not rules.by_eye)


def _counting_phases(rules: TableRules) -> set[Phase]:
    table = PHASE_TABLES[rules.order]
    return {phase for phase in (Phase.COUNTING, Phase.LOCKED) if phase in table.get(ChipsCounted, {})}
