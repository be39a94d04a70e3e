"""Start a table, Join, and who this phone is."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import games
from sheets import refusal_wording
from sheets.actions import NewTable, Refused, Why
from sheets.forms.base import (
    WHO_CHANGED,
    Chip,
    NameField,
    WritingForm,
    chips,
    offer_names,
    refuse_equal_names,
)
from sheets.forms.codes import ClubCodeForm
from sheets.forms.rules import rules_form, wrong_rules
from sheets.models import Club, Person, SavedRules

ONLY_KEEPS_SCORE = "none"


class SeatsForm(WritingForm):
    """Names in seat order, who deals first and by which house rules: Start and Play again.

    The last name is that of a fourth, where the house rules have one.
    """

    known: Sequence[str] = ()  # names that the seats offer

    off_sheet = forms.TypedChoiceField(
        coerce=int,
        required=False,
        empty_value=None,
        error_messages={"invalid_choice": gettext_lazy("Choose who has no column.")},
    )
    first_dealer = forms.TypedChoiceField(
        coerce=int, error_messages={"required": gettext_lazy("Choose who deals first.")}
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        game: str,
        house: Any,
        saved: Iterable[SavedRules] = (),
        query: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.rules = rules_form(game, data, house=house, saved=saved, query=query)
        three = games.GAMES[game].SEATS
        kwargs["initial"] = {"off_sheet": str(three)} | (kwargs.get("initial") or {})
        self.looks = self.rules.looks or (data is not None and "roster" in data)
        if self.looks and data is not None:  # other rules or names were asked for: all else stays
            kwargs["initial"] |= data.dict()
            data = None
        super().__init__(data, **kwargs)
        self.game = game
        self.seats = range(three + 1)
        numbers = [(str(seat), str(seat + 1)) for seat in self.seats]
        self.fields["first_dealer"].choices = numbers  # type: ignore[attr-defined]
        self.fields["off_sheet"].choices = numbers  # type: ignore[attr-defined]
        self.name_fields = [f"name_{seat}" for seat in self.seats]
        for seat, field in enumerate(self.name_fields):
            label = _("Player %(number)s") % {"number": seat + 1}
            self.fields[field] = NameField(label=label, required=seat < three)

    def offer(self, known: Sequence[str]) -> None:
        """Offer these names for the seats."""
        self.known = known
        offer_names(self, self.name_fields, known)

    def clean(self) -> dict[str, Any]:
        fourth = self.name_fields[-1]
        if self.has_fourth:
            if not self.cleaned_data.get(fourth) and fourth not in self.errors:
                self.add_error(fourth, self.fields[fourth].error_messages["required"])
            if self.is_off_sheet and self.cleaned_data.get("off_sheet") is None:
                self.add_error("off_sheet", _("Choose who has no column."))
        else:
            self._refuse_a_fourth(fourth)
        refuse_equal_names(self, self.name_fields)
        if not self.rules.is_right:
            self.add_error(None, wrong_rules())
        return self.cleaned_data

    def _refuse_a_fourth(self, field: str) -> None:
        """Ask where something speaks of a fourth at a table of three."""
        self.errors.pop("off_sheet", None)
        if self.cleaned_data.get(field):
            self.add_error(
                field, _("Three play: empty this, or choose a fourth in the house rules.")
            )
        if self.cleaned_data.get("first_dealer") == self.seats[-1]:
            required = self.fields["first_dealer"].error_messages["required"]
            self.add_error("first_dealer", required)

    @property
    def house(self) -> Any:
        """The house rules that were chosen."""
        return self.rules.house

    @property
    def has_fourth(self) -> bool:
        """Whether four sit at the table by these rules."""
        return games.GAMES[self.game].seats(self.house) > games.GAMES[self.game].SEATS

    @property
    def is_off_sheet(self) -> bool:
        """Whether one of the four has no column."""
        game = games.GAMES[self.game]
        return game.columns(self.house) < game.seats(self.house)

    @property
    def names(self) -> tuple[str, ...]:
        """The cleaned names, in seat order."""
        return tuple(filter(None, (self.cleaned_data[field] for field in self.name_fields)))

    @property
    def off_sheet_seat(self) -> int | None:
        """The seat of a fourth without a column."""
        return self.cleaned_data["off_sheet"] if self.is_off_sheet else None

    def rows(self) -> list[dict[str, Any]]:
        """Return what each seat's line on the screen needs."""
        dealer, holder = str(self["first_dealer"].value()), None
        beside = str(self["off_sheet"].value())
        if "this_phone" in self.fields:
            holder = str(self["this_phone"].value())
        return [
            {
                "seat": str(seat),
                "number": str(seat + 1),
                "name": self[field],
                "deals": dealer == str(seat),
                "holds": holder == str(seat),
                "beside": beside == str(seat),
                "fourth": seat == self.seats[-1],
            }
            for seat, field in enumerate(self.name_fields)
        ]


class StartForm(SeatsForm):
    """One screen, one button: the names, who deals first, whose phone this is."""

    this_phone = forms.ChoiceField(
        error_messages={"required": gettext_lazy("Choose whose phone this is.")}
    )
    time_zone = forms.Field(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: QueryDict | None = None, *, game: str, club: Club | None = None, **kwargs: Any
    ) -> None:
        kwargs["initial"] = {"first_dealer": "0", "this_phone": "0"}
        # Who only looks at rules asks for no code: else every touch of a rule would be a guess.
        self.asks_code = data is not None and "look" not in data
        typed = {"club_code": "" if data is None else data.get("club_code", "")}
        self.club = ClubCodeForm(data if self.asks_code else None, club=club, initial=typed)
        house = games.GAMES[game].HouseRules()
        super().__init__(data, game=game, house=house, **kwargs)
        choices = [(str(seat), str(seat + 1)) for seat in self.seats]
        choices.append((ONLY_KEEPS_SCORE, _("nobody at the table")))
        self.fields["this_phone"].choices = choices  # type: ignore[attr-defined]

    def _refuse_a_fourth(self, field: str) -> None:
        super()._refuse_a_fourth(field)
        if self.cleaned_data.get("this_phone") == str(self.seats[-1]):
            required = self.fields["this_phone"].error_messages["required"]
            self.add_error("this_phone", required)

    def clean(self) -> dict[str, Any]:
        """Ask where the club's code is wrong."""
        super().clean()
        if not self.club.is_valid():
            self.add_error(None, _("See what is marked at the club's code."))
        return self.cleaned_data

    def clean_time_zone(self) -> str:
        """Take the phone's time zone where it is one; the server's otherwise."""
        zone = self.cleaned_data["time_zone"]
        return zone if zone in zoneinfo.available_timezones() else settings.TIME_ZONE

    def new_table(self) -> NewTable:
        """Return what was asked for."""
        holder = self.cleaned_data["this_phone"]
        return NewTable(
            names=self.names,
            first_dealer=self.cleaned_data["first_dealer"],
            this_phone=None if holder == ONLY_KEEPS_SCORE else int(holder),
            game=self.game,
            house=self.house,
            time_zone=self.cleaned_data["time_zone"],
            off_sheet=self.off_sheet_seat,
            club=self.club.club.pk if self.club.club else None,
        )


class WhoForm(WritingForm):
    """Who is holding this phone: somebody at the table, or nobody who plays."""

    person = forms.ChoiceField(
        error_messages=WHO_CHANGED | {"required": gettext_lazy("Choose who you are.")}
    )
    name = NameField(required=False)

    def __init__(
        self, data: QueryDict | None = None, *, people: list[Person], **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        choices = [(str(person.pk), person.name) for person in people]
        choices.append((ONLY_KEEPS_SCORE, _("I only keep score")))
        self.fields["person"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a name beside somebody who has one: which of the two is meant?"""
        chosen = self.cleaned_data.get("person", ONLY_KEEPS_SCORE)
        if chosen != ONLY_KEEPS_SCORE and self.cleaned_data.get("name"):
            sentence = _("A name goes with “I only keep score”: choose that, or empty this.")
            self.add_error("name", sentence)
        return self.cleaned_data

    def person_chips(self) -> list[Chip]:
        """Return a chip for everybody this phone may belong to."""
        return chips(self, "person")

    @property
    def person_id(self) -> int | None:
        """The person who was chosen; None for somebody who only keeps score."""
        chosen = self.cleaned_data["person"]
        return None if chosen == ONLY_KEEPS_SCORE else int(chosen)

    def refuse(self, refused: Refused) -> None:
        """Show beside the name that somebody else has it."""
        super().refuse(refused)
        if refused.why == Why.NAME_TAKEN:
            self.add_error("name", refusal_wording.refusal(refused))
