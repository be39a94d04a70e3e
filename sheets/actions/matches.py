"""The match: who deals, under which names, the pot shared, End match and Play again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Case, Q, When
from django.utils import timezone

from rules.payments import share
from sheets import names, phone_queries, queries, seats
from sheets.actions.answers import Refusal, Saved, Why
from sheets.actions.keeping import add_to_totals, state, store_entries, units_by_column
from sheets.actions.likening import likens
from sheets.actions.opening import (
    FRESH_CODE,
    freshen_code,
    opening,
    recognise,
    start_sheet,
    stored_rules,
)
from sheets.actions.results import keep_results
from sheets.actions.writing import Step, action
from sheets.models import (
    Change,
    ChangeKind,
    NameUsed,
    Person,
    Player,
    Round,
    RoundKind,
    SheetState,
)

# What another phone may have done that changes the final line End match asks about.
CHANGES_THE_LINE = (
    ChangeKind.HAND_ENTERED,
    ChangeKind.HAND_EDITED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.HAND_CORRECTED,
    ChangeKind.NUMBER_ENTERED,
    ChangeKind.SEATS_CHANGED,
    ChangeKind.SAT_DOWN,
    ChangeKind.POT_SHARED,
    ChangeKind.TOTALS_REPLACED,
    ChangeKind.TOTALS_RESTORED,
    ChangeKind.RULES_CHANGED,
    ChangeKind.RULES_RESTORED,
    ChangeKind.SHEET_REOPENED,
)
# What another phone may have done that changes whose turn it is to deal.
_CHANGES_THE_DEAL = (
    ChangeKind.DEALER_SET,
    ChangeKind.HAND_ENTERED,
    ChangeKind.HAND_TAKEN_BACK,
    ChangeKind.HAND_PUT_BACK,
    ChangeKind.SAT_DOWN,
)
# A sheet that came from paper or a file was started and ended elsewhere.
_STARTED = (ChangeKind.TABLE_STARTED, ChangeKind.SHEET_STARTED, ChangeKind.SHEET_IMPORTED)
_ENDED = (ChangeKind.SHEET_BANKED, ChangeKind.SHEET_DISCARDED, ChangeKind.SHEET_IMPORTED)


@action
def set_dealer(at: Step, sheet_id: str, player: int) -> Change:
    """Put the dealer mark on a player by hand; it holds until the next hand stands."""
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(_CHANGES_THE_DEAL, sheet=sheet)
    for change in at.begun_by_others(sheet):
        raise Refusal(Why.STALE, change=change, sheet=sheet)
    where = queries.where_next(sheet, players)
    sheet.dealer_mark = seats.player(seats.now(players), player)
    sheet.dealer_marked_after = sheet.rounds.filter(taken_back=False).order_by("position").last()
    sheet.save(update_fields=("dealer_mark", "dealer_marked_after"))
    return at.record(
        ChangeKind.DEALER_SET,
        sheet=sheet,
        before={"dealer": where.dealer.pk},
        after={"dealer": player, "number": where.number},
    )


@action
def rename(at: Step, sheet_id: str, table_name: str, new: Mapping[int, str]) -> Change:
    """Give the table and the players at its open sheet these names; scores stay where they are.

    `new` maps keys of players to names that have been cleaned and are unique. Banked sheets keep
    the names they were banked with.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others([ChangeKind.NAMES_CHANGED, ChangeKind.SAT_DOWN], sheet=sheet)
    renamed = [one for one in seats.now(players) if one.name != new.get(one.pk, one.name)]
    before = {"table": at.table.name, "names": _names_used(renamed)}
    # Two players may swap names: the unique keys must not meet on the way, so each is first set to
    # one that no name can have.
    for player in renamed:
        Player.objects.filter(pk=player.pk).update(name_key=names.no_key(player.pk))
    for player in renamed:
        player.name = new[player.pk]
        player.name_key = names.key(player.name)
        player.save(update_fields=("name", "name_key"))
        # Whoever left and came back goes by one name on the sheet.
        earlier = Player.objects.filter(sheet=sheet, person=player.person_id)
        earlier.update(name=player.name, name_key=player.name_key)
        Person.objects.filter(pk=player.person_id).update(
            name=player.name, name_folded=names.folded(player.name)
        )
    _recognise_renamed(at, renamed)
    at.table.name = table_name
    after = {"table": table_name, "names": _names_used(renamed)}
    return at.record(ChangeKind.NAMES_CHANGED, sheet=sheet, before=before, after=after)


def _recognise_renamed(at: Step, renamed: Sequence[Player]) -> None:
    """Note who of the club's roster people are by their new names, unless that was said before."""
    keys = [player.person_id for player in renamed]
    people = list(Person.objects.filter(pk__in=keys, table__club__isnull=False, club_person=None))
    if people:
        recognise(at.table, people)
        Person.objects.bulk_update(people, ("club_person",))


def _names_used(players: Sequence[Player]) -> dict[str, int]:
    """Return, for each player, the key of the name it goes by now."""
    used = {}
    for player in players:
        name, _created = NameUsed.objects.get_or_create(
            person_id=player.person_id, name=player.name
        )
        used[str(player.pk)] = name.pk
    return used


@likens
@action
def end_match(at: Step, sheet_id: str) -> Change | Saved:
    """Bank the sheet as it stands; a sheet on which no hand stands is discarded.

    Ending a match that has ended is answered with its end. Refuses when another phone changed a
    hand since the question was asked, so that nobody banks a line they have not seen; and while a
    hand waits for numbers.
    """
    sheet, _players = at.sheet(sheet_id)
    if not sheet.is_open:
        ended = Q(sheet=sheet, kind__in=_ENDED)
        made_room = Q(kind=ChangeKind.SHEET_REOPENED, after__discarded=sheet.pk)
        return Saved(at.table.changes.filter(ended | made_room).latest("version"), repeated=True)
    at.refuse_if_others(CHANGES_THE_LINE, sheet=sheet)
    standing = list(sheet.rounds.filter(taken_back=False).values_list("half", "dealer"))
    if any(half for half, _dealer in standing):
        raise Refusal(Why.HALF, sheet=sheet)
    sheet.state = SheetState.BANKED if standing else SheetState.DISCARDED
    sheet.ended_at, sheet.ended_by = timezone.now(), at.member
    last = queries.last_dealt(sheet)
    if last or not standing:
        sheet.played_at = last or sheet.ended_at
    sheet.save(update_fields=("state", "ended_at", "ended_by", "played_at"))
    kind = ChangeKind.SHEET_BANKED if standing else ChangeKind.SHEET_DISCARDED
    after: dict[str, Any] = {"hands": sum(dealer is not None for _half, dealer in standing)}
    if at.table.confirms:  # by now: the table or its club may decide otherwise later
        after["confirms"] = True
    done = at.record(kind, sheet=sheet, after=after)
    keep_results(sheet)
    return done


@action
def discard_sheet(at: Step, sheet_id: str, reason: str) -> Change | Saved:
    """Take an open sheet away although hands stand on it, as an organiser and with a reason.

    `reopen` gives it back. Refuses when somebody changed a hand since the question was asked.
    """
    assert at.member is None
    sheet, _players = at.sheet(sheet_id)
    if sheet.state == SheetState.DISCARDED:
        done = sheet.changes.filter(kind=ChangeKind.SHEET_DISCARDED).order_by("-version")
        if done:
            return Saved(done[0], repeated=True)
    if not sheet.is_open:
        raise Refusal(Why.ENDED, sheet=sheet)
    at.refuse_if_others(CHANGES_THE_LINE, sheet=sheet)
    sheet.state, sheet.ended_at, sheet.ended_by = SheetState.DISCARDED, timezone.now(), None
    sheet.save(update_fields=("state", "ended_at", "ended_by"))
    hands = sheet.rounds.filter(taken_back=False, dealer__isnull=False).count()
    return at.record(ChangeKind.SHEET_DISCARDED, sheet=sheet, after={"hands": hands}, reason=reason)


@action
def share_pot(at: Step, sheet_id: str) -> Change:
    """Share what is in the pot: a row with the same whole units for everybody at the table.

    What is left over stays in the pot, and hands that are entered later go on with it.
    Refuses when another phone changed the sheet since the question was asked, while a hand waits
    for numbers, and when there is less than a unit for each.
    """
    sheet, players = at.open_sheet(sheet_id)
    at.refuse_if_others(CHANGES_THE_LINE, sheet=sheet)
    where = queries.where_next(sheet, players)
    if where.half is not None:
        raise Refusal(Why.HALF, sheet=sheet)
    seated = seats.now(players)
    shared = share(sheet.pot or 0, len(seated), seats.off_sheet(seated))
    if sheet.pot is None or not shared.payments:
        raise Refusal(Why.NO_POT, sheet=sheet)
    row = Round.objects.create(
        public_id=at.write.key,
        sheet=sheet,
        position=where.position,
        kind=RoundKind.POT_SHARED,
        house_rules=sheet.house_rules,
        pot=sheet.pot,
        changed=at.version,
        entered_by=at.me,
    )
    scoring, units = seats.scoring(seated), units_by_column(seated, shared.entries)
    store_entries(row, zip(scoring, units, strict=True))
    add_to_totals(scoring, units)
    sheet.pot += shared.pot
    sheet.save(update_fields=("pot",))
    after = state(row, scoring, units, where.number)
    return at.record(ChangeKind.POT_SHARED, sheet=sheet, round=row, after=after)


@action
def play_again(
    at: Step,
    new_names: Sequence[str],
    first_dealer: int,
    *,
    house: Any = None,
    off_sheet: int | None = None,
) -> Change | Saved:
    """Open the table's next sheet with these names in seat order and this seat as first dealer.

    `house` are the house rules, None: as they were; `off_sheet` is the seat of a fourth player
    without a column.

    A name the table knows is the same person as before. With a sheet open already the answer is
    that sheet: somebody else was quicker. A code that has gone to sleep is replaced by a fresh one.
    A unit stays worth what it was.
    """
    # The open one may be an older one, whose end was taken back.
    open_first = Case(When(state=SheetState.OPEN, then=0), default=1)
    sheets = at.table.sheets.order_by(open_first, "-started_at", "-pk")
    last = sheets.select_related("house_rules")[0]
    if last.is_open:
        started = last.changes.filter(kind__in=_STARTED).earliest("version")
        return Saved(started, repeated=True)
    fresh_code = phone_queries.code_sleeps(at.table)
    if fresh_code:
        freshen_code(at.table)
        at.table.save(update_fields=FRESH_CODE)
    rules = last.house_rules if house is None else stored_rules(last.game, house)
    sheet, players = start_sheet(
        at.table, at.me, rules, new_names, first_dealer, off_sheet=off_sheet
    )
    if last.unit_cents:
        sheet.unit_cents, sheet.currency = last.unit_cents, last.currency
        sheet.save(update_fields=("unit_cents", "currency"))
    after = opening(sheet, players) | {"fresh_code": fresh_code}
    return at.record(ChangeKind.SHEET_STARTED, sheet=sheet, after=after)
