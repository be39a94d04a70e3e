"""The sheet page."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Round, Sheet

HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize("hands", [10, 60])
def test_the_sheet_takes_the_same_few_queries_however_long_it_is(
    game, alice, django_assert_num_queries, hands
):
    game.fill(hands)
    alice.get(game.url())  # notes, once a minute, that this phone is about
    with django_assert_num_queries(5):
        assert alice.get(game.url()).status_code == 200


def test_saving_a_hand_takes_at_most_twelve_queries(game, alice, at_most_queries):
    game.enter()
    fields = game.fields()
    with at_most_queries(12):
        assert alice.post(game.url("hands/new/"), fields).status_code == 303


def test_a_sheet_without_hands_says_who_deals_and_leads_nobody(game, alice):
    page = alice.get(game.url())
    assertContains(page, "<html")
    assertContains(page, "Alice deals. The first hand goes here.")
    assertContains(page, "Enter hand 1")
    assertNotContains(page, "leads")


def test_the_sheet_as_a_part(game, alice):
    game.enter()
    part = alice.get(game.url(), headers=HTMX)
    assertContains(part, '<main id="page">')
    assertContains(part, "Enter hand 2")
    assertNotContains(part, "<html")


def test_a_line_names_bidder_bid_trump_and_outcome_in_words(game, alice):
    row = game.enter(game.played(bid=350, trump="spades", outcome="set"))
    page = alice.get(game.url())
    assertContains(
        page,
        f'<a href="{game.url(f"hands/{row.public_id}/")}" '
        f'data-hand="{row.dealer_id} - result {row.bidder_id} 350 spades set">'
        '<span class="no">1</span> '
        '<span class="who">Ben</span> 350 <span class="suit" aria-hidden="true">♠</span> spades '
        '<span class="out set">set</span></a>',
        html=True,
    )


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (lambda game: game.played(outcome="thrown_in"), "thrown in"),
        (lambda game: game.typed(2, 0, 2), "Typed"),
        (lambda game: game.typed(4, 4, 4), "not by the rules"),
        (lambda game: game.passed(), "Passed out"),
    ],
)
def test_a_hand_of_another_kind_says_so(game, alice, hand, said):
    game.enter(hand(game))
    assertContains(alice.get(game.url()), said)


def test_a_zero_is_a_dot_that_is_read_as_0(game, alice):
    game.enter()
    zero = '<td class="zero"><span aria-hidden="true">·</span><span class="sr">0</span></td>'
    assertContains(alice.get(game.url()), zero, html=True, count=2)


def test_hands_come_newest_first_with_totals_on_top(game, alice):
    for bid in (300, 350, 400):
        game.enter(game.played(bid=bid))
    page = alice.get(game.url())
    assert [line.bid for line in page.context["lines"]] == ["400", "350", "300"]
    assertContains(page, '<span class="total">14</span>')


@pytest.mark.parametrize(
    ("rows", "leaders"),
    [
        ([(0, 0, 0)], 0),
        ([(2, 0, 0)], 1),
        ([(2, 0, 0), (0, 2, 0)], 0),
        ([(2, 0, 0), (0, 4, 0)], 1),
    ],
)
def test_nobody_leads_before_somebody_has_more_than_the_others(game, alice, rows, leaders):
    for row in rows:
        game.enter(game.typed(*row))
    assertContains(alice.get(game.url()), 'class="leads"', count=leaders)


def test_a_long_name_is_whole_in_its_title(new_game, alice):
    game, secret, _ = new_game(["x" * 40, "Ben", "Cass"])
    alice.cookies["phone"] = secret
    assertContains(alice.get(game.url()), f'title="{"x" * 40}"')


@pytest.mark.parametrize(("hands", "older"), [(30, False), (31, True)])
def test_thirty_hands_come_first_and_the_older_ones_on_request(game, alice, hands, older):
    game.fill(hands)
    page = alice.get(game.url())
    assert len(page.context["lines"]) == 30
    assert page.context["lines"][0].number == str(hands)
    assertContains(page, 'href="?hands=all"', count=int(older))
    whole = alice.get(f"{game.url()}?hands=all")
    assert whole.context["lines"][-1].number == "1"
    assertNotContains(whole, 'href="?hands=all"')
    # Live updates ask for all of them again.
    assertContains(whole, f'data-live="{game.url()}?hands=all"')


@pytest.mark.parametrize(("hours", "asked"), [(11, False), (13, True), (24 * 7, True)])
def test_a_sheet_that_slept_asks_whether_to_go_on_or_to_end_it(game, alice, hours, asked):
    game.enter()
    Round.objects.update(entered_at=timezone.now() - datetime.timedelta(hours=hours))
    page = alice.get(game.url())
    assertContains(page, "Go on with hand 2, or end that match", count=int(asked))


def test_a_banked_sheet_that_slept_asks_nothing(game, alice):
    game.enter()
    Round.objects.update(entered_at=timezone.now() - datetime.timedelta(hours=13))
    game.end()
    page = alice.get(game.sheet.get_absolute_url())
    assertNotContains(page, "or end that match")


@pytest.mark.parametrize("saved", ["nonsense", "", "0b3b1c9e-5b1f-4b4e-9c39-2f6f1f7a0001"])
def test_a_hand_that_is_not_there_was_not_saved(game, alice, saved):
    game.enter()
    page = alice.get(f"{game.url()}?saved={saved}")
    assertNotContains(page, "is saved.")
    assertNotContains(page, "off the sheet")


def test_a_hand_of_another_table_was_not_saved_here(new_game, game, alice):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    page = alice.get(f"{game.url()}?saved={other.enter().public_id}")
    assertNotContains(page, "is saved.")


def test_the_open_sheet_lives_at_the_address_of_its_table(game, alice):
    answer = alice.get(game.sheet.get_absolute_url())
    assert (answer.status_code, answer["Location"]) == (303, game.url())


def test_an_earlier_sheet_keeps_its_own_address(game, alice):
    game.enter()
    first = game.sheet
    game.end()
    actions.play_again(game.write(), ["Alice", "Ben", "Cass"], 0)
    game.enter(game.played(bidder=2, bid=400))
    page = alice.get(first.get_absolute_url())
    assertContains(page, "Ben wins with 2")
    assertNotContains(page, "400")
    assertContains(alice.get(game.url()), "400")


def test_a_state_stands_beside_the_title(game, alice):
    assertContains(alice.get(game.url()), '<span class="state" id="state">open</span>', html=True)
    game.enter()
    game.end()
    ended = datetime.datetime(2025, 1, 15, 20, 14, tzinfo=datetime.UTC)
    Sheet.objects.update(played_at=ended, ended_at=ended)
    assertContains(alice.get(game.url()), "banked 15 Jan 2025")


def test_a_sheet_whose_last_hand_is_half_a_day_old_asks_what_to_do(game, alice):
    question = "The last hand here was on"
    row = game.enter()
    assertNotContains(alice.get(game.url()), question)
    long_ago = timezone.now() - datetime.timedelta(hours=12, minutes=1)
    Round.objects.filter(pk=row.pk).update(entered_at=long_ago)
    page = alice.get(game.url())
    assertContains(page, question)
    assertContains(page, "Go on with hand 2, or end that match")
    game.enter()  # the answer "go on"
    assertNotContains(alice.get(game.url()), question)


def test_what_happened_today_is_told_by_the_clock_alone(game, alice):
    game.enter()
    game.end()
    clock = f"{game.table.local(game.sheet.ended_at):%H:%M}"
    page = alice.get(game.url())
    assertContains(page, f"Alice ended this match at {clock}.")
    assertContains(page, f"banked {clock}")


def test_an_earlier_sheet_is_not_replaced_by_what_is_played_now(game, alice):
    game.enter()
    game.end()
    earlier = game.url(f"{game.sheet.public_id}/")
    assertNotContains(alice.get(earlier), "data-stream=")
    assertContains(alice.get(game.url()), f'data-live="{game.url()}"')
