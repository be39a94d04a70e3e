"""A new sheet: shared by Start a table and Play again."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone

from rules import games
from sheets import codes, lifetimes, names, queries, roster
from sheets.models import HouseRules, Member, Person, Player, Sheet, Table


def start_sheet(
    table: Table,
    member: Member,
    house: HouseRules,
    seated: Sequence[str],
    first_dealer: int,
    *,
    off_sheet: int | None = None,
) -> tuple[Sheet, list[Player]]:
    """Store an open sheet with these names clockwise and the dealer mark on its first dealer.

    A name the table knows is the same person as before, spelled as it is now. `off_sheet` is the
    seat of a fourth player without a column. Where the rules have a pot, everybody has put in.
    """
    people = people_named(table, seated)
    pot = games.GAMES[house.game].antes(house.value) or None
    sheet = Sheet.objects.create(
        table=table,
        started_at=_after_the_last(table),
        # Not by the club that was read with it: that is as old as the wait for the lock.
        club_id=table.club_id,
        game=house.game,
        house_rules=house,
        started_by=member,
        pot=pot,
    )
    players = Player.objects.bulk_create(
        Player(
            sheet=sheet,
            person=person,
            place=place,
            name=name,
            name_key=names.key(name),
            scores=place != off_sheet,
        )
        for place, (person, name) in enumerate(zip(people, seated, strict=True))
    )
    sheet.dealer_mark = players[first_dealer]
    sheet.save(update_fields=("dealer_mark",))
    return sheet, players


def _after_the_last(table: Table) -> datetime.datetime:
    """Return the time now, or just after the last start: a table's sheets are ordered by it.

    Not every clock only goes forward, and what was played later must be found later.
    """
    now = timezone.now()
    last = table.sheets.aggregate(last=Max("started_at"))["last"]
    return now if last is None else max(now, last + datetime.timedelta(microseconds=1))


def free_code() -> str:
    """Return a code no table has; the unique column is the last word."""
    while True:
        code = codes.new_code()
        if not Table.objects.filter(code=code).exists():
            return code


FRESH_CODE = ("code", "join_secret")


def freshen_code(table: Table) -> None:
    """Give a table a new code and links a new secret; the caller saves `FRESH_CODE`."""
    table.code, table.join_secret = free_code(), codes.new_link_secret()


def stored_rules(game: str, house: Any) -> HouseRules:
    """Return the row of these rules, one for all tables that play by them."""
    plain = house.to_dict()
    canonical = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    row, _created = HouseRules.objects.get_or_create(
        game=game,
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
        defaults={"format": plain["format"], "canonical": canonical},
    )
    return row


def opening(sheet: Sheet, players: Sequence[Player]) -> dict[str, object]:
    """Return what history keeps of a sheet's start."""
    assert sheet.dealer_mark is not None
    return {
        "order": [player.pk for player in players],
        "dealer": sheet.dealer_mark.pk,
        "rules": sheet.house_rules_id,
    }


def people_named(table: Table, seated: Sequence[str]) -> list[Person]:
    """Return the table's people of these names, in this order; new ones are stored."""
    # Of two people with one name it is the one who sat here last; "a former player" is nobody.
    here = [*table.people.order_by("-pk"), *queries.people_of_last_sheet(table)]
    former = lifetimes.former_people(table)
    known = {names.key(person.name): person for person in here if person.pk not in former}
    found = [known.get(names.key(name)) for name in seated]
    for n, known_person in _known_to_the_club(table, seated, found).items():
        found[n] = known_person
    people = []
    for name, person in zip(seated, found, strict=True):
        if person is not None and person.name != name:
            person.name = name
            person.save(update_fields=("name", "name_folded"))
        people.append(person or Person(table=table, name=name))
    store_new(table, [person for person in people if person.pk is None])
    return people


def _known_to_the_club(
    table: Table, seated: Sequence[str], found: Sequence[Person | None]
) -> dict[int, Person]:
    """Return, by seat, who goes by another name at this table than on the club's roster."""
    new = [n for n, person in enumerate(found) if person is None]
    if table.club_id is None or not new:
        return {}
    here = roster.matched_here(table.club_id, table.pk)
    seen = {person.pk for person in found if person is not None}
    by_seat = {}
    for n, who in zip(new, roster.meant(table.club_id, [seated[n] for n in new]), strict=True):
        if who in here and here[who] not in seen:
            by_seat[n] = Person.objects.get(pk=here[who])
            seen.add(here[who])
    return by_seat


def store_new(table: Table, people: Sequence[Person]) -> None:
    """Store people who are new at a table; at one of a club, with who of its roster they are."""
    recognise(table, people)
    for person in people:
        person.save()


def recognise(table: Table, people: Sequence[Person]) -> None:
    """Note who of the roster these people at a table are, where their names leave no doubt."""
    found = roster.matches(table.club_id, table.pk, [person.name for person in people])
    for person, who in zip(people, found, strict=True):
        person.club_person_id = who
