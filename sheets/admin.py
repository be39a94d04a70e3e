"""Django's admin: everything can be found and read, and what is written goes by the actions."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect

from sheets import correcting, queries
from sheets.admin_pages import (
    DeletesTables,
    HistoryAdmin,
    LookOnlyAdmin,
    LookOnlyInline,
    ReopensSheets,
    called,
    of_one,
)
from sheets.club_admin import OF_A_CLUB, of_a_club
from sheets.http import PlayerRequest
from sheets.models import (
    Change,
    Entry,
    HouseRules,
    Member,
    NameUsed,
    Person,
    PhoneLink,
    Player,
    Round,
    SavedRules,
    Sheet,
    Table,
    User,
)

OF_A_TABLE = (
    "table__name_folded__contains",
    "=table__code",
    "table__public_id",
    "table__people__name_folded__contains",
    *of_a_club("table"),
)
OF_A_SHEET = (
    "sheet__public_id",
    "sheet__table__name_folded__contains",
    "=sheet__table__code",
    "sheet__table__public_id",
    "sheet__players__person__name_folded__contains",
    *of_a_club("sheet"),
)


class PlayerInline(LookOnlyInline):
    model = Player
    fields = ("place", "name", "person", "scores", "since", "until", "total")
    fk_name = "sheet"


class MemberInline(LookOnlyInline):
    model = Member
    fields = ("number", "person", "joined_at")


class SheetInline(LookOnlyInline):
    model = Sheet
    fields = ("public_id", "game", "state", "started_at", "ended_at", "ended_by")


class EntryInline(LookOnlyInline):
    model = Entry
    fields = ("player", "units")


class RoundInline(LookOnlyInline):
    model = Round
    fields = ("kind", "bidder", "bid", "trump", "outcome", "dealer", "taken_back", "entered_by")
    fk_name = "sheet"


@admin.register(Table)
class TableAdmin(DeletesTables, LookOnlyAdmin):
    list_display = ("titled", "club", "version", "created_at")
    list_filter = ("created_at", "club")
    list_select_related = ("club",)
    search_fields = (
        "name_folded__contains",
        "=code",
        "public_id",
        "people__name_folded__contains",
        *OF_A_CLUB,
    )
    date_hierarchy = "created_at"
    inlines = (MemberInline, SheetInline)
    exclude = ("code", "join_secret", "watch_id")

    @admin.display(description=gettext_lazy("table"), ordering="name_folded")
    def titled(self, table: Table) -> str:
        """The name, or the id of a table that has none."""
        return str(table)


@admin.register(Person)
class PersonAdmin(LookOnlyAdmin):
    list_display = (called, "table", "club_person")
    list_filter = ("table__created_at", "table__club")
    list_select_related = ("table", "club_person")
    search_fields = (
        "name_folded__contains",
        "names_used__name_folded__contains",
        "table__name_folded__contains",
        "=table__code",
        "table__public_id",
        *of_a_club("table"),
    )


@admin.register(NameUsed)
class NameUsedAdmin(LookOnlyAdmin):
    list_display = (called, "person")
    list_select_related = ("person",)
    search_fields = (
        "name_folded__contains",
        "person__name_folded__contains",
        "=person__table__code",
    )


@admin.register(Member)
class MemberAdmin(LookOnlyAdmin):
    list_display = ("__str__", "table", "number", "joined_at")
    list_filter = ("joined_at",)
    list_select_related = ("table", "person")
    search_fields = ("person__name_folded__contains", *OF_A_TABLE)
    date_hierarchy = "joined_at"
    exclude = ("phone",)


@admin.register(PhoneLink)
class PhoneLinkAdmin(LookOnlyAdmin):
    list_display = ("made_at", "used_at")
    list_filter = ("made_at",)
    exclude = ("secret_hash", "phone")


@admin.register(HouseRules)
class HouseRulesAdmin(LookOnlyAdmin):
    list_display = ("__str__", "game", "format")
    list_filter = ("game",)
    search_fields = ("digest", "canonical")


@admin.register(SavedRules)
class SavedRulesAdmin(LookOnlyAdmin):
    list_display = (called, "table", "house_rules")
    list_select_related = ("table", "house_rules")
    search_fields = ("name_folded__contains", *OF_A_TABLE)


@admin.register(Sheet)
class SheetAdmin(ReopensSheets, LookOnlyAdmin):
    list_display = (
        "__str__",
        "table",
        "club",
        "state",
        "review",
        "started_at",
        "ended_at",
        "ended_by",
    )
    list_filter = ("state", "review", "game", "started_at", "ended_at", "club")
    list_select_related = ("table", "club", "ended_by__person")
    search_fields = ("public_id", *OF_A_TABLE)
    date_hierarchy = "started_at"
    inlines = (PlayerInline, RoundInline)


@admin.register(Player)
class PlayerAdmin(LookOnlyAdmin):
    list_display = ("who", "sheet", "place", "total")
    list_filter = ("sheet__state", "sheet__started_at")
    list_select_related = ("sheet",)
    search_fields = (
        "person__name_folded__contains",
        "person__names_used__name_folded__contains",
        *OF_A_SHEET,
    )

    @admin.display(description=gettext_lazy("name"), ordering="person__name_folded")
    def who(self, player: Player) -> str:
        """The name on this sheet, in a column that sorts as people do."""
        return str(player)


@admin.register(Round)
class RoundAdmin(LookOnlyAdmin):
    list_display = (
        "public_id",
        "table",
        "kind",
        "bidder",
        "bid",
        "trump",
        "outcome",
        "taken_back",
        "entered_at",
    )
    list_filter = ("kind", "outcome", "trump", "taken_back", "sheet__state", "entered_at")
    list_select_related = ("sheet__table", "bidder")
    search_fields = ("public_id", "entered_by__person__name_folded__contains", *OF_A_SHEET)
    date_hierarchy = "entered_at"
    inlines = (EntryInline,)
    actions = ("correct_a_hand", "add_a_hand_before")

    @admin.display(ordering="sheet__table")
    def table(self, row: Round) -> Table:
        """The table the hand was played at."""
        return row.sheet.table

    def has_correct_permission(self, request: HttpRequest) -> bool:
        """Say whether this user may correct hands."""
        return request.user.has_perm("sheets.correct_round")

    @admin.action(permissions=("correct",), description=gettext_lazy("Correct a hand"))
    def correct_a_hand(self, request: HttpRequest, rows: QuerySet[Round]) -> HttpResponse | None:
        """Open the correction of the one hand that was chosen."""
        return of_one(self, request, rows, "admin:sheets_round_correct")

    @admin.action(permissions=("correct",), description=gettext_lazy("Add a hand before it"))
    def add_a_hand_before(self, request: HttpRequest, rows: QuerySet[Round]) -> HttpResponse | None:
        """Open the form of a hand that was forgotten before the one that was chosen."""
        return of_one(self, request, rows, "admin:sheets_round_before")

    def get_urls(self) -> list[URLPattern]:
        correct = self.admin_site.admin_view(self.correct)
        before = self.admin_site.admin_view(self.before)
        return [
            path("<int:pk>/correct/", correct, name="sheets_round_correct"),
            path("<int:pk>/before/", before, name="sheets_round_before"),
            *super().get_urls(),
        ]

    def correct(self, request: PlayerRequest, pk: int) -> HttpResponse:
        """Correct a hand, open or banked, with a reason that stays in the table's history."""
        row, players = self._hand(request, pk)
        back = reverse("admin:sheets_round_change", args=[pk])
        if why_not := correcting.why_not(row):
            self.message_user(request, why_not, messages.ERROR)
            return redirect(back)
        context = {"sheet_url": back, "title": queries.title(row.sheet.table, players)}
        done = self._done(request, back, _("The hand is corrected."))
        return correcting.page(request, _user(request), row, players, context, done, as_staff=True)

    def before(self, request: PlayerRequest, pk: int) -> HttpResponse:
        """Add a hand that was forgotten before this one of a banked sheet, with a reason."""
        row, players = self._hand(request, pk)
        back = reverse("admin:sheets_round_change", args=[pk])
        context = {"sheet_url": back, "title": queries.title(row.sheet.table, players)}
        done = self._done(request, back, _("The hand is added."))
        return correcting.addition(
            request,
            _user(request),
            row.sheet,
            players,
            context,
            done,
            before=row,
            as_staff=True,
        )

    def _hand(self, request: PlayerRequest, pk: int) -> tuple[Round, list[Player]]:
        if not self.has_correct_permission(request):
            raise PermissionDenied
        found = queries.any_hand(pk)
        if found is None:
            raise Http404
        return found

    def _done(self, request: PlayerRequest, to: str, says: str) -> Callable[[], HttpResponse]:
        """Return what says that something is done, on the page `to`."""

        def done() -> HttpResponse:
            self.message_user(request, says)
            return HttpResponseClientRedirect(to) if request.htmx else redirect(to)

        return done


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@admin.register(Change)
class ChangeAdmin(HistoryAdmin):
    list_display = ("at", "table", "version", "kind", "who", "reason")
    list_filter = ("kind", "at", "table__club")
    list_select_related = ("table", "member__person", "user")
    search_fields = (
        "member__person__name_folded__contains",
        "user__email",
        "key",
        "reason",
        *OF_A_TABLE,
    )
    date_hierarchy = "at"

    @admin.display(description=gettext_lazy("who"))
    def who(self, change: Change) -> Model | str:
        """The phone or the user that made the change."""
        return change.member or change.user or _("The app")


class UserCreationForm(AdminUserCreationForm):
    """Django's own, for users who sign in with an e-mail address."""

    class Meta:
        model = User
        fields = ("email",)


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    add_form = UserCreationForm
    list_display = ("email", called, "is_staff", "is_active")
    search_fields = ("email", "name_folded__contains")
    ordering = ("email",)
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        (
            gettext_lazy("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (gettext_lazy("Dates"), {"fields": ("last_login", "date_joined", "closed_at")}),
    )
    readonly_fields = ("closed_at",)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Say whether a user may be changed: one who closed their account stays nobody."""
        return super().has_change_permission(request, obj) and not (obj and obj.closed_at)

    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)
