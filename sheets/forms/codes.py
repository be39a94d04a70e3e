"""Codes that people read out, and the links that open the same: what is typed or pasted for one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from sheets import club_queries, codes, links, phone_queries, phone_wording, refusal_wording
from sheets.actions import Refused, Why
from sheets.models import Club, Table

MOST_TYPED = 400  # letters: a link with a sentence around it


class CodeField(forms.CharField):
    """A code of six letters, typed in many ways; or a pasted link, with words around it."""

    def __init__(self, *, placeholder: str = " ", **kwargs: Any) -> None:
        super().__init__(max_length=MOST_TYPED, required=False, **kwargs)
        self.widget.attrs |= {
            "autocomplete": "off",
            "autocapitalize": "characters",
            "spellcheck": "false",
            "placeholder": placeholder,
        }


class KeyForm(forms.Form):
    """A form that asks for a code. A link does instead: its longer secret is nobody's guess."""

    link_page: str  # the name of the address whose links open the same

    wait = 0  # seconds, after too many typed codes: until then no typed one is looked up
    waits = False  # one was typed nevertheless
    by_hand = False  # a typed code was looked up
    guessed = False  # and opened nothing

    def read_key(self, typed: str) -> str:
        """Return the code or the secret in what was typed; empty for neither.

        While one waits a typed code is refused, a right one too: waiting would slow nobody else.
        """
        link = links.read(typed)
        if link is not None and link.page == self.link_page:
            return link.secret
        if codes.is_link_secret(typed):
            return typed
        if link is not None and link.page != "join":
            return ""
        if self.wait:
            self.waits = True
            raise forms.ValidationError(self.waiting())
        code = codes.read_code(link.secret if link else typed)
        self.by_hand = bool(code)
        return code

    def waiting(self) -> str:
        """Return how long one waits, and what opens the table until then."""
        return phone_wording.wait(self.wait)


class CodeForm(KeyForm):
    """The one field that leads to a table."""

    code = CodeField(placeholder="AB7K9Q")

    link_page = "join_link"
    table: Table

    def clean_code(self) -> str:
        """Find the table; a wrong code, a sleeping one and an old one get the same answer."""
        key = self.read_key(self.cleaned_data["code"])
        table = phone_queries.table_opened_by(key)
        if table is None:
            self.guessed = self.by_hand
            if codes.is_link_secret(key):
                raise forms.ValidationError(phone_wording.old_link())
            raise forms.ValidationError(refusal_wording.refusal(Refused(why=Why.WRONG_CODE)))
        self.table = table
        return key


class ClubCodeForm(KeyForm):
    """The code of a club, which may stay empty: a part of Start a table.

    With `club` there is nothing to ask: its link was opened.
    """

    club_code = CodeField()

    link_page = "table_new_club"
    club: Club | None = None

    def __init__(
        self, data: QueryDict | None = None, *, club: Club | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        if club is not None:
            self.club = club
            del self.fields["club_code"]

    def waiting(self) -> str:
        return phone_wording.wait_for_club(self.wait)

    def clean_club_code(self) -> str:
        """Find the club; nothing typed is no club."""
        typed = self.cleaned_data["club_code"]
        if not typed:
            return ""
        key = self.read_key(typed)
        self.club = club_queries.club_opened_by(key)
        if self.club is None:
            self.guessed = self.by_hand
            raise forms.ValidationError(
                phone_wording.old_club_link()
                if codes.is_link_secret(key)
                else _("No club has this code. Ask one of its organisers, or empty this field.")
            )
        return key
