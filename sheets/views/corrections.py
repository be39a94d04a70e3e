"""Enter a correction: a row that was never dealt, with a reason."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from sheets import http, queries, seats, waiting
from sheets.access import for_members
from sheets.actions import Answer, Write, enter_hand
from sheets.forms.correction import CorrectionForm
from sheets.http import PlayerRequest
from sheets.models import Member
from sheets.views import asks
from sheets.views.hands import sheet_with
from sheets.views.table import base_context


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def correction_new(request: PlayerRequest, member: Member) -> HttpResponse:
    """Write what the table agreed on beside its hands: a gift, a penalty, an old slip."""
    table = member.table
    posted = request.POST.get("sheet", "")
    sheet, players = (posted and queries.sheet_of(table, posted)) or queries.latest_sheet(table)
    if request.method != "POST" and not sheet.is_open:
        return http.see(table.get_absolute_url())
    form = CorrectionForm(
        request.POST or None,
        seen=table.seen,
        players=seats.now(players),
        initial={"sheet": sheet.public_id},
    )
    context = base_context(member, sheet, players) | {
        "number": queries.where_next(sheet, players).number,
        "draft": f"correction:{sheet.public_id}",
        **asks.half_context(member, waiting.half_hand(sheet, players)),
    }

    def act(write: Write) -> Answer:
        return enter_hand(write, sheet.public_id, form.entered)

    to = partial(sheet_with, member)
    return http.form_page(request, member, "sheets/correction.html", context, form, act, to)
