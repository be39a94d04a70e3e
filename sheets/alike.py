"""Sheets that hold the same match: two phones' tables, or one typed in from paper besides.

Two sheets of a club are alike where both count, lie on one evening, the same people have columns
and, of the longer one, at least three hands in four are on the other too, in the same order. A hand
is what each person collected: so neither seats nor dealers matter, one corrected or forgotten hand
of four is let pass, and of fewer than four hands all must be the same. Who somebody is, the roster
says; people whom nobody has matched are known by their names. Hands that brought nobody anything
are left out, as paper mostly does.

Sheets are found by the index of the evening: nothing here reads the others.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import QuerySet

from sheets import roster
from sheets.models import Club, Entry, Player, Review, Sheet, SheetState

# At least so many hands of so many are on the other sheet too.
SAME, OF = 3, 4

Who = tuple[str, int | str]
Hand = tuple[tuple[Who, int], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Match:
    """What a sheet holds, whoever sat where: its people, and its hands in order."""

    people: frozenset[Who]
    hands: tuple[Hand, ...]


def match(people: Iterable[Who], hands: Iterable[Iterable[tuple[Who, int]]]) -> Match:
    """Return what a sheet holds: who has a column, and in order what each hand brought whom."""
    brought = (tuple(sorted(pair for pair in hand if pair[1])) for hand in hands)
    return Match(frozenset(people), tuple(hand for hand in brought if hand))


def alike(one: Match, other: Match) -> bool:
    """Say whether two sheets of one evening hold the same match."""
    longer = max(len(one.hands), len(other.hands))
    if not longer or one.people != other.people:
        return False
    if SAME * longer > OF * (Counter(one.hands) & Counter(other.hands)).total():
        return False
    return OF * _in_common(one.hands, other.hands) >= SAME * longer


def _in_common(one: Sequence[Hand], other: Sequence[Hand]) -> int:
    """Return how many hands are on both in the same order, at most."""
    row = [0] * (len(other) + 1)
    for mine in one:
        before = 0
        for n, theirs in enumerate(other, start=1):
            above = row[n]
            row[n] = before + 1 if mine == theirs else max(above, row[n - 1])
            before = above
    return row[-1]


def who(club_person: int | None, name_key: str, counts: Mapping[int, int]) -> Who:
    """Return who somebody is: of the roster, by whom they count as, else by their name."""
    return ("name", name_key) if club_person is None else ("roster", counts[club_person])


def of_evening(club: Club, evening: datetime.date) -> QuerySet[Sheet]:
    """Return the banked sheets of an evening, by the index of the inbox."""
    after = evening + datetime.timedelta(days=1)
    return Sheet.objects.filter(
        club=club,
        state=SheetState.BANKED,
        played_at__gte=club.evening_begins(evening),
        played_at__lt=club.evening_begins(after),
    )


def counting(sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """Return those of these banked sheets that count."""
    return sheets.exclude(review=Review.SET_ASIDE)


def of(sheet: Sheet) -> list[Sheet]:
    """Return the sheets that hold the same match, newest first; none where this one doesn't count.

    In one query where nothing else was played that evening, and four at most.
    """
    club = sheet.club
    if club is None or sheet.state != SheetState.BANKED or sheet.review == Review.SET_ASIDE:
        return []
    others = counting(of_evening(club, club.evening(sheet.played_at))).exclude(pk=sheet.pk)
    found = {one.pk: one for one in others.select_related("table").order_by("-played_at", "-pk")}
    if not found:
        return []
    same = pairs(club.pk, [sheet.pk, *found]).get(sheet.pk, set())
    return [one for pk, one in found.items() if pk in same]


def like(club: Club, evening: datetime.date, matches: Sequence[Match]) -> list[list[Sheet]]:
    """Return for each of these matches of an evening the sheets here that hold it."""
    found = {one.pk: one for one in counting(of_evening(club, evening)).select_related("table")}
    here = _matches(club.pk, found, wanted={one.people for one in matches})
    return [[found[pk] for pk in here if alike(here[pk], one)] for one in matches]


def pairs(club_id: int, sheets: Iterable[int]) -> dict[int, set[int]]:
    """Return for each of these sheets of one evening the others that hold the same match."""
    same: dict[int, set[int]] = defaultdict(set)
    found = _matches(club_id, sheets)
    for one, other in itertools.combinations(found, 2):
        if alike(found[one], found[other]):
            same[one].add(other)
            same[other].add(one)
    return same


def _matches(
    club_id: int, sheets: Iterable[int], wanted: set[frozenset[Who]] | None = None
) -> dict[int, Match]:
    """Return what these sheets hold, by key: of those that share their people with another.

    Or else whose people are wanted.
    """
    counts = roster.effective(club_id)
    people: dict[int, set[Who]] = defaultdict(set)
    names: dict[int, Who] = {}
    players = Player.objects.filter(sheet__in=list(sheets), scores=True).select_related("person")
    for player in players:
        if player.ever_sat:
            names[player.pk] = who(player.person.club_person_id, player.name_key, counts)
            people[player.sheet_id].add(names[player.pk])
    sets = {pk: frozenset(of_sheet) for pk, of_sheet in people.items()}
    if wanted is None:
        wanted = {one for one, n in Counter(sets.values()).items() if n > 1}
    shared = [pk for pk, of_sheet in sets.items() if of_sheet in wanted]
    rounds: dict[int, dict[int, list[tuple[Who, int]]]] = {pk: defaultdict(list) for pk in shared}
    entries = Entry.objects.filter(round__sheet__in=shared, round__taken_back=False)
    fields = ("round__sheet", "round__position", "player", "units")
    for sheet, position, player, units in entries.order_by("round__position").values_list(*fields):
        rounds[sheet][position].append((names[player], units))
    return {pk: match(sets[pk], of_sheet.values()) for pk, of_sheet in rounds.items()}
