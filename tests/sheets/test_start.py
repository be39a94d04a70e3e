"""Start a table: one screen, one button."""

from __future__ import annotations

import uuid

import pytest
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains

from rules import auction
from sheets import queries
from sheets.models import Member, Table
from tests.sheets.posting import rules_in_fields

pytestmark = pytest.mark.django_db
URL = "/tables/new/"
HTMX = {"HX-Request": "true"}
FAMILY = "👨‍👩‍👧‍👦"


def posted(**changed):
    """What a browser posts: Alice's phone, Alice deals first."""
    fields = {"key": str(uuid.uuid4()), "seen": "0", "time_zone": "Europe/Berlin"}
    fields |= {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass"}
    fields |= {"first_dealer": "0", "this_phone": "0"} | changed
    return {name: value for name, value in fields.items() if value is not None}


def names_at(table):
    return [player.name for player in queries.latest_sheet(table)[1]]


def test_the_page_asks_for_names_and_says_the_rules_in_one_line(client):
    page = client.get(URL)
    assertContains(page, "<html")
    assertContains(page, "opens at 300, no 40s or 90s, spades double")
    assertContains(page, '<input type="radio" name="first_dealer" value="0" checked>', html=True)
    assertContains(page, '<input type="radio" name="this_phone" value="0" checked>', html=True)


def test_the_page_as_a_part(client):
    part = client.get(URL, headers=HTMX)
    assertContains(part, '<main id="page">')
    assertNotContains(part, "<html")


def test_the_stake_table_is_unfolded_from_the_rules(client):
    page = client.get(URL)
    for row in (("350–380", "2", "4"), ("550+", "32", "64")):
        cells = f'<tr><th scope="row">{row[0]}</th><td>{row[1]}</td><td>{row[2]}</td></tr>'
        assertContains(page, cells, html=True)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_starting_leads_to_the_open_sheet(client, headers):
    answer = client.post(URL, posted(), headers=headers)
    table = Table.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == table.get_absolute_url()
    page = client.get(answer["Location"])
    assertContains(page, "Alice deals. The first hand goes here.")
    assert names_at(table) == ["Alice", "Ben", "Cass"]


def test_somebody_else_may_deal_first_and_hold_the_phone(client):
    answer = client.post(URL, posted(first_dealer="2", this_phone="1"))
    assertContains(client.get(answer["Location"]), "Cass deals. The first hand goes here.")
    assert str(Member.objects.get()) == "Ben"


def test_a_phone_may_belong_to_somebody_who_only_keeps_score(client):
    client.post(URL, posted(this_phone="none"))
    assert str(Member.objects.get()) == "Phone 1"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name_1": ""}, "Type a name."),
        ({"name_1": "   "}, "Type a name."),
        ({"name_1": "\u200b\u200d"}, "Type a name."),
        ({"name_1": None}, "Type a name."),
        ({"name_1": "x" * 41}, "41 letters are too many: 40 fit on the sheet."),
        ({"first_dealer": None}, "Choose who deals first."),
        ({"this_phone": None}, "Choose whose phone this is."),
        ({"name_1": "alice "}, "There is already a Alice here: add a letter to one of them."),
        ({"name_2": "Ben"}, "There is already a Ben here: add a letter to one of them."),
        ({"name_2": "ben "}, "There is already a Ben here: add a letter to one of them."),
        ({"name_2": "Ｂｅｎ"}, "There is already a Ben here: add a letter to one of them."),
        ({"name_2": "B\u200ben"}, "There is already a Ben here: add a letter to one of them."),
        ({"key": None}, "Part of this form was missing. Please send it once more."),
        ({"key": "nonsense"}, "Part of this form was missing. Please send it once more."),
        ({"seen": "-1"}, "Part of this form was missing. Please send it once more."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(client, changed, sentence):
    fields = posted(**({"first_dealer": "1"} | changed))
    page = client.post(URL, fields)
    assertContains(page, escape(sentence), status_code=422)
    assertContains(page, 'value="Alice"', status_code=422)
    for field in ("name_0", "name_1", "name_2", "first_dealer"):
        assert page.context["form"][field].value() == fields.get(field)
    assert not Table.objects.exists()
    assert "phone" not in page.cookies


@pytest.mark.parametrize("changed", [{"first_dealer": "3"}, {"this_phone": "7"}])
def test_a_seat_that_is_not_there_is_refused(client, changed):
    page = client.post(URL, posted(**changed))
    assertContains(page, 'role="alert"', status_code=422)
    assert not Table.objects.exists()


def test_a_refused_start_as_a_part(client):
    part = client.post(URL, posted(name_1=""), headers=HTMX)
    assertContains(part, "Type a name.", status_code=422)
    assertNotContains(part, "<html", status_code=422)


@pytest.mark.parametrize("lost", ["key", "seen"])
def test_a_form_that_lost_a_part_can_be_sent_once_more(client, lost):
    page = client.post(URL, posted(**{lost: None}))
    assert client.post(URL, page.context["form"].data).status_code == 303


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "Łukasz",
        "山田",
        "𠮷野",
        "👩🏽‍🦰",
        "🇩🇪" * 20,
        FAMILY,
        "x" * 40,
        "Mary Ann",
        "O'Neill",
        "<b>&",
    ],
)
def test_a_name_is_saved_and_shown_as_it_was_typed(client, name):
    answer = client.post(URL, posted(name_1=name))
    assert answer.status_code == 303
    assert names_at(Table.objects.get())[1] == name
    assertContains(client.get(answer["Location"]), escape(name))


@pytest.mark.parametrize("name", ["🇩🇪" * 40, FAMILY * 28, FAMILY * 30, "ﷺ" * 40])
def test_a_long_name_of_rare_letters_is_kept_or_refused_with_a_true_sentence(client, name):
    page = client.post(URL, posted(name_1=name))
    assert page.status_code in (303, 422)
    assertNotContains(page, "0 letters are too many: 40 fit", status_code=page.status_code)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("", "UTC"),
        (None, "UTC"),
        ("Mars/Olympus_Mons", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("x" * 500, "UTC"),
    ],
)
def test_the_phone_tells_its_time_zone_and_nonsense_falls_back(client, sent, kept):
    assert client.post(URL, posted(time_zone=sent)).status_code == 303
    assert Table.objects.get().time_zone == kept


def test_two_taps_on_start_make_one_table(client):
    fields = posted()
    answers = [client.post(URL, fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Table.objects.count() == 1


def test_a_used_form_with_other_names_is_refused_and_starts_another_table_once_more(client):
    fields = posted()
    client.post(URL, fields)
    page = client.post(URL, fields | {"name_2": "Dan"})
    assertContains(page, "This form has started a table already.", status_code=422)
    assert page.context["form"]["name_2"].value() == "Dan"
    assert Table.objects.count() == 1
    assert client.post(URL, page.context["form"].data).status_code == 303
    assert sorted(names_at(table)[2] for table in Table.objects.all()) == ["Cass", "Dan"]


def test_another_phone_learns_nothing_from_a_used_key(client, game, alice):
    fields = posted()
    address = alice.post(URL, fields)["Location"]
    page = client.post(URL, fields)
    assertNotContains(page, address, status_code=422)
    assert client.get(address).status_code == 404


def test_the_same_phone_can_start_a_second_table(client):
    client.post(URL, posted())
    client.post(URL, posted())
    assert Member.objects.values("phone").distinct().count() == 1
    assert Table.objects.count() == 2


# Four at the table.


def four(**changed):
    """Dana is the fourth, off the sheet, and sits out at the dealer's right."""
    rules = rules_in_fields(auction.HouseRules(fourth=auction.Fourth.OFF_SHEET))
    return posted(**rules | {"name_3": "Dana", "off_sheet": "3"} | changed)


@pytest.mark.parametrize(
    ("changed", "rules", "scoring"),
    [
        ({}, ("off_sheet", "right_of_dealer"), [True, True, True, False]),
        ({"off_sheet": "1"}, ("off_sheet", "right_of_dealer"), [True, False, True, True]),
        ({"fourth": "column", "sitter": "dealer"}, ("column", "dealer"), [True] * 4),
        ({"fourth": "column", "off_sheet": None}, ("column", "right_of_dealer"), [True] * 4),
    ],
)
def test_a_fourth_is_off_the_sheet_or_has_a_column(client, changed, rules, scoring):
    answer = client.post(URL, four(**changed))
    assert answer.status_code == 303
    sheet, players = queries.latest_sheet(Table.objects.get())
    house = sheet.house_rules.value
    assert (house.fourth, house.sitter) == rules
    assert [player.scores for player in players] == scoring
    assert names_at(sheet.table) == ["Alice", "Ben", "Cass", "Dana"]
    assertContains(client.get(answer["Location"]), "Alice deals")


def test_the_fourth_may_deal_first_and_hold_the_phone(client):
    answer = client.post(URL, four(first_dealer="3", this_phone="3"))
    page = client.get(answer["Location"])
    assertContains(page, "Dana deals, Cass sits out. The first hand goes here.")
    assert str(Member.objects.get()) == "Dana"


@pytest.mark.parametrize(
    ("changed", "field", "sentence"),
    [
        ({"name_3": ""}, "name_3", "Type a name."),
        ({"name_3": "x" * 41}, "name_3", "41 letters are too many"),
        ({"name_3": "ben"}, "name_3", "There is already a Ben here"),
        ({"fourth": "none"}, "name_3", "Three play: empty this, or choose a fourth in the house"),
        ({"off_sheet": "7"}, "off_sheet", "Choose who has no column."),
        ({"off_sheet": None}, "off_sheet", "Choose who has no column."),
        (
            {"fourth": "none", "name_3": "", "this_phone": "3"},
            "this_phone",
            "Choose whose phone this is.",
        ),
        (
            {"fourth": "none", "name_3": "", "first_dealer": "3"},
            "first_dealer",
            "Choose who deals first.",
        ),
    ],
)
def test_what_is_wrong_with_a_fourth_is_said(client, changed, field, sentence):
    fields = four(**changed)
    page = client.post(URL, fields)
    assertContains(page, escape(sentence), status_code=422)
    assert field in page.context["form"].errors
    assert page.context["form"]["name_3"].value() == fields.get("name_3")
    assert not Table.objects.exists()


def test_three_play_as_always_whatever_was_chosen_for_a_fourth(client):
    client.post(URL, four(fourth="none", name_3=""))
    sheet, players = queries.latest_sheet(Table.objects.get())
    assert (len(players), sheet.house_rules.value.fourth) == (3, "none")
