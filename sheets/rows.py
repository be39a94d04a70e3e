"""The rows of a sheet: the hands that stand, what each player took in, who pays whom, who leads."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence

from django.db.models import Count
from django.utils import timezone

from rules import cards, games
from rules.payments import Settlement, share
from sheets import queries, seats
from sheets.models import Entry, HouseRules, Player, Round, RoundKind, Sheet

NEWEST = 30  # hands on a page before the older ones are asked for
ASLEEP_AFTER = datetime.timedelta(hours=12)


@dataclasses.dataclass(frozen=True, slots=True)
class Handover:
    """A seat that changed hands between two rounds: who left, who came, and who stays on.

    `stays`: one of four who had no column, and has one from then on. `number` is that of the hand
    it holds from, `position` the place of the last one before.
    """

    left: Player | None
    came: Player | None
    position: int
    number: int = 0

    @property
    def stays(self) -> bool:
        """Whether it is one person who stays, and only gets a column."""
        if self.left is None or self.came is None:
            return False
        return self.left.person_id == self.came.person_id


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One hand as the pad shows it. Numbers are strings: templates format integers slowly.

    `seated` are the players at the table then, by seat; `units` what those with a column took in,
    by seat too. `cells` and `running` follow the columns of the sheet: empty where nobody sat.
    """

    round: Round
    number: str
    seated: tuple[Player, ...]
    bidder: str
    bid: str
    suit: cards.Suit | None
    units: tuple[int | None, ...]
    cells: tuple[str, ...]
    running: tuple[str, ...]
    # A typed row that no hand gives.
    odd: bool
    # The players whose numbers a half hand waits for.
    missing: tuple[Player, ...]
    # Nobody in another seat has said yet that it is right, at a table that wants that.
    unconfirmed: bool
    # Who came and who left after this hand, before the next.
    handovers: tuple[Handover, ...] = ()

    @property
    def scoring(self) -> list[Player]:
        """Those at the table who have a column, by seat."""
        return seats.scoring(self.seated)

    @property
    def sitter(self) -> Player | None:
        """Who sat out, where four were at the table and somebody kept track of it."""
        pk = self.round.sitter_id
        return None if pk is None else seats.player(self.seated, pk)

    @property
    def bid_off_sheet(self) -> bool:
        """Whether the fourth bid, whose hand is settled beside the sheet: a row of zeros."""
        pk = self.round.bidder_id
        return pk is not None and not seats.player(self.seated, pk).scores

    def taken_in(self) -> list[tuple[Player, str]]:
        """Return what each player with a column took in, for the page; "?" where it is missing."""
        return list(zip(self.scoring, map(_shown, self.units), strict=True))

    def pairs(self) -> list[tuple[str, str]]:
        """Return the cell of each column, with the running total after it."""
        return list(zip(self.cells, self.running, strict=True))


def lines(
    sheet: Sheet,
    players: Sequence[Player],
    where: queries.Next,
    *,
    newest: int | None = NEWEST,
) -> list[Line]:
    """Return the hands that stand before `where`, newest first; `newest` None wants all.

    Running totals are counted back from the players' totals, so that a page of a long sheet need
    not read the older hands.
    """
    # A hand entered since they were counted would shift all numbers: it waits for the next look.
    standing_rounds = sheet.rounds.filter(taken_back=False, position__lt=where.position)
    rounds = list(standing_rounds.order_by("-position")[:newest])
    entries: dict[int, dict[int, int]] = {row.pk: {} for row in rounds}
    handovers = _handovers(players)
    found = Entry.objects.filter(round__in=rounds)
    for row_id, player_id, units in found.values_list("round", "player", "units"):
        entries[row_id][player_id] = units
    running = {player.pk: player.total for player in players}
    houses = _houses(sheet, rounds)
    shown = []
    for number, row in zip(range(where.number - 1, 0, -1), rounds, strict=False):
        row.house_rules, row.sheet = houses[row.house_rules_id], sheet
        line = _line(row, players, number, entries[row.pk], running)
        if after := [one for one in handovers if one.position >= row.position]:
            handovers = [one for one in handovers if one.position < row.position]
            told = (dataclasses.replace(one, number=number + 1) for one in after)
            line = dataclasses.replace(line, handovers=tuple(told))
        shown.append(line)
        for player_id, units in entries[row.pk].items():
            running[player_id] -= units
    return shown


def _houses(sheet: Sheet, rounds: Sequence[Round]) -> dict[int, HouseRules]:
    """Return the rules of these rounds by key; mostly they are the sheet's, which are there."""
    others = {row.house_rules_id for row in rounds} - {sheet.house_rules_id}
    found = HouseRules.objects.in_bulk(others) if others else {}
    return {sheet.house_rules_id: sheet.house_rules, **found}


def _handovers(players: Sequence[Player]) -> list[Handover]:
    """Return every seat that changed hands, in the order in which they did."""
    left = {(one.until, one.place): one for one in players if one.until and one.ever_sat}
    came = {(one.since, one.place): one for one in players if one.since and one.ever_sat}
    handovers = [
        Handover(left.get((after, place)), came.get((after, place)), after.position)
        for after, place in left.keys() | came.keys()
        if after is not None
    ]
    return sorted(handovers, key=lambda one: one.position)


def line_of(row: Round, players: Sequence[Player]) -> Line:
    """Return one hand as the pad shows it."""
    return line_from(row, players, queries.number_of(row), entries_of(row))


def line_from(
    row: Round, players: Sequence[Player], number: int, taken_in: Mapping[int, int]
) -> Line:
    """Return a hand as the pad shows it, from what is at hand: it asks the database nothing."""
    return _line(row, players, number, taken_in, taken_in)


def entries_of(row: Round) -> dict[int, int]:
    """Return what each player took in, by key; a number that a half hand waits for is not there."""
    return dict(row.entries.values_list("player", "units"))


def units_of(row: Round, players: Sequence[Player]) -> list[int | None]:
    """Return what those with a column took in, by seat; None where the number is missing."""
    by_player = entries_of(row)
    return [by_player.get(one.pk) for one in seats.scoring(seats.during(players, row))]


def _shown(units: int | None) -> str:
    return "?" if units is None else str(units)


def _line(
    row: Round,
    players: Sequence[Player],
    number: int,
    taken_in: Mapping[int, int],
    running: Mapping[int, int],
) -> Line:
    whole = not row.half
    wants_a_word = row.sheet.table.confirms and row.sheet.is_open and not row.taken_back
    seated = seats.during(players, row)
    scoring = seats.scoring(seated)
    units = tuple(taken_in.get(one.pk) for one in scoring)
    at_place = {one.place: one.pk for one in scoring}
    heads = [at_place.get(head.place) for head in seats.columns(players)]
    return Line(
        round=row,
        number=str(number),
        seated=tuple(seated),
        bidder=seats.player(seated, row.bidder_id).name if row.bidder_id else "",
        bid=str(row.bid or ""),
        suit=cards.Suit(row.trump) if row.trump else None,
        units=units,
        cells=tuple("" if pk is None else _shown(taken_in.get(pk)) for pk in heads),
        running=tuple("" if pk is None else str(running.get(pk, 0)) for pk in heads),
        odd=row.kind == RoundKind.TYPED and whole and _is_odd(row, seated, units),
        missing=tuple(p for p, n in zip(scoring, units, strict=True) if n is None),
        unconfirmed=wants_a_word and whole and row.confirmed_by_id is None,
    )


def _is_odd(row: Round, seated: Sequence[Player], units: Sequence[int | None]) -> bool:
    game = games.GAMES[row.house_rules.game]
    return bool(game.row_doubts([n or 0 for n in units], row.house_rules.value))


def pot_taken(line: Line) -> int:
    """Return how many units a hand took from the pot; mostly none."""
    if not line.round.pot or line.round.kind != RoundKind.PLAYED:
        return 0
    settled = settlement(line)
    assert settled is not None
    return sum(one.units for one in settled.payments if one.payer == games.POT)


def settlement(line: Line) -> Settlement | None:
    """Return who pays whom for a hand and why, under its own rules; None where nobody can tell.

    A typed row is settled where its numbers are all there and have one of the shapes of the game.
    """
    row, seated = line.round, line.seated
    game = games.GAMES[row.house_rules.game]
    house = row.house_rules.value
    match RoundKind(row.kind):
        case RoundKind.PLAYED:
            return game.settle(seats.played(game, seated, row), house, pot=row.pot or 0)
        case RoundKind.TYPED:
            there = [n for n in line.units if n is not None]
            if len(there) < len(line.units):
                return None
            return game.settle_row(there, house, off_sheet=seats.off_sheet(seated))
        case RoundKind.POT_SHARED:
            return share(row.pot or 0, len(seated), seats.off_sheet(seated))
        case RoundKind.PASSED_OUT | RoundKind.CORRECTION:
            return None


@dataclasses.dataclass(frozen=True, slots=True)
class Standing:
    """A player's place on a sheet; equal totals share one, and the next is skipped."""

    player: Player
    place: int
    total: str
    leads: bool
    # Whether the column bears this player's name: nobody sat down there later.
    heads: bool


def standings(players: Sequence[Player]) -> list[Standing]:
    """Return the place of everybody who has or had a column, in the order of the columns.

    Nobody leads before somebody has more than the others.
    """
    ranked = seats.scoring(players)
    totals = sorted((player.total for player in ranked), reverse=True)
    heads = seats.columns(players)
    return [
        Standing(
            player=player,
            place=1 + sum(other.total > player.total for other in ranked),
            total=str(player.total),
            leads=player.total == totals[0] > totals[1],
            heads=player in heads,
        )
        for player in ranked
    ]


def winners(players: Sequence[Player]) -> list[Player]:
    """Return who took in the most; several on a tie, nobody where every column is 0."""
    ranked = seats.scoring(players)
    most = max(player.total for player in ranked)
    return [player for player in ranked if most and player.total == most]


@dataclasses.dataclass(frozen=True, slots=True)
class Shares:
    """How often somebody dealt, or sat out, hands that stand.

    `each` has everybody who was ever at the table, once; `by_seat` counts what was done at each
    seat that is taken now, whoever sat there.
    """

    each: tuple[tuple[Player, int], ...]
    by_seat: tuple[int, ...]

    @property
    def uneven(self) -> bool:
        """Whether somebody had two turns more than somebody else."""
        return max(self.by_seat) - min(self.by_seat) > 1


def deals(sheet: Sheet, players: Sequence[Player]) -> Shares:
    """Return how often everybody has dealt a hand that stands."""
    return _counted(sheet, players, "dealer")


def sit_outs(sheet: Sheet, players: Sequence[Player]) -> Shares:
    """Return how often everybody has sat out a hand that stands."""
    return _counted(sheet, players, "sitter")


def _counted(sheet: Sheet, players: Sequence[Player], who: str) -> Shares:
    standing = sheet.rounds.filter(taken_back=False).order_by()
    counted = dict(standing.values_list(who).annotate(Count("pk")))
    each: dict[int, tuple[Player, int]] = {}
    by_place: dict[int, int] = {}
    for one in players:
        n = counted.get(one.pk, 0)
        by_place[one.place] = by_place.get(one.place, 0) + n
        if one.ever_sat:
            before = each[one.person_id][1] if one.person_id in each else 0
            each[one.person_id] = (one, before + n)
    taken = (by_place[one.place] for one in seats.now(players))
    return Shares(tuple(each.values()), tuple(taken))


def asleep(sheet: Sheet, shown: Sequence[Line]) -> bool:
    """Say whether an open sheet's last hand is so old that the evening is probably another one."""
    return (
        sheet.is_open and bool(shown) and timezone.now() - shown[0].round.entered_at > ASLEEP_AFTER
    )
