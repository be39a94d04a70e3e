"""Erasing a person: the numbers stay, the name goes."""

from __future__ import annotations

from sheets import lifetimes, names
from sheets.actions.answers import Answer, Refusal, Saved, Why
from sheets.actions.likening import liken, marked_evenings
from sheets.actions.writing import Step, Write, action
from sheets.models import Change, ChangeKind, Player, Sheet, SheetState


def erase_person(write: Write, person_id: int) -> Answer:
    """Take a person's name out of everything this table keeps; their phones are nobody's.

    Refused while they sit at the open sheet, where a name is needed. Somebody erased already is
    answered with that.
    """
    answer = _erase_person(write, person_id)
    if isinstance(answer, Saved):
        liken(marked_evenings(Sheet.objects.filter(players__person=person_id)))
    return answer


@action
def _erase_person(at: Step, person_id: int) -> Change | Saved:
    person = at.table.people.filter(pk=person_id).first()
    if person is None:
        raise Refusal(Why.NOT_THERE)
    if person.pk in lifetimes.former_people(at.table):
        erased = at.table.changes.filter(kind=ChangeKind.PERSON_ERASED, after__person=person.pk)
        return Saved(erased.latest("version"), repeated=True)
    players = person.players.select_related("sheet")
    if any(player.sheet.state == SheetState.OPEN for player in players):
        raise Refusal(Why.SEATED)
    for player in players:
        player.name, player.name_key = names.former(), names.no_key(player.pk)
    Player.objects.bulk_update(players, ("name", "name_key"))
    person.name = names.former()
    person.save(update_fields=("name", "name_folded"))
    # History points at these by their keys and reads "a former player" where there is none.
    person.names_used.all().delete()
    person.members.update(person=None)
    at.table.members.filter(asks=person).update(asks=None, asked_at=None)
    return at.record(ChangeKind.PERSON_ERASED, after={"person": person.pk})
