"""Closing an account: what it did stays, and nobody is behind it."""

from __future__ import annotations

import uuid

from django.utils import timezone

from sheets.actions.accounts import lock_account
from sheets.actions.answers import Refusal, Refused, Why
from sheets.actions.club_writing import ClubStep, ClubWrite
from sheets.actions.organisers import refuse_the_last_owner
from sheets.actions.writing import fingerprint_of, in_one_transaction
from sheets.models import Club, ClubChangeKind, Organiser, User


def close_account(user: User) -> User | Refused:
    """Take somebody off all their clubs, and their name, address and password off the account.

    Refuses while a club would be left without an owner, or is locked, and for the only one who can
    run the installation.
    """

    def work() -> User:
        mine = Organiser.objects.filter(user=user).values_list("club", flat=True)
        locked = Club.objects.select_for_update(no_key=True).filter(pk__in=list(mine))
        clubs = {club.pk: club for club in locked.order_by("pk")}
        account = lock_account(user.pk)
        organisers = list(Organiser.objects.filter(user=account))
        if {one.club_id for one in organisers} != set(clubs):
            raise Refusal(Why.STALE)  # became an organiser of another one in this very moment
        for one in organisers:
            _leave(clubs[one.club_id], account, one)
        others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=account.pk)
        if account.is_superuser and not others.exists():
            raise Refusal(Why.LAST_ADMIN)
        _make_nobodys(account)
        return account

    return in_one_transaction(work)


def _leave(club: Club, account: User, organiser: Organiser) -> None:
    if club.locked:
        raise Refusal(Why.CLUB_LOCKED)
    refuse_the_last_owner(organiser)
    before = {"user": account.pk, "role": organiser.role}
    organiser.delete()
    write = ClubWrite(club=club.pk, user=account, key=uuid.uuid4(), seen=club.seen)
    step = ClubStep(club, write, fingerprint_of("close_account", club.pk), None, [])
    step.record(ClubChangeKind.ORGANISER_LEFT, before=before, after={"user": account.pk})


def _make_nobodys(account: User) -> None:
    account.closed_at = timezone.now()
    account.name, account.email = "", f"{uuid.uuid4().hex}@closed.invalid"
    account.is_active = account.is_staff = account.is_superuser = False
    account.set_unusable_password()
    account.save()
    account.groups.clear()
    account.user_permissions.clear()
