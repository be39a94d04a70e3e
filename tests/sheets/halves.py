"""Short ways to enter hands number by number, each from a column of its own."""

from __future__ import annotations

from sheets import actions, queries

MISSING = '<td class="missing"><span role="img" aria-label="missing">?</span></td>'


def with_own_columns(game):
    saved(actions.change_settings(game.write(), True, False))
    return game


def saved(answer):
    assert isinstance(answer, actions.Saved), answer
    return answer


def number(game, seat, units, phone="", *, hand=None, after=None, **write):
    """Enter a number through the action: of the hand given, else of the one that is next now."""
    if hand is None and after is None:
        where = queries.where_next(game.sheet, game.players)
        hand, after = where.half, None if where.half else where.last
    return actions.enter_number(
        game.write(phone, **write),
        game.sheet.public_id,
        game.players[seat].pk,
        units,
        hand=hand,
        after=after,
    )


def half(game, *seats_and_units):
    """A hand that waits for numbers."""
    for seat, units in seats_and_units or [(0, 4)]:
        saved(number(game, seat, units))
    return game.standing[-1]


def row(line):
    return {entry.player.place: entry.units for entry in line.entries.select_related("player")}


def fields(client, game):
    """The number form of the sheet's page, as a browser would send it back untouched."""
    form = client.get(game.url()).context["number_form"]
    return {field.name: str(field.value() or "") for field in form}


def refused(answer, why):
    assert isinstance(answer, actions.Refused), answer
    assert answer.why == why
    return answer
