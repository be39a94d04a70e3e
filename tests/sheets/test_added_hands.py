"""Organisers add a forgotten hand, or a correction, to a banked sheet; staff in the admin too."""

from __future__ import annotations

import dataclasses
import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from rules.auction import HouseRules, Pot
from sheets import actions, standings
from sheets.models import Change, Review, Sheet, User
from tests.sheets import files
from tests.sheets.clubs import a_club, signed_in
from tests.sheets.test_concurrency import all_at_once
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

REASON = "It was on the slip"


@pytest.fixture
def banked(club_game, thursday):
    """A banked sheet of the club: three hands that Ben made, of an evening two days ago."""
    for _hand in range(3):
        club_game.enter()
    club_game.end()
    thursday.match_all()
    then = timezone.now() - datetime.timedelta(days=2)
    sheet = club_game.sheet
    Sheet.objects.filter(pk=sheet.pk).update(played_at=then)
    sheet.rounds.update(entered_at=then)
    return club_game


def address(club, game, rest):
    return club.url(f"sheets/{game.sheet.public_id}/{rest}")


def before(row):
    return f"hands/{row.public_id}/before/"


def sent(client, url, game, **changed):
    """What a browser sends from the page of the form as it opened it."""
    form = client.get(url).context["form"]
    opened = {name: str(form[name].value()) for name in ("key", "seen", "sheet", "dealer")}
    return game.fields() | opened | {"reason": REASON} | changed


def add(game, club, hand=None, *, user=None, place=None, seen=None):
    return actions.add_hand(
        club.at(game.table, user, seen=seen),
        game.sheet.public_id,
        hand or game.played(0, 350),
        reason=REASON,
        before=place and place.public_id,
    )


def units(club):
    return {row.name: row.figures.units for row in standings.standings(club.club, None).rows}


def test_a_hand_goes_before_another_or_below_the_last_and_standings_follow(banked, thursday, otto):
    sheet, rows = address(thursday, banked, ""), banked.standing
    assertContains(otto.get(sheet), address(thursday, banked, "hands/new/"))
    correct = address(thursday, banked, f"hands/{rows[1].public_id}/correct/")
    assertContains(otto.get(correct), address(thursday, banked, before(rows[1])))
    assert units(thursday) == {"Alice": 0, "Ben": 6, "Cass": 0}
    url, alice = address(thursday, banked, before(rows[1])), str(banked.players[0].pk)
    assertContains(otto.get(url), "A forgotten hand, as hand 2")
    fields = sent(otto, url, banked, bidder=alice)
    assert otto.post(url, fields)["Location"] == sheet
    assert otto.post(url, fields).status_code == 303  # sent twice
    assert [row.bidder.name for row in banked.standing] == ["Ben", "Alice", "Ben", "Ben"]
    url = address(thursday, banked, "hands/new/")
    assertContains(otto.get(url), "It goes below the last hand.")
    assert otto.post(url, sent(otto, url, banked, bidder=alice))["Location"] == sheet
    assert [row.bidder.name for row in banked.standing] == ["Ben", "Alice", "Ben", "Ben", "Alice"]
    assert units(thursday) == {"Alice": 4, "Ben": 6, "Cass": 0}
    assert banked.sheet.results.get(person__name="Alice").hands == 5
    assert " after_end " in banked.sheet.oddities
    page = otto.get(sheet)
    assertContains(page, f"Added by Otto. {REASON}", count=2)
    said = (
        f"put in a forgotten hand as hand 2: Alice 320 hearts made (2 · 0 · 0), because: {REASON}"
    )
    assertContains(page, said)
    assert_history_tells_the_sheet(banked)


def test_what_is_missing_or_doubtful_is_said_and_what_was_typed_stays(banked, thursday, otto):
    url = address(thursday, banked, "hands/new/")
    fields = sent(otto, url, banked, reason="", outcome="set")
    page = otto.post(url, fields)
    assertContains(page, "Say why: it stays on record.", status_code=422)
    assertContains(page, "Why is it added?", status_code=422)
    assertContains(page, 'name="outcome" value="set" checked', status_code=422)
    page = otto.post(url, fields | {"reason": REASON, "bid": "250", "dealer": fields["bidder"]})
    assert page.status_code == 303  # left with the dealer
    assert banked.totals == [2, 6, 2]


def test_a_correction_is_added_with_what_it_is_for_as_the_reason(banked, thursday, otto):
    url = address(thursday, banked, "corrections/new/")
    form = otto.get(url).context["form"]
    columns = dict(zip((f"units_{one.pk}" for one in banked.players), ("4", "", ""), strict=True))
    fields = {name: str(form[name].value()) for name in ("key", "seen", "sheet")} | columns
    assertContains(otto.post(url, fields | {"why": ""}), "Say what it is for", status_code=422)
    assert otto.post(url, fields | {"why": "A gift"}).status_code == 303
    change = Change.objects.latest("pk")
    assert (change.kind, change.user, change.reason) == ("hand_entered", thursday.otto, "A gift")
    assert units(thursday) == {"Alice": 4, "Ben": 6, "Cass": 0}
    page = otto.get(address(thursday, banked, ""))
    assertContains(page, "entered a correction as hand 4: 4 · 0 · 0 (A gift)")
    assertNotContains(page, "because: A gift")
    assert_history_tells_the_sheet(banked)


def test_an_evening_stays_the_one_it_was_even_when_the_match_goes_on(banked, thursday):
    evening = banked.sheet.played_at
    assert isinstance(add(banked, thursday), actions.Saved)
    assert banked.sheet.played_at == evening
    actions.reopen(thursday.at(banked.table), banked.sheet.public_id, "Once more")
    banked.end()
    assert banked.sheet.played_at == evening


def test_a_hand_before_others_moves_what_they_took_from_the_pot(thursday, new_game):
    game, *_ = new_game(house=HouseRules(pot=Pot(ante=1, winning_bid=410)))
    thursday.take_in(game)
    takes_it = game.enter(game.played(bid=410))
    game.end()
    lost, sheet = game.played(0, 350, outcome="set"), game.sheet.public_id
    write, place = thursday.at(game.table), {"reason": REASON, "before": takes_it.public_id}
    asked = actions.add_hand(write, sheet, lost, **place)
    assert (asked.why, len(game.standing)) == ("moves", 1)
    assert [(one.number, one.before[0][1], one.after[0][1]) for one in asked.moves] == [(2, 11, 15)]
    answer = actions.add_hand(dataclasses.replace(write, agreed=asked.agreed), sheet, lost, **place)
    assert isinstance(answer, actions.Saved)
    assert game.totals == [0, 19, 4]
    assert_history_tells_the_sheet(game)


# What happened meanwhile.


@pytest.mark.parametrize("meanwhile", ["approved", "reopened", "ended again", "added"])
def test_another_sheet_than_the_one_that_was_looked_at_is_asked_about(
    banked, thursday, otto, mara, meanwhile
):
    url, sheet = address(thursday, banked, "hands/new/"), banked.sheet.public_id
    fields = sent(otto, url, banked)
    owner = thursday.at(banked.table, thursday.mara)
    match meanwhile:
        case "approved":
            actions.review(owner, sheet, Review.APPROVED)
        case "reopened":
            actions.reopen(owner, sheet, "A hand is missing")
        case "ended again":
            actions.reopen(owner, sheet, "A hand is missing")
            banked.end()
        case "added":
            add(banked, thursday, user=thursday.mara)
    page = otto.post(url, fields)
    assertContains(page, "Somebody else was quicker.", status_code=409)
    assertContains(page, f'value="{REASON}"', status_code=409)
    again = otto.post(url, fields | {"seen": str(banked.version)})
    if meanwhile == "reopened":
        assertContains(again, "its players enter a forgotten hand themselves", status_code=409)
        assert len(banked.standing) == 3
        assert otto.get(url)["Location"] == address(thursday, banked, "")
        assertNotContains(otto.get(address(thursday, banked, "")), "hands/new/")
    else:
        assert again.status_code == 303
        assert len(banked.standing) == (5 if meanwhile == "added" else 4)


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
def test_two_organisers_who_add_the_same_hand_at_once_add_one(banked, thursday):
    writes = [thursday.at(banked.table), thursday.at(banked.table, thursday.mara)]
    sheet, hand = banked.sheet.public_id, banked.played(0, 350)
    answers = all_at_once(
        [
            lambda write=write: actions.add_hand(write, sheet, hand, reason=REASON)
            for write in writes
        ]
    )
    assert [one.why for one in answers if isinstance(one, actions.Refused)] == ["stale"]
    assert len(banked.standing) == 4
    assert banked.sheet.results.get(person__name="Alice").units == banked.totals[0] > 0


# Who may.


def test_organisers_of_the_club_and_staff_add_and_nobody_else(banked, thursday, otto, new_game):
    friday, row = a_club("friday", "Friday Club"), banked.standing[0]
    staff = User.objects.create_superuser("staff@club.example", "correct horse")
    assert add(banked, thursday, user=friday.mara).why == "not_an_organiser"
    for rest in (before(row), "hands/new/", "corrections/new/"):
        for club in (friday, thursday):
            assert signed_in(friday.mara).get(address(club, banked, rest)).status_code == 404
    other, *_ = new_game(("Dora", "Emil", "Fay"))
    thursday.take_in(other)
    elsewhere = other.enter()
    assert otto.get(address(thursday, banked, before(elsewhere))).status_code == 404
    assert add(banked, thursday, place=elsewhere).why == "not_there"
    assert isinstance(add(banked, thursday, user=staff), actions.Saved)
    thursday.club.locked = True
    thursday.club.save()
    assert add(banked, thursday).why == "club_locked"
    assert len(banked.standing) == 4


def test_a_discarded_sheet_gets_no_hand(club_game, thursday):
    club_game.enter()
    sheet = club_game.sheet.public_id
    actions.discard_sheet(thursday.at(club_game.table), sheet, "A mistake")
    answer = actions.add_hand(
        thursday.at(club_game.table), sheet, club_game.played(), reason=REASON
    )
    assert answer.why == "not_banked"


def test_staff_add_a_hand_in_the_admin_where_a_table_has_no_club(game):
    staff = User.objects.create_superuser("staff@club.example", "correct horse")
    client, row = signed_in(staff), game.enter()
    chosen = {"action": "add_a_hand_before", "_selected_action": [row.pk]}
    url = reverse("admin:sheets_round_before", args=[row.pk])
    assert client.post(reverse("admin:sheets_round_changelist"), chosen).url == url
    fields = sent(client, url, game, bidder=str(game.players[0].pk))
    assertContains(client.post(url, fields), "enter a forgotten hand themselves", status_code=409)
    game.end()
    fields |= {"seen": str(game.version)}
    assertContains(client.post(url, fields, follow=True), "The hand is added.")
    assert [one.bidder.name for one in game.standing] == ["Alice", "Ben"]


# A file.


@pytest.mark.on_postgresql
def test_an_added_hand_comes_back_from_a_file_with_who_added_it_and_why(banked, thursday):
    assert isinstance(add(banked, thursday, place=banked.standing[0]), actions.Saved)
    data, totals = files.club_file(thursday.club), banked.totals
    files.empty()
    elsewhere = a_club("friday", "Friday Club")
    files.brought(elsewhere, data)
    sheet = Sheet.objects.get()
    assert [player.total for player in sheet.players.all()] == totals
    page = signed_in(elsewhere.otto).get(elsewhere.url(f"sheets/{sheet.public_id}/"))
    assertContains(page, f"Added by Otto. {REASON}")
    assertContains(page, f"because: {REASON}")
    assert sheet.rounds.earliest("position").entered_by is None
