"""The roster: who is on it, who is whom, and which of them the people at tables are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sheets import names, roster
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubStep, ClubWrite, club_action
from sheets.actions.likening import liken, liken_people, marked_evenings
from sheets.models import Club, ClubChange, ClubChangeKind, ClubPerson, Person, Sheet, Table

NEW: Final = "new"  # somebody who is not on the roster yet

_MERGES: Final = (ClubChangeKind.PERSON_MERGED, ClubChangeKind.MERGE_UNDONE)


@club_action()
def add_people(at: ClubStep, new: Sequence[tuple[str, str]]) -> ClubChange:
    """Put people on the roster, by name and note; each is a new one, whoever has that name."""
    people = [ClubPerson.objects.create(club=at.club, name=name, note=note) for name, note in new]
    if len(people) == 1:
        return at.record(ClubChangeKind.PERSON_ADDED, after={"person": people[0].pk})
    return at.record(ClubChangeKind.PERSON_ADDED, after={"people": [one.pk for one in people]})


@club_action()
def rename_person(at: ClubStep, pk: int, name: str, note: str) -> ClubChange:
    """Change name and note of somebody on the roster; what tables wrote down stays."""
    person = _person(at, pk)
    at.refuse_if_others([ClubChangeKind.PERSON_RENAMED], person=pk)
    person.name, person.note = name, note
    person.save(update_fields=("name", "note", "name_folded"))
    return at.record(ClubChangeKind.PERSON_RENAMED, after={"person": pk})


def merge_people(write: ClubWrite, pk: int, into: int) -> ClubAnswer:
    """Let everything of one person count as another's: one fact, which `part_people` takes back.

    Somebody else who did the same is no refusal. Refuses what would make a circle, two who sat on
    one sheet, and when somebody else merged or parted one of the two since it was asked.
    """
    return _likened(write, _merge_people(write, pk, into))


def _likened(write: ClubWrite, answer: ClubAnswer) -> ClubAnswer:
    """Look again at the evenings on which two people played who were merged or parted."""
    if isinstance(answer, ClubSaved):
        said = answer.change.after or {}
        groups = roster.apart(write.club, said["person"], said["into"])
        liken_people(write.club, *map(roster.people_at_tables, groups))
    return answer


@club_action()
def _merge_people(at: ClubStep, pk: int, into: int) -> ClubChange | ClubSaved:
    person, stays = _person(at, pk), _person(at, into)
    if pk == into:
        raise Refusal(Why.INTO_ITSELF)
    if person.merged_into_id == into:
        done = at.club.changes.filter(kind=ClubChangeKind.PERSON_MERGED, after__person=pk)
        return ClubSaved(done.filter(after__into=into).latest("version"), repeated=True)
    if person.merged_into_id is not None:
        raise Refusal(Why.MERGED)
    counts = roster.stands_for(at.club)
    if counts[into] == pk:
        raise Refusal(Why.MERGE_CIRCLE)
    _refuse_one_sheet(
        roster.people_at_tables(roster.counted_as(counts, counts[pk])),
        roster.people_at_tables(roster.counted_as(counts, counts[into])),
    )
    for one in (pk, into):  # what follows is not what was shown
        at.refuse_if_others(_MERGES, person=one)
        at.refuse_if_others(_MERGES, into=one)
    person.merged_into = stays
    person.save(update_fields=("merged_into",))
    return at.record(ClubChangeKind.PERSON_MERGED, after={"person": pk, "into": into})


def part_people(write: ClubWrite, pk: int) -> ClubAnswer:
    """Take a merge back: both are again who they were, with all that has been played since."""
    return _likened(write, _part_people(write, pk))


@club_action()
def _part_people(at: ClubStep, pk: int) -> ClubChange | ClubSaved:
    person = _person(at, pk)
    if person.merged_into_id is None:
        return _done(at, ClubChangeKind.MERGE_UNDONE, pk)
    at.refuse_if_others(_MERGES, person=pk)
    after = {"person": pk, "into": person.merged_into_id}
    person.merged_into = None
    person.save(update_fields=("merged_into",))
    return at.record(ClubChangeKind.MERGE_UNDONE, after=after)


@club_action()
def retire_person(at: ClubStep, pk: int) -> ClubChange | ClubSaved:
    """Offer somebody for seats no more; what was played stays."""
    return _set_retired(at, pk, ClubChangeKind.PERSON_RETIRED, retired=True)


@club_action()
def take_person_back(at: ClubStep, pk: int) -> ClubChange | ClubSaved:
    """Offer somebody for seats again."""
    return _set_retired(at, pk, ClubChangeKind.PERSON_BACK, retired=False)


def match_names(write: ClubWrite, wanted: Mapping[int, int | str | None]) -> ClubAnswer:
    """Say who of the roster these people at tables are: somebody on it, somebody new, or nobody.

    `wanted` maps people at the club's tables to keys of the roster, `NEW` or None; one new name is
    one new person, at however many tables. Refuses when somebody else said otherwise of one of them
    meanwhile, and where one would sit on a sheet twice.
    """
    answer = _match_names(write, wanted)
    if isinstance(answer, ClubSaved):
        counts = roster.effective(write.club)
        for person, of in (answer.change.after or {})["matched"]:
            same = roster.counted_as(counts, counts[of]) if of in counts else set()
            liken_people(write.club, {person}, roster.people_at_tables(same) - {person})
        liken(marked_evenings(Sheet.objects.filter(players__person__in=list(wanted))))
    return answer


@club_action()
def _match_names(at: ClubStep, wanted: Mapping[int, int | str | None]) -> ClubChange:
    # Whoever plays on there may be renaming the same people, or sitting down as one of them.
    tables = Table.objects.filter(club=at.club, people__in=list(wanted)).values("pk")
    list(Table.objects.select_for_update().filter(pk__in=tables).order_by("pk"))
    people = list(Person.objects.filter(pk__in=wanted, table__club=at.club).order_by("pk"))
    if len(people) < len(wanted):
        raise Refusal(Why.NOT_THERE)
    _refuse_if_matched_meanwhile(at, wanted)
    before = [[person.pk, person.club_person_id] for person in people]
    new: dict[str, ClubPerson] = {}
    for person in people:
        person.club_person = _meant(at, person, wanted[person.pk], new)
    Person.objects.bulk_update(people, ("club_person",))
    _refuse_twice_on_a_sheet(at.club, people)
    after = [[person.pk, person.club_person_id] for person in people]
    return at.record(
        ClubChangeKind.NAMES_MATCHED, before={"matched": before}, after={"matched": after}
    )


def _person(at: ClubStep, pk: int) -> ClubPerson:
    person = at.club.people.filter(pk=pk).first()
    if person is None:
        raise Refusal(Why.NOT_THERE)
    return person


def _done(at: ClubStep, kind: ClubChangeKind, pk: int) -> ClubSaved:
    """Answer with what somebody else has done already."""
    done = at.club.changes.filter(kind=kind, after__person=pk).order_by("-version").first()
    if done is None:
        raise Refusal(Why.NOTHING)
    return ClubSaved(done, repeated=True)


def _set_retired(
    at: ClubStep, pk: int, kind: ClubChangeKind, *, retired: bool
) -> ClubChange | ClubSaved:
    person = _person(at, pk)
    if person.retired == retired:
        return _done(at, kind, pk)
    person.retired = retired
    person.save(update_fields=("retired",))
    return at.record(kind, after={"person": pk})


def _meant(
    at: ClubStep, person: Person, who: int | str | None, new: dict[str, ClubPerson]
) -> ClubPerson | None:
    if who is None:
        return None
    if who != NEW:
        return _person(at, int(who))
    key = names.key(person.name)
    if key not in new:
        new[key] = ClubPerson.objects.create(club=at.club, name=person.name)
    return new[key]


def _refuse_if_matched_meanwhile(at: ClubStep, wanted: Mapping[int, int | str | None]) -> None:
    for change in reversed(at.since):
        if change.kind == ClubChangeKind.NAMES_MATCHED:
            said = dict((change.after or {})["matched"])
            if any(person in said and said[person] != wanted[person] for person in wanted):
                raise Refusal(Why.STALE, club_change=change)


def _refuse_twice_on_a_sheet(club: Club, people: Sequence[Person]) -> None:
    """Refuse where somebody would sit on one sheet as two people of a table."""
    counts = roster.stands_for(club)
    tables = {person.table_id for person in people}
    here = Person.objects.filter(table__in=tables).exclude(club_person=None)
    groups: dict[tuple[int, int], set[int]] = {}
    for pk, table, who in here.values_list("pk", "table", "club_person"):
        assert who is not None
        groups.setdefault((table, counts[who]), set()).add(pk)
    for person in people:
        if person.club_person_id is not None:
            group = groups[person.table_id, counts[person.club_person_id]]
            _refuse_one_sheet({person.pk}, group - {person.pk})


def part_doubles(club: Club, table: Table) -> None:
    """Say of nobody at a locked table of the club that they sit on one of its sheets twice.

    Where a file, paper or an earlier match would have it so, the first keeps the match, and who
    the other is, is left to an organiser.
    """
    counts = roster.stands_for(club)
    groups: dict[int, set[int]] = {}
    doubles = []
    for person in table.people.exclude(club_person=None).order_by("pk"):
        assert person.club_person_id is not None
        group = groups.setdefault(counts[person.club_person_id], set())
        if roster.sheet_with_both({person.pk}, group) is not None:
            doubles.append(person.pk)
        else:
            group.add(person.pk)
    Person.objects.filter(pk__in=doubles).update(club_person=None)


def _refuse_one_sheet(one: set[int], other: set[int]) -> None:
    sheet = roster.sheet_with_both(one, other)
    if sheet is not None:
        raise Refusal(Why.ONE_SHEET, sheet=sheet)
