"""Tables to measure on, made by the same actions as any."""

from __future__ import annotations

import uuid

from bench.phones import Phone


def make_tables(count: int, phones: int, *, watching: bool = False) -> list[list[Phone]]:
    """Start tables with an open sheet and this many phones each; the first one started it.

    With `watching` they look by the watch link; the first still enters hands.
    """
    from rules import auction
    from sheets import actions, codes

    tables = []
    for _ in range(count):
        secret = codes.new_phone()
        new = actions.NewTable(
            names=("Alice", "Ben", "Cass"),
            first_dealer=0,
            this_phone=0,
            game="auction",
            house=auction.HouseRules(),
            time_zone="UTC",
        )
        done = actions.start_table(new, phone=codes.phone_hash(secret), key=uuid.uuid4())
        assert isinstance(done, actions.Saved)
        tables.append(_phones(done.change, secret, phones, watching))
    return tables


def _phones(change: object, secret: str, phones: int, watching: bool) -> list[Phone]:
    """Let more phones join a table, in one statement."""
    from sheets import codes
    from sheets.live import tokens
    from sheets.models import Change, Member

    assert isinstance(change, Change)
    assert change.sheet is not None
    assert change.member is not None
    table = change.table
    secrets = [codes.new_phone() for _ in range(phones - 1)]
    members = Member.objects.bulk_create(
        Member(table=table, phone=codes.phone_hash(one), number=number)
        for number, one in enumerate(secrets, start=2)
    )
    ben = change.sheet.players.get(place=1)
    watched = f"/watch/{table.watch_id}/"
    return [
        Phone(
            table=table.pk,
            address=table.get_absolute_url(),
            looks_at=watched if watching else table.get_absolute_url(),
            secret=one,
            token=tokens.new_token(table.pk, None if watching else member.pk, table.version),
            sheet=change.sheet.public_id,
            bidder=ben.pk,
            version=change.version,
        )
        for one, member in zip([secret, *secrets], [change.member, *members], strict=True)
    ]
