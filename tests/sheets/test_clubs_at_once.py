"""What several do to one club at the same moment, on the real database."""

from __future__ import annotations

import functools
import uuid

import pytest

from sheets import actions
from sheets.actions.organisers import invitation_secret
from sheets.models import Club, Invitation, Organiser, Role, Sheet, Table, User
from tests.sheets import clubs
from tests.sheets.conftest import NAMES
from tests.sheets.test_concurrency import all_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]


def test_one_of_many_who_open_an_invitation_at_once_is_let_in(thursday):
    invited = actions.invite(thursday.write())
    secret = invitation_secret(thursday.mara, invited.change.key)
    guests = [User.objects.create_user(f"guest{n}@club.example") for n in range(6)]
    answers = all_at_once(
        [functools.partial(actions.accept_invitation, secret, guest) for guest in guests]
    )
    assert sum(isinstance(answer, actions.ClubSaved) for answer in answers) == 1
    assert Organiser.objects.filter(user__in=guests).count() == 1
    assert Invitation.objects.get().used_by in guests


def test_of_owners_who_go_at_once_one_stays(thursday):
    actions.change_role(thursday.write(), thursday.otto.pk, Role.OWNER)
    leave = [
        functools.partial(actions.remove_organiser, thursday.write(user), user.pk)
        for user in (thursday.mara, thursday.otto)
    ]
    answers = all_at_once(leave)
    assert sorted(isinstance(answer, actions.ClubSaved) for answer in answers) == [False, True]
    assert Organiser.objects.filter(role=Role.OWNER).count() == 1


def test_who_signs_up_or_starts_a_club_many_times_at_once_does_it_once(db):
    signed_up = all_at_once(
        [functools.partial(actions.sign_up, "mara@club.example", "Mara", "secret")] * 4
    )
    assert sum(isinstance(answer, User) for answer in signed_up) == 1
    mara, key = User.objects.get(), uuid.uuid4()
    start = functools.partial(
        actions.start_club, mara, "Thursday", slug="", time_zone="UTC", key=key
    )
    answers = all_at_once([start] * 4)
    assert sorted(answer.repeated for answer in answers) == [False, True, True, True]
    assert Club.objects.count() == 1
    named_alike = all_at_once([functools.partial(start, key=uuid.uuid4()) for _ in range(2)])
    assert all(isinstance(answer, actions.ClubSaved) for answer in named_alike)
    assert Club.objects.count() == 3


def test_a_club_goes_while_its_tables_are_played_at_and_nobody_waits_in_a_circle(new_game):
    at = clubs.a_club()
    games = [at.take_in(new_game()[0]) for _ in range(3)]
    for game in games:
        game.enter()
    staff = User.objects.create_user("sam@server.example", is_staff=True)

    def play_on(end, sheet, again):
        return actions.end_match(end, sheet), actions.play_again(again, NAMES, 0)

    asked = [
        (game.write(), game.sheet.public_id, game.write(seen=game.version + 1)) for game in games
    ]
    playing = [functools.partial(play_on, *what) for what in asked]
    *played, gone = all_at_once([*playing, functools.partial(actions.delete_club, at.write(staff))])
    assert all(answer is not None for answer in played)
    assert isinstance(gone, actions.ClubSaved)
    assert not Club.objects.exists()
    assert not Table.objects.exists()
    assert not Sheet.objects.exists()
