"""The pot as the screens show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules import games
from rules.payments import share
from sheets import hand_wording, seats
from sheets.forms.base import translated
from sheets.models import Player, Sheet


def on_the_pad(sheet: Sheet) -> dict[str, str] | None:
    """Return what the head of the pad says of the pot, and the empty pad; None without a pot."""
    if sheet.pot is None:
        return None
    game, house = games.GAMES[sheet.game], sheet.house_rules.value
    antes, goes_to = game.antes_in_words(house), game.pot_goes_to(house)
    return {
        "holds": str(sheet.pot),
        "antes": translated(antes) if antes else "",
        "goes_to": translated(goes_to) if goes_to and sheet.is_open else "",
    }


def to_share(sheet: Sheet, players: Sequence[Player]) -> dict[str, Any] | None:
    """Return what the question about the end says of a pot that is left; None where none is.

    `share` is empty where it holds less than a unit for each.
    """
    if not sheet.pot:
        return None
    seated = seats.now(players)
    shared = share(sheet.pot, len(seated), seats.off_sheet(seated))
    left = {"holds": str(sheet.pot), "share": "", "beside": []}
    if not shared.payments:
        return left
    said = {"each": shared.payments[0].units, "stays": sheet.pot + shared.pot}
    sentence = (
        _("Share it: %(each)s to each (%(stays)s stays in)")
        if said["stays"]
        else _("Share it: %(each)s to each")
    )
    beside = [hand_wording.payment(p, seated, off_sheet=True) for p in shared.beside_the_sheet]
    return left | {"share": sentence % said, "beside": beside}
