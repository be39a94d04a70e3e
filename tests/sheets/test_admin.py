"""The admin: finding and reading everything, correcting a hand, and no other way to write."""

from __future__ import annotations

import ast
import pathlib

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from sheets.actions import take_back
from sheets.models import Change, Entry, Round, User

# Users are managed like any Django user's; entries stand on the page of their hand.
OURS = [m for m in apps.get_app_config("sheets").get_models() if m not in (User, Entry)]
SHEETS = pathlib.Path(__file__).parent.parent.parent / "sheets"


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


def posted(game, row, **changed):
    return game.fields(dealer=str(row.dealer_id)) | {"reason": "Agreed at the table"} | changed


def test_every_model_of_ours_is_in_the_admin():
    assert [model for model in OURS if not admin.site.is_registered(model)] == []


def test_staff_can_read_but_never_write(game, staff):
    game.enter()
    for model in OURS:
        row = model.objects.first()
        if row is None:  # those of clubs are in test_club_admin.py
            continue
        name = f"admin:sheets_{model.__name__.lower()}"
        assert staff.get(reverse(f"{name}_changelist")).status_code == 200
        page = staff.get(reverse(f"{name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()
        before = list(model.objects.values())
        assert staff.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert staff.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
        assert staff.get(reverse(f"{name}_add")).status_code == 403
        staff.post(
            reverse(f"{name}_changelist"),
            {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"},
        )
        assert list(model.objects.values()) == before


def test_nothing_of_ours_can_be_deleted_in_bulk():
    for model in OURS:
        assert "delete_selected" not in admin.site._registry[model].actions


@pytest.mark.on_postgresql
def test_things_are_found_by_code_and_person(game, staff):
    game.enter()
    code, nobody = game.table.code, "nobody-of-this-name"
    for model, words in {
        "table": (code, "Ben"),
        "sheet": (code, "Ben"),
        "round": (code, "Ben"),
        "change": (code, "Alice"),
        "member": ("Ben",),
        "person": ("Ben",),
        "player": (code,),
    }.items():
        for word in (*words, nobody):
            found = staff.get(reverse(f"admin:sheets_{model}_changelist"), {"q": word})
            assert ("result_list" in found.content.decode()) == (word != nobody), (model, word)
            assert ("0 results" in found.content.decode()) == (word == nobody), (model, word)


@pytest.mark.on_postgresql
def test_things_are_found_by_date(game, staff):
    game.enter()
    for model in ("table", "sheet", "round", "change", "member"):
        registered = admin.site._registry[apps.get_model("sheets", model)]
        assert registered.date_hierarchy in registered.list_filter
        changelist, field = reverse(f"admin:sheets_{model}_changelist"), registered.date_hierarchy
        for year, there in ((timezone.now().year, True), (2000, False)):
            page = staff.get(changelist, {f"{field}__year": str(year)}).content.decode()
            assert ("result_list" in page) == there, (model, year)


def test_the_action_opens_the_correction_of_one_hand(game, staff):
    rows = [game.enter(), game.enter()]
    changelist = reverse("admin:sheets_round_changelist")
    chosen = {"action": "correct_a_hand", "_selected_action": [rows[0].pk]}
    answer = staff.post(changelist, chosen)
    assert answer.url == reverse("admin:sheets_round_correct", args=[rows[0].pk])
    both = {"action": "correct_a_hand", "_selected_action": [row.pk for row in rows]}
    assert "Choose one at a time." in staff.post(changelist, both, follow=True).content.decode()


@pytest.mark.parametrize("banked", [False, True])
def test_a_correction_goes_through_the_actions_with_its_reason(game, staff, banked):
    row = game.enter()
    if banked:
        game.end()
    url = reverse("admin:sheets_round_correct", args=[row.pk])
    assert "Correct hand 1" in staff.get(url).content.decode()
    fields = posted(game, row, outcome="set")
    assert staff.post(url, fields).status_code == 302
    assert game.totals == [2, 0, 2]
    change = Change.objects.latest("pk")
    assert (change.kind, change.reason) == ("hand_corrected", "Agreed at the table")
    assert change.user.email == "staff@example.org"
    assert change.before["outcome"] == "made"
    assert staff.post(url, fields).status_code == 302  # sent twice, written once
    assert Change.objects.filter(kind="hand_corrected").count() == 1


def test_a_correction_sent_by_a_script_goes_on_to_the_whole_page_of_the_hand(game, staff):
    row = game.enter()
    url = reverse("admin:sheets_round_correct", args=[row.pk])
    answer = staff.post(url, posted(game, row, outcome="set"), headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == reverse("admin:sheets_round_change", args=[row.pk])


def test_the_table_sees_who_corrected_what_and_why(game, alice, staff):
    row = game.enter()
    staff.post(
        reverse("admin:sheets_round_correct", args=[row.pk]), posted(game, row, outcome="set")
    )
    page = alice.get(game.url("history/")).content.decode()
    assert "Sam</strong> changed hand 1 from Ben 320 hearts made (0 · 2 · 0)" in page
    assert "because: Agreed at the table" in page


def test_a_correction_without_a_reason_is_refused_and_keeps_what_was_typed(game, staff):
    row = game.enter()
    url = reverse("admin:sheets_round_correct", args=[row.pk])
    answer = staff.post(url, posted(game, row, outcome="set", reason=" "))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Say why: it stays on record." in page
    assert 'name="outcome" value="set" checked' in page
    assert game.totals == [0, 2, 0]


def test_a_correction_of_a_hand_that_changed_meanwhile_is_refused(game, staff):
    row = game.enter()
    fields = posted(game, row, outcome="set")
    take_back(game.write(), row.public_id)
    answer = staff.post(reverse("admin:sheets_round_correct", args=[row.pk]), fields)
    assert answer.status_code == 409
    assert "Alice took back hand 1" in answer.content.decode()


def test_only_who_may_correct_hands_does(game):
    row = game.enter()
    user = User.objects.create_user("reader@example.org", "secret", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_round"))
    client = Client()
    client.force_login(user)
    changelist = reverse("admin:sheets_round_changelist")
    assert "correct_a_hand" not in client.get(changelist).content.decode()
    url = reverse("admin:sheets_round_correct", args=[row.pk])
    assert client.get(url).status_code == 403
    assert client.post(url, posted(game, row)).status_code == 403
    assert Client().get(url).status_code == 302
    assert Round.objects.get().outcome == "made"


def test_users_are_managed_like_any_django_user(staff):
    fields = {
        "email": "Olga@Example.org",
        "usable_password": "true",
        "password1": "a long pass phrase",
        "password2": "a long pass phrase",
    }
    assert staff.post(reverse("admin:sheets_user_add"), fields).status_code == 302
    olga = User.objects.get(email__iexact="olga@example.org")
    assert olga.check_password("a long pass phrase")
    assert staff.get(reverse("admin:sheets_user_change", args=[olga.pk])).status_code == 200
    assert staff.get(reverse("admin:sheets_user_changelist"), {"q": "olga"}).status_code == 200


WRITES = {
    "save",
    "asave",
    "create",
    "acreate",
    "bulk_create",
    "bulk_update",
    "update",
    "update_or_create",
    "get_or_create",
    "delete",
    "raw",
    "execute",
}


NO_ROWS = {("live", "execute"), ("database_file.py", "execute")}


def test_only_actions_write():
    """No call in `sheets/` outside `actions` names a method that writes to the database."""
    found = []
    for path in SHEETS.rglob("*.py"):
        inside = path.relative_to(SHEETS)
        if inside.parts[0] in ("actions", "migrations") or inside.as_posix() == "models/user.py":
            continue
        found += [
            f"{inside}:{node.lineno} {node.func.attr}"
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in WRITES
            # Off the ORM: connections that may only read, pg_notify, which writes no row, and the
            # file of SQLite as a whole.
            and (inside.parts[0], node.func.attr) not in NO_ROWS
        ]
    assert found == []
