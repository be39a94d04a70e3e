"""Enter just the numbers: what is refused, what is asked about once, what is kept and marked."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from sheets.forms.base import UnitsField
from sheets.models import Round
from tests.sheets.posting import kept, numbers

NOTHING_BELOW_0 = "Nobody takes in less than 0: what was paid out is not written down."


@pytest.fixture
def url(game):
    return game.url("hands/new/")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("-2", NOTHING_BELOW_0),
        ("- 2", NOTHING_BELOW_0),
        ("−2", NOTHING_BELOW_0),
        ("–2", NOTHING_BELOW_0),
        ("－２", NOTHING_BELOW_0),
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
