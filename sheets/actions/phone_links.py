"""My other phone or browser: a link that carries tables and seats over, once."""

from __future__ import annotations

import base64
import uuid

from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets import codes, phone_queries
from sheets.actions.answers import Refusal, Refused, Why
from sheets.actions.writing import Step, Write, add_member, fingerprint_of, in_one_transaction
from sheets.models import ChangeKind, Member, PhoneLink, Table


def link_secret(phone: str, key: uuid.UUID) -> str:
    """Return the secret of the link that a phone asked for with this key.

    It can be made again for the phone's own page, and from nothing that the database holds.
    """
    digest = salted_hmac("phone link", f"{phone} {key}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def make_phone_link(phone: str, key: uuid.UUID) -> PhoneLink | Refused:
    """Make a link that brings the tables of this phone to another; asked for twice it is one."""

    def work() -> PhoneLink:
        # Links of this phone that are of no use any more go; all of those answer alike anyway.
        spent = timezone.now() - phone_queries.LINK_LASTS
        PhoneLink.objects.filter(phone=phone, made_at__lt=spent).delete()
        secret_hash = codes.phone_hash(link_secret(phone, key))
        link, _created = PhoneLink.objects.get_or_create(
            secret_hash=secret_hash, defaults={"phone": phone}
        )
        return link

    return in_one_transaction(work)


def use_phone_link(secret: str, phone: str) -> PhoneLink | Refused:
    """Make this phone a member of all tables of the phone that made the link, as the same person.

    All of it in one transaction and once. Sent again by the phone that has it all it is answered as
    before; by another, refused.
    """

    def work() -> PhoneLink:
        hashed = codes.phone_hash(secret)
        link = PhoneLink.objects.select_for_update().filter(secret_hash=hashed).first()
        if link is None or link.phone == phone:
            raise Refusal(Why.LINK_USED)
        if not phone_queries.link_is_open(link):
            if link.used_at is None or not _has_all(phone, link.phone):
                raise Refusal(Why.LINK_USED)
            return link
        for theirs in phone_queries.memberships(link.phone):
            _bring(link, theirs, phone)
        link.used_at = timezone.now()
        link.save(update_fields=("used_at",))
        return link

    return in_one_transaction(work)


def _has_all(phone: str, other: str) -> bool:
    mine = {member.table_id for member in phone_queries.memberships(phone)}
    return bool(mine) and mine >= {m.table_id for m in phone_queries.memberships(other)}


def _bring(link: PhoneLink, theirs: Member, phone: str) -> None:
    """Seat this phone beside the first one at one table, unless it sits there already."""
    table = Table.objects.select_for_update().get(pk=theirs.table_id)
    theirs.refresh_from_db()
    member = table.members.filter(phone=phone).first()
    at_table = member is not None and member.removed_at is None
    if theirs.removed_at is not None or at_table:
        return
    before = {"person": member.person_id if member else None}
    again = member is not None
    member = member or add_member(table, phone)
    member.person, member.last_seen = theirs.person, timezone.now()
    member.removed_at = member.removed_by = None
    member.save()
    write = Write(table=table.pk, key=uuid.uuid4(), seen=table.seen, phone=phone)
    step = Step(table, write, fingerprint_of("use_phone_link", link.pk), member, [])
    after = {"person": member.person_id, "again": again, "link": True}
    step.record(ChangeKind.JOINED, before=before, after=after)
