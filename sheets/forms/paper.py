"""A sheet that was kept on paper: who sat there, then a line for every hand in a short hand.

What a line may say of a hand is the game's own: its module bears the game's name.
"""

from __future__ import annotations

import dataclasses
import datetime
import importlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules import games
from sheets import hand_wording, names, seats
from sheets.actions import EnteredHand, PaperHand, PaperSheet
from sheets.actions.keeping import state
from sheets.actions.paper import Deal, Dealt
from sheets.forms.base import translated
from sheets.forms.tables import SeatsForm
from sheets.models import Club, Player, Round, RoundKind, SavedRules
from sheets.models.sheet import MOST_UNITS

MOST_HANDS: Final = 300
MOST_LETTERS: Final = 40_000  # of all lines together
EARLIEST: Final = datetime.date(1950, 1, 1)
PLAYED_BY: Final = datetime.time(18)  # before this hour the last evening is yesterday's
NEW: Final = "new"

_NUMBERED = re.compile(r"^\s*(?:#\s*\d{1,3}\b|\d{1,3}\s*[.):](?=\s))\s*[.):]?")
_WORDS = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[♠-♧+×✗✓]|[-–—−]|=")
_DASHES: Final = frozenset("-–—−")
_PASSED: Final = frozenset({"p", "pass", "passed", "out"})
_DEALS: Final = frozenset({"deal", "deals", "dealer"})


class NotUnderstood(Exception):  # noqa: N818 - the sentence is for whoever typed
    """A line that says no hand; `str()` says what is missing."""


class People:
    """Who sits at the table, and who of them a word means; seats count from 1."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self._keys = {one.pk: names.key(one.name) for one in players}

    def called(self, word: str) -> list[int]:
        """Return the seats that a word can mean: a whole name, or the beginning of a part of it."""
        key = names.key(word)
        whole = [pk for pk, name in self._keys.items() if name == key]
        begun = [
            pk
            for pk, name in self._keys.items()
            if any(part.startswith(key) for part in (name, *name.split()))
        ]
        return whole or begun

    def shortest(self) -> list[tuple[str, str]]:
        """Return for everybody the shortest word that means nobody else, and the name."""
        return [(self._short(one), one.name) for one in self.players]

    def _short(self, one: Player) -> str:
        key = self._keys[one.pk]
        for length in range(1, len(key) + 1):
            if self.called(key[:length]) == [one.pk]:
                return key[:length]
        return str(one.pk)


class ShortHand(Protocol):
    """What the module of a game offers: a line for a hand that was played."""

    def read(self, words: Sequence[str], people: People, house: Any) -> EnteredHand: ...
    def explained(self, people: People, house: Any) -> list[tuple[str, str]]: ...


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

    def __init__(self, text: str, deal: Deal, game: str, house: Any) -> None:
        self.deal, self.game, self.house = deal, game, house
        self.people = People(deal.seated)
        self.columns = seats.scoring(deal.seated)
        self.hands: list[PaperHand] = []
        self.lines: list[Line] = []
        self._dealer: int | None = None
        self._unread = 0
        for line in text.splitlines():
            if line.strip():
                self._read(line.strip())

    @property
    def understood(self) -> int:
        """How many lines are hands that can have been."""
        return sum(bool(one.totals) for one in self.lines)

    @property
    def problems(self) -> list[Line]:
        """The lines that are no hands yet."""
        return [one for one in self.lines if one.problem]

    def _read(self, line: str) -> None:
        number = str(len(self.hands) + self._unread + 1)
        words = _WORDS.findall(unicodedata.normalize("NFKC", _NUMBERED.sub("", line)).casefold())
        try:
            if words and words[0] in _DEALS:
                self._set_dealer(line, words[1:])
                return
            hand = PaperHand(entered=self._entered(words), dealer=self._dealer)
        except NotUnderstood as problem:
            self._unread += 1
            self.deal.skip()
            self.lines.append(Line(number=number, typed=line, problem=str(problem)))
            return
        self._dealer = None
        self.hands.append(hand)
        dealt = self.deal.play(hand)
        if dealt.error is not None:
            said = translated(dealt.error.message)
            self.lines.append(Line(number=number, typed=line, problem=said))
            return
        self.lines.append(
            Line(
                number=number,
                typed=line,
                said=self._said(hand, dealt),
                doubt=self._doubt(hand, dealt),
                totals=tuple(str(self.deal.totals[one.pk]) for one in self.columns),
            )
        )

    def _set_dealer(self, line: str, words: Sequence[str]) -> None:
        who = sorted({pk for word in words for pk in self.people.called(word)})
        if len(who) != 1:
            raise NotUnderstood(_("Who deals the next hand? Write the name behind “deal”."))
        (self._dealer,) = who
        name = seats.player(self.deal.seated, who[0]).name
        said = _("%(name)s deals the next hand") % {"name": name}
        self.lines.append(Line(number="", typed=line, said=said))

    def _entered(self, words: Sequence[str]) -> EnteredHand:
        told = [word for word in words if word not in _DASHES]
        if words and not set(told) - _PASSED:
            return EnteredHand(kind=RoundKind.PASSED_OUT)
        numbers = [word for word in told if word != "="]
        all_numbers = bool(numbers) and all(word.isdecimal() for word in numbers)
        if "=" in told or (all_numbers and len(numbers) == len(self.columns)):
            return self._typed(numbers)
        return short_hand(self.game).read(told, self.people, self.house)

    def _typed(self, numbers: Sequence[str]) -> EnteredHand:
        fits = all(word.isdecimal() and len(word) <= len(str(MOST_UNITS)) for word in numbers)
        if not fits or len(numbers) != len(self.columns):
            who = names.listed([one.name for one in self.columns])
            raise NotUnderstood(_("Write a number for each column: %(who)s.") % {"who": who})
        units = {one.pk: int(n) for one, n in zip(self.columns, numbers, strict=True)}
        return EnteredHand(kind=RoundKind.TYPED, units=units)

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
        return self.cleaned_data

    @cached_property
    def reading(self) -> Reading:
        """What is understood of the lines so far, whatever else is missing."""
        text = str(self["hands"].value() or "")[:MOST_LETTERS]
        seated = range(games.GAMES[self.game].seats(self.house))
        shown = [self._name(seat) for seat in seated]
        dealer = str(self["first_dealer"].value())
        beside = str(self["off_sheet"].value())
        last = seated[-1]
        deal = Deal(
            shown,
            int(dealer) if dealer.isdecimal() and int(dealer) in seated else 0,
            (int(beside) if beside.isdecimal() and int(beside) in seated else last)
            if self.is_off_sheet
            else None,
            self.game,
            self.house,
        )
        return Reading(text, deal, self.game, self.house)

    def _name(self, seat: int) -> str:
        typed = names.clean(str(self[self.name_fields[seat]].value() or ""))
        return typed if names.key(typed) else _("Player %(number)s") % {"number": seat + 1}

    def explained(self) -> list[tuple[str, str]]:
        """Return what can be written, and what it means."""
        people = self.reading.people
        return [
            *short_hand(self.game).explained(people, self.house),
            ("= " + " ".join("0" for _one in self.reading.columns), _("just the numbers")),
            ("-", _("passed out")),
            (f"deal {people.shortest()[-1][0]}", _("who deals the next hand, if not the next one")),
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
