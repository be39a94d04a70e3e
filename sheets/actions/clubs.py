"""Clubs: start one, change how it is set up, lock it."""

from __future__ import annotations

import uuid

from sheets import codes, names
from sheets.actions.accounts import lock_account
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import (
    ClubAnswer,
    ClubSaved,
    ClubStep,
    ClubWrite,
    club_action,
    first_club_answer,
)
from sheets.actions.likening import liken, marked_evenings
from sheets.actions.writing import fingerprint_of, in_one_transaction
from sheets.models import Club, ClubChange, ClubChangeKind, Organiser, Role, Sheet, User
from sheets.seen import Seen


def start_club(user: User, name: str, *, slug: str, time_zone: str, key: uuid.UUID) -> ClubAnswer:
    """Start a club; whoever starts it owns it. An empty `slug` is made of the name.

    No row can be locked yet: the unique key is the lock, and the unique slug refuses a second club
    at one address.
    """
    fingerprint = fingerprint_of("start_club", name, slug, time_zone)

    def work() -> ClubSaved:
        earlier = ClubChange.objects.filter(key=key).select_related("club").first()
        if earlier is not None:
            return first_club_answer(earlier, user, fingerprint)
        if slug and Club.objects.filter(slug=slug).exists():
            raise Refusal(Why.SLUG_TAKEN)
        club = Club.objects.create(
            name=name, slug=slug or free_slug(name), time_zone=time_zone, code=free_club_code()
        )
        organiser = Organiser.objects.create(club=club, user=lock_account(user.pk), role=Role.OWNER)
        write = ClubWrite(club=club.pk, user=user, key=key, seen=Seen())
        step = ClubStep(club, write, fingerprint, organiser, [])
        return ClubSaved(step.record(ClubChangeKind.STARTED, after={"name": name}))

    return in_one_transaction(work, key=key)


def free_slug(name: str) -> str:
    """Return an address for a club of this name that no club has."""
    plain = names.slug(name)
    slug, number = plain, 1
    while slug in names.RESERVED_SLUGS or Club.objects.filter(slug=slug).exists():
        number += 1
        ending = f"-{number}"
        slug = plain[: names.LONGEST_SLUG - len(ending)] + ending
    return slug


def free_club_code() -> str:
    """Return a code no club has; the unique column is the last word."""
    while True:
        code = codes.new_code()
        if not Club.objects.filter(code=code).exists():
            return code


def change_club(
    write: ClubWrite, name: str, time_zone: str, confirm: bool, contact: str
) -> ClubAnswer:
    """Change how the club is called, its clock, whether its hands are confirmed, whom players ask.

    History says only that the last of these was changed: it may hold an address, and history is
    never altered and goes into files.

    On another clock sheets that are alike may lie on two evenings. Two that come to lie on one are
    found by `manage.py results`: to look for them here, all evenings would have to be read.
    """
    answer = _change_club(write, name, time_zone, confirm, contact)
    if isinstance(answer, ClubSaved):
        liken(marked_evenings(Sheet.objects.filter(club=write.club)))
    return answer


@club_action(owners=True)
def _change_club(
    at: ClubStep, name: str, time_zone: str, confirm: bool, contact: str
) -> ClubChange:
    at.refuse_if_others([ClubChangeKind.SETTINGS_CHANGED])
    before = _settings(at.club)
    asks_others = {"contact": True} if contact != at.club.contact else {}
    at.club.name, at.club.time_zone, at.club.confirm = name, time_zone, confirm
    at.club.contact = contact
    at.club.save(update_fields=("name", "name_folded", "time_zone", "confirm", "contact"))
    after = _settings(at.club) | asks_others
    return at.record(ClubChangeKind.SETTINGS_CHANGED, before=before, after=after)


def _settings(club: Club) -> dict[str, object]:
    return {"name": club.name, "time_zone": club.time_zone, "confirm": club.confirm}


@club_action(owners=True)
def change_club_code(at: ClubStep) -> ClubChange:
    """Make a new club code and a new link; history keeps neither, and the old ones open nothing."""
    at.refuse_if_others([ClubChangeKind.CODE_CHANGED])
    at.club.code, at.club.start_secret = free_club_code(), codes.new_link_secret()
    at.club.save(update_fields=("code", "start_secret"))
    return at.record(ClubChangeKind.CODE_CHANGED)


@club_action()
def lock_club(at: ClubStep, locked: bool, reason: str) -> ClubChange | ClubSaved:
    """Let staff lock the club, so that nothing of it or its tables changes, or unlock it."""
    if at.organiser is not None:
        raise Refusal(Why.NOT_AN_ORGANISER)
    if at.club.locked == locked:
        return ClubSaved(at.club.changes.latest("version"), repeated=True)
    at.club.locked = locked
    at.club.save(update_fields=("locked",))
    kind = ClubChangeKind.LOCKED if locked else ClubChangeKind.UNLOCKED
    return at.record(kind, reason=reason)
