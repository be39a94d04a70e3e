"""Tables of a club: by its code, taken in, let go; what organisers may do at them."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, slowing
from sheets.actions import Why
from sheets.models import Change, Member, Person, Result, Round, Sheet, Table
from tests.sheets.clubs import a_club, signed_in

START = "/tables/new/"
HTMX = {"HX-Request": "true"}
PART = HTMX | {"HX-Target": "sheet"}


@pytest.fixture(autouse=True)
def _nobody_waits():
    slowing.forget()


def start(club_code, **changed):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "time_zone": "Europe/Berlin"}
    fields |= {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass", "club_code": club_code}
    return fields | {"first_dealer": "0", "this_phone": "0"} | changed


def posted(club, **fields):
    club.club.refresh_from_db()
    return {"key": str(uuid.uuid4()), "seen": str(club.club.version)} | fields


def at(game, **fields):
    return {"key": str(uuid.uuid4()), "seen": str(game.version)} | fields


# By the club's code.


def test_a_table_started_with_the_clubs_code_is_the_clubs(thursday, client):
    ben = thursday.person("Ben")
    code = f" {thursday.club.code[:3].lower()}-{thursday.club.code[3:]}"
    assert client.post(START, start(code)).status_code == 303
    table = Table.objects.get()
    assert (table.club, table.sheets.get().club) == (thursday.club, thursday.club)
    assert table.people.get(name="Ben").club_person == ben
    page = client.get(f"/t/{table.public_id}/settings/")
    assertContains(page, "one of the club Thursday Club")
    assertContains(client.get(f"/t/{table.public_id}/share/"), "its organisers see its sheets")
    assertContains(client.get(f"/t/{table.public_id}/history/"), "one of the club Thursday Club")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_names_are_looked_up_and_everything_stays_as_typed(thursday, client, headers):
    thursday.person("Dora", "Hill Street")
    thursday.person("Emil")
    fields = start(thursday.club.code, name_1="", first_dealer="2", roster="yes")
    page = client.post(START, fields, headers=headers)
    assert page.status_code == 200
    assertContains(page, '<option value="Dora">')
    assertContains(page, '<option value="Emil">')
    assertContains(page, 'list="known"', count=4)
    assertContains(page, "Played in the club Thursday Club")
    assertContains(page, 'value="Cass"')
    assertContains(page, '<input type="radio" name="first_dealer" value="2" checked>', html=True)
    assert not Table.objects.exists()
    assert "code" not in page.headers.get("HX-Replace-Url", "")


def test_a_wrong_club_code_is_said_and_nothing_typed_is_lost(thursday, client):
    for extra in ({}, {"roster": "yes"}):
        page = client.post(START, start("ZZZZZZ", **extra))
        assertContains(page, "No club has this code.", status_code=422)
        assertContains(page, 'value="Cass"', status_code=422)
        assertNotContains(page, "<datalist", status_code=422)
    assert not Table.objects.exists()


def test_guessing_club_codes_is_slowed_and_no_code_is_looked_at_meanwhile(thursday, client):
    for _ in range(10):
        client.post(START, start("ZZZZZZ"))
    page = client.post(START, start(thursday.club.code))
    assertContains(page, "Too many codes were typed from here. Wait", status_code=429)
    assertContains(page, "QR code or link works now: an organiser can show it", status_code=429)
    assertContains(page, 'value="Cass"', status_code=429)
    assert not Table.objects.exists()
    assert client.post(START, start("")).status_code == 303
    link = f"{START}{thursday.club.start_secret}/"
    assertContains(client.get(link), "Played in the club Thursday Club")
    assert client.post(link, start("")).status_code == 303
    pasted = start(f"Here: https://sheets.example{link}.")
    assert client.post(START, pasted).status_code == 303
    assert Table.objects.filter(club=thursday.club).count() == 2


def test_the_clubs_link_offers_its_roster_and_changes_with_its_code(thursday, client):
    thursday.person("Dora")
    link = f"{START}{thursday.club.start_secret}/"
    otto = signed_in(thursday.otto)
    assertContains(otto.get(thursday.url()), f"{link}</a>")
    page = client.get(link)
    assertContains(page, '<option value="Dora">')
    assertNotContains(page, "club_code")
    assertContains(client.post(link, start("", name_1="")), 'value="Cass"', status_code=422)
    actions.change_club_code(thursday.write())
    page = client.post(link, start(""))
    assertContains(page, "This link is no club&#x27;s now", status_code=404)
    assertContains(page, 'value="Cass"', status_code=404)
    assert not Table.objects.exists()


def test_a_hall_of_a_hundred_tables_starts_from_one_address(thursday):
    statuses = [Client().post(START, start(thursday.club.code)).status_code for _ in range(100)]
    assert statuses == [303] * 100
    assert Client().post(START, start("")).status_code == 303


def test_an_organiser_lets_tables_be_started_again(thursday, client):
    while not slowing.CLUB_TABLES.wait(str(thursday.club.pk)):
        slowing.CLUB_TABLES.note(str(thursday.club.pk))
    otto = signed_in(thursday.otto)
    page = client.post(START, start(thursday.club.code))
    assertContains(page, "Too many tables of Thursday Club were started", status_code=429)
    assertContains(page, "as soon as an organiser lifts this", status_code=429)
    assertContains(page, 'value="Cass"', status_code=429)
    other = a_club("friday", "Friday Club")
    assert client.post(START, start(other.club.code)).status_code == 303
    for rest in ("", "tables/"):
        assertContains(otto.get(thursday.url(rest)), "Let tables be started again")
    answer = otto.post(thursday.url("tables/lift/"))
    assertNotContains(otto.get(answer["Location"]), "Let tables be started again")
    assert client.post(START, start(thursday.club.code)).status_code == 303


def test_looking_at_rules_is_no_guess_and_tells_of_no_code(thursday, client):
    for _ in range(12):
        page = client.post(START, start("ZZZZZZ", look="yes"))
        assert page.status_code == 200
        assertNotContains(page, "No club has this code.")
        assertContains(page, 'value="ZZZZZZ"')
    right = client.post(START, start(thursday.club.code, look="yes"))
    assertNotContains(right, "Thursday Club")
    assert client.post(START, start(thursday.club.code)).status_code == 303


def test_a_link_takes_a_table_in_as_its_code_does(thursday, game):
    otto = signed_in(thursday.otto)
    link = f"https://sheets.example/join/{game.table.join_secret}/"
    assert otto.post(thursday.url("tables/"), posted(thursday, code=link)).status_code == 303
    game.table.refresh_from_db()
    assert game.table.club == thursday.club


def test_a_locked_clubs_code_starts_nothing(thursday, client):
    thursday.club.locked = True
    thursday.club.save()
    page = client.post(START, start(thursday.club.code))
    assertContains(page, "has locked this club", status_code=422)
    assert not Table.objects.exists()


def test_the_forms_of_a_clubs_table_offer_the_roster(thursday, club_game, alice, ben):
    dora, emil = thursday.person("Dora"), thursday.person("Emil")
    emil.retired = True
    emil.save()
    thursday.person("Dorothea").merged_into = dora
    for rest in ("names/", "fourth/", "leave/"):
        page = alice.get(club_game.url(rest))
        assertContains(page, '<option value="Dora">')
        assertNotContains(page, "Emil")
    club_game.enter()
    club_game.end()
    assertContains(alice.get(club_game.url("again/")), '<option value="Dora">')


def test_the_forms_of_other_tables_offer_nobody(thursday, game, alice):
    thursday.person("Dora")
    assertNotContains(alice.get(game.url("names/")), "Dora")
    assertNotContains(alice.get(game.url("fourth/")), "Dora")


# Taken in and let go.


@pytest.fixture
def banked(game):
    game.enter()
    game.end()
    return game


def test_a_table_is_taken_in_by_its_join_code_with_all_its_sheets(thursday, banked, otto, alice):
    actions.play_again(banked.write(), ["Alice", "Ben", "Cass"], 0)
    seen = banked.version
    fields = posted(thursday, code=banked.table.code.lower())
    for _ in range(2):
        answer = otto.post(thursday.url("tables/"), fields)
        assert answer["Location"] == thursday.url(f"tables/{banked.table.public_id}/")
    assert set(banked.table.sheets.values_list("club", flat=True)) == {thursday.club.pk}
    assert Result.objects.count() == 3
    assert banked.version == seen + 1
    assert Change.objects.get(kind="club_joined").user == thursday.otto
    assert thursday.club.changes.first().after == {"table": banked.table.pk}
    history = alice.get(banked.url("history/"))
    assertContains(history, "took this table into the club Thursday Club")
    assertContains(otto.get(thursday.url("tables/")), "a sheet is open")


def test_only_a_code_that_is_awake_and_right_takes_a_table_in(thursday, banked, otto):
    wrong = otto.post(thursday.url("tables/"), posted(thursday, code="ZZZZZZ"))
    assertContains(wrong, "No table has this code.", status_code=422)
    Sheet.objects.update(ended_at="2026-01-01T00:00Z")
    asleep = otto.post(thursday.url("tables/"), posted(thursday, code=banked.table.code))
    assertContains(asleep, "No table has this code.", status_code=422)
    assert not thursday.club.tables.exists()


def test_a_table_of_the_club_or_of_another_is_refused_in_words(thursday, game, otto):
    other = a_club("friday", "Friday Club")
    assert isinstance(actions.take_in(other.write(), game.table.code), actions.ClubSaved)
    page = otto.post(thursday.url("tables/"), posted(thursday, code=game.table.code))
    assertContains(page, "one of another club", status_code=409)
    assertContains(page, f'value="{game.table.code}"', status_code=409)
    assert actions.take_in(other.write(), game.table.code).why == Why.IN_CLUB


def test_a_table_is_let_go_and_comes_back_as_it_was(thursday, banked, otto, alice):
    ben = banked.table.people.get(name="Ben")
    actions.take_in(thursday.write(), banked.table.code)
    on_roster = thursday.person("Benjamin", of=[ben])
    Sheet.objects.update(review="approved", oddities=" short ")
    url = thursday.url(f"tables/{banked.table.public_id}/let-go/")
    assertContains(otto.get(url), "What was said in the review of 1 sheet is lost.")
    fields = posted(thursday)
    for _ in range(2):  # the second tap of two
        assert otto.post(url, fields)["Location"] == thursday.url("tables/")
    sheet = banked.table.sheets.get()
    assert (sheet.club, sheet.review, sheet.oddities) == (None, "to_review", "")
    assert not Result.objects.exists()
    assert Person.objects.exclude(club_person=None).count() == 0
    assertContains(alice.get(banked.url("history/")), "let this table go")
    assert otto.get(thursday.url(f"tables/{banked.table.public_id}/")).status_code == 404
    actions.take_in(thursday.write(), banked.table.code)
    ben.refresh_from_db()
    assert ben.club_person == on_roster
    assert Result.objects.count() == 3


def test_letting_go_what_another_organiser_let_go_is_no_refusal(thursday, club_game):
    actions.let_go(thursday.write(thursday.otto), club_game.table.pk)
    assert actions.let_go(thursday.write(), club_game.table.pk).repeated
    assert actions.let_go(thursday.write(), 0).why == Why.NOT_THERE


# At a table of the club.


def test_the_page_of_a_table_shows_its_phones_and_sheets(thursday, club_game, otto):
    club_game.enter()
    club_game.end()
    page = otto.get(thursday.url(f"tables/{club_game.table.public_id}/"))
    for said in ("1 sheet, 1 hand.", "Ben 2, Alice 0, Cass 0", "started the table", "Remove"):
        assertContains(page, said)
    # No code and no link that makes anybody a member or a watcher.
    assertNotContains(page, club_game.table.code)
    assertNotContains(page, club_game.table.watch_id)


def test_a_phone_is_removed_also_the_one_that_started_the_table(thursday, club_game, otto, alice):
    rest = f"tables/{club_game.table.public_id}/phones/1/"
    assertContains(otto.get(thursday.url(f"{rest}remove/")), "Take the phone of Alice off")
    assert otto.post(thursday.url(f"{rest}remove/"), at(club_game)).status_code == 303
    assertContains(alice.get(club_game.url()), "An organiser removed this phone", status_code=403)
    page = otto.get(thursday.url(f"tables/{club_game.table.public_id}/"))
    assertContains(page, "Let back in")
    assert otto.post(thursday.url(f"{rest}back/"), at(club_game)).status_code == 303
    assert alice.get(club_game.url()).status_code == 200


def test_a_table_is_deleted_after_a_count_unless_somebody_plays_on(thursday, club_game, otto):
    club_game.enter()
    url = thursday.url(f"tables/{club_game.table.public_id}/delete/")
    assertContains(otto.get(url), "1 sheet, 1 hand.")
    fields = at(club_game)
    club_game.enter()
    stale = otto.post(url, fields)
    assertContains(stale, "entered hand 2", status_code=409)
    assertContains(stale, "1 sheet, 2 hands.", status_code=409)
    again = at(club_game)
    for _ in range(2):
        assert otto.post(url, again)["Location"] == thursday.url("tables/")
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    "rest", ["", "live/", "let-go/", "delete/", "phones/1/remove/", "phones/1/back/"]
)
def test_the_tables_of_another_club_are_not_there(thursday, club_game, rest):
    other = a_club("friday", "Friday Club")
    theirs, path = signed_in(other.otto), f"tables/{club_game.table.public_id}/{rest}"
    assert theirs.get(thursday.url(path)).status_code == 404
    assert theirs.get(other.url(path)).status_code == 404
    theirs.post(other.url(path), at(club_game))
    assert Table.objects.get().club == thursday.club
    assert not Member.objects.exclude(removed_at=None).exists()


# Looking on.


def test_an_organiser_looks_at_the_open_sheet_as_a_watcher_does(thursday, club_game, otto):
    club_game.enter()
    url = thursday.url(f"tables/{club_game.table.public_id}/live/")
    page = otto.get(url)
    assertContains(page, "320")
    assertContains(page, f'data-live="{url}"')
    assert page["Cache-Control"] == "private, no-store"
    body = page.content.decode()
    sheet = body[body.index('<section id="sheet"') : body.index("</section>")]
    assert "<form" not in sheet
    assert club_game.table.code not in body
    assert "/t/" not in body
    part = otto.get(url, headers=PART)
    assertContains(part, 'id="sheet"')
    assertNotContains(part, "<main")
    tag = re.search(r'data-etag="([^"]+)"', part.content.decode())
    same = otto.get(url, headers=PART | {"If-None-Match": tag[1].replace("&quot;", '"')})
    assert same.status_code == 304
    club_game.enter()
    later = otto.get(url, headers=PART | {"If-None-Match": tag[1].replace("&quot;", '"')})
    assertContains(later, f'data-version="{club_game.version}"')


def test_one_who_is_no_organiser_any_more_sees_nothing_new(thursday, club_game, otto):
    url = thursday.url(f"tables/{club_game.table.public_id}/live/")
    tag = otto.get(url, headers=PART)
    assert tag.status_code == 200
    thursday.club.organisers.filter(user=thursday.otto).delete()
    assert otto.get(url, headers=PART).status_code == 404


def test_no_page_of_a_table_opens_for_an_organiser_without_its_phone(club_game, otto, mara):
    row = club_game.enter()
    before = club_game.version
    sheet = club_game.sheet.public_id
    pages = ["", "hands/new/", f"hands/{row.public_id}/", f"hands/{row.public_id}/edit/"]
    pages += ["end/", "share/", "phones/", "names/", "history/", "settings/", f"{sheet}/paper/"]
    for client in (otto, mara):
        for rest in pages:
            assert client.get(club_game.url(rest)).status_code == 404
            if rest in ("hands/new/", "end/", "settings/"):
                assert client.post(club_game.url(rest), club_game.fields()).status_code == 404
    assert (club_game.version, Round.objects.count()) == (before, 1)


def test_a_stranger_signs_in_first(thursday, club_game):
    for rest in ("tables/", f"tables/{club_game.table.public_id}/", "people/", "names/", "open/"):
        answer = Client().get(thursday.url(rest))
        assert answer.status_code == 302
        assert answer["Location"].startswith("/account/sign-in/")


def test_the_list_of_tables_takes_no_more_queries_with_more_tables(
    thursday, new_game, otto, at_most_queries
):
    for n in range(3):
        game = thursday.take_in(new_game()[0])
        if n:
            Table.objects.filter(pk=game.table.pk).update(name=f"Table <{n}>")
    with at_most_queries(7):
        page = otto.get(thursday.url("tables/"))
    assertContains(page, "Alice, Ben and Cass")
    assertContains(page, escape("Table <2>"))


def test_the_history_of_a_club_tells_no_name_that_a_table_got_after_it_left(thursday, club_game):
    mara = signed_in(thursday.mara)
    Table.objects.filter(pk=club_game.table.pk).update(name="Ours")
    thursday_let_go = actions.let_go(thursday.write(), club_game.table.pk)
    assert isinstance(thursday_let_go, actions.ClubSaved)
    Table.objects.filter(pk=club_game.table.pk).update(name="Somebody else’s now")
    assertNotContains(mara.get(thursday.url("history/")), "Somebody else")
