"""Who of a club's roster somebody with a name is."""

from __future__ import annotations

from sheets import names
from sheets.models import Club, ClubPerson


def match(club: Club, name: str) -> ClubPerson | None:
    """Return the one person on the roster who goes by this name; None: nobody, or several."""
    key = names.key(name)
    active = club.people.filter(retired=False, merged_into=None)
    found = [one for one in active if names.key(one.name) == key]
    return found[0] if len(found) == 1 else None
