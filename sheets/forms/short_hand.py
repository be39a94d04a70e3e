"""A line of a paper sheet, taken apart and understood: names, numbers and words.

Every character of a line is either understood or refused: nothing typed is dropped or changed. What
the words say of a hand is the game's own.
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

import regex
from django.utils.translation import gettext as _

from sheets import names, numbers
from sheets.actions import EnteredHand
from sheets.forms.base import UnitsField
from sheets.models import Player, RoundKind
from sheets.texts import composed

PASSED: Final = frozenset({"p", "pass", "passed", "out"})
DEALS: Final = frozenset({"deal", "deals", "dealer"})
JUST_NUMBERS: Final = "="
MOST_BESIDE_A_NAME: Final = 60  # letters
_MINUS_SIGN: Final = "\N{MINUS SIGN}"  # the one dash that only ever stands before a number
_GROUPS: Final = f"{numbers.POINTS}'’\N{ARABIC THOUSANDS SEPARATOR}"
_SIGNS: Final = "=+×✗✓♠-♧"
_LETTER: Final = rf"[^\s\d,;:/|.{_SIGNS}{numbers.MINUS[1:]}\-]"
_TOKEN = re.compile(
    rf"""
    (?P<number>[{numbers.MINUS}]?\d+(?:[{_GROUPS}]\d+)*)
    | (?P<word>[{_SIGNS}] | {_LETTER}+(?:[{numbers.MINUS}]{_LETTER}+)*(?:[{numbers.MINUS}](?!\d))?)
    | (?P<dash>[{numbers.MINUS}]+)
    | (?P<gap>[,;:/|.])
    | \s+
    """,
    re.VERBOSE,
)
# The pad's own row, "8 · 0 · 8", has dots between its numbers.
_DOTS = regex.compile(r"(?<=\d\s*)·(?=\s*\d)")
_NARROW = re.compile(rf"(?<=\d)[{numbers.NARROW_SPACES}](?=\d{{3}}(?!\d))")


HAND_NUMBER = re.compile(r"^\s*(?:#\s*(\d{1,3})\b|(\d{1,3})\s*[.):](?=\s))\s*[.):]?")


class NotUnderstood(Exception):  # noqa: N818 - the sentence is for the person who typed
    """A line that says no hand; `str()` says what is missing."""


class Kind(enum.Enum):
    """What a part of a line is."""

    NUMBER, WORD, DASH, GAP = "number", "word", "dash", "gap"


@dataclasses.dataclass(frozen=True, slots=True)
class Token:
    """A part of a line."""

    kind: Kind
    text: str


def folded(line: str) -> str:
    """Return a line as names are compared, with what only looks like a digit (²) as it is."""
    clean = names.clean(_NARROW.sub("’", line))
    wide = "".join(
        one if unicodedata.category(one) in ("No", "Nl") else composed("NFKC", one) for one in clean
    )
    return " ".join(names.seen(composed("NFC", wide.casefold())).split())


def hand_number(line: str) -> int | None:
    """Return the number of the hand that is written before a line."""
    found = HAND_NUMBER.match(line)
    return int(found[1] or found[2]) if found else None


def tokens(text: str) -> list[Token]:
    """Take a folded line apart; no character is left out but spaces."""
    text = _DOTS.sub("/", text)
    parts = _TOKEN.finditer(text)
    return [Token(Kind(one.lastgroup), one[0]) for one in parts if one.lastgroup]


class People:
    """Who sits at the table, and who of them a word means; seats count from 1."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self._keys = {one.pk: folded(one.name) for one in players}

    def called(self, word: str) -> list[int]:
        """Return the seats that a word can mean: a whole name, or the beginning of a part of it."""
        whole = [pk for pk, name in self._keys.items() if name == word]
        begun = [
            pk
            for pk, name in self._keys.items()
            if any(part.startswith(word) for part in (name, *name.split()))
        ]
        return whole or begun

    def in_seat(self, text: str) -> list[int]:
        """Return who a number can mean: the seat, and the part of a name that it is."""
        seat = numbers.maybe(text, most=len(self.players))
        return sorted({seat, *self.called(text)}) if seat else []

    def cuts(self, line: str) -> Iterator[tuple[int, str, str]]:
        """Return each whole name in a folded line: the seat, what is before it and what behind."""
        for pk, name in self._keys.items():
            at = line.find(name) if 0 <= len(line) - len(name) <= MOST_BESIDE_A_NAME else -1
            while at >= 0:
                before, after = line[:at], line[at + len(name) :]
                if _apart(before[-1:], name[0]) and _apart(name[-1], after[:1]):
                    yield pk, before, after
                at = line.find(name, at + 1)

    def words_for(self, player: Player) -> Iterator[str]:
        """Return what can be written for somebody, the shortest first and the whole name last."""
        key = self._keys[player.pk]
        beginnings = {
            "".join(letters[:length])
            for part in (key, *key.split())
            for letters in [regex.findall(r"\X", part)]
            for length in range(1, len(letters) + 1)
        }
        of_one_word = (one for one in beginnings if " " not in one and one[-1] not in "'’-")
        yield from sorted(of_one_word, key=lambda one: (len(one), key.find(one)))
        yield key

    def both(self, seats: Iterable[int]) -> NotUnderstood:
        """Return the refusal of what can mean several people: it names all of them."""
        meant = set(seats)
        who = names.listed([one.name for one in self.players if one.pk in meant])
        sentence = _("Write more of the name, or the number of the seat: this fits %(who)s.")
        return NotUnderstood(sentence % {"who": who})


def _apart(left: str, right: str) -> bool:
    """Say whether a name ends between two characters: beside a gap, or a letter at a digit."""
    if not left or not right or left in " ,;:/|" or right in " ,;:/|.":
        return True
    return left.isdecimal() != right.isdecimal() and left.isalnum() and right.isalnum()


class ShortHand(Protocol):
    """What the module of a game offers: a line for a hand that was played."""

    def read(self, said: Sequence[Token], people: People, house: Any) -> list[Said]: ...
    def read_of(self, bidder: int, said: Sequence[Token], house: Any) -> EnteredHand: ...
    def is_a_word(self, word: str) -> bool: ...
    def examples(self, who: str) -> list[str]: ...
    def explained(
        self, offered: Sequence[tuple[str, str]], house: Any
    ) -> list[tuple[str, str]]: ...


@dataclasses.dataclass(frozen=True, slots=True)
class Said:
    """A hand that a line can mean, and whether it says it in the order that is explained."""

    hand: EnteredHand
    in_order: bool


class Reader:
    """Reads lines of a table: each is a hand, or says who deals the next one."""

    def __init__(
        self, people: People, columns: Sequence[Player], game: ShortHand, house: Any
    ) -> None:
        self.people, self.columns = people, columns
        self.game, self.house = game, house

    def read(self, typed: str) -> EnteredHand | int:
        """Return the hand a line says, or the seat that deals next; raises NotUnderstood."""
        line = folded(HAND_NUMBER.sub("", typed))
        # What looks like the number of a hand may begin a name.
        found, problem = self._beginning_with_a_name(line, folded(typed))
        dealers = self._dealers(line)
        meant = {one.bidder or 0 for one in found} | set(dealers)
        if len(meant) > 1 and (found or len(dealers) > 1):
            raise self.people.both(meant)
        if dealers:
            return dealers[0]
        if found:
            return found[0]
        said = tokens(line)
        if simple := self._without_a_bid(said):
            return simple
        try:
            return self._hand(line, said)
        except NotUnderstood:
            if problem is not None:
                raise problem from None
            if said and said[0].text in DEALS:
                sentence = _("Who deals the next hand? Write the name behind “deal”.")
                raise NotUnderstood(sentence) from None
            raise

    def _beginning_with_a_name(self, *lines: str) -> tuple[list[EnteredHand], NotUnderstood | None]:
        """Return the hands of a line that begins with a whole name, or what is missing there."""
        found: dict[bool, list[EnteredHand]] = {True: [], False: []}
        problem = None
        for line in dict.fromkeys(lines):
            for pk, before, after in self.people.cuts(line):
                if before:
                    continue
                said = tokens(after)
                in_order = bool(said) and said[0].kind is Kind.NUMBER
                try:
                    found[in_order].append(self.game.read_of(pk, said, self.house))
                except NotUnderstood as wrong:
                    problem = problem or (wrong if after.strip() else None)
        hands = found[True] or found[False]
        return hands, None if hands else problem

    def _dealers(self, line: str) -> list[int]:
        """Return who a line can mean that begins with “deal”."""
        said = tokens(line)
        if len(said) < 2 or said[0].text not in DEALS:
            return []
        rest = line[len(said[0].text) :].strip(" :")
        whole = [pk for pk, before, after in self.people.cuts(rest) if not before + after]
        if whole:
            return whole
        match tokens(rest):
            case [Token(Kind.NUMBER, text)]:
                return self.people.in_seat(text)
            case [Token(Kind.WORD, text)]:
                return self.people.called(text)
        return []

    def _without_a_bid(self, said: Sequence[Token]) -> EnteredHand | None:
        """Return a hand that was passed out, or one of which only the numbers are told."""
        told = [one for one in said if one.kind is not Kind.GAP]
        if told and all(one.kind is Kind.DASH or one.text in PASSED for one in told):
            return EnteredHand(kind=RoundKind.PASSED_OUT)
        if said and said[0].text == JUST_NUMBERS:
            return self._typed(said[1:])
        numbers_told = [one for one in told if one.kind is Kind.NUMBER]
        no_words = all(one.kind is not Kind.WORD for one in told)
        return self._typed(said) if no_words and len(numbers_told) > 1 else None

    def _typed(self, said: Sequence[Token]) -> EnteredHand:
        """Return a row of numbers, one behind the other with at most one sign between two."""
        below = str(UnitsField.default_error_messages["negative"])
        units = [number(one.text, below=below) for one in said if one.kind is Kind.NUMBER]
        rest = [
            one
            for before, one in zip([Token(Kind.GAP, ""), *said], said, strict=False)
            if one.kind is not Kind.NUMBER and not (one.kind is Kind.GAP is not before.kind)
        ]
        if rest or len(units) != len(self.columns):
            who = names.listed([one.name for one in self.columns])
            raise NotUnderstood(_("Write a number for each column: %(who)s.") % {"who": who})
        by_player = {one.pk: n for one, n in zip(self.columns, units, strict=True)}
        return EnteredHand(kind=RoundKind.TYPED, units=by_player)

    def _hand(self, line: str, said: Sequence[Token]) -> EnteredHand:
        """Return the one hand that is meant by beginnings of names, or with a name further on."""
        found: list[Said] = []
        problem = None
        try:
            found = self.game.read(said, self.people, self.house)
        except NotUnderstood as wrong:
            problem = wrong
        in_order = [one.hand for one in found if one.in_order]
        hands = in_order or [one.hand for one in found]
        for pk, before, after in () if in_order else self.people.cuts(line):
            try:
                beside = [*tokens(before), *tokens(after)]
                hand = self.game.read_of(pk, beside, self.house)
            except NotUnderstood:
                continue
            hands += [] if hand in hands else [hand]
        if len({one.bidder for one in hands}) > 1:
            raise self.people.both(one.bidder or 0 for one in hands)
        if len(hands) > 1:
            raise NotUnderstood(_("This can mean two hands: write more of the suit."))
        if not hands:
            assert problem is not None
            raise problem
        return hands[0]

    def offered(self) -> list[tuple[str, str]]:
        """Return for everybody the shortest word that is read as theirs wherever it is written.

        It is none that says something else in a line; without such a word it is the seat's number.
        """
        return [(self._word_for(one), one.name) for one in self.people.players]

    def _word_for(self, player: Player) -> str:
        words = [one for one in self.people.words_for(player) if not self._is_taken(one)]
        for word in (*words, str(player.pk)):
            if self._reads(word, player.pk):
                return word
        return folded(player.name)

    def _is_taken(self, word: str) -> bool:
        if all(one.kind in (Kind.DASH, Kind.GAP) for one in tokens(word)):
            return True
        return word in {JUST_NUMBERS, *PASSED, *DEALS} or self.game.is_a_word(word)

    def _reads(self, word: str, pk: int) -> bool:
        """Say whether whatever is explained with this word is read as this player's."""
        try:
            hands = [self.read(line) for line in self.game.examples(word)]
            dealer = self.read(f"deal {word}")
        except NotUnderstood:
            return False
        bidders = {one.bidder for one in hands if isinstance(one, EnteredHand)}
        return dealer == pk and bidders == {pk}


def heard(said: Sequence[Token]) -> list[Token]:
    """Return the words and numbers of a hand; dashes and commas between words say nothing."""
    for one, then in itertools.pairwise(said):
        if one.kind is Kind.DASH and then.kind is Kind.NUMBER:
            number(one.text[-1] + then.text)
    if any(one.kind is Kind.DASH and _MINUS_SIGN in one.text for one in said):
        raise NotUnderstood(_("“%(typed)s” is not a number.") % {"typed": _MINUS_SIGN})
    return [one for one in said if one.kind in (Kind.NUMBER, Kind.WORD)]


def number(text: str, *, below: str = "") -> int:
    """Return a number of a line; raises NotUnderstood, for one below 0 with this sentence."""
    try:
        return numbers.whole(text, most=numbers.MOST_TYPED)
    except numbers.Unread as unread:
        if unread.why is numbers.Why.NO_NUMBER:
            sentence = _("“%(typed)s” is not a number: put a space between two.")
            raise NotUnderstood(sentence % {"typed": text[:20]}) from unread
        negative = unread.why is numbers.Why.NEGATIVE
        raise NotUnderstood(below if negative and below else str(unread)) from unread
