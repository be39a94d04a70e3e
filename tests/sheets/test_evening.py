"""The whole evening of the browser test once more, posted as plain forms."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from sheets import queries, rows

EVENING = json.loads((Path(__file__).parents[1] / "data" / "evening.json").read_text("utf-8"))
FINAL = EVENING["final"]


def fields_of(game, hand):
    """The form of a hand as a browser without scripts posts it."""
    by = hand.get("by", "result")
    fields = game.fields(by=by, bidder=None, bid=None, trump=None, outcome=None)
    if "bidder" in hand:
        fields["bidder"] = str(game.players[hand["bidder"]].pk)
    asked = ["bid", "trump", "meld_points", "trick_points"]
    if by == "result":
        asked.append("outcome")
    fields |= {name: str(hand[name]) for name in asked if name in hand}
    for player, units in zip(game.players, hand.get("units", ()), strict=False):
        fields[f"units_{player.pk}"] = str(units)
    return fields


def pad(game):
    """What stands on the sheet, oldest first."""
    where = queries.where_next(game.sheet, game.players)
    lines = rows.lines(game.sheet, game.players, where, newest=None)
    return [[int(cell) for cell in line.cells] for line in reversed(lines)]


def enter(game, client, hand):
    fields = fields_of(game, hand)
    answer = client.post(game.url("hands/new/"), fields)
    if hand.get("doubted"):
        assert answer.status_code == 422
        fields["sure"] = answer.context["form"]["sure"].value()
        answer = client.post(game.url("hands/new/"), fields)
    assert answer.status_code == 303
    newest = game.standing[-1]
    assert newest.dealer == game.players[hand["dealer"]]
    assert pad(game)[-1] == hand["row"]


def edit(game, client, hand):
    row = game.standing[hand["hand"] - 1]
    page = client.get(game.url(f"hands/{row.public_id}/edit/"))
    form = page.context["form"]
    shown = {name: form[name].value() for name in form.fields}
    fields = {name: str(value) for name, value in shown.items() if value not in (None, "")}
    answer = client.post(
        game.url(f"hands/{row.public_id}/edit/"), fields | {"outcome": hand["outcome"]}
    )
    assert answer.status_code == 303
    assert pad(game)[hand["hand"] - 1] == hand["row"]


def take_back(game, client, hand):
    row = game.standing[hand["hand"] - 1]
    fields = {"key": str(uuid.uuid4()), "seen": str(game.version)}
    assert client.post(game.url(f"hands/{row.public_id}/take-back/"), fields).status_code == 303


def test_plain_forms_write_the_same_sheet(game, alice, ben):
    phones = [alice, ben]
    steps = {"enter": enter, "edit": edit, "take_back": take_back}
    for step in EVENING["steps"]:
        if step["do"] == "join":
            continue  # Ben's phone is at the table from the start here
        steps[step["do"]](game, phones[step["phone"]], step)
        assert game.totals == step["totals"], step
    assert pad(game) == FINAL["rows"]
    assert FINAL["line"] in ben.get(game.url("end/")).content.decode()

    fields = {"key": str(uuid.uuid4()), "seen": str(game.version), "sheet": game.sheet.public_id}
    assert ben.post(game.url("end/"), fields).status_code == 303
    result = alice.get(game.url()).content.decode()
    assert FINAL["winner"] in result
    assert FINAL["dealt"] in result
    for total in FINAL["totals"]:
        assert f'<span class="total">{total}</span>' in result
    again = ben.get(game.url("again/")).context["form"]
    assert again["first_dealer"].value() == str(FINAL["next_dealer"])
