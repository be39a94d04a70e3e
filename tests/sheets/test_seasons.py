"""Seasons: made, changed, removed and published by organisers."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import ClubChange, Season
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}
AUTUMN = {"name": "Autumn", "starts": "2026-09-01", "ends": "2026-12-31", "least_hands": "50"}


def fields(**changed):
    day = datetime.date.fromisoformat
    said = AUTUMN | changed
    return actions.SeasonFields(
        name=said["name"],
        starts=day(said["starts"]),
        ends=day(said["ends"]),
        least_hands=int(said["least_hands"]),
    )


def add(club_at, **changed):
    answer = actions.add_season(club_at.write(), fields(**changed))
    assert isinstance(answer, actions.ClubSaved), answer
    return Season.objects.get(pk=answer.change.after["season"])


@pytest.fixture
def autumn(thursday):
    return add(thursday)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_season_is_made_once_however_often_the_form_is_sent(thursday, otto, headers):
    url = thursday.url("seasons/new/")
    sent = opened(otto, url) | AUTUMN
    first = otto.post(url, sent, headers=headers)
    again = otto.post(url, sent, headers=headers)
    season = Season.objects.get()
    assert (season.name, season.starts, season.ends, season.least_hands) == (
        "Autumn",
        datetime.date(2026, 9, 1),
        datetime.date(2026, 12, 31),
        50,
    )
    for answer in (first, again):
        assert (answer.status_code, answer["Location"]) == (
            303,
            thursday.url(f"seasons/{season.pk}/"),
        )
    assertContains(otto.get(thursday.url("seasons/")), "1 September 2026 to 31 December 2026")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": " "}, "Type a name."),
        ({"name": "x" * 41}, "41 letters are too many"),
        ({"starts": ""}, "Choose a day."),
        ({"starts": "2026-02-30"}, "“2026-02-30” is no day."),
        ({"starts": "tomorrow"}, "“tomorrow” is no day."),
        ({"ends": "1234567890-01-01"}, "A year between 1900 and 2199, please."),
        ({"starts": "0001-01-01"}, "A year between 1900 and 2199, please."),
        ({"ends": "9999-12-31"}, "A year between 1900 and 2199, please."),
        ({"ends": "2026-08-31"}, "A season ends on the day it starts, or later."),
        ({"least_hands": "1000000000"}, "1000000000 is more than fits: 9999 at most."),
        ({"least_hands": "-1"}, "Nothing below 0 goes in here."),
        ({"least_hands": "many"}, "“many” is not a number."),
        ({"name": "ＡＵＴＵＭＮ"}, "Another season of this club has this name"),
    ],
)
def test_what_cannot_be_is_said_beside_what_was_typed(thursday, autumn, otto, wrong, sentence):
    url = thursday.url("seasons/new/")
    page = otto.post(url, opened(otto, url) | AUTUMN | {"name": "Other"} | wrong)
    assert page.status_code == 422
    assertContains(page, sentence, status_code=422)
    form = page.context["form"]
    assert {name: form[name].value() for name in AUTUMN} == AUTUMN | {"name": "Other"} | wrong
    assert Season.objects.get() == autumn


def test_two_clubs_may_call_a_season_alike(thursday, autumn):
    assert add(a_club("friday", "Friday Club")).name == autumn.name


def test_the_action_itself_refuses_an_end_before_the_start(thursday):
    answer = actions.add_season(thursday.write(), fields(ends="2026-08-31"))
    assert isinstance(answer, actions.Refused)
    assert answer.why == "season_ends"


def test_a_season_is_changed_and_keeps_its_own_name(thursday, autumn, otto):
    url = thursday.url(f"seasons/{autumn.pk}/edit/")
    sent = opened(otto, url)
    assert {name: sent[name] for name in AUTUMN} == AUTUMN
    assert otto.post(url, sent | {"least_hands": ""}).status_code == 303
    autumn.refresh_from_db()
    assert (autumn.name, autumn.least_hands) == ("Autumn", 0)
    change = ClubChange.objects.latest("version")
    assert (change.before["least_hands"], change.after["least_hands"]) == (50, 0)


def test_what_another_organiser_changed_meanwhile_is_said_and_nothing_typed_is_lost(
    thursday, autumn, otto
):
    url = thursday.url(f"seasons/{autumn.pk}/edit/")
    sent = opened(otto, url) | {"name": "Mine"}
    actions.change_season(thursday.write(), autumn.pk, fields(name="Theirs"))
    page = otto.post(url, sent)
    assertContains(page, "Mara changed the season Theirs", status_code=409)
    assert page.context["form"]["name"].value() == "Mine"
    # Having seen that, it is saved.
    assert otto.post(url, {n: page.context["form"][n].value() for n in sent}).status_code == 303
    assert Season.objects.get().name == "Mine"


def test_a_season_is_removed_after_a_question_and_removing_it_twice_is_no_error(
    thursday, autumn, otto
):
    url = thursday.url(f"seasons/{autumn.pk}/remove/")
    assertContains(otto.get(url), "Remove this season?")
    sent = opened(otto, url)
    for _ in range(2):
        answer = otto.post(url, sent)
        assert (answer.status_code, answer["Location"]) == (303, thursday.url("seasons/"))
    assert not Season.objects.exists()
    assert otto.get(url).status_code == 404


def test_what_was_typed_for_a_removed_season_makes_a_new_one(thursday, autumn, otto):
    url = thursday.url(f"seasons/{autumn.pk}/edit/")
    sent = opened(otto, url) | {"name": "Winter"}
    actions.remove_season(thursday.write(), autumn.pk)
    page = otto.post(url, sent)
    assertContains(page, "This season was removed meanwhile.", status_code=409)
    new = thursday.url("seasons/new/")
    assertContains(page, f'action="{new}"', status_code=409)
    form = page.context["form"]
    assert otto.post(new, {name: form[name].value() for name in sent}).status_code == 303
    assert Season.objects.get().name == "Winter"


def test_a_removed_season_is_refused_under_the_lock_too(thursday, autumn):
    seen = thursday.write().seen.version
    actions.remove_season(thursday.write(), autumn.pk)
    late = actions.publish_season(thursday.write(thursday.otto, seen=seen), autumn.pk)
    assert (late.why, late.club_change.kind) == ("stale", "season_removed")
    later = actions.publish_season(thursday.write(thursday.otto), autumn.pk)
    assert later.why == "no_season"


def test_a_link_is_made_renewed_and_taken_back(thursday, autumn, otto, client):
    url = thursday.url(f"seasons/{autumn.pk}/link/")
    links = []
    for _ in range(2):
        assert otto.post(url, opened(otto, url)).status_code == 303
        autumn.refresh_from_db()
        links.append(reverse("sheets:season_published", args=[autumn.published_id]))
        assertContains(otto.get(url), links[-1])
        assert client.get(links[-1]).status_code == 200
    assert client.get(links[0]).status_code == 404
    back = f"{url}back/"
    for _ in range(2):  # the second finds it done
        answer = otto.post(back, opened(otto, url))
        assert (answer.status_code, answer["Location"]) == (303, url)
    assert client.get(links[1]).status_code == 404
    assertNotContains(otto.get(url), "/seasons/None/")
    said = [change.kind for change in ClubChange.objects.order_by("-version")[:3]]
    assert said == ["season_hidden", "season_published", "season_published"]
    kept = str(list(ClubChange.objects.values_list("before", "after")))
    assert not any(link.split("/")[2] in kept for link in links)


def test_a_link_that_was_never_there_is_not_taken_back(thursday, autumn):
    answer = actions.hide_season(thursday.write(), autumn.pk)
    assert isinstance(answer, actions.Refused)


def test_two_organisers_who_publish_at_once_do_not_break_each_others_link(thursday, autumn, otto):
    url = thursday.url(f"seasons/{autumn.pk}/link/")
    sent = opened(otto, url)
    actions.publish_season(thursday.write(), autumn.pk)
    autumn.refresh_from_db()
    page = otto.post(url, sent)
    assertContains(page, "Mara published the season Autumn", status_code=409)
    assertContains(page, autumn.published_id, status_code=409)


def test_nothing_of_a_locked_club_changes_and_it_is_said(thursday, autumn, otto):
    type(thursday.club).objects.update(locked=True)
    url = thursday.url(f"seasons/{autumn.pk}/edit/")
    page = otto.post(url, opened(otto, url) | {"name": "Other"})
    assertContains(page, "has locked this club", status_code=409)


def test_whoever_was_just_taken_off_the_organisers_changes_nothing(thursday, autumn):
    thursday.club.organisers.filter(user=thursday.otto).delete()
    answer = actions.change_season(thursday.write(thursday.otto), autumn.pk, fields(name="x"))
    assert answer.why == "not_an_organiser"


def test_those_that_run_now_come_first_and_overlaps_are_said(thursday, otto):
    today = thursday.club.evening(datetime.datetime.now(datetime.UTC))

    def season(name, first, last):
        days = {"starts": first, "ends": last}
        return add(
            thursday,
            name=name,
            **{k: str(today + datetime.timedelta(days=n)) for k, n in days.items()},
        )

    season("Long ago", -100, -50)
    running = season("This one", -10, 10)
    season("Next", 11, 20)
    page = otto.get(thursday.url("seasons/"))
    assert [one.name for one, *_ in page.context["seasons"]] == ["This one", "Next", "Long ago"]
    assertContains(page, "running", 1)
    url = thursday.url(f"seasons/{running.pk}/")
    assertNotContains(otto.get(url), "overlaps")
    season("Cup", 10, 12)
    assertContains(otto.get(url), "It overlaps with Cup: an evening in both counts in both.")


@pytest.mark.parametrize("rest", ["", "edit/", "remove/", "link/", "standings.xlsx"])
def test_a_season_of_another_club_is_not_there(thursday, autumn, rest):
    friday = a_club("friday", "Friday Club")
    theirs = signed_in(friday.mara)
    assert theirs.get(friday.url(f"seasons/{autumn.pk}/{rest}")).status_code == 404
    assert theirs.get(thursday.url(f"seasons/{autumn.pk}/{rest}")).status_code == 404
    seen = {"key": str(uuid.uuid4()), "seen": "9"} | AUTUMN
    for url in (friday.url(f"seasons/{autumn.pk}/{rest}"), thursday.url(f"seasons/{autumn.pk}/x/")):
        assert theirs.post(url, seen).status_code in (303, 404, 405, 409)
    assert Season.objects.get() == autumn
