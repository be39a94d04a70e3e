"""Who deals, what people are called, who sits where, and whose phone this is."""

from __future__ import annotations

import datetime

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions
from sheets.models import Sheet

HTMX = {"HX-Request": "true"}
FORMS = {"dealer/": "form", "names/": "names_form", "seats/": "seats_form", "who/": "who_form"}


def opened(client, game, page):
    """The fields as a browser would send them back untouched."""
    form = client.get(game.url(page)).context[FORMS[page]]
    return {field.name: str(field.value() or "") for field in form}


def post(client, game, page, **changed):
    return client.post(game.url(page), opened(client, game, page) | changed)


def renamed(game, *names, table=""):
    """The fields of new names, by seat."""
    fields = {f"name_{p.pk}": name for p, name in zip(game.players, names, strict=True)}
    return fields | {"table_name": table}


def seated(game, *places):
    """The fields of new places, by today's seat; the first place is 1."""
    return {f"place_{p.pk}": str(n) for p, n in zip(game.players, places, strict=True)}


def deals_next(client, game):
    return client.get(game.url()).context["next"].dealer.name


def names_of(game):
    return [player.name for player in game.players]


def told(client, game):
    """The newest line of history: who and what."""
    _at, who, what = client.get(game.url("history/")).context["events"][0]
    return f"{who} {what}"


@pytest.fixture
def banked(game, alice):
    """Fields of every form as they were before Ben ended the match, and what to change in them."""
    game.enter()
    cass = game.players[2]
    changed = {
        "dealer/": {"dealer": str(cass.pk)},
        "names/": renamed(game, "Alice", "Ben", "Dan"),
        "seats/": seated(game, 3, 2, 1),
    }
    fields = {page: opened(alice, game, page) | changed[page] for page in changed}
    game.end(game.ben)
    Sheet.objects.update(ended_at=datetime.datetime(2026, 1, 15, 20, 14, tzinfo=datetime.UTC))
    return fields


# All four forms.


@pytest.mark.parametrize("which", FORMS)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_every_form_leads_back_to_the_sheet(game, alice, which, headers):
    fields = opened(alice, game, which) | {"person": "none"}
    answer = alice.post(game.url(which), fields, headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, game.url())


@pytest.mark.parametrize("which", FORMS)
@pytest.mark.parametrize("lost", ["key", "seen", "sheet"])
def test_a_form_that_lost_a_part_says_so_and_can_be_sent_again(game, alice, which, lost):
    if (which, lost) == ("who/", "sheet"):
        lost = "key"  # whose phone it is belongs to no sheet
    fields = opened(alice, game, which) | {"person": "none"}
    answer = alice.post(game.url(which), fields | {lost: ""})
    assertContains(answer, "Part of this form was missing.", status_code=422)
    data = answer.context[FORMS[which]].data
    assert alice.post(game.url(which), data).status_code == 303


@pytest.mark.parametrize("which", ["dealer/", "names/", "seats/"])
@pytest.mark.parametrize("new_sheet_open", [False, True])
def test_a_banked_sheet_does_not_change(game, alice, banked, which, new_sheet_open):
    if new_sheet_open:
        actions.play_again(game.write(game.ben), names_of(game), 0)
    version, names = game.version, names_of(game)
    answer = alice.post(game.url(which), banked[which])
    assertContains(answer, "Ben ended this match on 15 January 2026 at 21:14.", status_code=409)
    assert (game.version, names_of(game)) == (version, names)
    form = answer.context["form"]
    assert {name: form[name].value() for name in banked[which] if name != "seen"} == {
        name: value for name, value in banked[which].items() if name != "seen"
    }


@pytest.mark.parametrize("which", ["dealer/", "names/", "seats/"])
def test_what_cannot_be_changed_any_more_leads_to_the_result(game, alice, banked, which):
    answer = alice.get(game.url(which))
    assert (answer.status_code, answer["Location"]) == (303, game.url())


# Who deals.


def test_the_deal_moves_left_with_every_hand_of_any_kind(game, alice):
    hands = [game.played(), game.played(outcome="thrown_in"), game.passed(), game.typed(3, 0, 0)]
    for hand, dealer in zip(hands, ["Ben", "Cass", "Alice", "Ben"], strict=True):
        game.enter(hand)
        assert deals_next(alice, game) == dealer


def test_the_mark_stands_beside_the_dealer_in_words(game, alice):
    mark = f'<a class="mark" href="{game.url("dealer/")}">deals</a>'
    assertContains(alice.get(game.url()), mark, html=True, count=1)


def test_a_misdeal_says_who_deals_again_and_adds_no_row(game, alice):
    game.enter()
    version = game.version
    page = alice.get(game.url("dealer/"))
    assertContains(page, "Ben deals hand 2")
    assertContains(page, "Misdeal? Ben deals again, and nothing is written on the sheet.")
    assert (game.version, len(game.standing)) == (version, 1)


def test_the_mark_is_set_by_hand_and_moves_on_from_there(game, alice):
    post(alice, game, "dealer/", dealer=str(game.players[2].pk))
    assert deals_next(alice, game) == "Cass"
    assert told(alice, game) == "Alice set the deal of hand 1 from Alice to Cass"
    game.enter()
    assert game.standing[0].dealer.name == "Cass"
    assert deals_next(alice, game) == "Alice"


def test_the_mark_set_by_hand_can_be_set_again(game, alice):
    for seat, name in ((2, "Cass"), (1, "Ben"), (1, "Ben")):
        post(alice, game, "dealer/", dealer=str(game.players[seat].pk))
        assert deals_next(alice, game) == name


def test_taking_back_the_last_hand_returns_the_deal(game, alice):
    rows = [game.enter() for _ in range(3)]
    actions.take_back(game.write(), rows[2].public_id)
    assert deals_next(alice, game) == "Cass"
    actions.take_back(game.write(), rows[1].public_id)
    assert deals_next(alice, game) == "Ben"
    actions.take_back(game.write(), rows[0].public_id)
    assert deals_next(alice, game) == "Alice"
    actions.put_back(game.write(), rows[0].public_id)
    assert deals_next(alice, game) == "Ben"


def test_taking_back_or_changing_an_old_hand_moves_no_deal(game, alice):
    rows = [game.enter() for _ in range(4)]
    actions.edit_hand(game.write(), rows[0].public_id, game.played(outcome="set", dealer=2))
    actions.take_back(game.write(), rows[1].public_id)
    assert deals_next(alice, game) == "Ben"
    assert [row.dealer.name for row in game.standing] == ["Cass", "Cass", "Alice"]


def test_a_mark_set_by_hand_outlives_the_hand_before_it(game, alice):
    rows = [game.enter() for _ in range(2)]
    post(alice, game, "dealer/", dealer=str(game.players[0].pk))
    actions.take_back(game.write(), rows[1].public_id)
    assert deals_next(alice, game) == "Alice"


@pytest.mark.parametrize(("dealer", "said"), [("", "Choose who deals."), ("999999", "<em>")])
def test_a_dealer_who_is_not_there_is_refused(game, alice, dealer, said):
    answer = post(alice, game, "dealer/", dealer=dealer)
    assertContains(answer, said, status_code=422)
    assert deals_next(alice, game) == "Alice"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_mark_that_came_second_is_a_question(game, alice, headers):
    fields = opened(alice, game, "dealer/") | {"dealer": str(game.players[2].pk)}
    game.enter(phone=game.ben)
    answer = alice.post(game.url("dealer/"), fields, headers=headers)
    assertContains(answer, "Ben entered hand 1", status_code=409)
    assertContains(answer, "Ben deals hand 2", status_code=409)
    assertContains(answer, "<html", status_code=409, count=0 if headers else 1)
    form = answer.context["form"] if not headers else None
    if form:
        assert form["dealer"].value() == fields["dealer"]
        assert alice.post(game.url("dealer/"), form.data).status_code == 303
        assert deals_next(alice, game) == "Cass"


def test_two_taps_set_the_mark_once(game, alice):
    fields = opened(alice, game, "dealer/") | {"dealer": str(game.players[2].pk)}
    answers = [alice.post(game.url("dealer/"), fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert game.sheet.changes.filter(kind="dealer_set").count() == 1


# Names.


def test_a_player_is_renamed_and_keeps_every_number(game, alice):
    game.enter()
    post(alice, game, "names/", **renamed(game, "Alice", "Benno", "Cass"))
    page = alice.get(game.url())
    assertContains(page, "Alice, Benno and Cass")
    assert page.context["lines"][0].bidder == "Benno"
    assert game.totals == [0, 2, 0]
    assert told(alice, game) == "Alice Ben is now called Benno"


def test_two_players_swap_names(game, alice):
    game.enter()
    answer = post(alice, game, "names/", **renamed(game, "Ben", "Alice", "Cass"))
    assert answer.status_code == 303
    assert names_of(game) == ["Ben", "Alice", "Cass"]
    assert game.totals == [0, 2, 0]
    what = told(alice, game)
    assert "Alice is now called Ben" in what
    assert "Ben is now called Alice" in what


def test_three_players_pass_their_names_round(game, alice):
    post(alice, game, "names/", **renamed(game, "Cass", "Alice", "Ben"))
    assert names_of(game) == ["Cass", "Alice", "Ben"]


def test_a_name_may_change_its_case_alone(game, alice):
    assert post(alice, game, "names/", **renamed(game, "alice", "BEN", "Cass")).status_code == 303
    assert names_of(game) == ["alice", "BEN", "Cass"]


@pytest.mark.parametrize("empty", ["", "  ", "\u200b"])
def test_the_table_gets_a_name_and_loses_it_again(game, alice, empty):
    names = names_of(game)
    post(alice, game, "names/", **renamed(game, *names, table="  Thursday  table "))
    assertContains(alice.get(game.url()), "<title>Thursday table")
    assert told(alice, game) == "Alice the table is now called Thursday table"
    post(alice, game, "names/", **renamed(game, *names, table=empty))
    assertContains(alice.get(game.url()), "<title>Alice, Ben and Cass")
    assert told(alice, game) == "Alice the table is called after its players again"


def test_history_keeps_the_names_of_then(game, alice):
    for name in ("Benno", "Benjamin"):
        post(alice, game, "names/", **renamed(game, "Alice", name, "Cass"))
    said = [what for _at, _who, what in alice.get(game.url("history/")).context["events"]]
    assert said[:2] == ["Benno is now called Benjamin", "Ben is now called Benno"]


@pytest.mark.parametrize(
    ("names", "table", "sentence"),
    [
        (["Alice", "Ben", "ben "], "", "There is already a Ben here: add a letter"),
        (["Alice", "Ben", "Ｂｅｎ"], "", "There is already a Ben here: add a letter"),
        (["Alice", "", "Cass"], "", "Type a name."),
        (["Alice", "\u200b", "Cass"], "", "Type a name."),
        (["Alice", "x" * 41, "Cass"], "", "41 letters are too many: 40 fit on the sheet."),
        (["Alice", "Ben", "Cass"], "x" * 41, "41 letters are too many: 40 fit on the sheet."),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_kept(game, alice, names, table, sentence):
    answer = post(alice, game, "names/", **renamed(game, *names, table=table))
    assertContains(answer, sentence, status_code=422)
    assertContains(answer, "<html", status_code=422)
    for kept in [name for name in [*names, table] if name.strip("\u200b")]:
        assertContains(answer, f'value="{kept}"', status_code=422)
    assert names_of(game) == ["Alice", "Ben", "Cass"]


@pytest.mark.parametrize("which", FORMS)
def test_a_refusal_as_a_part(game, alice, which):
    fields = opened(alice, game, which) | {"key": ""}
    part = alice.post(game.url(which), fields, headers=HTMX)
    assertContains(part, '<main id="page">', status_code=422)
    assertNotContains(part, "<html", status_code=422)


def test_forty_letters_of_any_script_are_a_name(game, alice):
    new = ("x" * 40, "🇩🇪" * 40, "山" * 40)
    assert post(alice, game, "names/", **renamed(game, *new)).status_code == 303
    assert names_of(game) == list(new)
    assertContains(alice.get(game.url()), f'title="{"山" * 40}"')


def test_names_that_another_phone_changed_meanwhile_are_a_question(game, alice):
    fields = opened(alice, game, "names/") | renamed(game, "Alice", "Benjamin", "Cass")
    names = {p.pk: {"Ben": "Benno"}.get(p.name, p.name) for p in game.players}
    actions.rename(game.write(game.ben), game.sheet.public_id, "", names)
    answer = alice.post(game.url("names/"), fields)
    assertContains(answer, "Ben is now called Benno", status_code=409)
    assertContains(answer, 'value="Benjamin"', status_code=409)
    assert alice.post(game.url("names/"), answer.context["form"].data).status_code == 303
    assert names_of(game) == ["Alice", "Benjamin", "Cass"]


def test_a_hand_entered_meanwhile_is_not_in_the_way_of_a_name(game, alice):
    fields = opened(alice, game, "names/") | renamed(game, "Alice", "Benno", "Cass")
    game.enter(phone=game.ben)
    assert alice.post(game.url("names/"), fields).status_code == 303


def test_a_banked_sheet_keeps_the_names_it_was_banked_with(game, alice):
    game.enter()
    first = game.sheet
    game.end()
    actions.play_again(game.write(), names_of(game), 0)
    post(alice, game, "names/", **renamed(game, "Alice", "Benno", "Cass"))
    page = alice.get(first.get_absolute_url())
    assertContains(page, "Ben wins with 2")
    assertContains(alice.get(game.url("evenings/")), "Ben wins with 2")


# Seats.


def test_columns_move_with_the_seats_and_numbers_stay_with_people(game, alice):
    game.enter(game.played(bidder=0, bid=350))
    game.enter(game.played(bidder=1))
    post(alice, game, "seats/", **seated(game, 3, 1, 2))
    assert names_of(game) == ["Ben", "Cass", "Alice"]
    assert game.totals == [2, 0, 4]
    lines = alice.get(game.url()).context["lines"]
    assert [(line.bidder, line.cells) for line in lines] == [
        ("Ben", ("2", "0", "0")),
        ("Alice", ("0", "0", "4")),
    ]
    sentence = "Alice changed the seats from Alice, Ben and Cass to Ben, Cass and Alice"
    assert told(alice, game) == sentence


def test_the_deal_stays_with_the_place(game, alice):
    for _ in range(2):
        game.enter()  # dealt at the first place and at the second
    post(alice, game, "seats/", **seated(game, 3, 1, 2))
    assert [row.dealer.name for row in game.standing] == ["Ben", "Cass"]
    assert deals_next(alice, game) == "Alice"


def test_the_mark_before_the_first_hand_stays_with_the_place(game, alice):
    post(alice, game, "seats/", **seated(game, 3, 1, 2))
    assert deals_next(alice, game) == "Ben"


def test_the_bid_left_with_the_dealer_stays_with_its_dealer(game, alice):
    game.enter(game.played(bidder=0, bid=250))
    game.enter(game.passed())
    game.enter(game.typed(3, 0, 0))
    post(alice, game, "seats/", **seated(game, 3, 1, 2))
    assert [row.dealer.name for row in game.standing] == ["Alice", "Cass", "Alice"]
    # It can still be opened and saved as it stands.
    row = game.standing[0]
    form = alice.get(game.url(f"hands/{row.public_id}/edit/")).context["form"]
    fields = {f.name: str(f.value()) for f in form if f.value() is not None}
    answer = alice.post(game.url(f"hands/{row.public_id}/edit/"), fields)
    assert answer.status_code == 303


def test_history_shows_a_hand_in_the_columns_of_its_time(game, alice):
    post(alice, game, "seats/", **seated(game, 3, 1, 2))
    game.enter(game.played(bidder=0))  # Ben, who now has the first column
    assert told(alice, game) == "Alice entered hand 1: Ben 320 hearts made (2 · 0 · 0)"


@pytest.mark.parametrize("places", [(1, 1, 2), (3, 3, 3), (1, 2, 2)])
def test_two_players_in_one_place_are_refused(game, alice, places):
    answer = post(alice, game, "seats/", **seated(game, *places))
    assertContains(answer, "sit in one place: give each its own.", status_code=422)
    form = answer.context["seats_form"]
    kept = [form[f"place_{p.pk}"].value() for p in game.players]
    assert kept == [str(place) for place in places]
    assert names_of(game) == ["Alice", "Ben", "Cass"]


@pytest.mark.parametrize("place", ["", "0", "4", "x"])
def test_a_place_that_is_not_there_is_refused(game, alice, place):
    answer = post(alice, game, "seats/", **seated(game, 1, 2, place))
    assertContains(answer, "<em>", status_code=422)
    assert names_of(game) == ["Alice", "Ben", "Cass"]


def test_seats_that_another_phone_changed_meanwhile_are_a_question(game, alice):
    fields = opened(alice, game, "seats/") | seated(game, 3, 2, 1)
    order = [game.players[seat].pk for seat in (1, 2, 0)]
    actions.change_seats(game.write(game.ben), game.sheet.public_id, order)
    answer = alice.post(game.url("seats/"), fields)
    assertContains(answer, "Ben changed the seats from", status_code=409)
    assert alice.post(game.url("seats/"), answer.context["form"].data).status_code == 303
    assert names_of(game) == ["Cass", "Ben", "Alice"]


# Whose phone this is.


@pytest.mark.parametrize("which", ["names/", "seats/", "who/"])
def test_the_person_of_this_phone_is_marked(game, alice, which):
    form = alice.get(game.url(which)).context["who_form"]
    assert [chip.label for chip in form.person_chips() if chip.chosen] == ["Alice"]


def test_a_phone_says_whose_it_is_now(game, alice):
    post(alice, game, "who/", person=str(game.players[2].person.pk))
    assert told(alice, game) == "Cass said this is the phone of Cass, no longer of Alice"
    post(alice, game, "who/", person="none")
    assert told(alice, game) == (
        "Phone 1 said this is the phone of somebody who only keeps score, no longer of Cass"
    )


def test_a_phone_that_says_nobody_is_asked_again(game, alice):
    answer = post(alice, game, "who/", person="")
    assertContains(answer, "Choose who you are.", status_code=422)


def test_whose_phone_it_is_can_be_said_after_the_end(game, alice, banked):
    assert post(alice, game, "who/", person="none").status_code == 303
