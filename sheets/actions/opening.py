"""A new sheet: shared by Start a table and Play again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from rules import games
from sheets import codes, lifetimes, names, queries
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
        club=table.club,
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


def free_code() -> str:
    """Return a code no table has; the unique column is the last word."""
    while True:
        code = codes.new_code()
        if not Table.objects.filter(code=code).exists():
            return code


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
    people = [*table.people.order_by("-pk"), *queries.people_of_last_sheet(table)]
    former = lifetimes.former_people(table)
    known = {names.key(person.name): person for person in people if person.pk not in former}
    found = []
    for name in seated:
        person = known.get(names.key(name)) or Person(table=table)
        if person.name != name:
            person.name = name
            person.save()
        found.append(person)
    return found
