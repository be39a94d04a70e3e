"""Enter a hand: every outcome, and everything that is refused."""

from __future__ import annotations

import json

import pytest
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertInHTML, assertNotContains

from rules import auction
from sheets.models import HouseRules, Round, Sheet

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(game):
    return game.url("hands/new/")


def counted(game, melds, tricks, **changed):
    points = {"meld_points": melds, "trick_points": tricks}
    return game.fields(**({"by": "count", "outcome": None} | points | changed))


# Opening the form.


def test_the_form_lies_open_under_the_sheet(game, alice, url):
    game.enter()
    page = alice.get(url)
    assertContains(page, "<html")
    assertContains(page, '<details id="entry" class="entry" open>')
    assertContains(page, "Save hand 2")
    assertContains(page, '<table class="pad">')
    assert page.context["form"]["seen"].value() == game.seen


def test_the_form_as_a_part(alice, url):
    part = alice.get(url, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_the_chips_hold_the_legal_bids_and_the_dealers_own(alice, url):
    form = alice.get(url).context["form"]
    said = [chip.value for chip in form.bids()]
    assert said[:8] == ["300", "310", "320", "330", "350", "360", "370", "380"]
    rest = [chip.value for chip in form.more_bids()]
    assert rest[-1] == "750"
    assert not [bid for bid in said + rest if bid[1:] in ("40", "90")]
    assert form.dealers_bid().value == "250"


def test_the_form_of_a_banked_sheet_leads_to_its_result(game, alice, url):
    game.enter()
    game.end()
    answer = alice.get(url)
    assert (answer.status_code, answer["Location"]) == (303, game.url())


# By result.


@pytest.mark.parametrize(
    ("bid", "trump", "outcome", "row"),
    [
        ("300", "hearts", "made", [0, 2, 0]),
        ("320", "clubs", "set", [2, 0, 2]),
        ("330", None, "thrown_in", [1, 0, 1]),
        ("350", "hearts", "made", [0, 4, 0]),
        ("350", "spades", "made", [0, 8, 0]),
        ("350", "spades", "set", [8, 0, 8]),
        ("350", "spades", "thrown_in", [2, 0, 2]),  # whatever was tapped: never doubled
        ("400", None, "thrown_in", [4, 0, 4]),
        ("450", "diamonds", "made", [0, 16, 0]),
        ("500", "spades", "set", [64, 0, 64]),
        ("550", "spades", "made", [0, 128, 0]),
        ("600", "diamonds", "set", [64, 0, 64]),
    ],
)
def test_bid_trump_and_outcome_decide_the_row(game, alice, url, bid, trump, outcome, row):
    answer = alice.post(url, game.fields(bid=bid, trump=trump, outcome=outcome))
    hand = Round.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"{game.url()}?saved={hand.public_id}")
    assert game.totals == row


@pytest.mark.parametrize(
    ("bid", "trump", "side", "outcome"),
    [
        ("300", "hearts", 0, "made"),
        ("380", "spades", 1, "made"),
        ("380", "clubs", 0, "set"),
        ("550", "spades", 1, "set"),
        ("550", "spades", 1, "thrown_in"),
    ],
)
def test_what_the_script_looks_up_before_saving_is_what_is_saved(
    game, alice, url, bid, trump, side, outcome
):
    spelled_out = alice.get(url).context["form"].spelled_out()
    alice.post(url, game.fields(bid=bid, trump=trump, outcome=outcome))
    each, take = spelled_out["rows"][spelled_out["bids"][int(bid)]][outcome][side]
    assert game.totals == ([0, take, 0] if outcome == "made" else [each, 0, each])


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anybody_may_have_bid(game, alice, url, seat):
    alice.post(url, game.fields(bidder=str(game.players[seat].pk)))
    assert game.totals == [2 if seat == place else 0 for place in range(3)]


def test_every_hand_is_a_row_with_a_number_for_everybody(game, alice, url):
    alice.post(url, game.fields())
    assert list(Round.objects.get().entries.values_list("units", flat=True)) == [0, 2, 0]


def test_saving_as_a_part_leads_to_the_sheet_too(game, alice, url):
    answer = alice.post(url, game.fields(), headers=HTMX)
    assert answer.status_code == 303
    assertContains(alice.get(answer["Location"], headers=HTMX), "Hand 1 is saved.")


def test_a_saved_hand_says_who_pays_whom_and_can_be_taken_back(game, alice, url):
    page = alice.get(alice.post(url, game.fields())["Location"])
    assertContains(page, "Hand 1 is saved.")
    assertContains(page, "Alice pays Ben 1, Cass pays Ben 1.")
    hand = Round.objects.get()
    assertContains(page, f'action="{game.url(f"hands/{hand.public_id}/take-back/")}"')


# What is missing, or given twice.


@pytest.mark.parametrize(
    ("missing", "ask"),
    [
        ({"bidder": None}, "Choose who bid."),
        ({"bidder": ""}, "Choose who bid."),
        ({"bid": None}, "Choose the bid."),
        ({"bid": "more"}, "Choose the bid."),
        ({"bid": "more", "other_bid": " "}, "Choose the bid."),
        ({"trump": None}, "Choose the trump suit."),
        ({"outcome": None}, "Choose how it ended."),
        ({"by": None, "outcome": None}, "Choose how it ended."),
        ({"bid": "320", "other_bid": "330"}, "Two bids are given: tap one or type one."),
    ],
)
def test_what_is_missing_is_named_and_the_rest_kept(game, alice, url, missing, ask):
    fields = game.fields(**missing)
    page = alice.post(url, fields)
    assertContains(page, ask, status_code=422)
    assertContains(page, "<html", status_code=422)
    form = page.context["form"]
    for field in ("key", "seen", "sheet", "bidder", "bid", "other_bid", "trump", "outcome"):
        assert form[field].value() == fields.get(field), field
    assert not Round.objects.exists()


def test_everything_that_is_missing_is_named_at_once(game, alice, url):
    page = alice.post(url, game.fields(bidder=None, bid=None, trump=None, outcome=None))
    for ask in ("Choose who bid.", "Choose the bid.", "Choose the trump suit."):
        assertContains(page, ask, status_code=422)
    assertContains(page, "Choose how it ended.", status_code=422)


def test_a_refused_hand_as_a_part(game, alice, url):
    part = alice.post(url, game.fields(trump=None), headers=HTMX)
    assertContains(part, "Choose the trump suit.", status_code=422)
    assertNotContains(part, "<html", status_code=422)


def test_the_screen_shows_what_was_tapped_before(game, alice, url):
    ben = game.players[1].pk
    html = alice.post(url, game.fields(outcome=None, other_bid="320")).content.decode()
    for chip in (f'name="bidder" value="{ben}"', 'name="bid" value="320"'):
        assertInHTML(f'<input type="radio" {chip} checked>', html)
    assertInHTML('<input type="radio" name="trump" value="hearts" checked>', html)
    assertInHTML('<input type="radio" name="by" value="result" checked>', html)
    assert 'name="other_bid" value="320"' in html


def test_a_bid_tapped_and_typed_alike_is_one_bid(game, alice, url):
    assert alice.post(url, game.fields(bid="320", other_bid="320")).status_code == 303


@pytest.mark.parametrize("field", ["bidder", "trump", "outcome", "dealer"])
def test_a_choice_that_was_never_offered_is_refused(game, alice, url, field):
    page = alice.post(url, game.fields(**{field: "999999"}))
    assert page.status_code == 422
    assert page.context["form"].errors
    assert not Round.objects.exists()


# Bids.


@pytest.mark.parametrize(
    ("how", "bid", "sentence"),
    [
        ("bid", "250", "Only the dealer can be left with 250."),
        ("other_bid", "250", "Only the dealer can be left with 250."),
        ("bid", "340", "A bid can't end in 40 or 90."),
        ("other_bid", "390", "A bid can't end in 40 or 90."),
        ("bid", "260", "The lowest bid here is 300."),
        ("other_bid", "0", "Write the bid as a whole number, such as 300."),
        ("other_bid", "305", "Bids here start at 300 and go up by 10."),
        ("other_bid", "1010", "Bids go no higher than 1,000."),
        ("bid", "9999", "Bids go no higher than 1,000."),
    ],
)
def test_a_bid_that_no_auction_ends_at_is_refused_in_words(game, alice, url, how, bid, sentence):
    page = alice.post(url, game.fields(**({"bid": None} | {how: bid})))
    assertContains(page, escape(sentence), status_code=422)
    assert page.context["form"][how].value() == bid
    assert not Round.objects.exists()


@pytest.mark.parametrize("how", ["bid", "other_bid"])
def test_the_dealer_may_be_left_with_250(game, alice, url, how):
    dealer = game.players[0]
    fields = game.fields(**({"bidder": str(dealer.pk), "bid": None} | {how: "250"}))
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [2, 0, 0]


def test_nobody_but_the_dealer_counts_a_hand_at_250(game, alice, url):
    page = alice.post(url, counted(game, "100", "150", bid="250"))
    assertContains(page, "Only the dealer can be left with 250.", status_code=422)
    assert page.context["form"]["meld_points"].value() == "100"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("three hundred", "“three hundred” is not a number."),
        ("320.5", "Whole numbers only: 320.5 has a fraction."),
        ("1" * 46, "is more than fits"),
        ("<b>", "“<b>” is not a number."),
    ],
)
def test_a_typed_bid_that_is_no_number_is_refused_in_words(game, alice, url, typed, sentence):
    page = alice.post(url, game.fields(bid=None, other_bid=typed))
    assertContains(page, escape(sentence), status_code=422)
    assert page.context["form"]["other_bid"].value() == typed


@pytest.mark.parametrize("field", ["other_bid", "meld_points", "trick_points"])
def test_a_bid_or_a_count_below_nothing_is_not_told_about_columns(game, alice, url, field):
    fields = counted(game, "100", "220", bid=None, other_bid="320") | {field: "-320"}
    page = alice.post(url, fields)
    assert page.context["form"].errors[field]
    assertNotContains(page, "Nobody takes in less than 0", status_code=422)


@pytest.mark.parametrize(
    ("bid", "trump", "outcome", "doubt"),
    [
        ("760", "hearts", "set", "No hand can make more than 750."),
        ("1000", "spades", "made", "No hand can make more than 750."),
        ("1000", None, "thrown_in", "No hand can make more than 750."),
        ("750", "hearts", "made", "Only a hand in diamonds can make more than 740."),
    ],
)
def test_a_bid_beyond_belief_is_asked_once_and_then_kept(
    game, alice, url, bid, trump, outcome, doubt
):
    fields = game.fields(bid=None, other_bid=bid, trump=trump, outcome=outcome)
    page = alice.post(url, fields)
    assertContains(page, doubt, status_code=422)
    assertContains(page, "Yes, save it as it is", status_code=422)
    assert not Round.objects.exists()
    assert alice.post(url, page.context["form"].data).status_code == 303
    assert Round.objects.get().bid == int(bid)


@pytest.mark.parametrize(
    ("bid", "trump", "outcome"), [("750", "diamonds", "made"), ("750", "hearts", "set")]
)
def test_the_highest_bid_that_can_be_made_is_not_doubted(game, alice, url, bid, trump, outcome):
    answer = alice.post(url, game.fields(bid=bid, trump=trump, outcome=outcome))
    assert answer.status_code == 303


# Count it.


@pytest.mark.parametrize(
    ("melds", "tricks", "outcome", "row"),
    [
        ("150", "170", "made", [0, 2, 0]),
        ("150", "169", "set", [2, 0, 2]),
        ("0", "250", "set", [2, 0, 2]),
        ("320", "0", "made", [0, 2, 0]),
        ("500", "250", "made", [0, 2, 0]),
        ("１５０", "١٧٠", "made", [0, 2, 0]),
    ],
)
def test_melds_and_tricks_decide_whether_it_was_made(game, alice, url, melds, tricks, outcome, row):
    assert alice.post(url, counted(game, melds, tricks)).status_code == 303
    hand = Round.objects.get()
    assert hand.outcome == outcome
    assert hand.counts == {"meld_points": int(melds), "trick_points": int(tricks)}
    assert game.totals == row


@pytest.mark.parametrize(
    ("melds", "tricks", "sentence"),
    [
        ("15", "100", "Melds come in tens, from 0 to 600."),
        ("610", "100", "Melds come in tens, from 0 to 600."),
        ("100", "1", "1 and 249 can't be counted"),
        ("100", "249", "1 and 249 can't be counted"),
        ("100", "251", "Tricks come to a whole number from 0 to 250"),
        ("", "100", "Type the bidder's melds, 0 for none."),
        ("100", "", "Type the points in the bidder's tricks, 0 for none."),
        ("-10", "100", "0"),
        ("ten", "100", "“ten” is not a number."),
    ],
)
def test_a_count_that_cannot_be_is_refused_in_words_and_kept(
    game, alice, url, melds, tricks, sentence
):
    page = alice.post(url, counted(game, melds, tricks))
    assertContains(page, escape(sentence), status_code=422)
    form = page.context["form"]
    assert (form["meld_points"].value(), form["trick_points"].value()) == (melds, tricks)
    assert form.way() == "count"
    assert not Round.objects.exists()


def test_more_melds_than_fifteen_cards_hold_are_asked_about_once(game, alice, url):
    page = alice.post(url, counted(game, "510", "100"))
    sentence = "Fifteen cards can't hold more than 500 in melds."
    assertContains(page, escape(sentence), status_code=422)
    assert alice.post(url, page.context["form"].data).status_code == 303


def test_a_counted_hand_needs_a_trump_suit(game, alice, url):
    page = alice.post(url, counted(game, "150", "170", trump=None))
    assertContains(page, "Choose the trump suit.", status_code=422)


# Passed out.


def test_passed_out_is_a_row_of_zeros(game, alice, url):
    fields = game.fields(by="passed", bidder=None, bid=None)
    page = alice.get(alice.post(url, fields)["Location"])
    assertContains(page, "Passed out")
    assertContains(page, "Hand 1 is saved.")
    assert list(Round.objects.get().entries.values_list("units", flat=True)) == [0, 0, 0]


def test_the_chips_and_the_words_follow_the_rules_of_the_table(game, alice, url):
    canonical = json.dumps(auction.HouseRules(minimum=350).to_dict())
    house = HouseRules.objects.create(game="auction", format=1, canonical=canonical, digest="350")
    Sheet.objects.update(house_rules=house)
    assert alice.get(url).context["form"].bids()[0].value == "350"
    page = alice.post(url, game.fields(bid="320"))
    assertContains(page, "The lowest bid here is 350.", status_code=422)


def test_a_bidder_who_is_not_at_the_table_is_asked_again(game, alice, url):
    page = alice.post(url, game.fields(bidder="999999"))
    assertContains(page, "The players have changed: choose again.", status_code=422)


def test_a_phones_own_seat_is_marked_on_the_pad_and_in_the_form(game, alice, ben):
    for phone, name in ((alice, "Alice"), (ben, "Ben")):
        page = phone.get(game.url("hands/new/"))
        assertContains(page, ">you<", count=3)
        assertContains(page, f"<span>{name} <small>you</small></span>", count=2)
