"""Clubs: start one."""

from __future__ import annotations

import uuid

from sheets import codes
from sheets.actions.club_writing import (
    ClubAnswer,
    ClubSaved,
    ClubStep,
    ClubWrite,
    first_club_answer,
)
from sheets.actions.writing import Refusal, Why, fingerprint_of, in_one_transaction
from sheets.models import Club, ClubChange, ClubChangeKind, Organiser, Role, User


def start_club(user: User, name: str, *, slug: str, time_zone: str, key: uuid.UUID) -> ClubAnswer:
    """Start a club; whoever starts it owns it.

    No row can be locked yet: the unique key is the lock, and the unique slug refuses a second club
    at one address.
    """
    fingerprint = fingerprint_of("start_club", name, slug, time_zone)

    def work() -> ClubSaved:
        earlier = ClubChange.objects.filter(key=key).select_related("club").first()
        if earlier is not None:
            return first_club_answer(earlier, user, fingerprint)
        if Club.objects.filter(slug=slug).exists():
            raise Refusal(Why.SLUG_TAKEN)
        club = Club.objects.create(name=name, slug=slug, time_zone=time_zone, code=free_club_code())
        organiser = Organiser.objects.create(club=club, user=user, role=Role.OWNER)
        write = ClubWrite(club=club.pk, user=user, key=key, seen=0)
        step = ClubStep(club, write, fingerprint, organiser, [])
        return ClubSaved(step.record(ClubChangeKind.STARTED, after={"name": name}))

    return in_one_transaction(work)


def free_club_code() -> str:
    """Return a code no club has; the unique column is the last word."""
    while True:
        code = codes.new_code()
        if not Club.objects.filter(code=code).exists():
            return code
