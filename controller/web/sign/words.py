"""The sign's words: one catalogue per language, with its way to write numbers and money."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from controller.settings.sign import LANGUAGES, SYMBOLS
from games.game import Game
from games.money import Cents
from games.paytable import hundredths, mixed

ENGLISH: Final = LANGUAGES[0]
_PLACE: Final = re.compile(r"\{(\w+)\}")


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How a language writes numbers; money holds {symbol} and {number}."""

    group: str
    decimal: str
    money: str


class Catalogue(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language; a pair of * marks words that stand out."""

    language: str
    reviewed: bool
    numbers: Numbers
    texts: Mapping[str, str]
    games: Mapping[str, str]
    wagers: Mapping[str, str]
    hands: Mapping[str, str]


class SignWords:
    """Says everything of a sign in one language and one currency."""

    def __init__(self, catalogue: Catalogue, currency: str) -> None:
        self._catalogue, self._symbol = catalogue, SYMBOLS[currency]
        self.language = catalogue.language

    def say(self, key: str, **values: object) -> str:
        """One text with its values."""
        return self._catalogue.texts[key].format(**values)

    def texts(self, *keys: str) -> dict[str, str]:
        """Texts that have no values."""
        return {key: self._catalogue.texts[key] for key in keys}

    def game(self, game: Game) -> str:
        return self._catalogue.games.get(game.name, game.title)

    def wager(self, name: str) -> str:
        return self._catalogue.wagers.get(name, _spoken(name))

    def hand(self, name: str) -> str:
        return self._catalogue.hands.get(name, _spoken(name))

    def exact(self, cents: Cents) -> str:
        """An amount with its cents: $9,907.03."""
        whole, part = divmod(cents, 100)
        return self._money(f"{self.count(whole)}{self._catalogue.numbers.decimal}{part:02}")

    def money(self, cents: Cents) -> str:
        """An amount as a pay table writes it: $500, $990.70."""
        return self.exact(cents) if cents % 100 else self._money(self.count(cents // 100))

    def count(self, number: int) -> str:
        """A whole number with its groups of three."""
        return f"{number:,}".replace(",", self._catalogue.numbers.group)

    def part(self, bp: int) -> str:
        """So many per cent of the jackpot."""
        return self.say("part", percent=hundredths(bp).replace(".", self._catalogue.numbers.decimal))

    def odds(self, to_one: Fraction) -> str:
        """So much to one: 8,000 to 1, 5½ to 1."""
        whole, rest = divmod(to_one, 1)
        half = rest == Fraction(1, 2)
        number = self.count(whole) + "½" * half if whole and (half or not rest) else mixed(to_one)
        return self.say("odds", number=number)

    def _money(self, number: str) -> str:
        return self._catalogue.numbers.money.format(symbol=self._symbol, number=number)


def read_catalogues() -> tuple[dict[str, Catalogue], list[str]]:
    """Every language that can be read, and what is wrong with the others; a sign then speaks English."""
    found, faults = {ENGLISH: _read(ENGLISH)}, list[str]()
    for language in LANGUAGES[1:]:
        try:
            catalogue = _read(language)
        except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
            faults.append(f"{language}.json: {error}")
            continue
        wrong = list(catalogue_faults(catalogue, found[ENGLISH]))
        faults.extend(f"{language}.json: {fault}" for fault in wrong)
        if not wrong:
            found[language] = catalogue
    return found, faults


def catalogue_faults(catalogue: Catalogue, english: Catalogue) -> Iterator[str]:
    """Texts that are missing, unknown, or name other values than the English ones."""
    for key in english.texts.keys() ^ catalogue.texts.keys():
        yield f"{key}: {'missing' if key in english.texts else 'unknown'}"
    for key in english.texts.keys() & catalogue.texts.keys():
        wanted, named = (set(_PLACE.findall(each.texts[key])) for each in (english, catalogue))
        if wanted != named:
            yield f"{key}: names {sorted(named)}, not {sorted(wanted)}"


def _read(language: str) -> Catalogue:
    place: Any = files("controller.web.sign").joinpath("languages", f"{language}.json")
    return msgspec.json.decode(place.read_bytes(), type=Catalogue)


def _spoken(name: str) -> str:
    words = name.replace("_", " ").replace("akq", "A-K-Q")
    return words[:1].upper() + words[1:]
