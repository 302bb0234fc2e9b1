"""The rule book's rows, and how clauses are read from texts and from the names of tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rulebook import PARTS, ROWS, Row
from games.rulebook.clauses import Clause, Index, clauses_in, clauses_of_test

SECTIONS = Index(ROWS.values()).sections


def test_every_row_is_there_once_and_in_order() -> None:
    """One to 122, and four more after the twenty-fifth."""
    numbers = [str(number) for number in range(1, 123)]
    at = numbers.index("25") + 1
    numbers[at:at] = ["25a", "25b", "25c", "25d"]
    assert list(ROWS) == [f"S-{number}" for number in numbers]
    assert sum(len(part.rows) for part in PARTS) == len(ROWS)


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_row_is_a_sentence_with_clauses_that_can_be_read(row: Row) -> None:
    """In our words: short, whole, and each of its clauses understood to the last letter."""
    assert row.says[0].isupper()
    assert row.says.endswith(".")
    assert 20 < len(row.says) < 200
    for text in row.clauses:
        assert list(clauses_in(text)), text
        assert "".join(next(clauses_in(text))) == text.split("-")[0].replace("(", "").replace(")", "")


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_row_says_who_keeps_it_and_what_is_missing(row: Row) -> None:
    """People are told by a sign or a paper; what is not live, or not wholly, says what the table cannot do."""
    assert row.lacks or row.kept not in ("calculator", "open")
    assert bool(row.for_people) == bool(row.told_by) == (row.kept == "people")


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("28.11", [("28.11",)]),
        ("28.10(h)4ii(1)", [("28.10", "h", "4", "ii", "1")]),
        ("28.10(h)4ii(1)-(3)", [("28.10", "h", "4", "ii", number) for number in "123"]),
        ("16.13(e)-(g)", [("16.13", letter) for letter in "efg"]),
        ("28.7(b)1-3, 28.8(b)3", [*(("28.7", "b", number) for number in "123"), ("28.8", "b", "3")]),
        ("11.9(i)(j), 11.13(b)5", [("11.9", "i"), ("11.9", "j"), ("11.13", "b", "5")]),
        ("28.11(f), (g) and (h)", [("28.11", letter) for letter in "fgh"]),
        ("19:45-1.39B(d)3", [("1.39B", "d", "3")]),
        ("[1.39B(d)3]", [("1.39B", "d", "3")]),
        ("20.11(a)4 (6 card bonus)", [("20.11", "a", "4")]),
        ("127.0.0.1, v28.11 and $28.11", []),
    ],
)
def test_clauses_are_read_as_the_texts_write_them(text: str, clauses: list[Clause]) -> None:
    """Paragraphs, ranges and lists; not what only looks like a clause."""
    assert list(clauses_in(text)) == clauses


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("test_28_7_b_2_chips_must_equal_lights", [("28.7", "b", "2")]),
        ("test_28_10_h_4_ii_1_the_hand_must_win", [("28.10", "h", "4", "ii", "1")]),
        ("test_28_12_a_a_dealers_card", [("28.12", "a")]),
        ("test_28_10_a_2_a_folded_hand", [("28.10", "a", "2")]),
        ("test_28_11_i_each_percentage", [("28.11", "i")]),
        ("test_1_13g_h_1_13q_f_a_connection", [("1.13G", "h"), ("1.13Q", "f")]),
        ("test_20_13_f_2_19_i_the_reset_meter", [("20.13", "f"), ("2.19", "i")]),
        ("test_11_10_h_3_i_4_j_3_with_a_bank", [("11.10", "h", "3"), ("11.10", "i", "4"), ("11.10", "j", "3")]),
        ("test_14_11_f_2_ii_iii_tied", [("14.11", "f", "2", "ii"), ("14.11", "f", "2", "iii")]),
        ("test_2_18_f_2_g_h_the_up_card", [("2.18", "f", "2"), ("2.18", "g"), ("2.18", "h")]),
        ("test_16_13_a_to_d_each_case", [("16.13", letter) for letter in "abcd"]),
        ("test_all_22_100_hands", []),
        ("test_r13_a_second_table", []),
        ("test_", []),
    ],
)
def test_clauses_are_read_from_the_names_of_tests(name: str, clauses: list[Clause]) -> None:
    """An article is no paragraph, and what is no section of the rules is no clause."""
    assert list(clauses_of_test(name, SECTIONS)) == clauses


def test_a_clause_belongs_to_the_row_that_names_most_of_it() -> None:
    """The longest beginning counts; what no row names belongs to none."""
    index = Index(ROWS.values())
    assert index.rows(("28.10", "h", "4", "ii", "2")) == ("S-22",)
    assert index.rows(("28.10", "h")) == ("S-19", "S-113")
    assert index.rows(("28.11", "i")) == ("S-19", "S-20", "S-21", "S-113")
    assert index.rows(("28.10",)) == ()
    assert index.rows(("99.9", "a")) == ()


@given(
    section=st.sampled_from(sorted(SECTIONS)),
    path=st.tuples(
        st.sampled_from("abcdefg"),
        st.integers(1, 20).map(str),
        st.sampled_from(["i", "ii", "iv"]),
        st.sampled_from("123"),
    ),
    depth=st.integers(0, 4),
)
def test_a_clause_is_the_same_in_a_text_and_in_a_name(section: str, path: tuple[str, ...], depth: int) -> None:
    """Whatever its depth."""
    clause = (section, *path[:depth])
    marks = ("{}", "({})", "{}", "{}", "({})")
    text = "".join(mark.format(step) for mark, step in zip(marks, clause, strict=False))
    name = "_".join(("test", *section.lower().split("."), *path[:depth], "something_happens"))
    assert list(clauses_in(f"see {text}, or not")) == [clause]
    assert list(clauses_of_test(name, SECTIONS)) == [clause]
