"""Who comes and who leaves in the middle of a match: a seat is closed, another one begins at 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules import games
from sheets import names, queries, seats
from sheets.actions.answers import Refusal, Why
from sheets.actions.opening import people_named, stored_rules
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Person, Player, Round, Sheet

# What another phone may have done that changes who is at the table, or from which hand on.
_CHANGES_THE_TABLE = (
    ChangeKind.HAND_ENTERED,
    ChangeKind.SEATS_CHANGED,
    ChangeKind.SAT_DOWN,
    ChangeKind.POT_SHARED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
)
NO_FOURTH = "none"  # as the rules of every game call it
_MOST = 4


@action
def sit_down(at: Step, sheet_id: str, name: str, fourth: str, sitter: str) -> Change:
    """Let a fourth sit down from the next hand on, with a column or without; `fourth` says which.

    `sitter` says who sits out from then on; both are answers to settings of the game. Raises a
    question when another phone has entered a hand, or changed the seats or the rules, meanwhile.
    """
    sheet, players, last = _between_hands(at, sheet_id)
    seated = seats.now(players)
    if len(seated) >= _MOST or fourth == NO_FOURTH:
        raise Refusal(Why.UNEVEN, sheet=sheet)
    before = _at_the_table(sheet, seated)
    number = queries.where_next(sheet, players).number
    place = next(n for n in range(_MOST) if n not in {one.place for one in seated})
    game = games.GAMES[sheet.game]
    house = game.with_fourth(sheet.house_rules.value, fourth, sitter)
    sheet.house_rules = stored_rules(sheet.game, house)
    if last is None:  # before the first deal everybody puts in
        sheet.pot = game.antes(house) or None
    sheet.save(update_fields=("house_rules", "pot"))
    person = _newcomer(at, seated, name)
    _seat(sheet, players, person, place, last, scores=game.columns(house) == _MOST)
    return _record(at, sheet, before, number)


@action
def leave(at: Step, sheet_id: str, player: int, *, name: str = "") -> Change:
    """Close a player's seat from the next hand on; whoever is named sits down there, at 0.

    Where four are at the table nobody need follow: three play on, and if the one of them who had no
    column gets one from there. A seat in which nobody has played a hand only changes hands. Raises
    a question when another phone has entered a hand, or changed the seats or the rules, meanwhile.
    """
    sheet, players, last = _between_hands(at, sheet_id)
    seated = seats.now(players)
    leaver = next((one for one in seated if one.pk == player), None)
    if leaver is None:
        raise Refusal(Why.GONE, sheet=sheet)
    before = _at_the_table(sheet, seated)
    number = queries.where_next(sheet, players).number
    if name:
        _follow(sheet, players, leaver, _newcomer(at, seated, name), last)
    else:
        _three_play_on(sheet, seated, leaver, last)
    return _record(at, sheet, before, number)


def _between_hands(at: Step, sheet_id: str) -> tuple[Sheet, list[Player], Round | None]:
    """Return the open sheet, its players and its last round, standing or not; or refuse."""
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(_CHANGES_THE_TABLE, sheet=sheet)
    for change in at.begun_by_others(sheet):
        raise Refusal(Why.STALE, change=change, sheet=sheet)
    if sheet.rounds.filter(taken_back=False, half=True).exists():
        raise Refusal(Why.HALF, sheet=sheet)
    return sheet, players, sheet.rounds.order_by("position").last()


def _newcomer(at: Step, seated: Sequence[Player], name: str) -> Person:
    """Return the person of this name, new or known to the table; nobody sits in two places."""
    taken = {one.name_key for one in seated}
    if names.key(name) in taken:
        raise Refusal(Why.NAME_TAKEN)
    (person,) = people_named(at.table, [name])
    if person.pk in {one.person_id for one in seated}:
        raise Refusal(Why.NAME_TAKEN)
    return person


def _follow(
    sheet: Sheet, players: Sequence[Player], leaver: Player, person: Person, last: Round | None
) -> None:
    """Let a person take over a seat; one in which no hand was played only changes hands."""
    mistaken = _who_just_left(players, person, leaver.place, last, scores=leaver.scores)
    if leaver.since == last and mistaken is None:
        leaver.person, leaver.name, leaver.name_key = person, person.name, names.key(person.name)
        leaver.save(update_fields=("person", "name", "name_key"))
        return
    _close(leaver, last)
    _seat(sheet, players, person, leaver.place, last, scores=leaver.scores)


def _three_play_on(
    sheet: Sheet, seated: Sequence[Player], leaver: Player, last: Round | None
) -> None:
    if len(seated) < _MOST:
        raise Refusal(Why.UNEVEN, sheet=sheet)
    if last is None:  # there is no hand yet that a seat could be closed after
        raise Refusal(Why.NO_HAND, sheet=sheet)
    _close(leaver, last)
    for one in seated:
        if one != leaver and not one.scores:
            _close(one, last)
            _seat(sheet, [], one.person, one.place, last, scores=True)
    game = games.GAMES[sheet.game]
    house = game.with_fourth(sheet.house_rules.value, NO_FOURTH)
    sheet.house_rules = stored_rules(sheet.game, house)
    sheet.save(update_fields=("house_rules",))


def _close(player: Player, last: Round | None) -> None:
    player.until = last
    player.save(update_fields=("until",))


def _seat(
    sheet: Sheet,
    players: Sequence[Player],
    person: Person,
    place: int,
    last: Round | None,
    *,
    scores: bool,
) -> None:
    """Seat a person from the next hand on: at 0, unless the seat was closed by mistake just now."""
    back = _who_just_left(players, person, place, last, scores=scores)
    if back is not None:
        back.until = None
        back.name, back.name_key = person.name, names.key(person.name)
        back.save(update_fields=("until", "name", "name_key"))
        return
    Player.objects.create(
        sheet=sheet,
        person=person,
        place=place,
        name=person.name,
        name_key=names.key(person.name),
        scores=scores,
        since=last,
    )


def _who_just_left(
    players: Sequence[Player], person: Person, place: int, last: Round | None, *, scores: bool
) -> Player | None:
    """Return this person's own seat here, if it was closed and no hand was entered since.

    So the same step the other way round undoes it, and the column goes on where it was.
    """
    for one in players:
        same = (one.person_id, one.place, one.scores) == (person.pk, place, scores)
        if same and one.ever_sat and one.until is not None and one.until == last:
            return one
    return None


def _at_the_table(sheet: Sheet, seated: Sequence[Player]) -> dict[str, Any]:
    """Return what history keeps of who is at the table: ids, never names."""
    return {
        "order": [one.pk for one in seated],
        "places": [one.place for one in seated],
        "people": [one.person_id for one in seated],
        "off_sheet": [one.pk for one in seated if not one.scores],
        "rules": sheet.house_rules_id,
    }


def _record(at: Step, sheet: Sheet, before: dict[str, Any], number: int) -> Change:
    seated = list(sheet.players.filter(until=None).order_by("place"))
    after = _at_the_table(sheet, seated) | {"number": number}
    return at.record(ChangeKind.SAT_DOWN, sheet=sheet, before=before, after=after)
