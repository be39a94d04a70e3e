"""History is the truth: replaying the changes of a table gives its sheet.

The replay here knows nothing of the models' tables of rounds, entries and totals; it reads changes.
"""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.auction import HouseRules, Pot
from sheets import actions, queries, seats, typed_rows
from sheets.models import Change
from tests.sheets.conftest import NAMES


class Replay:
    """The sheet as its history tells it."""

    def __init__(self):
        self.seats = []  # who is at the table, by seat
        self.place = {}  # of everybody who ever was
        self.rounds = []  # in the order of the sheet: {"id", "state", "stands"}
        self.mark, self.marked_after = None, None

    def at(self, public_id):
        return next(n for n, row in enumerate(self.rounds) if row["id"] == str(public_id))

    def step(self, change):
        after = change.after or {}
        moved = after.pop("moved", [])
        self.change(change, after)
        for told in moved:
            self.move(told)

    def change(self, change, after):
        match change.kind:
            case "table_started" | "sheet_started":
                self.__init__()
                self.rules = after["rules"]
                self.sit(after["order"])
                self.mark = after["dealer"]
            case "hand_entered":
                before = after.pop("before", None)
                place = len(self.rounds) if before is None else self.at(before)
                row = self.row(change, after)
                if before is not None:  # by the rules, and of those at the table, of the one after
                    row |= {name: self.rounds[place][name] for name in ("there", "rules")}
                self.rounds.insert(place, row)
            case "pot_shared":
                self.rounds.append(self.row(change, after))
            case "hand_edited" | "hand_corrected":
                self.rounds[self.at(change.round.public_id)]["state"] = after
            case "number_entered" if change.before is None:
                self.rounds.append(self.row(change, after))
            case "number_entered":
                self.rounds[self.at(change.round.public_id)]["state"] = after
            case "hand_taken_back" | "hand_put_back":
                row = self.rounds[self.at(change.round.public_id)]
                row |= {"stands": change.kind == "hand_put_back", "state": after}
            case "dealer_set":
                self.mark, self.marked_after = after["dealer"], self.last_standing()
            case "sat_down":
                assert self.rules == change.before["rules"]
                self.rules = after["rules"]
                self.sit(after["order"], after["places"])
            case "seats_changed":
                self.reseat(after["order"])
            case "rules_changed" | "rules_restored":
                assert self.rules == change.before["rules"]
                self.rules = after["rules"]
                for row, had, has in after["hands"]:
                    [one] = [one for one in self.rounds if one["pk"] == row]
                    assert one["rules"] == had
                    one["rules"] = has

    def row(self, change, state):
        """A new row, under the rules of the sheet as they are."""
        row = change.round
        told = {"id": str(row.public_id), "pk": row.pk, "state": state, "stands": True}
        return told | {"rules": self.rules, "there": self.seats}

    def move(self, told):
        """What another hand takes from the pot became other units along with this change."""
        row = next(row for row in self.rounds if row["pk"] == told["round"])
        units = dict(row["state"]["units"])
        assert {player: units[player] for player, _n in told["before"]} == dict(told["before"])
        row["state"]["units"] = list((units | dict(told["after"])).items())

    def sit(self, order, places=range(4)):
        self.seats = order
        self.place |= dict(zip(order, places, strict=False))

    def reseat(self, order):
        before, places = dict(self.place), sorted(self.place[pk] for pk in self.seats)
        new = dict(zip((before[pk] for pk in order), places, strict=True))
        self.place = {pk: new.get(place, place) for pk, place in before.items()}
        for row in self.rounds:
            self.deal_again(row, before)
        at_mark = [pk for pk in order if self.place[pk] == before[self.mark]]
        self.mark, self.seats = at_mark[0] if at_mark else self.mark, order

    def deal_again(self, row, before):
        """Let whoever sits there now, of those who were there, have dealt a hand and sat it out."""
        state = row["state"]
        was = sorted(row["there"], key=before.get)
        row["there"] = now = sorted(row["there"], key=self.place.get)
        if state["dealer"] is None:
            return
        dealer, sitter = state["dealer"], state["sitter"]
        stands_in = was[was.index(dealer) - 1] if sitter == dealer else dealer
        if state["bid"] == 250 and stands_in == state["bidder"]:
            return
        state["dealer"] = now[was.index(dealer)]
        state["sitter"] = None if sitter is None else now[was.index(sitter)]
        if state["sitter"] == state["bidder"]:
            state["sitter"] = None

    def last_standing(self):
        return next((row["id"] for row in reversed(self.rounds) if row["stands"]), None)

    def next_dealer(self):
        dealt = [row["id"] for row in self.standing() if row["state"]["dealer"] is not None]
        last = dealt[-1] if dealt else None
        later = -1 if last is None else self.at(last)
        if later <= (-1 if self.marked_after is None else self.at(self.marked_after)):
            return self.mark
        dealt = self.place[self.rounds[later]["state"]["dealer"]]
        return next((pk for pk in self.seats if self.place[pk] > dealt), self.seats[0])

    def standing(self):
        return [row for row in self.rounds if row["stands"]]

    def totals(self, players):
        return [
            sum(dict(row["state"]["units"]).get(player) or 0 for row in self.standing())
            for player in players
        ]


class Sheets:
    """All sheets of a table as its history tells them, each with its state."""

    def __init__(self):
        self.sheets, self.states = {}, {}

    def step(self, change):
        sheet = change.sheet_id
        match change.kind:
            case "table_started" | "sheet_started":
                self.sheets[sheet], self.states[sheet] = Replay(), "open"
            case "sheet_banked" | "sheet_discarded":
                self.states[sheet] = change.kind.removeprefix("sheet_")
            case "sheet_reopened":
                self.states[sheet] = "open"
                if change.after["discarded"]:
                    self.states[change.after["discarded"]] = "discarded"
        if sheet is not None:
            self.sheets[sheet].step(change)


def replayed(table):
    replay = Sheets()
    for change in Change.objects.filter(table=table).order_by("version").select_related("round"):
        replay.step(change)
    return replay


FIELDS = ("kind", "dealer", "sitter", "bidder", "bid", "trump", "outcome")


def as_stored(sheet):
    """The standing rounds of the sheet as the tables hold them, in history's words."""
    rows = []
    for row in sheet.rounds.filter(taken_back=False).order_by("position"):
        rows.append(
            {
                "kind": row.kind,
                "dealer": row.dealer_id,
                "sitter": row.sitter_id,
                "bidder": row.bidder_id,
                "bid": row.bid,
                "trump": row.trump,
                "outcome": row.outcome,
                "units": {e.player_id: e.units for e in row.entries.all()},
            }
        )
    return rows


def there(state):
    """The numbers of a hand by player; those that are missing are not there."""
    return {player: n for player, n in state["units"] if n is not None}


def assert_history_tells_the_sheet(game):
    """Compare every sheet of the table, as it is stored, with what its history tells."""
    replay = replayed(game.table)
    sheets = list(game.table.sheets.all())
    assert {sheet.pk: sheet.state for sheet in sheets} == replay.states
    for sheet in sheets:
        one, players = replay.sheets[sheet.pk], list(sheet.players.all())
        told = [
            {field: row["state"][field] for field in FIELDS} | {"units": there(row["state"])}
            for row in one.standing()
        ]
        assert as_stored(sheet) == told
        under = sheet.rounds.filter(taken_back=False).order_by("position")
        rules = list(under.values_list("house_rules", flat=True))
        assert rules == [row["rules"] for row in one.standing()]
        assert sheet.house_rules_id == one.rules
        halves = sheet.rounds.filter(taken_back=False).order_by("position").values_list("half")
        assert [half for (half,) in halves] == [len(row["units"]) < 3 for row in told]
        assert [player.total for player in players] == one.totals([p.pk for p in players])
        assert [player.pk for player in seats.now(players)] == one.seats
        assert queries.where_next(sheet, players).dealer.pk == one.next_dealer()


seat = st.integers(0, 2)
hand = st.one_of(
    st.tuples(
        st.just("played"),
        seat,
        st.sampled_from([300, 350, 420, 550]),
        st.sampled_from(["hearts", "spades"]),
        st.sampled_from(["made", "set", "thrown_in"]),
    ),
    st.tuples(st.just("typed"), *[st.integers(0, 9)] * 3),
    st.tuples(st.just("passed")),
    st.tuples(st.just("dealer's 250")),
)
house = st.builds(
    HouseRules,
    minimum=st.sampled_from([250, 300, 350]),
    spades_double=st.booleans(),
    pot=st.sampled_from([None, None, Pot(winning_bid=350)]),
)
step = st.one_of(
    st.tuples(st.just("enter"), hand),
    st.tuples(st.just("enter"), hand),
    st.tuples(st.just("forgotten"), hand, st.integers(0, 20)),
    st.tuples(st.just("edit"), hand, st.integers(0, 20)),
    st.tuples(st.just("take back"), st.integers(0, 20)),
    st.tuples(st.just("put back"), st.integers(0, 20)),
    st.tuples(st.just("number"), seat, st.integers(0, 9)),
    st.tuples(st.just("number"), seat, st.integers(0, 9)),
    st.tuples(st.just("correction"), *[st.integers(0, 9)] * 3),
    st.tuples(st.just("share")),
    st.tuples(st.just("zeros")),
    st.tuples(st.just("dealer"), seat),
    st.tuples(st.just("seats"), st.permutations([0, 1, 2])),
    st.tuples(st.just("rules"), house, st.booleans()),
    st.tuples(st.just("rules back")),
    st.tuples(st.just("totals"), *[st.integers(1, 9)] * 3),
    st.tuples(st.just("totals back")),
    st.tuples(st.just("end")),
    st.tuples(st.just("reopen")),
)


def as_entered(game, hand, dealer):
    match hand:
        case ("played", bidder, bid, trump, outcome):
            return game.played(bidder, bid, trump, outcome)
        case ("typed", *units):
            return game.typed(*units)
        case ("passed",):
            return game.passed()
        case _:
            return game.played(dealer, 250, "clubs", "made", dealer=dealer)


def nth(rows, n):
    return rows[n % len(rows)].public_id if rows else None


def take(game, step):
    """Take one step through the public actions, where it makes sense now."""
    match step:
        case ("end",):
            if game.sheet.is_open and not any(row.half for row in game.standing):
                game.end()
        case ("reopen",):
            banked = game.table.sheets.filter(state="banked").order_by("-pk").first()
            if banked and not (game.sheet.is_open and game.standing):
                saved(actions.reopen(game.write(), banked.public_id))
        case _:
            if not game.sheet.is_open:
                saved(actions.play_again(game.write(), NAMES, 0))
            take_on_the_sheet(game, step)


def take_on_the_sheet(game, step):
    sheet, players = game.sheet, game.players
    standing = game.standing
    away = list(sheet.rounds.filter(taken_back=True))
    dealt = [row for row in standing if row.dealer_id]
    where = queries.where_next(sheet, players)
    dealer = where.dealer.place
    match step:
        case ("enter", hand) if where.half is None:
            entered = as_entered(game, hand, dealer)
            possible(game, actions.enter_hand, sheet.public_id, entered)
        case ("forgotten", hand, n) if standing:
            entered, before = as_entered(game, hand, dealer), nth(standing, n)
            possible(game, actions.enter_hand, sheet.public_id, entered, before=before)
        case ("edit", hand, n) if dealt:
            dealer = dealt[n % len(dealt)].dealer_id
            by = next(p.place for p in players if p.pk == dealer)
            entered = as_entered(game, hand, by)
            possible(game, actions.edit_hand, nth(dealt, n), entered)
        case ("take back", n) if standing:
            agreed(game, actions.take_back, nth(standing, n))
        case ("put back", n) if away and not (where.half and away[n % len(away)].half):
            agreed(game, actions.put_back, nth(away, n))
        case ("correction", *units) if where.half is None and any(units):
            game.enter(game.correction(*units))
        case ("share",) if where.half is None and (sheet.pot or 0) >= len(players):
            saved(actions.share_pot(game.write(), sheet.public_id))
        case ("number", seat, units):
            about = {"hand": where.half} if where.half else {"after": where.last}
            write, player = game.write(), players[seat].pk
            saved(actions.enter_number(write, sheet.public_id, player, units, **about))
        case ("zeros",) if where.half:
            saved(actions.fill_with_zeros(game.write(), where.half))
        case ("dealer", seat):
            saved(actions.set_dealer(game.write(), sheet.public_id, players[seat].pk))
        case ("seats", order):
            saved(
                actions.change_seats(game.write(), sheet.public_id, [players[n].pk for n in order])
            )
        case ("rules", house, whole):
            agreed(game, actions.change_rules, sheet.public_id, house, whole=whole)
        case ("totals", *more) if where.half is None and len(standing) < 3:
            so_far = [player.total for player in players]
            for n in (1, 2, 3):
                totals = [had + n * grown for had, grown in zip(so_far, more, strict=True)]
                game.enter(game.typed(*totals))
            if typed_rows.asked(sheet, game.players) is not None:
                actions.replace_totals(game.write(), sheet.public_id)  # or NOTHING to replace
        case ("totals back",) if typed_rows.replaced(sheet):
            saved(actions.restore_totals(game.write(), sheet.public_id))
        case ("rules back",) if last := queries.rules_changed_last(sheet):
            agreed(game, actions.restore_rules, sheet.public_id, last.version)


def agreed(game, action, *what, **named):
    """Do something that may move other hands, and agree to that."""
    write = game.write()
    answer = action(write, *what, **named)
    if isinstance(answer, actions.Refused) and answer.why == actions.Why.MOVES:
        answer = action(dataclasses.replace(write, agreed=answer.agreed), *what, **named)
    if not isinstance(answer, actions.Refused) or answer.why != actions.Why.SAME_RULES:
        saved(answer)


def possible(game, action, *what, **named):
    """The same with a hand that the rules of the moment may not have."""
    answer = action(game.write(), *what, **named)
    if isinstance(answer, actions.Refused) and answer.why == actions.Why.IMPOSSIBLE:
        return
    if isinstance(answer, actions.Refused):
        agreed(game, action, *what, **named)


def saved(answer):
    assert isinstance(answer, actions.Saved), answer


@given(steps=st.lists(step, max_size=12))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_sequence_of_steps_the_sheet_equals_a_replay_of_its_history(new_game, steps):
    game, *_ = new_game()
    saved(actions.change_settings(game.write(), True, False))
    for one in steps:
        take(game, one)
    assert_history_tells_the_sheet(game)


@pytest.mark.on_postgresql
def test_ten_forgotten_hands_at_one_place_still_keep_their_order(game):
    first, last = game.enter(), game.enter()
    entered = [game.enter(game.typed(n, 0, 0), before=last.public_id) for n in range(12)]
    order = [row.pk for row in game.standing]
    assert order == [first.pk, *[row.pk for row in entered], last.pk]
    entered = [game.enter(game.typed(n, 0, 0), before=first.public_id) for n in range(12)]
    assert [row.pk for row in game.standing] == [row.pk for row in entered] + order
    assert_history_tells_the_sheet(game)


def test_names_in_history_are_ids_and_nothing_of_them_is_stored_there(game):
    players = game.players
    new = {players[0].pk: "Alicia", players[1].pk: "Ben", players[2].pk: "Cass"}
    saved(actions.rename(game.write(), game.sheet.public_id, "", new))
    game.enter()
    told = " ".join(str([c.before, c.after]) for c in Change.objects.all())
    assert not any(name in told for name in ("Alice", "Alicia", "Ben", "Cass"))
