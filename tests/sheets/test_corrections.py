"""Corrections: rows with a reason and no dealer, for what the table agreed on beside its hands."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes, queries
from sheets.models import Change, Round, User
from tests.sheets.test_history_replay import assert_history_tells_the_sheet

NEW = "corrections/new/"


def assert_leads(answer, url):
    assert (answer.status_code, answer.headers.get("Location")) == (303, url)


@pytest.fixture
def staff(db):
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "secret", name="Sam"))
    return client


def fields(game, *typed, **changed):
    """The fields of the form, as a browser would post them."""
    units = {f"units_{p.pk}": text for p, text in zip(game.players, typed, strict=True)}
    sheet = {"key": str(uuid.uuid4()), "seen": str(game.version), "sheet": game.sheet.public_id}
    return sheet | {"why": "A gift"} | units | changed


def told(client, game):
    _at, who, what = client.get(game.url("history/")).context["events"][0]
    return f"{who} {what}"


def corrected(game, *units, **words):
    return game.enter(game.correction(*units, **words))


def test_a_correction_is_a_row_like_others_and_nobodys_deal(game, alice):
    game.enter()
    page = alice.get(game.url(NEW))
    assertContains(page, "Save as hand 2")
    answer = alice.post(game.url(NEW), fields(game, "4", "", "0", why=" A  gift for\tAlice "))
    row = Round.objects.get(kind="correction")
    assert_leads(answer, f"{game.url()}?saved={row.public_id}")
    assert (row.reason, row.dealer, game.totals) == ("A gift for Alice", None, [4, 2, 0])
    sheet = alice.get(game.url())
    assertContains(sheet, '<span class="who">Correction</span>')
    assertContains(sheet, "A gift for Alice")
    # Alice dealt the hand before it, so Ben deals the next, and of deals there was one.
    where = queries.where_next(game.sheet, queries.again(game.sheet)[1])
    assert (where.number, where.dealer.name) == (3, "Ben")
    assert told(alice, game) == "Alice entered a correction as hand 2: 4 · 0 · 0 (A gift for Alice)"
    paper = alice.get(game.url(f"{game.sheet.public_id}/paper/"))
    assertContains(paper, "A gift for Alice")
    ended = game.end()
    assert ended.change.after == {"hands": 1}
    assertContains(alice.get(game.url()), "1 hand;")
    assert_history_tells_the_sheet(game)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"why": ""}, "Say what it is for: it shows on the sheet."),
        ({"why": "\u200b \u2800"}, "Say what it is for: it shows on the sheet."),
        ({"why": "x" * 201}, "201 letters are too many: 200 fit."),
        ({"units": ("0", "", "0")}, "with nothing but 0 there is no correction"),
        ({"units": ("-4", "", "0")}, "Nobody takes in less than 0"),
        ({"units": ("four", "", "0")}, "“four” is not a number."),
        ({"units": ("10000", "", "0")}, "9999 at most"),
    ],
)
def test_what_is_missing_or_cannot_be_is_said_and_nothing_is_saved(game, alice, changed, said):
    units = changed.pop("units", ("4", "0", "0"))
    answer = alice.post(game.url(NEW), fields(game, *units, **changed))
    assertContains(answer, said, status_code=422)
    assert not Round.objects.exists()
    # What was typed is still there.
    assert answer.context["form"][f"units_{game.players[0].pk}"].value() == units[0]


def test_a_correction_sent_twice_is_one(game, alice):
    posted = fields(game, "4", "", "")
    for _ in range(2):
        assert alice.post(game.url(NEW), posted).status_code == 303
    assert game.totals == [4, 0, 0]


def test_two_phones_with_the_same_correction_are_asked(game, alice, ben):
    mine = fields(game, "4", "", "")
    ben.post(game.url(NEW), fields(game, "4", "", ""))
    answer = alice.post(game.url(NEW), mine)
    assertContains(answer, "Ben entered a correction as hand 1: 4 · 0 · 0", status_code=409)
    assertContains(answer, "Another one: save as hand 2", status_code=409)
    assert game.totals == [4, 0, 0]


def test_a_correction_after_the_end_or_from_a_removed_phone_is_told_so(game, alice, ben):
    game.enter()
    late = fields(game, "4", "", "")
    game.end()
    answer = alice.post(game.url(NEW), late)
    assertContains(answer, "Alice ended this match at", status_code=409)
    assertContains(answer, 'value="A gift"', status_code=409)
    assert_leads(alice.get(game.url(NEW)), game.url())
    actions.remove_phone(game.write(), 2)
    assertContains(ben.post(game.url(NEW), late), "Alice removed this phone", status_code=403)
    assert game.totals == [0, 2, 0]


def test_a_half_hand_is_settled_first_right_there(game, alice):
    actions.change_settings(game.write(), True, False)
    actions.enter_number(game.write(), game.sheet.public_id, game.players[0].pk, 4)
    answer = alice.post(game.url(NEW), fields(game, "", "4", ""))
    assertContains(answer, "A hand still waits for numbers.", status_code=409)
    assertContains(answer, "0 for the missing", status_code=409)
    assert not Round.objects.filter(kind="correction").exists()


def test_a_correction_is_changed_in_its_own_form_taken_back_and_put_back(game, alice):
    row = corrected(game, 4, 0, 0)
    url = game.url(f"hands/{row.public_id}/")
    assertContains(alice.get(url), "Change this correction")
    page = alice.get(f"{url}edit/")
    assertContains(page, 'value="A gift"')
    assertNotContains(page, "Who bid?")
    answer = alice.post(f"{url}edit/", fields(game, "", "6", "", why="A penalty"))
    assert_leads(answer, url)
    assert game.totals == [0, 6, 0]
    assert told(alice, game) == (
        "Alice changed hand 1 from correction 4 · 0 · 0 (A gift) "
        "to correction 0 · 6 · 0 (A penalty)"
    )
    for step, totals in (("take-back", [0, 0, 0]), ("put-back", [0, 6, 0])):
        posted = {"key": str(uuid.uuid4()), "seen": str(game.version)}
        assert alice.post(f"{url}{step}/", posted).status_code == 303
        assert game.totals == totals
    assert_history_tells_the_sheet(game)


def test_a_hand_and_a_correction_do_not_become_each_other(game):
    hand, row = game.enter(), corrected(game, 4, 0, 0)
    for public_id, entered in (
        (hand.public_id, game.correction(4, 0, 0)),
        (row.public_id, game.played()),
        (row.public_id, game.typed(4, 0, 0)),
    ):
        answer = actions.edit_hand(game.write(), public_id, entered)
        assert answer.why == actions.Why.OTHER_ROW
    assert game.totals == [4, 2, 0]


def test_a_correction_is_confirmed_like_a_hand(game, alice, ben):
    actions.change_settings(game.write(), False, True)
    row = corrected(game, 4, 0, 0)
    assertContains(ben.get(game.url()), "Alice entered a correction as hand 1: 4 · 0 · 0 (A gift)")
    posted = {"key": str(uuid.uuid4()), "seen": str(game.version)}
    ben.post(game.url(f"hands/{row.public_id}/confirm/"), posted)
    row.refresh_from_db()
    assert row.confirmed_by.phone == game.ben
    assertNotContains(alice.get(game.url("end/")), "not confirmed")


def test_seats_put_right_leave_corrections_alone_and_a_sheet_of_them_is_banked(game, alice):
    corrected(game, 4, 0, 0)
    a, b, c = (player.pk for player in game.players)
    answer = actions.change_seats(game.write(), game.sheet.public_id, [b, a, c])
    assert isinstance(answer, actions.Saved)
    assertContains(alice.get(game.url("end/")), "Bank this sheet")
    game.end()
    assert game.sheet.state == "banked"
    assert_history_tells_the_sheet(game)


def test_staff_correct_a_correction_in_its_own_form_with_a_reason_of_their_own(game, staff):
    row = corrected(game, 4, 0, 0)
    url = f"/admin/sheets/round/{row.pk}/correct/"
    assertNotContains(staff.get(url), "Who bid?")
    posted = fields(game, "3", "", "")
    assertContains(staff.post(url, posted), "Say why: it stays on", status_code=422)
    answer = staff.post(url, posted | {"reason": "A slip"})
    assert answer.status_code == 302
    row.refresh_from_db()
    assert (row.reason, game.totals) == ("A gift", [3, 0, 0])
    change = Change.objects.latest("pk")
    assert (change.kind, change.reason) == ("hand_corrected", "A slip")
    assert change.user == User.objects.get()


def test_a_long_reason_and_a_stranger(game, alice, client):
    corrected(game, 4, 0, 0, reason="<b>" + "long " * 39)
    assertContains(alice.get(game.url()), "&lt;b&gt;long long")
    client.cookies["phone"] = codes.new_phone()
    assertContains(client.get(game.url(NEW)), "This sheet is private.", status_code=404)
