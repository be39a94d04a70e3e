"""Erasing a person: the name is nowhere any more, the numbers are where they were."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Change, Member, Person, Player
from tests.sheets.posting import opened
from tests.sheets.test_access import everything
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

HTMX = {"HX-Request": "true"}


def next_sheet(game, *names):
    answer = actions.play_again(game.write(), names, 0)
    assert isinstance(answer, actions.Saved)


@pytest.fixture
def zelda(game, ben):
    """Ben is renamed twice, ends as Zelda, plays an evening and is not at the next one."""
    for name in ("Zeldina", "Zelda"):
        names = {p.pk: name if p.place == 1 else p.name for p in game.players}
        actions.rename(game.write(), game.sheet.public_id, "", names)
    game.enter()
    game.enter(game.played(bidder=0), game.ben)
    game.end(game.ben)
    next_sheet(game, "Alice", "Dan", "Cass")
    return Person.objects.get(name="Zelda")


def url_of(game, person):
    return game.url(f"people/{person.pk}/erase/")


def every_page(game, client):
    """All that a member can look at: each page of the table, its sheets and its hands."""
    paths = ["", "history/", "evenings/", "share/", "names/", "seats/", "who/", "dealer/", "end/"]
    paths += ["again/", "privacy/", "delete/", "hands/new/"]
    paths += [f"people/{person.pk}/erase/" for person in game.table.people.all()]
    for sheet in game.table.sheets.all():
        paths += [f"{sheet.public_id}/", f"{sheet.public_id}/paper/", f"{sheet.public_id}/reopen/"]
        paths += [f"hands/{row.public_id}/" for row in sheet.rounds.all()]
    pages = [client.get(game.url(path)) for path in paths]
    assert {page.status_code for page in pages} <= {200, 303}
    return [*pages, client.get("/"), client.get(f"/join/{game.table.code}")]


def test_names_and_seats_and_privacy_list_who_can_be_erased(game, alice, zelda):
    for page in (alice.get(game.url("names/")), alice.get(game.url("privacy/"))):
        assertContains(page, f'href="{url_of(game, zelda)}">Erase Zelda</a>')
        assertNotContains(page, "Erase Alice")
    game.enter()
    game.end()
    assertContains(alice.get(game.url("privacy/")), "Erase Alice")


def test_the_page_says_what_happens_and_what_does_not(game, alice, zelda):
    page = alice.get(url_of(game, zelda))
    assertContains(page, "Zelda becomes “a former player”")
    assertContains(page, "The numbers stay.")
    assertContains(page, "Change it under Names and seats.")
    assertContains(page, "Their phone stays at the table, as nobody's.")


@pytest.mark.on_postgresql
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_name_is_in_no_table_and_on_no_page_any_more(game, alice, zelda, headers):
    numbers = list(Player.objects.order_by("pk").values_list("pk", "total", "place"))
    assert "Zeld" in str(everything())
    url = url_of(game, zelda)
    answer = alice.post(url, opened(alice, url), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url("privacy/"))
    assert "zeld" not in str(everything()).casefold()
    for page in every_page(game, alice):
        assert "zeld" not in page.content.decode().casefold(), page.request["PATH_INFO"]
    assert list(Player.objects.order_by("pk").values_list("pk", "total", "place")) == numbers
    assert Member.objects.get(phone=game.ben).person is None
    change = Change.objects.latest("pk")
    assert (change.kind, change.before, change.after) == (
        "person_erased",
        None,
        {"person": zelda.pk},
    )
    assert_history_tells_the_sheet(game)


def test_history_and_the_old_sheet_read_right_afterwards(game, alice, zelda):
    banked = game.table.sheets.get(state="banked")
    actions.erase_person(game.write(), zelda.pk)
    what = [f"{who} {what}" for _at, who, what in alice.get(game.url("history/")).context["events"]]
    assert what[0] == "Alice erased the name of a former player"
    assert "Phone 2 entered hand 2: Alice 320 hearts made (2 · 0 · 0)" in what
    assert "Alice entered hand 1: a former player 320 hearts made (0 · 2 · 0)" in what
    assert "Alice a former player is now called a former player" in what
    assertContains(alice.get(banked.get_absolute_url()), "a former player")
    assertContains(alice.get(game.url("evenings/")), "Tie between Alice and a former player")


@pytest.mark.on_postgresql
def test_sent_twice_and_by_two_phones_it_happens_once(game, alice, ben, zelda):
    url = url_of(game, zelda)
    mine, theirs = opened(alice, url), opened(ben, url)
    for phone, fields in ((alice, mine), (alice, mine), (ben, theirs)):
        assert phone.post(url, fields).status_code == 303
    assert Change.objects.filter(kind="person_erased").count() == 1
    assertContains(alice.get(url), "This name has been erased.")
    assertNotContains(alice.get(game.url("privacy/")), "Erase a former player")


def test_who_sits_at_the_open_sheet_is_refused_in_words(game, alice):
    ben = game.players[1].person
    url = url_of(game, ben)
    assertContains(alice.get(url), "Ben sits at the open sheet.")
    fields = {"key": str(game.write().key), "seen": str(game.version)}
    page = alice.post(url, fields)
    assertContains(page, "End the match first, then erase the name.", status_code=409)
    assert Person.objects.filter(name="Ben").exists()
    game.enter()
    game.end()
    assert alice.post(url, opened(alice, url)).status_code == 303


@pytest.fixture
def two_erased(game):
    """Alice and Ben sat at one sheet and were both erased after its end."""
    game.enter()
    game.end()
    for player in game.players[:2]:
        saved = actions.erase_person(game.write(), player.person_id)
        assert isinstance(saved, actions.Saved)
    return game.sheet


def test_two_erased_people_of_one_sheet_keep_their_columns(game, alice, two_erased):
    names = [(p.name, p.total) for p in game.players]
    assert names == [("a former player", 0), ("a former player", 2), ("Cass", 0)]
    keys = [p.name_key for p in game.players]
    assert len(set(keys)) == 3
    assertContains(alice.get(game.url()), "a former player wins with 2")


def test_play_again_asks_for_names_where_people_were_erased(game, alice, two_erased):
    url = game.url("again/")
    form = alice.get(url).context["form"]
    assert [form[f"name_{seat}"].value() for seat in range(3)] == ["", "", "Cass"]
    fields = opened(alice, url) | {"name_0": "a former player", "name_1": "Eve"}
    assert alice.post(url, fields).status_code == 303
    # Whoever types those words is somebody new: nobody is who was erased.
    assert Person.objects.count() == 5


def test_a_reopened_sheet_with_erased_people_can_be_renamed(game, alice, two_erased):
    actions.reopen(game.write(), two_erased.public_id)
    url = game.url("names/")
    form = alice.get(url).context["names_form"]
    fields = {f.name: str(f.value() or "") for f in form}
    cass = f"name_{game.players[2].pk}"
    assert alice.post(url, fields | {cass: "Cassandra"}).status_code == 303
    assert [p.name for p in game.players] == ["a former player", "a former player", "Cassandra"]
    # A name given again can be erased again.
    first = game.players[0]
    fields = fields | {
        f"name_{first.pk}": "Alicia",
        cass: "Cassandra",
        "key": str(game.write().key),
        "seen": str(game.version),
    }
    assert alice.post(url, fields).status_code == 303
    game.end()
    assert isinstance(actions.erase_person(game.write(), first.person_id), actions.Saved)
    assert "Alicia" not in str(everything())
    assert "Alicia" not in alice.get(game.url("history/")).content.decode()


def test_the_tables_own_name_is_left_alone_and_the_page_says_so(game, alice, zelda):
    names = {p.pk: p.name for p in game.players}
    actions.rename(game.write(), game.sheet.public_id, "Zelda's evening", names)
    page = alice.get(url_of(game, zelda))
    assertContains(page, "The table itself is called “Zelda&#x27;s evening”")
    actions.erase_person(game.write(), zelda.pk)
    game.table.refresh_from_db()
    assert game.table.name == "Zelda's evening"
