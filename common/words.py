"""Words for people: one catalogue per language; numbers, money, times and plurals by CLDR."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from common.cldr import Cldr

LANGUAGES: Final = {"en": "en_US", "es": "es_US", "zh": "zh_Hans_CN"}
"""English, Spanish and Simplified Chinese with their CLDR locales; the first is the default."""
ENGLISH: Final = "en"
DOLLARS: Final = "USD"
CURRENCIES: Final = {"USD": "en_US", "EUR": "de_DE", "GBP": "en_GB", "CAD": "en_CA", "AUD": "en_AU", "MXN": "es_MX"}
"""Currencies with hundredths, each with a locale of its home: there it is written with its short symbol."""
_PLACE: Final = re.compile(r"\{(\w+)(?::\w+)?\}")


class Plural(Struct, frozen=True, forbid_unknown_fields=True):
    """A text whose form follows one of its values, by the CLDR category of that number."""

    by: str
    other: str
    one: str = ""

    def form(self, category: str) -> str:
        """The text of this category; a language without it says the other one."""
        return self.one if category == "one" and self.one else self.other


_Texts: TypeAlias = dict[str, str | Plural]


class _About(Struct, frozen=True, forbid_unknown_fields=True):
    reviewed: bool


class _Names(Struct, frozen=True, forbid_unknown_fields=True):
    games: dict[str, str]
    wagers: dict[str, str]
    hands: dict[str, str]


class Catalogue(Struct, frozen=True):
    """The texts of one language, by page; a pair of * marks words that stand out."""

    language: str
    reviewed: bool
    pages: Mapping[str, Mapping[str, str | Plural]]
    games: Mapping[str, str]
    wagers: Mapping[str, str]
    hands: Mapping[str, str]


class ScriptWords(Struct, frozen=True):
    """The words of one page as its script takes them; the browser writes numbers and money by the same CLDR locale."""

    language: str
    locale: str
    currency: str
    texts: Mapping[str, str | Plural]


class Words:
    """Says everything of one page in one language and one currency.

    A place in a text may say how its value is written: {amount:money}, {amount:exact}, {number:count}.
    """

    def __init__(self, catalogue: Catalogue, page: str, currency: str) -> None:
        self._catalogue, self._texts, self._currency = catalogue, catalogue.pages[page], currency
        self._formatter = _ValueFormatter({"money": self.money, "exact": self.exact, "count": self.count})
        self.language = catalogue.language

    @cached_property
    def cldr(self) -> "Cldr":
        """How this language writes numbers; read when it is first wanted, in any thread: it takes a board a while."""
        from common.cldr import Cldr

        return Cldr(LANGUAGES[self.language], self._currency, CURRENCIES[self._currency])

    def say(self, key: str, **values: object) -> str:
        """One text with its values."""
        text = self._texts[key]
        if isinstance(text, Plural):
            text = text.form(self.cldr.category(int(str(values[text.by]))))
        return self._formatter.vformat(text, (), values)

    def texts(self, *keys: str) -> dict[str, str]:
        """Texts that have no values."""
        return {key: self.say(key) for key in keys}

    def game(self, name: str, title: str) -> str:
        """A game's name; its title where this language has none of its own."""
        return self._catalogue.games.get(name, title)

    def wager(self, name: str) -> str:
        return self._catalogue.wagers.get(name, _spoken(name))

    def hand(self, name: str) -> str:
        return self._catalogue.hands.get(name, _spoken(name))

    def for_script(self) -> ScriptWords:
        """All texts of the page, for a browser."""
        locale = LANGUAGES[self.language].replace("_", "-")
        return ScriptWords(self.language, locale, self._currency, self._texts)

    def exact(self, cents: int) -> str:
        """An amount with its cents: $9,907.03."""
        return self.cldr.money(cents, with_cents=True)

    def money(self, cents: int) -> str:
        """An amount as a pay table writes it: $500, $990.70."""
        return self.cldr.money(cents, with_cents=bool(cents % 100))

    def count(self, number: int) -> str:
        """A whole number with its groups."""
        return self.cldr.decimal(number)

    def decimal(self, number: Decimal) -> str:
        """A number with its decimal places: 12.5."""
        return self.cldr.decimal(number)

    def moment(self, moment: datetime) -> str:
        """Date and time of day, in the moment's own time zone."""
        return self.cldr.moment(moment)


class PageWords:
    """One page in every language that can be read, in one currency."""

    def __init__(self, page: str, currency: str, language: str = ENGLISH) -> None:
        catalogues, self.faults = read_catalogues()
        self._words = {name: Words(catalogue, page, currency) for name, catalogue in catalogues.items()}
        self._own = self._words.get(language, self._words[ENGLISH])

    def of(self, language: str = "") -> Words:
        """The words of this language, or of the screen's own where it is unknown."""
        return self._words.get(language, self._own)


def read_catalogues() -> tuple[dict[str, Catalogue], list[str]]:
    """Every language that can be read, and what is wrong with the others; pages then speak English."""
    found, faults = {ENGLISH: _read(ENGLISH)}, list[str]()
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        try:
            catalogue = _read(language)
        except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
            faults.append(f"{language}: {error}")
            continue
        wrong = list(catalogue_faults(catalogue, found[ENGLISH]))
        faults.extend(f"{language}: {fault}" for fault in wrong)
        if not wrong:
            found[language] = catalogue
    return found, faults


def catalogue_faults(catalogue: Catalogue, english: Catalogue) -> Iterator[str]:
    """Texts that are missing, unknown, or name other values than the English ones."""
    theirs, ours = dict(_flat(catalogue)), dict(_flat(english))
    for key in sorted(ours.keys() ^ theirs.keys()):
        yield f"{key}: {'missing' if key in ours else 'unknown'}"
    for key in sorted(ours.keys() & theirs.keys()):
        if theirs[key] != ours[key]:
            yield f"{key}: names {sorted(theirs[key])}, not {sorted(ours[key])}"


def _flat(catalogue: Catalogue) -> Iterator[tuple[str, set[str]]]:
    """Every text by page and key, with the values it names."""
    for page, texts in catalogue.pages.items():
        for key, text in texts.items():
            forms = (text,) if isinstance(text, str) else (text.other, *([text.one] if text.one else []))
            yield f"{page}.{key}", {name for form in forms for name in _PLACE.findall(form)}


def _read(language: str) -> Catalogue:
    """A language's folder: about.json, names.json, and one file for each page."""
    folder: Any = files("common").joinpath("languages", language)
    places = {place.name.removesuffix(".json"): place for place in folder.iterdir()}
    about = msgspec.json.decode(places.pop("about").read_bytes(), type=_About)
    names = msgspec.json.decode(places.pop("names").read_bytes(), type=_Names)
    pages = {page: msgspec.json.decode(place.read_bytes(), type=_Texts) for page, place in sorted(places.items())}
    return Catalogue(language, about.reviewed, pages, names.games, names.wagers, names.hands)


def _spoken(name: str) -> str:
    words = name.replace("_", " ").replace("akq", "A-K-Q")
    return words[:1].upper() + words[1:]


class _ValueFormatter(Formatter):
    """Writes the values of a text: {amount:money} by the way that is called money."""

    def __init__(self, ways: Mapping[str, Any]) -> None:
        self._ways = ways

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._ways[format_spec](value) if format_spec else str(value)
