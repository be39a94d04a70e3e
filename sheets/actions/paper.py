"""A sheet that was kept on paper, typed in by an organiser: settled by the rules and banked."""

from __future__ import annotations

import dataclasses
import datetime
import json
import uuid
from collections.abc import Sequence
from typing import Any, Final

from rules import RuleError, games
from sheets import alike, codes, portable, queries, roster, seats
from sheets.actions.answers import Refusal, Why, mark_of_sheets
from sheets.actions.club_writing import ClubAnswer, ClubSaved, ClubStep, ClubWrite, club_action
from sheets.actions.importing import hands, say_imported
from sheets.actions.keeping import EnteredHand, Settled, settle
from sheets.actions.likening import evenings_of, liken
from sheets.actions.opening import free_code, people_named
from sheets.actions.results import keep_results
from sheets.actions.roster import part_doubles
from sheets.actions.storing import Here, store_rules, store_sheets
from sheets.models import (
    ClubChange,
    ClubChangeKind,
    HouseRules,
    Person,
    Player,
    RoundKind,
    Sheet,
    SheetState,
    Table,
)
from sheets.models.sheet import POSITION_GAP

BEGINS: Final = datetime.time(20)  # nobody wrote down when the evening was played
PAPER: Final = "paper"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PaperHand:
    """A hand as it was typed; people are seats, counted from 1. `dealer` None: whoever is next."""

    entered: EnteredHand
    dealer: int | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """All that was typed. `table` is the key of the table it belongs to, None: a new one."""

    table: int | None
    evening: datetime.date
    names: tuple[str, ...]
    first_dealer: int
    off_sheet: int | None
    game: str
    house: Any
    hands: tuple[PaperHand, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A hand and what it comes to, or why the rules don't have it. `pot` is what it held before."""

    dealer: Player
    sitter: Player | None
    pot: int | None
    settled: Settled | None = None
    error: RuleError | None = None


class Deal:
    """The evening as it goes by: who deals, what is in the pot, what everybody has taken in."""

    def __init__(
        self,
        sheet_names: Sequence[str],
        first_dealer: int,
        off_sheet: int | None,
        game: str,
        house: Any,
    ) -> None:
        self.seated = [
            Player(pk=seat + 1, place=seat, name=name, scores=seat != off_sheet)
            for seat, name in enumerate(sheet_names)
        ]
        self.rules = HouseRules(game=game, canonical=json.dumps(house.to_dict()))
        self.game = games.GAMES[game]
        self.dealer = self.seated[first_dealer]
        self.pot: int | None = self.game.antes(house) or None
        self.totals = {one.pk: 0 for one in seats.scoring(self.seated)}

    def skip(self) -> None:
        """Let the deal move on: nobody can tell yet what this hand was."""
        self.dealer = seats.left_of(self.seated, self.dealer.pk)

    def play(self, hand: PaperHand) -> Dealt:
        """Settle the next hand; after one that can't be, the deal has moved on all the same."""
        dealer = self.dealer if hand.dealer is None else seats.player(self.seated, hand.dealer)
        sitter = queries.sitter_of(self.rules, self.seated, dealer)
        dealt = Dealt(dealer=dealer, sitter=sitter, pot=self.pot)
        self.dealer = seats.left_of(self.seated, dealer.pk)
        try:
            settled = settle(
                self.rules, self.seated, hand.entered, dealer=dealer, sitter=sitter, pot=self.pot
            )
        except RuleError as error:
            return dataclasses.replace(dealt, error=error)
        for one, units in zip(seats.scoring(self.seated), settled.units, strict=True):
            self.totals[one.pk] += units
        if self.pot is not None:
            self.pot += settled.into_pot
        return dataclasses.replace(dealt, settled=settled)


def type_in(write: ClubWrite, paper: PaperSheet) -> ClubAnswer:
    """Store and bank a sheet that was kept on paper, at a table of the club or at a new one.

    The rules decide every row; RuleError for a hand that can't have been. Refuses until somebody
    agreed where sheets of that evening hold the same match.
    """
    answer = _type_in(write, paper)
    if isinstance(answer, ClubSaved):
        stored = Sheet.objects.filter(public_id=(answer.change.after or {})["sheet"])
        liken(evenings_of(stored))
    return answer


@club_action()
def _type_in(at: ClubStep, paper: PaperSheet) -> ClubChange:
    if paper.table is None:
        table = Table.objects.create(code=free_code(), time_zone=at.club.time_zone, club=at.club)
    else:
        found = Table.objects.select_for_update().filter(pk=paper.table, club=at.club).first()
        if found is None:
            raise Refusal(Why.NOT_THERE)
        table = found
        table.club = at.club
    here = Here()
    people = people_named(table, paper.names)
    for number, person in enumerate(people, start=1):
        _match(at, person)
        here.people[number] = person.pk
    told = _told(at, paper, table.version + 1)
    rules = portable.Rules(id=1, game=paper.game, rules=paper.house.to_dict())
    store_rules([rules], {1: paper.house}, here)
    (sheet,) = store_sheets(table, [told], here)
    part_doubles(at.club, table)
    say_imported(at, table, sheet, {"from": PAPER, "hands": hands(told)})
    # Looked up as it is stored: a refusal takes all of it back.
    if (same := alike.of(sheet)) and at.write.agreed != mark_of_sheets(same):
        raise Refusal(Why.ALIKE, alike=tuple(same))
    keep_results(sheet)
    after = {"sheets": 1, "sheet": sheet.public_id}
    return at.record(ClubChangeKind.IMPORTED, after=after)


def _match(at: ClubStep, person: Person) -> None:
    """Say who of the roster a person is, where nobody has and the name leaves no doubt."""
    if person.club_person_id is None and (same := roster.match(at.club, person.name)):
        person.club_person = same
        person.save(update_fields=("club_person",))


def _told(at: ClubStep, paper: PaperSheet, version: int) -> portable.Sheet:
    """Return the sheet with every hand settled."""
    deal = Deal(paper.names, paper.first_dealer, paper.off_sheet, paper.game, paper.house)
    played_at = datetime.datetime.combine(paper.evening, BEGINS, tzinfo=at.club.zone)
    rounds = []
    for number, hand in enumerate(paper.hands, start=1):
        dealt = deal.play(hand)
        if dealt.settled is None:
            assert dealt.error is not None
            raise dealt.error
        rounds.append(_round(at, number, dealt, dealt.settled, deal.seated, played_at, version))
    if not rounds:
        raise Refusal(Why.NOTHING)
    return portable.Sheet(
        id=codes.new_public_id(),
        game=paper.game,
        state=SheetState.BANKED,
        rules=1,
        started_at=played_at,
        ended_at=played_at,
        played_at=played_at,
        pot=deal.pot,
        dealer_mark=paper.first_dealer + 1,
        players=tuple(
            portable.Player(
                id=one.pk, person=one.pk, place=one.place, name=one.name, scores=one.scores
            )
            for one in deal.seated
        ),
        rounds=tuple(rounds),
    )


def _round(
    at: ClubStep,
    number: int,
    dealt: Dealt,
    settled: Settled,
    seated: Sequence[Player],
    played_at: datetime.datetime,
    version: int,
) -> portable.Round:
    fields = settled.fields
    columns = zip(seats.scoring(seated), settled.units, strict=True)
    return portable.Round(
        id=uuid.uuid5(at.write.key, str(number)),
        kind=RoundKind(fields["kind"]),
        rules=1,
        position=number * POSITION_GAP,
        dealer=dealt.dealer.pk,
        sitter=dealt.sitter.pk if dealt.sitter else None,
        bidder=fields["bidder_id"],
        bid=fields["bid"],
        trump=fields["trump"],
        outcome=fields["outcome"],
        counts=fields["counts"],
        pot=fields["pot"],
        changed=version,
        entered_at=played_at,
        entries=tuple(portable.Entry(player=one.pk, units=n) for one, n in columns),
    )
