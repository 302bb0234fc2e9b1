"""The settings reader: what a fault says, and what it says of unreadable files."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.settings import LARGEST_FILE_BYTES, SettingsError, SettingsFile, open_settings, value_at


def even(value: object) -> int | None:
    """Even numbers mean something."""
    return value if isinstance(value, int) and value % 2 == 0 else None


def test_each_reads_every_key_and_refuses_what_means_nothing() -> None:
    """Keys nobody could list beforehand: hands, limits."""
    file = SettingsFile("f", {"pays": {"two": 2, "three": 3, "word": "x"}})
    section = file.root.section("pays")
    assert section.names() == ("two", "three", "word")
    assert section.each(even, "an even number") == {"two": 2}
    assert [str(fault) for fault in file.faults] == [
        "f: pays.three: 3 will not do; write an even number",
        "f: pays.word: 'x' will not do; write an even number",
    ]


def test_a_key_is_sound_until_a_fault_is_found_there() -> None:
    """What stands under a faulty key is not what the file says, so nobody judges it."""
    file = SettingsFile("f", {"table": {"stake": -1}})
    table = file.root.section("table")
    assert table.is_sound("stake")
    assert table.whole("stake", low=1, high=5) == 1
    assert not table.is_sound("stake")
    assert not file.root.is_sound("table.stake")
    assert file.root.is_sound("table.seats")


def test_a_fault_knows_the_value_that_stands_there() -> None:
    """Of its own section, of a part, of a place in a list, or none; a caller may know better."""
    file = SettingsFile("f", {"seat": [{"gate": 4}], "rate": 7})
    file.root.fault("seat[1].gate", "taken")
    file.root.fault("rate", "low", "28.11(h)")
    file.root.fault("nothing", "missing")
    file.root.fault("seat", "too many", value=8)
    file.root.sections("seat")[0].fault("gate", "taken")
    assert [fault.value for fault in file.faults] == [4, 7, None, 8, 4]


@given(
    data=st.recursive(
        st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner)
    ),
    key=st.text(alphabet="ab.[]019", max_size=12),
)
def test_a_value_is_looked_for_under_any_key_whatever(data: Any, key: str) -> None:
    """A key that leads nowhere leads to nothing."""
    value_at(data, key)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"\xff", "is not UTF-8 text (byte 0)"),
        (b"a = ", "is not TOML"),
        (b"a = " + b"[" * 9_999, "is nested too deeply"),
        (b"a = [1, {b = 0x1_0000_0000_0000_0000}]", "more than 64 bits"),
        (b"a = " + b"9" * 5_000, "is not TOML"),
        (b"#" * (LARGEST_FILE_BYTES + 1), "longer than 1,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_fault(tmp_path: Path, text: bytes, words: str) -> None:
    """Never an error of Python's own."""
    path = tmp_path / "f.toml"
    path.write_bytes(text)
    with pytest.raises(SettingsError) as caught:
        open_settings(path)
    (fault,) = caught.value.faults
    assert (fault.file, fault.key) == (str(path), "file")
    assert words in fault.problem


def test_the_largest_file_and_number_are_read(tmp_path: Path) -> None:
    """Limits are limits and not one less."""
    path = tmp_path / "f.toml"
    path.write_bytes(b"a = 0x7fff_ffff_ffff_ffff\n".ljust(LARGEST_FILE_BYTES, b"#"))
    assert open_settings(path).root.whole("a", low=0, high=2**63) == 2**63 - 1
