"""Who sits where: seats put right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Case, F, When

from rules import RuleError, games
from sheets import seats
from sheets.actions.answers import Moved
from sheets.actions.writing import Step, action
from sheets.models import Change, ChangeKind, Player, Round, Sheet


@action
def change_seats(at: Step, sheet_id: str, order: Sequence[int]) -> Change:
    """Seat the players in this order, clockwise; columns follow the seats.

    Bidders and units stay with the person. Dealer and sitter of every hand become whoever, of those
    at the table then, now sits where it was dealt or sat out, except at the bid the dealer is left
    with: such a hand keeps bidder and dealer. Hands that no longer fit are listed first, and stay
    as they are.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others([ChangeKind.SEATS_CHANGED, ChangeKind.SAT_DOWN], sheet=sheet)
    seated = seats.now(players)
    new_place = {
        seats.player(seated, pk).place: old.place for pk, old in zip(order, seated, strict=True)
    }
    mark = sheet.dealer_mark and seats.player(players, sheet.dealer_mark.pk).place
    places = {one.pk: one.place for one in players}
    _move(sheet, players, new_place)
    moves = _reseat_hands(sheet, players, places)
    at.ask(moves, sheet=sheet)
    for one in seats.now(players):
        if one.place == mark:
            sheet.dealer_mark = one
            sheet.save(update_fields=("dealer_mark",))
    return at.record(
        ChangeKind.SEATS_CHANGED,
        sheet=sheet,
        before={"order": [one.pk for one in seated]},
        after={"order": list(order)},
    )


def _move(sheet: Sheet, players: list[Player], new_place: Mapping[int, int]) -> None:
    """Give all who ever sat at a place its new one; in two steps, as no two may meet on the way."""
    Player.objects.filter(sheet=sheet).update(place=F("place") + 100)
    for one in players:
        one.place = new_place.get(one.place, one.place)
    whens = [When(pk=one.pk, then=one.place) for one in players]
    Player.objects.filter(sheet=sheet).update(place=Case(*whens))
    players.sort(key=lambda one: (one.place, one.pk))


def _reseat_hands(
    sheet: Sheet, players: Sequence[Player], places: Mapping[int, int]
) -> list[Moved]:
    """Give every hand the dealer and the sitter of the places it was dealt and sat out at.

    `places` are the places as they were. Returns the hands that stand and no longer fit.
    """
    rounds = list(sheet.rounds.select_related("house_rules").order_by("position"))
    unfit, number = [], 0
    for row in rounds:
        row.sheet = sheet
        number += not row.taken_back
        if row.dealer_id is None:  # it was never dealt
            continue
        seated = seats.during(players, row)
        # Three may have been at the table where now are four: seats are counted among those.
        was = sorted(seated, key=lambda one: places[one.pk])
        if not _keeps_dealer(row, was):
            row.dealer = seated[seats.seat(was, row.dealer_id or 0)]
            row.sitter = seated[seats.seat(was, row.sitter_id)] if row.sitter_id else None
        moved = _why_unfit(row, seated, number)
        if moved and not row.taken_back:
            unfit.append(moved)
        if row.sitter_id is not None and row.sitter_id == row.bidder_id:
            row.sitter = None
    Round.objects.bulk_update(rounds, ["dealer", "sitter"])
    return unfit


def _keeps_dealer(row: Round, was: Sequence[Player]) -> bool:
    """Say whether this is the bid that its bidder was left with because of who dealt.

    `was` are those at the table then, by the seats as they were.
    """
    house = row.house_rules.value
    if row.bid is None or row.bid != house.dealers_bid:
        return False
    dealer = seats.seat(was, row.dealer_id or 0)
    sitter = seats.seat(was, row.sitter_id) if row.sitter_id else None
    holder = games.GAMES[row.house_rules.game].dealers_bidder(dealer, sitter, house)
    return was[holder].pk == row.bidder_id


def _why_unfit(row: Round, seated: Sequence[Player], number: int) -> Moved | None:
    """Return why the rules would not have this hand now that others dealt it or sat it out."""
    if row.bidder_id is None:
        return None
    game = games.GAMES[row.house_rules.game]
    try:
        game.settle(seats.played(game, seated, row, dealt=True), row.house_rules.value)
    except RuleError as error:
        return Moved(round=row.pk, number=number, stays=error.message)
    return None
