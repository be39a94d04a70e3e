"""A server that was set back to a backup: what was seen before is no longer part of its history."""

from __future__ import annotations

import contextlib
import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.db import transaction
from pytest_django.asserts import assertContains

from sheets import actions
from sheets.actions import Saved, Why
from sheets.models import Change, Club, Table
from sheets.seen import Seen, read_seen
from tests.sheets.posting import opened
from tests.sheets.test_actions import VERBS

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgresql]
PART = {"HX-Request": "true", "HX-Target": "sheet"}
SET_BACK = "This server was set back to an earlier backup"


@contextlib.contextmanager
def then_set_back():
    """What happens in here is gone afterwards, as from a backup that was made before."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def hand_5(game):
    """The fifth hand, with which the backup ends."""
    return [game.enter() for _ in range(5)][-1]


def played_on(game, hands=3):
    """Play on and have the server set back to before; return what was seen at the end."""
    with then_set_back():
        for _ in range(hands):
            game.enter()
        return game.seen


def test_what_was_seen_in_a_history_that_is_gone_is_never_accepted(game, hand_5):
    seen = played_on(game)
    # Others bring the table to lower versions, to the same again with other hands, and above it.
    for _ in range(5):
        before = game.seen
        assert before.mark not in ("", seen.mark)
        for verb in VERBS.values():
            refused = verb(game, game.write(seen=seen), hand_5)
            assert (refused.why, refused.seen) == (Why.SET_BACK, before)
            assert refused.change == Change.objects.filter(table=game.table).latest("version")
            assert game.seen == before
            with then_set_back():
                assert isinstance(verb(game, game.write(seen=refused.seen), hand_5), Saved)
        game.enter(phone=game.ben)
    assert game.version > seen.version


@pytest.mark.parametrize(
    ("version", "marked", "why"),
    [
        (0, True, None),  # the newest
        (0, False, None),  # a form of an older release
        (-2, True, None),  # from before the backup
        (-2, False, None),
        (1, False, Why.SET_BACK),  # above the table's version
        (1000, False, Why.SET_BACK),
    ],
)
def test_what_is_part_of_history_is_accepted(game, hand_5, version, marked, why):
    version += game.version
    key = Change.objects.get(table=game.table, version=version).key if marked else None
    seen = Seen(version, key.hex[:8] if key else "")
    answer = actions.enter_hand(game.write(seen=seen), game.sheet.public_id, game.played())
    assert getattr(answer, "why", None) == why


def test_a_mark_of_another_history_tells_at_any_version(game, hand_5):
    for version in range(1, game.version + 1):
        write = game.write(seen=Seen(version, "0" * 8))
        answer = actions.enter_hand(write, game.sheet.public_id, game.played())
        assert answer.why == Why.SET_BACK


def test_a_hand_that_the_backup_knows_gets_its_first_answer(game, hand_5):
    write = game.write()
    saved = actions.enter_hand(write, game.sheet.public_id, game.played())
    with then_set_back():
        game.enter()
        seen = game.seen
    again = game.write(seen=seen, key=write.key)
    answer = actions.enter_hand(again, game.sheet.public_id, game.played())
    assert (answer.change, answer.repeated) == (saved.change, True)


def test_a_hand_that_went_with_the_backup_is_asked_about_and_then_saved(game, hand_5):
    with then_set_back():
        write = game.write()
        assert isinstance(actions.enter_hand(write, game.sheet.public_id, game.played()), Saved)
        seen = game.seen
    # Its answer was lost on the way, so the phone sends it once more; another has been entered.
    with then_set_back():
        assert isinstance(actions.enter_hand(write, game.sheet.public_id, game.played()), Saved)
    later = game.write(seen=seen)
    assert actions.enter_hand(later, game.sheet.public_id, game.played()).why == Why.SET_BACK


def test_a_club_is_asked_about_in_the_same_way(thursday):
    actions.add_people(thursday.write(), [("Ben", "")])
    with then_set_back():
        for name in ("Cass", "Dora"):
            actions.add_people(thursday.write(), [(name, "")])
        thursday.club.refresh_from_db()
        seen = thursday.club.seen
    for _ in range(3):
        answer = actions.add_people(thursday.write(seen=seen), [("Emil", "")])
        thursday.club.refresh_from_db()
        assert (answer.why, answer.seen) == (Why.SET_BACK, thursday.club.seen)
        assert answer.club_change == thursday.club.changes.latest("version")
        actions.add_people(thursday.write(thursday.otto), [(f"Fritz {uuid.uuid4()}", "")])
    assert isinstance(
        actions.add_people(thursday.write(seen=answer.seen), [("E", "")]), actions.ClubSaved
    )


def test_tables_and_clubs_of_an_older_release_get_their_marks(club_game, hand_5, thursday):
    actions.add_people(thursday.write(), [("Ben", "")])
    thursday.club.refresh_from_db()
    marked = club_game.seen, thursday.club.seen
    Table.objects.update(mark="")
    Club.objects.update(mark="")
    import_module("sheets.migrations.0021_fill_marks").fill(apps, None)
    thursday.club.refresh_from_db()
    assert (club_game.seen, thursday.club.seen) == marked
    assert len(marked[0].mark) == len(marked[1].mark) == 8


# On the screen.


def test_the_page_says_so_and_asks_about_the_hand(game, hand_5, alice):
    with then_set_back():
        for _ in range(3):
            game.enter()
        sent = opened(alice, game.url("hands/new/")) | game.fields(bid="400")
        sent["seen"] = str(game.seen)
    url = game.url("hands/new/")
    page = alice.post(url, sent, headers={"Outbox": sent["key"]})
    assertContains(page, SET_BACK, status_code=409)
    assertContains(page, "The last thing this server knows: Alice entered hand 5", status_code=409)
    assertContains(page, "Another hand: save as hand 6", status_code=409)
    assert page["Refused"] == "set_back"
    assert "Saved" not in page
    assert page.context["form"]["bid"].value() == "400"
    assert alice.post(url, page.context["form"].data).status_code == 303
    assert [row.bid for row in game.standing] == [320] * 5 + [400]


def test_what_was_to_be_done_to_a_hand_that_is_gone_is_refused_in_words(game, hand_5, alice):
    with then_set_back():
        gone = game.enter().public_id
        sent = game.fields(seen=str(game.seen))
    for what in ("edit", "before", "take-back", "put-back", "confirm", "zeros"):
        page = alice.post(game.url(f"hands/{gone}/{what}/"), sent)
        assertContains(page, SET_BACK, status_code=404)
        assert page["Refused"] == "set_back"
    # Nothing was set back: then it was never here.
    page = alice.post(game.url(f"hands/{gone}/take-back/"), game.fields())
    assertContains(page, "This is not on the sheet of this table.", status_code=404)
    assert page["Refused"] == "not_there"


@pytest.mark.parametrize("who", ["member", "watcher", "organiser"])
def test_a_phone_that_shows_what_is_gone_is_told_so_with_the_part(
    club_game, hand_5, alice, client, mara, thursday, who
):
    game = club_game
    look, url = {
        "member": (alice, game.url()),
        "watcher": (client, f"/watch/{game.table.watch_id}/"),
        "organiser": (mara, thursday.url(f"tables/{game.table.public_id}/live/")),
    }[who]
    before = game.seen
    with then_set_back():
        for _ in range(3):
            game.enter()
        later = game.seen
        tag = look.get(url, headers=PART).context["etag"]

    def asked(shown, **headers):
        return look.get(url, headers=PART | headers | {"Showing": str(shown)})

    game.enter(phone=game.ben)
    for shown in (later, later.version, f"{before.version}-00000000"):
        part = asked(shown)
        assertContains(part, f'data-seen="{game.seen}"')
        assertContains(part, 'data-hands="6"')
        assert part["Set-Back"]
    for shown in (before, game.seen, before.version, 0, "", "x", f"{later}0", "9" * 30):
        assert "Set-Back" not in asked(shown).headers
    # The same version of another history is another part.
    game.enter(phone=game.ben)
    game.enter(phone=game.ben)
    assert game.version == later.version
    part = asked(later, **{"If-None-Match": tag})
    assert (part.status_code, part["Set-Back"]) == (200, "yes")
    now = http_tag(part)
    assert asked(game.seen, **{"If-None-Match": now}).status_code == 304
    # A page that was loaded anew has the part, and is told all the same what was there before.
    assert asked(later, **{"If-None-Match": now})["Set-Back"] == "yes"


def http_tag(part):
    return (
        part.content.decode().partition('data-etag="')[2].partition('" ')[0].replace("&quot;", '"')
    )


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("8-1f2e3d4c", Seen(8, "1f2e3d4c")),
        ("8", Seen(8)),
        ("0", Seen()),
        ("", None),
        ("-1", None),
        ("8-", None),
        ("8-1f2e3d4", None),
        ("8-1F2E3D4C", None),
        ("８", None),
        ("8\n", None),
        ("9" * 10, None),
    ],
)
def test_what_a_form_names(text, seen):
    assert read_seen(text) == seen
    if seen:
        assert str(seen) == text
