"""Money: amounts are whole numbers of a currency's smallest unit, written as the reader does."""

from __future__ import annotations

import functools
from decimal import Decimal
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.numbers import (
    format_currency,
    get_currency_precision,
    get_decimal_symbol,
    get_territory_currencies,
)
from django.utils.translation import get_language
from django.utils.translation.trans_real import parse_accept_lang_header

from sheets import numbers

DOLLAR = "USD"
# In a currency's smallest unit: a hundred thousand where it has cents.
MOST_VALUE: Final = 10_000_000


def locale_of(accept_language: str) -> Locale:
    """Return the first of a browser's languages that is known, with its country where it has one.

    Without any it is the language that the page is in.
    """
    for tag, _quality in parse_accept_lang_header(accept_language.lower()):
        if found := _locale(tag):
            return found
    return _locale(get_language() or "") or Locale("en")


@functools.lru_cache(maxsize=256)
def _locale(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return None


def currency_of(locale: Locale) -> str:
    """Return the currency of a locale's country, or of the country where most speak like that."""
    likely = str(get_global("likely_subtags").get(str(locale), ""))
    for territory in (locale.territory, likely.rpartition("_")[2]):
        if territory and (found := get_territory_currencies(territory)):
            return found[0]
    return DOLLAR


@functools.cache
def _in_use() -> frozenset[str]:
    countries = get_global("territory_currencies")
    return frozenset(code for country in countries for code in get_territory_currencies(country))


def currencies(locale: Locale) -> list[tuple[str, str]]:
    """Return the currencies that are in use somewhere, by their codes, with their names."""
    return [(code, f"{code} · {locale.currencies.get(code, code)}") for code in sorted(_in_use())]


def places(currency: str) -> int:
    """Return how many places a currency's amounts have after the point: 2 for most, 0 for yen."""
    return get_currency_precision(currency)


def said(amount: int, currency: str, locale: Locale | None = None) -> str:
    """Return an amount as the reader writes it, or else as the page's language does."""
    value = Decimal(amount).scaleb(-places(currency))
    return format_currency(value, currency, locale=locale or locale_of(""))


def typed(amount: int, currency: str, locale: Locale) -> str:
    """Return an amount as somebody would type it into a field: "0.50", or "0,50"."""
    text = f"{Decimal(amount).scaleb(-places(currency)):.{places(currency)}f}"
    return text.replace(".", get_decimal_symbol(locale))


def read(text: str, currency: str) -> int | None:
    """Return a typed amount in the currency's smallest unit; None where it is none."""
    return numbers.amount(text, places(currency))
