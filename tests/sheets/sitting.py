"""Short ways to let people come and leave, and to see who is there."""

from __future__ import annotations

from sheets import actions, queries, rows, seats


def sit_down(game, name="Dana", fourth="off_sheet", sitter="right_of_dealer", **write):
    return actions.sit_down(game.write(**write), game.sheet.public_id, name, fourth, sitter)


def leave(game, who, name="", **write):
    player = next(one for one in at_table(game) if one.name == who)
    return actions.leave(game.write(**write), game.sheet.public_id, player.pk, name=name)


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer.change


def at_table(game):
    return seats.now(game.players)


def names(game):
    return [one.name for one in at_table(game)]


def columns(game):
    return {one.name: one.total for one in seats.scoring(game.players)}


def house(game):
    return game.sheet.house_rules.value


def lines(game):
    found = queries.again(game.sheet)
    return rows.lines(*found, queries.where_next(*found))


def enter(game, bidder, **hand):
    """Enter a hand; the bidder by name."""
    seat = next(n for n, one in enumerate(game.players) if one.is_seated and one.name == bidder)
    return game.enter(game.played(bidder=seat, **hand))


def opened_names(client, game):
    form = client.get(game.url("names/")).context["names_form"]
    return {field.name: str(field.value() or "") for field in form}
