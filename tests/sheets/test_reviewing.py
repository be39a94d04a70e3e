"""Reviewing a sheet: approve, flag, set aside, back, correct a hand, open it again."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, lifetimes
from sheets.models import Change, Review, Sheet
from tests.sheets.clubs import a_club, signed_in

HTMX = {"HX-Request": "true"}


@pytest.fixture
def banked(club_game):
    """A banked sheet of the club: six hands that Ben made, two deals each."""
    for _hand in range(6):
        club_game.enter()
    club_game.end()
    return club_game


def address(club, game, rest="", query=""):
    return club.url(f"sheets/{game.sheet.public_id}/{rest}{query}")


def fields(game, state="approved", **other):
    return {"key": str(uuid.uuid4()), "seen": str(game.version), "state": state} | other


def say(client, club, game, state="approved", **other):
    return client.post(address(club, game, "review/"), fields(game, state, **other))


def another_banked(club, new_game):
    game, *_ = new_game(("Dora", "Emil", "Fay"))
    club.take_in(game)
    game.enter()
    game.end()
    return game


def told(game):
    return [(one.kind, one.reason) for one in Change.objects.filter(sheet=game.sheet)][::-1]


# The action.


def test_approving_is_one_change_with_before_and_after(banked, thursday):
    done = actions.review(thursday.at(banked.table), banked.sheet.public_id, Review.APPROVED)
    assert isinstance(done, actions.Saved)
    assert (done.change.kind, done.change.user) == ("reviewed", thursday.otto)
    assert done.change.before == {"review": "to_review"}
    assert done.change.after == {"review": "approved"}
    assert banked.sheet.review == "approved"


def test_flagging_keeps_the_note_and_undoing_drops_it(banked, thursday):
    sheet = banked.sheet.public_id
    actions.review(thursday.at(banked.table), sheet, Review.FLAGGED, "Ben was away")
    assert (banked.sheet.review, banked.sheet.review_note) == ("flagged", "Ben was away")
    actions.review(thursday.at(banked.table), sheet, Review.TO_REVIEW)
    assert (banked.sheet.review, banked.sheet.review_note) == ("to_review", "")
    assert told(banked)[-2:] == [("reviewed", "Ben was away"), ("reviewed", "")]


def test_the_same_word_again_is_answered_as_done(banked, thursday):
    sheet = banked.sheet.public_id
    first = actions.review(thursday.at(banked.table), sheet, Review.APPROVED)
    seen_before = thursday.at(banked.table, thursday.mara, seen=0)
    again = actions.review(seen_before, sheet, Review.APPROVED)
    assert isinstance(again, actions.Saved)
    assert (again.change, again.repeated) == (first.change, True)
    # Nothing was said yet, and that is what is wanted.
    actions.review(thursday.at(banked.table), sheet, Review.TO_REVIEW)
    assert actions.review(thursday.at(banked.table), sheet, Review.TO_REVIEW).repeated


def test_a_word_on_what_somebody_else_said_meanwhile_is_refused(banked, thursday):
    sheet, seen = banked.sheet.public_id, banked.version
    actions.review(thursday.at(banked.table, thursday.mara), sheet, Review.FLAGGED, "Look again")
    refused = actions.review(thursday.at(banked.table, seen=seen), sheet, Review.APPROVED)
    assert isinstance(refused, actions.Refused)
    assert (refused.why, refused.change.user) == ("stale", thursday.mara)
    assert banked.sheet.review == "flagged"


def test_a_word_on_a_sheet_that_was_corrected_meanwhile_is_refused(banked, thursday):
    seen = banked.version
    mara = thursday.at(banked.table, thursday.mara)
    row = banked.standing[0].public_id
    actions.correct_hand(mara, row, banked.played(0), reason="Alice bid it")
    refused = actions.review(
        thursday.at(banked.table, seen=seen), banked.sheet.public_id, Review.APPROVED
    )
    assert refused.why == "stale"


def test_an_open_sheet_is_not_reviewed(banked, thursday):
    seen = banked.version
    sheet = banked.sheet.public_id
    otto = thursday.at(banked.table)
    actions.reopen(banked.write(), sheet)
    assert actions.review(thursday.at(banked.table), sheet, Review.APPROVED).why == "still_open"
    # For whoever looked at it when it was banked it is the opening that tells most.
    assert seen == otto.seen.version
    assert actions.review(otto, sheet, Review.APPROVED).why == "stale"


def test_only_organisers_of_its_club_say_anything(banked, thursday):
    friday = a_club("friday", "Friday Club")
    sheet = banked.sheet.public_id
    elsewhere = actions.review(thursday.at(banked.table, friday.mara), sheet, Review.APPROVED)
    assert elsewhere.why == "not_an_organiser"
    assert banked.sheet.review == "to_review"


# What follows from it.


def test_an_approved_end_is_final_for_members(banked, thursday, alice):
    assertContains(alice.get(banked.url()), "Take back the end")
    actions.review(thursday.at(banked.table), banked.sheet.public_id, Review.APPROVED)
    assertNotContains(alice.get(banked.url()), "Take back the end")
    refused = alice.post(
        banked.url(f"{banked.sheet.public_id}/reopen/"),
        {"key": str(uuid.uuid4()), "seen": str(banked.version)},
    )
    assertContains(refused, "its end is final", status_code=409)
    assert banked.sheet.state == "banked"


def test_a_member_who_is_too_late_is_sent_to_an_organiser(banked, alice):
    Sheet.objects.update(ended_at=banked.sheet.ended_at - lifetimes.REOPENS_FOR)
    refused = alice.post(
        banked.url(f"{banked.sheet.public_id}/reopen/"),
        {"key": str(uuid.uuid4()), "seen": str(banked.version)},
    )
    assertContains(refused, "An organiser of your club can still do it", status_code=409)


def test_the_table_reads_in_its_history_what_was_said(banked, thursday, alice):
    sheet = banked.sheet.public_id
    for state, note in (
        (Review.APPROVED, ""),
        (Review.FLAGGED, "100% sure?"),
        (Review.SET_ASIDE, "A trial"),
        (Review.TO_REVIEW, ""),
    ):
        actions.review(thursday.at(banked.table), sheet, state, note)
    events = alice.get(banked.url("history/")).context["events"]
    assert [f"{who} {what}" for _at, who, what in events[:4]] == [
        "Otto took it back to review",
        "Otto set it aside: A trial",
        "Otto flagged it: 100% sure?",
        "Otto approved the sheet",
    ]


# The page.


def test_the_page_has_everything_about_a_sheet(banked, thursday, otto):
    page = otto.get(address(thursday, banked))
    assertContains(page, "Ben wins with 12")
    assertContains(page, "Ben 12, Alice 0, Cass 0")
    assertContains(page, "6 hands, 2 deals each")
    assertContains(page, "Nothing looks odd.")
    assertContains(page, "Alice, phone 1", 6 + 6 + 2)  # hands; their history; start and end
    assertContains(page, "entered hand 6: Ben 320 hearts made (0 · 2 · 0)")


def test_it_comes_whole_and_as_a_part(banked, thursday, otto):
    assertContains(otto.get(address(thursday, banked)), "<html")
    part = otto.get(address(thursday, banked), headers=HTMX)
    assertContains(part, '<main id="page"')
    assertNotContains(part, "<html")


def test_what_is_odd_is_said_and_marked_at_its_hand(club_game, thursday, otto):
    club_game.enter(club_game.typed(3, 0, 0))
    club_game.end()
    page = otto.get(address(thursday, club_game))
    assertContains(page, escape("Typed numbers that the rules can't produce: hand 1"))
    assertContains(page, "Very short: not even two deals each")
    assertContains(page, '<tr class="odd">', 1)


def test_approving_goes_on_to_the_next_of_the_list(banked, thursday, otto, new_game):
    newer = another_banked(thursday, new_game)
    answer = say(otto, thursday, newer)
    assert answer.status_code == 303
    assert answer["Location"] == address(thursday, banked, query=f"?done={newer.sheet.public_id}")
    page = otto.get(answer["Location"])
    assertContains(page, "Dora, Emil and Fay</strong> · Approved.")
    assertContains(page, f'<a href="{address(thursday, newer)}">Look at it again</a>')
    last = say(otto, thursday, banked)
    assert last["Location"] == thursday.url(f"sheets/?done={banked.sheet.public_id}")
    assertContains(otto.get(last["Location"]), "Nothing to review")


def test_a_form_sent_twice_says_it_once_and_nothing_of_the_next_sheet(
    banked, thursday, otto, new_game
):
    newer = another_banked(thursday, new_game)
    sent = fields(newer)
    first = otto.post(address(thursday, newer, "review/"), sent)
    second = otto.post(address(thursday, newer, "review/"), sent)
    assert first["Location"] == second["Location"]
    assert Change.objects.filter(kind="reviewed").count() == 1
    assert banked.sheet.review == "to_review"


def test_the_filters_travel_along(banked, thursday, otto, new_game):
    newer = another_banked(thursday, new_game)
    for game in (banked, newer):
        actions.review(thursday.at(game.table), game.sheet.public_id, Review.FLAGGED, "Look again")
    page = otto.get(address(thursday, newer, query="?state=flagged"))
    assertContains(page, f'href="{address(thursday, banked, query="?state=flagged")}"')
    answer = otto.post(address(thursday, newer, "review/", "?state=flagged"), fields(newer))
    assert answer["Location"].startswith(address(thursday, banked, query="?state=flagged&done="))


@pytest.mark.parametrize(
    ("state", "says"),
    [("flagged", "Say what is to be looked into."), ("set_aside", "Say why it does not count.")],
)
@pytest.mark.parametrize("note", ["", "  ", "\u200b"])
def test_flagging_and_setting_aside_want_a_reason(banked, thursday, otto, state, says, note):
    answer = say(otto, thursday, banked, state, note=note)
    assertContains(answer, says, status_code=422)
    assert banked.sheet.review == "to_review"


def test_a_note_that_is_too_long_is_kept_in_the_field(banked, thursday, otto):
    answer = say(otto, thursday, banked, "flagged", note="w" * 201)
    assertContains(answer, "201 letters are too many: 200 fit.", status_code=422)
    assertContains(answer, "w" * 201, status_code=422)
    assert say(otto, thursday, banked, "flagged", note="w" * 200).status_code == 303


def test_who_was_second_reads_what_the_first_said_and_may_say_it_still(
    banked, thursday, otto, mara
):
    sent = fields(banked, "flagged", note="Ben was away")
    say(mara, thursday, banked, "set_aside", note="A trial")
    answer = otto.post(address(thursday, banked, "review/"), sent)
    assertContains(answer, "Mara set it aside: A trial", status_code=409)
    assertContains(answer, "Somebody else was quicker.", status_code=409)
    assertContains(answer, 'value="Ben was away"', status_code=409)
    again = sent | {"seen": str(banked.version)}
    assert otto.post(address(thursday, banked, "review/"), again).status_code == 303
    assert banked.sheet.review == "flagged"


def test_taking_a_word_back_stays_on_the_sheet(banked, thursday, otto):
    say(otto, thursday, banked)
    answer = say(otto, thursday, banked, "to_review")
    assert answer["Location"] == address(thursday, banked)
    assertContains(otto.get(answer["Location"]), "To review")


def test_looking_at_what_is_only_sent_leads_to_the_sheet(banked, thursday, otto):
    for rest in ("review/", "reopen/"):
        assert otto.get(address(thursday, banked, rest))["Location"] == address(thursday, banked)
    assert otto.post(address(thursday, banked, "review/"), {"state": "lost"}).status_code == 303
    part = otto.post(address(thursday, banked, "review/"), {"state": "approved"})
    assertContains(part, "Part of this form was missing", status_code=422)
    assert banked.sheet.review == "to_review"


def test_looking_at_a_sheet_changes_nothing(banked, thursday, otto):
    before = (banked.version, list(Sheet.objects.values()))
    for rest in ("", "paper/", f"hands/{banked.standing[0].public_id}/correct/"):
        assert otto.get(address(thursday, banked, rest)).status_code == 200
    assert (banked.version, list(Sheet.objects.values())) == before


# Correcting, and opening it again.


def test_a_corrected_hand_says_so_and_what_it_said_before(banked, thursday, otto):
    row = banked.standing[0]
    url = address(thursday, banked, f"hands/{row.public_id}/correct/")
    assertContains(otto.get(url), "Correct hand 1")
    sent = banked.fields(
        bidder=str(banked.players[0].pk), bid="600", dealer=str(row.dealer_id), reason="Alice bid"
    )
    answer = otto.post(url, sent)
    assert answer["Location"] == address(thursday, banked)
    page = otto.get(answer["Location"])
    assertContains(page, "Alice wins with")
    assertContains(page, "Corrected by Otto: it said Ben 320 hearts made (0 · 2 · 0). Alice bid")
    assert banked.totals[0] > banked.totals[1] == 10
    won = banked.sheet.results.get(won=True)
    assert (won.person.name, won.units) == ("Alice", banked.totals[0])
    assert banked.sheet.oddities == " after_end "
    assert otto.post(url, sent).status_code == 303  # sent twice
    assert Change.objects.filter(kind="hand_corrected").count() == 1


def test_a_correction_without_a_reason_keeps_what_was_typed(banked, thursday, otto):
    row = banked.standing[0]
    url = address(thursday, banked, f"hands/{row.public_id}/correct/")
    sent = banked.fields(outcome="set", dealer=str(row.dealer_id), reason="")
    answer = otto.post(url, sent)
    assertContains(answer, "Say why: it stays on record.", status_code=422)
    assertContains(answer, 'name="outcome" value="set" checked', status_code=422)


def test_the_pot_that_was_shared_is_not_corrected(banked, thursday, otto):
    row = banked.standing[-1]
    nobody = dict.fromkeys(("dealer", "sitter", "bidder", "bid", "trump", "outcome"))
    sheet = banked.sheet
    sheet.rounds.filter(pk=row.pk).update(kind="pot_shared", pot=0, **nobody)
    url = address(thursday, banked, f"hands/{row.public_id}/correct/")
    for answer in (otto.get(url), otto.post(url, {})):
        assertContains(
            answer, escape("The pot that was shared can't be corrected"), status_code=409
        )


def test_opening_an_approved_sheet_again_wants_a_reason_and_starts_over(
    banked, thursday, otto, alice
):
    say(otto, thursday, banked)
    url = address(thursday, banked, "reopen/")
    sent = {"key": str(uuid.uuid4()), "seen": str(banked.version)}
    assertContains(
        otto.post(url, sent | {"reason": ""}), "Say why: it stays on record.", status_code=422
    )
    answer = otto.post(url, sent | {"reason": "A hand is missing"})
    assert answer["Location"] == address(thursday, banked)
    assert (banked.sheet.state, banked.sheet.review) == ("open", "to_review")
    assert not banked.sheet.results.exists()
    page = otto.get(answer["Location"])
    assertContains(page, "It is reviewed once its match has ended.")
    assertContains(page, "because: A hand is missing")
    assertNotContains(page, "Approve</button>")
    assertContains(alice.get(banked.url()), "Enter hand 7")


def test_nobody_opens_again_what_somebody_else_approved_meanwhile(banked, thursday, otto, mara):
    sent = {"key": str(uuid.uuid4()), "seen": str(banked.version), "reason": "A hand is missing"}
    say(mara, thursday, banked)
    answer = otto.post(address(thursday, banked, "reopen/"), sent)
    assertContains(answer, "Mara approved the sheet", status_code=409)
    assertContains(answer, 'value="A hand is missing"', status_code=409)
    assert banked.sheet.state == "banked"


# Who gets in.


@pytest.mark.parametrize("rest", ["", "paper/", "review/", "reopen/", "hand"])
def test_a_sheet_of_another_club_is_not_there(banked, thursday, rest):
    friday = a_club("friday", "Friday Club")
    if rest == "hand":
        rest = f"hands/{banked.standing[0].public_id}/correct/"
    client = signed_in(friday.mara)
    for club in (friday, thursday):
        url = address(club, banked, rest)
        assert client.get(url).status_code == 404
        only_seen = rest in ("", "paper/") and club is friday
        assert client.post(url, fields(banked)).status_code == (405 if only_seen else 404)
    assert banked.sheet.review == "to_review"


def test_a_sheet_of_a_table_that_left_the_club_is_not_there(banked, thursday, otto):
    type(banked.table).objects.update(club=None)
    assert otto.get(address(thursday, banked)).status_code == 404
    assert say(otto, thursday, banked).status_code == 404


def test_a_hand_of_another_sheet_is_not_there(banked, thursday, otto, new_game):
    other = another_banked(thursday, new_game)
    url = address(thursday, banked, f"hands/{other.standing[0].public_id}/correct/")
    assert otto.get(url).status_code == 404


def test_who_was_just_taken_off_reviews_nothing(banked, thursday, otto):
    sent = fields(banked)
    thursday.club.organisers.filter(user=thursday.otto).delete()
    assert otto.post(address(thursday, banked, "review/"), sent).status_code == 404
    assert banked.sheet.review == "to_review"


def test_a_locked_club_says_so(banked, thursday, otto):
    type(thursday.club).objects.update(locked=True)
    answer = say(otto, thursday, banked, "flagged", note="Ben was away")
    assertContains(answer, "has locked this club", status_code=409)
    assertContains(answer, 'value="Ben was away"', status_code=409)


def test_a_sheet_on_paper(banked, thursday, otto):
    page = otto.get(address(thursday, banked, "paper/"))
    assertContains(page, "Ben wins with 12")
    assertContains(page, "Alice, Ben and Cass")
    assertContains(page, address(thursday, banked))


def test_the_page_of_a_long_sheet_asks_no_more_than_that_of_a_short_one(
    banked, thursday, otto, new_game
):
    def asked(game):
        with CaptureQueriesContext(connection) as captured:
            assert otto.get(address(thursday, game)).status_code == 200
        return len(captured)

    short = another_banked(thursday, new_game)
    actions.reopen(banked.write(), banked.sheet.public_id)
    banked.enter(phone=banked.ben)
    banked.end()
    for row in banked.standing[:3]:
        at = thursday.at(banked.table)
        actions.correct_hand(at, row.public_id, banked.played(0), reason="Alice bid it")
    assert asked(banked) == asked(short) <= 35
