"""Which evenings go into a file, and a file that somebody brings."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import club_wording, codes, portable, wording
from sheets.club_queries import ClubPast
from sheets.forms.base import WritingForm
from sheets.forms.review import Day
from sheets.imports import reading
from sheets.imports.decoding import MOST_MISTAKES, Mistake, Mistaken
from sheets.models import Change, Club, ClubChange, HouseRules, Season
from sheets.queries import Past

MOST_BYTES: Final = 20 * 1024 * 1024

T = TypeVar("T")
P = TypeVar("P")


class EveningsForm(forms.Form):
    """From which evening to which; or a season, or one sheet. Nothing of it: all there is."""

    season = forms.ModelChoiceField(
        Season.objects.none(),
        required=False,
        label=gettext_lazy("Season"),
        empty_label=gettext_lazy("any"),
        error_messages={"invalid_choice": gettext_lazy("This season is not there any more.")},
    )
    starts = Day(label=gettext_lazy("From the evening of"))
    ends = Day(label=gettext_lazy("To the evening of"))
    sheet = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, club: Club) -> None:
        super().__init__(data or None, use_required_attribute=False)
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]

    def clean_sheet(self) -> str:
        sheet: str = self.cleaned_data["sheet"]
        if sheet and not codes.is_public_id(sheet):
            raise forms.ValidationError(_("There is no such sheet."))
        return sheet

    def clean(self) -> dict[str, Any]:
        starts, ends = self.cleaned_data.get("starts"), self.cleaned_data.get("ends")
        if starts and ends and starts > ends:
            self.add_error("ends", _("This is before the first evening: swap the two."))
        return self.cleaned_data

    def span(self) -> tuple[datetime.date | None, datetime.date | None]:
        """Return the first and the last evening of a valid form; None: however early, or late."""
        starts, ends = self.cleaned_data.get("starts"), self.cleaned_data.get("ends")
        if (season := self.cleaned_data.get("season")) is not None:
            starts = max(filter(None, (starts, season.starts)))
            ends = min(filter(None, (ends, season.ends)))
        return starts, ends


class ImportForm(WritingForm):
    """A file, and the mark of what it would add once somebody was shown that."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=forms.FileInput(attrs={"accept": ".json,.csv,.tsv,.txt,application/json,text/csv"}),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("This file is empty: choose another one."),
            "invalid": gettext_lazy("Choose a file."),
        },
    )
    mark = forms.CharField(required=False)

    brought: reading.Brought
    mistakes: tuple[Mistake, ...] = ()

    def clean_file(self) -> UploadedFile:
        """Read the file; what is wrong with it is told by its lines, beside the form."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            most = MOST_BYTES // 1024 // 1024
            raise forms.ValidationError(
                _("This file is too large: %(most)s MB at most. Export fewer evenings at a time.")
                % {"most": most}
            )
        try:
            self.brought = reading.read(file.read())
            if untold := list(_untold(self.brought.file)):
                raise Mistaken(*untold)
        except Mistaken as wrong:
            self.mistakes = wrong.mistakes[:MOST_MISTAKES]
            raise forms.ValidationError(_("Nothing of this file can be taken in.")) from wrong
        return file


def _untold(file: portable.File) -> Iterator[Mistake]:
    """Find lines of history of which no sentence can be made: pages would fail at them."""
    rules = {
        one.id: HouseRules(game=one.game, canonical=reading.canonical(one)) for one in file.rules
    }
    for n, table in enumerate(file.tables):
        past = Past(
            changes=[],
            players={one.id: one.name for sheet in table.sheets for one in sheet.players},
            people={one.id: one.name for one in table.people},
            names_used={name.id: name.name for one in table.people for name in one.names},
            older_than=None,
            rules=rules,
        )
        for at, step in enumerate(table.history):
            change = Change(
                kind=step.kind,
                before=step.before,
                after=step.after,
                reason=step.reason,
                member_id=step.phone,
                sheet_id=None if step.sheet is None else 1,
            )
            yield from _unsaid(wording.change, change, past, f"tables[{n}].history[{at}]")
    if file.club is not None:
        yield from _untold_of(file.club)


def _untold_of(club: portable.Club) -> Iterator[Mistake]:
    past = ClubPast(
        changes=[],
        people={one.id: one.name for one in club.people},
        users={},
        seasons={one.id: one.name for one in club.seasons},
        tables={},
    )
    for at, step in enumerate(club.history):
        change = ClubChange(
            kind=step.kind, before=step.before, after=step.after, reason=step.reason, by=step.by
        )
        yield from _unsaid(club_wording.change, change, past, f"club.history[{at}]")


def _unsaid(sentence: Callable[[T, P], str], change: T, past: P, where: str) -> Iterator[Mistake]:
    try:
        sentence(change, past)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        yield Mistake(where, _("Nobody can tell what happened here."))
