"""What the pages of clubs ask: who runs one, its people, its history. Nothing here writes."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from sheets.models import Club, ClubChange, ClubPerson, Organiser, Season, Table, User

HISTORY_PAGE = 100


def organiser(slug: str, user: User) -> Organiser | None:
    """Return what a user is in the club at an address, with the club; None: nothing."""
    found = Organiser.objects.select_related("club", "user").filter(club__slug=slug, user=user)
    return found.first()


def clubs_of(user: User) -> list[Organiser]:
    """Return the clubs a user runs, by name."""
    of = Organiser.objects.filter(user=user).select_related("club", "user")
    return list(of.order_by("club__name", "pk"))


def club_with_code(code: str) -> Club | None:
    """Return the club that a table joins by this code."""
    return Club.objects.filter(code=code).first() if code else None


def is_saved(key: uuid.UUID | None) -> bool:
    """Say whether a form with this key has been saved."""
    return key is not None and ClubChange.objects.filter(key=key).exists()


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
