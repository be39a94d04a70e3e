"""Sentences: what happened at a table and how matches ended, as a friend would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets import (
    evenings,
    hand_wording,
    lifetimes,
    names,
    phone_wording,
    queries,
    roster_wording,
    rows,
    rules_wording,
    seats,
    settle_wording,
)
from sheets.models import Change, ChangeKind, Player, Review, Sheet, SheetState

Past = queries.Past


def author(change: Change) -> str:
    """Return who made a change."""
    if change.member is not None:
        return str(change.member)
    if change.user is not None:
        return change.user.known_as
    return change.by or _("The app")


def change(one: Change, past: Past) -> str:
    """Return one line of history, without who and when."""
    before, after = one.before or {}, one.after or {}
    match ChangeKind(one.kind):
        case ChangeKind.TABLE_STARTED:
            said = _("started the table: %(who)s. %(dealer)s deals first.") % {
                "who": names.listed([past.players[pk] for pk in after["order"]]),
                "dealer": past.players[after["dealer"]],
            }
            if "club" in after:
                said += _(" It is one of the club %(name)s.") % _named(after)
            return said
        case ChangeKind.SHEET_STARTED:
            return _("started a new sheet: %(who)s. %(dealer)s deals first.") % {
                "who": names.listed([past.players[pk] for pk in after["order"]]),
                "dealer": past.players[after["dealer"]],
            }
        case (
            ChangeKind.JOINED
            | ChangeKind.SEAT_ASKED
            | ChangeKind.SEAT_GIVEN
            | ChangeKind.SEAT_REFUSED
            | ChangeKind.PHONE_REMOVED
            | ChangeKind.PHONE_BACK
            | ChangeKind.CODE_CHANGED
            | ChangeKind.JOINING_LOCKED
            | ChangeKind.JOINING_OPENED
        ):
            return phone_wording.change(one, past)
        case ChangeKind.SAID_WHO:
            return _said_who(before, after, past)
        case ChangeKind.DEALER_SET:
            return _("set the deal of hand %(number)s from %(before)s to %(after)s") % {
                "number": after["number"],
                "before": past.players[before["dealer"]],
                "after": past.players[after["dealer"]],
            }
        case ChangeKind.NAMES_CHANGED:
            return _names_changed(before, after, past)
        case ChangeKind.SEATS_CHANGED:
            return _("changed the seats from %(before)s to %(after)s") % {
                "before": names.listed([past.players[pk] for pk in before["order"]]),
                "after": names.listed([past.players[pk] for pk in after["order"]]),
            }
        case ChangeKind.SAT_DOWN:
            return _sat_down(before, after, past)
        case ChangeKind.SHEET_BANKED:
            hands = after["hands"]
            return ngettext(
                "ended the match after %(n)s hand", "ended the match after %(n)s hands", hands
            ) % {"n": hands}
        case ChangeKind.SHEET_DISCARDED if one.reason:
            return _discarded(after["hands"], one.reason)
        case ChangeKind.SHEET_DISCARDED:
            return _("ended the match before its first hand: the sheet was discarded")
        case ChangeKind.SHEET_REOPENED:
            return _reopened(before, after, one.reason)
        case ChangeKind.REVIEWED:
            return _reviewed(after, one.reason)
        case ChangeKind.DELETE_AGREED:
            return ngettext(
                "agreed to delete this table (%(agree)s of %(of)s phone)",
                "agreed to delete this table (%(agree)s of %(of)s phones)",
                after["of"],
            ) % {"agree": after["agree"], "of": after["of"]}
        case ChangeKind.DELETE_DROPPED:
            return _("kept the table: it is not deleted")
        case ChangeKind.PERSON_ERASED:
            return _("erased the name of %(who)s") % {"who": names.former()}
        case ChangeKind.CLUB_JOINED:
            sentence = _("took this table into the club %(name)s: its organisers see its sheets")
            return sentence % _named(after)
        case ChangeKind.CLUB_LEFT:
            return _("let this table go: it is none of the club %(name)s any more") % _named(after)
        case ChangeKind.SEATS_MATCHED:
            return roster_wording.seats_matched(before, after, past)
        case ChangeKind.SETTINGS_CHANGED:
            return _settings_changed(before, after)
        case ChangeKind.VALUE_SET:
            return settle_wording.value_set(before, after)
        case ChangeKind.TOTALS_REPLACED | ChangeKind.TOTALS_RESTORED:
            return hand_wording.totals(one, past)
        case ChangeKind.SHEET_IMPORTED:
            return _imported(one, after["from"], after["hands"])
        case (
            ChangeKind.RULES_CHANGED
            | ChangeKind.RULES_RESTORED
            | ChangeKind.RULES_SAVED
            | ChangeKind.RULES_FORGOTTEN
        ):
            return rules_wording.change(one, past)
        case _:
            return hand_wording.change(one, past)


def _named(after: Mapping[str, Any]) -> dict[str, str]:
    """Return what a club was called when something happened, as a part of a sentence."""
    return {"name": names.Isolated(after["name"])}


def _imported(one: Change, source: str, hands: int) -> str:
    if source == "paper":
        sentence = ngettext(
            "typed this sheet in from paper: %(n)s hand",
            "typed this sheet in from paper: %(n)s hands",
            hands,
        )
    elif one.sheet_id is not None:
        sentence = ngettext(
            "imported this sheet from a file: %(n)s hand",
            "imported this sheet from a file: %(n)s hands",
            hands,
        )
    else:
        sentence = ngettext(
            "imported this table from a file: %(n)s hand",
            "imported this table from a file: %(n)s hands",
            hands,
        )
    return sentence % {"n": hands}


def said(one: Change, players: Sequence[Player]) -> str:
    """Return who did what to a hand of a sheet: "Alice took back hand 7: …"."""
    past = Past([one], {player.pk: player.name for player in players}, {}, {}, None)
    return f"{author(one)} {change(one, past)}"


def _discarded(hands: int, reason: str) -> str:
    return ngettext(
        "discarded the sheet with %(n)s hand, because: %(reason)s",
        "discarded the sheet with %(n)s hands, because: %(reason)s",
        hands,
    ) % {"n": hands, "reason": reason}


def _reopened(before: Mapping[str, Any], after: Mapping[str, Any], reason: str) -> str:
    sentence = _("took back the end of the match")
    if before.get("taken_up"):
        sentence = _("took the discarded sheet up again")
    if after["discarded"]:
        sentence += _("; the next sheet, which held no hand, was discarded")
    if reason:
        sentence += _(", because: %(reason)s") % {"reason": reason}
    return sentence


def _reviewed(after: Mapping[str, Any], note: str) -> str:
    return {
        Review.TO_REVIEW: _("took it back to review"),
        Review.APPROVED: _("approved the sheet"),
        Review.FLAGGED: _("flagged it: %(note)s"),
        Review.SET_ASIDE: _("set it aside: %(note)s"),
    }[Review(after["review"])] % {"note": note}


def _settings_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    switched = {
        ("own_columns", True): _("switched own columns on"),
        ("own_columns", False): _("switched own columns off"),
        ("confirm", True): _("switched confirming on"),
        ("confirm", False): _("switched confirming off"),
    }
    # Not in the order of the stored object: a database may reorder its keys.
    said = [
        words for (name, on), words in switched.items() if after[name] == on and before[name] != on
    ]
    return names.listed(said) or _("left the settings as they were")


def _said_who(before: Mapping[str, Any], after: Mapping[str, Any], past: Past) -> str:
    nobody = _("somebody who only keeps score")
    return _("said this is the phone of %(after)s, no longer of %(before)s") % {
        "before": past.people.get(before["person"], nobody),
        "after": past.people.get(after["person"], nobody),
    }


def _names_changed(before: Mapping[str, Any], after: Mapping[str, Any], past: Past) -> str:
    parts = [
        _("%(before)s is now called %(after)s")
        % {
            "before": past.names_used.get(before["names"][pk], names.former()),
            "after": past.names_used.get(after["names"][pk], names.former()),
        }
        for pk in after["names"]
    ]
    if before["table"] != after["table"]:
        parts.append(
            _("the table is now called %(name)s") % {"name": names.Isolated(after["table"])}
            if after["table"]
            else _("the table is called after its players again")
        )
    return "; ".join(parts) or _("left all names as they were")


def _sat_down(before: Mapping[str, Any], after: Mapping[str, Any], past: Past) -> str:
    """Say who came and who left; people by name, as one player's seat may have changed hands."""
    came = [pk for pk in after["people"] if pk not in before["people"]]
    left = [pk for pk in before["people"] if pk not in after["people"]]
    said = {
        "came": names.listed([past.people[pk] for pk in came]),
        "left": names.listed([past.people[pk] for pk in left]),
        "number": after["number"],
    }
    if came and left:
        return _("wrote that %(left)s left and %(came)s sits there from hand %(number)s") % said
    if came and after["off_sheet"]:
        return _("wrote that %(came)s sits down from hand %(number)s, off the sheet") % said
    if came:
        return _("wrote that %(came)s sits down from hand %(number)s, with a column") % said
    whose = dict(zip(before["order"], before["people"], strict=True))
    stays = [whose[pk] for pk in before["off_sheet"] if whose[pk] not in left]
    if not stays:
        return _("wrote that %(left)s left: three play from hand %(number)s") % said
    said["stays"] = names.listed([past.people[pk] for pk in stays])
    return (
        _(
            "wrote that %(left)s left: three play from hand %(number)s, "
            "and %(stays)s has a column from there"
        )
        % said
    )


def ended(sheet: Sheet) -> str:
    """Return who ended a match and when, on the clock that is active."""
    assert sheet.ended_at is not None
    moment = timezone.localtime(sheet.ended_at)
    said = {
        "who": str(sheet.ended_by) if sheet.ended_by else _("An organiser"),
        "time": date_format(moment, "H:i"),
        "day": date_format(moment, "j F Y"),
    }
    if lifetimes.discarded_by_organiser(sheet):
        return roster_wording.discarded(sheet)
    if evenings.is_tonight(moment):
        return _("%(who)s ended this match at %(time)s.") % said
    return _("%(who)s ended this match on %(day)s at %(time)s.") % said


def banked(sheet: Sheet) -> str:
    """Return when a sheet was banked: tonight the time, else its evening, on the active clock."""
    assert sheet.ended_at is not None
    if evenings.is_tonight(sheet.ended_at):
        when = date_format(timezone.localtime(sheet.ended_at), "H:i")
    else:
        when = evenings.written(evenings.evening(sheet.played_at), "j M")
    return _("banked %(when)s") % {"when": when}


def holds(size: lifetimes.Size) -> str:
    """Return what a table holds: "2 sheets, 41 hands"."""
    sheets = ngettext("%(n)s sheet", "%(n)s sheets", size.sheets) % {"n": size.sheets}
    hands = ngettext("%(n)s hand", "%(n)s hands", size.hands) % {"n": size.hands}
    return f"{sheets}, {hands}"


def dealt(counts: Sequence[tuple[Player, int]]) -> str:
    """Return how the deals were shared: "24 hands, 8 deals each"."""
    numbers = [n for _player, n in counts]
    hands = sum(numbers)
    said = ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": hands}
    if len(set(numbers)) == 1:
        each = ngettext("%(n)s deal each", "%(n)s deals each", numbers[0]) % {"n": numbers[0]}
        return f"{said}, {each}"
    return _("%(hands)s; deals: %(shares)s") % {"hands": said, "shares": shares(counts)}


def shares(counts: Sequence[tuple[Player, int]]) -> str:
    """Return who had how many of something: "Alice 3, Ben 1"."""
    return ", ".join(f"{player.name} {n}" for player, n in counts)


def final_line(players: Sequence[Player]) -> str:
    """Return the totals, highest first: "Ben 12, Cass 10, Alice 8"."""
    return final_line_of([(player, player.total) for player in seats.scoring(players)])


def final_line_of(totals: Sequence[tuple[Player, int]]) -> str:
    """Return these totals, highest first."""
    ordered = sorted(totals, key=lambda pair: -pair[1])
    return ", ".join(f"{player.name} {total}" for player, total in ordered)


def result(sheet: Sheet, players: Sequence[Player]) -> str:
    """Return the outcome of a match as a headline."""
    if lifetimes.discarded_by_organiser(sheet):
        return _("This sheet was discarded")
    if sheet.state == SheetState.DISCARDED:
        return _("No hand was entered")
    won = rows.winners(players)
    if not won:
        return _("No winner: nobody took anything in")
    who = names.listed([player.name for player in won])
    if len(won) == 1:
        return _("%(who)s wins with %(total)s") % {"who": who, "total": won[0].total}
    return _("Tie between %(who)s with %(total)s each") % {"who": who, "total": won[0].total}
