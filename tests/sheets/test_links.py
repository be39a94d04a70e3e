"""Our links, pasted into a field for a code: each leads where it would have led."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets import codes, links

SECRET, WATCH = "q" * 21 + "-", "w" * 16
OTHER = "s" * 43


@pytest.mark.parametrize(
    ("typed", "page", "secret"),
    [
        (f"https://sheets.example/join/{SECRET}/", "join_link", SECRET),
        (f"http://192.0.2.1:8000/join/{SECRET}", "join_link", SECRET),
        (f"HTTP://sheets.example/join/{SECRET}/?x=1#top", "join_link", SECRET),
        (f"sheets.example/join/{SECRET}/", "join_link", SECRET),
        (f"/join/{SECRET}/", "join_link", SECRET),
        (f"Join us at https://sheets.example/join/{SECRET}/.", "join_link", SECRET),
        (f"(https://sheets.example/join/{SECRET}/)", "join_link", SECRET),
        (f"“https://sheets.example/join/{SECRET}”, said Ann", "join_link", SECRET),
        (f"<https://sheets.example/join/{SECRET}/>", "join_link", SECRET),
        (f"https://www.example/ and https://sheets.example/join/{SECRET}/", "join_link", SECRET),
        ("https://sheets.example/join/ab01-k9", "join", "ab01-k9"),
        ("https://sheets.example/join/AB01%20K9/", "join", "AB01 K9"),
        (f"https://sheets.example/watch/{WATCH}/", "watch", WATCH),
        (f"https://sheets.example/watch/{WATCH}", "watch", WATCH),
        (f"https://sheets.example/tables/new/{SECRET}/", "table_new_club", SECRET),
        (f"https://sheets.example/phone/{OTHER}", "phone_link", OTHER),
        (f"https://sheets.example/invitations/{OTHER}/", "invitation", OTHER),
        (f"https://sheets.example/seasons/{WATCH}/", "season_published", WATCH),
        (f"https://sheets.example/t/{WATCH}/", "table", WATCH),
    ],
)
def test_a_link_is_found_among_words_and_punctuation(typed, page, secret):
    found = links.read(typed)
    assert found is not None
    assert (found.page, found.secret) == (page, secret)


@pytest.mark.parametrize(
    "typed",
    [
        *("", "AB01K9", "AB01K9/", "/", "//", "https://sheets.example/", "/admin/", "/account/"),
        *("/clubs/", "/tables/new/", "/static/x", "https://", "/t/x/end/", "join/", "/join/"),
    ],
)
def test_what_is_no_link_to_send_around_is_none(typed):
    assert links.read(typed) is None


def paste(client, code):
    return client.post("/join/", {"code": code})


@pytest.mark.parametrize("around", ["{}", "Watch us: {}.", "({})"])
def test_links_that_were_pasted_lead_to_their_pages(game, thursday, client, around):
    for path in (
        f"/join/{game.table.join_secret}/",
        f"/watch/{game.table.watch_id}/",
        f"/tables/new/{thursday.club.start_secret}/",
        game.url(),
    ):
        answer = paste(client, around.format(f"https://sheets.example{path}"))
        assert (answer.status_code, answer["Location"]) == (303, path)


def test_an_old_link_to_join_by_a_code_is_read_as_that_code(game, client):
    answer = paste(client, f"https://sheets.example/join/{game.table.code.lower()}.")
    assert answer["Location"] == f"/join/{game.table.join_secret}/"


def test_nobody_is_led_away_by_a_pasted_link(client, db):
    for typed in ("https://evil.example//evil.example/t/x/", "//evil.example/t/x/"):
        answer = paste(client, typed)
        assert not answer.get("Location", "/").startswith("//")


def test_other_links_than_a_tables_are_no_code_where_only_a_table_will_do(game, client, thursday):
    fields = {"seen": "0", "code": f"https://sheets.example/watch/{game.table.watch_id}/"}
    organiser = Client()
    organiser.force_login(thursday.otto, backend="django.contrib.auth.backends.ModelBackend")
    page = organiser.post(thursday.url("tables/"), fields)
    assertContains(page, "No table has this code.", status_code=422)


def test_a_dead_link_is_said_and_its_secret_not_put_into_the_field(game, client):
    secret = codes.new_link_secret()
    page = client.get(f"/join/{secret}/")
    assertContains(page, "This link opens no table now", status_code=404)
    assertNotContains(page, f'value="{secret}"', status_code=404)
