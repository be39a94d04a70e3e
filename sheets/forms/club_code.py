"""The code of a club, by which a table is one of its tables."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _

from sheets import club_queries, codes, phone_wording
from sheets.forms.base import CodeField
from sheets.models import Club


class ClubCodeForm(forms.Form):
    """The code of a club, which may stay empty: a part of Start a table."""

    club_code = CodeField()

    club: Club | None = None
    wait = 0  # seconds, after too many wrong codes: meanwhile none is looked up
    guessed = False  # what was typed could have been a code and is none

    def clean_club_code(self) -> str:
        """Find the club; nothing typed is no club."""
        typed = self.cleaned_data["club_code"]
        if not typed:
            return ""
        if self.wait:
            raise forms.ValidationError(phone_wording.wait(self.wait))
        code = codes.read_code(typed)
        self.club = club_queries.club_with_code(code)
        if self.club is None:
            self.guessed = bool(code)
            raise forms.ValidationError(
                _("No club has this code. Ask one of its organisers, or empty this field.")
            )
        return code
