"""How one language writes numbers, money, times and plurals, by CLDR."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal

from babel import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal, get_currency_symbol


class Cldr:
    """One locale, and one currency with the symbol that it has in its own home."""

    def __init__(self, locale: str, currency: str, home: str) -> None:
        self._locale, self._currency = Locale.parse(locale), currency
        self._symbol = get_currency_symbol(currency, home)
        self._local_symbol = get_currency_symbol(currency, self._locale)

    def category(self, number: int) -> str:
        """The plural form of a number: one, other."""
        return self._locale.plural_form(number)

    def decimal(self, number: Decimal | int) -> str:
        """A number with its groups and decimal places."""
        return format_decimal(number, locale=self._locale)

    def listed(self, words: Sequence[str], style: Literal["or", "standard"]) -> str:
        """Alternatives, or all of them: 1, 2, or 5; 1, 2, and 5."""
        return format_list(words, style=style, locale=self._locale)

    def moment(self, moment: datetime) -> str:
        """Date and time of day, in the moment's own time zone."""
        return format_datetime(moment, "medium", locale=self._locale)

    def money(self, cents: int, *, with_cents: bool) -> str:
        """An amount with the symbol that the house writes at home, whatever the language calls the currency."""
        pattern = self._locale.currency_formats["standard"].pattern
        if not with_cents:
            pattern = pattern.replace(".00", "")
        amount = Decimal(cents) / 100
        text = format_currency(amount, self._currency, pattern, self._locale, currency_digits=False)
        return text.replace(self._local_symbol, self._symbol)
