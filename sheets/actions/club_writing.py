"""How a club's own rows are written: as a table's are, with the club's row as the lock.

What is done to one of its tables or sheets goes by `sheets.actions.writing` and locks the table.
Where both are locked, the club is first.
"""

from __future__ import annotations

import dataclasses
import functools
import uuid
from collections.abc import Callable, Iterable
from typing import Any, Concatenate, ParamSpec

from django.db.models import Q

from sheets.actions.answers import Refusal, Refused, Why
from sheets.actions.writing import fingerprint_of, in_one_transaction
from sheets.models import Club, ClubChange, ClubChangeKind, Organiser, User
from sheets.models.sheet import MOST_REASON
from sheets.seen import Seen, mark_of_key

P = ParamSpec("P")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ClubWrite:
    """Who asks for a change of a club, with a key of its own; `seen` is the club as it was then.

    `agreed` is the mark of the sheets that are like this one, once somebody said yes to that.
    `as_staff`: the admin, which has looked at the user's permissions, lets them act for the
    installation, in a locked club too.
    """

    club: int
    user: User
    key: uuid.UUID
    seen: Seen
    agreed: str = ""
    as_staff: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class ClubSaved:
    """The write is in the database; `repeated`: it was already, this is the first answer again."""

    change: ClubChange
    repeated: bool = False


ClubAnswer = ClubSaved | Refused


@dataclasses.dataclass(slots=True)
class ClubStep:
    """A write under way: everything in it was read under the club's lock.

    `organiser` is None for staff, who act for the installation. `since`: what others did after
    `write.seen`, oldest first.
    """

    club: Club
    write: ClubWrite
    fingerprint: str
    organiser: Organiser | None
    since: list[ClubChange]

    def refuse_if_others(self, kinds: Iterable[ClubChangeKind], **after: Any) -> None:
        """Refuse when somebody else did one of `kinds` since, with these values in its `after`."""
        wanted = set(kinds)
        for change in reversed(self.since):
            said = change.after or {}
            if change.kind in wanted and all(said.get(name) == v for name, v in after.items()):
                raise Refusal(Why.STALE, club_change=change)

    def record(
        self, kind: ClubChangeKind, *, before: Any = None, after: Any = None, reason: str = ""
    ) -> ClubChange:
        """Append the line of history and raise the club's version."""
        if len(reason) > MOST_REASON:
            raise Refusal(Why.LONG_REASON)
        self.club.version, self.club.mark = self.club.version + 1, mark_of_key(self.write.key)
        self.club.save(update_fields=("version", "mark"))
        return ClubChange.objects.create(
            club=self.club,
            version=self.club.version,
            kind=kind,
            user=self.write.user,
            before=before,
            after=after,
            reason=reason,
            key=self.write.key,
            fingerprint=self.fingerprint,
        )


def first_club_answer(
    change: ClubChange, user: User, fingerprint: str, *, club: int | None = None
) -> ClubSaved:
    """Answer a known key: the same write gets its first answer again, another is refused.

    Its author is told what was saved then, in the same club.
    """
    same_author = change.user_id == user.pk
    if not same_author or change.fingerprint != fingerprint:
        tells = same_author and change.club_id == club
        raise Refusal(Why.KEY_USED, club_change=change if tells else None)
    return ClubSaved(change, repeated=True)


def club_action(
    *, owners: bool = False
) -> Callable[
    [Callable[Concatenate[ClubStep, P], ClubChange | ClubSaved]],
    Callable[Concatenate[ClubWrite, P], ClubAnswer],
]:
    """Make a public action of a body that works on a `ClubStep`, for organisers or only owners."""

    def made(
        body: Callable[Concatenate[ClubStep, P], ClubChange | ClubSaved],
    ) -> Callable[Concatenate[ClubWrite, P], ClubAnswer]:
        @functools.wraps(body)
        def perform(write: ClubWrite, /, *args: P.args, **kwargs: P.kwargs) -> ClubAnswer:
            fingerprint = fingerprint_of(body.__name__, write.club, args, kwargs)

            def work() -> ClubSaved:
                club, organiser = _lock(write, owners)
                found = list(
                    ClubChange.objects.filter(
                        Q(key=write.key) | Q(club=club, version__gte=write.seen.version)
                    )
                    .select_related("user")
                    .order_by("version")
                )
                for change in found:
                    if change.key == write.key:
                        return first_club_answer(change, write.user, fingerprint, club=write.club)
                then = [change.key for change in found if change.version == write.seen.version]
                if write.seen.is_gone(club.seen, then):
                    last = club.changes.select_related("user").first()
                    raise Refusal(Why.SET_BACK, club_change=last, seen=club.seen)
                since = [
                    change
                    for change in found
                    if change.version > write.seen.version and change.user_id != write.user.pk
                ]
                step = ClubStep(club, write, fingerprint, organiser, since)
                try:
                    done = body(step, *args, **kwargs)
                except Refusal as refusal:
                    refusal.details["seen"] = club.seen
                    raise
                return done if isinstance(done, ClubSaved) else ClubSaved(done)

            return in_one_transaction(work, key=write.key)

        return perform

    return made


def _lock(write: ClubWrite, owners: bool) -> tuple[Club, Organiser | None]:
    """Lock the club's row and find what this user may do in it."""
    # What points at the club may be written meanwhile: a sheet started at one of its tables holds
    # that table's lock, and would wait for this one in a circle.
    club = Club.objects.select_for_update(no_key=True).filter(pk=write.club).first()
    if club is None:
        raise Refusal(Why.NOT_THERE)
    if write.as_staff:
        return club, None
    organiser = club.organisers.filter(user=write.user).first()
    if organiser is None or (owners and not organiser.is_owner):
        raise Refusal(Why.NOT_AN_ORGANISER)
    if club.locked:
        raise Refusal(Why.CLUB_LOCKED)
    return club, organiser
