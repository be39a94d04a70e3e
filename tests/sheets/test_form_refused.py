"""Forms that Django refuses: each cause is said, with what to do, and nothing is written."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets.models import Table

START = "/tables/new/"
HTMX = {"HX-Request": "true"}


def start_fields(token=""):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "first_dealer": "0", "this_phone": "0"}
    fields |= {"name_0": "Ann", "name_1": "Ben", "name_2": "Cass"}
    return fields | {"csrfmiddlewaretoken": token}


@pytest.fixture
def strict(db):
    """A browser that has opened the page, and its token."""
    client = Client(enforce_csrf_checks=True)
    client.get(START)
    return client, client.cookies["csrftoken"].value


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_that_was_open_too_long_says_so(strict, headers):
    client, _token = strict
    answer = client.post(START, start_fields("x" * 32), headers=headers)
    assertContains(answer, "That form was open too long", status_code=403)
    assertContains(answer, f'href="{START}"', status_code=403)
    assert answer["Refused"] == "token"
    assert not Table.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_cookie_says_so(db, headers):
    answer = Client(enforce_csrf_checks=True).post(START, start_fields("x" * 32), headers=headers)
    assertContains(answer, "Your browser sent no cookie back", status_code=403)
    assertContains(answer, "Allow cookies for this site", status_code=403)
    assertNotContains(answer, "open too long", status_code=403)
    assert not Table.objects.exists()


def test_a_hidden_origin_says_so_and_where_the_page_is(strict, settings):
    settings.SHARED_URL = "https://sheets.example"
    client, token = strict
    answer = client.post(START, start_fields(token), headers={"Origin": "null"})
    assertContains(answer, "Your browser hid where that form came from", status_code=403)
    assertContains(answer, 'href="https://sheets.example/tables/new/"', status_code=403)
    assert not Table.objects.exists()


@pytest.mark.parametrize("origin", ["https://evil.example", "https://<b>" + "x" * 5000])
def test_a_wrong_origin_says_which_and_where_the_page_is(strict, settings, origin):
    settings.SHARED_URL = "https://sheets.example"
    client, token = strict
    answer = client.post(START, start_fields(token), headers={"Origin": origin})
    assertContains(answer, "That form came from another address", status_code=403)
    assertContains(answer, 'href="https://sheets.example/tables/new/"', status_code=403)
    assertContains(answer, "PUBLIC_URL has to be the address people open", status_code=403)
    shown = origin[:100].replace("<", "&lt;").replace(">", "&gt;")
    assertContains(answer, f"<b>{shown}</b>", status_code=403)
    assert not Table.objects.exists()


def test_https_without_origin_and_referer_says_that_both_were_hidden(strict):
    client, token = strict
    for headers in ({}, {"Referer": "nonsense"}, {"Referer": "https://evil.example/"}):
        answer = client.post(START, start_fields(token), headers=headers, secure=True)
        assertContains(answer, "Your browser hid where that form came from", status_code=403)


def test_the_right_token_saves(strict):
    client, token = strict
    headers = {"Origin": "http://testserver"}
    assert client.post(START, start_fields(token), headers=headers).status_code == 303
    assert Table.objects.count() == 1


@pytest.mark.parametrize("page", [START, "/join/AB01K9/"])
def test_a_table_whose_cookie_did_not_come_back_is_said_to_need_one(game, client, page):
    """The browser follows the redirect from the page it was on, without the new cookie."""
    came = {"Referer": f"http://testserver{page}"}
    sentence = "this browser kept no cookie"
    assertContains(client.get(game.url(), headers=came), sentence, status_code=404)
    nowhere = client.get("/t/nowhere/", headers=came)
    assertContains(nowhere, sentence, status_code=404)
    assertNotContains(client.get(game.url()), sentence, status_code=404)
    other = Client()
    other.cookies["phone"] = "x" * 43
    assertNotContains(other.get(game.url(), headers=came), sentence, status_code=404)
