"""Forms about a club: what it is called and where it lies, and who runs it."""

from __future__ import annotations

import functools
import re
import zoneinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets import club_queries, names, refusal_wording
from sheets.actions import Refused, Why
from sheets.forms.base import Chip, NameField, WritingForm, chips
from sheets.forms.leaving import ReasonForm
from sheets.forms.settings import OFF, ON, SwitchField
from sheets.models import Club, Role, User
from sheets.models.club import LONGEST_CONTACT

_PLACES = (
    "Africa/",
    "America/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)


@functools.cache
def time_zones() -> dict[str, str]:
    """Return the names of all time zones, by how they are folded for comparing."""
    return {_folded(zone): zone for zone in sorted(zoneinfo.available_timezones())}


def _folded(zone: str) -> str:
    return re.sub(r"[\s_]+", "", zone).casefold()


class TimeZoneField(forms.CharField):
    """A time zone by its name, which a list offers; case and spaces are forgiven."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Time zone"),
            max_length=64,
            error_messages={"required": gettext_lazy("Choose the time zone the club plays in.")},
            widget=forms.TextInput(
                attrs={"list": "time-zones", "autocomplete": "off", "spellcheck": "false"}
            ),
        )

    def clean(self, value: Any) -> str:
        """Return the name as the time zones' own list spells it."""
        typed = super().clean(value)
        zone = time_zones().get(_folded(typed))
        if zone is None:
            raise ValidationError(
                _("There is no time zone %(typed)s: choose one of the list, like Europe/Berlin.")
                % {"typed": f"“{typed}”"}
            )
        return zone


class _ClubForm(WritingForm):
    """What every form about how a club is set up asks."""

    name = NameField(
        label=gettext_lazy("Name of the club"),
        error_messages={"required": gettext_lazy("Type the name of the club.")},
    )
    time_zone = TimeZoneField()

    def zones(self) -> list[str]:
        """Return the time zones to choose from: those of places."""
        return [zone for zone in time_zones().values() if zone.startswith(_PLACES)]


class StartClubForm(_ClubForm):
    """Name, clock and address of a new club."""

    slug = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def clean_slug(self) -> str:
        """Refuse what cannot be an address, or is taken by a page of ours; empty is made later."""
        slug = self.cleaned_data["slug"].strip().lower()
        if not slug:
            return ""
        if not re.fullmatch(r"[a-z0-9]+([-_][a-z0-9]+)*", slug):
            raise ValidationError(
                _("Letters a to z, digits and single hyphens between them make an address.")
            )
        if len(slug) > names.LONGEST_SLUG:
            raise ValidationError(
                _("%(n)s letters are too many: an address has %(most)s at most.")
                % {"n": len(slug), "most": names.LONGEST_SLUG}
            )
        if slug in names.RESERVED_SLUGS:
            raise ValidationError(_("This address is used by a page of ours: choose another one."))
        return str(slug)

    def refuse(self, refused: Refused) -> None:
        """Show beside the address that another club has it."""
        super().refuse(refused)
        if refused.why == Why.SLUG_TAKEN:
            self.add_error("slug", refusal_wording.refusal(refused))


class ClubSettingsForm(_ClubForm):
    """Name, clock, whom players ask, and whether each hand wants a second person's word."""

    contact = forms.CharField(
        label=gettext_lazy("Whom players ask when a hand is wrong"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST_CONTACT}),
    )
    confirm = SwitchField()

    def __init__(self, data: QueryDict | None = None, *, club: Club, **kwargs: Any) -> None:
        initial = {
            "name": club.name,
            "time_zone": club.time_zone,
            "contact": club.contact,
            "confirm": ON if club.confirm else OFF,
        }
        super().__init__(data, seen=club.seen, initial=initial, **kwargs)

    def clean_contact(self) -> str:
        """Return it in one line, as it shows below a result."""
        contact = names.clean(self.cleaned_data["contact"])
        if len(contact) > LONGEST_CONTACT:
            raise ValidationError(
                _("%(n)s letters are too many: %(most)s fit.")
                % {"n": len(contact), "most": LONGEST_CONTACT}
            )
        return contact if names.key(contact) else ""

    @property
    def confirms(self) -> bool:
        """Whether a valid form asks for a second person's word."""
        return bool(self.cleaned_data["confirm"] == ON)

    def confirm_chips(self) -> list[Chip]:
        """Return the two chips of the switch."""
        return chips(self, "confirm")


class RoleForm(WritingForm):
    """What somebody is to be; the buttons are the answers."""

    role = forms.ChoiceField(choices=Role.choices, widget=forms.HiddenInput)
    hidden_parts = ("key", "seen", "role")


class HandOverForm(ReasonForm):
    """Which `account` is to own a club, by its e-mail address, and why."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address of the new owner's account"),
        error_messages={"required": gettext_lazy("Type the address of the account.")},
    )

    account: User

    def clean_email(self) -> str:
        """Refuse an address that is no account's, and that of an account that is locked."""
        email: str = self.cleaned_data["email"]
        account = club_queries.account_with(email)
        if account is None or not account.is_active:
            raise ValidationError(_("No account that can sign in has this address."))
        self.account = account
        return email
