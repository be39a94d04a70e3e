"""Whose seat of a banked sheet it really was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheets import names, roster
from sheets.actions.answers import Refusal, Why
from sheets.actions.likening import likens
from sheets.actions.results import keep_results
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, ClubPerson, Person, Player


@likens
@action
def match_seats(
    at: Step, sheet_id: str, of_club: Mapping[int, int], here: Mapping[int, int]
) -> Change:
    """Give seats of a banked sheet to other people: totals and hands stay, and become theirs.

    Both map people on the sheet to who it really was: `of_club` to keys of the club's roster,
    `here` to other people of the table. Whose phone is whose stays as it is. Doing it the other way
    round undoes it. Refuses when somebody else did the same meanwhile, and two seats for one.
    """
    sheet, players = at.sheet(sheet_id)
    if sheet.is_open:
        raise Refusal(Why.GOES_ON, sheet=sheet)
    at.refuse_if_others([ChangeKind.SEATS_MATCHED], sheet=sheet)
    people = _people(at, players, of_club, here)
    changed = [one for one in players if people[one.person_id].pk != one.person_id]
    if not changed:
        raise Refusal(Why.NOTHING)
    _refuse_two_seats(at, list(people.values()))
    before = {"seats": [[one.pk, one.person_id] for one in changed]}
    _give(at, changed, people)
    keep_results(sheet)
    after = {"seats": [[one.pk, one.person_id] for one in changed]}
    return at.record(ChangeKind.SEATS_MATCHED, sheet=sheet, before=before, after=after)


def _people(
    at: Step, players: Sequence[Player], of_club: Mapping[int, int], here: Mapping[int, int]
) -> dict[int, Person]:
    """Return for everybody on the sheet who it really was."""
    known = at.table.people.in_bulk()
    people = {one.person_id: known[one.person_id] for one in players}
    for old, new in here.items():
        if old not in people or new not in known:
            raise Refusal(Why.NOT_THERE)
        people[old] = known[new]
    for old, who in of_club.items():
        person = ClubPerson.objects.filter(pk=who, club=at.table.club_id).first()
        if old not in people or person is None:
            raise Refusal(Why.NOT_THERE)
        people[old] = _as_person(at, person, list(known.values()))
    return people


def _as_person(at: Step, who: ClubPerson, known: Sequence[Person]) -> Person:
    """Return who somebody of the roster is at this table, as a new person if nobody is."""
    counts = roster.effective(who.club_id)
    for person in known:
        if person.club_person_id is not None and counts[person.club_person_id] == counts[who.pk]:
            return person
    taken = {names.key(person.name) for person in known}
    name = who.name if names.key(who.name) not in taken else roster.with_note(who)
    return Person.objects.create(table=at.table, name=name, club_person=who)


def _refuse_two_seats(at: Step, people: Sequence[Person]) -> None:
    """Refuse one person in two seats, also where two people of the table are one of the roster."""
    counts = roster.effective(at.table.club_id) if at.table.club_id is not None else {}
    who = [
        ("roster", counts[one.club_person_id]) if one.club_person_id in counts else ("here", one.pk)
        for one in people
    ]
    if len(set(who)) < len(who):
        raise Refusal(Why.SAT_TWICE)


def _give(at: Step, changed: Sequence[Player], people: Mapping[int, Person]) -> None:
    """Give each of these seats to its person, under that one's name.

    Two may swap: so that no two meet on the way, each goes to nobody first.
    """
    nobodies = Person.objects.bulk_create(
        Person(table=at.table, name=names.former()) for _one in changed
    )
    for player, nobody in zip(changed, nobodies, strict=True):
        key = names.no_key(player.pk)
        Player.objects.filter(pk=player.pk).update(person=nobody, name_key=key)
    for player in changed:
        player.person = people[player.person_id]
        player.name, player.name_key = player.person.name, names.key(player.person.name)
        others = Player.objects.filter(sheet=player.sheet_id, name_key=player.name_key)
        if others.exclude(person=player.person).exists():
            raise Refusal(Why.NAME_TAKEN)
        player.save(update_fields=("person", "name", "name_key"))
    Person.objects.filter(pk__in=[nobody.pk for nobody in nobodies]).delete()
