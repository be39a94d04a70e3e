"""Organisers: invited by a link that works once, made owners, taken off, and gone of themselves."""

from __future__ import annotations

import datetime
import re
import uuid

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from sheets import actions, codes
from sheets.actions import Why
from sheets.models import ClubChange, Invitation, Organiser, Role, User
from tests.sheets import clubs
from tests.sheets.posting import opened

HTMX = {"HX-Request": "true"}


@pytest.fixture
def nora(thursday):
    """Somebody with an account who runs no club."""
    return User.objects.create_user("nora@club.example", "correct horse", name="Nora")


@pytest.fixture
def invite(thursday, mara):
    """Make an invitation as Mara does, and return the path of its link."""

    def make(client=mara, headers=None):
        url = thursday.url("organisers/invite/")
        answer = client.post(url, opened(client, url), headers=headers or {})
        assert answer.status_code == 303
        page = client.get(answer["Location"]).content.decode()
        return re.search(r'data-share="[^"]*(/invitations/[\w-]{43}/)"', page)[1]

    return make


def says_yes(client, path, **headers):
    return client.post(path, {"key": str(uuid.uuid4()), "seen": "0"}, headers=headers)


def role(thursday, user):
    found = thursday.club.organisers.filter(user=user).first()
    return found and found.role


def lines(client, thursday):
    page = client.get(thursday.url("history/")).content.decode()
    return re.findall(r"</time> <strong>(.*?)</strong> (.*?)</li>", page)


# Inviting.


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_whoever_says_yes_to_an_invitation_is_an_organiser(thursday, mara, nora, invite, headers):
    path = invite(headers=headers)
    guest = clubs.signed_in(nora)
    assertContains(guest.get(path), "Mara invites you to run Thursday Club")
    assert role(thursday, nora) is None
    answer = says_yes(guest, path, **headers)
    assert (answer.status_code, answer["Location"]) == (303, thursday.url())
    assert role(thursday, nora) == Role.ORGANISER
    assert guest.get(thursday.url()).status_code == 200
    assert lines(mara, thursday)[:2] == [
        ("Nora", "became an organiser by an invitation"),
        ("Mara", "made a link that invites an organiser"),
    ]


def test_whoever_has_no_account_makes_one_on_the_way(thursday, invite):
    path, guest = invite(), Client()
    page = guest.get(path)
    assertContains(page, f'href="/account/new/?next={path.replace("/", "%2F")}"')
    assertNotContains(page, "Yes, I do")
    assert says_yes(guest, path).url == f"/account/sign-in/?next={path}"
    typed = {"name": "Pia", "email": "pia@club.example", "password": "correct horse", "next": path}
    assert guest.post("/account/new/", typed)["Location"] == path
    assertContains(guest.get(path), "You are signed in as Pia, pia@club.example.")
    says_yes(guest, path)
    assert role(thursday, User.objects.get(email="pia@club.example")) == Role.ORGANISER


@pytest.mark.on_postgresql
def test_an_invitation_works_once_and_says_so_to_the_next(thursday, nora, invite):
    path, guest = invite(), clubs.signed_in(nora)
    says_yes(guest, path)
    for client in (Client(), clubs.signed_in(User.objects.create_user("late@club.example"))):
        assertContains(client.get(path), "This invitation was used already", status_code=410)
        assert says_yes(client, path).status_code == 410
    # Sent again by the one it let in, and looked at again, it leads to the club.
    assert says_yes(guest, path)["Location"] == thursday.url()
    assert guest.get(path)["Location"] == thursday.url()
    assert ClubChange.objects.filter(kind="organiser_joined").count() == 1


def test_whoever_is_an_organiser_already_uses_nothing_up(thursday, otto, nora, invite):
    path = invite()
    assert otto.get(path)["Location"] == thursday.url()
    assert says_yes(otto, path)["Location"] == thursday.url()
    answer = actions.accept_invitation(path.split("/")[2], thursday.mara)
    assert answer.repeated
    assert role(thursday, thursday.mara) == Role.OWNER
    assert says_yes(clubs.signed_in(nora), path).status_code == 303


def test_an_invitation_lasts_seven_days(thursday, nora, invite):
    path, guest = invite(), clubs.signed_in(nora)
    days = datetime.timedelta(days=7)
    Invitation.objects.update(made_at=timezone.now() - days + datetime.timedelta(minutes=1))
    assert guest.get(path).status_code == 200
    Invitation.objects.update(made_at=timezone.now() - days)
    assert guest.get(path).status_code == 410
    assert says_yes(guest, path).status_code == 410
    assert role(thursday, nora) is None


@pytest.mark.parametrize("path", ["x", "A" * 43, "ä" * 43, "A" * 400])
def test_an_invitation_that_never_was_is_answered_like_an_old_one(nora, path):
    answer = clubs.signed_in(nora).get(f"/invitations/{path}/")
    assertContains(answer, "This invitation was used already", status_code=410)


@pytest.mark.parametrize("loses", ["the club", "ownership"])
def test_an_invitation_of_somebody_who_may_invite_no_more_opens_nothing(
    thursday, nora, invite, loses
):
    thursday.club.organisers.filter(user=thursday.otto).update(role=Role.OWNER)
    path, guest = invite(), clubs.signed_in(nora)
    if loses == "the club":
        actions.remove_organiser(thursday.write(thursday.otto), thursday.mara.pk)
    else:
        actions.change_role(thursday.write(thursday.otto), thursday.mara.pk, Role.ORGANISER)
    assert guest.get(path).status_code == 410
    assert says_yes(guest, path).status_code == 410
    assert role(thursday, nora) is None


@pytest.mark.on_postgresql
def test_a_form_sent_twice_makes_one_link_that_only_its_maker_is_shown(thursday, mara, nora):
    url = thursday.url("organisers/invite/")
    fields = opened(mara, url)
    first, second = mara.post(url, fields), mara.post(url, fields)
    assert first["Location"] == second["Location"]
    [made] = Invitation.objects.all()
    assertContains(mara.get(first["Location"]), "/invitations/")
    thursday.club.organisers.create(user=nora, role=Role.OWNER)
    assertNotContains(clubs.signed_in(nora).get(first["Location"]), "/invitations/")
    secret = re.search(r"/invitations/([\w-]+)/", mara.get(first["Location"]).content.decode())[1]
    assert made.secret_hash == codes.phone_hash(secret)
    assert secret not in str(ClubChange.objects.values_list())


def test_a_link_that_was_used_is_shown_no_more(thursday, mara, nora):
    url = thursday.url("organisers/invite/")
    shown = mara.post(url, opened(mara, url))["Location"]
    path = re.search(r"/invitations/[\w-]+/", mara.get(shown).content.decode())[0]
    says_yes(clubs.signed_in(nora), path)
    assertContains(mara.get(shown), "This link was used: Nora is in.")
    assertNotContains(mara.get(shown), path)
    for nonsense in ("x", str(uuid.uuid4())):
        assertNotContains(mara.get(url, {"made": nonsense}), "/invitations/")


def test_a_locked_club_takes_nobody_in(thursday, nora, invite):
    path = invite()
    type(thursday.club).objects.update(locked=True)
    answer = says_yes(clubs.signed_in(nora), path)
    assertContains(answer, "has locked this club", status_code=409)
    assert role(thursday, nora) is None


# Roles.


def change(client, thursday, user, to, **other):
    url = thursday.url("organisers/")
    fields = opened(client, url) | {"role": str(to)} | other
    return client.post(f"{url}{user.pk}/role/", fields)


def test_an_owner_makes_others_owners_and_organisers_again(thursday, mara):
    answer = change(mara, thursday, thursday.otto, Role.OWNER)
    assert (answer.status_code, answer["Location"]) == (303, thursday.url("organisers/"))
    assert role(thursday, thursday.otto) == Role.OWNER
    change(mara, thursday, thursday.otto, Role.ORGANISER)
    assert role(thursday, thursday.otto) == Role.ORGANISER
    assert lines(mara, thursday)[:2] == [
        ("Mara", "made Otto an organiser, no longer an owner"),
        ("Mara", "made Otto an owner"),
    ]


def test_what_is_so_already_is_not_written_again(thursday, mara):
    before = ClubChange.objects.count()
    assert change(mara, thursday, thursday.otto, Role.ORGANISER).status_code == 303
    assert ClubChange.objects.count() == before


@pytest.mark.parametrize("to", ["", "king", "OWNER"])
def test_there_are_no_other_roles(thursday, mara, to):
    answer = change(mara, thursday, thursday.otto, to)
    assertContains(answer, "Part of this form was missing", status_code=422)
    assert role(thursday, thursday.otto) == Role.ORGANISER


def test_organisers_see_who_runs_the_club_and_change_nothing(thursday, otto):
    page = otto.get(thursday.url("organisers/"))
    assertContains(page, "Mara")
    assertNotContains(page, "Make an owner")
    assertNotContains(page, f"organisers/{thursday.mara.pk}/remove/")
    assertContains(page, f"organisers/{thursday.otto.pk}/remove/")
    fields = {"key": str(uuid.uuid4()), "seen": "1", "role": "owner"}
    url = thursday.url("organisers/")
    assert otto.post(f"{url}{thursday.otto.pk}/role/", fields).status_code == 403
    assert otto.post(f"{url}{thursday.mara.pk}/remove/", fields).status_code == 403
    for act in (
        lambda write: actions.change_role(write, thursday.otto.pk, Role.OWNER),
        lambda write: actions.remove_organiser(write, thursday.mara.pk),
    ):
        assert act(thursday.write(thursday.otto)).why == Why.NOT_AN_ORGANISER
    assert Organiser.objects.count() == 2


def test_the_last_owner_stays_one(thursday, mara):
    sentence = "This is the club&#x27;s last owner."
    answer = change(mara, thursday, thursday.mara, Role.ORGANISER)
    assertContains(answer, sentence, status_code=409)
    url = thursday.url(f"organisers/{thursday.mara.pk}/remove/")
    assertContains(mara.post(url, opened(mara, url)), sentence, status_code=409)
    assert role(thursday, thursday.mara) == Role.OWNER


@pytest.mark.on_postgresql
def test_of_two_owners_who_take_the_role_from_each_other_one_stays(thursday):
    actions.change_role(thursday.write(), thursday.otto.pk, Role.OWNER)
    mara, otto = thursday.write(), thursday.write(thursday.otto)
    assert isinstance(
        actions.change_role(mara, thursday.otto.pk, Role.ORGANISER), actions.ClubSaved
    )
    answer = actions.change_role(otto, thursday.mara.pk, Role.ORGANISER)
    assert answer.why == Why.NOT_AN_ORGANISER
    assert [one.user for one in Organiser.objects.filter(role=Role.OWNER)] == [thursday.mara]


def test_a_role_that_another_owner_changed_meanwhile_is_shown_first(thursday, mara, nora):
    thursday.club.organisers.create(user=nora, role=Role.OWNER)
    fields = opened(mara, thursday.url("organisers/"))
    actions.change_role(thursday.write(nora), thursday.otto.pk, Role.OWNER)
    url = thursday.url(f"organisers/{thursday.otto.pk}/role/")
    answer = mara.post(url, fields | {"role": "organiser"})
    assertContains(answer, "Nora made Otto an owner", status_code=409)
    assert role(thursday, thursday.otto) == Role.OWNER
    assert mara.get(url)["Location"] == thursday.url("organisers/")


# Going.


def remove(client, thursday, user, **headers):
    url = thursday.url(f"organisers/{user.pk}/remove/")
    return client.post(url, opened(client, url), headers=headers)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_whoever_is_removed_is_out_at_once_and_stays_in_history(thursday, mara, otto, headers):
    assertContains(mara.get(thursday.url(f"organisers/{thursday.otto.pk}/remove/")), "Take Otto")
    answer = remove(mara, thursday, thursday.otto, **headers)
    assert (answer.status_code, answer["Location"]) == (303, thursday.url("organisers/"))
    assert otto.get(thursday.url()).status_code == 404
    assert lines(mara, thursday)[0] == ("Mara", "took Otto off the organisers")
    late = actions.change_club_code(thursday.write(thursday.otto))
    assert late.why == Why.NOT_AN_ORGANISER


def test_whoever_leaves_is_out_and_a_form_sent_twice_says_no_other(thursday, mara, otto):
    url = thursday.url(f"organisers/{thursday.otto.pk}/remove/")
    assertContains(otto.get(url), "Leave the organisers?")
    fields = opened(otto, url)
    for _ in range(2):
        assert otto.post(url, fields)["Location"] == "/clubs/"
    assert otto.get(thursday.url()).status_code == 404
    assert otto.post(url, fields | {"key": str(uuid.uuid4())}).status_code == 404
    assert lines(mara, thursday)[0] == ("Otto", "left the organisers")


@pytest.mark.on_postgresql
def test_two_owners_who_remove_one_at_once_remove_one(thursday, mara, nora):
    thursday.club.organisers.create(user=nora, role=Role.OWNER)
    url = thursday.url(f"organisers/{thursday.otto.pk}/remove/")
    fields = opened(mara, url)
    assert remove(clubs.signed_in(nora), thursday, thursday.otto).status_code == 303
    assert mara.post(url, fields)["Location"] == thursday.url("organisers/")
    assert mara.get(url)["Location"] == thursday.url("organisers/")
    assert ClubChange.objects.filter(kind="organiser_left").count() == 1


def test_a_club_has_no_business_with_organisers_of_another(thursday, mara):
    friday = clubs.a_club("friday", "Friday Club")
    url = friday.url(f"organisers/{friday.otto.pk}/remove/")
    assert mara.get(url).status_code == 404
    foreign = thursday.url(f"organisers/{friday.otto.pk}/remove/")
    assert mara.get(foreign)["Location"] == thursday.url("organisers/")
    answer = actions.change_role(thursday.write(), friday.otto.pk, Role.OWNER)
    assert answer.why == Why.NOT_THERE
    assert friday.club.organisers.count() == 2


@pytest.mark.parametrize(
    "rest", ["organisers/{}/role/", "organisers/{}/remove/", "people/{}/edit/"]
)
def test_a_key_that_no_row_can_have_is_not_there(mara, thursday, rest):
    url = thursday.url(rest.format(2**63))
    assert mara.get(url).status_code == 404
    assert mara.post(url, {}).status_code == 404
