"""Clubs for tests: who runs one, tables in it, and banked sheets."""

from __future__ import annotations

import dataclasses
import uuid

from django.test import Client

from sheets import actions
from sheets.models import Club, ClubPerson, Organiser, Person, Role, Sheet, Table, User
from sheets.seen import Seen


def as_seen(seen, now):
    """What a write names: what was seen, a bare version as older forms do, or what is there now."""
    if seen is None:
        return now
    return seen if isinstance(seen, Seen) else Seen(seen)


@dataclasses.dataclass
class ClubAt:
    """A club, its owner Mara and its organiser Otto."""

    club: Club
    mara: User
    otto: User

    def write(self, user=None, *, key=None, seen=None):
        """What an action on the club itself is handed; Mara's unless it says otherwise."""
        self.club.refresh_from_db()
        return actions.ClubWrite(
            club=self.club.pk,
            user=(user := user or self.mara),
            key=key or uuid.uuid4(),
            seen=as_seen(seen, self.club.seen),
            as_staff=user.is_staff,
        )

    def at(self, table, user=None, *, key=None, seen=None):
        """What an action on one of its tables is handed; Otto's unless it says otherwise."""
        return actions.Write(
            table=table.pk,
            user=(user := user or self.otto),
            key=key or uuid.uuid4(),
            seen=as_seen(seen, Table.objects.get(pk=table.pk).seen),
            as_staff=user.is_staff,
        )

    def url(self, rest=""):
        return f"/clubs/{self.club.slug}/{rest}"

    def take_in(self, game):
        """Make a table one of the club's, as if it had been started with the club code."""
        Table.objects.filter(pk=game.table.pk).update(club=self.club)
        Sheet.objects.filter(table=game.table).update(club=self.club)
        game.table.refresh_from_db()
        return game

    def person(self, name, note="", *, of=()):
        """Put somebody on the roster who is these people at tables."""
        found = ClubPerson.objects.create(club=self.club, name=name, note=note)
        Person.objects.filter(pk__in=[one.pk for one in of]).update(club_person=found)
        return found

    def match_all(self):
        """Put everybody at its tables on the roster under one name each."""
        people = Person.objects.filter(table__club=self.club, club_person=None)
        for one in people.order_by("pk"):
            known = self.club.people.filter(name=one.name).first()
            one.club_person = known or self.person(one.name)
            one.save()


def a_club(slug="thursday", name="Thursday Club", time_zone="Europe/Berlin"):
    """Start a club; each has an owner and an organiser of its own."""
    mara = User.objects.create_user(f"mara@{slug}.example", "correct horse", name="Mara")
    otto = User.objects.create_user(f"otto@{slug}.example", "correct horse", name="Otto")
    started = actions.start_club(mara, name, slug=slug, time_zone=time_zone, key=uuid.uuid4())
    assert isinstance(started, actions.ClubSaved), started
    club = started.change.club
    Organiser.objects.create(club=club, user=otto, role=Role.ORGANISER)
    return ClubAt(club, mara, otto)


def signed_in(user):
    """The browser of somebody who has signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client
