"""What a unit is worth in money."""

from __future__ import annotations

from typing import Any

from babel import Locale
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import money
from sheets.forms.base import WritingForm
from sheets.models import Sheet


class ValueForm(WritingForm):
    """An amount and its currency; without an amount nothing is counted in money."""

    amount = forms.CharField(
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    currency = forms.ChoiceField(
        error_messages={
            "required": gettext_lazy("Choose a currency."),
            "invalid_choice": gettext_lazy("Choose a currency from the list."),
        }
    )

    def __init__(self, *args: Any, sheet: Sheet, locale: Locale, **kwargs: Any) -> None:
        self.locale = locale
        currency = sheet.currency or money.currency_of(locale)
        value = sheet.unit_cents
        kwargs["initial"] = {
            "amount": money.typed(value, currency, locale) if value else "",
            "currency": currency,
        }
        super().__init__(*args, **kwargs)
        choices = money.currencies(locale)
        if currency not in dict(choices):  # one that was in use when it was chosen
            choices.append((currency, currency))
        self.fields["currency"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Turn the amount into whole cents, or whatever the currency's smallest unit is."""
        data: dict[str, Any] = super().clean() or {}
        text, currency = data.get("amount", ""), data.get("currency")
        data["value"] = None
        if text and currency:
            data["value"] = value = money.read(text, currency)
            if value is None:
                example = money.typed(50 * 10 ** money.places(currency), currency, self.locale)
                self.add_error(
                    "amount", _("Type an amount like %(example)s.") % {"example": example}
                )
            elif value == 0:
                sentence = _("A unit that is worth nothing: leave this empty instead.")
                self.add_error("amount", sentence)
            elif value > money.MOST_VALUE:
                most = money.said(money.MOST_VALUE, currency, self.locale)
                self.add_error("amount", _("%(most)s a unit is the most.") % {"most": most})
        return data
