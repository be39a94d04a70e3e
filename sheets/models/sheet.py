"""The sheet: one match at a table, its players, its rounds and what each player took in."""

from __future__ import annotations

import functools
import json
import uuid
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rules import cards, games
from sheets import codes, names
from sheets.models.club import Club
from sheets.models.fields import FoldedField, FreeTextField, NameField
from sheets.models.table import Member, Person, Table

GAMES = tuple(games.GAMES)
MOST_UNITS = 99_999  # one entry; far above any rule, far below any overflow
MOST_REASON = 200  # letters of why there is a correction
POSITION_GAP = 1_000  # between two rounds, so that a forgotten hand fits in between


class SheetState(models.TextChoices):
    """Where a sheet stands: open until End match, then banked; discarded if it held no hand."""

    OPEN = "open", _("open")
    BANKED = "banked", _("banked")
    DISCARDED = "discarded", _("discarded")


class RoundKind(models.TextChoices):
    """What a row is: computed from a hand, typed by the table, or zeros where nobody bid.

    Two were never dealt: a correction that the table agreed on, and the pot shared at the end.
    """

    PLAYED = "played", _("played")
    TYPED = "typed", _("typed")
    PASSED_OUT = "passed_out", _("passed out")
    CORRECTION = "correction", _("correction")
    POT_SHARED = "pot_shared", _("pot shared")


NEVER_DEALT = (RoundKind.CORRECTION, RoundKind.POT_SHARED)


class Review(models.TextChoices):
    """What an organiser of the club has said of a banked sheet; approved ones are final."""

    TO_REVIEW = "to_review", _("to review")
    APPROVED = "approved", _("approved")
    FLAGGED = "flagged", _("flagged")
    SET_ASIDE = "set_aside", _("set aside")


class HouseRules(models.Model):
    """The rules a round was settled under. Rows never change; a change of rules is a new row."""

    game = models.CharField(max_length=20)
    format = models.PositiveSmallIntegerField()
    canonical = models.TextField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "house rules"
        constraints = (
            models.UniqueConstraint(fields=("game", "digest"), name="sheets_houserules_unique"),
            models.CheckConstraint(
                condition=Q(game__in=GAMES), name="sheets_houserules_game_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.digest[:8]}"

    @property
    def value(self) -> Any:
        """The rules as the game's own frozen value."""
        return _house_rules(self.game, self.canonical)


@functools.lru_cache(maxsize=256)
def _house_rules(game: str, canonical: str) -> Any:
    return games.GAMES[game].HouseRules.from_dict(json.loads(canonical))


class Sheet(models.Model):
    """One match, from the first hand to End match."""

    public_id = models.CharField(max_length=22, unique=True, default=codes.new_public_id)
    table = models.ForeignKey(Table, models.PROTECT, related_name="sheets")
    game = models.CharField(max_length=20)
    state = models.CharField(max_length=9, choices=SheetState, default=SheetState.OPEN)
    house_rules = models.ForeignKey(HouseRules, models.PROTECT, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)
    # Null: by an organiser, who wrote down a sheet that was kept on paper.
    started_by = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="+")
    # Who was set to deal by hand (first of all at the start), and the last hand that stood then:
    # the mark holds until a later hand stands. After that the player left of its dealer is next.
    dealer_mark = models.ForeignKey(
        "Player", models.PROTECT, null=True, blank=True, related_name="+"
    )
    dealer_marked_after = models.ForeignKey(
        "Round", models.PROTECT, null=True, blank=True, related_name="+"
    )
    # What the pot holds, kept by the transaction that writes the hands; null where there is none.
    pot = models.IntegerField(null=True, blank=True)
    # What a unit is worth to this table, in the smallest coin of a currency; null: nothing agreed.
    unit_cents = models.PositiveIntegerField(null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    # The table's club, copied: a club's sheets are found by the indexes below.
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="sheets")
    # When the last hand was entered, once the sheet is banked: it belongs to that evening.
    played_at = models.DateTimeField(default=timezone.now)
    review = models.CharField(max_length=9, choices=Review, default=Review.TO_REVIEW)
    review_note = FreeTextField(blank=True)
    # What looks odd to the app, by `sheets.oddities`: words with spaces around each.
    oddities = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ("-started_at",)
        indexes = (
            models.Index(
                "club",
                F("played_at").desc(),
                F("id").desc(),
                condition=Q(state="banked"),
                name="sheets_sheet_inbox",
            ),
            models.Index(
                "club",
                "review",
                F("played_at").desc(),
                F("id").desc(),
                condition=Q(state="banked"),
                name="sheets_sheet_inbox_review",
            ),
            models.Index(
                "club",
                F("played_at").desc(),
                F("id").desc(),
                condition=Q(state="banked") & ~Q(oddities=""),
                name="sheets_sheet_inbox_odd",
            ),
            models.Index(
                "club", "started_at", condition=Q(state="open"), name="sheets_sheet_open_in_club"
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(review__in=Review.values), name="sheets_sheet_review_known"
            ),
            models.CheckConstraint(
                condition=Q(review="to_review") | Q(state="banked"),
                name="sheets_sheet_only_banked_reviewed",
            ),
            models.CheckConstraint(
                condition=~Q(review__in=("flagged", "set_aside")) | ~Q(review_note=""),
                name="sheets_sheet_review_says_why",
            ),
            models.CheckConstraint(
                condition=Q(pot=None) | Q(pot__gte=0), name="sheets_sheet_pot_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(unit_cents=None, currency="") | (Q(unit_cents__gt=0) & ~Q(currency="")),
                name="sheets_sheet_unit_has_currency",
            ),
            models.CheckConstraint(
                condition=Q(state__in=SheetState.values),
                name="sheets_sheet_state_known",
            ),
            models.CheckConstraint(condition=Q(game__in=GAMES), name="sheets_sheet_game_known"),
            models.UniqueConstraint(
                fields=("table",), condition=Q(state="open"), name="sheets_sheet_one_open"
            ),
            models.CheckConstraint(
                condition=Q(state="open", ended_at=None, ended_by=None)
                | (~Q(state="open") & Q(ended_at__isnull=False)),
                name="sheets_sheet_ended_when_closed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.public_id}"

    def get_absolute_url(self) -> str:
        return reverse("sheets:sheet", args=[self.table.public_id, self.public_id])

    @property
    def is_open(self) -> bool:
        """Whether hands can still be entered."""
        return self.state == SheetState.OPEN


class Player(models.Model):
    """A person on one sheet, with a place (clockwise from 0) and mostly a column.

    Whoever sits down later has another player's place, or a new one. Players are never deleted:
    whoever left keeps the hands that were played, and the column goes on with the next.
    """

    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="players")
    person = models.ForeignKey(Person, models.PROTECT, related_name="players")
    place = models.PositiveSmallIntegerField()
    # Copied, so that renaming a person never rewrites a banked sheet.
    name = NameField(max_length=names.MOST_ROOM)
    name_key = models.CharField(max_length=names.LONGEST_KEY)
    # Whether there is a column; what a fourth player without one pays is settled off the sheet.
    scores = models.BooleanField(default=True)
    # The last hand before this player sat down, null: there from the start; and the last hand
    # before this player left, null: still there. Players and rounds point at each other and go
    # together, so the database alone guards this: it looks when the transaction ends.
    since = models.ForeignKey("Round", models.DO_NOTHING, null=True, blank=True, related_name="+")
    until = models.ForeignKey("Round", models.DO_NOTHING, null=True, blank=True, related_name="+")
    # Kept by the transaction that writes the entries, so that a page never sums a long sheet.
    total = models.IntegerField(default=0)

    class Meta:
        ordering = ("place", "pk")
        # Who has left may come back, to another place or to the same.
        constraints = (
            models.UniqueConstraint(
                fields=("sheet", "place"),
                condition=Q(until=None),
                name="sheets_player_place_unique",
            ),
            models.UniqueConstraint(
                fields=("sheet", "name_key"),
                condition=Q(until=None),
                name="sheets_player_name_unique",
            ),
            models.UniqueConstraint(
                fields=("sheet", "person"),
                condition=Q(until=None),
                name="sheets_player_person_once",
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="sheets_player_name_not_empty"),
            models.CheckConstraint(
                condition=Q(scores=True) | Q(total=0), name="sheets_player_total_has_column"
            ),
        )

    def __str__(self) -> str:
        return str(self.name)

    @property
    def is_seated(self) -> bool:
        """Whether this player is at the table now."""
        return self.until_id is None

    @property
    def ever_sat(self) -> bool:
        """Whether this player was at the table for any hand: not one who sat down by mistake."""
        return self.until_id is None or self.until_id != self.since_id

    def was_seated(self, position: int) -> bool:
        """Say whether this player was at the table in the round at this position."""
        came = self.since is None or self.since.position < position
        return came and (self.until is None or position <= self.until.position)


class Round(models.Model):
    """One deal: one row of the sheet. People read "hand". Never deleted, only taken back."""

    # The key the hand was entered with, so that a phone can name a hand before the server knows it.
    public_id = models.UUIDField(unique=True, default=uuid.uuid4)
    sheet = models.ForeignKey(Sheet, models.PROTECT, related_name="rounds")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=RoundKind)
    house_rules = models.ForeignKey(HouseRules, models.PROTECT, related_name="+")
    dealer = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    # Who of four sat out; null where three play, or where nobody kept track of it.
    sitter = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    bidder = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    bid = models.PositiveSmallIntegerField(null=True, blank=True)
    trump = models.CharField(max_length=8, null=True, blank=True)  # noqa: DJ001 - null: none named
    outcome = models.CharField(max_length=9, null=True, blank=True)  # noqa: DJ001 - null: none
    # Melds and trick points where the hand was counted; the game's module checks them.
    counts = models.JSONField(null=True, blank=True)
    # What the pot held before this round; null where its rules have none.
    pot = models.IntegerField(null=True, blank=True)
    # Why the table agreed on a correction.
    reason = NameField(max_length=MOST_REASON, blank=True)
    taken_back = models.BooleanField(default=False)
    # A typed row that waits for somebody's number: entries of some players are missing.
    half = models.BooleanField(default=False)
    # Who in another seat said that it is right; any change of the round takes that away.
    confirmed_by = models.ForeignKey(
        Member, models.PROTECT, null=True, blank=True, related_name="+"
    )
    # The table version that last changed this round.
    changed = models.PositiveIntegerField()
    # Null: by an organiser, from paper.
    entered_by = models.ForeignKey(Member, models.PROTECT, null=True, blank=True, related_name="+")
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("position",)
        permissions = (("correct_round", "Can correct a hand"),)
        constraints = (
            models.UniqueConstraint(fields=("sheet", "position"), name="sheets_round_position"),
            models.CheckConstraint(
                condition=Q(kind__in=RoundKind.values),
                name="sheets_round_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(trump=None) | Q(trump__in=[suit.value for suit in cards.Suit]),
                name="sheets_round_trump_known",
            ),
            models.CheckConstraint(
                condition=Q(outcome=None) | Q(outcome__in=games.OUTCOMES),
                name="sheets_round_outcome_known",
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind="played", bidder__isnull=False, bid__isnull=False)
                    & (Q(outcome="thrown_in") | Q(outcome__isnull=False, trump__isnull=False))
                )
                | (
                    ~Q(kind="played")
                    & Q(bidder=None, bid=None, trump=None, outcome=None, counts__isnull=True)
                ),
                name="sheets_round_kind_has_its_fields",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=NEVER_DEALT, dealer=None, sitter=None)
                | (~Q(kind__in=NEVER_DEALT) & Q(dealer__isnull=False)),
                name="sheets_round_dealt_by_somebody",
            ),
            models.CheckConstraint(
                condition=(Q(kind="correction") & ~Q(reason=""))
                | (~Q(kind="correction") & Q(reason="")),
                name="sheets_round_correction_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(sitter=None) | Q(bidder=None) | ~Q(sitter=models.F("bidder")),
                name="sheets_round_sitter_did_not_bid",
            ),
            models.CheckConstraint(
                condition=Q(half=False) | Q(kind="typed", confirmed_by=None),
                name="sheets_round_half_is_typed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.public_id}"


class Entry(models.Model):
    """One player's number in one round: the units that player took in."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    units = models.IntegerField()
    # Copied from the game: whether a number below zero can stand on its sheets.
    signed = models.BooleanField()

    class Meta:
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=("round", "player"), name="sheets_entry_once"),
            models.CheckConstraint(
                condition=Q(signed=True) | Q(units__gte=0), name="sheets_entry_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(units__gte=-MOST_UNITS, units__lte=MOST_UNITS),
                name="sheets_entry_in_range",
            ),
        )

    def __str__(self) -> str:
        return str(self.units)


class SavedRules(models.Model):
    """House rules a table gave a name to, so that it can take them up again another evening."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="saved_rules")
    name = NameField(max_length=names.MOST_ROOM)
    name_key = models.CharField(max_length=names.LONGEST_KEY)
    name_folded = FoldedField("name")
    house_rules = models.ForeignKey(HouseRules, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("name_folded", "pk")
        verbose_name_plural = "saved rules"
        constraints = (
            models.UniqueConstraint(fields=("table", "name_key"), name="sheets_savedrules_unique"),
            models.CheckConstraint(
                condition=~Q(name_key=""), name="sheets_savedrules_name_not_empty"
            ),
        )

    def __str__(self) -> str:
        return str(self.name)
