"""From rows to what a file holds: a few queries for any number of sheets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sheets import history_ids, names, portable
from sheets.history_ids import What
from sheets.models import (
    Change,
    ChangeKind,
    Club,
    ClubChange,
    ClubChangeKind,
    Entry,
    HouseRules,
    NameUsed,
    Player,
    Review,
    Round,
    RoundKind,
    Sheet,
    SheetState,
    Table,
    User,
)

TRIES = 5  # at a table that changes while it is read


class Ids:
    """The numbers that rows have in one file, given in the order in which they turn up."""

    def __init__(self) -> None:
        self._given: dict[What, dict[int, int]] = defaultdict(dict)

    def of(self, what: What, pk: int) -> int:
        """Return the number of a row."""
        given = self._given[what]
        return given.setdefault(pk, len(given) + 1)

    def maybe(self, what: What, pk: int | None) -> int | None:
        """Return the number of a row, if there is one."""
        return None if pk is None else self.of(what, pk)

    def given(self, what: What) -> dict[int, int]:
        """Return all that have a number, by their keys."""
        return self._given[what]


def whole_table(table: Table, ids: Ids) -> portable.Table:
    """Return all of a table; read once more if it was changed meanwhile."""
    for _try in range(TRIES):
        table.refresh_from_db()
        version = table.version
        sheets = table.sheets.select_related("started_by", "ended_by").order_by("pk")
        read = _table(table, list(sheets), ids)
        if Table.objects.filter(pk=table.pk, version=version).exists():
            break
    return read


def table_with(sheet: Sheet, ids: Ids) -> portable.Table:
    """Return a table with one of its sheets, and the history of that sheet."""
    return _table(sheet.table, [sheet], ids, history_of=sheet)


def _table(
    table: Table, sheets: Sequence[Sheet], ids: Ids, *, history_of: Sheet | None = None
) -> portable.Table:
    used = defaultdict(list)
    for pk, person, name in NameUsed.objects.filter(person__table=table).values_list(
        "pk", "person", "name"
    ):
        used[person].append(portable.NameUsed(id=ids.of(What.NAME, pk), name=name))
    changes = table.changes.select_related("user", "round", "member", "sheet").order_by("version")
    if history_of is not None:
        changes = changes.filter(sheet=history_of)
    return portable.Table(
        id=table.public_id,
        name=table.name,
        time_zone=table.time_zone,
        own_columns=table.own_columns,
        confirm=table.confirm,
        created_at=table.created_at,
        people=tuple(
            portable.Person(
                id=ids.of(What.PERSON, one.pk),
                name=one.name,
                club_person=ids.maybe(What.CLUB_PERSON, one.club_person_id),
                names=tuple(used[one.pk]),
            )
            for one in table.people.order_by("pk")
        ),
        phones=tuple(
            portable.Phone(
                number=one.number,
                person=ids.maybe(What.PERSON, one.person_id),
                joined_at=one.joined_at,
                removed_at=one.removed_at,
                removed_by=one.removed_by.number if one.removed_by else None,
            )
            for one in table.members.select_related("removed_by").order_by("number")
        ),
        saved_rules=tuple(
            portable.SavedRules(
                id=ids.of(What.SAVED, one.pk),
                name=one.name,
                rules=ids.of(What.RULES, one.house_rules_id),
            )
            for one in table.saved_rules.order_by("pk")
        ),
        sheets=tuple(read_sheets(sheets, ids)),
        history=tuple(_steps(table, changes, ids)),
    )


def _steps(table: Table, changes: Iterable[Change], ids: Ids) -> list[portable.Step]:
    rounds = dict(Round.objects.filter(sheet__table=table).values_list("pk", "public_id"))
    sheets = dict(table.sheets.values_list("pk", "public_id"))
    phones = dict(table.members.values_list("pk", "number"))

    def point(what: What, pk: Any) -> Any:
        match what:
            case What.ROUND:
                return str(rounds[pk])
            case What.SHEET:
                return sheets.get(pk)
            case What.MEMBER:
                return phones.get(pk)
            case What.CLUB | What.USER | What.SEASON | What.TABLE | What.INVITATION:
                return None
            case _:
                return ids.of(what, pk)

    return [
        portable.Step(
            version=one.version,
            kind=ChangeKind(one.kind),
            at=one.at,
            key=one.key,
            sheet=one.sheet.public_id if one.sheet else None,
            round=one.round.public_id if one.round else None,
            phone=one.member.number if one.member else None,
            by=one.by if one.user is None else one.user.known_as,
            before=history_ids.pointed(one.before, point),
            after=history_ids.pointed(one.after, point),
            reason=one.reason,
        )
        for one in changes
    ]


def read_sheets(sheets: Sequence[Sheet], ids: Ids) -> list[portable.Sheet]:
    """Return sheets with all that is on them, in three queries however many there are."""
    players, rounds = defaultdict(list), defaultdict(list)
    found = Player.objects.filter(sheet__in=sheets).select_related("since", "until")
    for one in found.order_by("place", "pk"):
        players[one.sheet_id].append(_player(one, ids))
    entries = defaultdict(list)
    for row, player, units in (
        Entry.objects.filter(round__sheet__in=sheets)
        .order_by("round", "player__place", "player")
        .values_list("round", "player", "units")
    ):
        entries[row].append(portable.Entry(player=ids.of(What.PLAYER, player), units=units))
    public = {}
    hands = Round.objects.filter(sheet__in=sheets).select_related("entered_by", "confirmed_by")
    for hand in hands.order_by("position"):
        public[hand.pk] = hand.public_id
        rounds[hand.sheet_id].append(_round(hand, entries[hand.pk], ids))
    return [
        portable.Sheet(
            id=one.public_id,
            game=one.game,
            state=SheetState(one.state),
            rules=ids.of(What.RULES, one.house_rules_id),
            started_at=one.started_at,
            started_by=one.started_by.number if one.started_by else None,
            ended_at=one.ended_at,
            ended_by=one.ended_by.number if one.ended_by else None,
            played_at=one.played_at,
            dealer_mark=ids.maybe(What.PLAYER, one.dealer_mark_id),
            dealer_marked_after=public.get(one.dealer_marked_after_id or 0),
            pot=one.pot,
            unit_cents=one.unit_cents,
            currency=one.currency,
            review=Review(one.review),
            review_note=one.review_note,
            oddities=one.oddities,
            players=tuple(players[one.pk]),
            rounds=tuple(rounds[one.pk]),
        )
        for one in sheets
    ]


def _player(one: Player, ids: Ids) -> portable.Player:
    return portable.Player(
        id=ids.of(What.PLAYER, one.pk),
        person=ids.of(What.PERSON, one.person_id),
        place=one.place,
        name=one.name,
        scores=one.scores,
        erased=one.name_key.startswith(names.NO_NAME),
        since=one.since.public_id if one.since else None,
        until=one.until.public_id if one.until else None,
    )


def _round(row: Round, entries: list[portable.Entry], ids: Ids) -> portable.Round:
    return portable.Round(
        id=row.public_id,
        kind=RoundKind(row.kind),
        rules=ids.of(What.RULES, row.house_rules_id),
        position=row.position,
        dealer=ids.maybe(What.PLAYER, row.dealer_id),
        sitter=ids.maybe(What.PLAYER, row.sitter_id),
        bidder=ids.maybe(What.PLAYER, row.bidder_id),
        bid=row.bid,
        trump=row.trump,
        outcome=row.outcome,
        counts=row.counts,
        pot=row.pot,
        reason=row.reason,
        taken_back=row.taken_back,
        half=row.half,
        changed=row.changed,
        entered_at=row.entered_at,
        entered_by=row.entered_by.number if row.entered_by else None,
        confirmed_by=row.confirmed_by.number if row.confirmed_by else None,
        entries=tuple(entries),
    )


def read_rules(ids: Ids) -> list[portable.Rules]:
    """Return all house rules that were named so far."""
    given = ids.given(What.RULES)
    found = HouseRules.objects.in_bulk(given)
    return [
        portable.Rules(id=number, game=found[pk].game, rules=found[pk].value.to_dict())
        for pk, number in given.items()
    ]


def read_club(club: Club, ids: Ids) -> portable.Club:
    """Return the club itself: its roster, its seasons and its own history."""
    seasons = tuple(
        portable.Season(
            id=ids.of(What.SEASON, one.pk),
            name=one.name,
            starts=one.starts,
            ends=one.ends,
            least_hands=one.least_hands,
        )
        for one in club.seasons.order_by("pk")
    )
    people = tuple(
        portable.OnRoster(
            id=ids.of(What.CLUB_PERSON, one.pk),
            name=one.name,
            note=one.note,
            retired=one.retired,
            merged_into=ids.maybe(What.CLUB_PERSON, one.merged_into_id),
        )
        for one in club.people.order_by("pk")
    )
    return portable.Club(
        name=club.name,
        time_zone=club.time_zone,
        people=people,
        seasons=seasons,
        history=tuple(_club_steps(club, ids)),
    )


def _club_steps(club: Club, ids: Ids) -> list[portable.ClubStep]:
    changes = list(club.changes.select_related("user").order_by("version"))
    tables = dict(club.tables.values_list("pk", "public_id"))
    users = User.objects.in_bulk(_users_in(changes))

    def point(what: What, pk: Any) -> Any:
        match what:
            case What.TABLE:  # one that was let go is not this club's to tell
                return tables.get(pk)
            case What.USER:  # a name already, of imported history
                return users[pk].known_as if pk in users else pk if isinstance(pk, str) else None
            case What.CLUB | What.INVITATION:
                return None
            case _:
                return ids.of(what, pk)

    return [
        portable.ClubStep(
            version=one.version,
            kind=ClubChangeKind(one.kind),
            at=one.at,
            key=one.key,
            by=one.by if one.user is None else one.user.known_as,
            before=history_ids.pointed(one.before, point, history_ids.OF_CLUBS),
            after=history_ids.pointed(one.after, point, history_ids.OF_CLUBS),
            reason=one.reason,
        )
        for one in changes
    ]


def _users_in(changes: Iterable[ClubChange]) -> set[int]:
    told = [part for one in changes for part in (one.before, one.after) if part]
    return {part["user"] for part in told if isinstance(part.get("user"), int)}
