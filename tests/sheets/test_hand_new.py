"""Enter a hand: every outcome, everything that is refused, and what another phone did meanwhile."""

from __future__ import annotations

import datetime
import json

import pytest
from django.core.exceptions import ValidationError
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertInHTML, assertNotContains

from rules import auction
from sheets import actions
from sheets.forms.base import UnitsField
from sheets.models import HouseRules, Round, Sheet, Table

HTMX = {"HX-Request": "true"}
LOST = "Part of this form was missing. Please send it once more."
NOTHING_BELOW_0 = "Nobody takes in less than 0: what was paid out is not written down."
QUICKER = "Somebody else was quicker. Nothing of yours was saved yet."


@pytest.fixture
def url(game):
    return game.url("hands/new/")


def numbers(game, *typed):
    """The fields of a row that was typed, by seat."""
    units = {f"units_{p.pk}": text for p, text in zip(game.players, typed, strict=True)}
    return game.fields(by="numbers", bidder=None, bid=None, trump=None, outcome=None, **units)


def counted(game, melds, tricks, **changed):
    points = {"meld_points": melds, "trick_points": tricks}
    return game.fields(**({"by": "count", "outcome": None} | points | changed))


def kept(page, game, *typed):
    """Whether the form still holds a typed row."""
    form = page.context["form"]
    return [form[f"units_{p.pk}"].value() for p in game.players] == list(typed)


def play_again(game):
    names = [player.name for player in game.players]
    answer = actions.play_again(game.write(game.ben), names, 0)
    assert isinstance(answer, actions.Saved)


# Opening the form.


def test_the_form_lies_open_under_the_sheet(game, alice, url):
    game.enter()
    page = alice.get(url)
    assertContains(page, "<html")
    assertContains(page, '<details id="entry" class="entry" open>')
    assertContains(page, "Save hand 2")
    assertContains(page, '<table class="pad">')
    assert page.context["form"]["seen"].value() == game.version


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
    each = spelled_out["rows"][spelled_out["bids"][int(bid)]][outcome][side]
    assert game.totals == ([0, 2 * each, 0] if outcome == "made" else [each, 0, each])


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


# Just the numbers.


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("-2", NOTHING_BELOW_0),
        ("- 2", NOTHING_BELOW_0),
        ("−2", NOTHING_BELOW_0),
        ("–2", NOTHING_BELOW_0),
        ("－２", "“－２” is not a number."),
        ("2-", "“2-” is not a number."),
        ("2.5", "Whole numbers only: 2.5 has a fraction."),
        ("2,0", "Whole numbers only: 2,0 has a fraction."),
        ("٢٫٥", "Whole numbers only: ٢٫٥ has a fraction."),
        ("two", "“two” is not a number."),
        ("2 2", "“2 2” is not a number."),
        ("1e3", "“1e3” is not a number."),
        ("+2", "“+2” is not a number."),
        ("½", "“½” is not a number."),
        ("²", "“²” is not a number."),
        ("NaN", "“NaN” is not a number."),
        ("10000", "10000 is more than fits: 9999 at most."),
        ("9999999999999999999999", "99999999999999999999 is more than fits: 9999 at most."),
        pytest.param(
            "1" * 5000, "11111111111111111111 is more than fits: 9999 at most.", id="5000 digits"
        ),
    ],
)
def test_what_is_no_number_of_units_is_said_in_words(typed, sentence):
    with pytest.raises(ValidationError) as refused:
        UnitsField(most=9999).clean(typed)
    assert refused.value.messages == [sentence]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("0", 0),
        ("16", 16),
        ("16 ", 16),
        ("\u00a016\t", 16),
        ("016", 16),
        ("9999", 9999),
        ("٠", 0),
        ("١٦", 16),
        ("१६", 16),
        ("１６", 16),
        ("𝟏𝟔", 16),
        ("٠٠٠٠٠٠١٦", 16),
        ("", None),
        ("   ", None),
        (None, None),
    ],
)
def test_a_number_is_read_in_the_digits_of_any_script(typed, number):
    assert UnitsField(most=9999).clean(typed) == number


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("−2", NOTHING_BELOW_0),
        ("2.5", "Whole numbers only: 2.5 has a fraction."),
        ("two", "“two” is not a number."),
        ("9999999999999999999999", "is more than fits: 9999 at most."),
        ("1" * 46, "is more than fits: 9999 at most."),
        ("", "Type what Ben took in, 0 for nothing."),
        ("   ", "Type what Ben took in, 0 for nothing."),
    ],
)
def test_a_number_that_is_none_is_refused_in_words_and_kept(game, alice, url, typed, sentence):
    page = alice.post(url, numbers(game, "0", typed, "0"))
    assertContains(page, sentence, status_code=422)
    assert kept(page, game, "0", typed, "0")
    assert page.context["form"].way() == "numbers"
    assert not Round.objects.exists()


def test_a_column_that_was_never_sent_is_asked_for(game, alice, url):
    fields = numbers(game, "0", "2", "0")
    del fields[f"units_{game.players[2].pk}"]
    page = alice.post(url, fields)
    assertContains(page, "Type what Cass took in, 0 for nothing.", status_code=422)


@pytest.mark.parametrize("typed", ["16 ", "١٦", "１６"])
def test_a_number_is_saved_in_whatever_digits_it_was_typed(game, alice, url, typed):
    assert alice.post(url, numbers(game, "0", typed, "0")).status_code == 303
    assert game.totals == [0, 16, 0]


@pytest.mark.parametrize(
    "row", ["0 2 0", "2 0 2", "2 2 0", "1 1 0", "8 0 8", "0 0 128", "128 128 0"]
)
def test_a_row_that_a_hand_gives_is_not_asked_about(game, alice, url, row):
    page = alice.get(alice.post(url, numbers(game, *row.split()))["Location"])
    assert game.totals == [int(n) for n in row.split()]
    assertNotContains(page, "not by the rules")


@pytest.mark.parametrize(
    "row", ["4 4 4", "3 0 0", "0 2 4", "0 0 0", "0 6 6", "5 0 5", "9999 0 0", "256 0 0"]
)
def test_a_row_that_no_hand_gives_is_asked_about_once_kept_and_marked(game, alice, url, row):
    typed = row.split()
    page = alice.post(url, numbers(game, *typed))
    assertContains(page, escape(f"The rules can't produce {' / '.join(typed)}."), status_code=422)
    assertContains(page, "Yes, save it as it is", status_code=422)
    assert kept(page, game, *typed)
    assert not Round.objects.exists()
    page = alice.get(alice.post(url, page.context["form"].data)["Location"])
    assertContains(page, "not by the rules")
    assert game.totals == [int(n) for n in typed]


def test_sure_about_one_row_is_not_sure_about_another(game, alice, url):
    page = alice.post(url, numbers(game, "4", "4", "4"))
    fields = page.context["form"].data.copy()
    fields[f"units_{game.players[0].pk}"] = "5"
    page = alice.post(url, fields)
    assertContains(page, escape("The rules can't produce 5 / 4 / 4."), status_code=422)
    assert not Round.objects.exists()
    assert alice.post(url, page.context["form"].data).status_code == 303
    assert game.totals == [5, 4, 4]


def test_a_row_that_was_asked_about_can_be_put_right_instead(game, alice, url):
    fields = alice.post(url, numbers(game, "4", "4", "4")).context["form"].data.copy()
    fields[f"units_{game.players[2].pk}"] = "0"
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [4, 4, 0]


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


# The hidden parts.


@pytest.mark.parametrize(
    "lost",
    [
        {"key": None},
        {"key": "nonsense"},
        {"seen": None},
        {"seen": "-1"},
        {"seen": "soon"},
        {"sheet": None},
        {"key": None, "seen": None, "sheet": None},
    ],
)
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, alice, url, lost):
    page = alice.post(url, game.fields(**lost))
    assertContains(page, LOST, status_code=422)
    assert page.context["form"]["bid"].value() == "320"
    assert not Round.objects.exists()
    assert alice.post(url, page.context["form"].data).status_code == 303


def test_a_version_from_the_far_future_does_no_harm(game, alice, url):
    assert alice.post(url, game.fields(seen="9" * 30)).status_code < 500


@pytest.mark.parametrize("sheet", ["nonsense", "x" * 22, "\x00", "x" * 80])
def test_a_hand_for_a_sheet_that_is_not_there_lands_nowhere(game, alice, url, sheet):
    page = alice.post(url, game.fields(sheet=sheet))
    assert page.status_code in (404, 422)
    assert not Round.objects.exists()


# The same form twice.


def test_two_taps_on_save_enter_one_hand_and_answer_alike(game, alice, url):
    fields = game.fields()
    answers = [alice.post(url, fields) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert len({answer["Location"] for answer in answers}) == 1
    assert game.totals == [0, 2, 0]


def test_a_repeat_is_answered_even_after_others_went_on(game, alice, url):
    fields = game.fields()
    alice.post(url, fields)
    game.enter(phone=game.ben)
    game.end(game.ben)
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [0, 4, 0]


def test_a_used_form_with_another_hand_is_refused_and_saved_once_more(game, alice, url):
    fields = game.fields()
    alice.post(url, fields)
    page = alice.post(url, fields | {"bid": "350"})
    assertContains(page, "This form has saved something else already.", status_code=422)
    form = page.context["form"]
    assert form["bid"].value() == "350"
    assert form["key"].value() != fields["key"]
    assert game.totals == [0, 2, 0]
    assert alice.post(url, form.data).status_code == 303
    assert game.totals == [0, 6, 0]


def test_the_key_of_another_phone_saves_nothing_and_tells_nothing(game, alice, ben, url):
    fields = game.fields()
    alice.post(url, fields)
    page = ben.post(url, fields)
    assertContains(page, "This form has saved something else already.", status_code=422)
    assert game.totals == [0, 2, 0]


# What another phone did meanwhile.


def test_a_hand_that_another_phone_entered_first_is_shown_beside_mine(game, alice, url):
    fields = game.fields(bid="350", outcome="set")
    game.enter(phone=game.ben)
    page = alice.post(url, fields)
    assertContains(page, "Ben entered hand 1: Ben 320 hearts made (0 · 2 · 0)", status_code=409)
    assertContains(page, QUICKER, status_code=409)
    assertContains(page, "Same hand: discard mine", status_code=409)
    assertContains(page, "Another hand: save as hand 2", status_code=409)
    form = page.context["form"]
    assert form["seen"].value() == str(game.version)
    for field in ("key", "bidder", "bid", "trump", "outcome"):
        assert form[field].value() == fields[field]
    assert game.totals == [0, 2, 0]
    assert alice.post(url, form.data).status_code == 303
    assert game.totals == [4, 2, 4]


def test_a_hand_that_came_second_as_a_part(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.ben)
    part = alice.post(url, fields, headers=HTMX)
    assertContains(part, QUICKER, status_code=409)
    assertNotContains(part, "<html", status_code=409)


def test_a_typed_row_that_came_second_is_kept(game, alice, url):
    fields = numbers(game, "0", " 16 ", "0")
    game.enter(phone=game.ben)
    page = alice.post(url, fields)
    assert page.status_code == 409
    assert kept(page, game, "0", " 16 ", "0")


def test_a_third_hand_meanwhile_is_a_new_question(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.ben)
    form = alice.post(url, fields).context["form"]
    game.enter(phone=game.ben)
    assertContains(alice.post(url, form.data), "Ben entered hand 2", status_code=409)


def test_a_hand_put_back_meanwhile_is_a_question(game, alice, url):
    row = game.enter(phone=game.ben)
    actions.take_back(game.write(game.ben), row.public_id)
    fields = game.fields()
    actions.put_back(game.write(game.ben), row.public_id)
    assertContains(alice.post(url, fields), "Ben put back hand 1", status_code=409)


def test_seats_changed_meanwhile_are_a_question(game, alice, url):
    fields = game.fields()
    order = [player.pk for player in reversed(game.players)]
    actions.change_seats(game.write(game.ben), game.sheet.public_id, order)
    assertContains(alice.post(url, fields), "Ben changed the seats", status_code=409)


def test_what_this_phone_did_meanwhile_is_no_question(game, alice, url):
    fields = game.fields()
    game.enter(phone=game.alice)
    assert alice.post(url, fields).status_code == 303
    assert game.totals == [0, 4, 0]


def test_what_does_not_touch_the_row_is_no_question(game, alice, url):
    row = game.enter()
    fields = game.fields()
    actions.take_back(game.write(game.ben), row.public_id)
    actions.join(game.write(game.ben), None)
    names = {p.pk: f"{p.name} B" for p in game.players}
    actions.rename(game.write(game.ben), game.sheet.public_id, "Thursday", names)
    assert alice.post(url, fields).status_code == 303


@pytest.mark.parametrize(
    ("zone", "time"),
    [("Europe/Berlin", "15 January 2026 at 21:14"), ("Asia/Kolkata", "16 January 2026 at 01:44")],
)
@pytest.mark.parametrize("new_sheet_open", [False, True])
def test_a_hand_after_the_end_is_refused_with_who_ended_it_and_when(
    game, alice, url, zone, time, new_sheet_open
):
    game.enter()
    fields = game.fields(bid="350")
    Table.objects.update(time_zone=zone)
    game.end(game.ben)
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    if new_sheet_open:
        play_again(game)
    page = alice.post(url, fields)
    assertContains(page, f"Ben ended this match on {time}.", status_code=409)
    assert page.context["form"]["bid"].value() == "350"
    assertNotContains(page, "Another hand", status_code=409)
    assert Round.objects.count() == 1
    assert sum(game.totals) == (0 if new_sheet_open else 2)


def test_a_hand_typed_after_the_end_stays_refused_when_sent_again(game, alice, url):
    game.enter()
    fields = game.fields()
    game.end(game.ben)
    form = alice.post(url, fields).context["form"]
    play_again(game)
    assert alice.post(url, form.data).status_code == 409
    assert Round.objects.count() == 1


def test_a_phone_that_left_the_table_is_a_stranger(game, alice, url):
    fields = game.fields()
    game.table.members.filter(phone=game.alice).update(phone="left")
    assert alice.post(url, fields).status_code == 404
    assert not Round.objects.exists()


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
