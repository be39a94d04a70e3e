"""Who runs a club: invited by a link that works once, made an owner or not, and gone again."""

from __future__ import annotations

import base64
import uuid

from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets import club_queries, codes
from sheets.actions.accounts import lock_account
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubStep, ClubWrite, club_action
from sheets.actions.writing import fingerprint_of, in_one_transaction
from sheets.models import (
    Club,
    ClubChange,
    ClubChangeKind,
    Invitation,
    Organiser,
    Role,
    User,
)

_WHO_CHANGED = (
    ClubChangeKind.ROLE_CHANGED,
    ClubChangeKind.ORGANISER_LEFT,
    ClubChangeKind.HANDED_OVER,
)


def invitation_secret(user: User, key: uuid.UUID) -> str:
    """Return the secret of the invitation that a user made with this key.

    It can be made again for the user's own page, and from nothing that the database holds.
    """
    digest = salted_hmac("invitation", f"{user.pk} {key}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@club_action(owners=True)
def invite(at: ClubStep) -> ClubChange:
    """Make a link that makes one person an organiser; asked for twice it is one."""
    made = Invitation.objects.create(
        club=at.club,
        secret_hash=codes.phone_hash(invitation_secret(at.write.user, at.write.key)),
        made_by=at.write.user,
    )
    return at.record(ClubChangeKind.INVITED, after={"invitation": made.pk})


def accept_invitation(secret: str, user: User) -> ClubAnswer:
    """Make a user an organiser of the club that an invitation is for.

    Whoever is one already stays what they are and uses nothing up: so a form sent twice is
    answered as at first.
    """

    def work() -> ClubSaved:
        found = club_queries.invitation(secret)
        if found is None:
            raise Refusal(Why.INVITATION_OVER)
        club = Club.objects.select_for_update(no_key=True).get(pk=found.club_id)
        if club.organisers.filter(user=user).exists():
            return ClubSaved(club.changes.latest("version"), repeated=True)
        invitation = Invitation.objects.select_for_update().get(pk=found.pk)
        if not club_queries.invitation_is_open(invitation):
            raise Refusal(Why.INVITATION_OVER)
        if club.locked:
            raise Refusal(Why.CLUB_LOCKED)
        organiser = Organiser.objects.create(club=club, user=lock_account(user.pk))
        invitation.used_by, invitation.used_at = user, timezone.now()
        invitation.save(update_fields=("used_by", "used_at"))
        write = ClubWrite(club=club.pk, user=user, key=uuid.uuid4(), seen=club.seen)
        step = ClubStep(club, write, fingerprint_of("accept", invitation.pk), organiser, [])
        after = {"user": user.pk, "invitation": invitation.pk}
        return ClubSaved(step.record(ClubChangeKind.ORGANISER_JOINED, after=after))

    return in_one_transaction(work)


@club_action(owners=True)
def change_role(at: ClubStep, user: int, role: Role) -> ClubChange | ClubSaved:
    """Make an organiser an owner, or an owner an organiser again."""
    at.refuse_if_others(_WHO_CHANGED, user=user)
    organiser = at.club.organisers.filter(user=user).first()
    if organiser is None:
        raise Refusal(Why.NOT_THERE)
    if organiser.role == role:
        return ClubSaved(at.club.changes.latest("version"), repeated=True)
    refuse_the_last_owner(organiser)
    before = {"user": user, "role": organiser.role}
    organiser.role = role
    organiser.save(update_fields=("role",))
    return at.record(
        ClubChangeKind.ROLE_CHANGED, before=before, after={"user": user, "role": str(role)}
    )


@club_action()
def remove_organiser(at: ClubStep, user: int) -> ClubChange | ClubSaved:
    """Take somebody off the organisers: an owner anybody, everybody themselves."""
    me = at.organiser
    if me is not None and not me.is_owner and me.user_id != user:
        raise Refusal(Why.NOT_AN_ORGANISER)
    organiser = at.club.organisers.filter(user=user).first()
    if organiser is None:  # another owner was first
        return ClubSaved(at.club.changes.latest("version"), repeated=True)
    at.refuse_if_others([ClubChangeKind.ROLE_CHANGED, ClubChangeKind.HANDED_OVER], user=user)
    refuse_the_last_owner(organiser)
    role = organiser.role
    organiser.delete()
    before = {"user": user, "role": role}
    return at.record(ClubChangeKind.ORGANISER_LEFT, before=before, after={"user": user})


@club_action()
def hand_over(at: ClubStep, user: int, reason: str) -> ClubChange | ClubSaved:
    """Let staff make an account an owner of the club; the owners there are stay what they are."""
    if at.organiser is not None:
        raise Refusal(Why.NOT_AN_ORGANISER)
    account = lock_account(user)
    organiser, made = at.club.organisers.get_or_create(user=account)
    if not made and organiser.is_owner:
        return ClubSaved(at.club.changes.latest("version"), repeated=True)
    before = {"user": account.pk, "role": None if made else organiser.role}
    organiser.role = Role.OWNER
    organiser.save(update_fields=("role",))
    after = {"user": account.pk, "role": str(Role.OWNER)}
    return at.record(ClubChangeKind.HANDED_OVER, before=before, after=after, reason=reason)


def refuse_the_last_owner(organiser: Organiser) -> None:
    """Refuse what would leave a club without an owner."""
    others = organiser.club.organisers.filter(role=Role.OWNER).exclude(pk=organiser.pk)
    if organiser.is_owner and not others.exists():
        raise Refusal(Why.LAST_OWNER)
