"""Words for people: one catalogue per language; numbers, money, times and plurals by CLDR."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cached_property, partial
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
_OF_SEVERAL: Final = ("list", "all", "cards")
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


class Catalogue(Struct, frozen=True):
    """The texts of one language, by page; a pair of * marks words that stand out."""

    language: str
    reviewed: bool
    pages: Mapping[str, Mapping[str, str | Plural]]
    names: Mapping[str, Mapping[str, str]]


class ScriptWords(Struct, frozen=True):
    """The words of one page as its script takes them; the browser writes numbers and money by the same CLDR locale."""

    language: str
    locale: str
    currency: str
    texts: Mapping[str, str | Plural]


class Words:
    """Says everything of one page in one language and one currency.

    A place in a text may say how its value is written: {amount:money}, {amount:exact}, {number:count}, {seats:list},
    {seats:all}, {cards:cards}, a name of names.json as {hand:hand}, a noun of nouns.json as {chips:chip}. Several
    values of any other way are alternatives: $1, $2, or $5.
    """

    def __init__(self, catalogue: Catalogue, page: str, currency: str, parent: "Words | None" = None) -> None:
        self._catalogue, self._texts, self.currency = catalogue, catalogue.pages[page], currency
        self._parent, self._pages = parent, dict[str, Words]()
        nouns = catalogue.pages.get("nouns", {})
        self._formatter = _ValueFormatter(self._ways(nouns), self._any_of, (*_OF_SEVERAL, *nouns))
        self.language = catalogue.language

    @cached_property
    def cldr(self) -> "Cldr":
        """How this language writes numbers; read when it is first wanted, in any thread: it takes a board a while."""
        if self._parent is not None:
            return self._parent.cldr
        from common.cldr import Cldr

        return Cldr(LANGUAGES[self.language], self.currency, CURRENCIES[self.currency])

    def say(self, key: str, **values: object) -> str:
        """One text with its values."""
        text = self._texts[key]
        if isinstance(text, Plural):
            text = text.form(self.cldr.category(_number(values[text.by])))
        return self._formatter.vformat(text, (), values)

    def has(self, key: str) -> bool:
        """Whether the page has this text."""
        return key in self._texts

    def page(self, name: str) -> "Words":
        """The words of another page in the same language and currency."""
        if name not in self._pages:
            self._pages[name] = Words(self._catalogue, name, self.currency, parent=self)
        return self._pages[name]

    def texts(self, *keys: str) -> dict[str, str]:
        """Texts that have no values."""
        return {key: self.say(key) for key in keys}

    def game(self, name: str, title: str) -> str:
        """A game's name; its title where this language has none of its own."""
        return self._catalogue.names["game"].get(name, title)

    def wager(self, name: str) -> str:
        return self.name("wager", name)

    def hand(self, name: str) -> str:
        return self.name("hand", name)

    def name(self, kind: str, name: str) -> str:
        """How people call one thing of this kind of names.json."""
        return self._catalogue.names.get(kind, {}).get(name) or _spoken(name)

    def inside(self, kind: str, name: str) -> str:
        """The same in the middle of a sentence: full house, A-K-Q of spades."""
        return uncapitalised(self.name(kind, name))

    def noun(self, noun: str, number: int | Sequence[object]) -> str:
        """So many of something: 3 chips; or these: seats 1 and 2."""
        return self.page("nouns").say(noun, n=number)

    def has_name(self, kind: str, name: str) -> bool:
        """Whether names.json calls this one otherwise than the rules do."""
        return name in self._catalogue.names.get(kind, {})

    def all_of(self, words: Iterable[object]) -> str:
        """Several things in a sentence: bonus and insurance."""
        return self.cldr.listed(list(map(str, words)), "standard")

    def listed(self, values: Iterable[object]) -> str:
        """Several things: 3, 5."""
        return ", ".join(map(str, values))

    def for_script(self) -> ScriptWords:
        """All texts of the page, for a browser."""
        locale = LANGUAGES[self.language].replace("_", "-")
        return ScriptWords(self.language, locale, self.currency, self._texts)

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

    def _ways(self, nouns: Iterable[str]) -> dict[str, Callable[[Any], str]]:
        """How a value may be written, by the word in the text."""
        named = {kind: partial(self.inside, kind) for kind in self._catalogue.names}
        counted = {noun: partial(self.noun, noun) for noun in nouns}
        numbers: dict[str, Callable[[Any], str]] = {"money": self.money, "exact": self.exact, "count": self.count}
        lists: dict[str, Callable[[Any], str]] = {"list": self.listed, "all": self.all_of, "cards": " ".join}
        return {**named, **counted, **numbers, **lists}

    def _any_of(self, words: Sequence[str]) -> str:
        return self.cldr.listed(words, "or")


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
    names = msgspec.json.decode(places.pop("names").read_bytes(), type=dict[str, dict[str, str]])
    pages = {page: msgspec.json.decode(place.read_bytes(), type=_Texts) for page, place in sorted(places.items())}
    return Catalogue(language, about.reviewed, pages, names)


def _spoken(name: str) -> str:
    return capitalised(name.replace("_", " ").replace("akq", "A-K-Q"))


def capitalised(words: str) -> str:
    """Words at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def uncapitalised(words: str) -> str:
    """A name in the middle of a sentence; A-K-Q and J high stay as they are."""
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _number(value: object) -> int:
    """What a plural follows: a number, or how many there are."""
    return len(value) if isinstance(value, tuple | list) else int(str(value))


class _ValueFormatter(Formatter):
    """Writes the values of a text: {amount:money} by the way that is called money."""

    def __init__(
        self,
        ways: Mapping[str, Callable[[Any], str]],
        any_of: Callable[[Sequence[str]], str],
        of_several: Sequence[str],
    ) -> None:
        self._ways, self._any_of, self._of_several = ways, any_of, of_several

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec:
            return str(value)
        if isinstance(value, tuple | list) and format_spec not in self._of_several:
            return self._any_of([self._ways[format_spec](each) for each in value])
        return self._ways[format_spec](value)
