"""Sheets that hold the same match: said before a second one is stored, and warned of in review."""

from __future__ import annotations

import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, alike, codes
from sheets.imports import reading
from sheets.models import Change, ClubChange, Person, Review, Round, Sheet, Table
from tests.sheets import files
from tests.sheets.posting import opened

WARNING = "Another sheet has the same people, evening and hands"
ANN, BEN, CASS = (("name", name) for name in ("ann", "ben", "cass"))


def match(*rows, people=(ANN, BEN, CASS)):
    """A sheet with these rows."""
    return alike.match(people, [zip(people, row, strict=True) for row in rows])


A, B, C, D, E = (2, 0, 0), (0, 2, 0), (0, 0, 4), (8, 0, 8), (4, 4, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([A], [A], True),
        ([A], [B], False),
        ([A, B, C], [A, B, C], True),
        ([A, B, C], [A, B, D], False),  # of fewer than four all must be the same
        ([A, B, C], [A, B], False),
        ([A, B, C, D], [A, B, E, D], True),  # one corrected
        ([A, B, C, D], [A, B, D], True),  # one forgotten
        ([A, B, C, D], [A, E, E, D], False),
        ([A, B, C, D], [D, C, B, A], False),  # the same hands in another order
        ([A, B, C, D, A, B, C, D], [A, B, C, D, A, B], True),
        ([A, B, C, D, A, B, C, D], [A, B, C, D, A], False),
        ([A, B, (0, 0, 0), C], [A, (0, 0, 0), (0, 0, 0), B, C], True),  # nobody collected
        ([], [], False),
        ([(0, 0, 0)], [(0, 0, 0)], False),
    ],
)
def test_which_sheets_are_alike(one, other, same):
    assert alike.alike(match(*one), match(*other)) is same
    assert alike.alike(match(*other), match(*one)) is same


def test_neither_seats_nor_other_people_are_mixed_up():
    turned = match(*[(row[2], row[0], row[1]) for row in (A, C, D)], people=(CASS, ANN, BEN))
    assert alike.alike(match(A, C, D), turned)
    assert not alike.alike(match(A, C, D), match(A, C, D, people=(ANN, BEN, ("name", "dora"))))
    assert not alike.alike(match(A, C, D), match(A, C, D, people=(BEN, ANN, CASS)))


HANDS = [(1, 320, "hearts", "made"), (0, 350, "spades", "set"), (2, 300, "clubs", "made")]


def play(game, hands=HANDS, seats=(0, 1, 2)):
    for bidder, *hand in hands:
        game.enter(game.played(seats[bidder], *hand))
    game.end()
    return game.sheet


@pytest.fixture
def both(thursday, new_game, game):
    """Two tables of the club at which the same match was banked, in other seats."""
    first, (second, *_phones) = game, new_game(("Cass", "Alice", "Ben"))
    for one in (first, second):
        thursday.take_in(one)
    play(first)
    play(second, seats=(1, 2, 0))
    return first, second


def marked():
    return set(Sheet.objects.filter(oddities__contains=" alike ").values_list("pk", flat=True))


def keys(*games):
    return {game.sheet.pk for game in games}


def review(thursday, game, state=Review.SET_ASIDE, note="The same"):
    answer = actions.review(thursday.at(game.table), game.sheet.public_id, state, note)
    assert isinstance(answer, actions.Saved), answer


def assert_nothing_differs():
    pks = Sheet.objects.values_list("pk", flat=True)
    assert not [pk for pk in pks if actions.remake_results(pk, check=True)]


@pytest.mark.on_postgresql
def test_the_warning_is_on_both_and_goes_from_both_once_one_is_excluded(both, thursday):
    first, second = both
    assert marked() == keys(first, second)
    assert_nothing_differs()
    review(thursday, second)
    assert marked() == set()
    assert_nothing_differs()
    review(thursday, second, Review.TO_REVIEW, "")
    assert marked() == keys(first, second)
    assert_nothing_differs()
    # The other words stay what they were.
    words = set(Sheet.objects.values_list("oddities", flat=True))
    assert words == {" short alike "}


def test_nothing_is_dropped_by_itself(both):
    counted = Sheet.objects.filter(state="banked", review="to_review")
    assert counted.count() == 2
    assert all(sheet.results.count() == 3 for sheet in counted)


@pytest.mark.on_postgresql
def test_it_follows_corrections_reopening_and_seats(both, thursday):
    first, second = both
    row = second.standing[2]
    other = second.played(0, 420, "hearts", "set")
    actions.correct_hand(thursday.at(second.table), row.public_id, other, reason="a slip")
    assert marked() == set()  # one of three
    same = second.played(0, 300, "clubs", "made")
    actions.correct_hand(thursday.at(second.table), row.public_id, same, reason="it was right")
    assert marked() == keys(first, second)
    for one in ((4, 0, 0), (0, 0, 6)):
        typed, sheet = second.typed(*one), second.sheet.public_id
        actions.add_hand(thursday.at(second.table), sheet, typed, reason="forgotten")
    assert marked() == set()  # three of five
    for row in second.standing[3:]:
        passed = second.passed()
        actions.correct_hand(thursday.at(second.table), row.public_id, passed, reason="no bid")
    assert marked() == keys(first, second)
    actions.reopen(thursday.at(first.table), first.sheet.public_id, "once more")
    assert marked() == set()
    first.end()
    assert marked() == keys(first, second)
    person = thursday.person("Dora")
    of_club = {first.players[0].person_id: person.pk}
    sheet = first.sheet.public_id
    answer = actions.match_seats(thursday.at(first.table), sheet, of_club, {})
    assert isinstance(answer, actions.Saved)
    assert marked() == set()
    assert_nothing_differs()


@pytest.mark.on_postgresql
def test_it_follows_who_is_whom(thursday, new_game, game):
    first, (second, *_phones) = game, new_game(("Alicia", "Ben", "Cass"))
    for one in (first, second):
        thursday.take_in(one)
        play(one)
    assert marked() == set()
    alice, alicia = thursday.person("Alice"), thursday.person("Alicia")
    here = {game.players[0].person_id: who for game, who in ((first, alice), (second, alicia))}
    matched = actions.match_names(thursday.write(), {pk: who.pk for pk, who in here.items()})
    assert isinstance(matched, actions.ClubSaved)
    assert marked() == set()
    actions.merge_people(thursday.write(), alicia.pk, alice.pk)
    assert marked() == keys(first, second)
    assert_nothing_differs()
    actions.part_people(thursday.write(), alicia.pk)
    assert marked() == set()
    again = {second.players[0].person_id: alice.pk}
    actions.match_names(thursday.write(), again)
    assert marked() == keys(first, second)
    assert_nothing_differs()
    actions.match_names(thursday.write(), dict.fromkeys(again, None))
    assert marked() == set()
    assert_nothing_differs()


@pytest.mark.on_postgresql
def test_it_goes_with_the_table_of_the_other(both, thursday, new_game):
    first, second = both
    code = second.table.code
    actions.let_go(thursday.write(), second.table.pk)
    assert marked() == set()
    actions.take_in(thursday.write(), code)
    assert marked() == keys(first, second)
    thursday.mara.is_staff = True
    thursday.mara.save()
    actions.delete_table(thursday.at(second.table, thursday.mara))
    assert marked() == set()
    assert not Table.objects.filter(pk=second.table.pk).exists()


def test_an_erased_name_is_nobodys(both):
    first, _second = both
    actions.erase_person(first.write(), first.players[0].person_id)
    assert marked() == set()
    assert_nothing_differs()


def test_other_evenings_and_other_clubs_are_other_matches(thursday, new_game):
    games = [new_game()[0] for _n in range(3)]
    for one in games[:2]:
        thursday.take_in(one)
    for one in games:
        play(one)
    assert marked() == keys(*games[:2])
    earlier = games[0].sheet.played_at - datetime.timedelta(days=1)
    Sheet.objects.filter(pk=games[0].sheet.pk).update(played_at=earlier)
    for one in games[:2]:
        actions.remake_results(one.sheet.pk)
    assert marked() == set()


def test_the_results_command_finds_and_mends_a_wrong_word(both, capsys):
    Sheet.objects.update(oddities=" short ")
    call_command("results", check=True)
    assert "2 banked sheets of clubs looked at, 2 different." in capsys.readouterr().out
    call_command("results")
    assert marked() == keys(*both)


def test_review_shows_the_other_sheet_and_excludes_either_with_one_tap(both, thursday, otto):
    first, second = both
    here = thursday.url(f"sheets/{first.sheet.public_id}/")
    there = thursday.url(f"sheets/{second.sheet.public_id}/")
    page = otto.get(here)
    assertContains(page, WARNING)
    assertContains(page, f'href="{there}"')
    assertContains(otto.get(there), WARNING)
    assertContains(otto.get(thursday.url("sheets/?odd=alike")), "like another sheet", count=3)
    address, label, form = page.context["exclude"][1]
    assert label == "Exclude the other sheet"
    sent = {field.name: str(field.value()) for field in form if field.value() is not None}
    done = otto.post(address, sent)
    assert done.status_code == 303
    assert done["Location"].startswith(here)
    page = otto.get(done["Location"])
    assertNotContains(page, WARNING)
    assertContains(page, "Set aside: The same match as another sheet")
    assertNotContains(otto.get(there), WARNING)
    review(thursday, second, Review.TO_REVIEW, "")
    address, label, form = otto.get(here).context["exclude"][0]
    assert label == "Exclude this sheet"
    sent = {field.name: str(field.value()) for field in form if field.value() is not None}
    assert otto.post(address, sent).status_code == 303
    assert Sheet.objects.get(pk=first.sheet.pk).review == Review.SET_ASIDE
    assert marked() == set()


def test_a_sheet_that_somebody_else_corrected_since_is_not_excluded_unseen(both, thursday, otto):
    first, second = both
    here = thursday.url(f"sheets/{first.sheet.public_id}/")
    address, _label, form = otto.get(here).context["exclude"][1]
    sent = {field.name: str(field.value()) for field in form if field.value() is not None}
    other = second.played(0, 420, "hearts", "set")
    row = second.standing[2].public_id
    actions.correct_hand(thursday.at(second.table, thursday.mara), row, other, reason="a slip")
    assert otto.post(address, sent).status_code == 409
    assert Sheet.objects.get(pk=second.sheet.pk).review == Review.TO_REVIEW


PAPER = "b 320 h m\na 350 s x\n-\nc 300 c m"


@pytest.fixture
def paper(thursday, otto, game):
    """Post the page on which a paper sheet is typed in, of the evening of the usual table."""
    evening = thursday.club.evening(Table.objects.get(pk=game.table.pk).created_at)

    def post(hands=PAPER, **changed):
        fields = opened(otto, thursday.url("paper/")) | {"hands": hands, "evening": str(evening)}
        names = {"name_0": "Alice", "name_1": "Ben", "name_2": "Cass"}
        return otto.post(thursday.url("paper/"), fields | names | changed)

    return post


def test_a_typed_sheet_of_a_match_that_is_here_is_asked_about_once(paper, thursday, game):
    thursday.take_in(game)
    sheet = play(game)
    asked = paper()
    assertContains(asked, "Is this another match?", status_code=409)
    assertContains(asked, thursday.url(f"sheets/{sheet.public_id}/"), status_code=409)
    assertContains(asked, "Another match: bank it too", status_code=409)
    assertContains(asked, "a 350 s x", status_code=409)
    assert (Sheet.objects.count(), Table.objects.count(), Person.objects.count()) == (1, 1, 3)
    agreed = asked.context["form"]["agreed"].value()
    assert paper(agreed=agreed).status_code == 303
    assert Sheet.objects.filter(oddities__contains=" alike ").count() == 2
    # Now there are two, which is another question.
    assert paper(agreed=agreed).status_code == 409
    # Typed in another order of the seats it is the same.
    turned = {"name_0": "Ben", "name_1": "Cass", "name_2": "Alice"}
    assert paper(**turned).status_code == 409
    # Other people, another evening or other hands are another match.
    assert paper(name_2="Dora", hands=PAPER.replace("c 300", "d 300")).status_code == 303
    assert paper(evening="2026-03-29").status_code == 303
    assert paper("b 320 h m\na 350 s x\nc 350 c x").status_code == 303


def test_what_is_excluded_is_not_asked_about(paper, thursday, game):
    thursday.take_in(game)
    play(game)
    review(thursday, game)
    assert paper().status_code == 303
    assert marked() == set()


def test_a_club_of_many_evenings_is_not_read(both, thursday, at_most_queries):
    first, _second = both
    sheet = Sheet.objects.select_related("club").get(pk=first.sheet.pk)
    like = Sheet.objects.values().get(pk=sheet.pk)
    for name in ("id", "public_id"):
        del like[name]
    played = like.pop("played_at")
    days = [played - datetime.timedelta(days=n) for n in range(1, 2_000)]
    Sheet.objects.bulk_create(Sheet(**like, played_at=day) for day in days)
    with at_most_queries(5):
        assert len(alike.of(sheet)) == 1
    plan = alike.of_evening(thursday.club, thursday.club.evening(played)).explain()
    assert "sheets_sheet_inbox" in plan
    assert Round.objects.count() == 6


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_an_imported_sheet_of_a_match_that_is_here_is_told_of_before(kind, both, thursday, otto):
    """Of two tables one went into a file; it comes back under other ids."""
    first, second = both
    if kind == "json":
        thursday.match_all()
        Sheet.objects.filter(pk=second.sheet.pk).update(review="to_review")
    review(thursday, second)
    written = files.club_file if kind == "json" else files.hands_file
    data = with_other_ids(written(thursday.club).decode(), kind)
    page = otto.post(
        thursday.url("files/import/"),
        {"key": str(files.a_key()), "seen": "1", "file": SimpleUploadedFile(f"club.{kind}", data)},
    )
    assert page.status_code == 200
    plan = page.context["plan"]
    # What was excluded in the file comes in excluded, and is asked about no more than here.
    assert [[one.pk for one in sheet.alike] for sheet in plan.alike] == [[first.sheet.pk]]
    assertContains(page, thursday.url(f"sheets/{first.sheet.public_id}/"))
    assertContains(page, "1 of these sheets has the same people, evening and hands")
    # Agreed to is exactly what was shown: were it excluded by then, this would be another plan.
    brought = reading.read(data)
    review(thursday, first)
    answer = actions.import_file(thursday.write(), brought, plan.mark)
    assert answer.why == actions.Why.STALE
    review(thursday, first, Review.TO_REVIEW, "")
    answer = actions.import_file(thursday.write(), brought, plan.mark)
    assert isinstance(answer, actions.ClubSaved), answer
    assert first.sheet.pk in marked()
    assert len(marked()) == 2
    assert_nothing_differs()


def with_other_ids(text, kind):
    """The same file as if its tables, sheets and hands had been made elsewhere."""
    for table in Table.objects.all():
        text = text.replace(table.public_id, codes.new_public_id())
    for sheet in Sheet.objects.all():
        text = text.replace(sheet.public_id, codes.new_public_id())
    for row in Round.objects.all():
        text = text.replace(str(row.public_id), str(files.a_key()))
    for change in [*Change.objects.all(), *ClubChange.objects.all()]:
        text = text.replace(str(change.key), str(files.a_key()))
    return text.encode()
