"""Hands: enter one, put a forgotten one in its place, change it, take it back, put it back."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Case, F, Max, When

from rules import games
from sheets import queries, seats
from sheets.actions.writing import Refusal, Step, Why, action
from sheets.models import Change, ChangeKind, Entry, HouseRules, Player, Round, RoundKind, Sheet
from sheets.models.sheet import POSITION_GAP


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class EnteredHand:
    """One hand as a form read it; people are keys of players.

    A played hand has bidder, bid, outcome and mostly trump; a typed one has units, one for each
    player. `dealer` None: whoever is next.
    """

    kind: RoundKind
    bidder: int | None = None
    bid: int | None = None
    trump: str | None = None
    outcome: str | None = None
    units: Mapping[int, int] | None = None
    counts: Mapping[str, int] | None = None
    dealer: int | None = None


# What another phone may have done meanwhile that makes a new hand a question.
_ENTER_IS_STALE_AFTER = (
    ChangeKind.HAND_ENTERED,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.SEATS_CHANGED,
)
# What makes a change of the same hand one; confirming it changes nothing of it.
ANY_CHANGE_OF_A_HAND = (
    ChangeKind.HAND_EDITED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.HAND_CORRECTED,
    ChangeKind.NUMBER_ENTERED,
)


@action
def enter_hand(
    at: Step, sheet_id: str, entered: EnteredHand, *, before: uuid.UUID | None = None
) -> Change:
    """Put a hand at the end of the open sheet, or a forgotten one in its place before another.

    The hand's public id is the key it was sent with. Refuses when another phone has entered or put
    back a hand, or changed the seats, since the form was opened; and while a hand waits for
    numbers, unless the new one is a forgotten hand.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(_ENTER_IS_STALE_AFTER, sheet=sheet)
    half = None
    if before is None:
        where = queries.where_next(sheet, players)
        half = where.half
    else:
        where = _before(_round(sheet, before), players)
    for change in at.begun_by_others(sheet):
        if change.round is not None and change.round.public_id != half:
            raise Refusal(Why.STALE, change=change, sheet=sheet)
    if half is not None:
        raise Refusal(Why.HALF, sheet=sheet)
    dealer = _dealer(entered, players) or where.dealer
    row, units = _settled(sheet.house_rules, players, dealer, entered)
    new = Round.objects.create(
        public_id=at.write.key,
        sheet=sheet,
        position=where.position,
        house_rules=sheet.house_rules,
        dealer=dealer,
        changed=at.version,
        entered_by=at.me,
        **row,
    )
    store_entries(new, zip(players, units, strict=True))
    add_to_totals(players, units)
    after = state(new, players, units, where.number)
    if before is not None:
        after["before"] = str(before)
    return at.record(ChangeKind.HAND_ENTERED, sheet=sheet, round=new, after=after)


@action
def edit_hand(at: Step, round_id: uuid.UUID, entered: EnteredHand) -> Change:
    """Change a hand that stands, under the rules it was settled under.

    Refuses when another phone changed the same hand, or the seats, since the form was opened.
    """
    sheet, players, old = open_round(at, round_id)
    # The form holds the dealer; moving the seats has given the hand another one.
    at.refuse_if_others([ChangeKind.SEATS_CHANGED], sheet=sheet)
    if old.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    return _rewrite(at, ChangeKind.HAND_EDITED, sheet, players, old, entered)


@action
def correct_hand(at: Step, round_id: uuid.UUID, entered: EnteredHand, *, reason: str) -> Change:
    """Correct a hand as staff, on an open or a banked sheet, with a reason that stays on record."""
    sheet, players, old = _any_round(at, round_id)
    at.refuse_if_others(ANY_CHANGE_OF_A_HAND, sheet=sheet, round=old)
    at.refuse_if_others([ChangeKind.SEATS_CHANGED], sheet=sheet)
    if old.taken_back:
        raise Refusal(Why.TAKEN_BACK, sheet=sheet)
    return _rewrite(at, ChangeKind.HAND_CORRECTED, sheet, players, old, entered, reason=reason)


@action
def take_back(at: Step, round_id: uuid.UUID) -> Change:
    """Take a hand off the sheet. It stays in history and can be put back."""
    return _stand(at, round_id, taken_back=True)


@action
def put_back(at: Step, round_id: uuid.UUID) -> Change:
    """Put a hand that was taken back where it stood."""
    return _stand(at, round_id, taken_back=False)


def _stand(at: Step, round_id: uuid.UUID, *, taken_back: bool) -> Change:
    sheet, players, row = open_round(at, round_id)
    if row.taken_back == taken_back:
        raise Refusal(Why.TAKEN_BACK if taken_back else Why.STANDS, sheet=sheet)
    if row.half and not taken_back and queries.where_next(sheet, players).half is not None:
        raise Refusal(Why.HALF, sheet=sheet)
    units = queries.units_of(row, players)
    number = queries.number_of(row)
    row.taken_back, row.changed, row.confirmed_by = taken_back, at.version, None
    row.save(update_fields=("taken_back", "changed", "confirmed_by"))
    add_to_totals(players, [-(n or 0) if taken_back else n or 0 for n in units])
    kind = ChangeKind.HAND_TAKEN_BACK if taken_back else ChangeKind.HAND_PUT_BACK
    return at.record(kind, sheet=sheet, round=row, after=state(row, players, units, number))


def _rewrite(
    at: Step,
    kind: ChangeKind,
    sheet: Sheet,
    players: list[Player],
    row: Round,
    entered: EnteredHand,
    reason: str = "",
) -> Change:
    """Replace what a round says, all its numbers too, and move the totals by the difference."""
    number = queries.number_of(row)
    old_units = queries.units_of(row, players)
    before = state(row, players, old_units, number)
    row.dealer = _dealer(entered, players) or seats.player(players, row.dealer_id)
    fields, units = _settled(row.house_rules, players, row.dealer, entered)
    row.changed, row.half, row.confirmed_by = at.version, False, None
    for name, value in fields.items():
        setattr(row, name, value)
    row.save(update_fields=("dealer", "changed", "half", "confirmed_by", *fields))
    whens = [When(player=p, then=n) for p, n in zip(players, units, strict=True)]
    row.entries.update(units=Case(*whens))
    pairs = list(zip(players, units, old_units, strict=True))
    store_entries(row, [(player, new) for player, new, old in pairs if old is None])
    add_to_totals(players, [new - (old or 0) for _player, new, old in pairs])
    after = state(row, players, units, number)
    return at.record(kind, sheet=sheet, round=row, before=before, after=after, reason=reason)


def _any_round(at: Step, round_id: uuid.UUID) -> tuple[Sheet, list[Player], Round]:
    row = (
        Round.objects.filter(public_id=round_id, sheet__table=at.table)
        .select_related("sheet", "house_rules")
        .first()
    )
    if row is None:
        raise Refusal(Why.NOT_THERE)
    sheet, players = at.sheet(row.sheet.public_id)
    row.sheet = sheet
    return sheet, players, row


def open_round(at: Step, round_id: uuid.UUID) -> tuple[Sheet, list[Player], Round]:
    """Return a round of the open sheet that no other phone has changed meanwhile, or refuse."""
    sheet, players, row = _any_round(at, round_id)
    if not sheet.is_open:
        raise Refusal(Why.ENDED, sheet=sheet)
    at.refuse_if_others(ANY_CHANGE_OF_A_HAND, sheet=sheet, round=row)
    return sheet, players, row


def _round(sheet: Sheet, round_id: uuid.UUID) -> Round:
    found = sheet.rounds.filter(public_id=round_id).first()
    if found is None:
        raise Refusal(Why.NOT_THERE)
    return found


def _dealer(entered: EnteredHand, players: list[Player]) -> Player | None:
    return None if entered.dealer is None else seats.player(players, entered.dealer)


def _settled(
    house: HouseRules, players: list[Player], dealer: Player, entered: EnteredHand
) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Return the round's own fields and everybody's units; the rules decide a played hand."""
    row: dict[str, Any] = {
        "kind": entered.kind,
        "bidder_id": entered.bidder,
        "bid": entered.bid,
        "trump": entered.trump,
        "outcome": entered.outcome,
        "counts": entered.counts,
    }
    match entered.kind:
        case RoundKind.TYPED:
            units = entered.units or {}
            return row, tuple(units[player.pk] for player in players)
        case RoundKind.PASSED_OUT:
            return row, (0,) * len(players)
        case RoundKind.PLAYED:
            game = games.GAMES[house.game]
            hand = seats.hand(
                game,
                players,
                bidder=entered.bidder,
                bid=entered.bid,
                trump=entered.trump,
                outcome=entered.outcome,
                dealer=dealer.pk,
            )
            return row, game.settle(hand, house.value).entries


def _before(later: Round, players: list[Player]) -> queries.Next:
    """Return where a forgotten hand goes, with room made for it where there is none left."""
    where = queries.where_before(later, players)
    if where.position and not later.sheet.rounds.filter(position=where.position).exists():
        return where
    _space_out(later.sheet)
    later.refresh_from_db(fields=("position",))
    return queries.where_before(later, players)


def _space_out(sheet: Sheet) -> None:
    """Move all positions apart again; two steps, because no two may meet on the way."""
    rounds = list(sheet.rounds.order_by("position"))
    far = (sheet.rounds.aggregate(last=Max("position"))["last"] or 0) + POSITION_GAP
    sheet.rounds.update(position=F("position") + far + POSITION_GAP * len(rounds))
    for place, row in enumerate(rounds, start=1):
        row.position = place * POSITION_GAP
    Round.objects.bulk_update(rounds, ["position"])


def store_entries(row: Round, numbers: Iterable[tuple[Player, int]]) -> None:
    """Store what these players took in."""
    signed = games.GAMES[row.sheet.game].SIGNED
    Entry.objects.bulk_create(
        Entry(round=row, player=player, units=n, signed=signed) for player, n in numbers
    )


def add_to_totals(players: list[Player], units: Sequence[int]) -> None:
    """Add what each player took in to the running totals."""
    whens = [When(pk=p.pk, then=F("total") + n) for p, n in zip(players, units, strict=True)]
    Player.objects.filter(sheet=players[0].sheet_id).update(total=Case(*whens, default=F("total")))


def state(
    row: Round, players: list[Player], units: Sequence[int | None], number: int
) -> dict[str, Any]:
    """Return what history keeps of a round: ids, never names; `number` as people called it then.

    The units of a half hand are null where they are missing.
    """
    return {
        "number": number,
        "kind": str(row.kind),
        "dealer": row.dealer_id,
        "bidder": row.bidder_id,
        "bid": row.bid,
        "trump": row.trump,
        "outcome": row.outcome,
        "counts": row.counts,
        # Pairs in the order of the columns: a database may reorder the keys of an object.
        "units": [[player.pk, n] for player, n in zip(players, units, strict=True)],
    }
