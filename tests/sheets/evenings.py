"""Banked sheets of a club row by row, quicker than by actions; results come by the real hook.

And what they come to, counted slowly from the rounds and entries alone.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import zoneinfo
from fractions import Fraction

from rules import auction, cards, games
from sheets import codes
from sheets.actions.opening import stored_rules
from sheets.actions.results import keep_results
from sheets.models import Club, ClubPerson, Entry, Person, Player, Round, Sheet, Table

THREE = auction.HouseRules()
FOUR = auction.HouseRules(fourth=auction.Fourth.OFF_SHEET)
AUCTION = games.GAMES["auction"]
OUTCOMES = {"made": "made", "set": "sets", "thrown_in": "thrown_in"}


@dataclasses.dataclass(frozen=True)
class Hand:
    """A row to be written: `bidder` is a seat, `units` those of a row that is not computed."""

    kind: str = "played"
    bidder: int = 1
    bid: int = 320
    trump: str = "hearts"
    outcome: str = "made"
    units: tuple = (0, 0, 0)
    taken_back: bool = False


def a_club_row(name="Club", time_zone="Europe/Berlin"):
    """A club and nothing else."""
    slug = f"{name.lower()}-{codes.new_public_id()}"[:40]
    return Club.objects.create(name=name, slug=slug, time_zone=time_zone, code=codes.new_code())


def a_table(club, people):
    """A table of the club and its people: (name, who of the roster) each."""
    table = Table.objects.create(club=club, code=codes.new_code(), time_zone=club.time_zone)
    for name, who in people:
        Person.objects.create(table=table, name=name, club_person=who)
    return table


def bank(table, people, hands, at, review="to_review"):
    """Bank a sheet of these people, by seat; a fourth has no column."""
    house = FOUR if len(people) == 4 else THREE
    sheet = Sheet.objects.create(
        table=table,
        club=table.club,
        game="auction",
        state="banked",
        house_rules=stored_rules("auction", house),
        started_at=at,
        ended_at=at,
        played_at=at,
        review=review,
        review_note="" if review in ("to_review", "approved") else "said why",
    )
    players = Player.objects.bulk_create(
        Player(
            sheet=sheet,
            person=person,
            place=place,
            name=person.name,
            name_key=f"{place}",
            scores=place < 3,
        )
        for place, person in enumerate(people)
    )
    sheet.dealer_mark = players[0]
    sheet.save()
    rows = Round.objects.bulk_create(
        _round(sheet, players, n, hand, at) for n, hand in enumerate(hands)
    )
    Entry.objects.bulk_create(
        Entry(round=row, player=player, units=units, signed=False)
        for row, hand in zip(rows, hands, strict=True)
        for player, units in zip(players, units_of(hand, house, players), strict=False)
        if player.scores
    )
    settle_up(sheet)
    return sheet


def settle_up(sheet):
    """Let totals and results follow the rounds."""
    for player in sheet.players.filter(scores=True):
        standing = player.entries.filter(round__taken_back=False)
        player.total = sum(standing.values_list("units", flat=True))
        player.save()
    keep_results(sheet)


def throw_in(sheet):
    """Correct the first played hand: it was thrown in."""
    row = sheet.rounds.filter(kind="played", taken_back=False).order_by("position").first()
    if row is None:
        return
    players = list(sheet.players.order_by("place"))
    row.outcome, row.trump = "thrown_in", None
    row.save()
    for payment_to, units in enumerate(settled(row, players, {}).entries):
        row.entries.filter(player=players[payment_to]).update(units=units)
    settle_up(sheet)


def _round(sheet, players, n, hand, at):
    played, dealt = hand.kind == "played", hand.kind != "correction"
    return Round(
        sheet=sheet,
        position=1000 * (n + 1),
        kind=hand.kind,
        house_rules=sheet.house_rules,
        dealer=players[n % len(players)] if dealt else None,
        bidder=players[hand.bidder] if played else None,
        bid=hand.bid if played else None,
        trump=hand.trump if played and hand.outcome != "thrown_in" else None,
        outcome=hand.outcome if played else None,
        reason="" if dealt else "a gift",
        taken_back=hand.taken_back,
        changed=n,
        entered_at=at,
        sitter=_sitter(players, n, hand) if dealt else None,
    )


def _sitter(players, n, hand):
    """Who sits out of four: not who deals, and not who bids."""
    if len(players) < 4:
        return None
    others = {n % 4, hand.bidder if hand.kind == "played" else n % 4}
    return next(player for place, player in enumerate(players) if place not in others)


def units_of(hand, house, players):
    if hand.kind != "played":
        return hand.units
    return auction.settle(
        _hand(hand.bidder, hand.bid, hand.trump, hand.outcome, players), house
    ).entries


def _hand(bidder, bid, trump, outcome, players):
    return auction.Hand(
        bidder=bidder,
        bid=bid,
        trump=cards.Suit(trump) if trump and outcome != "thrown_in" else None,
        outcome=auction.Outcome(outcome),
        off_sheet=3 if len(players) == 4 else None,
    )


def settled(row, players, taken_in):
    """How a row was settled; None where nobody can tell."""
    house = row.house_rules.value
    if row.kind == "played":
        bidder = [player.pk for player in players].index(row.bidder_id)
        return AUCTION.settle(_hand(bidder, row.bid, row.trump, row.outcome, players), house)
    if row.kind == "typed":
        units = [taken_in.get(player.pk, 0) for player in players if player.scores]
        return AUCTION.settle_row(units, house, off_sheet=3 if len(players) == 4 else None)
    return None


# The slow way.


def evening_of(sheet):
    local = sheet.played_at.astimezone(zoneinfo.ZoneInfo(sheet.club.time_zone))
    early = local.hour < 6
    return local.date() - datetime.timedelta(days=1) if early else local.date()


def counts_as(person: ClubPerson | None):
    while person is not None and person.merged_into is not None:
        person = person.merged_into
    return person


def count_sheets(club):
    """Each sheet that counts with its evening, and the figures of each at it: (who, figures)."""
    counted = []
    for sheet in Sheet.objects.filter(club=club).select_related("club", "house_rules"):
        if sheet.state != "banked" or sheet.review == "set_aside":
            continue
        ones = [
            (getattr(counts_as(player.person.club_person), "pk", None), figures)
            for player, figures in _of_sheet(sheet).items()
            if figures["hands"] or figures["units"]
        ]
        counted.append((sheet, evening_of(sheet), ones))
    return counted


def slowly(counted, season=None):
    """What each person of the roster comes to, by key; and the seats and sheets of nobody."""
    found, nobodys = {}, []
    for sheet, evening, ones in counted:
        if season is not None and not season.starts <= evening <= season.ends:
            continue
        for who, figures in ones:
            if who is None:
                nobodys.append(sheet.pk)
            else:
                found.setdefault(who, []).append((sheet, evening, figures))
    return {pk: _added(ones) for pk, ones in found.items()}, (len(nobodys), len(set(nobodys)))


def _of_sheet(sheet):
    players = list(sheet.players.select_related("person__club_person").order_by("place"))
    figures = {player: collections.Counter() for player in players}
    unknown = False
    standing = sheet.rounds.filter(taken_back=False).select_related("house_rules")
    for row in standing.prefetch_related("entries"):
        taken_in = {entry.player_id: entry.units for entry in row.entries.all()}
        for player in players:
            figures[player]["units"] += taken_in.get(player.pk, 0)
            dealt = row.kind != "correction"
            figures[player]["hands"] += dealt and player.pk != row.sitter_id
            if row.kind == "played" and player.pk == row.bidder_id:
                figures[player]["bids"] += 1
                figures[player][OUTCOMES[row.outcome]] += 1
                figures[player]["bid_points"] += row.bid
                figures[player]["spades"] += row.trump == "spades"
        settlement = settled(row, players, taken_in)
        if settlement is None:
            unknown = unknown or any(taken_in.values())
            continue
        for payment in settlement.payments:
            figures[players[payment.payee]]["net"] += payment.units
            figures[players[payment.payer]]["net"] -= payment.units
    most = max(one["units"] for player, one in figures.items() if player.scores)
    won = [p for p, one in figures.items() if p.scores and most and one["units"] == most]
    for player, one in figures.items():
        one["unknown"] = int(unknown)
        one["wins"], one["shared"] = player in won, player in won and len(won) > 1
    return figures


def _added(ones):
    total = collections.Counter()
    for _sheet, _evening, figures in ones:
        total.update(figures)
    known = [figures["net"] for *_, figures in ones if not figures["unknown"]]
    best = max(ones, key=lambda one: (one[2]["units"], one[0].played_at, one[0].pk))
    return {
        **{
            name: total[name]
            for name in ("units", "wins", "shared", "unknown", "hands", "bids", "made", "sets")
        },
        **{name: total[name] for name in ("thrown_in", "bid_points", "spades")},
        "sheets": len(ones),
        "net": sum(known) if known else None,
        "best": (best[2]["units"], best[0].public_id, best[1]),
    }


def share(one, over, under):
    return Fraction(one[over], one[under]) if one[under] else None


# What each column of the standings holds, of somebody's slow figures.
COLUMNS = {
    **{
        name: (lambda one, name=name: one[name])
        for name in ("units", "sheets", "wins", "net", "hands", "bids", "sets")
    },
    **{name: (lambda one, name=name: one[name]) for name in ("thrown_in", "spades")},
    "made": lambda one: share(one, "made", "bids"),
    "average": lambda one: share(one, "bid_points", "bids"),
    "per_hand": lambda one: share(one, "units", "hands"),
    "best": lambda one: one["best"][0],
}
