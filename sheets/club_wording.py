"""Sentences about clubs: what happened in one, as its organisers read it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets import evenings, names
from sheets.club_queries import ClubPast, Evening, Size
from sheets.models import Club, ClubChange, ClubChangeKind, Organiser, Role


def author(change: ClubChange) -> str:
    """Return who made a change."""
    return str(change.user) if change.user is not None else change.by or _("The app")


def change(one: ClubChange, past: ClubPast) -> str:
    """Return one line of a club's history, without who and when."""
    before, after = one.before or {}, one.after or {}
    gone = _("somebody who is gone")
    name = names.Isolated(after.get("name", ""))
    said = {
        "person": past.people.get(after.get("person", 0), gone),
        "into": past.people.get(after.get("into", 0), gone),
        "user": _user(after.get("user"), past) or gone,
        "season": past.seasons.get(after.get("season", 0)) or name,
        "table": past.tables.get(after.get("table", 0)) or _("a table that is gone"),
        "name": name,
    }
    match ClubChangeKind(one.kind):
        case ClubChangeKind.STARTED:
            return _("started the club")
        case ClubChangeKind.SETTINGS_CHANGED:
            return _settings(before, after)
        case ClubChangeKind.CODE_CHANGED:
            return _("changed the club code")
        case ClubChangeKind.INVITED:
            return _("made a link that invites an organiser")
        case ClubChangeKind.ORGANISER_JOINED:
            return _("became an organiser by an invitation")
        case ClubChangeKind.ROLE_CHANGED if after["role"] == Role.OWNER:
            return _("made %(user)s an owner") % said
        case ClubChangeKind.ROLE_CHANGED:
            return _("made %(user)s an organiser, no longer an owner") % said
        case ClubChangeKind.ORGANISER_LEFT if after["user"] in (one.user_id, one.by):
            return _("left the organisers")
        case ClubChangeKind.ORGANISER_LEFT:
            return _("took %(user)s off the organisers") % said
        case ClubChangeKind.PERSON_ADDED if "people" in after:
            return _("added %(n)s people to the roster") % {"n": len(after["people"])}
        case ClubChangeKind.PERSON_ADDED:
            return _("added %(person)s to the roster") % said
        case ClubChangeKind.PERSON_RENAMED:
            return _("changed how %(person)s is called") % said
        case ClubChangeKind.PERSON_MERGED:
            return _("merged %(person)s into %(into)s") % said
        case ClubChangeKind.MERGE_UNDONE:
            return _("parted %(person)s from %(into)s again") % said
        case ClubChangeKind.PERSON_RETIRED:
            return _("retired %(person)s") % said
        case ClubChangeKind.PERSON_BACK:
            return _("took %(person)s back on the roster") % said
        case ClubChangeKind.NAMES_MATCHED:
            n = len(after["matched"])
            return ngettext(
                "said who %(n)s name at a table is", "said who %(n)s names at tables are", n
            ) % {"n": n}
        case ClubChangeKind.TABLE_TAKEN_IN:
            return _("took %(table)s into the club") % said
        case ClubChangeKind.TABLE_LET_GO:
            return _("let %(table)s go") % said
        case ClubChangeKind.IMPORTED:
            n = after["sheets"]
            return ngettext("imported %(n)s sheet", "imported %(n)s sheets", n) % {"n": n}
        case ClubChangeKind.HANDED_OVER:
            return _("handed the club over to %(user)s, because: %(reason)s") % {
                **said,
                "reason": one.reason,
            }
        case ClubChangeKind.LOCKED:
            return _("locked the club, because: %(reason)s") % {"reason": one.reason}
        case ClubChangeKind.UNLOCKED:
            return _("unlocked the club, because: %(reason)s") % {"reason": one.reason}
        case _:
            return _season(one.kind) % said


def _user(who: int | str | None, past: ClubPast) -> str | None:
    """Return what a user is called; imported history has names."""
    return names.Isolated(who) if isinstance(who, str) else past.users.get(who or 0)


def _season(kind: str) -> str:
    return {
        ClubChangeKind.SEASON_ADDED: _("added the season %(season)s"),
        ClubChangeKind.SEASON_CHANGED: _("changed the season %(season)s"),
        ClubChangeKind.SEASON_REMOVED: _("removed the season %(name)s"),
        ClubChangeKind.SEASON_PUBLISHED: _("published the season %(season)s"),
        ClubChangeKind.SEASON_HIDDEN: _("took the link of the season %(season)s back"),
    }[ClubChangeKind(kind)]


def _settings(before: dict[str, object], after: dict[str, object]) -> str:
    parts = []
    if before["name"] != after["name"]:
        parts.append(_("the club is now called %(name)s") % {"name": names.Isolated(after["name"])})
    if before["time_zone"] != after["time_zone"]:
        parts.append(_("its clock is that of %(time_zone)s") % after)
    if before["confirm"] != after["confirm"]:
        parts.append(
            _("each hand wants a second person's word")
            if after["confirm"]
            else _("each table decides whether hands are confirmed")
        )
    if after.get("contact"):
        parts.append(_("players now read something else about whom to ask"))
    return "; ".join(parts) or _("left the settings as they were")


def whom_to_ask(club: Club, organisers: Sequence[str]) -> str:
    """Return what players read below a banked sheet: in the club's words, or with these names."""
    if who := club.contact or names.listed(organisers):
        said = {"club": club.name, "who": who}
        return _("Is a hand wrong? Ask an organiser of %(club)s: %(who)s") % said
    return _("Is a hand wrong? Ask an organiser of %(club)s.") % {"club": club.name}


def run_by(organisers: Sequence[Organiser]) -> list[str]:
    """Return who runs a club, for staff who hand it over, and what becomes of them."""
    said = [f"{one.user.email}: {one.get_role_display()}" for one in organisers]
    return [*said, _("All of them stay what they are. The new owner can change that.")]


def holds(size: Size) -> list[str]:
    """Return what a club holds, a line for each kind of thing: "2 sheets"."""
    return [
        ngettext("%(n)s table", "%(n)s tables", size.tables) % {"n": size.tables},
        ngettext("%(n)s sheet", "%(n)s sheets", size.sheets) % {"n": size.sheets},
        ngettext("%(n)s hand", "%(n)s hands", size.hands) % {"n": size.hands},
        ngettext("%(n)s person on the roster", "%(n)s people on the roster", size.people)
        % {"n": size.people},
        ngettext("%(n)s season", "%(n)s seasons", size.seasons) % {"n": size.seasons},
        ngettext(
            "%(n)s organiser, whose account stays",
            "%(n)s organisers, whose accounts stay",
            size.organisers,
        )
        % {"n": size.organisers},
    ]


def evening(played: Evening) -> str:
    """Return what an evening brought: "Thursday 26 November: 12 sheets banked at 3 tables"."""
    said = {
        "day": evenings.written(played.day, "l j F"),
        "sheets": ngettext("%(n)s sheet", "%(n)s sheets", played.sheets) % {"n": played.sheets},
        "tables": ngettext("%(n)s table", "%(n)s tables", played.tables) % {"n": played.tables},
    }
    return _("%(day)s: %(sheets)s banked at %(tables)s.") % said
