"""Clubs in the admin: found and read, locked with a reason, deleted with all they hold.

`sheets.admin` imports it, which is what puts its pages into the admin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect

from sheets import club_queries, club_wording, http
from sheets.actions import ClubAnswer, ClubWrite, Refused, Why, delete_club, hand_over, lock_club
from sheets.admin_pages import (
    HistoryAdmin,
    LookOnlyAdmin,
    LookOnlyInline,
    called,
    not_there,
    of_one,
)
from sheets.forms.base import WritingForm
from sheets.forms.clubs import HandOverForm
from sheets.forms.leaving import ReasonForm
from sheets.http import OrganiserRequest
from sheets.models import (
    Club,
    ClubChange,
    ClubPerson,
    Invitation,
    Organiser,
    Result,
    Season,
)

OF_A_CLUB = ("club__name_folded__contains", "club__slug", "=club__code")


def of_a_club(of: str) -> tuple[str, ...]:
    """Return what finds rows by the club of what `of` points at; codes are found whole only."""
    return (f"{of}__club__name_folded__contains", f"{of}__club__slug", f"={of}__club__code")


class OrganiserInline(LookOnlyInline):
    model = Organiser
    fields = ("user", "role", "since")


class SeasonInline(LookOnlyInline):
    model = Season
    fields = ("name", "starts", "ends", "least_hands")


@admin.register(Club)
class ClubAdmin(LookOnlyAdmin):
    list_display = (called, "slug", "locked", "created_at")
    list_filter = ("locked", "created_at")
    search_fields = (
        "name_folded__contains",
        "slug",
        "=code",
        "organisers__user__email",
        "organisers__user__name_folded__contains",
    )
    date_hierarchy = "created_at"
    inlines = (OrganiserInline, SeasonInline)
    exclude = ("code", "start_secret")
    actions = ("lock_a_club", "unlock_a_club", "hand_a_club_over", "delete_a_club")

    def has_lock_permission(self, request: HttpRequest) -> bool:
        """Say whether this user may lock clubs: the one change that is made to a club here."""
        return request.user.has_perm("sheets.change_club")

    def has_delete_club_permission(self, request: HttpRequest) -> bool:
        """Say whether this user may delete clubs."""
        return request.user.has_perm("sheets.delete_club")

    @admin.action(permissions=("lock",), description=gettext_lazy("Lock a club"))
    def lock_a_club(self, request: HttpRequest, rows: QuerySet[Club]) -> HttpResponse | None:
        """Open the question about the one club that was chosen."""
        return of_one(self, request, rows, "admin:sheets_club_lock")

    @admin.action(permissions=("lock",), description=gettext_lazy("Unlock a club"))
    def unlock_a_club(self, request: HttpRequest, rows: QuerySet[Club]) -> HttpResponse | None:
        """Open the question about the one club that was chosen."""
        return of_one(self, request, rows, "admin:sheets_club_unlock")

    @admin.action(permissions=("lock",), description=gettext_lazy("Hand a club over"))
    def hand_a_club_over(self, request: HttpRequest, rows: QuerySet[Club]) -> HttpResponse | None:
        """Open the question about the one club that was chosen."""
        return of_one(self, request, rows, "admin:sheets_club_hand_over")

    @admin.action(
        permissions=("delete_club",), description=gettext_lazy("Delete a club and all it holds")
    )
    def delete_a_club(self, request: HttpRequest, rows: QuerySet[Club]) -> HttpResponse | None:
        """Open the question about the one club that was chosen."""
        return of_one(self, request, rows, "admin:sheets_club_delete_all")

    def get_urls(self) -> list[URLPattern]:
        lock = self.admin_site.admin_view(self.lock)
        hand_over = self.admin_site.admin_view(self.hand_over)
        delete_all = self.admin_site.admin_view(self.delete_all)
        return [
            path("<int:pk>/hand-over/", hand_over, name="sheets_club_hand_over"),
            path("<int:pk>/lock/", lock, {"locked": True}, name="sheets_club_lock"),
            path("<int:pk>/unlock/", lock, {"locked": False}, name="sheets_club_unlock"),
            path("<int:pk>/delete-all/", delete_all, name="sheets_club_delete_all"),
            *super().get_urls(),
        ]

    def lock(self, request: OrganiserRequest, pk: int, locked: bool) -> HttpResponse:
        """Lock or unlock a club; who did it and why stays in its history."""
        if not self.has_lock_permission(request):
            raise PermissionDenied
        club = Club.objects.filter(pk=pk).first()
        if club is None:
            return not_there(self, request, "admin:sheets_club_changelist")
        form = ReasonForm(request.POST or None, seen=club.seen)
        context = {
            "form": form,
            "question": _("Lock this club?") if locked else _("Unlock this club?"),
            "facts": [
                _("While it is locked nothing of it or its tables can be changed. All is readable.")
                if locked
                else _("Its organisers and the phones at its tables can write again.")
            ],
            "button": _("Lock it") if locked else _("Unlock it"),
        }

        def act(write: ClubWrite) -> ClubAnswer:
            return lock_club(write, locked, form.cleaned_data["reason"])

        to = reverse("admin:sheets_club_change", args=[pk])
        done = _("The club is locked.") if locked else _("The club is unlocked.")
        return _ask(self, request, club, context, act, to, done)

    def hand_over(self, request: OrganiserRequest, pk: int) -> HttpResponse:
        """Make another account an owner of a club; who did it and why stays in its history."""
        if not self.has_lock_permission(request):
            raise PermissionDenied
        club = Club.objects.filter(pk=pk).first()
        if club is None:
            return not_there(self, request, "admin:sheets_club_changelist")
        form = HandOverForm(request.POST or None, seen=club.seen)
        context = {
            "form": form,
            "question": _("Make another account an owner of this club?"),
            "facts": club_wording.run_by(club_queries.organisers(club)),
            "button": _("Hand it over"),
        }

        def act(write: ClubWrite) -> ClubAnswer:
            return hand_over(write, form.account.pk, form.cleaned_data["reason"])

        to = reverse("admin:sheets_club_change", args=[pk])
        return _ask(self, request, club, context, act, to, _("The club has another owner."))

    def delete_all(self, request: OrganiserRequest, pk: int) -> HttpResponse:
        """Delete a club after a clear count of what goes."""
        if not self.has_delete_club_permission(request):
            raise PermissionDenied
        club = Club.objects.filter(pk=pk).first()
        if club is None:
            return not_there(self, request, "admin:sheets_club_changelist")
        context = {
            "form": WritingForm(request.POST or None, seen=club.seen),
            "question": _("Delete this club for good, with all its tables?"),
            "facts": club_wording.holds(club_queries.size(club)),
            "button": _("Delete it all"),
        }
        to = reverse("admin:sheets_club_changelist")
        done = _("The club is deleted, with all it held.")
        return _ask(self, request, club, context, delete_club, to, done)


def _ask(
    page: ClubAdmin,
    request: OrganiserRequest,
    club: Club,
    context: dict[str, Any],
    act: Callable[[ClubWrite], ClubAnswer],
    to: str,
    done: str,
) -> HttpResponse:
    """Ask before something is done to a club; once it is, say so on the page `to`."""
    form, template = context["form"], "sheets/admin_sure.html"
    back = reverse("admin:sheets_club_change", args=[club.pk])
    context = context | {"title": club.name, "action": request.path, "back": back}
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return http.page(request, template, context, status=status)
    key, seen = form.cleaned_data["key"], form.cleaned_data["seen"]
    answer = act(ClubWrite(club=club.pk, user=request.user, key=key, seen=seen, as_staff=True))
    if isinstance(answer, Refused) and answer.why != Why.NOT_THERE:
        return http.club_refused(request, club, template, context, form, answer)
    page.message_user(request, done, messages.SUCCESS)
    return HttpResponseClientRedirect(to) if request.htmx else redirect(to)


@admin.register(Organiser)
class OrganiserAdmin(LookOnlyAdmin):
    list_display = ("user", "club", "role", "since")
    list_filter = ("role", "since")
    list_select_related = ("user", "club")
    search_fields = ("user__email", "user__name_folded__contains", *OF_A_CLUB)
    date_hierarchy = "since"


@admin.register(Invitation)
class InvitationAdmin(LookOnlyAdmin):
    list_display = ("made_at", "club", "made_by", "used_by", "used_at")
    list_filter = ("made_at",)
    list_select_related = ("club", "made_by", "used_by")
    search_fields = ("made_by__email", "used_by__email", *OF_A_CLUB)
    date_hierarchy = "made_at"
    exclude = ("secret_hash",)


@admin.register(ClubPerson)
class ClubPersonAdmin(LookOnlyAdmin):
    list_display = ("who", "club", "retired", "merged_into")
    list_filter = ("retired", "club")
    list_select_related = ("club", "merged_into")
    search_fields = ("name_folded__contains", "at_tables__name_folded__contains", *OF_A_CLUB)

    @admin.display(description=gettext_lazy("name"), ordering="name_folded")
    def who(self, person: ClubPerson) -> str:
        """The name, with the note that tells this person apart."""
        return str(person)


@admin.register(Season)
class SeasonAdmin(LookOnlyAdmin):
    list_display = (called, "club", "starts", "ends")
    list_filter = ("starts", "club")
    list_select_related = ("club",)
    search_fields = ("name_folded__contains", *OF_A_CLUB)
    date_hierarchy = "starts"
    exclude = ("published_id",)


@admin.register(ClubChange)
class ClubChangeAdmin(HistoryAdmin):
    list_display = ("at", "club", "version", "kind", "who", "reason")
    list_filter = ("kind", "at", "club")
    list_select_related = ("club", "user")
    search_fields = (
        "user__email",
        "user__name_folded__contains",
        "by",
        "key",
        "reason",
        *OF_A_CLUB,
    )
    date_hierarchy = "at"

    @admin.display(description=gettext_lazy("who"))
    def who(self, change: ClubChange) -> str:
        """The user that made the change."""
        return club_wording.author(change)


@admin.register(Result)
class ResultAdmin(LookOnlyAdmin):
    list_display = ("person", "sheet", "units", "net", "hands", "won")
    list_filter = ("won", "sheet__played_at", "sheet__club")
    list_select_related = ("person", "sheet")
    search_fields = (
        "person__name_folded__contains",
        "person__club_person__name_folded__contains",
        "sheet__public_id",
        "=sheet__table__code",
        *of_a_club("sheet"),
    )
    date_hierarchy = "sheet__played_at"
