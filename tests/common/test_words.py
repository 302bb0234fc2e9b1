"""Words for people: complete in every language; numbers and money as each language writes them."""

from datetime import UTC, datetime
from importlib.resources import files

import pytest
from msgspec.structs import replace

from common.words import CURRENCIES, ENGLISH, LANGUAGES, Catalogue, Plural, Words, catalogue_faults, read_catalogues
from games.catalogue import GAMES

CATALOGUES, FAULTS = read_catalogues()
TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]


def page(language: str, texts: dict[str, str | Plural], currency: str = "USD") -> Words:
    return Words(replace(CATALOGUES[language], pages={"page": texts}), "page", currency)


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
    assert catalogue.names["game"].keys() == {game.name for game in games if game.progressive}
    tables = [(wager, table) for game in games for wager in game.wagers for table in wager.tables]
    assert catalogue.names["wager"].keys() >= {wager.name for wager, _ in tables} - {"envy"}
    assert catalogue.names["hand"].keys() >= {line.hand for _, table in tables for line in table.lines}


def test_a_catalogue_with_a_missing_or_unknown_value_is_not_taken() -> None:
    """It would fail only when somebody wins."""
    english = CATALOGUES[ENGLISH]
    texts = {**english.pages["sign"], "seat": "Seat {number}", "more": ""}
    del texts["paid"]
    found = list(catalogue_faults(replace(english, pages={**english.pages, "sign": texts}), english))
    assert found == ["sign.more: unknown", "sign.paid: missing", "sign.seat: names ['number'], not ['seat']"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("currency", CURRENCIES)
def test_money_has_the_houses_symbol_in_every_language(language: str, currency: str) -> None:
    """A guest from abroad reads the same dollar sign as his neighbour; cents stand only where there are any."""
    words, symbol = page(language, {}, currency), {"EUR": "€", "GBP": "£"}.get(currency, "$")
    assert words.money(500_00) == f"{symbol}500"
    assert words.money(990_71) == f"{symbol}990.71"
    assert words.exact(9_907_00) == f"{symbol}9,907.00"


def test_a_place_says_how_its_value_is_written() -> None:
    """Money, exact money and counts; anything else as it is."""
    words = page(ENGLISH, {"all": "{seat}: {due:money}, {meter:exact}, {rounds:count}"})
    assert words.say("all", seat=3, due=500, meter=500, rounds=12_345) == "3: $5, $5.00, 12,345"


@pytest.mark.parametrize(("chips", "text"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips")])
def test_a_plural_follows_its_number(chips: int, text: str) -> None:
    """By the CLDR category; Chinese has one form for all."""
    chip = Plural(by="chips", one="{chips} chip", other="{chips} chips")
    assert page(ENGLISH, {"chips": chip}).say("chips", chips=chips) == text
    assert page("zh", {"chips": Plural(by="chips", other="{chips} 枚")}).say("chips", chips=chips) == f"{chips} 枚"


def test_a_moment_is_written_as_people_read_it() -> None:
    """In the language's own order of day, month and year."""
    moment = datetime(2026, 11, 18, 17, 5, 9, tzinfo=UTC)
    assert page(ENGLISH, {}).moment(moment) == "Nov 18, 2026, 5:05:09\u202fPM"
    assert page("zh", {}).moment(moment) == "2026年11月18日 17:05:09"


def test_the_chinese_font_has_every_character_of_its_catalogue() -> None:
    """The file beside the font lists what it was cut down to."""
    chinese = CATALOGUES["zh"]
    texts = [*map(str, chinese.pages["sign"].values())]
    wagers = {wager.name for game in GAMES.values() for wager in game.wagers if wager.tables}
    names = [*chinese.names["game"].values(), *chinese.names["hand"].values()]
    names += [name for wager, name in chinese.names["wager"].items() if wager in wagers]
    written = {letter for text in (*texts, *names) for letter in text if ord(letter) > 0x2000}
    assert written <= set((files("controller.web.sign") / "fonts" / "noto-sans-sc.txt").read_text("utf-8"))


def test_the_pages_font_has_every_chinese_character_of_the_catalogue() -> None:
    """A kiosk's board has no other font of Chinese; the list beside the file says what it was cut down to."""
    folder = files("common") / "languages" / "zh"
    texts = [place.read_text("utf-8") for place in folder.iterdir()]
    written = {letter for text in texts for letter in text if ord(letter) >= 0x3000}
    assert written <= set((files("common.web") / "static" / "noto-sans-sc.txt").read_text("utf-8"))


def test_the_catalogues_have_the_same_pages() -> None:
    """English is complete by definition; the others are compared with it text by text when they are read."""
    assert {language: set(each.pages) for language, each in CATALOGUES.items()} == {
        language: set(CATALOGUES[ENGLISH].pages) for language in LANGUAGES
    }
    assert all(isinstance(each, Catalogue) for each in CATALOGUES.values())
