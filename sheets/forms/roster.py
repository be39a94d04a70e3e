"""The roster: people added, named and merged, and who the people at tables are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import club_queries, names, roster
from sheets.actions import NEW
from sheets.forms.base import Chip, NameField, WritingForm, chips
from sheets.models import Club, ClubPerson, Person
from sheets.models.club import LONGEST_NOTE

MOST_LINES = 100
_WITH_NOTE = re.compile(r"(.*\S)\s*\(([^()]*)\)")


class NoteField(forms.CharField):
    """What tells two people of one name apart."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, required=False, **kwargs)
        self.widget.attrs |= {"autocomplete": "off", "maxlength": 200}

    def to_python(self, value: Any) -> str:
        """Return the note in one line."""
        note = names.clean(value or "")
        if names.letters(note) > LONGEST_NOTE or len(note) > names.MOST_ROOM:
            sentence = _("A note has %(most)s letters at most: shorten it.")
            raise ValidationError(sentence % {"most": LONGEST_NOTE})
        return note


class _AsksOnce(WritingForm):
    """A form that asks for a note where a name is on the roster already, and does not insist."""

    asked = forms.CharField(required=False, widget=forms.HiddenInput)

    def ask_for_note(self, field: str, twins: Sequence[str]) -> None:
        """Ask what tells these apart from those of the same name, unless it was asked before."""
        question = "\n".join(sorted({names.key(name) for name in twins}))
        if not twins or self.cleaned_data.get("asked") == question:
            return
        if club_queries.is_saved(self.cleaned_data.get("key")):
            return  # sent twice: the twin is what it saved the first time
        self.data = self.data.copy()
        self.data["asked"] = question
        sentence = _(
            "There is a %(names)s on the roster already. If this is somebody else, add a note in "
            "brackets that tells them apart, or save again as it is."
        )
        self.add_error(field, sentence % {"names": names.listed(list(dict.fromkeys(twins)))})


class PeopleForm(_AsksOnce):
    """Names for the roster, one a line; a note may follow in brackets."""

    names = forms.CharField(
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Type a name.")},
    )

    def __init__(self, data: QueryDict | None = None, *, club: Club, **kwargs: Any) -> None:
        super().__init__(data, seen=club.seen, **kwargs)
        self.club = club
        self.people: list[tuple[str, str]] = []

    def clean_names(self) -> str:
        """Read the lines; each that can't stand is named."""
        text: str = self.cleaned_data["names"]
        lines = [line for line in text.splitlines() if names.key(line)]
        if not lines:
            raise ValidationError(_("Type a name."))
        if len(lines) > MOST_LINES:
            sentence = _("%(n)s names are too many at once: %(most)s at most.")
            raise ValidationError(sentence % {"n": len(lines), "most": MOST_LINES})
        wrong = []
        for line in lines:
            try:
                self.people.append(_name_and_note(line))
            except ValidationError as error:
                begun = names.Isolated(f"{names.bare(line)[:20]}…")
                wrong.append(f"{begun}: {' '.join(error.messages)}")
        if wrong:
            raise ValidationError(wrong)
        return text

    def clean(self) -> dict[str, Any]:
        """Ask where two would go by one name and nothing tells them apart."""
        known = {names.key(str(one)) for one in roster.offered(self.club.pk)}
        twins = []
        for name, note in self.people:
            label = names.key(f"{name} ({note})" if note else name)
            if label in known:
                twins.append(name)
            known.add(label)
        self.ask_for_note("names", twins)
        return self.cleaned_data


def _name_and_note(line: str) -> tuple[str, str]:
    found = _WITH_NOTE.fullmatch(names.clean(line))
    name, note = found.groups() if found else (line, "")
    return NameField().clean(name), NoteField().clean(note)


class PersonForm(_AsksOnce):
    """What somebody on the roster is called."""

    name = NameField()
    note = NoteField()

    def __init__(
        self, data: QueryDict | None = None, *, person: ClubPerson, club: Club, **kwargs: Any
    ) -> None:
        initial = {"name": person.name, "note": person.note}
        super().__init__(data, seen=club.seen, initial=initial, **kwargs)
        self.person, self.club = person, club

    def clean(self) -> dict[str, Any]:
        """Ask for a note where another person has the name."""
        name, note = self.cleaned_data.get("name"), self.cleaned_data.get("note")
        if name and note == "":
            same = roster.of_one_name(self.club, name, but=self.person.pk)
            self.ask_for_note("note", [name] if same else [])
        return self.cleaned_data


class MergeForm(WritingForm):
    """Which of two people stays, and so counts for both."""

    other = forms.IntegerField(widget=forms.HiddenInput)
    stays = forms.TypedChoiceField(
        coerce=int, error_messages={"required": gettext_lazy("Choose who stays.")}
    )
    hidden_parts = ("key", "seen", "other")

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        club: Club,
        pair: tuple[ClubPerson, ClubPerson],
        **kwargs: Any,
    ) -> None:
        self.pair = pair
        super().__init__(data, seen=club.seen, initial={"other": pair[1].pk}, **kwargs)
        choices = [(str(one.pk), str(one)) for one in pair]
        self.fields["stays"].choices = choices  # type: ignore[attr-defined]

    def who_stays(self) -> list[Chip]:
        """Return a chip for each of the two."""
        return chips(self, "stays")

    @property
    def goes(self) -> int:
        """Whose figures become the other's."""
        return next(one.pk for one in self.pair if one.pk != self.cleaned_data["stays"])


class MatchForm(WritingForm):
    """Who of the roster some people at tables are: a field for each."""

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        club: Club,
        people: Iterable[Person],
        **kwargs: Any,
    ) -> None:
        super().__init__(data, seen=club.seen, **kwargs)
        self.people = list(people)
        known = list(club.people.filter(merged_into=None))
        known.sort(key=lambda one: (one.retired, names.key(one.name), one.pk))
        here = Person.objects.filter(table__in={one.table_id for one in self.people})
        self.counts = counts = roster.stands_for(club)
        matched = here.exclude(club_person=None).values_list("table", "club_person")
        self.taken = {(table, counts[who]) for table, who in matched if who is not None}
        for person in self.people:
            field = forms.ChoiceField(
                label=person.name, required=False, choices=_choices(person, known)
            )
            field.initial = self._first_guess(person, known)
            self.fields[f"person_{person.pk}"] = field
            # What it was when the page was made: so a form sent twice asks for the same twice.
            was = forms.CharField(required=False, widget=forms.HiddenInput)
            was.initial = self._now(person)
            self.fields[f"was_{person.pk}"] = was

    def _now(self, person: Person) -> str:
        return str(self.counts[person.club_person_id]) if person.club_person_id else ""

    def _first_guess(self, person: Person, known: Sequence[ClubPerson]) -> str:
        """Return what is chosen already: who it is, or who it can only be."""
        if person.club_person_id is not None:
            return self._now(person)
        meant = [one.pk for one in roster.meant_by(known, person.name)]
        free = len(meant) == 1 and (person.table_id, meant[0]) not in self.taken
        return str(meant[0]) if free else ""

    def clean(self) -> dict[str, Any]:
        """Refuse to save nothing."""
        if not self.errors and not self.wanted:
            self.add_error(None, _("Nobody was chosen: say of a name who it is, then save."))
        return self.cleaned_data

    @property
    def wanted(self) -> dict[int, int | str | None]:
        """What was chosen for each, but for those who stay who they were."""
        chosen: dict[int, int | str | None] = {}
        for person in self.people:
            value = self.cleaned_data[f"person_{person.pk}"]
            if value != self.cleaned_data[f"was_{person.pk}"]:
                chosen[person.pk] = None if not value else value if value == NEW else int(value)
        return chosen

    def rows(self) -> list[tuple[Person, forms.BoundField]]:
        """Return everybody with their field."""
        return [(person, self[f"person_{person.pk}"]) for person in self.people]


def _choices(person: Person, known: Sequence[ClubPerson]) -> list[tuple[str, str]]:
    """Return whom a person can be; those of the same name come first."""
    alike = roster.meant_by(known, person.name)
    rest = [one for one in known if one not in alike]
    return [
        ("", _("leave it")),
        *[(str(one.pk), _said(one)) for one in alike],
        (NEW, _("new on the roster")),
        *[(str(one.pk), _said(one)) for one in rest],
    ]


def _said(one: ClubPerson) -> str:
    return _("%(who)s, retired") % {"who": one} if one.retired else str(one)
