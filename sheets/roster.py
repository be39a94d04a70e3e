"""The roster of a club: who is on it, and who the people at its tables really are."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from sheets import names
from sheets.models import Club, ClubPerson, Person, Player, Sheet, SheetState

UNMATCHED_PAGE = 40  # names that are asked about at once


def stands_for(club: Club) -> dict[int, int]:
    """Return for everybody on the roster, by key, who they count as: whoever they were merged into.

    That one may have been merged in turn, so the last of the chain counts. Who was not merged
    counts as themselves.
    """
    return effective(club.pk)


def effective(club_id: int) -> dict[int, int]:
    """The same for the club with this key."""
    into = dict(ClubPerson.objects.filter(club=club_id).values_list("pk", "merged_into"))
    return {person: last_of(into, person) for person in into}


def last_of(into: Mapping[int, int | None], person: int) -> int:
    """Follow a person to whoever they count as; `into` says into whom each was merged.

    No action makes a circle; should the database hold one, its people count as themselves.
    """
    seen = [person]
    while (following := into[seen[-1]]) is not None:
        if following in seen:
            return person
        seen.append(following)
    return seen[-1]


def apart(club_id: int, person: int, other: int) -> tuple[set[int], set[int]]:
    """Return who counts as one person of a roster and who as another, were the one not merged."""
    into = dict(ClubPerson.objects.filter(club=club_id).values_list("pk", "merged_into"))
    into[person] = None
    counts = {one: last_of(into, one) for one in into}
    return counted_as(counts, person), counted_as(counts, counts[other])


def counted_as(counts: Mapping[int, int], person: int) -> set[int]:
    """Return everybody on the roster who counts as this one, by what `stands_for` says."""
    return {one for one, root in counts.items() if root == person}


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """Somebody on the roster, at how many tables, and who was merged into them."""

    person: ClubPerson
    tables: int
    merged: list[ClubPerson]


@dataclasses.dataclass(frozen=True, slots=True)
class Roster:
    """Who is on it: those offered for seats, and those who are retired."""

    here: list[Entry]
    retired: list[Entry]


def roster(club: Club) -> Roster:
    """Return everybody on the roster by name; who was merged stands under whom they count as."""
    people = list(club.people.annotate(tables=Count("at_tables__table", distinct=True)))
    people.sort(key=lambda one: (names.in_order(one.label), one.pk))
    counts = last_ones(people)
    merged: dict[int, list[ClubPerson]] = {}
    for one in people:
        if counts[one.pk] != one.pk:
            merged.setdefault(counts[one.pk], []).append(one)
    entries = [
        Entry(one, one.tables, merged.get(one.pk, [])) for one in people if counts[one.pk] == one.pk
    ]
    return Roster(
        here=[one for one in entries if not one.person.retired],
        retired=[one for one in entries if one.person.retired],
    )


def last_ones(people: Iterable[ClubPerson]) -> dict[int, int]:
    """Return whom each of these counts as, where these are all of a club."""
    into = {one.pk: one.merged_into_id for one in people}
    return {person: last_of(into, person) for person in into}


def offered(club_id: int | None) -> list[ClubPerson]:
    """Return who is offered for seats: everybody who is neither retired nor merged."""
    if club_id is None:
        return []
    found = ClubPerson.objects.filter(club=club_id, retired=False, merged_into=None)
    return sorted(found, key=lambda one: (names.in_order(one.label), one.pk))


def person_of(club: Club, pk: int) -> ClubPerson | None:
    """Return one person of the roster, with whoever they were merged into."""
    return club.people.select_related("merged_into").filter(pk=pk).first()


def of_one_name(club: Club, name: str, *, but: int | None = None) -> list[ClubPerson]:
    """Return who else on the roster goes by a name."""
    key = names.key(name)
    return [one for one in offered(club.pk) if names.key(one.name) == key and one.pk != but]


# Names that are typed at a table.


def labels(people: Sequence[ClubPerson]) -> list[str]:
    """Return the names a seat offers: with the note where a name alone could be two people.

    One that would not fit on a sheet is offered without its note.
    """
    same = Counter(names.key(one.name) for one in people)
    said = [with_note(one) if same[names.key(one.name)] > 1 else one.name for one in people]
    return list(dict.fromkeys(said))


def with_note(one: ClubPerson) -> str:
    """Return name and note as far as a sheet has room for them."""
    fits = names.letters(one.label) <= names.LONGEST and len(one.label) <= names.MOST_ROOM
    return one.label if fits else one.name


def labels_for(club_id: int | None) -> list[str]:
    """Return the names that seats at a table of this club offer; none at a table of no club."""
    return labels(offered(club_id))


def meant_by(people: Sequence[ClubPerson], typed: str) -> list[ClubPerson]:
    """Return whom of these a typed name can mean: by the name, or by name and note."""
    key = names.key(typed)
    return [one for one in people if key in (names.key(one.name), names.key(one.label))]


def meant(club_id: int | None, typed: Sequence[str]) -> list[int | None]:
    """Return whom of a club's roster each typed name means, where it can mean only one."""
    people = offered(club_id)
    found = [meant_by(people, name) for name in typed]
    return [one[0].pk if len(one) == 1 else None for one in found]


def match(club: Club, typed: str) -> ClubPerson | None:
    """Return whom of the roster a typed name means; None: nobody, or it can mean several."""
    found = meant_by(offered(club.pk), typed)
    return found[0] if len(found) == 1 else None


def matched_here(club_id: int, table: int) -> dict[int, int]:
    """Return who of a table's people is who of the roster, by whom they count as.

    Whose name was erased is nobody who sits down again.
    """
    erased = Player.objects.filter(person=OuterRef("pk"), name_key__startswith=names.NO_NAME)
    here = Person.objects.filter(table=table, club_person__club=club_id).exclude(Exists(erased))
    counts = effective(club_id)
    pairs = here.order_by("pk").values_list("pk", "club_person")
    return {counts[who]: pk for pk, who in pairs if who is not None}


def matches(club_id: int | None, table: int, typed: Sequence[str]) -> list[int | None]:
    """Return for each name typed at a table who of the club's roster that is, where it is certain.

    A name that can mean two is left to an organiser, and so is one of somebody whom another person
    at the table is already.
    """
    if club_id is None or not typed:
        return [None] * len(typed)
    found, taken = meant(club_id, typed), set(matched_here(club_id, table))
    certain: list[int | None] = []
    for who in found:
        certain.append(None if who in taken else who)
        if who is not None:
            taken.add(who)
    return certain


# People at tables.


def _named_seats() -> QuerySet[Player]:
    """Seats of a person on sheets of the club, under a name that was not erased."""
    seats = Player.objects.filter(person=OuterRef("pk"))
    return seats.exclude(name_key__startswith=names.NO_NAME).exclude(
        sheet__state=SheetState.DISCARDED
    )


def unmatched(club: Club) -> QuerySet[Person]:
    """Return the people at the club's tables who sat on a sheet and whom nobody has matched."""
    people = Person.objects.filter(Exists(_named_seats()), table__club=club, club_person=None)
    return people.select_related("table").order_by("-table_id", "pk")


def at_table(club: Club, table: str) -> QuerySet[Person]:
    """Return everybody who sat on a sheet of one table of the club, matched or not."""
    people = Person.objects.filter(Exists(_named_seats()), table__club=club, table__public_id=table)
    return people.select_related("table", "club_person").order_by("pk")


def sheet_with_both(one: Collection[int], other: Collection[int]) -> Sheet | None:
    """Return a sheet on which people of both groups sat, given by the keys of people at tables.

    Nobody sits on one sheet as two people, so these are not one person. Who only sat down by
    mistake did not sit.
    """
    if not one or not other:
        return None
    moved = Q(until__gt=F("since")) | Q(until__lt=F("since"))
    sat = Player.objects.filter(Q(until=None) | Q(since=None) | moved, sheet=OuterRef("pk"))
    both = Sheet.objects.filter(
        Exists(sat.filter(person__in=one)), Exists(sat.filter(person__in=other))
    )
    return both.exclude(state=SheetState.DISCARDED).select_related("table").first()


def people_at_tables(who: Collection[int]) -> set[int]:
    """Return the keys of the people at tables who are these of the roster."""
    return set(Person.objects.filter(club_person__in=who).values_list("pk", flat=True))


@dataclasses.dataclass(frozen=True, slots=True)
class Weight:
    """What counts as somebody's: at how many tables, and on how many banked sheets."""

    tables: int
    sheets: int


def weight(who: Collection[int]) -> Weight:
    """Count what these of the roster played."""
    people = Person.objects.filter(club_person__in=who)
    sheets = Sheet.objects.filter(players__person__in=people, state=SheetState.BANKED)
    return Weight(
        tables=people.values("table").distinct().count(), sheets=sheets.distinct().count()
    )
