"""Sentences about house rules: what a change made of them, and of the hands under them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules import games
from sheets import hand_wording, names, queries
from sheets.models import Change, ChangeKind, HouseRules

Past = queries.Past


def words(house: HouseRules) -> list[str]:
    """Return house rules in short phrases, made from the rules themselves."""
    return [_(one.template) % one.params for one in games.GAMES[house.game].in_words(house.value)]


def change(one: Change, past: Past) -> str:
    """Return what was done to the rules, and which hands moved along."""
    before, after = one.before or {}, one.after or {}
    match ChangeKind(one.kind):
        case ChangeKind.RULES_SAVED:
            return _("saved these house rules: %(rules)s") % _named(past, after["rules"])
        case ChangeKind.RULES_FORGOTTEN:
            return _("forgot these saved house rules: %(rules)s") % _named(past, before["rules"])
        case ChangeKind.RULES_RESTORED:
            sentence = _("took back the change of the house rules: %(what)s")
        case _ if after["whole"]:
            sentence = _("changed the house rules for the whole sheet: %(what)s")
        case _:
            sentence = _("changed the house rules from hand %(number)s on: %(what)s")
    said = {"number": after.get("number"), "what": _difference(past, before, after)}
    also = [hand_wording.moved(told, past) for told in after["moved"]]
    if after["stayed"]:
        also.append(_stayed(after["stayed"]))
    return "; ".join([sentence % said, *also])


def _named(past: Past, pk: int) -> dict[str, str]:
    return {"rules": ", ".join(words(past.rules[pk]))}


def _difference(past: Past, before: dict[str, int], after: dict[str, int]) -> str:
    """Return what is new in the rules and what is no longer in them, in their own phrases."""
    old, new = words(past.rules[before["rules"]]), words(past.rules[after["rules"]])
    come = [phrase for phrase in new if phrase not in old]
    gone = [phrase for phrase in old if phrase not in new]
    said = []
    if come:
        said.append(_("now %(phrases)s") % {"phrases": ", ".join(come)})
    if gone:
        said.append(_("no longer %(phrases)s") % {"phrases": ", ".join(gone)})
    return "; ".join(said) or _("as they were for the next hand")


def _stayed(numbers: list[int]) -> str:
    return ngettext(
        "hand %(hands)s stayed as it was", "hands %(hands)s stayed as they were", len(numbers)
    ) % {"hands": names.listed([str(number) for number in numbers])}
