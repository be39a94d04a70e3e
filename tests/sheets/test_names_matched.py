"""Names at the club's tables matched to its roster, and seats that were somebody else's."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, club_queries, queries, roster, wording
from sheets.actions import NEW, Why
from sheets.models import Change, ClubPerson, Person, Result
from tests.sheets.clubs import a_club, signed_in


def posted(club, **fields):
    club.club.refresh_from_db()
    return {"key": str(uuid.uuid4()), "seen": str(club.club.version)} | fields


def here(game, name):
    return game.table.people.get(name=name)


def who_is(game, name):
    return here(game, name).club_person


def matched(club, wanted, **write):
    return actions.match_names(
        club.write(**write),
        {person.pk: who if who in (None, NEW) else who.pk for person, who in wanted.items()},
    )


# Matching.


def test_one_button_saves_all_and_the_only_name_alike_is_chosen_already(thursday, club_game, otto):
    ben = thursday.person("bEN")
    thursday.person("Cass", "one")
    cass = thursday.person("Cass", "other")
    page = otto.get(thursday.url("names/"))
    alice, by_ben, by_cass = (here(club_game, name) for name in ("Alice", "Ben", "Cass"))
    form = page.context["form"]
    chosen = {person: field.value() for person, field in form.rows()}
    assert chosen == {alice: "", by_ben: str(ben.pk), by_cass: ""}
    fields = posted(
        thursday,
        **{
            f"person_{alice.pk}": "new",
            f"person_{by_ben.pk}": str(ben.pk),
            f"person_{by_cass.pk}": str(cass.pk),
        },
    )
    assert otto.post(thursday.url("names/"), fields).status_code == 303
    assert [who_is(club_game, name) for name in ("Ben", "Cass")] == [ben, cass]
    assert who_is(club_game, "Alice").name == "Alice"
    # The same form once more is the same answer.
    assert otto.post(thursday.url("names/"), fields).status_code == 303
    change = thursday.club.changes.first()
    assert change.kind == "names_matched"
    assert [by_ben.pk, ben.pk] in change.after["matched"]
    assertContains(otto.get(thursday.url("names/")), "Everybody at the club's tables")


def test_whom_nobody_chose_is_left_and_nothing_chosen_is_asked_for(thursday, club_game, otto):
    fields = posted(thursday, **{f"person_{here(club_game, 'Ben').pk}": ""})
    answer = otto.post(thursday.url("names/"), fields)
    assertContains(answer, "Nobody was chosen", status_code=422)
    assert not ClubPerson.objects.exists()


def test_a_new_name_at_two_tables_is_one_person(thursday, club_game, new_game):
    other = thursday.take_in(new_game()[0])
    matched(thursday, {here(club_game, "Ben"): NEW, here(other, "Ben"): NEW})
    assert who_is(club_game, "Ben") == who_is(other, "Ben")


def test_a_wrong_match_is_put_right_on_the_page_of_the_table(thursday, club_game, otto):
    ben, benjamin = thursday.person("Ben", of=[here(club_game, "Ben")]), thursday.person("Benjamin")
    url = f"{thursday.url('names/')}?table={club_game.table.public_id}"
    page = otto.get(url)
    assertContains(page, "Who sat at Alice, Ben and Cass?")
    field = f"person_{here(club_game, 'Ben').pk}"
    assert page.context["form"][field].value() == str(ben.pk)
    was = field.replace("person", "was")
    chosen = {field: str(benjamin.pk), was: str(ben.pk)}
    assert otto.post(url, posted(thursday, **chosen)).status_code == 303
    assert who_is(club_game, "Ben") == benjamin
    otto.post(url, posted(thursday, **{field: "", was: str(benjamin.pk)}))
    assert who_is(club_game, "Ben") is None


def test_nobody_is_two_people_of_one_sheet(thursday, club_game, otto):
    ben = thursday.person("Ben", of=[here(club_game, "Ben")])
    benny = thursday.person("Benny")
    benny.merged_into = ben
    benny.save()
    refused = matched(thursday, {here(club_game, "Cass"): benny})
    assert (refused.why, refused.sheet) == (Why.ONE_SHEET, club_game.sheet)
    fields = posted(thursday, **{f"person_{here(club_game, 'Cass').pk}": str(ben.pk)})
    answer = otto.post(thursday.url("names/"), fields)
    assertContains(answer, "so they are two people", status_code=422)
    assert who_is(club_game, "Cass") is None


def test_what_another_organiser_said_of_the_same_name_is_a_question(thursday, club_game):
    ben, benny = thursday.person("Ben"), thursday.person("Benny")
    seen = thursday.club.version
    matched(thursday, {here(club_game, "Ben"): ben}, user=thursday.otto)
    stale = matched(thursday, {here(club_game, "Ben"): benny}, seen=seen)
    assert stale.why == Why.STALE
    same = matched(thursday, {here(club_game, "Ben"): ben}, seen=seen)
    assert isinstance(same, actions.ClubSaved)


def test_the_people_of_another_clubs_tables_are_not_there(thursday, club_game, otto):
    other = a_club("friday", "Friday Club")
    refused = actions.match_names(other.write(), {here(club_game, "Ben").pk: NEW})
    assert refused.why == Why.NOT_THERE
    assertNotContains(signed_in(other.otto).get(other.url("names/")), "Ben")
    foreign = other.person("Ben")
    assert matched(thursday, {here(club_game, "Ben"): foreign}).why == Why.NOT_THERE


def test_an_erased_name_is_nobodys_to_match(thursday, club_game):
    club_game.enter()
    club_game.end()
    actions.erase_person(club_game.write(), here(club_game, "Ben").pk)
    assert [one.name for one in roster.unmatched(thursday.club)] == ["Alice", "Cass"]


# Names that leave no doubt.


def test_a_name_that_is_one_on_the_roster_is_known_at_once(thursday, club_game, new_game):
    ben = thursday.person("Ben")
    thursday.person("Dora", "one")
    other_dora = thursday.person("Dora", "two")
    retired = thursday.person("Emil")
    retired.retired = True
    retired.save()
    club_game.enter()
    club_game.end()
    names = ["Alice", "Dora", "Emil"]
    actions.play_again(club_game.write(), names, 0)
    assert [who_is(club_game, name) for name in names] == [None, None, None]
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ["Alice", "Dora (two)", "ＢＥＮ"], 0)
    # Ben was at the table before the club had him on its roster.
    assert who_is(club_game, "Dora (two)") == other_dora
    assert who_is(club_game, "ＢＥＮ") is None
    other = thursday.take_in(new_game(names=("Xenia", "Yves", "Zoe"))[0])
    actions.rename(other.write(), other.sheet.public_id, "", {other.players[0].pk: "ben"})
    assert who_is(other, "ben") == ben


def test_who_goes_by_another_name_at_the_table_is_still_one_person(thursday, club_game):
    benjamin = thursday.person("Benjamin", of=[here(club_game, "Ben")])
    ben = here(club_game, "Ben")
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ["Alice", "Benjamin", "Cass"], 0)
    assert here(club_game, "Benjamin") == ben
    assert club_game.players[1].person == ben
    # And sits in one seat only, whatever else is typed.
    club_game.enter()
    club_game.end()
    actions.play_again(club_game.write(), ["Ben", "Benjamin", "Cass"], 0)
    assert who_is(club_game, "Benjamin") == benjamin
    assert who_is(club_game, "Ben") is None


def test_whose_name_was_erased_does_not_sit_down_again(thursday, club_game):
    ben = here(club_game, "Ben")
    on_roster = thursday.person("Ben", of=[ben])
    club_game.enter()
    club_game.end()
    actions.erase_person(club_game.write(), ben.pk)
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 0)
    sits = here(club_game, "Ben")
    assert sits != ben
    assert sits.club_person == on_roster


def test_a_fourth_and_somebody_who_only_keeps_score_are_known_too(thursday, club_game):
    dora, emil = thursday.person("Dora"), thursday.person("Emil")
    actions.sit_down(
        club_game.write(), club_game.sheet.public_id, "Dora", "off_sheet", "right_of_dealer"
    )
    assert who_is(club_game, "Dora") == dora
    actions.say_who(club_game.write(club_game.ben), None, name="Emil")
    assert who_is(club_game, "Emil") == emil


# Seats of one sheet.


@pytest.fixture
def banked(club_game):
    club_game.enter()
    club_game.end()
    return club_game


def given(club, game, *, of_club=None, here=None, **write):
    return actions.match_seats(
        club.at(game.table, **write), game.sheet.public_id, of_club or {}, here or {}
    )


def test_a_seat_becomes_that_of_somebody_on_the_roster_and_back(thursday, banked, otto):
    dora, ben = thursday.person("Dora"), here(banked, "Ben")
    phone = banked.table.members.get(person=ben)
    url = thursday.url(f"sheets/{banked.sheet.public_id}/people/")
    assertContains(otto.get(url), "it was Ben")
    fields = {"key": str(uuid.uuid4()), "seen": str(banked.version)}
    answer = otto.post(url, fields | {f"seat_{ben.pk}": f"club-{dora.pk}"})
    assert answer.status_code == 303
    again = otto.post(url, fields | {f"seat_{ben.pk}": f"club-{dora.pk}"})
    assert again.status_code == 303
    player = banked.players[1]
    assert (player.name, player.total) == ("Dora", 2)
    assert player.person.club_person == dora
    assert Result.objects.get(person=player.person).units == 2
    assert not Result.objects.filter(person=ben).exists()
    phone.refresh_from_db()
    assert phone.person == ben  # it is his phone all the same
    change = Change.objects.get(kind="seats_matched")
    said = wording.change(change, queries.past_of(banked.table, [change]))
    assert said == "said that the seat of Ben was that of Dora"
    back = given(thursday, banked, here={player.person_id: ben.pk})
    assert isinstance(back, actions.Saved)
    assert (banked.players[1].name, banked.players[1].person) == ("Ben", ben)
    assert Result.objects.get(person=ben).units == 2


def test_a_name_that_is_taken_at_the_table_comes_with_its_note_as_far_as_it_fits(thursday, banked):
    ben, cass = here(banked, "Ben"), here(banked, "Cass")
    other = thursday.person("Ben", "Hill Street")
    given(thursday, banked, of_club={cass.pk: other.pk})
    assert [player.name for player in banked.players] == ["Alice", "Ben", "Ben (Hill Street)"]
    endless = thursday.person("Cass", "👨‍👩‍👧‍👦" * 28)
    given(thursday, banked, of_club={ben.pk: endless.pk})
    assert [player.name for player in banked.players] == ["Alice", "Cass", "Ben (Hill Street)"]


def test_names_take_no_more_queries_with_more_of_them(thursday, new_game, otto, at_most_queries):
    for _ in range(3):
        thursday.take_in(new_game()[0])
    thursday.person("Ben")
    with at_most_queries(10):
        page = otto.get(thursday.url("names/"))
    assert len(page.context["form"].people) == 9


def test_two_seats_are_swapped(thursday, banked):
    ben, cass = here(banked, "Ben"), here(banked, "Cass")
    people = banked.table.people.count()
    given(thursday, banked, here={ben.pk: cass.pk, cass.pk: ben.pk})
    assert [player.name for player in banked.players] == ["Alice", "Cass", "Ben"]
    assert banked.totals == [0, 2, 0]
    assert banked.table.people.count() == people


def test_nobody_has_two_seats_of_a_sheet(thursday, banked, otto):
    ben, cass = here(banked, "Ben"), here(banked, "Cass")
    thursday.person("Ben", of=[ben])
    twin = Person.objects.create(
        table=banked.table, name="Benny", club_person=who_is(banked, "Ben")
    )
    for one in (ben, twin):
        assert given(thursday, banked, here={cass.pk: one.pk}).why == Why.SAT_TWICE
    url = thursday.url(f"sheets/{banked.sheet.public_id}/people/")
    fields = {"key": str(uuid.uuid4()), "seen": str(banked.version)}
    answer = otto.post(url, fields | {f"seat_{cass.pk}": f"here-{ben.pk}"})
    assertContains(answer, "One person can&#x27;t have two seats", status_code=422)
    assert [player.name for player in banked.players] == ["Alice", "Ben", "Cass"]


def test_seats_of_a_match_that_goes_on_are_the_tables_own(thursday, club_game, otto):
    ben, dora = here(club_game, "Ben"), thursday.person("Dora")
    assert given(thursday, club_game, of_club={ben.pk: dora.pk}).why == Why.GOES_ON
    url = thursday.url(f"sheets/{club_game.sheet.public_id}/people/")
    assertContains(otto.get(url), "still goes on")


def test_only_organisers_of_the_club_give_seats_away(thursday, banked):
    other = a_club("friday", "Friday Club")
    ben, foreign = here(banked, "Ben"), other.person("Dora")
    refused = given(thursday, banked, of_club={ben.pk: foreign.pk}, user=other.otto)
    assert refused.why == Why.NOT_AN_ORGANISER
    assert given(thursday, banked, of_club={ben.pk: foreign.pk}).why == Why.NOT_THERE
    url = other.url(f"sheets/{banked.sheet.public_id}/people/")
    assert signed_in(other.otto).get(url).status_code == 404


def test_who_never_sat_on_a_sheet_is_not_counted_on_the_front_page(thursday, club_game, mara):
    everybody = Person.objects.filter(table=club_game.table)
    everybody.update(club_person=thursday.person("Everybody"))
    Person.objects.create(table=club_game.table, name="a former player")
    assert club_queries.unmatched(thursday.club).n == 0
