"""docs/odds.md shows what the command prints."""

import re
from pathlib import Path

import pytest

from cli.main import main
from games.catalogue import GAMES
from games.odds import pai_gow
from games.odds.deck_counts import Deck, holdings
from games.odds.hand_counts import count

DOCUMENT = Path(__file__).parents[3] / "docs" / "odds.md"
EXAMPLES = re.findall(r"```console\n\$ pitlink ([^\n]+)\n(.*?)\n```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("words", "shown"), EXAMPLES)
def test_every_example_is_what_the_command_prints(capsys: pytest.CaptureFixture[str], words: str, shown: str) -> None:
    """Each number in an example comes from the code."""
    assert main(words.split()) == 0
    assert capsys.readouterr().out.rstrip("\n") == shown


def test_the_document_has_examples() -> None:
    """The sheet and the JSON, at least."""
    assert len(EXAMPLES) >= 2


def test_every_wager_is_named() -> None:
    """The table of games names every wager that the command answers."""

    text = DOCUMENT.read_text(encoding="utf-8")
    for game in GAMES.values():
        assert f"`{game.name}`" in text
        for wager in game.wagers:
            if count(game.name, wager.name):
                assert f"`{wager.name.replace('_', '-')}`" in text


def test_the_numbers_of_the_counting_are_those_of_the_code() -> None:
    """Patterns, hands and sets of marks of pai gow poker."""
    deck = Deck(joker=True)
    patterns = sum(1 for holding in holdings(deck, 7, 5) for _ in holding.hands)
    marks = [hands for hands in pai_gow.tally(deck).values() if hands]
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"{patterns:,} of them for the {sum(marks):,} pai gow hands" in text
    assert f"all {len(marks)} sets of marks" in text
