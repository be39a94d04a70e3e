"""Sentences about the phones at a table: who was removed, who asks for a seat, what opens it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from sheets import evenings, presence, queries
from sheets.account_wording import how_long
from sheets.models import Change, ChangeKind, Member
from sheets.phone_queries import OwnAsk


def change(one: Change, past: queries.Past) -> str:
    """Return one line of history about phones and codes, without who and when."""
    after = one.after or {}
    match ChangeKind(one.kind):
        case ChangeKind.JOINED:
            return _joined(after, past)
        case ChangeKind.SEAT_ASKED:
            return _("asked the other phones to be %(who)s") % {"who": past.people[after["asks"]]}
        case ChangeKind.SEAT_GIVEN:
            return _("said that phone %(number)s is %(who)s") % _seat(after, past)
        case ChangeKind.SEAT_REFUSED:
            return _("said that phone %(number)s is not %(who)s") % _seat(after, past)
        case ChangeKind.PHONE_REMOVED if one.member_id == after["member"]:
            return _("left the table; the join code and the watch link are new")
        case ChangeKind.PHONE_REMOVED:
            return _("removed %(phone)s; the join code and the watch link are new") % {
                "phone": _whose(after, past)
            }
        case ChangeKind.PHONE_BACK:
            return _("let %(phone)s back in") % {"phone": _whose(after, past)}
        case ChangeKind.CODE_CHANGED:
            return _("changed the watch link") if after.get("watch") else _("changed the join code")
        case ChangeKind.JOINING_LOCKED:
            return _("locked joining: the code opens nothing")
        case _:
            return _("opened joining: the code works again")


def _joined(after: Mapping[str, Any], past: queries.Past) -> str:
    if after.get("link"):
        return _("joined with another phone or browser of their own")
    said = _("joined again") if after.get("again") else _("joined with another phone")
    if "asks" in after:
        said += _(" and asked to be %(who)s") % {"who": past.people[after["asks"]]}
    return said


def _seat(after: Mapping[str, Any], past: queries.Past) -> dict[str, Any]:
    return {"number": after["number"], "who": past.people[after["person"]]}


def _whose(after: Mapping[str, Any], past: queries.Past) -> str:
    if after["person"] is None:
        return _("phone %(number)s") % {"number": after["number"]}
    return _("the phone of %(who)s") % {"who": past.people[after["person"]]}


def removed(member: Member) -> str:
    """Tell a removed phone who removed it and when, on the clock that is active."""
    assert member.removed_at is not None
    said = {"who": str(member.removed_by or _("An organiser")), "when": _when(member.removed_at)}
    if member.removed_by_id == member.pk:
        return _("This phone left the table %(when)s.") % said
    return _("%(who)s removed this phone from the table %(when)s.") % said


def removed_by(member: Member) -> str:
    """Tell the others who removed a phone and when, on the clock that is active."""
    assert member.removed_at is not None
    said = {"who": str(member.removed_by or _("An organiser")), "when": _when(member.removed_at)}
    if member.removed_by_id == member.pk:
        return _("left %(when)s") % said
    return _("removed by %(who)s %(when)s") % said


def _when(moment: datetime.datetime) -> str:
    local = timezone.localtime(moment)
    said = {"time": date_format(local, "H:i"), "day": date_format(local, "j F Y")}
    if evenings.is_tonight(local):
        return _("at %(time)s") % said
    return _("on %(day)s at %(time)s") % said


def heard(member: Member) -> str:
    """Return how long ago a phone was heard of."""
    last = presence.last(member)
    ago = timezone.now() - last
    if ago < datetime.timedelta(minutes=2):
        return _("heard of just now")
    return _("heard of %(time)s ago") % {"time": timesince(last, depth=1)}


def own_ask(ask: OwnAsk, member: Member) -> str:
    """Tell a phone that asked for a seat how that stands, on the clock that is active."""
    said = {"who": ask.person.name, "me": str(member), "by": str(ask.by)}
    if ask.until is not None:
        said["time"] = date_format(timezone.localtime(ask.until), "H:i:s")
        sentence = _(
            "The other phones are asked whether this is %(who)s. If nobody says yes by %(time)s, "
            "this phone goes on as %(me)s. It can enter hands all the while."
        )
        return sentence % said
    if ask.answer == ChangeKind.SEAT_GIVEN:
        return _("%(by)s said yes: this is the phone of %(who)s.") % said
    if ask.by is not None:
        return _("%(by)s said that this is not %(who)s. This phone goes on as %(me)s.") % said
    sentence = _(
        "Nobody said yes in time: this phone goes on as %(me)s. To ask for %(who)s again, choose "
        "the name once more."
    )
    return sentence % said


def wait(seconds: int) -> str:
    """Ask somebody to wait at whose address too many join codes were typed."""
    sentence = _(
        "Too many codes were typed from here. Wait %(time)s, then try again. The table's QR code "
        "or link works now: someone at the table can show it or send it to you."
    )
    return sentence % {"time": how_long(seconds)}


def wait_for_club(seconds: int) -> str:
    """Ask somebody to wait at whose address too many codes were typed: this is a club's."""
    sentence = _(
        "Too many codes were typed from here. Wait %(time)s, then try again. The club's QR code or "
        "link works now: an organiser can show it or send it to you."
    )
    return sentence % {"time": how_long(seconds)}


def old_link() -> str:
    """Tell somebody that the link they opened joins no table now."""
    return _(
        "This link opens no table now: it was changed, or the last match is over. Ask someone at "
        "the table for a new one."
    )


def old_club_link() -> str:
    """Tell somebody that the link they opened is no club's now."""
    return _("This link is no club's now. Ask one of its organisers for the new one.")


def too_many_tables(seconds: int) -> str:
    """Ask somebody to wait at whose address too many tables were started."""
    sentence = _(
        "Too many tables were started from here in the last hour. Nothing you typed is lost: press "
        "Start again in %(time)s. A club's tables can be started now, with its code or link."
    )
    return sentence % {"time": how_long(seconds)}


def too_many_club_tables(club: str, seconds: int) -> str:
    """Ask somebody to wait who starts one table too many of a club."""
    sentence = _(
        "Too many tables of %(club)s were started in the last hour. Nothing you typed is lost: "
        "press Start again in %(time)s, or as soon as an organiser lifts this on the club's page."
    )
    return sentence % {"club": club, "time": how_long(seconds)}
