"""A banked sheet of a club says whom its players tell of a wrong hand."""

from __future__ import annotations

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets.models import Change, Club, ClubChange, User

ASK = "Is a hand wrong? Ask an organiser of Thursday Club"


@pytest.fixture
def pages(club_game):
    """The pages of a banked sheet: the result, its hands, one hand."""
    row = club_game.enter()
    club_game.end()
    return [
        club_game.url(),
        club_game.sheet.get_absolute_url(),
        club_game.url(f"hands/{row.public_id}/"),
    ]


def test_the_organisers_by_the_names_they_gave_and_no_address(thursday, alice, pages):
    thursday.club.organisers.create(user=User.objects.create_user("nora@club.example"))
    called = User.objects.create_user("paul@club.example", name="paul@club.example")
    thursday.club.organisers.create(user=called)
    for url in pages:
        page = alice.get(url)
        assertContains(page, f"{ASK}: Mara and Otto")
        assertNotContains(page, "@")
    User.objects.update(name="")
    assertContains(alice.get(pages[0]), f"{ASK}.")


def test_what_the_club_says_instead_and_history_keeps_none_of_it(thursday, alice, mara, pages):
    settings = {"name": "Thursday Club", "time_zone": "Europe/Berlin", "confirm": "off"}
    form = mara.get(thursday.url("settings/")).context["form"]
    settings |= {name: str(form[name].value()) for name in ("key", "seen")}
    too_long = mara.post(thursday.url("settings/"), settings | {"contact": "w" * 201})
    assertContains(too_long, "201 letters are too many: 200 fit.", status_code=422)
    settings["contact"] = "  Mara at the <bar>\n0151 234 "
    assert mara.post(thursday.url("settings/"), settings).status_code == 303
    assertContains(alice.get(pages[0]), f"{ASK}: Mara at the &lt;bar&gt; 0151 234")
    assertContains(mara.get(thursday.url("settings/")), 'value="Mara at the &lt;bar&gt; 0151 234"')
    history = mara.get(thursday.url("history/"))
    assertContains(history, "players now read something else about whom to ask")
    told = [
        *ClubChange.objects.values_list("before", "after"),
        *Change.objects.values_list("after"),
    ]
    assert "0151" not in str(told) + history.content.decode()


def test_nothing_of_it_while_the_match_goes_on_or_without_a_club(game, alice, thursday):
    thursday.take_in(game)
    row = game.enter()
    for url in (game.url(), game.url(f"hands/{row.public_id}/")):
        assertNotContains(alice.get(url), "Is a hand wrong?")
    game.end()
    assertContains(alice.get(game.url()), ASK)
    type(game.table).objects.update(club=None)
    Club.objects.update(contact="Mara")
    assertNotContains(alice.get(game.url()), "Is a hand wrong?")
