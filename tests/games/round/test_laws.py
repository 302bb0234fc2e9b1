"""The laws of the table, over any order of any events, at tables of every game and of either order."""

from collections import Counter, defaultdict

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
    MismatchExplained,
    PayoutConfirmed,
)
from games.round.outputs import live_wagers, outputs
from games.round.phases import PHASE_TABLES
from games.round.state import ClaimState, Phase, RoundState
from games.round.step import at_boot, handle
from games.round.table_rules import TableRules
from tests.support.nights import TABLES, Intent, happen, nights, tables
from tests.support.pit import PaperTable

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
        for claim in [claim for claim in paid if claim not in before.claims]:
            assert isinstance(moment.event, PayoutConfirmed)
            earlier = before.claim(claim.seat)
            assert earlier is not None
            assert earlier.state is ClaimState.VALIDATED
            assert claim.validated_by or not (claim.validation or claim.deducted)
            assert claim.seat in live_wagers(before)
            assert not claim.takes_all or state.all_shown or not rules.can_be_shared
            assert not (claim.percent_bp and before.held)
        assert len({claim.seat for claim in paid}) == len(paid)
    fixed = [order.seq for order in table.entries if isinstance(order.entry, FixAward)]
    closed = Counter(
        order.entry.award_seq for order in table.entries if isinstance(order.entry, DeductAward | ReleaseAward)
    )
    assert set(closed) <= set(fixed)
    assert all(times == 1 for times in closed.values())


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
        asked = [claim for claim in state.claims if claim.state is ClaimState.ASKED and claim not in before.claims]
        waiting = [claim.seat for claim in state.claims if claim.state is ClaimState.WAITING]
        assert all(claim.seat >= max(waiting, default=0) for claim in asked)


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
        carriers = moment.state.wagers if rules.envy_goes_with_progressive else moment.state.envy_markers
        assert all(each.seat in carriers for each in envy)
        assert all(each.holder in moment.state.shown for each in moment.state.envy_due)
        if isinstance(moment.event, EnvyPaid):
            assert not any(isinstance(effect, SendToMeter) for effect in moment.effects)


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
            (state.phase, state.wagers, state.claims, state.link_seq, state.refunds_due, state.envy, state.forfeited)
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
    @settings(max_examples=2_000, deadline=None, database=None, derandomize=True, phases=[Generation.generate])
    def visit(night: list[Intent]) -> None:
        table, story = play(rules, night)
        seen.update({moment.state.phase.value for moment in story})
        seen.update({type(order.entry).__name__ for order in table.entries})
        seen.update({"sharing" for order in table.entries if getattr(order.entry, "sharers", ())})
        seen.update({"envy" for moment in story if any(envy.paid_by for envy in moment.state.envy)})
        seen.update({"forfeited" for moment in story if moment.state.forfeited})
        if wanted <= seen.keys():
            raise AllSeen

    with pytest.raises(AllSeen):
        visit()


class AllSeen(Exception):  # noqa: N818  no error: it ends a search that has found everything
    """Random nights have been everywhere."""


def _worth_a_visit(rules: TableRules) -> set[str]:
    phases = {phase.value for ways in PHASE_TABLES[rules.order].values() for phase in ways.values()}
    foreign = {Phase.COUNTING.value, Phase.LOCKED.value} - {phase.value for phase in _counting_phases(rules)}
    wanted = (phases - foreign) | {"AddWagers", "FixAward", "DeductAward", "ReleaseAward"}
    wanted |= {"sharing"} if rules.can_be_shared else set()
    wanted |= {"envy"} if rules.envy else set()
    wanted |= {"forfeited"} if rules.wager.fold.effect == "forfeits" else set()
    return wanted


def _counting_phases(rules: TableRules) -> set[Phase]:
    table = PHASE_TABLES[rules.order]
    return {phase for phase in (Phase.COUNTING, Phase.LOCKED) if phase in table.get(ChipsCounted, {})}
