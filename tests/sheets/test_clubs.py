"""Clubs: started, found, set up, locked."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, slowing
from sheets.models import ChangeKind, Club, ClubChange, Table, User
from tests.sheets import clubs
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}
NEW = "/clubs/new/"


@pytest.fixture(autouse=True)
def _counting_starts_anew():
    slowing.forget()


@pytest.fixture
def newcomer(db):
    """The browser of somebody who runs no club."""
    return clubs.signed_in(User.objects.create_user("nora@club.example", "secret", name="Nora"))


def typed(**other):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "name": "Friday Five", "slug": ""}
    return fields | {"time_zone": "America/Chicago"} | other


def start(client, **other):
    return client.post(NEW, typed(**other))


# Starting one.


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_who_starts_a_club_owns_it(newcomer, headers):
    assertContains(newcomer.get("/clubs/"), "You run no club yet")
    answer = newcomer.post(NEW, typed(), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, "/clubs/friday-five/")
    club = Club.objects.get()
    assert (club.name, club.slug, club.time_zone) == (
        "Friday Five",
        "friday-five",
        "America/Chicago",
    )
    [owner] = club.organisers.all()
    assert (str(owner), owner.is_owner) == ("Nora", True)
    page = newcomer.get("/clubs/friday-five/")
    assertContains(page, club.code)
    assertContains(page, "No sheet is banked yet")
    assertContains(newcomer.get("/clubs/"), "Friday Five")


def test_a_form_sent_twice_starts_one_club(newcomer):
    fields = typed()
    first, second = newcomer.post(NEW, fields), newcomer.post(NEW, fields)
    assert first["Location"] == second["Location"] == "/clubs/friday-five/"
    assert Club.objects.count() == 1


def test_a_key_that_saved_something_else_is_refused_and_what_was_typed_stays(newcomer):
    fields = typed()
    newcomer.post(NEW, fields)
    answer = newcomer.post(NEW, fields | {"name": "Another"})
    assertContains(answer, "saved something else already", status_code=422)
    assertContains(answer, 'value="Another"', status_code=422)
    fresh = re.search(r'name="key" value="([^"]+)"', answer.content.decode())[1]
    assert fresh != fields["key"]


def test_an_address_left_empty_is_made_of_the_name_and_free(newcomer):
    for _ in range(3):
        start(newcomer, name="Dönerstag! 40")
    start(newcomer, name="山田")
    start(newcomer, name="New")
    start(newcomer, name="x" * 40)
    start(newcomer, name="x" * 40)
    slugs = list(Club.objects.order_by("pk").values_list("slug", flat=True))
    assert slugs == [
        "donerstag-40",
        "donerstag-40-2",
        "donerstag-40-3",
        "club",
        "new-2",
        "x" * 40,
        "x" * 38 + "-2",
    ]


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("thursday", "Another club has this address"),
        (" THURSDAY ", "Another club has this address"),
        ("new", "used by a page of ours"),
        ("a b", "Letters a to z"),
        ("-a", "Letters a to z"),
        ("кухня", "Letters a to z"),
        ("../admin", "Letters a to z"),
        ("x" * 41, "41 letters are too many"),
    ],
)
def test_an_address_that_cannot_be_is_refused_in_words(thursday, newcomer, slug, sentence):
    answer = start(newcomer, slug=slug)
    assertContains(answer, sentence, status_code=422)
    assertContains(answer, 'value="Friday Five"', status_code=422)
    assert Club.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "Type the name of the club."),
        ({"name": "x" * 41}, "41 letters are too many"),
        ({"time_zone": ""}, "Choose the time zone"),
        ({"time_zone": "Berlin"}, "There is no time zone “Berlin”"),
        ({"time_zone": "<b>"}, "There is no time zone “&lt;b&gt;”"),
        ({"key": ""}, "Part of this form was missing"),
    ],
)
def test_what_is_wrong_is_said_beside_it(newcomer, wrong, sentence):
    assertContains(start(newcomer, **wrong), sentence, status_code=422)
    assert not Club.objects.exists()


def test_a_time_zone_is_found_however_it_is_typed(newcomer):
    start(newcomer, time_zone=" america/new york ")
    assert Club.objects.get().time_zone == "America/New_York"


def test_the_form_offers_places_and_no_others(newcomer):
    page = newcomer.get(NEW).content.decode()
    assert "<option>Pacific/Kiritimati</option>" in page
    assert "<option>Etc/" not in page
    assert "<option>US/" not in page


def test_starting_clubs_is_slowed(newcomer):
    for number in range(20):
        start(newcomer, name=f"Club {number}")
    answer = start(newcomer, name="One more")
    assertContains(answer, "Too many clubs were started", status_code=429)
    assertContains(answer, 'value="One more"', status_code=429)
    assert Club.objects.count() == 20


@pytest.mark.parametrize("path", ["/clubs/", NEW, "/account/"])
def test_whoever_has_not_signed_in_is_asked_to(db, path):
    assert Client().get(path).url == f"/account/sign-in/?next={path}"


def test_a_key_that_was_used_says_what_it_saved(thursday):
    write = thursday.write()
    saved = actions.change_club(write, "Friday Club", "UTC", False, "")
    answer = actions.change_club(write, "Sunday Club", "UTC", False, "")
    assert isinstance(answer, actions.Refused)
    assert (answer.why, answer.club_change) == (actions.Why.KEY_USED, saved.change)


# Who sees it.


def test_a_form_of_somebody_who_was_signed_out_leads_to_the_whole_sign_in_page(thursday):
    url = thursday.url("settings/")
    answer = Client().post(url, {}, headers=HTMX)
    assert answer["HX-Redirect"] == f"/account/sign-in/?next={url}"
    assert Client().post(url, {}).url == f"/account/sign-in/?next={url}"
    # Back is where the form was, and not where it was sent to.
    headers = HTMX | {"HX-Current-URL": f"http://testserver{thursday.url('people/')}"}
    for sent_to in (thursday.url("people/new/"), NEW):
        answer = Client().post(sent_to, {}, headers=headers)
        assert answer["HX-Redirect"] == f"/account/sign-in/?next={thursday.url('people/')}"


@pytest.mark.parametrize("path", ["", "history/", "settings/", "code/", "organisers/"])
def test_nobody_else_sees_that_there_is_a_club(thursday, newcomer, path):
    other = newcomer.get(thursday.url(path))
    nothing = newcomer.get(f"/clubs/nothing/{path}")
    assert (other.status_code, other.content) == (404, nothing.content)


@pytest.mark.parametrize("path", ["settings/", "code/", "organisers/invite/"])
def test_what_is_the_owners_is_not_for_other_organisers(thursday, otto, mara, path):
    assert mara.get(thursday.url(path)).status_code == 200
    assertContains(otto.get(thursday.url(path)), "Only an owner", status_code=403)
    assertNotContains(otto.get(thursday.url()), thursday.url(path))


# Setting it up.


def settings(client, thursday, **other):
    url = thursday.url("settings/")
    return client.post(url, opened(client, url) | other)


def test_settings_are_changed_and_history_says_what(thursday, mara):
    answer = settings(mara, thursday, name="Thursdays", time_zone="Asia/Tokyo", confirm="on")
    assert (answer.status_code, answer["Location"]) == (303, thursday.url())
    thursday.club.refresh_from_db()
    club = thursday.club
    assert (club.name, club.time_zone, club.confirm) == ("Thursdays", "Asia/Tokyo", True)
    page = mara.get(thursday.url("history/"))
    assertContains(page, "the club is now called Thursdays; its clock is that of Asia/Tokyo; each")


def test_settings_somebody_else_changed_meanwhile_are_shown_first(thursday, mara):
    nora = User.objects.create_user("nora@club.example", "secret", name="Nora")
    thursday.club.organisers.create(user=nora, role="owner")
    fields = opened(mara, thursday.url("settings/"))
    actions.change_club(thursday.write(nora), "Noras Club", "UTC", False, "")
    answer = mara.post(thursday.url("settings/"), fields | {"name": "Maras Club"})
    assertContains(answer, "Nora the club is now called Noras Club", status_code=409)
    assertContains(answer, 'value="Maras Club"', status_code=409)
    again = {
        name: re.search(rf'name="{name}" value="([^"]*)"', answer.content.decode())[1]
        for name in ("key", "seen")
    }
    assert mara.post(thursday.url("settings/"), fields | again).status_code == 303


def test_what_the_club_asks_for_is_said_in_the_settings_of_its_tables(club_game, thursday, alice):
    sentence = "Thursday Club asks for it at all its tables"
    assertNotContains(alice.get(club_game.url("settings/")), sentence)
    actions.change_club(thursday.write(), "Thursday Club", "UTC", True, "")
    assertContains(alice.get(club_game.url("settings/")), sentence)
    club_game.enter()
    assertContains(alice.get(club_game.url()), "to confirm")


def test_phones_that_look_on_learn_that_the_club_asks_to_confirm(club_game, thursday, ben):
    club_game.enter()
    live = {"HX-Request": "true", "HX-Target": "sheet"}
    first = ben.get(club_game.url(), headers=live)
    actions.change_club(thursday.write(), "Thursday Club", "UTC", True, "")
    again = ben.get(club_game.url(), headers=live | {"If-None-Match": first.context["etag"]})
    assertContains(again, "to confirm")


def test_a_new_code_is_made_once_and_stands_in_no_history(thursday, mara):
    before = thursday.club.code
    url = thursday.url("code/")
    fields = opened(mara, url)
    assert mara.post(url, fields)["Location"] == thursday.url()
    thursday.club.refresh_from_db()
    after = thursday.club.code
    assert after != before
    assert mara.post(url, fields).status_code == 303
    thursday.club.refresh_from_db()
    assert thursday.club.code == after
    page = mara.get(thursday.url("history/")).content.decode()
    assert "changed the club code" in page
    assert before not in page
    assert after not in page


def test_settings_are_for_owners_under_the_lock_too(thursday):
    for act in (
        lambda write: actions.change_club(write, "Ottos Club", "UTC", False, ""),
        actions.change_club_code,
        actions.invite,
    ):
        answer = act(thursday.write(thursday.otto))
        assert answer.why == actions.Why.NOT_AN_ORGANISER
    assert ClubChange.objects.count() == 1


# Locked by staff.


@pytest.fixture
def locked(thursday):
    staff = User.objects.create_user("sam@server.example", "secret", is_staff=True, name="Sam")
    answer = actions.lock_club(thursday.write(staff), True, "A complaint")
    assert isinstance(answer, actions.ClubSaved)
    return staff


def test_while_a_club_is_locked_a_hand_is_kept_and_the_phone_is_told(club_game, locked, alice):
    before = club_game.version
    url = club_game.url("hands/new/")
    answer = alice.post(url, club_game.fields(bid="350"), headers=HTMX | {"Outbox": "1"})
    assertContains(answer, "has locked this club", status_code=409)
    assert answer["Refused"] == "club_locked"
    page = answer.content.decode()
    assert re.search(r'name="bid" value="350" checked', page)
    assert (club_game.version, club_game.standing) == (before, [])


def test_while_a_club_is_locked_its_organisers_read_and_write_nothing(
    club_game, thursday, locked, mara, otto
):
    version = Club.objects.get().version
    for client in (mara, otto):
        assertContains(client.get(thursday.url()), "has locked this club")
    answer = settings(mara, thursday, name="Other")
    assertContains(answer, "has locked this club", status_code=409)
    assertContains(answer, 'value="Other"', status_code=409)
    assert answer["Refused"] == "club_locked"
    sheet = club_game.sheet.public_id
    for user in (thursday.otto, thursday.mara):
        ended = actions.end_match(thursday.at(club_game.table, user), sheet)
        assert ended.why == actions.Why.CLUB_LOCKED
    left = actions.remove_organiser(thursday.write(thursday.otto), thursday.otto.pk)
    assert left.why == actions.Why.CLUB_LOCKED
    assert Club.objects.get().version == version
    assert club_game.sheet.is_open


def test_while_a_club_is_locked_no_table_is_started_with_its_code_and_no_phone_joins(
    club_game, thursday, locked
):
    ended = actions.end_match(club_game.write(), club_game.sheet.public_id)
    assert ended.why == actions.Why.CLUB_LOCKED
    joins = actions.join(club_game.write("0" * 64), None, name="", code=club_game.table.code)
    assert joins.why == actions.Why.CLUB_LOCKED
    new = actions.NewTable(
        names=("A", "B", "C"),
        first_dealer=0,
        this_phone=0,
        game="auction",
        house=club_game.sheet.house_rules.value,
        time_zone="UTC",
        club=thursday.club.pk,
    )
    answer = actions.start_table(new, phone="1" * 64, key=uuid.uuid4())
    assert answer.why == actions.Why.CLUB_LOCKED
    assert Table.objects.count() == 1


def test_a_club_that_is_unlocked_goes_on(club_game, thursday, locked):
    actions.lock_club(thursday.write(locked), False, "Settled")
    club_game.enter()
    assert club_game.table.changes.filter(kind=ChangeKind.HAND_ENTERED).exists()


def test_locking_is_for_staff_alone(thursday):
    answer = actions.lock_club(thursday.write(), True, "Mine")
    assert answer.why == actions.Why.NOT_AN_ORGANISER
    assert actions.delete_club(thursday.write()).why == actions.Why.NOT_AN_ORGANISER
    assert not Club.objects.get().locked


def test_what_another_clock_moves_is_said_beside_it(mara, thursday):
    assertContains(mara.get(thursday.url("settings/")), "so to another season")
