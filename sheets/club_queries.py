"""What the pages of clubs ask: who runs one, its people, its history. Nothing here writes."""

from __future__ import annotations

import dataclasses
import datetime
import uuid
from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone

from sheets import codes, names, roster
from sheets.models import (
    Club,
    ClubChange,
    ClubChangeKind,
    ClubPerson,
    HouseRules,
    Invitation,
    Organiser,
    Person,
    Player,
    Review,
    Role,
    Round,
    SavedRules,
    Season,
    Sheet,
    SheetState,
    Table,
    User,
)

HISTORY_PAGE = 100
INVITATION_LASTS = datetime.timedelta(days=7)
# Beyond this nobody counts: what waits is "99+".
MOST_COUNTED = 99
MOST_NAMED = 3  # organisers whom players are told to ask
MOST_RULES = 6  # sets of house rules that are offered beside the game's own


def organiser(slug: str, user: User) -> Organiser | None:
    """Return what a user is in the club at an address, with the club; None: nothing."""
    found = Organiser.objects.select_related("club", "user").filter(club__slug=slug, user=user)
    return found.first()


def clubs_of(user: User) -> list[Organiser]:
    """Return the clubs a user runs, by name."""
    of = Organiser.objects.filter(user=user).select_related("club", "user")
    return sorted(of, key=lambda one: (names.in_order(one.club.name), one.pk))


def club_opened_by(key: str) -> Club | None:
    """Return the club that a table joins by this code, or by the longer secret of a link."""
    if not key:
        return None
    opened = {"start_secret" if codes.is_link_secret(key) else "code": key}
    return Club.objects.filter(**opened).first()


def owned_alone(user: User) -> list[Organiser]:
    """Return what a user is in the clubs that have no other owner."""
    owner = Organiser.objects.filter(role=Role.OWNER)
    others = owner.filter(club=OuterRef("club")).exclude(user=user)
    return list(owner.filter(~Exists(others), user=user))


def account_with(email: str) -> User | None:
    """Return the account with an e-mail address, however it is spelled, if it is not closed."""
    return User.objects.filter(email=User.normalize_username(email)).first()


def is_saved(key: uuid.UUID | None) -> bool:
    """Say whether a form with this key has been saved."""
    return key is not None and ClubChange.objects.filter(key=key).exists()


def organisers(club: Club) -> list[Organiser]:
    """Return who runs a club, owners first, then by how long they have."""
    of = club.organisers.select_related("user", "club")
    return sorted(of, key=lambda one: (not one.is_owner, one.since, one.pk))


def names_for_players(club: Club) -> list[str]:
    """Return the names of a few who run the club, for its players to ask: never an address."""
    given = (one.user.name for one in organisers(club))
    return [name for name in given if name and "@" not in name][:MOST_NAMED]


def fellow(club: Club, user: int) -> Organiser | None:
    """Return somebody who runs the club, by the key of the user."""
    return club.organisers.select_related("user", "club").filter(user=user).first()


def invitation(secret: str) -> Invitation | None:
    """Return the invitation with this secret, used or not."""
    if not codes.is_phone(secret):
        return None
    found = Invitation.objects.select_related("club", "made_by")
    return found.filter(secret_hash=codes.phone_hash(secret)).first()


def invitation_is_open(invitation: Invitation) -> bool:
    """Say whether an invitation is unused and young, and its maker may still invite."""
    if invitation.used_at or invitation.made_at < timezone.now() - INVITATION_LASTS:
        return False
    owners = Organiser.objects.filter(club=invitation.club_id, role=Role.OWNER)
    return owners.filter(user=invitation.made_by_id).exists()


def has_left(slug: str, user: User, key: uuid.UUID) -> bool:
    """Say whether this very form has taken a user off a club: sent again, it is answered alike."""
    left = ClubChange.objects.filter(club__slug=slug, user=user, key=key)
    return left.filter(kind=ClubChangeKind.ORGANISER_LEFT).exists()


@dataclasses.dataclass(frozen=True, slots=True)
class Count:
    """How many of something wait; `more`: so many that nobody counted on."""

    n: int
    more: bool = False

    def __str__(self) -> str:
        return f"{self.n}+" if self.more else str(self.n)


def to_review(club: Club) -> Count:
    """Count the banked sheets that no organiser has looked at."""
    return _count(_banked(club).filter(review=Review.TO_REVIEW))


def flagged(club: Club) -> Count:
    """Count the banked sheets that somebody has to look at again."""
    return _count(_banked(club).filter(review=Review.FLAGGED))


def unmatched(club: Club) -> Count:
    """Count the names at the club's tables of which nobody has said who that is."""
    return _count(roster.unmatched(club))


def open_sheets(club: Club) -> Count:
    """Count the sheets that are open at the club's tables."""
    return _count(Sheet.objects.filter(club=club, state=SheetState.OPEN))


@dataclasses.dataclass(frozen=True, slots=True)
class Evening:
    """The last evening something was banked of: its day, sheets and tables."""

    day: datetime.date
    sheets: int
    tables: int


def last_evening(club: Club) -> Evening | None:
    """Return what was played on the last evening."""
    last = _banked(club).order_by("-played_at", "-pk").values_list("played_at", flat=True).first()
    if last is None:
        return None
    day = club.evening(last)
    of = _banked(club).filter(played_at__gte=club.evening_begins(day))
    tables = list(of.order_by().values_list("table", flat=True))
    return Evening(day, len(tables), len(set(tables)))


def season_now(club: Club) -> Season | None:
    """Return the season of tonight; the one that began last where they overlap."""
    today = club.evening(timezone.now())
    return (
        club.seasons.filter(starts__lte=today, ends__gte=today).order_by("-starts", "-pk").first()
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Size:
    """What goes when a club goes."""

    tables: int
    sheets: int
    hands: int
    people: int
    seasons: int
    organisers: int


def size(club: Club) -> Size:
    """Count what a club holds, all that lies at its tables included."""
    return Size(
        tables=club.tables.count(),
        sheets=Sheet.objects.filter(table__club=club).exclude(state=SheetState.DISCARDED).count(),
        hands=Round.objects.filter(sheet__table__club=club, taken_back=False).count(),
        people=club.people.count(),
        seasons=club.seasons.count(),
        organisers=club.organisers.count(),
    )


def _banked(club: Club) -> QuerySet[Sheet]:
    return Sheet.objects.filter(club=club, state=SheetState.BANKED)


def _count(rows: QuerySet[Sheet] | QuerySet[Person]) -> Count:
    n = rows.order_by()[: MOST_COUNTED + 1].count()
    return Count(min(n, MOST_COUNTED), more=n > MOST_COUNTED)


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
        found = (part.get(name) for part in said for name in names)
        return {one for one in found if isinstance(one, int)}  # imported history names its users

    return ClubPast(
        changes,
        people=_named(ClubPerson.objects.filter(pk__in=ids("person", "into"))),
        users=_named(User.objects.filter(pk__in=ids("user"))),
        seasons=_named(Season.objects.filter(pk__in=ids("season"))),
        # What a table is called since it left is no longer this club's to know.
        tables=Table.objects.filter(club=club).in_bulk(ids("table")),
        older_than=older_than,
    )


def _named(found: QuerySet[ClubPerson] | QuerySet[User] | QuerySet[Season]) -> dict[int, str]:
    rows: Iterable[ClubPerson | User | Season] = found
    return {row.pk: str(row) for row in rows}


def table_titles(club: Club) -> list[tuple[int, str]]:
    """Return the tables of the club with their names, or the names of those who played last."""
    tables = list(club.tables.all())
    last: dict[int, list[str]] = {}
    newest = club.sheets.filter(table=OuterRef("sheet__table")).order_by("-started_at", "-pk")
    seated = Player.objects.filter(sheet=Subquery(newest.values("pk")[:1]), until=None)
    for table, name in seated.order_by("place").values_list("sheet__table", "name"):
        last.setdefault(table, []).append(name)
    titles = [(one.pk, one.name or names.listed(last.get(one.pk, []))) for one in tables]
    return sorted(titles, key=lambda one: names.in_order(one[1]))


def names_on_roster(club: Club) -> list[str]:
    """Return the names to offer for a seat, each once."""
    active = club.people.filter(retired=False, merged_into=None)
    return sorted(set(active.values_list("name", flat=True)), key=names.in_order)


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
