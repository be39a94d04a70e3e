"""What the pages of clubs ask: who runs one, its people, its history. Nothing here writes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from django.db.models import OuterRef, QuerySet, Subquery

from sheets import names
from sheets.models import (
    Club,
    ClubChange,
    ClubPerson,
    HouseRules,
    Organiser,
    Player,
    SavedRules,
    Season,
    Table,
    User,
)

HISTORY_PAGE = 100
MOST_RULES = 6  # sets of house rules that are offered beside the game's own


def organiser(slug: str, user: User) -> Organiser | None:
    """Return what a user is in the club at an address, with the club; None: nothing."""
    found = Organiser.objects.select_related("club", "user").filter(club__slug=slug, user=user)
    return found.first()


def clubs_of(user: User) -> list[Organiser]:
    """Return the clubs a user runs, by name."""
    of = Organiser.objects.filter(user=user).select_related("club", "user")
    return list(of.order_by("club__name", "pk"))


@dataclasses.dataclass(frozen=True, slots=True)
class ClubPast:
    """Changes of a club, newest first, with the names that their ids stand for now."""

    changes: Sequence[ClubChange]
    people: dict[int, str]
    users: dict[int, str]
    seasons: dict[int, str]
    tables: dict[int, Table]
    older_than: int | None = None  # the version to ask for next


def history(club: Club, *, older_than: int | None = None) -> ClubPast:
    """Return a page of what happened in the club."""
    changes = club.changes.select_related("user").order_by("-version")
    if older_than is not None:
        changes = changes.filter(version__lt=older_than)
    page = list(changes[: HISTORY_PAGE + 1])
    more = len(page) > HISTORY_PAGE
    page = page[:HISTORY_PAGE]
    return past_of(club, page, older_than=page[-1].version if more else None)


def past_of(
    club: Club, changes: Sequence[ClubChange], *, older_than: int | None = None
) -> ClubPast:
    """Return changes of the club with the names that their ids stand for."""
    said = [part for one in changes for part in (one.before, one.after) if part]

    def ids(*names: str) -> set[int]:
        return {part[name] for part in said for name in names if part.get(name)}

    return ClubPast(
        changes,
        people=_named(ClubPerson.objects.filter(pk__in=ids("person", "into"))),
        users=_named(User.objects.filter(pk__in=ids("user"))),
        seasons=_named(Season.objects.filter(pk__in=ids("season"))),
        tables=Table.objects.in_bulk(ids("table")),
        older_than=older_than,
    )


def _named(found: QuerySet[ClubPerson] | QuerySet[User] | QuerySet[Season]) -> dict[int, str]:
    rows: Iterable[ClubPerson | User | Season] = found
    return {row.pk: str(row) for row in rows}


def table_titles(club: Club) -> list[tuple[int, str]]:
    """Return the tables of the club with their names, or the names of those who played last."""
    tables = list(club.tables.order_by("name", "-created_at"))
    last: dict[int, list[str]] = {}
    newest = club.sheets.filter(table=OuterRef("sheet__table")).order_by("-started_at", "-pk")
    seated = Player.objects.filter(sheet=Subquery(newest.values("pk")[:1]), until=None)
    for table, name in seated.order_by("place").values_list("sheet__table", "name"):
        last.setdefault(table, []).append(name)
    titles = [(one.pk, one.name or names.listed(last.get(one.pk, []))) for one in tables]
    return sorted(titles, key=lambda one: names.key(one[1]))


def names_on_roster(club: Club) -> list[str]:
    """Return the names to offer for a seat, each once."""
    active = club.people.filter(retired=False, merged_into=None)
    return sorted(set(active.values_list("name", flat=True)), key=names.key)


def rules_played(club: Club) -> list[SavedRules]:
    """Return the house rules that the club's tables play by, and those they have saved.

    Rules without a name are called after the table that played by them last.
    """
    saved = SavedRules.objects.filter(table__club=club).select_related("house_rules")
    by_rules = {one.house_rules_id: one for one in reversed(saved[:MOST_RULES])}
    titles = dict(table_titles(club))
    played = club.sheets.order_by("-pk").values_list("house_rules", "table")
    for rules, table in played[:100]:
        if rules not in by_rules and len(by_rules) < MOST_RULES:
            house = HouseRules.objects.get(pk=rules)
            by_rules[rules] = SavedRules(pk=-rules, name=titles[table], house_rules=house)
    return list(by_rules.values())
