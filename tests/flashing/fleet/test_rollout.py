"""A rollout as a value: whatever boards report and in which order, groups begin one after another."""

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from flashing.fleet.messages import BoardReport
from flashing.fleet.rollout import DONE, BoardStage, Rollout, heard, planned, resumed, time_passed

NEW, OLD = "2.0.0", "1.0.0"
NAMES: Final = tuple(f"T{number}" for number in range(1, 8))


def fresh() -> Rollout:
    return planned(NEW, NAMES, first="T3", group_size=2, silent_s=600, watch_s=60, orders=5)


@st.composite
def reports(draw: st.DrawFn) -> BoardReport:
    """Anything that a board may say, true or not."""
    return BoardReport(
        draw(st.sampled_from((*NAMES, "T99"))),
        draw(st.sampled_from((OLD, NEW, ""))),
        "linux-aarch64-py3.13",
        is_well=draw(st.booleans()),
        flashing=draw(st.sampled_from(("", NEW, OLD))),
        order=draw(st.integers(0, 12)),
        problem=draw(st.sampled_from(("", "went back"))),
    )


STEPS: Final = st.lists(st.tuples(st.integers(0, 700), reports() | st.none()), max_size=60)


@given(STEPS)
def test_no_board_is_ordered_before_every_group_before_it_is_done(steps: list[tuple[int, BoardReport | None]]) -> None:
    """And after the first failure nobody is ordered at all; no order has a number twice."""
    rollout, now_s, numbers = fresh(), 0.0, list[int]()
    for pause_s, report in steps:
        now_s += pause_s
        before = rollout
        rollout = time_passed(rollout, {}, now_s) if report is None else heard(rollout, report, now_s)
        for name, progress in rollout.boards.items():
            if progress.stage is BoardStage.ORDERED and before.boards[name].stage is not BoardStage.ORDERED:
                assert not before.halted
                assert report is not None
                assert report.board == name
                numbers.append(progress.order)
                position = next(at for at, group in enumerate(rollout.groups) if name in group)
                earlier = [board for group in rollout.groups[:position] for board in group]
                assert all(rollout.boards[board].stage in DONE for board in earlier)
        has_failed = any(progress.stage is BoardStage.FAILED for progress in rollout.boards.values())
        assert not has_failed or rollout.halted
    assert len(set(numbers)) == len(numbers)
    assert all(number > 5 for number in numbers)


def test_the_first_board_goes_alone_and_the_rest_in_groups() -> None:
    """In the order of the settings."""
    assert fresh().groups == (("T3",), ("T1", "T2"), ("T4", "T5"), ("T6", "T7"))


def test_a_group_is_watched_before_the_next_begins() -> None:
    """A table that stops answering within that time halts the rollout; later it is the table's own affair."""
    well, unwell = (BoardReport("T3", NEW, "x", is_well=is_well) for is_well in (True, False))
    confirmed = heard(fresh(), well, 0)
    assert confirmed.boards["T3"].stage is BoardStage.CONFIRMED
    assert heard(confirmed, BoardReport("T1", OLD, "x"), 59).boards["T1"].stage is BoardStage.WAITING
    assert heard(confirmed, unwell, 59).halted.startswith("T3: runs 2.0.0, but its table is not well")
    assert heard(confirmed, BoardReport("T1", OLD, "x"), 60).boards["T1"].stage is BoardStage.ORDERED
    assert not heard(confirmed, unwell, 60).halted


def test_a_failed_board_is_tried_again_under_another_number() -> None:
    """So its old failure does not count against the new try."""
    ordered = heard(fresh(), BoardReport("T3", OLD, "x"), 0)
    number = ordered.boards["T3"].order
    failure = BoardReport("T3", OLD, "x", order=number, problem="failed at step test")
    failed = heard(ordered, failure, 10)
    assert failed.halted == "T3: failed at step test"
    again = heard(resumed(failed), failure, 20)
    assert again.boards["T3"].stage is BoardStage.ORDERED
    assert again.boards["T3"].order > number
    assert not heard(again, failure, 30).halted
