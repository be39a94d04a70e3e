"""History: what happened at a table, in order. Rows are added and never altered."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sheets.models.fields import FreeTextField, NameField
from sheets.models.sheet import Round, Sheet
from sheets.models.table import Member, Table


class ChangeKind(models.TextChoices):
    """What happened. The words people read are in `sheets.wording`."""

    TABLE_STARTED = "table_started", _("table started")
    JOINED = "joined", _("phone joined")
    SAID_WHO = "said_who", _("phone said who it is")
    SHEET_STARTED = "sheet_started", _("sheet started")
    HAND_ENTERED = "hand_entered", _("hand entered")
    HAND_EDITED = "hand_edited", _("hand changed")
    HAND_TAKEN_BACK = "hand_taken_back", _("hand taken back")
    HAND_PUT_BACK = "hand_put_back", _("hand put back")
    HAND_CORRECTED = "hand_corrected", _("hand corrected")
    DEALER_SET = "dealer_set", _("dealer set")
    NAMES_CHANGED = "names_changed", _("names changed")
    SEATS_CHANGED = "seats_changed", _("seats changed")
    SHEET_BANKED = "sheet_banked", _("match ended")
    SHEET_DISCARDED = "sheet_discarded", _("empty sheet discarded")
    SHEET_REOPENED = "sheet_reopened", _("end taken back")
    NUMBER_ENTERED = "number_entered", _("number entered")
    HAND_CONFIRMED = "hand_confirmed", _("hand confirmed")
    SETTINGS_CHANGED = "settings_changed", _("settings changed")
    PHONE_REMOVED = "phone_removed", _("phone removed")
    PHONE_BACK = "phone_back", _("phone let back in")
    CODE_CHANGED = "code_changed", _("code changed")
    JOINING_LOCKED = "joining_locked", _("joining locked")
    JOINING_OPENED = "joining_opened", _("joining opened")
    SEAT_ASKED = "seat_asked", _("seat asked for")
    SEAT_GIVEN = "seat_given", _("seat given")
    SEAT_REFUSED = "seat_refused", _("seat refused")
    DELETE_AGREED = "delete_agreed", _("agreed to delete the table")
    DELETE_DROPPED = "delete_dropped", _("deleting dropped")
    RULES_CHANGED = "rules_changed", _("house rules changed")
    RULES_RESTORED = "rules_restored", _("change of house rules taken back")
    RULES_SAVED = "rules_saved", _("house rules saved")
    RULES_FORGOTTEN = "rules_forgotten", _("saved house rules forgotten")
    SAT_DOWN = "sat_down", _("player came or left")
    POT_SHARED = "pot_shared", _("pot shared")
    VALUE_SET = "value_set", _("value of a unit set")
    PERSON_ERASED = "person_erased", _("name erased")
    CLUB_JOINED = "club_joined", _("table joined a club")
    CLUB_LEFT = "club_left", _("table left a club")
    REVIEWED = "reviewed", _("sheet reviewed")
    SEATS_MATCHED = "seats_matched", _("seats given to other people")
    SHEET_IMPORTED = "sheet_imported", _("sheet imported")
    TOTALS_REPLACED = "totals_replaced", _("running totals made hands")
    TOTALS_RESTORED = "totals_restored", _("running totals put back")


class Change(models.Model):
    """One step of a table. `before` and `after` hold ids, never people's names."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="changes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=ChangeKind)
    sheet = models.ForeignKey(Sheet, models.PROTECT, null=True, blank=True, related_name="changes")
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="changes")
    member = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    system = models.BooleanField(default=False)
    # Who it was, where that was a user of another installation: of imported history.
    by = NameField(max_length=200, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    reason = FreeTextField(blank=True)
    at = models.DateTimeField(default=timezone.now)
    # The key the client made for this write, and what was asked with it: a repeat is recognised, a
    # second use for something else is refused.
    key = models.UUIDField(unique=True)
    fingerprint = models.CharField(max_length=64)

    class Meta:
        ordering = ("table", "-version")
        constraints = (
            models.UniqueConstraint(fields=("table", "version"), name="sheets_change_version"),
            models.CheckConstraint(
                condition=Q(kind__in=ChangeKind.values),
                name="sheets_change_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(member__isnull=False, user=None, system=False)
                | Q(member=None, user__isnull=False, system=False)
                | Q(member=None, user=None, system=True),
                name="sheets_change_one_author",
            ),
            models.CheckConstraint(
                condition=Q(by="") | Q(system=True), name="sheets_change_by_somebody_else"
            ),
        )

    def __str__(self) -> str:
        return f"{self.table} {self.version}: {self.get_kind_display()}"
