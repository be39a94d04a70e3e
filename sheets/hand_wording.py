"""Sentences about hands: what was played, who pays whom, what a change did to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules import Message, cards, games
from sheets import names, queries, rows, seats
from sheets.actions import Moved
from sheets.models import Change, ChangeKind, Player, RoundKind
from sheets.rows import Line

Past = queries.Past


def suit(which: cards.Suit) -> str:
    """Return a suit in words."""
    return {
        cards.Suit.SPADES: _("spades"),
        cards.Suit.HEARTS: _("hearts"),
        cards.Suit.DIAMONDS: _("diamonds"),
        cards.Suit.CLUBS: _("clubs"),
    }[which]


def outcome(which: str) -> str:
    """Return how a bid ended, in words."""
    return {"made": _("made"), "set": _("set"), "thrown_in": _("thrown in")}[which]


def counted(counts: Mapping[str, int]) -> str:
    """Return how a counted hand came to its result."""
    return _("Counted: %(melds)s in melds and %(tricks)s in tricks, %(total)s in all.") % {
        "melds": counts["meld_points"],
        "tricks": counts["trick_points"],
        "total": counts["meld_points"] + counts["trick_points"],
    }


def hand(state: Mapping[str, Any], players: Mapping[int, str]) -> str:
    """Return a hand in a line: "Ben 350 spades set (8 · 0 · 8)"; `state` as history keeps it."""
    row = _row(state)
    match RoundKind(state["kind"]):
        case RoundKind.PASSED_OUT:
            return _("passed out")
        case RoundKind.TYPED:
            return _("typed %(row)s") % {"row": row}
        case RoundKind.CORRECTION:
            reason = names.Isolated(state["reason"])
            return _("correction %(row)s (%(reason)s)") % {"row": row, "reason": reason}
        case RoundKind.POT_SHARED:
            return _("the pot shared %(row)s") % {"row": row}
        case RoundKind.PLAYED:
            said = [str(players[state["bidder"]]), str(state["bid"])]
            if state["trump"]:
                said.append(suit(cards.Suit(state["trump"])))
            words = f"{' '.join(said)} {outcome(state['outcome'])}"
            if state["bidder"] not in dict(state["units"]):
                return _("%(hand)s, settled off the sheet") % {"hand": words}
            return f"{words} ({row})"


def _row(state: Mapping[str, Any]) -> str:
    return " · ".join("?" if units is None else str(units) for _player, units in state["units"])


def change(one: Change, past: Past) -> str:
    """Return what a change did to a hand, and what moved along with it."""
    also = [moved(told, past) for told in (one.after or {}).get("moved", [])]
    return "; ".join([_change(one, past), *also])


def totals(one: Change, past: Past) -> str:
    """Return that running totals became the hands behind them, or that this was taken back."""
    said = _("took the differences of running totals as hands")
    if one.kind == ChangeKind.TOTALS_RESTORED:
        said = _("put the running totals back that had become hands")
    also = [moved(told, past) for told in (one.after or {})["moved"]]
    return "; ".join([said, *also])


def _change(one: Change, past: Past) -> str:
    before, after = one.before or {}, one.after or {}
    said = {"number": after["number"], "hand": hand(after, past.players)}
    match ChangeKind(one.kind):
        case ChangeKind.HAND_ENTERED if one.reason or after.get("before"):
            return _put_in(after, said, one.reason)
        case ChangeKind.HAND_ENTERED if after["kind"] == RoundKind.CORRECTION:
            return _corrected(after, said)
        case ChangeKind.POT_SHARED:
            return _("shared the pot as hand %(number)s: %(row)s") % (said | {"row": _row(after)})
        case ChangeKind.HAND_ENTERED:
            return _("entered hand %(number)s: %(hand)s") % said
        case ChangeKind.HAND_TAKEN_BACK:
            return _("took back hand %(number)s: %(hand)s") % said
        case ChangeKind.HAND_PUT_BACK:
            return _("put back hand %(number)s: %(hand)s") % said
        case ChangeKind.HAND_CONFIRMED:
            return _("confirmed hand %(number)s: %(hand)s") % said
        case ChangeKind.NUMBER_ENTERED:
            return _number_entered(before, after, past)
        case _:
            said["before"] = hand(before, past.players)
            sentence = _("changed hand %(number)s from %(before)s to %(hand)s") % said
            if before["dealer"] != after["dealer"] and after["dealer"]:
                sentence += _(", dealt by %(after)s instead of %(before)s") % {
                    "before": past.players[before["dealer"]],
                    "after": past.players[after["dealer"]],
                }
            if before.get("sitter") != after.get("sitter"):
                sentence += _(", sat out by %(who)s") % {
                    "who": past.players.get(after["sitter"], _("nobody knows whom"))
                }
            if one.reason:
                sentence += _(", because: %(reason)s") % {"reason": one.reason}
            return sentence


def _corrected(after: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    also = {"row": _row(after), "reason": names.Isolated(after["reason"])}
    return _("entered a correction as hand %(number)s: %(row)s (%(reason)s)") % {**said, **also}


def _put_in(after: Mapping[str, Any], said: Mapping[str, Any], reason: str) -> str:
    """Say that a hand was forgotten; with the reason of an organiser, unless the row shows it."""
    if after["kind"] == RoundKind.CORRECTION:
        sentence = _corrected(after, said)
    else:
        sentence = _("put in a forgotten hand as hand %(number)s: %(hand)s") % said
    if reason and reason != after["reason"]:
        sentence += _(", because: %(reason)s") % {"reason": reason}
    return sentence


def _number_entered(before: Mapping[str, Any], after: Mapping[str, Any], past: Past) -> str:
    filled = after["numbers"]
    was, now = dict(before["units"]) if before else {}, dict(after["units"])
    said = {
        "number": after["number"],
        "who": names.listed([past.players[pk] for pk in filled]),
        "before": was.get(filled[0]),
        "units": now[filled[0]],
        "row": _row(after),
    }
    if after["zeros"]:
        return _("put 0 for %(who)s in hand %(number)s (%(row)s)") % said
    if after["own"]:
        if said["before"] is None:
            return _("entered their own number in hand %(number)s: %(units)s (%(row)s)") % said
        return (
            _("changed their own number in hand %(number)s from %(before)s to %(units)s (%(row)s)")
            % said
        )
    if said["before"] is None:
        return _("entered the number of %(who)s in hand %(number)s: %(units)s (%(row)s)") % said
    return (
        _("changed the number of %(who)s in hand %(number)s from %(before)s to %(units)s (%(row)s)")
        % said
    )


def waits_for(players: Sequence[Player]) -> str:
    """Return whose numbers a hand waits for: "waits for Ben and Cass"."""
    return _("waits for %(who)s") % {"who": names.listed([player.name for player in players])}


def why(line: Line, settled: games.Settlement | None) -> list[str]:
    """Return why a hand comes to what it does, a sentence each; a typed row's with the name."""
    match RoundKind(line.round.kind):
        case RoundKind.PASSED_OUT:
            return [_("Nobody bid: everybody takes 0, and the deal moves on.")]
        case RoundKind.CORRECTION:
            return [_("The table agreed on these units: settle them among yourselves.")]
        case RoundKind.TYPED if settled:
            return [_typed_row(line, settled.reason)]
        case _:
            said = (settled.reason, *settled.more) if settled else ()
            return [_(one.template) % one.params for one in said]


def _typed_row(line: Line, reason: Message) -> str:
    """Return what the numbers of a typed row tell; the rules know columns, people know names."""
    said = {"who": line.scoring[int(reason.params["column"]) - 1].name, **reason.params}
    if reason.code == "row_took":
        return _("These numbers were typed: %(who)s took %(each)s from each.") % said
    return _("These numbers were typed: %(who)s paid %(each)s to each.") % said


def payment(one: games.Payment, seated: Sequence[Player], *, off_sheet: bool = False) -> str:
    """Return one payment: "Alice pays Ben 1", "Dana pays Ben 1, off the sheet"."""
    said: dict[str, int | str] = {"units": one.units}
    if one.payer == games.POT:
        said["payee"] = seated[one.payee].name
        sentence = _("%(payee)s takes %(units)s from the pot")
    elif one.payee == games.POT:
        said["payer"] = seated[one.payer].name
        sentence = _("%(payer)s pays the pot %(units)s")
    else:
        said |= {"payer": seated[one.payer].name, "payee": seated[one.payee].name}
        sentence = _("%(payer)s pays %(payee)s %(units)s")
    if off_sheet:
        sentence = _("%(payment)s, off the sheet") % {"payment": sentence}
    return sentence % said


def payments(settled: games.Settlement, seated: Sequence[Player]) -> list[str]:
    """Return who pays whom, a sentence each; what all at the table put in the pot is one."""
    beside = settled.beside_the_sheet
    into_pot = [one for one in settled.payments if one.payee == games.POT]
    together = into_pot if len(into_pot) == len(seated) else []
    said = [
        payment(one, seated, off_sheet=one in beside)
        for one in settled.payments
        if one not in together
    ]
    if together:
        who = names.listed([one.name for one in seated])
        each = {"who": who, "units": together[0].units}
        said.append(_("%(who)s put %(units)s each in the pot") % each)
    return said


def beside(line: rows.Line) -> str:
    """Return what the fourth pays or collects for a hand, in short; empty where that is nothing.

    "Dana pays Ben 1, off the sheet"; where Dana bid, "settled off the sheet: Dana pays 2 to each".
    """
    settled = rows.settlement(line) if seats.off_sheet(line.seated) is not None else None
    if settled is None or not settled.beside_the_sheet:
        return ""
    with_pot = [one for one in settled.beside_the_sheet if games.POT in (one.payer, one.payee)]
    others = [one for one in settled.beside_the_sheet if one not in with_pot]
    said = [payment(one, line.seated) for one in with_pot]
    if len(others) > 1:
        first, fourth = others[0], settled.off_sheet or 0
        pays = _("%(fourth)s pays %(units)s to each")
        collects = _("%(fourth)s collects %(units)s from each")
        sentence = pays if first.payer == fourth else collects
        said.insert(0, sentence % {"fourth": line.seated[fourth].name, "units": first.units})
    else:
        said[:0] = [payment(one, line.seated) for one in others]
    if line.bid_off_sheet:
        return _("settled off the sheet: %(payments)s") % {"payments": ", ".join(said)}
    return _("%(payment)s, off the sheet") % {"payment": ", ".join(said)}


def deal_says(dealer: Player, sitter: Player | None) -> str:
    """Return who deals and who sits out, with the names left open for the script."""
    if sitter is None:
        return _("%(name)s deals")
    if sitter == dealer:
        return _("%(name)s deals and sits out")
    return _("%(name)s deals, %(sitter)s sits out")


def deal(dealer: Player, sitter: Player | None) -> str:
    """Return who deals and who sits out: "Ben deals, Alice sits out"."""
    return deal_says(dealer, sitter) % {"name": dealer.name, "sitter": sitter and sitter.name}


def handover(one: rows.Handover) -> str:
    """Return who left and who came: "Cass left with 10. Dana sits here from hand 7."."""
    said: dict[str, str | int] = {"number": one.number}
    if one.left is not None:
        said |= {"left": one.left.name, "total": one.left.total}
    if one.came is not None:
        said["came"] = one.came.name
    if one.stays:
        return _("%(came)s has a column from hand %(number)s.") % said
    if one.left is None and one.came is not None and not one.came.scores:
        return _("%(came)s sits down from hand %(number)s, off the sheet.") % said
    if one.left is None:
        return _("%(came)s sits down from hand %(number)s.") % said
    left = _("%(left)s left with %(total)s.") if one.left.scores else _("%(left)s left.")
    comes = (
        _("Three play from hand %(number)s.")
        if one.came is None
        else _("%(came)s sits here from hand %(number)s.")
    )
    return f"{left} {comes}" % said


def move(one: Moved, past: Past) -> str:
    """Return what happens to another hand along with a change: "hand 9: Ben 14 becomes 12"."""
    if one.stays is not None:
        why = _(one.stays.template) % one.stays.params
        return _("hand %(number)s stays as it is: %(why)s") % {"number": one.number, "why": why}
    return moved(one.as_history(), past)


def moved(told: Mapping[str, Any], past: Past) -> str:
    """Return what happened to another hand along with a change, as history keeps it."""
    before = dict(told["before"])
    becomes = [
        _("%(who)s %(before)s becomes %(after)s")
        % {"who": past.players[player], "before": before[player], "after": units}
        for player, units in told["after"]
    ]
    return _("hand %(number)s: %(becomes)s") % {
        "number": told["number"],
        "becomes": ", ".join(becomes),
    }
