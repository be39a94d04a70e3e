"""A hand's own page: why these numbers, who pays whom, what happened to it; take back, put back."""

from __future__ import annotations

import datetime
import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Change, Round, Sheet

HTMX = {"HX-Request": "true"}
ON_ITS_PAGE = "hands/{}/"
TAKE_BACK = "hands/{}/take-back/"
PUT_BACK = "hands/{}/put-back/"


def url(game, row, which=ON_ITS_PAGE):
    return game.url(which.format(row.public_id))


def post(client, game, row, which, **changed):
    fields = {"key": str(uuid.uuid4()), "seen": str(game.version)} | changed
    return client.post(url(game, row, which), fields)


# The page.


def test_the_page_shows_the_hand_and_what_each_took_in(game, alice):
    page = alice.get(url(game, game.enter()))
    assertContains(page, "<html")
    assertContains(page, "Hand 1 · dealt by Alice")
    for name, units in (("Alice", 0), ("Ben", 2), ("Cass", 0)):
        row = f'<tr><th scope="row">{name}</th><td>{units}</td></tr>'
        assertContains(page, row, html=True)


def test_the_page_as_a_part(game, alice):
    part = alice.get(url(game, game.enter()), headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ({"bid": 320}, "320 is in 250–330: 1 from each."),
        ({"bid": 350, "outcome": "set"}, "350 is in 350–380: 4 to each on a set."),
        (
            {"bid": 350, "trump": "spades"},
            "350 is in 350–380: 2 from each, doubled for spades: 4.",
        ),
        (
            {"bid": 500, "trump": "spades", "outcome": "set"},
            "500 is in 500–530: 32 to each on a set, doubled for spades: 64.",
        ),
        ({"bid": 550, "outcome": "made"}, "550 is in 550+: 32 from each."),
        (
            {"bid": 400, "outcome": "thrown_in"},
            "400 is in 400–430: thrown in, 4 to each, never doubled.",
        ),
    ],
)
def test_the_page_says_why(game, alice, hand, why):
    assertContains(alice.get(url(game, game.enter(game.played(**hand)))), why)


@pytest.mark.parametrize(
    ("outcome", "payments"),
    [
        ("made", ["Alice pays Ben 1", "Cass pays Ben 1"]),
        ("set", ["Ben pays Alice 2", "Ben pays Cass 2"]),
        ("thrown_in", ["Ben pays Alice 1", "Ben pays Cass 1"]),
    ],
)
def test_the_page_says_who_pays_whom(game, alice, outcome, payments):
    page = alice.get(url(game, game.enter(game.played(outcome=outcome))))
    for payment in payments:
        assertContains(page, f"<li>{payment}</li>", html=True)
    assert page.context["payments"] == payments


def test_a_counted_hand_shows_its_count(game, alice):
    fields = game.fields(by="count", outcome=None, meld_points="150", trick_points="169")
    alice.post(game.url("hands/new/"), fields)
    page = alice.get(url(game, Round.objects.get()))
    assertContains(page, "Counted: 150 in melds and 169 in tricks, 319 in all.")
    assertContains(page, "2 to each on a set")


def test_a_typed_row_of_which_the_payers_are_known_says_who_pays(game, alice):
    page = alice.get(url(game, game.enter(game.typed(2, 0, 2))))
    assertContains(page, "These numbers were typed: Ben paid 2 to each.")
    assertContains(page, "Ben pays Alice 2")
    assertNotContains(page, "not by the rules")
    assertNotContains(page, "settle this hand among yourselves")


def test_a_typed_row_of_one_taker_names_whoever_took(game, alice):
    page = alice.get(url(game, game.enter(game.typed(0, 0, 8))))
    assertContains(page, "These numbers were typed: Cass took 4 from each.")


def test_a_typed_row_that_no_hand_gives_says_that_nobody_can_tell(game, alice):
    page = alice.get(url(game, game.enter(game.typed(3, 0, 0))))
    sentence = "These numbers were typed, and the rules can't tell who pays whom"
    assertContains(page, sentence)
    assertContains(page, "not by the rules")
    assert not page.context["payments"]


def test_a_hand_passed_out_is_nobodys_to_pay(game, alice):
    page = alice.get(url(game, game.enter(game.passed())))
    assertContains(page, "Passed out")
    assertContains(page, "Nobody bid: everybody takes 0, and the deal moves on.")
    assertNotContains(page, "Who pays whom")
    assertNotContains(page, "were typed")


@pytest.mark.parametrize(
    ("zone", "at"), [("Europe/Berlin", "15 Jan 21:14"), ("UTC", "15 Jan 20:14")]
)
def test_the_page_says_who_entered_it_and_when_on_the_tables_clock(new_game, alice, zone, at):
    game, secret, _ = new_game(time_zone=zone)
    alice.cookies["phone"] = secret
    row = game.enter(phone=game.ben)
    Change.objects.update(at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    page = alice.get(url(game, row))
    assertContains(page, at)
    said = [(who, what) for _at, who, what in page.context["events"]]
    assert said == [("Ben", "entered hand 1: Ben 320 hearts made (0 · 2 · 0)")]


def test_the_page_tells_all_that_happened_to_this_hand_and_no_other(game, alice):
    row = game.enter()
    game.enter(phone=game.ben)
    actions.edit_hand(game.write(game.ben), row.public_id, game.played(outcome="set"))
    actions.take_back(game.write(), row.public_id)
    said = [(who, what) for _at, who, what in alice.get(url(game, row)).context["events"]]
    assert said == [
        ("Alice", "took back hand 1: Ben 320 hearts set (2 · 0 · 2)"),
        (
            "Ben",
            "changed hand 1 from Ben 320 hearts made (0 · 2 · 0) to Ben 320 hearts set (2 · 0 · 2)",
        ),
        ("Alice", "entered hand 1: Ben 320 hearts made (0 · 2 · 0)"),
    ]


def test_a_hand_offers_to_change_it_take_it_back_or_put_a_forgotten_one_before(game, alice):
    row = game.enter()
    page = alice.get(url(game, row))
    for which in ("hands/{}/edit/", "hands/{}/before/", TAKE_BACK):
        assertContains(page, f'"{url(game, row, which)}"')
    assertNotContains(page, url(game, row, PUT_BACK))


def test_a_hand_taken_back_offers_only_to_put_it_back(game, alice):
    row = game.enter()
    actions.take_back(game.write(), row.public_id)
    page = alice.get(url(game, row))
    assertContains(page, "A hand taken back")
    assertContains(page, url(game, row, PUT_BACK))
    for which in ("hands/{}/edit/", "hands/{}/before/", TAKE_BACK):
        assertNotContains(page, url(game, row, which))


def test_a_hand_of_a_banked_sheet_offers_nothing(game, alice):
    row = game.enter()
    game.end()
    page = alice.get(url(game, row))
    assertContains(page, "320 is in 250–330: 1 from each.")
    assertNotContains(page, "<form")
    assertNotContains(page, "/edit/")


def test_the_number_of_a_hand_is_its_place_among_those_that_stand(game, alice):
    first, second = game.enter(), game.enter()
    assertContains(alice.get(url(game, second)), "Hand 2 · dealt by Ben")
    actions.take_back(game.write(), first.public_id)
    assertContains(alice.get(url(game, second)), "Hand 1 · dealt by Ben")


# Take back and put back.


def test_a_hand_is_taken_back_from_another_phone_and_put_back(game, alice, ben):
    row = game.enter()
    answer = ben.post(url(game, row, TAKE_BACK), {"key": uuid.uuid4(), "seen": game.version})
    assert (answer.status_code, answer["Location"]) == (303, f"{game.url()}?saved={row.public_id}")
    page = alice.get(answer["Location"])
    assertContains(page, "The hand is off the sheet.")
    assertContains(page, url(game, row, PUT_BACK))
    assert game.totals == [0, 0, 0]
    answer = post(alice, game, row, PUT_BACK)
    assertContains(alice.get(answer["Location"]), "Hand 1 is saved.")
    assert game.totals == [0, 2, 0]


def test_a_hand_taken_back_is_gone_from_every_page_but_history(game, alice):
    rows = [game.enter() for _ in range(4)]
    post(alice, game, rows[1], TAKE_BACK)
    page = alice.get(game.url())
    assert [line.number for line in page.context["lines"]] == ["3", "2", "1"]
    assertNotContains(page, str(rows[1].public_id))
    paper = alice.get(f"{game.sheet.get_absolute_url()}paper/")
    assert [line.running for line in paper.context["lines"]][-1] == ("0", "6", "0")
    assertContains(alice.get(game.url("history/")), "took back hand 2")


def test_ten_hands_taken_back_all_come_back_in_their_order(game, alice):
    rows = [game.enter() for _ in range(10)]
    for row in rows:
        post(alice, game, row, TAKE_BACK)
    assert game.standing == []
    for row in reversed(rows):
        post(alice, game, row, PUT_BACK)
    assert game.standing == rows
    assert game.totals == [0, 20, 0]


@pytest.mark.parametrize(
    ("which", "first", "sentence"),
    [
        (TAKE_BACK, [TAKE_BACK], "This hand has been taken back already."),
        (PUT_BACK, [], "This hand is on the sheet already."),
        (PUT_BACK, [TAKE_BACK, PUT_BACK], "This hand is on the sheet already."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_was_done_already_is_said(game, alice, which, first, sentence, headers):
    row = game.enter()
    for earlier in first:
        post(alice, game, row, earlier)
    version = game.version
    fields = {"key": uuid.uuid4(), "seen": version}
    page = alice.post(url(game, row, which), fields, headers=headers)
    assertContains(page, sentence, status_code=409)
    assertContains(page, "<html", status_code=409, count=0 if headers else 1)
    assert game.version == version


@pytest.mark.parametrize("which", [TAKE_BACK, PUT_BACK])
def test_two_taps_do_it_once(game, alice, which):
    row = game.enter()
    if which == PUT_BACK:
        post(alice, game, row, TAKE_BACK)
    fields = {"key": str(uuid.uuid4()), "seen": str(game.version)}
    answers = [alice.post(url(game, row, which), fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert game.totals == ([0, 0, 0] if which == TAKE_BACK else [0, 2, 0])


def test_a_hand_that_another_phone_changed_meanwhile_is_not_taken_back(game, alice):
    row = game.enter()
    seen = game.version
    actions.edit_hand(game.write(game.ben), row.public_id, game.played(outcome="set"))
    page = post(alice, game, row, TAKE_BACK, seen=str(seen))
    assertContains(page, "Ben changed hand 1 from", status_code=409)
    assertContains(page, "Ben pays Alice 2", status_code=409)  # what is there now
    assert page.context["form"]["seen"].value() == str(game.seen)
    assert game.totals == [2, 0, 2]
    assert alice.post(url(game, row, TAKE_BACK), page.context["form"].data).status_code == 303
    assert game.totals == [0, 0, 0]


def test_what_others_did_to_other_hands_does_not_matter(game, alice):
    row, other = game.enter(), game.enter()
    seen = game.version
    actions.edit_hand(game.write(game.ben), other.public_id, game.played(outcome="set"))
    game.enter(phone=game.ben)
    assert post(alice, game, row, TAKE_BACK, seen=str(seen)).status_code == 303


def test_a_used_key_takes_nothing_back(game, alice):
    row = game.enter()
    page = post(alice, game, row, TAKE_BACK, key=str(row.public_id))
    assertContains(page, "This form has saved that already.", status_code=422)
    assert page.context["form"]["key"].value() != str(row.public_id)
    assert game.totals == [0, 2, 0]


@pytest.mark.parametrize("which", [TAKE_BACK, PUT_BACK])
@pytest.mark.parametrize("lost", [{"key": ""}, {"seen": ""}, {"key": "x", "seen": "x"}])
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, alice, which, lost):
    row = game.enter()
    if which == PUT_BACK:
        post(alice, game, row, TAKE_BACK)
    page = post(alice, game, row, which, **lost)
    assertContains(page, "Part of this form was missing.", status_code=422)
    assert alice.post(url(game, row, which), page.context["form"].data).status_code == 303


@pytest.mark.parametrize("which", [TAKE_BACK, PUT_BACK])
def test_a_banked_sheet_keeps_its_hands(game, alice, which):
    row, other = game.enter(), game.enter()
    actions.take_back(game.write(), other.public_id)
    game.end(game.ben)
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    page = post(alice, game, row if which == TAKE_BACK else other, which)
    assertContains(page, "Ben ended this match on 15 January 2026 at 21:14.", status_code=409)
    assert game.totals == [0, 2, 0]


@pytest.mark.parametrize("which", [TAKE_BACK, PUT_BACK])
def test_the_address_of_a_refusal_can_be_loaded_again(game, alice, which):
    # Refusals come back under this address; a phone that wakes up loads it again.
    row = game.enter()
    answer = alice.get(url(game, row, which))
    assert (answer.status_code, answer.get("Location")) == (303, url(game, row))
    assert game.totals == [0, 2, 0]
