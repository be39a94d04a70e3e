"""What staff may do in the admin: look, and besides that take back an end, delete a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect

from sheets import http, lifetimes, names, queries, wording
from sheets.actions import Answer, Refused, Why, Write, delete_table, reopen
from sheets.forms.base import WritingForm
from sheets.forms.leaving import ReasonForm
from sheets.http import PlayerRequest
from sheets.models import Change, ClubChange, Sheet, Table, User

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin
else:
    _Admin = object


class _LookOnly:
    """Rows can be read and never touched: only actions write them."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# Columns of what opens something: neither shown, nor guessed letter by letter in an address.
SECRETS = frozenset(
    {"code", "join_secret", "phone", "published_id", "secret_hash", "start_secret", "watch_id"}
)


class LookOnlyAdmin(_LookOnly, admin.ModelAdmin):
    """A model that staff may look at."""

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Say whether rows may be chosen by this in an address: never by a secret."""
        allowed = super().lookup_allowed(lookup, value, request)
        return allowed and SECRETS.isdisjoint(lookup.split("__"))


class HistoryAdmin(LookOnlyAdmin):
    """Lines of history: what was there before and after, as it is stored."""

    exclude = ("before", "after")
    readonly_fields = ("was", "became")

    @admin.display(description=gettext_lazy("before"))
    def was(self, change: Change | ClubChange) -> str:
        """What was there before, with the names in it."""
        return str(names.Isolated(json.dumps(change.before, ensure_ascii=False)))

    @admin.display(description=gettext_lazy("after"))
    def became(self, change: Change | ClubChange) -> str:
        """What is there since, with the names in it."""
        return str(names.Isolated(json.dumps(change.after, ensure_ascii=False)))


class LookOnlyInline(_LookOnly, admin.TabularInline):
    """Rows of a model on another's page."""

    extra = 0
    show_change_link = True


class ReopensSheets(_Admin):
    """Take back the end of a match later than its members may, with a reason."""

    actions = ("take_back_an_end",)

    def has_reopen_permission(self, request: HttpRequest) -> bool:
        """Say whether this user may take back ends: the one change that is made to a sheet here."""
        return request.user.has_perm("sheets.change_sheet")

    @admin.action(permissions=("reopen",), description=gettext_lazy("Take back an end"))
    def take_back_an_end(self, request: HttpRequest, rows: QuerySet[Sheet]) -> HttpResponse | None:
        """Open the question about the one sheet that was chosen."""
        return of_one(self, request, rows, "admin:sheets_sheet_reopen")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.reopen)
        return [path("<int:pk>/reopen/", view, name="sheets_sheet_reopen"), *super().get_urls()]

    def reopen(self, request: PlayerRequest, pk: int) -> HttpResponse:
        """Open a banked sheet again; who did it and why stays in the table's history."""
        if not self.has_reopen_permission(request):
            raise PermissionDenied
        sheet = Sheet.objects.select_related("table").filter(pk=pk).first()
        if sheet is None:
            return not_there(self, request, "admin:sheets_sheet_changelist")
        table, players = sheet.table, list(sheet.players.all())
        url = reverse("admin:sheets_sheet_change", args=[pk])
        form = ReasonForm(request.POST or None, seen=table.seen)
        context = {
            "form": form,
            "title": queries.title(table, players),
            "question": _("Take back the end of this match?"),
            "facts": [] if sheet.is_open else [wording.ended(sheet), wording.final_line(players)],
            "button": _("Take back the end"),
            "action": request.path,
            "back": url,
        }

        def act(write: Write) -> Answer:
            return reopen(write, sheet.public_id, form.cleaned_data["reason"])

        return _ask(self, request, table, context, act, url, _("The sheet is open again."))


class DeletesTables(_Admin):
    """Delete a table with everything that hangs on it."""

    actions = ("delete_a_table",)

    def has_delete_table_permission(self, request: HttpRequest) -> bool:
        """Say whether this user may delete tables."""
        return request.user.has_perm("sheets.delete_table")

    @admin.action(
        permissions=("delete_table",), description=gettext_lazy("Delete a table and all it holds")
    )
    def delete_a_table(self, request: HttpRequest, rows: QuerySet[Table]) -> HttpResponse | None:
        """Open the question about the one table that was chosen."""
        return of_one(self, request, rows, "admin:sheets_table_delete_all")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.delete_all)
        return [
            path("<int:pk>/delete-all/", view, name="sheets_table_delete_all"),
            *super().get_urls(),
        ]

    def delete_all(self, request: PlayerRequest, pk: int) -> HttpResponse:
        """Delete a table after a clear count of what goes."""
        if not self.has_delete_table_permission(request):
            raise PermissionDenied
        table = Table.objects.filter(pk=pk).first()
        if table is None:
            return not_there(self, request, "admin:sheets_table_changelist")
        size = lifetimes.size(table)
        context = {
            "form": WritingForm(request.POST or None, seen=table.seen),
            "title": queries.title(table, queries.latest_sheet(table)[1]),
            "question": _("Delete this table for good?"),
            "facts": [
                wording.holds(size),
                _("Phones at it: %(n)s") % {"n": size.phones},
                _("Last change: %(when)s")
                % {"when": table.local(lifetimes.last_change(table)).strftime("%Y-%m-%d %H:%M")},
            ],
            "button": _("Delete it all"),
            "action": request.path,
            "back": reverse("admin:sheets_table_change", args=[pk]),
        }
        to = reverse("admin:sheets_table_changelist")
        return _ask(self, request, table, context, delete_table, to, _("The table is deleted."))


@admin.display(description=gettext_lazy("name"), ordering="name_folded")
def called(row: Any) -> str:
    """What a row is called, in a column that sorts as people do."""
    return str(row.name)


def of_one(
    page: admin.ModelAdmin[Any], request: HttpRequest, rows: QuerySet[Any], to: str
) -> HttpResponse | None:
    chosen = rows[:2]
    if len(chosen) != 1:
        page.message_user(request, _("Choose one at a time."), messages.ERROR)
        return None
    return redirect(to, chosen[0].pk)


def not_there(page: admin.ModelAdmin[Any], request: HttpRequest, to: str) -> HttpResponse:
    page.message_user(request, _("It is not there any more."), messages.WARNING)
    return redirect(to)


def _ask(
    page: admin.ModelAdmin[Any],
    request: PlayerRequest,
    table: Table,
    context: dict[str, Any],
    act: Callable[[Write], Answer],
    to: str,
    done: str,
) -> HttpResponse:
    """Ask before something is done; once it is, say so on the page `to`."""
    form, template = context["form"], "sheets/admin_sure.html"
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return http.page(request, template, context, status=status)
    assert isinstance(request.user, User)
    key, seen = form.cleaned_data["key"], form.cleaned_data["seen"]
    answer = act(Write(table=table.pk, key=key, seen=seen, user=request.user, as_staff=True))
    if isinstance(answer, Refused) and answer.why != Why.NOT_THERE:
        return http.refused(request, template, context, form, table, answer)
    page.message_user(request, done)
    return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
