"""What every form that writes has in common, and the fields people type names and numbers into."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import Message, RuleError, cards
from sheets import names, numbers
from sheets.actions import Refused, Why
from sheets.models.sheet import MOST_REASON
from sheets.seen import Seen, read_seen


class SeenField(forms.Field):
    """What its reader had seen when a form was opened, out of sight."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Seen:
        """Return what is named; an error where that is nothing."""
        seen = read_seen(str(value))
        if seen is None:
            raise ValidationError("")
        return seen


class WritingForm(forms.Form):
    """A form with a key of its own and the state of the table or club it was opened at.

    Sent twice it writes once. `seen` stays as it was when the form was opened, whatever happens
    to the page around it.
    """

    key = forms.UUIDField(widget=forms.HiddenInput)
    seen = SeenField()
    # The mark of what else changes with this, once somebody was shown it.
    agreed = forms.CharField(required=False, widget=forms.HiddenInput)

    data: QueryDict
    hidden_parts: tuple[str, ...] = ("key", "seen")

    def __init__(
        self, data: QueryDict | None = None, *, seen: Seen | None = None, **kwargs: Any
    ) -> None:
        initial = {"key": uuid.uuid4(), "seen": seen or Seen()} | (
            kwargs.pop("initial", None) or {}
        )
        super().__init__(data, initial=initial, use_required_attribute=False, **kwargs)

    def full_clean(self) -> None:
        """Check everything; hidden parts that went missing are asked for in one sentence."""
        super().full_clean()
        lost = [self.errors.pop(name) for name in self.hidden_parts if name in self.errors]
        if lost:
            self.add_error(None, _("Part of this form was missing. Please send it once more."))
            self.offer_again(self.initial["seen"], fresh_key=True)

    def offer_again(self, seen: Seen, *, fresh_key: bool) -> None:
        """Make what was typed ready to be sent once more, as an answer to what is there now."""
        self.data = self.data.copy()
        if "sheet" in self.hidden_parts:
            self.data["sheet"] = self.initial["sheet"]
        self.data["seen"] = str(seen)
        if fresh_key:
            self.data["key"] = str(uuid.uuid4())

    def refuse(self, refused: Refused) -> None:
        """Take in a refusal: keep what was typed, and let the next try have seen what is there."""
        self.offer_again(
            refused.seen or self.initial["seen"], fresh_key=refused.why == Why.KEY_USED
        )
        self.data["agreed"] = refused.agreed
        if refused.error is not None:
            self.add_rule_error(refused.error)

    def add_rule_error(self, error: RuleError) -> None:
        """Show what the rules say beside the field it belongs to."""
        field = error.field if error.field in self.fields else None
        self.add_error(field, translated(error.message))


class SheetForm(WritingForm):
    """A form about one sheet: a tab left open cannot write on the next one."""

    sheet = forms.CharField(widget=forms.HiddenInput)
    hidden_parts: tuple[str, ...] = ("key", "seen", "sheet")

    def clean_sheet(self) -> str:
        """Refuse the name of a sheet that is not the one the form was made for."""
        sheet: str = self.initial["sheet"]
        if self.cleaned_data["sheet"] != sheet:
            raise forms.ValidationError("")
        return sheet


class QueuedForm(SheetForm):
    """A form that phones send from their queue, perhaps days later and from a page of long ago.

    What such a page asked for and this form does not is shown, so that nobody loses it unawares.
    """

    def full_clean(self) -> None:
        """Check everything; what was typed into a field that is not there goes into a sentence."""
        super().full_clean()
        asked = {*self.fields, "csrfmiddlewaretoken"}
        odd = [
            text
            for field, values in self.data.lists()
            for text in values
            if field not in asked and text.strip()
        ]
        if self.is_bound and odd:
            self.add_error(
                None,
                _(
                    "This form came from an older page and was loaded again with what you typed. "
                    "Look at all of it, then save. This has no place here any longer: %(odd)s"
                )
                % {"odd": names.listed([text[:40] for text in odd])},
            )


# For fields that offer the players of a sheet, who may have changed since the form was opened.
WHO_CHANGED = {"invalid_choice": gettext_lazy("The players have changed: choose again.")}


@dataclasses.dataclass(frozen=True, slots=True)
class Chip:
    """One tap: a value, what it says, whether it is chosen."""

    value: str
    label: str
    chosen: bool
    suit: cards.Suit | None = None


def chips(
    form: forms.Form, field: str, choices: Iterable[tuple[str, str]] | None = None
) -> list[Chip]:
    """Return the choices of a field (or these) as chips, the chosen one marked."""
    chosen = str(form[field].value() or "")
    if choices is None:
        choices = form.fields[field].choices  # type: ignore[attr-defined]
    return [Chip(str(value), label, str(value) == chosen) for value, label in choices]


def translated(message: Message) -> str:
    """Return a sentence of the rules in the reader's language."""
    return _(message.template) % message.params


class NameField(forms.CharField):
    """A name: cleaned, not empty, at most forty letters as people count them."""

    default_error_messages = {"required": gettext_lazy("Type a name.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, **kwargs)
        self.widget.attrs |= {"autocomplete": "off", "autocapitalize": "words", "maxlength": 200}

    def to_python(self, value: Any) -> str:
        """Return the cleaned name; empty where nothing of it can be seen."""
        name = names.clean(value or "")
        if names.letters(name) > names.LONGEST:
            raise ValidationError(
                _("%(n)s letters are too many: %(most)s fit on the sheet.")
                % {"n": names.letters(name), "most": names.LONGEST}
            )
        if len(name) > names.MOST_ROOM:
            raise ValidationError(_("These letters take more room than there is: drop a few."))
        return name if names.key(name) else ""


def offer_names(form: forms.Form, fields: Iterable[str], known: Sequence[str]) -> None:
    """Let these fields offer names from the page's list of those that are known."""
    for field in fields if known else ():
        form.fields[field].widget.attrs["list"] = "known"


def refuse_equal_names(form: forms.Form, fields: list[str]) -> None:
    """Ask for a difference where two people would go by one name."""
    seen: dict[str, str] = {}
    for field in fields:
        name = form.cleaned_data.get(field)
        if not name:
            continue
        if (key := names.key(name)) in seen:
            form.add_error(
                field,
                _("There is already a %(name)s here: add a letter to one of them.")
                % {"name": seen[key]},
            )
        seen[key] = name


class ReasonField(forms.CharField):
    """Why something is done: a sentence that stays on record."""

    default_error_messages = {"required": gettext_lazy("Say why: it stays on record.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.attrs |= {"autocomplete": "off", "maxlength": MOST_REASON}

    def to_python(self, value: Any) -> str:
        """Return the reason; raises where it is longer than fits."""
        reason = super().to_python(value) or ""
        if len(reason) > MOST_REASON:
            sentence = _("%(n)s letters are too many: %(most)s fit.")
            raise ValidationError(sentence % {"n": len(reason), "most": MOST_REASON})
        return reason


class WholeNumberField(forms.Field):
    """A whole number of 0 or more as `numbers` reads it; the rest is refused in words."""

    def __init__(self, *, most: int, placeholder: str = " ", **kwargs: Any) -> None:
        attrs = {"inputmode": "numeric", "autocomplete": "off", "placeholder": placeholder}
        super().__init__(required=False, widget=forms.TextInput(attrs=attrs), **kwargs)
        self.most = most

    def to_python(self, value: Any) -> int | None:
        """Return the number; None where nothing was typed."""
        if not (text := (value or "").strip()):
            return None
        try:
            return numbers.whole(text, most=self.most)
        except numbers.Unread as unread:
            own = unread.why is numbers.Why.NEGATIVE and self.error_messages.get("negative")
            raise ValidationError(own or str(unread)) from unread


class UnitsField(WholeNumberField):
    """What a player took in."""

    default_error_messages = {
        "negative": gettext_lazy(
            "Nobody takes in less than 0: what was paid out is not written down."
        )
    }
