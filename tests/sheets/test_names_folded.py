"""What names are found and sorted by: neither case nor accents, the same on both databases."""

from __future__ import annotations

import importlib
import random

import pytest
from django.apps import apps
from django.urls import reverse

from sheets import actions, club_queries, names, roster
from sheets.models import Club, ClubPerson, Person, Player, Table, User
from sheets.models.fields import FoldedField
from tests.sheets import clubs

IN_ORDER = ("Anna", "Åsa", "Ben", "Émile", "Emile B", "Łukasz", "Øyvind", "Zoe", "Ольга", "علي")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Émile", "emile"),
        ("E\u0301MILE", "emile"),
        ("Åsa", "asa"),
        ("ОЛЬГА", "ольга"),
        ("Алёна Чайка", "алена чаика"),
        ("Łukasz Ørsted-Groß", "lukasz orsted-gross"),
        ("Ａｌｉｃｅ", "alice"),
        ("Nguyễn  Thị", "nguyen thi"),
        ("Ἀθηνᾶ", "αθηνα"),
        ("מָרִים", "מרים"),
        ("عَلِيّ", "علي"),
        ("がく", "がく"),  # no accent: another letter
        ("한나", "한나"),
        ("\u2068Ann\u2069", "ann"),
    ],
)
def test_a_name_is_found_by_its_bare_letters(text, folded):
    assert names.folded(text) == folded == names.folded(folded)


def test_two_names_that_are_found_alike_are_two_names():
    assert names.folded("Émile") == names.folded("Emile")
    assert names.key("Émile") != names.key("Emile")


def test_names_are_sorted_as_people_do():
    mixed = random.Random(1).sample(IN_ORDER, len(IN_ORDER))
    assert tuple(sorted(mixed, key=names.in_order)) == IN_ORDER
    tables = sorted(["Table 100", "Table 11b", "table 10", "Table 2"], key=names.in_order)
    assert tables == ["Table 2", "table 10", "Table 11b", "Table 100"]


@pytest.fixture
def people(thursday):
    for name in reversed(IN_ORDER):
        thursday.person(name)
    return thursday


@pytest.mark.on_postgresql
def test_people_and_clubs_are_listed_in_order(people):
    mara = people.mara
    assert tuple(one.name for one in people.club.people.all()) == IN_ORDER
    assert tuple(one.person.name for one in roster.roster(people.club).here) == IN_ORDER
    assert tuple(club_queries.names_on_roster(people.club)) == IN_ORDER
    for code, name in (("AAAAAA", "Zoe's"), ("BBBBBB", "Åsas klubb")):
        club = Club.objects.create(slug=code.lower(), name=name, time_zone="UTC", code=code)
        club.organisers.create(user=mara)
    assert [one.club.name for one in club_queries.clubs_of(mara)] == [
        "Åsas klubb",
        "Thursday Club",
        "Zoe's",
    ]


@pytest.mark.on_postgresql
@pytest.mark.parametrize("term", ["ольга", "ОЛЬГА", "émile", "EMILE", "Emile\u0301"])
def test_the_admin_finds_people_however_they_are_typed(game, people, term):
    for player, name in zip(game.players, ("Ольга", "Émile B", "Zoe"), strict=True):
        Player.objects.filter(pk=player.pk).update(name=name, name_key=names.key(name))
        person = Person.objects.get(pk=player.person_id)
        person.name = name
        person.save()
    people.take_in(game)
    staff = User.objects.create_superuser("staff@club.example", "correct horse", name="Émile Ольга")
    client = clubs.signed_in(staff)

    def found(model, asked):
        answer = client.get(reverse(f"admin:sheets_{model}_changelist"), {"q": asked, "o": "1"})
        return {str(row) for row in answer.context["cl"].result_list}

    alike = {one for one in IN_ORDER if names.folded(term) in names.folded(one)}
    assert found("clubperson", term) == alike
    for model in ("person", "player", "table", "sheet", "user"):
        assert found(model, term), model
        assert not found(model, "nobody"), model


FOLDED = [
    model
    for model in apps.get_app_config("sheets").get_models()
    if any(isinstance(field, FoldedField) for field in model._meta.concrete_fields)
]


def said(row):
    return f"{row.name} {row.note}" if isinstance(row, ClubPerson) else row.name


def not_folded():
    rows = [row for model in FOLDED for row in model.objects.all()]
    return [row for row in rows if row.name_folded != names.folded(said(row))]


def test_every_change_of_a_name_is_folded(thursday, club_game):
    game, sheet = club_game, club_game.sheet
    renamed = {game.players[0].pk: "Åsa", game.players[1].pk: "Émile", game.players[2].pk: "Çelik"}
    write = game.write()
    assert isinstance(actions.rename(write, sheet.public_id, "Chez Émile", renamed), actions.Saved)
    assert Table.objects.get(pk=game.table.pk).name_folded == "chez emile"
    assert Person.objects.filter(name_folded="asa").count() == 1
    actions.change_club(thursday.write(), "Été", "Europe/Berlin", False, "")
    person = thursday.person("Ben")
    actions.rename_person(thursday.write(), person.pk, "Bén", "Rue Émile")
    assert ClubPerson.objects.get(pk=person.pk).name_folded == "ben rue emile"
    actions.save_rules(game.write(), sheet.public_id, "Nôtres")
    game.end()
    actions.play_again(game.write(), ["ÅSA", "Émile", "Dora"], 0)
    erased = Person.objects.get(name="Çelik")
    assert isinstance(actions.erase_person(game.write(), erased.pk), actions.Saved)
    assert not not_folded()


def test_rows_that_were_there_are_folded(thursday, club_game):
    thursday.person("Émile", "Rue É")
    for model in FOLDED:
        model.objects.update(name_folded="")
    assert not_folded()
    importlib.import_module("sheets.migrations.0019_fold_names").fold(apps, None)
    assert not not_folded()
