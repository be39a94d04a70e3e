"""The roster of a club: added, renamed, merged and parted again, retired and back."""

from __future__ import annotations

import uuid

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, roster
from sheets.actions import Why
from sheets.models import ClubChange, ClubPerson, Person
from tests.sheets.clubs import a_club, signed_in

HTMX = {"HX-Request": "true"}


def posted(club, **fields):
    club.club.refresh_from_db()
    return {"key": str(uuid.uuid4()), "seen": str(club.club.version)} | fields


def at_tables(club_game):
    """The people at the usual table, by name."""
    return {one.name: one for one in club_game.table.people.all()}


def merged(club, person, into, **write):
    return actions.merge_people(club.write(**write), person.pk, into.pk)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_several_names_are_added_one_a_line(thursday, otto, headers):
    names = "Ben (Hill Street)\n\n  Cass \r\nDora 🇩🇪"
    answer = otto.post(thursday.url("people/new/"), posted(thursday, names=names), headers=headers)
    assert (answer.status_code, answer["Location"]) == (303, thursday.url("people/"))
    assert list(thursday.club.people.values_list("name", "note")) == [
        ("Ben", "Hill Street"),
        ("Cass", ""),
        ("Dora 🇩🇪", ""),
    ]
    page = otto.get(thursday.url("people/"))
    for said in ("Ben", "Hill Street", "Dora 🇩🇪", "at no table yet"):
        assertContains(page, said)


def test_a_name_that_is_there_asks_for_a_note_once(thursday, otto):
    thursday.person("Ben")
    fields = posted(thursday, names="ben")
    asked = otto.post(thursday.url("people/new/"), fields)
    assertContains(asked, "There is a ben on the roster already", status_code=422)
    again = fields | {"asked": asked.context["form"]["asked"].value()}
    assert otto.post(thursday.url("people/new/"), again).status_code == 303
    assert thursday.club.people.count() == 2


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("", "Type a name."),
        (" \n\N{ZERO WIDTH SPACE}\n", "Type a name."),
        ("x" * 41, "41 letters are too many"),
        (f"Ben ({'x' * 61})", "A note has 60 letters at most"),
        ("Ben\n" * 101, "101 names are too many at once"),
    ],
)
def test_what_can_not_be_added_is_said_and_kept(thursday, otto, names, says):
    answer = otto.post(thursday.url("people/new/"), posted(thursday, names=names))
    assertContains(answer, says, status_code=422)
    assert answer.context["form"]["names"].value() == names
    assert not thursday.club.people.exists()


def test_the_same_form_sent_twice_adds_once(thursday, otto):
    fields = posted(thursday, names="Ben")
    for _ in range(2):
        assert otto.post(thursday.url("people/new/"), fields).status_code == 303
    assert thursday.club.people.count() == 1


def test_a_person_is_renamed_and_what_tables_wrote_stays(thursday, club_game, otto):
    ben = thursday.person("Ben", of=[at_tables(club_game)["Ben"]])
    url = thursday.url(f"people/{ben.pk}/edit/")
    assertContains(otto.get(url), 'value="Ben"')
    answer = otto.post(url, posted(thursday, name="Benjamin", note="Hill Street"))
    assert answer.status_code == 303
    ben.refresh_from_db()
    assert str(ben) == "Benjamin (Hill Street)"
    assert sorted(at_tables(club_game)) == ["Alice", "Ben", "Cass"]


def test_a_rename_after_somebody_elses_is_a_question(thursday):
    ben = thursday.person("Ben")
    seen = thursday.club.version
    actions.rename_person(thursday.write(thursday.otto), ben.pk, "Benny", "")
    answer = actions.rename_person(thursday.write(seen=seen), ben.pk, "Benjamin", "")
    assert answer.why == Why.STALE
    assert answer.club_change.user == thursday.otto


def test_merging_shows_first_what_follows_and_the_roster_parts_the_two_again(
    thursday, club_game, otto
):
    club_game.enter()
    club_game.end()
    ben, benjamin = thursday.person("Ben", of=[at_tables(club_game)["Ben"]]), None
    benjamin = thursday.person("Benjamin")
    url = thursday.url(f"people/{benjamin.pk}/merge/")
    assertContains(otto.get(url), "Who else is Benjamin?")
    question = otto.get(url, {"other": ben.pk})
    assertContains(question, "Are Benjamin and Ben one person?")
    assertContains(question, "1 sheet at 1 table")
    assert not ClubPerson.objects.exclude(merged_into=None).exists()
    fields = posted(thursday, other=str(ben.pk), stays=str(ben.pk))
    assert otto.post(url, fields).status_code == 303
    assert roster.stands_for(thursday.club) == {ben.pk: ben.pk, benjamin.pk: ben.pk}
    page = otto.get(thursday.url("people/"))
    assertContains(page, "Benjamin counts as the same person")
    parted = otto.post(thursday.url(f"people/{benjamin.pk}/part/"), posted(thursday))
    assert parted.status_code == 303
    assert roster.stands_for(thursday.club) == {ben.pk: ben.pk, benjamin.pk: benjamin.pk}
    kinds = list(thursday.club.changes.values_list("kind", flat=True)[:2])
    assert kinds == ["merge_undone", "person_merged"]


def test_a_merge_needs_somebody_who_stays(thursday, otto):
    ben, benny = thursday.person("Ben"), thursday.person("Benny")
    url = thursday.url(f"people/{ben.pk}/merge/")
    answer = otto.post(url, posted(thursday, other=str(benny.pk)))
    assertContains(answer, "Choose who stays.", status_code=422)


def test_a_chain_counts_as_its_last_and_one_parting_leaves_the_others(thursday):
    ben, benny, benjamin = (thursday.person(name) for name in ("Ben", "Benny", "Benjamin"))
    merged(thursday, ben, benny)
    merged(thursday, benny, benjamin)
    counts = roster.stands_for(thursday.club)
    assert set(counts.values()) == {benjamin.pk}
    actions.part_people(thursday.write(), benny.pk)
    counts = roster.stands_for(thursday.club)
    assert counts == {ben.pk: benny.pk, benny.pk: benny.pk, benjamin.pk: benjamin.pk}


def test_nobody_is_merged_into_themselves_or_in_a_circle(thursday, otto):
    ben, benny, benjamin = (thursday.person(name) for name in ("Ben", "Benny", "Benjamin"))
    assert merged(thursday, ben, ben).why == Why.INTO_ITSELF
    merged(thursday, ben, benny)
    merged(thursday, benny, benjamin)
    refused = merged(thursday, benjamin, ben)
    assert refused.why == Why.MERGE_CIRCLE
    assert merged(thursday, ben, benjamin).why == Why.MERGED
    url = thursday.url(f"people/{benjamin.pk}/merge/")
    fields = posted(thursday, other=str(ben.pk), stays=str(ben.pk))
    assertContains(otto.post(url, fields), "merged into this person already", status_code=409)


def test_two_who_sat_on_one_sheet_are_two_people(thursday, club_game, otto):
    here = at_tables(club_game)
    ben, benjamin = thursday.person("Ben", of=[here["Ben"]]), thursday.person("Benjamin")
    cass = thursday.person("Cass", of=[here["Cass"]])
    assert isinstance(merged(thursday, benjamin, cass), actions.ClubSaved)
    # Benjamin counts as Cass now, who sat opposite Ben.
    refused = merged(thursday, ben, benjamin)
    assert (refused.why, refused.sheet) == (Why.ONE_SHEET, club_game.sheet)
    url = thursday.url(f"people/{ben.pk}/merge/")
    question = otto.get(url, {"other": cass.pk})
    assertContains(question, "Both sat on one sheet, at Alice, Ben and Cass on")
    assertNotContains(question, "Merge the two")
    fields = posted(thursday, other=str(cass.pk), stays=str(cass.pk))
    assertContains(otto.post(url, fields), "so they are two people", status_code=422)
    assert ClubPerson.objects.exclude(merged_into=None).get() == benjamin


def test_what_another_organiser_has_done_already_is_the_answer(thursday):
    ben, benny = thursday.person("Ben"), thursday.person("Benny")
    seen = thursday.club.version
    first = merged(thursday, ben, benny, user=thursday.otto)
    again = merged(thursday, ben, benny, seen=seen)
    assert (again.change, again.repeated) == (first.change, True)
    assert actions.part_people(thursday.write(), ben.pk).change.kind == "merge_undone"
    assert actions.part_people(thursday.write(thursday.otto), ben.pk).repeated
    assert actions.part_people(thursday.write(), benny.pk).why == Why.NOTHING


def test_a_merge_that_would_bring_more_than_was_shown_is_asked_again(thursday):
    ben, benny, benjamin = (thursday.person(name) for name in ("Ben", "Benny", "Benjamin"))
    seen = thursday.club.version
    merged(thursday, benjamin, benny, user=thursday.otto)
    stale = merged(thursday, benny, ben, seen=seen)
    assert (stale.why, stale.club_change.user) == (Why.STALE, thursday.otto)
    assert isinstance(merged(thursday, benny, ben), actions.ClubSaved)


def test_who_is_retired_stands_apart_and_is_offered_for_no_seat(thursday, otto):
    ben = thursday.person("Ben")
    assert otto.post(thursday.url(f"people/{ben.pk}/retire/"), posted(thursday)).status_code == 303
    assert roster.offered(thursday.club.pk) == []
    page = otto.get(thursday.url("people/"))
    assert [one.person for one in page.context["roster"].retired] == [ben]
    assertContains(page, "Take back")
    otto.post(thursday.url(f"people/{ben.pk}/back/"), posted(thursday))
    assert roster.offered(thursday.club.pk) == [ben]
    for rest in ("retire/", "back/", "part/"):
        assert otto.get(thursday.url(f"people/{ben.pk}/{rest}")).status_code == 303
    assert roster.offered(thursday.club.pk) == [ben]


def test_two_of_one_name_are_offered_with_their_notes(thursday):
    thursday.person("Ben", "Hill Street")
    thursday.person("ben", "the tall one")
    thursday.person("Cass", "left-handed")
    long = thursday.person("x" * 40, "y" * 60)
    thursday.person("x" * 40)
    offers = roster.labels_for(thursday.club.pk)
    assert offers == ["Ben (Hill Street)", "ben (the tall one)", "Cass", long.name]


def test_the_people_of_another_club_are_not_there(thursday, otto):
    other = a_club("friday", "Friday Club")
    ben, mine = other.person("Ben"), thursday.person("Ben")
    for rest in ("edit/", "merge/", "part/", "retire/", "back/"):
        url = f"people/{ben.pk}/{rest}"
        assert otto.get(thursday.url(url)).status_code == 404
        assert otto.post(thursday.url(url), posted(thursday)).status_code == 404
        assert otto.get(other.url(url)).status_code == 404
    assert merged(thursday, mine, ben).why == Why.NOT_THERE
    assert signed_in(other.otto).get(thursday.url("people/")).status_code == 404


def test_one_who_is_no_organiser_any_more_writes_nothing(thursday):
    ben = thursday.person("Ben")
    write = thursday.write(thursday.otto)
    thursday.club.organisers.filter(user=thursday.otto).delete()
    assert actions.retire_person(write, ben.pk).why == Why.NOT_AN_ORGANISER
    assert not ClubChange.objects.filter(kind="person_retired").exists()


def test_the_roster_takes_no_more_queries_with_more_people(thursday, otto, at_most_queries):
    def fill(n):
        for one in range(n):
            into = thursday.person(f"Ben {one}")
            ClubPerson.objects.create(club=thursday.club, name="B", merged_into=into)

    fill(2)
    with at_most_queries(7):
        otto.get(thursday.url("people/"))
    fill(20)
    with at_most_queries(7):
        otto.get(thursday.url("people/"))


def test_a_person_of_a_table_is_counted_once_a_table(thursday, club_game, otto):
    here = at_tables(club_game)
    second = Person.objects.create(table=club_game.table, name="Benny")
    thursday.person("Ben", of=[here["Ben"], second])
    [one] = roster.roster(thursday.club).here
    assert one.tables == 1
