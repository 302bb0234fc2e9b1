"""The look-out for a store that hangs counts its own looks, for the clock runs on while the whole machine stands."""

from meter.service.hang_guard import HangGuard

NEVER_S = 3_600.0  # nobody but the test looks


def test_only_a_question_that_outlives_five_looks_hangs() -> None:
    """However long ago it was put; an answered question and the next one are two."""
    guard = HangGuard(lambda _words: None, hang_s=NEVER_S)
    assert not guard.hangs()
    for _ in range(3):
        with guard:
            assert [guard.hangs() for _ in range(5)] == [False] * 5
    with guard:
        assert [guard.hangs() for _ in range(6)] == [False] * 5 + [True]
    assert not guard.hangs()
    guard.close()
