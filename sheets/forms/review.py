"""Which sheets an organiser asks for, and what is said of one."""

from __future__ import annotations

import datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import inbox, names, roster
from sheets.forms.base import WritingForm
from sheets.models import Club, Review
from sheets.models.sheet import MOST_REASON
from sheets.oddities import Oddity

ALL = "all"
ANY = "any"
# The clocks of every club know these days and the ones beside them.
_DAYS = (
    MinValueValidator(datetime.date(1900, 1, 1), gettext_lazy("Nobody has sheets that old.")),
    MaxValueValidator(datetime.date(2999, 12, 31), gettext_lazy("That is too far ahead.")),
)


class Day(forms.DateField):
    """An evening, in the field that browsers have for days."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        errors = {"invalid": gettext_lazy("Type a day as 2026-11-30.")}
        super().__init__(
            required=False,
            widget=widget,
            input_formats=["%Y-%m-%d"],
            validators=_DAYS,
            error_messages=errors,
            **kwargs,
        )


class InboxForm(forms.Form):
    """The filters of the inbox, which travel in the address; what is wrong filters nothing."""

    state = forms.ChoiceField(
        required=False, choices=[*Review.choices, (ALL, ALL)], widget=forms.HiddenInput
    )
    since = Day(label=gettext_lazy("From evening"))
    until = Day(label=gettext_lazy("To evening"))
    table = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label=gettext_lazy("Table")
    )
    person = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label=gettext_lazy("Person")
    )
    odd = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Oddities"),
        choices=[
            ("", gettext_lazy("with or without")),
            (ANY, gettext_lazy("any of them")),
            *Oddity.choices,
        ],
    )

    def __init__(self, data: QueryDict, *, club: Club) -> None:
        super().__init__(data, use_required_attribute=False)
        self.club = club
        tables = [
            (one.pk, one.name or names.listed(people[:4]) or one.public_id)
            for one, people in inbox.tables(club)
        ]
        tables.sort(key=lambda pair: names.in_order(pair[1]))
        self.stands_for = roster.stands_for(club)
        people = [
            (one.pk, str(one))
            for one in sorted(club.people.all(), key=lambda one: names.in_order(one.label))
            if self.stands_for[one.pk] == one.pk  # whoever was merged counts as another
        ]
        for field, choices in (("table", tables), ("person", people)):
            self.fields[field].choices = [("", _("all")), *choices]  # type: ignore[attr-defined]
        self.full_clean()

    def clean(self) -> dict[str, Any]:
        """Refuse evenings the wrong way round."""
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", _("This is before the first evening."))
        return self.cleaned_data

    @property
    def state_shown(self) -> str:
        """The state that is asked for; what is still to review unless somebody says otherwise."""
        return self.cleaned_data.get("state") or Review.TO_REVIEW

    @property
    def narrows(self) -> bool:
        """Whether anything besides the state is asked for, or could not be read."""
        return bool(self.errors) or any(
            self.cleaned_data.get(name) for name in self.fields if name != "state"
        )

    def wanted(self) -> inbox.Wanted:
        """Return which sheets these filters ask for."""
        said, club = self.cleaned_data, self.club
        since, until, odd = said.get("since"), said.get("until"), said.get("odd") or ""
        after = None if until is None else club.evening_begins(until + datetime.timedelta(days=1))
        return inbox.Wanted(
            club,
            since=None if since is None else club.evening_begins(since),
            before=after,
            table=said.get("table"),
            persons=self._persons(said.get("person")),
            review="" if self.state_shown == ALL else self.state_shown,
            odd=odd == ANY,
            oddity="" if odd == ANY else odd,
        )

    def _persons(self, person: int | None) -> frozenset[int] | None:
        if person is None:
            return None
        same = {pk for pk, stands_for in self.stands_for.items() if stands_for == person}
        return inbox.persons(self.club, same)

    def query(self, **other: str) -> str:
        """Return the filters as the end of an address, with some of them other than they are."""
        asked = {name: self.cleaned_data.get(name) or "" for name in self.fields} | other
        if asked["state"] == Review.TO_REVIEW:
            asked["state"] = ""
        told = {name: str(value) for name, value in asked.items() if value}
        return f"?{urlencode(told)}" if told else ""


class ReviewForm(WritingForm):
    """What an organiser says of a sheet; flagging and setting aside want a reason."""

    state = forms.ChoiceField(choices=Review, widget=forms.HiddenInput)
    note = forms.CharField(required=False)
    hidden_parts = ("key", "seen", "state")

    _asks = {
        Review.FLAGGED: gettext_lazy("Say what is to be looked into."),
        Review.SET_ASIDE: gettext_lazy("Say why it does not count."),
    }

    def __init__(
        self, data: QueryDict | None = None, *, state: str, note: str = "", **kwargs: Any
    ) -> None:
        initial = {"state": state, "note": note}
        super().__init__(data, initial=initial, auto_id=f"id_{state}_%s", **kwargs)
        self.fields["note"].widget.attrs |= {"autocomplete": "off", "maxlength": MOST_REASON}

    def clean(self) -> dict[str, Any]:
        """Tidy the note, and ask for one where it has to be said why."""
        state, typed = self.cleaned_data.get("state"), self.cleaned_data.get("note", "")
        note = names.clean(typed if state in self._asks else "")
        if state in self._asks and not names.key(note):
            self.add_error("note", self._asks[Review(state)])
        elif len(note) > MOST_REASON:
            self.add_error(
                "note",
                _("%(n)s letters are too many: %(most)s fit.")
                % {"n": len(note), "most": MOST_REASON},
            )
        self.cleaned_data["note"] = note
        return self.cleaned_data
