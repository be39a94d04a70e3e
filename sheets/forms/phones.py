"""Forms about the phones at a table and what opens it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from sheets.forms.base import Chip, WritingForm, chips


class CodeChangeForm(WritingForm):
    """Which of the two is made anew."""

    what = forms.ChoiceField(
        choices=(
            ("code", gettext_lazy("The join code and its link")),
            ("watch", gettext_lazy("The watch link")),
        ),
        error_messages={"required": gettext_lazy("Choose which of the two.")},
    )

    def what_chips(self) -> list[Chip]:
        """Return a chip for each."""
        return chips(self, "what")


class LockForm(WritingForm):
    """Whether phones may join by the code."""

    locked = forms.ChoiceField(choices=(("yes", ""), ("no", "")), widget=forms.HiddenInput)
    hidden_parts = ("key", "seen", "locked")


class AnswerForm(WritingForm):
    """An answer to a phone that asks for a seat; the buttons are the answers."""

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**15 - 1)
    person = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**62)
    answer = forms.ChoiceField(
        choices=(("yes", ""), ("no", "")),
        error_messages={"required": gettext_lazy("Choose one of the answers.")},
    )
    hidden_parts = ("key", "seen", "number", "person")
