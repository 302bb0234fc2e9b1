"""The sign's words: complete in every language, and money written as each language writes it."""

from fractions import Fraction
from importlib.resources import files

import pytest
from msgspec.structs import replace

from controller.settings.sign import LANGUAGES
from controller.web.sign.words import ENGLISH, SignWords, catalogue_faults, read_catalogues
from games.catalogue import GAMES

CATALOGUES, FAULTS = read_catalogues()
TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]
FOR_STAFF = ("meter", "claim", "validat", "pending", "fault", "contest", "supervisor", "management")


def test_every_language_can_be_read() -> None:
    """And both translations say that nobody who speaks them has reviewed them."""
    assert FAULTS == []
    assert {language: catalogue.reviewed for language, catalogue in CATALOGUES.items()} == {
        language: language == ENGLISH for language in LANGUAGES
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_hand_wager_and_game_has_its_name(language: str) -> None:
    """Nothing falls back to English words in the middle of another language."""
    catalogue, games = CATALOGUES[language], GAMES.values()
    assert catalogue.games.keys() == {game.name for game in games if game.progressive}
    tables = [(wager, table) for game in games for wager in game.wagers for table in wager.tables]
    assert catalogue.wagers.keys() >= {wager.name for wager, _ in tables} - {"envy"}
    assert catalogue.hands.keys() >= {line.hand for _, table in tables for line in table.lines}


def test_a_catalogue_with_a_missing_or_unknown_value_is_not_taken() -> None:
    """It would fail only when somebody wins."""
    english = CATALOGUES[ENGLISH]
    texts = {**english.texts, "seat": "Seat {number}", "more": ""}
    del texts["paid"]
    found = sorted(catalogue_faults(replace(english, texts=texts), english))
    assert found == ["more: unknown", "paid: missing", "seat: names ['number'], not ['seat']"]


def test_no_text_says_the_house_s_internal_words() -> None:
    """Players read of jackpots, wagers, awards and wins."""
    for key, text in CATALOGUES[ENGLISH].texts.items():
        assert not [word for word in FOR_STAFF if word in text.lower()], key


def test_money_and_odds_are_written_as_on_a_layout() -> None:
    """Cents only where there are any; the jackpot always has them."""
    words = SignWords(CATALOGUES[ENGLISH], "USD")
    assert (words.money(500_00), words.money(990_71), words.exact(9_907_00)) == ("$500", "$990.71", "$9,907.00")
    assert (words.odds(Fraction(8000)), words.odds(Fraction(11, 2))) == ("8,000 to 1", "5½ to 1")
    assert (words.odds(Fraction(1, 2)), words.odds(Fraction(4, 3))) == ("1/2 to 1", "1 1/3 to 1")
    assert (words.part(1000), words.part(1250)) == ("10 %", "12.5 %")
    assert SignWords(CATALOGUES[ENGLISH], "EUR").money(5_00) == "€5"


def test_the_chinese_font_has_every_character_of_its_catalogue() -> None:
    """The file beside the font lists what it was cut down to."""
    folder = files("controller.web.sign")
    written = {letter for letter in (folder / "languages" / "zh.json").read_text("utf-8") if ord(letter) > 0x2000}
    assert written <= set((folder / "fonts" / "noto-sans-sc.txt").read_text("utf-8"))
