"""docs/check.md: what it shows is what the command does."""

import re
import tomllib
from pathlib import Path

import pytest

from cli.main import main
from common.settings import SettingsFile
from controller.settings.house_choices import read_choices
from games.compliance import GameOnLink, LinkCase, RuleFault, TableCase, link_faults, linked_faults, table_faults
from games.paytable import pay_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "check.md").read_text()


def test_every_example_is_what_the_command_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the project's folder."""
    monkeypatch.chdir(ROOT)
    examples = re.findall(r"```console\n\$ pitlink (.*)\n((?:.*\n)+?)```", PAGE)
    assert examples
    for words, printed in examples:
        assert main(words.split()) == 0
        assert capsys.readouterr().out == printed


def test_the_choices_of_the_page_are_read_as_written() -> None:
    """Every key is known, and means what the comment says."""
    (block,) = re.findall(r"```toml\n(\[table\]\n.*?)```", PAGE, re.DOTALL)
    file = SettingsFile("page", tomllib.loads(block))
    choices = read_choices(file.root.section("table"))
    file.finish()
    assert (choices.decks, choices.wagers, choices.connection_sign) == (6, ("bonus",), True)
    assert (choices.dealer_hands, choices.multiple_action_bonus) == (2, "approved")
    assert choices.pay_tables == {"insurance": "C"}
    assert choices.pays["progressive"] == {"flush": pay_of(6000), "straight_flush": pay_of("12 %")}
    assert choices.limits == {"bonus_limit_cents": 4_000_000}
    assert choices.minimums == {"bonus": 100}


def _every_kind_of_fault() -> list[RuleFault]:
    """One table and one link with about everything wrong."""
    holdem = TableCase("texas-holdem-bonus", "B", 500, seats=8)
    pai_gow = TableCase("pai-gow-poker", "base", 100, seats=7, wagers=("bonus", "seven_card_bonus"))
    games = (
        GameOnLink("texas-holdem-bonus", ("B",), (100,)),
        GameOnLink("caribbean-stud", ("pre_amendment",), (100,)),
        GameOnLink("three-card-poker", ("A",), (100,)),
        GameOnLink("blackjack", ("base",), (100,)),
        GameOnLink("pai-gow-poker", ("base",), (100,)),
    )
    return [
        *table_faults(holdem),
        *table_faults(pai_gow),
        *table_faults(TableCase("blackjack", "base", 100, decks=1)),
        *link_faults(LinkCase(1, 1, 1, games, tables=5)),
        *linked_faults(TableCase("texas-holdem-bonus", "A", 100), [TableCase("caribbean-stud", "base", 100)]),
        *linked_faults(TableCase("caribbean-stud", "base", 100), [TableCase("texas-holdem-bonus", "A", 100)]),
    ]


def test_every_clause_that_is_checked_stands_on_the_page() -> None:
    """A reader finds what a fault cites."""
    cited = {clause for fault in _every_kind_of_fault() for clause in fault.rule.split(", ") if clause}
    assert len(cited) > 15
    assert {clause for clause in cited if clause not in PAGE and not clause.startswith("house: ")} == set()
