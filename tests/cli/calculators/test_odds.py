"""pitlink odds: its JSON contract, its par sheet, its page, and how it refuses."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cli.main import main

WAGERS = [
    ("texas-holdem-bonus", "progressive"),
    ("caribbean-stud", "progressive"),
    ("three-card-poker", "progressive"),
    ("three-card-poker", "envy"),
    ("three-card-poker", "six-card-bonus"),
    ("blackjack", "progressive"),
    ("pai-gow-poker", "progressive"),
    ("pai-gow-poker", "envy"),
    ("pai-gow-poker", "bonus"),
    ("pai-gow-poker", "insurance"),
    ("pai-gow-poker", "three-card-bonus"),
    ("pai-gow-poker", "seven-card-bonus"),
    ("pai-gow-poker", "number"),
]


def asked(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    assert main(["odds", *words.split(), "--json"]) == 0
    odds: dict[str, Any] = json.loads(capsys.readouterr().out)
    return odds


def refused(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """What standard error says when the command refuses, by its own message or by that of the parser."""
    code: int | str | None
    try:
        code = main(["odds", *words.split()])
    except SystemExit as refusal:
        code = refusal.code
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    return said.err


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_every_wager_answers_with_the_keys_of_the_contract(
    capsys: pytest.CaptureFixture[str], game: str, wager: str
) -> None:
    """The names that others rely on are there, and hands and nothing make up the total."""
    odds = asked(capsys, f"{game} --wager {wager}")
    assert (odds["game"], odds["wager"]) == (game, wager)
    assert odds["total"] == odds["nothing"] + sum(hand["combinations"] for hand in odds["hands"].values())
    assert {"pay_table", "stake_cents", "break_even_cents"} <= odds.keys()
    for key in ("fixed_return", "meter_coefficient"):
        assert re.fullmatch(r"\d+/\d+", odds[key])


def test_caribbean_stud_to_the_last_digit(capsys: pytest.CaptureFixture[str]) -> None:
    """One whole answer, worked out by hand."""
    odds = asked(capsys, "caribbean-stud --wager progressive --meter 100000 --rate 7000 --reset 10000")
    assert odds["hands"]["straight_flush"] == {
        "combinations": 36,
        "pay": "10%",
        "deducted": True,
        "probability": "3/216580",
        "rounds_between_awards": "216580/3",
        "rule": "16.12(e)",
    }
    assert odds["hands"]["flush"]["pay"] == 50_00
    fixed = Fraction(624 * 500 + 3744 * 100 + 5108 * 50, 2_598_960)
    part = Fraction(4 * 10 + 36, 10 * 2_598_960)
    assert Fraction(odds["fixed_return"]) == fixed
    assert Fraction(odds["meter_coefficient"]) == part
    assert Fraction(odds["return"]) == fixed + part * 100_000
    assert odds["break_even_cents"] == 218_047_37
    assert Fraction(odds["rounds_between_awards"]) == Fraction(2_598_960, 4 + 36 + 624 + 3744 + 5108)
    assert odds["rounds_between_whole_meters"] == "649740/1"
    assert Fraction(odds["long_run"]["return"]) == Fraction(7, 10) + Fraction(10_000, 649_740)


def test_odds_to_one_are_written_as_on_the_layout(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole and broken odds, always to one."""
    assert asked(capsys, "pai-gow-poker --wager insurance --pay-table E")["hands"]["queen_high"]["pay"] == "7 to 1"
    assert asked(capsys, "pai-gow-poker --wager number")["hands"]["number"]["pay"] == "5 1/2 to 1"


def test_11_14_d_a_low_meter_changes_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """At $1,500 the royal and pair beats a tenth of the meter; the answer says at which meter it counted (S-101)."""
    low = asked(capsys, "pai-gow-poker --wager progressive --meter 1500")
    ample = asked(capsys, "pai-gow-poker --wager progressive")
    assert low["counted_at_cents"] == 1_500_00
    assert ample["counted_at_cents"] == ample["turning_points_cents"][-1] == 1_999_91
    moved = (
        low["hands"]["royal_flush_and_pair"]["combinations"] - ample["hands"]["royal_flush_and_pair"]["combinations"]
    )
    assert moved == 48


def test_a_blackjack_shoe_of_one_deck_has_no_four_aces_of_a_color(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot happen has no combinations, no rounds between, no break-even and no long run."""
    odds = asked(capsys, "blackjack --wager progressive --decks 1")
    assert odds["hands"]["four_aces_same_color"]["combinations"] == 0
    assert odds["hands"]["four_aces_same_color"]["rounds_between_awards"] is None
    assert odds["break_even_cents"] is odds["long_run"] is None


def test_11_3_f_2_the_royal_match_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Bonus and envy follow the licensee's choice."""
    for wager in ("bonus", "envy"):
        odds = asked(capsys, f"pai-gow-poker --wager {wager} --option royal_match=ace_king_natural")
        assert odds["hands"]["royal_flush_plus_royal_match"]["combinations"] == 12


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("roulette --wager progressive", "no game 'roulette'; there are texas-holdem-bonus"),
        ("blackjack --wager bonus", "what blackjack's bonus pays stands in no pay table (2.20(a))"),
        ("three-card-poker --wager six_card", "there are six-card-bonus, progressive, envy"),
        ("caribbean-stud --wager progressive --pay-table Z", "no pay table 'Z'; there are base, pre_amendment"),
        ("caribbean-stud --wager progressive --stake 5", "is $1, not $5"),
        ("three-card-poker --wager envy --stake 2", "envy is paid on a wager of $1 or $5, not of $2"),
        ("pai-gow-poker --wager envy --stake 1", "at least $5, not $1"),
        ("blackjack --wager progressive --decks 9", "one to 8 decks, not from 9"),
        ("blackjack --wager progressive --decks 0", "one to 8 decks, not from 0"),
        ("caribbean-stud --wager progressive --decks 2", "one deck, not from 2"),
        ("pai-gow-poker --wager bonus --option royal_match=no", "no option royal_match=no; there are royal_match="),
        ("blackjack --wager progressive --decks two", "invalid int value: 'two'"),
        ("blackjack --wager progressive --meter -5", "'-5' is no amount of dollars"),
        ("blackjack --wager progressive --meter 1.234", "'1.234' is no amount of dollars"),
        ("blackjack --wager progressive --meter ١٢", "is no amount of dollars"),
        ("blackjack --wager progressive --stake 0", "is $1, not $0"),
        ("blackjack --wager progressive --rate 10001", "'10001' is no rate"),
        ("blackjack", "the following arguments are required: --wager"),
        ("blackjack --wager progressive --html /nowhere/page.html", "/nowhere/page.html cannot be written"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(
    capsys: pytest.CaptureFixture[str], words: str, why: str
) -> None:
    """Exit code 2, nothing on standard output, and a message that helps."""
    assert why in refused(capsys, words)


def test_the_par_sheet_is_readable(capsys: pytest.CaptureFixture[str]) -> None:
    """Names, numbers and what follows from them, in columns."""
    assert main(["odds", "texas-holdem-bonus", "--wager", "progressive", "--pay-table", "A", "--meter", "80000"]) == 0
    sheet = capsys.readouterr().out
    assert "Texas hold 'em bonus poker: progressive, pay table A, $1 wager" in sheet
    assert re.search(r"royal flush +100 % of the meter +4 +0\.000154 % +1 in 649,740\.0 +12\.3126 %\n", sheet)
    assert re.search(r"Break-even meter +\$150,436\.85\n", sheet)
    assert re.search(r"Long-run return at a rate of 70\.00 % and a reset of \$0 +89\.7710 %\n", sheet)


def test_the_par_sheet_says_what_cannot_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """Envy is for one other player, a low meter matters, blackjack counts orders, a meter may be bled dry."""
    for words, note in (
        ("three-card-poker --wager envy", "each further player adds the same again"),
        ("pai-gow-poker --wager progressive", "from $1,999.91 on it no longer does"),
        ("blackjack --wager progressive", "always drawing to four"),
        ("blackjack --wager progressive --decks 1", "The whole meter"),
        ("caribbean-stud --wager progressive --rate 3000", "the amounts alone would empty the meter"),
    ):
        assert main(["odds", *words.split()]) == 0
        assert note in capsys.readouterr().out


class Page(HTMLParser):
    """Which elements a page has, which it leaves open, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href") and value]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)


@pytest.mark.parametrize(
    ("words", "charts"),
    [
        ("texas-holdem-bonus --wager progressive --meter 80000 --reset 25000", 2),
        ("pai-gow-poker --wager progressive --stake 5", 2),
        ("caribbean-stud --wager progressive --rate 0", 1),
        ("blackjack --wager progressive --decks 1", 0),
        ("pai-gow-poker --wager number", 0),
    ],
)
def test_the_page_stands_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, charts: int) -> None:
    """Well-formed, nothing loaded from elsewhere, and a chart for what there is to see."""
    file = tmp_path / "par.html"
    assert main(["odds", *words.split(), "--html", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert (page.open, page.loads) == ([], [])
    assert page.seen.count("svg") == page.seen.count("polyline") == charts
    assert "url(" not in text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("game", ["caribbean-stud", "blackjack", "pai-gow-poker"])
def test_a_table_without_a_letter_is_also_called_a(capsys: pytest.CaptureFixture[str], game: str) -> None:
    """As pitlink settle takes it; the answer calls it by its name."""
    assert main(["odds", game, "--wager", "progressive", "--pay-table", "A", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pay_table"] == "base"


def test_the_curves_stay_within_their_charts(tmp_path: Path) -> None:
    """However extreme the numbers, nothing is drawn outside the picture."""
    for words in (
        "blackjack --wager progressive --decks 2 --meter 999999999999",
        "three-card-poker --wager progressive --reset 999999999",
        "pai-gow-poker --wager progressive --rate 10000 --reset 0",
    ):
        file = tmp_path / "par.html"
        assert main(["odds", *words.split(), "--html", str(file)]) == 0
        for points in re.findall(r'points="([^"]+)"', file.read_text(encoding="utf-8")):
            for point in points.split():
                x, y = map(float, point.split(","))
                assert 0 <= x <= 720
                assert 0 <= y <= 340
