"""A sheet that was kept on paper: who sat there, then a line for every hand in a short hand.

What a line may say of a hand is the game's own: its module bears the game's name.
"""

from __future__ import annotations

import dataclasses
import datetime
import importlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules import games, typed_rows
from sheets import hand_wording, names, numbers, seats
from sheets.actions import EnteredHand, PaperHand, PaperSheet
from sheets.actions.keeping import state
from sheets.actions.paper import Deal, Dealt
from sheets.forms.base import translated
from sheets.forms.short_hand import NotUnderstood, People, Reader, ShortHand, hand_number
from sheets.forms.tables import SeatsForm
from sheets.models import Club, Round, RoundKind, SavedRules

MOST_HANDS: Final = 300
MOST_LETTERS: Final = 40_000  # of all lines together
EARLIEST: Final = datetime.date(1950, 1, 1)
PLAYED_BY: Final = datetime.time(18)  # before this hour the last evening is yesterday's
NEW: Final = "new"
HANDS: Final = "hands"
TOTALS: Final = "totals"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line as it was understood, or why it was not."""

    number: str  # of the hand; empty where there is none
    typed: str
    said: str = ""
    problem: str = ""
    doubt: str = ""
    totals: tuple[str, ...] = ()


def short_hand(game: str) -> ShortHand:
    """Return the short hand of a game."""
    module: ShortHand = importlib.import_module(f"sheets.forms.{game}_paper")
    return module


class Reading:
    """The lines of an evening, read one after the other."""

    def __init__(
        self, text: str, deal: Deal, game: str, house: Any, *, as_totals: bool = False
    ) -> None:
        self.deal, self.game, self.house = deal, game, house
        self.as_totals = as_totals
        self.columns = seats.scoring(deal.seated)
        self.reader = Reader(People(deal.seated), self.columns, short_hand(game), house)
        self.hands: list[PaperHand] = []
        self.lines: list[Line] = []
        self.rows: list[typed_rows.Row] = []
        self._dealer: int | None = None
        self._unread = 0
        for line in filter(None, map(str.strip, text.splitlines())):
            if len(self.hands) + self._unread > MOST_HANDS:
                break  # this is no evening, and the form says so
            self._read(line)

    @property
    def understood(self) -> int:
        """How many lines are hands that can have been."""
        return sum(bool(one.totals) for one in self.lines)

    @property
    def problems(self) -> list[Line]:
        """The lines that are no hands yet."""
        return [one for one in self.lines if one.problem]

    @property
    def doubt(self) -> typed_rows.Doubt | None:
        """What to ask about all rows together, once every line is understood."""
        return None if self.problems else typed_rows.doubt(self.rows)

    def _read(self, line: str) -> None:
        count = len(self.hands) + self._unread + 1
        number = str(count)
        try:
            meant = self.reader.read(line)
        except NotUnderstood as problem:
            self._unread += 1
            self.deal.skip()
            self.lines.append(Line(number=number, typed=line, problem=str(problem)))
            return
        if isinstance(meant, int):
            self._dealer = meant
            name = seats.player(self.deal.seated, meant).name
            said = _("%(name)s deals the next hand") % {"name": name}
            self.lines.append(Line(number="", typed=line, said=said))
            return
        hand = PaperHand(entered=self._from_total(meant), dealer=self._dealer)
        self._dealer = None
        self.hands.append(hand)
        dealt = self.deal.play(hand)
        if dealt.error is not None:
            said = translated(dealt.error.message)
            self.lines.append(Line(number=number, typed=line, problem=said))
            return
        assert dealt.settled is not None
        doubt = self._doubt(hand, dealt)
        typed = hand.entered.kind == RoundKind.TYPED
        self.rows.append(typed_rows.Row(units=dealt.settled.units, typed=typed, odd=bool(doubt)))
        self.lines.append(
            Line(
                number=number,
                typed=line,
                said=self._said(hand, dealt),
                doubt=doubt or _miscounted(line, count),
                totals=tuple(str(self.deal.totals[one.pk]) for one in self.columns),
            )
        )

    def _from_total(self, entered: EnteredHand) -> EnteredHand:
        """Return the hand behind a typed row, where these rows are running totals."""
        if not self.as_totals or entered.units is None:
            return entered
        units = {pk: n - self.deal.totals[pk] for pk, n in entered.units.items()}
        return dataclasses.replace(entered, units=units)

    def _said(self, hand: PaperHand, dealt: Dealt) -> str:
        assert dealt.settled is not None
        row = Round(**dealt.settled.fields)
        told = state(row, self.columns, dealt.settled.units, len(self.hands))
        return hand_wording.hand(told, {one.pk: one.name for one in self.deal.seated})

    def _doubt(self, hand: PaperHand, dealt: Dealt) -> str:
        """Say of a typed row that no hand gives it."""
        if hand.entered.kind != RoundKind.TYPED or dealt.settled is None:
            return ""
        doubts = games.GAMES[self.game].row_doubts(dealt.settled.units, self.house)
        return translated(doubts[0]) if doubts else ""


def _miscounted(line: str, count: int) -> str:
    """Say of a line with a number before it that it is another hand here."""
    told = hand_number(line)
    if told in (None, count):
        return ""
    return _("The line says hand %(told)s.") % {"told": told}


class PaperForm(SeatsForm):
    """The evening, the table, who sat there and by which rules; then the hands."""

    evening = forms.DateField(
        label=gettext_lazy("Evening"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={
            "invalid": gettext_lazy("Type a day, such as 2026-01-31."),
            "required": gettext_lazy("Say which evening it was."),
        },
    )
    table = forms.ChoiceField(
        label=gettext_lazy("Table"),
        error_messages={"invalid_choice": gettext_lazy("This table is not the club's any more.")},
    )
    hands = forms.CharField(
        label=gettext_lazy("Hands"),
        max_length=MOST_LETTERS,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 14,
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        error_messages={"required": gettext_lazy("Type the hands, a line each.")},
    )

    # What rows are that look like running totals; asked once they do.
    rows_are = forms.ChoiceField(
        choices=[(HANDS, HANDS), (TOTALS, TOTALS)], required=False, widget=forms.HiddenInput
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        club: Club,
        game: str,
        tables: Sequence[tuple[int, str]],
        saved: Iterable[SavedRules] = (),
        **kwargs: Any,
    ) -> None:
        self.club = club
        house = games.GAMES[game].HouseRules()
        kwargs["initial"] = {"first_dealer": "0", "evening": last_evening(club), "table": NEW}
        looks = data is not None and "check" in data
        super().__init__(data, game=game, house=house, saved=saved, **kwargs)
        self.looks = looks or self.rules.looks
        new = (NEW, _("a new one, called after those who play"))
        self.fields["table"].choices = [new, *((str(pk), name) for pk, name in tables)]  # type: ignore[attr-defined]
        for field in self.name_fields:
            self.fields[field].widget.attrs["list"] = "roster"

    def clean_evening(self) -> datetime.date:
        """Refuse evenings to come, and slips of the pen."""
        evening: datetime.date = self.cleaned_data["evening"]
        if evening > self.club.evening(timezone.now()):
            raise forms.ValidationError(_("This evening is still to come."))
        if evening < EARLIEST:
            raise forms.ValidationError(_("Look at the year again."))
        return evening

    def clean(self) -> dict[str, Any]:
        super().clean()
        if "hands" in self.errors:
            return self.cleaned_data
        if problems := self.reading.problems:
            sentence = ngettext(
                "%(n)s line is not understood yet: see beside it.",
                "%(n)s lines are not understood yet: see beside them.",
                len(problems),
            )
            self.add_error("hands", sentence % {"n": len(problems)})
        elif len(self.reading.hands) > MOST_HANDS:
            most = {"most": MOST_HANDS}
            self.add_error("hands", _("More than %(most)s hands are not one evening.") % most)
        elif not self.reading.hands:
            self.add_error("hands", self.fields["hands"].error_messages["required"])
        elif self.doubt and not self.cleaned_data.get("rows_are"):
            self.add_error("rows_are", _("Say first what these rows are: see below."))
        return self.cleaned_data

    @property
    def doubt(self) -> typed_rows.Doubt | None:
        """What is asked about the rows as they were typed."""
        return self._as_typed.doubt

    @cached_property
    def reading(self) -> Reading:
        """What is understood of the lines so far, whatever else is missing."""
        totals = self["rows_are"].value() == TOTALS
        if totals and self.doubt is typed_rows.Doubt.TOTALS:
            return self._read(as_totals=True)
        return self._as_typed

    @cached_property
    def _as_typed(self) -> Reading:
        return self._read()

    def _read(self, *, as_totals: bool = False) -> Reading:
        text = str(self["hands"].value() or "")[:MOST_LETTERS]
        seated = range(games.GAMES[self.game].seats(self.house))
        shown = [self._name(seat) for seat in seated]
        last = seated[-1]
        dealer = numbers.maybe(str(self["first_dealer"].value()), most=last) or 0
        beside = None
        if self.is_off_sheet:
            chosen = numbers.maybe(str(self["off_sheet"].value()), most=last)
            beside = last if chosen is None else chosen
        deal = Deal(shown, dealer, beside, self.game, self.house)
        return Reading(text, deal, self.game, self.house, as_totals=as_totals)

    def _name(self, seat: int) -> str:
        typed = names.clean(str(self[self.name_fields[seat]].value() or ""))
        return typed if names.key(typed) else _("Player %(number)s") % {"number": seat + 1}

    def explained(self) -> list[tuple[str, str]]:
        """Return what can be written, and what it means."""
        offered = self.reading.reader.offered()
        return [
            *short_hand(self.game).explained(offered, self.house),
            ("= " + " ".join("0" for _one in self.reading.columns), _("just the numbers")),
            ("-", _("passed out")),
            (f"deal {offered[-1][0]}", _("who deals the next hand, if not the next one")),
        ]

    def paper(self) -> PaperSheet:
        """Return all that was typed."""
        table = self.cleaned_data["table"]
        return PaperSheet(
            table=None if table == NEW else int(table),
            evening=self.cleaned_data["evening"],
            names=self.names,
            first_dealer=self.cleaned_data["first_dealer"],
            off_sheet=self.off_sheet_seat,
            game=self.game,
            house=self.house,
            hands=tuple(self.reading.hands),
        )


def last_evening(club: Club) -> datetime.date:
    """Return the evening that is probably meant: the last one, until the next begins."""
    now = timezone.localtime(timezone.now(), club.zone)
    evening = club.evening(now)
    begun = evening < now.date() or now.time() >= PLAYED_BY
    return evening if begun else evening - datetime.timedelta(days=1)
