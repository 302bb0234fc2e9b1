"""Columns of reports: every cell whole, every column straight."""

from hypothesis import given
from hypothesis import strategies as st

from common.columns import columns

CELLS = st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=12)


def test_words_stand_left_and_numbers_right() -> None:
    """A column is as wide as its widest cell; nothing stands behind the last word."""
    rows = [("Hand", "Pays", "Note"), ("flush", "$50", ""), ("royal flush", "100%", "all")]
    assert columns(rows, "<><", indent=2) == [
        "  Hand         Pays  Note",
        "  flush         $50",
        "  royal flush  100%  all",
    ]


def test_no_rows_are_no_lines() -> None:
    """A report with nothing to list has no table."""
    assert columns([], "<>") == []


@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1), align=st.sampled_from(["<<<", "<>>", ">><"]))
def test_every_cell_stands_in_its_own_column(rows: list[tuple[str, str, str]], align: str) -> None:
    """Cut at the widths of the widest cells, each line gives its cells back."""
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    starts = [0, widths[0] + 2, widths[0] + widths[1] + 4]
    for line, row in zip(columns(rows, align), rows, strict=True):
        cut = [line[start : start + width].strip() for start, width in zip(starts, widths, strict=True)]
        assert tuple(cut) == row
