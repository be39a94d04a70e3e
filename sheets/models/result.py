"""What a banked sheet of a club comes to for each person: what standings add up."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from sheets.models.sheet import Sheet
from sheets.models.table import Person


class Result(models.Model):
    """One person's figures of one banked sheet.

    Derived from its rounds by `sheets.results` in the transaction that banks or corrects the sheet;
    `manage.py results` makes all of them again and finds nothing to change.
    """

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="results")
    person = models.ForeignKey(Person, models.PROTECT, related_name="results")
    units = models.IntegerField()  # taken in
    # Taken in less paid out; null where of some hand nobody can tell who paid.
    net = models.IntegerField(null=True, blank=True)
    hands = models.PositiveIntegerField()  # dealt while the person was at the table and played
    bids = models.PositiveIntegerField()  # hands this person was the bidder of
    made = models.PositiveIntegerField()
    sets = models.PositiveIntegerField()
    thrown_in = models.PositiveIntegerField()
    bid_points = models.PositiveIntegerField()  # all bids together
    spades = models.PositiveIntegerField()  # bids that were played in spades
    won = models.BooleanField()
    # Others won with the same total.
    shared = models.BooleanField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("sheet", "person"), name="sheets_result_once"),
            models.CheckConstraint(
                condition=Q(bids=F("made") + F("sets") + F("thrown_in")),
                name="sheets_result_bids_add_up",
            ),
            models.CheckConstraint(
                condition=Q(won=True) | Q(shared=False), name="sheets_result_only_wins_shared"
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} {self.units}"
