"""The table that nearly every test sits at, and the club: started once, then put there row by row.

The actions that start them take ten times as long as their rows.
"""

from __future__ import annotations

import copy
import dataclasses

from django.apps import apps
from django.db import transaction
from django.db.models import DateTimeField
from django.utils import timezone

from sheets.models import Club, ClubChange, Organiser, Table, User
from tests.sheets import clubs

OF_A_CLUB = (User, Club, Organiser, ClubChange)
_kept: list = []  # what `new_game` returned first, and the rows it left
_kept_club: list = []  # the same of `a_club`


def game(new_game):
    """The usual game and the secrets of its phones, as `new_game()` returns them."""
    if Table.objects.exists():  # another table has the ids
        return new_game()
    if not _kept:
        _kept.extend((new_game(), _rows()))
        return _kept[0]
    (first, *secrets), kept = _kept
    with transaction.atomic():  # some refer to each other: all must be there by its end
        there = {model: _put_there(model, rows) for model, rows in kept.items()}
    return dataclasses.replace(first, table=there[Table][0]), *secrets


def club():
    """The usual club with its owner and its organiser."""
    if User.objects.exists() or Club.objects.exists():  # they have the ids
        return clubs.a_club()
    if not _kept_club:
        _kept_club.extend((clubs.a_club(), _rows(OF_A_CLUB)))
        return _kept_club[0]
    with transaction.atomic():
        there = {model: _put_there(model, rows) for model, rows in _kept_club[1].items()}
    return clubs.ClubAt(*there[Club], *there[User])


def _rows(models=None):
    # A test may have made a club first, which is its own.
    models = models or set(apps.get_app_config("sheets").get_models()) - set(OF_A_CLUB)
    rows = {model: list(model.objects.order_by("pk")) for model in models}
    return {model: ones for model, ones in rows.items() if ones}


def _put_there(model, rows):
    """Write rows under their old ids, as if they had been made just now."""
    times = [f.attname for f in model._meta.concrete_fields if isinstance(f, DateTimeField)]
    fresh = [copy.copy(row) for row in rows]
    for row in fresh:
        row._state = copy.copy(row._state)
        row._state.fields_cache = {}
        for time in times:
            if getattr(row, time):
                setattr(row, time, timezone.now())
    return model.objects.bulk_create(fresh)
