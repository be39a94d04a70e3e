"""How a table wants to keep its sheets."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from sheets import http, queries
from sheets.access import for_members
from sheets.actions import Answer, Write, change_settings
from sheets.forms.settings import SettingsForm
from sheets.http import PlayerRequest
from sheets.models import Member
from sheets.views.table import base_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PlayerRequest, member: Member) -> HttpResponse:
    """Own columns and Confirm, on or off."""
    table = member.table
    form = SettingsForm(request.POST or None, seen=table.seen, table=table)
    context = base_context(member, *queries.latest_sheet(table))

    def act(write: Write) -> Answer:
        return change_settings(write, form.is_on("own_columns"), form.is_on("confirm"))

    to = table.get_absolute_url()
    return http.form_page(request, member, "sheets/settings.html", context, form, act, to)
