"""The same notices from the same changes, whichever database tells of them."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from django.db import connection, transaction

from sheets.actions import Saved
from sheets.actions.writing import action
from sheets.live import sources, tokens
from sheets.live.notices import Notice, notice_of
from sheets.models import ChangeKind
from sheets.seen import Seen


@pytest.mark.parametrize(
    ("kind", "after", "out", "watchers_out"),
    [
        (ChangeKind.HAND_ENTERED, {"member": 3}, None, False),
        (ChangeKind.PHONE_REMOVED, {"member": 3}, 3, True),
        (ChangeKind.PHONE_BACK, {"member": 3}, None, False),
        (ChangeKind.CODE_CHANGED, {"watch": True}, None, True),
        (ChangeKind.CODE_CHANGED, {}, None, False),
        (ChangeKind.CODE_CHANGED, None, None, False),
    ],
)
def test_a_change_says_who_is_out(kind, after, out, watchers_out):
    notice = notice_of(1, Seen(2, "1f2e3d4c"), kind, after)
    assert notice == Notice(1, 2, out, watchers_out, "1f2e3d4c")
    assert Notice.from_json(notice.to_json()) == notice


@action
def record(at, kind, after):
    return at.record(kind, after=after)


@pytest.mark.on_postgresql
@pytest.mark.django_db(transaction=True)
def test_the_source_tells_who_is_out_and_then_each_change_as_it_is_saved(game):
    def act(work):
        """Save in a thread of its own, as pages do."""
        try:
            answer = work()
            assert isinstance(answer, Saved), answer
            return answer.change
        finally:
            connection.close()

    def heard_of(change, **out):
        return Notice(change.table_id, change.version, mark=change.key.hex[:8], **out)

    async def play():
        source = sources._listen if connection.vendor == "postgresql" else sources._watch
        async with contextlib.aclosing(source(time.time() - 60)) as batches:
            assert await anext(batches) == [heard_of(removed, out=3, watchers_out=True)]
            saved = [await asyncio.to_thread(act, work) for work in works]
            heard = []
            while len(heard) < 2:
                heard += await asyncio.wait_for(anext(batches), 10)
            assert heard == [heard_of(saved[0]), heard_of(saved[1], watchers_out=True)]

    removed = act(lambda: record(game.write(), ChangeKind.PHONE_REMOVED, {"member": 3}))
    works = [
        lambda: game.end(),
        lambda: record(game.write(), ChangeKind.CODE_CHANGED, {"watch": True}),
    ]
    asyncio.run(play())


@pytest.mark.on_postgresql
@pytest.mark.django_db(transaction=True)
def test_nothing_is_told_of_what_is_rolled_back(game):
    async def play():
        source = sources._listen if connection.vendor == "postgresql" else sources._watch
        async with contextlib.aclosing(source(time.time())) as batches:
            assert await anext(batches) == []
            await asyncio.to_thread(refused)
            heard = asyncio.ensure_future(anext(batches))
            done, _ = await asyncio.wait([heard], timeout=0.3)
            assert not done
            heard.cancel()
            await asyncio.wait([heard])

    def refused():
        with contextlib.suppress(RuntimeError), transaction.atomic():
            game.end()
            raise RuntimeError
        connection.close()

    asyncio.run(play())


def test_the_source_is_tried_again_and_everybody_looks(monkeypatch):
    """A source that breaks begins anew, from before it broke."""
    asked = []

    async def breaking(since):
        asked.append(since)
        yield [Notice(1, len(asked))]
        raise OSError("the connection is lost")

    async def play():
        heard = []
        following = asyncio.ensure_future(
            sources.follow(
                lambda notice: heard.append(notice.version), lambda: heard.append("look")
            )
        )
        while len(heard) < 6:
            await asyncio.sleep(0.01)
        following.cancel()
        assert heard == [1, "look", 2, "look", 3, "look"]

    monkeypatch.setattr(sources, "AGAIN", 0.01)
    monkeypatch.setattr(sources, "_listen", breaking)
    monkeypatch.setattr(sources, "_watch", breaking)
    asyncio.run(play())
    assert all(since <= time.time() - tokens.LASTS for since in asked)
