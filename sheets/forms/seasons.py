"""Seasons: their names, their days, and how many hands a place takes."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.actions import SeasonFields
from sheets.forms.base import NameField, WholeNumberField, WritingForm
from sheets.models import Season
from sheets.numbers import MOST_TYPED

YEARS = range(1900, 2200)


class DayField(forms.DateField):
    """A day as the browser sends it, or as somebody types it where the browser has no calendar."""

    default_error_messages = {"required": gettext_lazy("Choose a day.")}

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        widget.attrs |= {"placeholder": "2026-09-30", "autocomplete": "off"}
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)

    def to_python(self, value: Any) -> datetime.date | None:
        """Return the day; what is none, or in no year anybody plays in, is refused in words."""
        text = str(value or "").strip()
        try:
            day = super().to_python(text)
        except ValidationError:
            year = text.partition("-")[0]
            if year.isdecimal() and len(year) > 4:
                day = datetime.date.max
            else:
                sentence = _("%(typed)s is no day. Write year, month and day: 2026-09-30.")
                raise ValidationError(sentence % {"typed": f"“{text[:20]}”"}) from None
        if day is not None and day.year not in YEARS:
            years = {"first": YEARS[0], "last": YEARS[-1]}
            raise ValidationError(_("A year between %(first)s and %(last)s, please.") % years)
        return day


class SeasonForm(WritingForm):
    """All there is to say of a season."""

    name = NameField()
    starts = DayField()
    ends = DayField()
    least_hands = WholeNumberField(most=MOST_TYPED, placeholder="0")

    def __init__(self, *args: Any, season: Season | None = None, **kwargs: Any) -> None:
        if season is not None:
            fields = ("name", "starts", "ends", "least_hands")
            kwargs["initial"] = {name: getattr(season, name) for name in fields}
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        starts, ends = data.get("starts"), data.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("A season ends on the day it starts, or later."))
        return data

    @property
    def season_fields(self) -> SeasonFields:
        """What a valid form says."""
        data = self.cleaned_data
        return SeasonFields(
            name=data["name"],
            starts=data["starts"],
            ends=data["ends"],
            least_hands=data["least_hands"] or 0,
        )
