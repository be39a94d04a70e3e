"""The question whether a table is deleted, and a reason where staff does what stays on record."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.signing import Signer
from django.http import QueryDict
from django.utils.crypto import constant_time_compare

from sheets.forms.base import ReasonField, WritingForm
from sheets.models import Member


class DeleteForm(WritingForm):
    """Whether the table goes, with a proof that the phone was at it.

    Once the table is gone nothing else tells a phone that repeats its last word from a stranger.
    """

    proof = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: QueryDict | None = None, *, member: Member, **kwargs: Any) -> None:
        initial = {"proof": _proof(member.table.public_id, member.phone)}
        super().__init__(data, seen=member.table.seen, initial=initial, **kwargs)


def proves(data: QueryDict, table_id: str, phone: str) -> bool:
    """Say whether a posted form was made for this phone when it was at this table."""
    return constant_time_compare(data.get("proof", ""), _proof(table_id, phone))


def _proof(table_id: str, phone: str) -> str:
    return Signer(salt="at a table").signature(f"{table_id} {phone}")


class ReasonForm(WritingForm):
    """Why staff does it."""

    reason = ReasonField()
