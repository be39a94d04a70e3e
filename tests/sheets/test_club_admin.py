"""Clubs in the admin: found and read, locked with a reason, deleted after a clear count."""

from __future__ import annotations

import dataclasses
import uuid

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from sheets import actions, codes
from sheets.models import (
    Club,
    ClubChange,
    ClubPerson,
    HouseRules,
    Invitation,
    Organiser,
    Result,
    Season,
    Table,
    User,
)
from tests.sheets import clubs

CLUBS = (Club, Organiser, Invitation, ClubPerson, Season, ClubChange, Result)
LIST = reverse("admin:sheets_club_changelist")


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(
        User.objects.create_superuser("staff@server.example", "secret", name="Sam"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


@pytest.fixture
def full(thursday, club_game, new_game):
    """The club with rows of every kind, a second table, and a table that is nobody's."""
    first = club_game.enter()
    actions.take_back(club_game.write(), club_game.enter().public_id)
    club_game.end()
    second = thursday.take_in(new_game(("Dan", "Eve", "Fay"))[0])
    second.enter()
    thursday.match_all()
    ben, alice = thursday.club.people.order_by("name")[1], thursday.club.people.first()
    ben.merged_into = alice
    ben.save()
    thursday.club.seasons.create(
        name="Autumn", name_key="autumn", starts="2026-09-01", ends="2026-12-31"
    )
    actions.invite(thursday.write())
    assert Result.objects.filter(sheet__club=thursday.club).count() == 3
    assert first.sheet.club == thursday.club
    return thursday


def ask(client, name, club, **fields):
    url = reverse(f"admin:sheets_club_{name}", args=[club.pk])
    page = client.get(url)
    form = page.context["form"]
    known = {"key": str(form["key"].value()), "seen": str(form["seen"].value())}
    return page, client.post(url, known | fields, follow=True)


def found(client, model, query):
    page = client.get(reverse(f"admin:sheets_{model}_changelist"), {"q": query}).content.decode()
    assert ("result_list" in page) == ("0 results" not in page)
    return "result_list" in page


# Looking.


def test_staff_can_read_but_never_write(full, staff):
    for model in CLUBS:
        row, name = model.objects.all()[0], f"admin:sheets_{model.__name__.lower()}"
        assert staff.get(reverse(f"{name}_changelist")).status_code == 200
        page = staff.get(reverse(f"{name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()
        before = list(model.objects.values())
        assert staff.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert staff.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
        assert staff.get(reverse(f"{name}_add")).status_code == 403
        assert list(model.objects.values()) == before


@pytest.mark.on_postgresql
def test_everything_of_a_club_is_found_by_its_name_address_and_code(full, staff):
    models_of_clubs = [model.__name__.lower() for model in CLUBS]
    tables = ["table", "sheet", "round", "change", "member", "person", "player"]
    for model in models_of_clubs + tables:
        for words in ("Thursday Club", "thursday", full.club.code):
            assert found(staff, model, words), (model, words)
        assert not found(staff, model, "friday"), model


def test_organisers_are_found_by_their_address_and_people_by_their_names(full, staff):
    assert found(staff, "club", "mara@thursday.example")
    assert found(staff, "organiser", "Otto")
    assert found(staff, "clubperson", "Alice")
    assert found(staff, "result", "Alice")


@pytest.mark.on_postgresql
def test_things_are_found_by_date(full, staff):
    for model, field in {
        "club": "created_at",
        "organiser": "since",
        "invitation": "made_at",
        "clubchange": "at",
        "result": "sheet__played_at",
    }.items():
        changelist = reverse(f"admin:sheets_{model}_changelist")
        for year, there in ((timezone.now().year, True), (2000, False)):
            page = staff.get(changelist, {f"{field}__year": str(year)}).content.decode()
            assert ("result_list" in page) == there, (model, year)


def test_lists_are_narrowed_to_a_club(full, staff):
    other = clubs.a_club("friday", "Friday Club")
    for model in ("table", "sheet", "person", "change", "clubperson"):
        field = {"person": "table__club", "change": "table__club"}.get(model, "club")
        changelist = reverse(f"admin:sheets_{model}_changelist")
        for club, there in ((full.club, True), (other.club, False)):
            page = staff.get(changelist, {f"{field}__id__exact": club.pk}).content.decode()
            assert ("result_list" in page) == there, (model, club)


def test_no_secret_stands_in_the_admin(full, staff):
    made = Invitation.objects.get()
    page = staff.get(reverse("admin:sheets_invitation_change", args=[made.pk]))
    assert made.secret_hash not in page.content.decode()
    reader = User.objects.create_user("reads@example.org", "secret", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    looks = clubs.signed_in(reader)
    table = Table.objects.filter(club=full.club).earliest("pk")
    season = Season.objects.filter(club=full.club).first()
    season.published_id = codes.new_public_id()
    season.save()
    secrets = [full.club.code, full.club.start_secret, season.published_id]
    secrets += [table.code, table.join_secret, table.watch_id]
    for row in (full.club, table, season, table.members.first(), table.sheets.first()):
        name = f"admin:sheets_{row._meta.model_name}"
        for url in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])):
            shown = looks.get(url)
            assert shown.status_code == 200, url
            assert not [one for one in secrets if one in shown.content.decode()], url


def test_no_secret_is_guessed_letter_by_letter(full, staff):
    table = Table.objects.filter(club=full.club).earliest("pk")
    for name in ("code", "join_secret", "watch_id"):
        begins = {f"{name}__startswith": getattr(table, name)[:2]}
        answer = staff.get(reverse("admin:sheets_table_changelist"), begins)
        assert answer.status_code in (302, 400), name
    assert not found(staff, "table", table.code[:3])
    assert found(staff, "table", table.code)


# Locking.


def test_a_club_is_locked_and_unlocked_with_a_reason_that_stays(thursday, staff, otto):
    page, answer = ask(staff, "lock", thursday.club, reason="A complaint")
    assertContains(page, "Lock this club?")
    assertContains(answer, "The club is locked.")
    thursday.club.refresh_from_db()
    assert thursday.club.locked
    sentence = "<strong>Sam</strong> locked the club, because: A complaint"
    assertContains(otto.get(thursday.url("history/")), sentence)
    _page, answer = ask(staff, "unlock", thursday.club, reason="Settled")
    assertContains(answer, "The club is unlocked.")
    assert not Club.objects.get().locked


def test_staff_who_run_a_locked_club_write_in_it_as_little_as_other_organisers(thursday, club_game):
    User.objects.update(is_staff=True)
    Club.objects.update(locked=True)
    otto = clubs.signed_in(User.objects.get(pk=thursday.otto.pk))
    fields = {
        "key": str(uuid.uuid4()),
        "seen": str(Club.objects.get().seen),
        "names": "Dora",
        "reason": "Because",
    }
    people = otto.post(thursday.url("people/new/"), fields)
    assertContains(people, "has locked this club", status_code=409)
    sheet = {"sheet": club_game.sheet.public_id}
    url = thursday.url(f"sheets/{club_game.sheet.public_id}/discard/")
    assertContains(otto.post(url, fields | sheet), "has locked this club", status_code=409)


def test_a_reason_is_a_sentence_for_whoever_gives_it(thursday, club_game, staff):
    club_game.enter()
    long = "x" * 201
    _page, answer = ask(staff, "lock", thursday.club, reason=long)
    assertContains(answer, "201 letters are too many: 200 fit.", status_code=422)
    done = [
        actions.discard_sheet(thursday.at(club_game.table), club_game.sheet.public_id, long),
        actions.lock_club(dataclasses.replace(thursday.write(), as_staff=True), True, long),
    ]
    assert [one.why for one in done] == [actions.Why.LONG_REASON] * 2
    assert not Club.objects.get().locked
    assert club_game.sheet.is_open


def test_a_lock_wants_a_reason_and_is_not_turned_round_when_sent_twice(thursday, staff):
    _page, answer = ask(staff, "lock", thursday.club)
    assertContains(answer, "Say why: it stays on record.", status_code=422)
    for _ in range(2):
        ask(staff, "lock", thursday.club, reason="A complaint")
    assert Club.objects.get().locked
    assert ClubChange.objects.filter(kind="locked").count() == 1


@pytest.mark.parametrize("action", ["lock_a_club", "unlock_a_club", "delete_a_club"])
def test_one_is_chosen_at_a_time(thursday, staff, action):
    other = clubs.a_club("friday", "Friday Club")
    chosen = {"action": action, "_selected_action": [thursday.club.pk]}
    assert f"/{thursday.club.pk}/" in staff.post(LIST, chosen).url
    chosen["_selected_action"].append(other.club.pk)
    assertContains(staff.post(LIST, chosen, follow=True), "Choose one at a time.")


@pytest.mark.parametrize("name", ["lock", "unlock", "delete_all"])
def test_it_takes_the_permission_for_it(thursday, name):
    user = User.objects.create_user("view@server.example", "secret", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_club"))
    client = clubs.signed_in(user)
    url = reverse(f"admin:sheets_club_{name}", args=[thursday.club.pk])
    assert client.get(LIST).status_code == 200
    assert client.get(url).status_code == 403
    fields = {"key": str(uuid.uuid4()), "seen": "1", "reason": "x"}
    assert client.post(url, fields).status_code == 403
    permission = "delete_club" if name == "delete_all" else "change_club"
    user.user_permissions.add(Permission.objects.get(codename=permission))
    assert client.get(url).status_code == 200


@pytest.mark.parametrize("name", ["lock", "unlock", "delete_all"])
def test_organisers_do_none_of_it(thursday, mara, name):
    url = reverse(f"admin:sheets_club_{name}", args=[thursday.club.pk])
    assert mara.get(url).status_code == 302  # to the admin's own sign-in page


# Deleting.


def rows():
    """All rows there are, by model."""
    every = [m for m in apps.get_app_config("sheets").get_models() if m not in (User, HouseRules)]
    return {model: model.objects.count() for model in every}


@pytest.mark.on_postgresql
def test_a_club_is_deleted_with_everything_that_hangs_on_it_and_nothing_else(
    staff, new_game, request
):
    friday = clubs.a_club("friday", "Friday Club")
    other = friday.take_in(new_game(("Gil", "Hal", "Ida"))[0])
    other.enter()
    other.end()
    friday.match_all()
    lone = new_game(("Jon", "Kim", "Leo"))[0]
    lone.enter()
    before = rows()
    full = request.getfixturevalue("full")
    assert all(n > before[model] for model, n in rows().items() if model in CLUBS)

    page, answer = ask(staff, "delete_all", full.club)
    for fact in ("2 tables", "2 sheets", "2 hands", "6 people on the roster", "1 season"):
        assertContains(page, f"<p>{fact}</p>")
    assertContains(page, "2 organisers, whose accounts stay")
    assertContains(answer, "The club is deleted, with all it held.")
    assert rows() == before
    assert User.objects.filter(email="mara@thursday.example").exists()
    assert not Table.objects.filter(people__name="Alice").exists()


def test_deleted_twice_it_is_gone_once(thursday, staff):
    url = reverse("admin:sheets_club_delete_all", args=[thursday.club.pk])
    fields = {"key": str(uuid.uuid4()), "seen": str(thursday.club.version)}
    assert staff.post(url, fields).status_code == 302
    assertContains(staff.post(url, fields, follow=True), "It is not there any more.")


def test_what_an_organiser_did_since_the_question_is_shown_before_anything_goes(thursday, staff):
    url = reverse("admin:sheets_club_delete_all", args=[thursday.club.pk])
    fields = {"key": str(uuid.uuid4()), "seen": str(thursday.club.version)}
    actions.change_club_code(thursday.write())
    answer = staff.post(url, fields)
    assertContains(answer, "Mara changed the club code", status_code=409)
    assert Club.objects.exists()
    _page, answer = ask(staff, "delete_all", thursday.club)
    assert not Club.objects.exists()


def test_a_club_that_cannot_go_as_a_whole_stays_as_a_whole(full, staff, monkeypatch):
    before = rows()

    def fails(self, *args, **kwargs):
        raise models.ProtectedError("In use", set())

    monkeypatch.setattr(Club, "delete", fails)
    with pytest.raises(models.ProtectedError):
        ask(staff, "delete_all", full.club)
    assert rows() == before
