"""A new sheet: shared by Start a table and Play again."""

from __future__ import annotations

from collections.abc import Sequence

from sheets import codes, lifetimes, names, queries
from sheets.models import HouseRules, Member, Person, Player, Sheet, Table


def start_sheet(
    table: Table, member: Member, house: HouseRules, seated: Sequence[str], first_dealer: int
) -> tuple[Sheet, list[Player]]:
    """Store an open sheet with these names clockwise and the dealer mark on its first dealer.

    A name the table knows is the same person as before, spelled as it is now.
    """
    people = _people(table, seated)
    sheet = Sheet.objects.create(table=table, game=house.game, house_rules=house, started_by=member)
    players = Player.objects.bulk_create(
        Player(sheet=sheet, person=person, place=place, name=name, name_key=names.key(name))
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


def opening(sheet: Sheet, players: Sequence[Player]) -> dict[str, object]:
    """Return what history keeps of a sheet's start."""
    assert sheet.dealer_mark is not None
    return {
        "order": [player.pk for player in players],
        "dealer": sheet.dealer_mark.pk,
        "rules": sheet.house_rules_id,
    }


def _people(table: Table, seated: Sequence[str]) -> list[Person]:
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
