"""House rules: changed for a sheet, taken back, kept under a name for another evening."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules import games
from sheets import names, queries
from sheets.actions.answers import Moved, Refusal, Saved, Why
from sheets.actions.opening import stored_rules
from sheets.actions.resettling import COMPUTED, resettle
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, HouseRules, Player, Round, SavedRules, Sheet


@action
def change_rules(at: Step, sheet_id: str, house: Any, *, whole: bool) -> Change:
    """Play on by other rules from the next hand on, or settle the whole sheet by them.

    For the whole sheet every computed hand is settled again; what that changes is shown first. A
    hand that can't be under the new rules stays as it is, under its own. Who is at the table is no
    rule to be changed here. Refuses when another phone changed the rules since the form was opened.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(queries.CHANGES_RULES, sheet=sheet)
    old = sheet.house_rules
    new = _like(sheet, house, old)
    under = _under(sheet, house) if whole else None
    moves, hands = _settle_by(at, sheet, players, new, under)
    if new.pk == old.pk and not hands:
        raise Refusal(Why.SAME_RULES, sheet=sheet)
    at.ask(moves, sheet=sheet)
    number = queries.where_next(sheet, players).number
    return at.record(
        ChangeKind.RULES_CHANGED,
        sheet=sheet,
        before={"rules": old.pk},
        after={"rules": new.pk, "whole": whole, "number": number, **_history(moves, hands)},
    )


@action
def restore_rules(at: Step, sheet_id: str, change: int) -> Change:
    """Take back the newest change of the rules; `change` is the version that it made.

    Every hand returns to the rules it had before, as it says by now: what was edited since stays
    edited. What the change had moved moves back unasked; what moves beyond that is shown first.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(queries.CHANGES_RULES, sheet=sheet)
    last = queries.rules_changed_last(sheet)
    if last is None or last.version != change:
        raise Refusal(Why.NOTHING, sheet=sheet)
    told = last.after or {}
    before = {row: had for row, had, _got in told["hands"]}
    rules = HouseRules.objects.in_bulk({*before.values(), (last.before or {})["rules"]})
    old = sheet.house_rules
    new = _like(sheet, rules[(last.before or {})["rules"]].value, old)

    def under(row: Round) -> HouseRules:
        return rules[before[row.pk]] if row.pk in before else row.house_rules

    moves, hands = _settle_by(at, sheet, players, new, under)
    moved_then = {_what(one): one for one in told["moved"]}
    if any(one.stays or _back(one) not in moved_then for one in moves):
        at.ask(moves, sheet=sheet)
    return at.record(
        ChangeKind.RULES_RESTORED,
        sheet=sheet,
        before={"rules": old.pk},
        after={"rules": new.pk, "change": change, **_history(moves, hands)},
    )


@action
def save_rules(at: Step, sheet_id: str, name: str) -> Change:
    """Give the rules of a sheet a cleaned name, under which the table finds them again.

    Refuses a name that another saved set has, and when another phone changed the rules meanwhile.
    """
    sheet, _players = at.sheet(sheet_id)
    at.refuse_if_others(queries.CHANGES_RULES, sheet=sheet)
    key = names.key(name)
    if at.table.saved_rules.filter(name_key=key).exists():
        raise Refusal(Why.SAVED_NAME, sheet=sheet)
    saved = SavedRules.objects.create(
        table=at.table, name=name, name_key=key, house_rules=sheet.house_rules
    )
    after = {"rules": sheet.house_rules_id, "saved": saved.pk}
    return at.record(ChangeKind.RULES_SAVED, after=after)


@action
def forget_rules(at: Step, saved: int) -> Change | Saved:
    """Forget a saved set; a set that is forgotten already is answered with that."""
    found = at.table.saved_rules.filter(pk=saved).first()
    if found is None:
        forgotten = at.table.changes.filter(
            kind=ChangeKind.RULES_FORGOTTEN, before__saved=saved
        ).first()
        if forgotten is None:
            raise Refusal(Why.NOT_THERE)
        return Saved(forgotten, repeated=True)
    before = {"rules": found.house_rules_id, "saved": found.pk}
    found.delete()
    return at.record(ChangeKind.RULES_FORGOTTEN, before=before)


def _like(sheet: Sheet, house: Any, other: HouseRules) -> HouseRules:
    """Return the row of these rules for those who sat at the table under the other ones."""
    return stored_rules(sheet.game, games.GAMES[sheet.game].seated_like(house, other.value))


def _under(sheet: Sheet, house: Any) -> Callable[[Round], HouseRules]:
    """Return what says the row of these rules for a round, by who was at the table in it."""
    rows: dict[int, HouseRules] = {}

    def under(row: Round) -> HouseRules:
        if row.house_rules_id not in rows:
            rows[row.house_rules_id] = _like(sheet, house, row.house_rules)
        return rows[row.house_rules_id]

    return under


def _settle_by(
    at: Step,
    sheet: Sheet,
    players: Sequence[Player],
    new: HouseRules,
    under: Callable[[Round], HouseRules] | None,
) -> tuple[list[Moved], list[list[int]]]:
    """Give the sheet its rules and settle its hands again; a pot that begins here is filled.

    Returns what moved, and for each hand that changed its rules: the rules it had and has.
    """
    computed = sheet.rounds.filter(kind__in=COMPUTED).order_by("position")
    had = dict(computed.values_list("pk", "house_rules"))
    sheet.house_rules = new
    sheet.save(update_fields=("house_rules",))
    moves = resettle(at, sheet, players, under=under)
    has = dict(computed.values_list("pk", "house_rules"))
    return moves, [[row, had[row], has[row]] for row in had if had[row] != has[row]]


def _history(moves: Sequence[Moved], hands: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return what history keeps: which hands changed their rules, moved, or stayed as they were."""
    return {
        "hands": hands,
        "moved": [one.as_history() for one in moves if not one.stays],
        "stayed": [one.number for one in moves if one.stays],
    }


def _what(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what happened to a hand, so that it can be compared."""
    before, after = ([tuple(pair) for pair in told[name]] for name in ("before", "after"))
    return told["round"], tuple(before), tuple(after)


def _back(moved: Moved) -> tuple[Any, ...]:
    """Return what this move takes back, in the same form."""
    return moved.round, moved.after, moved.before
