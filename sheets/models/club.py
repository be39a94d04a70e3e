"""The club, its organisers, the people on its roster and its seasons."""

from __future__ import annotations

import datetime
import zoneinfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sheets import codes, evenings, names
from sheets.models.fields import FoldedField, FreeTextField, NameField
from sheets.seen import MARK, Seen

LONGEST_CONTACT = 200  # letters that tell players whom to ask
LONGEST_NOTE = 60  # letters that tell two people of one name apart


class Club(models.Model):
    """People who play at several tables, and whose organisers review the sheets.

    This is the row that every write about the club itself locks; what is done to a table or a sheet
    of the club locks the table.
    """

    slug = models.SlugField(max_length=names.LONGEST_SLUG, unique=True)
    name = NameField(max_length=names.MOST_ROOM)
    name_folded = FoldedField("name")
    # Decides which evening a sheet belongs to.
    time_zone = models.CharField(max_length=64)
    # Whoever starts a table and types this makes it one of the club's.
    code = models.CharField(max_length=codes.LENGTH, unique=True)
    # Does as the code does, in the link and its QR code: too long to be guessed, so never slowed.
    start_secret = models.CharField(max_length=22, unique=True, default=codes.new_link_secret)
    # Each hand at its tables wants a second person's word, whatever the table itself has set.
    confirm = models.BooleanField(default=False)
    # Whom players ask about a banked sheet, in the club's own words; empty: its organisers by name.
    contact = NameField(max_length=LONGEST_CONTACT, blank=True)
    # Set by staff: nothing of the club or its tables can be changed while it is.
    locked = models.BooleanField(default=False)
    # Raised by one with every change of the club's own rows.
    version = models.PositiveIntegerField(default=0)
    # Tells the change that made this version from one that another history has in its place.
    mark = models.CharField(max_length=MARK, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name_folded", "pk")
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="sheets_club_name_not_empty"),
            models.CheckConstraint(
                condition=Q(code__regex=f"^[{codes.ALPHABET}]{{{codes.LENGTH}}}$"),
                name="sheets_club_code_form",
            ),
        )

    def __str__(self) -> str:
        return str(self.name)

    def get_absolute_url(self) -> str:
        return reverse("sheets:club", args=[self.slug])

    @property
    def seen(self) -> Seen:
        """What somebody who looks at the club now has seen of it."""
        return Seen(self.version, self.mark)

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The club's own clock."""
        return zoneinfo.ZoneInfo(self.time_zone)

    def evening(self, moment: datetime.datetime) -> datetime.date:
        """Return the evening a moment belongs to: what is played after midnight is still its."""
        return evenings.evening(moment, self.zone)

    def evening_begins(self, day: datetime.date) -> datetime.datetime:
        """Return the first moment that belongs to the evening of a day."""
        return evenings.begins(day, self.zone)


class Role(models.TextChoices):
    """What somebody may do in a club: owners also decide who else may, and over the club."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")


class Organiser(models.Model):
    """A user who runs a club."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.CharField(max_length=9, choices=Role, default=Role.ORGANISER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("since", "pk")
        constraints = (
            models.UniqueConstraint(fields=("club", "user"), name="sheets_organiser_once"),
            models.CheckConstraint(
                condition=Q(role__in=Role.values), name="sheets_organiser_role_known"
            ),
        )

    def __str__(self) -> str:
        return str(self.user)

    @property
    def is_owner(self) -> bool:
        """Whether this one decides over the club itself."""
        return self.role == Role.OWNER


class Invitation(models.Model):
    """A link that makes whoever signs in with it an organiser, once."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="invitations")
    # Only the hash of the secret in the link: a stolen copy of the database opens nothing.
    secret_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at",)
        constraints = (
            models.CheckConstraint(
                condition=Q(used_by=None, used_at=None)
                | Q(used_by__isnull=False, used_at__isnull=False),
                name="sheets_invitation_used_by_somebody",
            ),
        )

    def __str__(self) -> str:
        return str(self.made_at)


class ClubPerson(models.Model):
    """Somebody on the roster of a club: who the people at its tables really are.

    Members name the people at their table as they like; which of the roster that is, organisers say
    (`Person.club_person`). Two people with one name are two rows.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="people")
    name = NameField(max_length=names.MOST_ROOM)
    # Tells people of one name apart: "Hill Street".
    note = NameField(max_length=names.MOST_ROOM, blank=True)
    name_folded = FoldedField("name", "note")
    # Not offered for seats any more; what was played stays.
    retired = models.BooleanField(default=False)
    # The one fact of a merge: everything of this person counts as that one's. They may in turn be
    # merged into a third, so taking one merge back leaves the others as they were.
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged"
    )

    class Meta:
        ordering = ("name_folded", "pk")
        verbose_name_plural = "club people"
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="sheets_clubperson_name_not_empty"),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=models.F("pk")),
                name="sheets_clubperson_not_into_itself",
            ),
        )

    def __str__(self) -> str:
        return str(self.label)

    @property
    def label(self) -> str:
        """The name, with the note that tells this person apart: "Ben (Hill Street)"."""
        if not self.note:
            return self.name
        return names.Isolated(names.bare(f"{self.name} ({self.note})"))


class Season(models.Model):
    """A run of evenings, from and to, by which standings are made."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="seasons")
    name = NameField(max_length=names.MOST_ROOM)
    name_key = models.CharField(max_length=names.LONGEST_KEY)
    name_folded = FoldedField("name")
    starts = models.DateField()
    ends = models.DateField()
    # Who played fewer hands stands apart from the standings.
    least_hands = models.PositiveSmallIntegerField(default=0)
    # Whoever knows this address sees the standings and nothing else; null: not published.
    published_id = models.CharField(max_length=22, unique=True, null=True, blank=True)

    class Meta:
        ordering = ("-starts", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("club", "name_key"), name="sheets_season_name_unique"),
            models.CheckConstraint(condition=~Q(name_key=""), name="sheets_season_name_not_empty"),
            models.CheckConstraint(
                condition=Q(starts__lte=models.F("ends")), name="sheets_season_starts_before_end"
            ),
        )

    def __str__(self) -> str:
        return str(self.name)

    def instants(self) -> tuple[datetime.datetime, datetime.datetime]:
        """Return the first moment of the season, and the first one after it."""
        after = self.ends + datetime.timedelta(days=1)
        return self.club.evening_begins(self.starts), self.club.evening_begins(after)


class ClubChangeKind(models.TextChoices):
    """What happened in a club. The words people read are in `sheets.club_wording`."""

    STARTED = "started", _("club started")
    SETTINGS_CHANGED = "settings_changed", _("settings changed")
    CODE_CHANGED = "code_changed", _("club code changed")
    INVITED = "invited", _("organiser invited")
    ORGANISER_JOINED = "organiser_joined", _("organiser joined")
    ROLE_CHANGED = "role_changed", _("role changed")
    ORGANISER_LEFT = "organiser_left", _("organiser left")
    PERSON_ADDED = "person_added", _("person added")
    PERSON_RENAMED = "person_renamed", _("person renamed")
    PERSON_MERGED = "person_merged", _("people merged")
    MERGE_UNDONE = "merge_undone", _("merge undone")
    PERSON_RETIRED = "person_retired", _("person retired")
    PERSON_BACK = "person_back", _("person back on the roster")
    NAMES_MATCHED = "names_matched", _("names matched")
    TABLE_TAKEN_IN = "table_taken_in", _("table taken in")
    TABLE_LET_GO = "table_let_go", _("table let go")
    SEASON_ADDED = "season_added", _("season added")
    SEASON_CHANGED = "season_changed", _("season changed")
    SEASON_REMOVED = "season_removed", _("season removed")
    SEASON_PUBLISHED = "season_published", _("season published")
    SEASON_HIDDEN = "season_hidden", _("season no longer published")
    IMPORTED = "imported", _("sheets imported")
    HANDED_OVER = "handed_over", _("club handed over")
    LOCKED = "locked", _("club locked")
    UNLOCKED = "unlocked", _("club unlocked")


class ClubChange(models.Model):
    """One step of a club, in order; rows are added and never altered."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="changes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=ClubChangeKind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    # Who it was, where that was a user of another installation: of imported history.
    by = NameField(max_length=200, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    reason = FreeTextField(blank=True)
    at = models.DateTimeField(default=timezone.now)
    key = models.UUIDField(unique=True)
    fingerprint = models.CharField(max_length=64)

    class Meta:
        ordering = ("club", "-version")
        constraints = (
            models.UniqueConstraint(fields=("club", "version"), name="sheets_clubchange_version"),
            models.CheckConstraint(
                condition=Q(kind__in=ClubChangeKind.values), name="sheets_clubchange_kind_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.club} {self.version}: {self.get_kind_display()}"
