"""pitlink check: settings files of a whole floor, each fault with file, key, value and clause."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from common.settings import LARGEST_FILE_BYTES

CONFIG = Path(__file__).parents[3] / "config"
TABLE = (CONFIG / "table.toml").read_text()
METER = (CONFIG / "meter.toml").read_text()
CARIBBEAN_ON_LINK = '\n[[link.game]]\nname = "caribbean-stud"\npay_tables = ["base"]\nstakes_cents = [100]\n'


class Floor:
    """Settings files in a folder, checked together."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys
        self.files: list[str] = []

    def table(self, name: str, *replacements: tuple[str, str]) -> None:
        """A table like the example, but for these words."""
        self.write(f"{name}.toml", _changed(TABLE, ('id = "T1"', f'id = "{name}"'), *replacements))

    def caribbean(self, name: str, *replacements: tuple[str, str]) -> None:
        """A Caribbean stud table."""
        self.table(
            name, ("texas-holdem-bonus", "caribbean-stud"), ('pay_table = "A"', 'pay_table = "base"'), *replacements
        )

    def meter(self, *replacements: tuple[str, str], more: str = "") -> None:
        """A meter like the example, but for these words."""
        self.write("meter.toml", _changed(METER, *replacements) + more)

    def write(self, name: str, text: str) -> None:
        """Any file."""
        (self._folder / name).write_text(text)
        self.files = list(dict.fromkeys([*self.files, str(self._folder / name)]))

    def said(self) -> tuple[int, str]:
        """Exit code and words."""
        code = main(["check", *self.files])
        return code, self._capsys.readouterr().out

    def faults(self) -> list[dict[str, Any]]:
        """The faults as JSON; the words say the same, line by line."""
        code, words = self.said()
        assert main(["check", "--json", *self.files]) == code
        written = json.loads(self._capsys.readouterr().out)
        assert set(written) == {"faults"}
        assert code == (1 if written["faults"] else 0)
        for fault in written["faults"]:
            clause = f" [{fault['rule']}]" if fault["rule"][:1].isdigit() else ""
            assert f"{fault['file']}: {fault['key']}: {fault['problem']}{clause}\n" in words
        return list(written["faults"])

    def found(self) -> set[tuple[str, str, str]]:
        """File name, key and clause of each fault."""
        return {(Path(fault["file"]).name, fault["key"], fault["rule"]) for fault in self.faults()}


@pytest.fixture
def floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Floor:
    """An empty floor."""
    return Floor(tmp_path, capsys)


def _changed(text: str, *replacements: tuple[str, str]) -> str:
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


SIGN = ("stake_cents = 100", "stake_cents = 100\nconnection_sign = true")


def test_what_we_ship_is_lawful(floor: Floor) -> None:
    """The examples stand by themselves and together."""
    floor.files = [str(CONFIG / "table.toml"), str(CONFIG / "meter.toml")]
    assert floor.said() == (0, "checked: 1 table (T1) and 1 link (main); no fault\n")
    assert floor.faults() == []


def test_1_39b_a_a_floor_of_two_games_on_one_meter_is_lawful(floor: Floor) -> None:
    """Hold 'em and Caribbean stud, each table with its sign (S-3, S-7)."""
    floor.table("T1", SIGN)
    floor.caribbean("T2", SIGN)
    floor.meter(more=CARIBBEAN_ON_LINK)
    assert floor.said() == (0, "checked: 2 tables (T1, T2) and 1 link (main); no fault\n")


@pytest.mark.parametrize("with_meter", [True, False])
def test_1_13g_h_1_13q_f_a_missing_connection_sign_is_a_fault_at_each_table(floor: Floor, with_meter: bool) -> None:
    """With the meter's file or without it, as soon as both games share a link (S-7)."""
    floor.table("T1")
    floor.caribbean("T2")
    if with_meter:
        floor.meter(more=CARIBBEAN_ON_LINK)
    assert floor.found() == {
        ("T1.toml", "table.connection_sign", "1.13Q(f)"),
        ("T2.toml", "table.connection_sign", "1.13G(h)"),
    }


def test_28_11_g_a_pay_table_other_than_a_beside_caribbean_is_a_fault(floor: Floor) -> None:
    """At the table and on the meter, and computed besides: a straight would come off the meter (S-6, S-25a)."""
    floor.table("T1", SIGN, ('pay_table = "A"', 'pay_table = "B"'))
    floor.caribbean("T2", SIGN)
    floor.meter(('pay_tables = ["A"]', 'pay_tables = ["B"]'), more=CARIBBEAN_ON_LINK)
    assert floor.found() == {
        ("T1.toml", "table.pay_table", "28.11(g)"),
        ("T2.toml", "table.pay_table", "1.39B(d)3"),
        ("meter.toml", "link[1].game[1].pay_tables", "28.11(g)"),
        ("meter.toml", "link[1].game[2].pay_tables", "1.39B(d)3"),
    }


def test_16_12_e_the_former_caribbean_table_stays_alone(floor: Floor) -> None:
    """One table on its own meter may keep it, two may not share it (S-70, S-71)."""
    former = ('pay_table = "base"', 'pay_table = "pre_amendment"')
    terms = [("texas-holdem-bonus", "caribbean-stud"), ('["A"]', '["pre_amendment"]')]
    floor.caribbean("T1", former)
    floor.meter(*terms, ('tables = ["T1", "T2", "T3"]', 'tables = ["T1"]'))
    assert floor.faults() == []
    floor.caribbean("T2", former)
    floor.meter(*terms)
    assert {
        ("T1.toml", "table.pay_table", "16.12(e)"),
        ("T2.toml", "table.pay_table", "16.12(e)"),
        ("meter.toml", "link[1].game[1].pay_tables", "16.12(e)"),
    } <= floor.found()


def test_values_are_those_of_the_files(floor: Floor) -> None:
    """A number of seats, a rate, a pay as written."""
    floor.table(
        "T1",
        ("stake_cents = 100", "stake_cents = 500\n[table.pays.progressive]\nflush = 4999"),
        ("number = 7", "number = 6\n" + _SEAT + "\n[[seat]]\nnumber = 7"),
    )
    floor.meter(("7000", "6999"), ("500000", '"much"'))
    values = {fault["key"]: fault["value"] for fault in floor.faults()}
    assert values["table.stake_cents"] == 500
    assert values["seat"] == 8
    assert values["link[1].rate_bp"] == 6999
    assert values["link[1].reset_cents"] == "much"


_SEAT = 'acceptor = "slot"\nbeams = [0]\ngate = 1\nlight = 14'


_BESIDE = 'wagers = ["bonus"]'


@pytest.mark.parametrize(
    ("game", "choices", "found"),
    [
        ("blackjack", f"{_BESIDE}\ndealer_hands = 2", {("T1.toml", "table.wagers", "house: multiple action")}),
        ("blackjack", f'{_BESIDE}\ndealer_hands = 3\nmultiple_action_bonus = "approved"', set()),
        ("blackjack", f"{_BESIDE}\ndealer_hands = 1", set()),
        ("blackjack", "dealer_hands = 3", set()),
        ("blackjack", "dealer_hands = 3\ninsurance_to_one = 2", set()),
        ("blackjack", "insurance_to_one = 2", {("T1.toml", "table.insurance_to_one", "2.18(d)")}),
        ("blackjack", "dealer_hands = 4", {("T1.toml", "table.dealer_hands", "")}),
        ("blackjack", 'multiple_action_bonus = "yes"', {("T1.toml", "table.multiple_action_bonus", "")}),
        ("blackjack", 'options = { dealer_hands = "2" }', {("T1.toml", "table.options.dealer_hands", "")}),
        ("caribbean-stud", "dealer_hands = 2", {("T1.toml", "table.dealer_hands", "")}),
    ],
)
def test_2_18_multiple_action_is_read_and_the_bonus_beside_it_needs_approval(
    floor: Floor, game: str, choices: str, found: set[tuple[str, str, str]]
) -> None:
    """Two or three hands of the dealer, at blackjack alone (S-51)."""
    changed = ("stake_cents = 100", f"stake_cents = 100\n{choices}")
    floor.table("T1", ("texas-holdem-bonus", game), ('pay_table = "A"', 'pay_table = "base"'), changed)
    assert floor.found() == found


def test_raised_pays_side_wagers_and_limits_are_read_and_checked(floor: Floor) -> None:
    """Everything that a house chooses beyond the game stands under [table]."""
    choices = """stake_cents = 500
wagers = ["bonus", "three_card_bonus"]
[table.pay_tables]
insurance = "C"
[table.pays.progressive]
flush = 1499
five_aces = "9.5 %"
[table.pays.number]
number = "5 1/4 to 1"
[table.pays.insurance]
nine_high = "100 to 1"
[table.limits]
bonus_limit_cents = 3999999"""
    floor.table("T1", ("texas-holdem-bonus", "pai-gow-poker"), ('"A"', '"base"'), ("stake_cents = 100", choices))
    found = floor.found()
    assert {
        ("T1.toml", "table.wagers", "11.15(a), 11.17(a)"),
        ("T1.toml", "table.pays.progressive.flush", "11.14(d)"),
        ("T1.toml", "table.pays.progressive.five_aces", "11.14(d)"),
        ("T1.toml", "table.pays.number.number", "11.13(b)6"),
        ("T1.toml", "table.limits.bonus_limit_cents", "11.16(d)"),
        ("T1.toml", "seat", "11.8C(b)3"),
    } <= found
    assert not any("insurance" in key for _, key, _ in found)


@pytest.mark.parametrize("written", ["0", "-5", "true", '"a lot"', '"1000 to 2"', '"12"', "[1]", "1.5"])
def test_a_pay_that_is_none_is_refused_by_its_key(floor: Floor, written: str) -> None:
    """Cents, a part of the meter, or odds."""
    floor.table("T1", ("[link]", f"[table.pays.progressive]\nflush = {written}\n[link]"))
    (fault,) = floor.faults()
    assert fault["key"] == "table.pays.progressive.flush"
    assert "30 to 1" in fault["problem"]


def test_pays_of_table_and_link_are_the_same(floor: Floor) -> None:
    """A table that pays $60 for a flush joins a link that does, and no other (S-5)."""
    floor.table("T1", ("[link]", "[table.pays.progressive]\nflush = 6000\n[link]"))
    floor.meter()
    assert floor.found() == {("T1.toml", "table.pays.progressive", "1.39B(d)3")}
    floor.meter(more="[link.game.pays]\nflush = 6000\n")
    assert floor.faults() == []


def test_a_table_that_the_meter_would_not_let_in_is_a_fault(floor: Floor) -> None:
    """Wrong link, wrong name, twice the same name, rehearsal beside a live link."""
    floor.table("T9")
    floor.table("T1", ('name = "main"', 'name = "side"'))
    floor.table("T2", ("stake_cents = 100", "stake_cents = 100\nrehearsal = true"))
    floor.meter()
    floor.files.append(floor.files[0])
    assert {(file, key) for file, key, _ in floor.found()} == {
        ("T9.toml", "table.id"),
        ("T1.toml", "link.name"),
        ("T2.toml", "table.rehearsal"),
    }
    assert any("two tables T9" in fault["problem"] for fault in floor.faults())


@pytest.mark.parametrize(
    "garbled", [('tables = ["T1", "T2", "T3"]', "tables = 3"), ('["A"]', '"A"'), ('"texas-holdem-bonus"', '"holdem"')]
)
def test_a_table_is_not_blamed_for_a_link_that_cannot_be_read(floor: Floor, garbled: tuple[str, str]) -> None:
    """One slip in the meter's file is one fault."""
    floor.table("T1")
    floor.meter(garbled)
    assert {file for file, _, _ in floor.found()} == {"meter.toml"}


def test_two_meters_with_one_link_are_a_fault(floor: Floor) -> None:
    """A link is one pot."""
    floor.meter()
    floor.write("other.toml", METER)
    assert {(file, key) for file, key, _ in floor.found()} == {("other.toml", "link[1].name")}


def test_faults_of_every_kind_and_file_come_at_once(floor: Floor) -> None:
    """Pins, unknown keys, rules and the link in one reading; a table that says nothing clear is not compared."""
    floor.table("T1", SIGN, ("gate = 11", "gate = 10"), ('pay_table = "A"', 'pay_table = "D"'))
    floor.caribbean("T2", ("loss_s = 5.0", "lost_s = 5.0"))
    floor.table("T3", ('game = "texas-holdem-bonus"', 'game = "poker"'), ("stake_cents = 100", "stake_cents = 250"))
    floor.meter(("7000", "100"), ("store =", "stores ="), more=CARIBBEAN_ON_LINK)
    floor.write("broken.toml", "[table")
    assert floor.found() == {
        ("T1.toml", "seat[3].gate", ""),
        ("T1.toml", "table.pay_table", "1.39B(d)3"),
        ("T1.toml", "table.pay_table", "28.11(g)"),
        ("T2.toml", "link.lost_s", ""),
        ("T2.toml", "table.pay_table", "1.39B(d)3"),
        ("T2.toml", "table.connection_sign", "1.13G(h)"),
        ("T3.toml", "table.game", ""),
        ("meter.toml", "store", ""),
        ("meter.toml", "stores", ""),
        ("meter.toml", "link[1].rate_bp", "28.11(h)"),
        ("meter.toml", "link[1].rate_bp", "16.12(f)"),
        ("broken.toml", "file", ""),
    }


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"[table",
        b"table = 3",
        b"store = 1\nlink = 2",
        b"a = " + b"[" * 5_000,
        b"[table]\nstake_cents = 0x" + b"f" * 5_000,
        b"a = " + b"1" * 5_000,
        b"[table]\nid = nan\ngame = inf\nstake_cents = 2026-01-01",
        b"# long\n" * (LARGEST_FILE_BYTES // 7 + 1),
    ],
    ids=["empty", "no text", "no TOML", "no table", "no meter", "nested", "giant", "long number", "odd", "too long"],
)
def test_an_unreadable_file_is_a_fault_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes
) -> None:
    """One object of JSON, whatever the bytes are."""
    path = tmp_path / "any.toml"
    path.write_bytes(text)
    assert main(["check", "--json", str(path)]) == 1
    assert json.loads(capsys.readouterr().out)["faults"]


@pytest.mark.parametrize("name", ["nowhere.toml", "", ".", "a\0b"])
def test_a_file_that_is_not_there_is_a_fault(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Missing, a folder, or no name at all."""
    assert main(["check", name]) == 1
    assert "file: " in capsys.readouterr().out


@given(text=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_whatever_make_a_traceback(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    """Any bytes are a fault or a floor."""
    path = tmp_path_factory.mktemp("any") / "any.toml"
    path.write_bytes(text)
    assert main(["check", str(path)]) == 1


@given(data=st.data())
def test_any_line_lost_or_doubled_is_answered(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """A floor with one line changed is lawful or faulty, and nothing else."""
    folder = tmp_path_factory.mktemp("floor")
    for name, text in (("table.toml", TABLE), ("meter.toml", METER)):
        lines = text.splitlines()
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + 1] = data.draw(st.sampled_from([[], [lines[at]] * 2, [lines[at].replace("=", "= -")]]))
        (folder / name).write_text("\n".join(lines))
    assert main(["check", str(folder / "table.toml"), str(folder / "meter.toml")]) in (0, 1)
