"""The table, the people known to it and the phones that have joined it."""

from __future__ import annotations

import zoneinfo
from datetime import date, datetime

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from sheets import codes, evenings, names
from sheets.models.club import Club, ClubPerson
from sheets.models.fields import FoldedField, NameField
from sheets.seen import MARK, Seen


class Table(models.Model):
    """A group with seats, a game and agreed rules; it lives on from evening to evening.

    This is the row that every write locks.
    """

    public_id = models.CharField(max_length=22, unique=True, default=codes.new_public_id)
    code = models.CharField(max_length=codes.LENGTH, unique=True)
    # Joins as the code does, from links and QR codes: too long to be guessed, so never slowed.
    join_secret = models.CharField(max_length=22, unique=True, default=codes.new_link_secret)
    name = NameField(max_length=names.MOST_ROOM, blank=True)
    name_folded = FoldedField("name")
    # Whoever knows this address sees the sheet and nothing else.
    watch_id = models.CharField(max_length=22, unique=True, default=codes.new_public_id)
    time_zone = models.CharField(max_length=64)
    # Nobody joins by the code while this is set; members stay.
    joining_locked = models.BooleanField(default=False)
    # Everybody may enter their own number of a hand.
    own_columns = models.BooleanField(default=False)
    # Each hand wants a second person's word.
    confirm = models.BooleanField(default=False)
    # When a phone last asked for a seat, or was answered; and whether one wants the table deleted.
    # Pages look for questions only where these say that there may be some.
    asked_at = models.DateTimeField(null=True, blank=True)
    to_delete = models.BooleanField(default=False)
    # Raised by one in every transaction that changes anything the phones can see.
    version = models.PositiveIntegerField(default=0)
    # Tells the change that made this version from one that another history has in its place.
    mark = models.CharField(max_length=MARK, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # The club whose organisers review its sheets.
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="tables")

    class Meta:
        ordering = ("-created_at",)
        constraints = (
            models.CheckConstraint(
                condition=Q(code__regex=f"^[{codes.ALPHABET}]{{{codes.LENGTH}}}$"),
                name="sheets_table_code_form",
            ),
        )

    def __str__(self) -> str:
        return str(self.name) or self.public_id

    def get_absolute_url(self) -> str:
        return reverse("sheets:table", args=[self.public_id])

    @property
    def seen(self) -> Seen:
        """What somebody who looks at the table now has seen of it."""
        return Seen(self.version, self.mark)

    @property
    def confirms(self) -> bool:
        """Whether each hand wants a second person's word: the table's wish, or its club's."""
        return self.confirm or (self.club is not None and self.club.confirm)

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The clock of the table: its club's, where it has one."""
        return zoneinfo.ZoneInfo(self.time_zone) if self.club is None else self.club.zone

    def local(self, moment: datetime) -> datetime:
        """Return the moment on the table's clock."""
        return timezone.localtime(moment, self.zone)

    def evening(self, moment: datetime) -> date:
        """Return the evening a moment belongs to, on the table's clock."""
        return evenings.evening(moment, self.zone)


class Person(models.Model):
    """A human known to a table."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="people")
    name = NameField(max_length=names.MOST_ROOM)
    name_folded = FoldedField("name")
    # Who of the club's roster this is; null: nobody has said so yet.
    club_person = models.ForeignKey(
        ClubPerson, models.PROTECT, null=True, blank=True, related_name="at_tables"
    )

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "people"
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="sheets_person_name_not_empty"),
        )

    def __str__(self) -> str:
        return str(self.name)


class NameUsed(models.Model):
    """A name a person went by. History points here, so that a name can be erased in one place."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="names_used")
    name = NameField(max_length=names.MOST_ROOM)
    name_folded = FoldedField("name")

    class Meta:
        verbose_name_plural = "names used"
        constraints = (
            models.UniqueConstraint(fields=("person", "name"), name="sheets_nameused_unique"),
        )

    def __str__(self) -> str:
        return str(self.name)


class Member(models.Model):
    """A phone that has joined a table, known by the hash of its secret."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="members")
    phone = models.CharField(max_length=64)
    # The order in which phones joined: "Phone 2" until it says who it is.
    number = models.PositiveSmallIntegerField()
    person = models.ForeignKey(
        Person, models.PROTECT, null=True, blank=True, related_name="members"
    )
    joined_at = models.DateTimeField(default=timezone.now)
    # When the phone last asked for anything, to the minute or so.
    last_seen = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="+")
    # The seat this phone asks for while another phone of that person is about.
    asks = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(null=True, blank=True)
    # Since when this phone agrees that the table is deleted.
    agreed_to_delete_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.CheckConstraint(
                condition=Q(removed_by=None) | Q(removed_at__isnull=False),
                name="sheets_member_removed_when",
            ),
            models.CheckConstraint(
                condition=Q(asks=None, asked_at=None)
                | Q(asks__isnull=False, asked_at__isnull=False),
                name="sheets_member_asks_since",
            ),
            models.UniqueConstraint(fields=("table", "phone"), name="sheets_member_phone_unique"),
            models.UniqueConstraint(fields=("table", "number"), name="sheets_member_number_unique"),
        )
        indexes = (models.Index(fields=("phone",), name="sheets_member_phone"),)

    def __str__(self) -> str:
        if self.person:
            return str(self.person.name)
        return _("Phone %(number)s") % {"number": self.number}


class PhoneLink(models.Model):
    """A link that brings the tables and seats of one phone to another, once."""

    # Only the hash of the secret in the link: a stolen copy of the database opens nothing.
    secret_hash = models.CharField(max_length=64, unique=True)
    phone = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return str(self.made_at)
