"""The roster of a club: who the people at its tables really are."""

from __future__ import annotations

from collections.abc import Mapping

from sheets.models import Club


def stands_for(club: Club) -> dict[int, int]:
    """Return for everybody on the roster, by key, who they count as: whoever they were merged into.

    That one may have been merged in turn, so the last of the chain counts. Who was not merged
    counts as themselves.
    """
    into = dict(club.people.values_list("pk", "merged_into"))
    return {person: last_of(into, person) for person in into}


def last_of(into: Mapping[int, int | None], person: int) -> int:
    """Follow a person to whoever they count as; `into` says into whom each was merged.

    No action makes a circle; should the database hold one, its people count as themselves.
    """
    seen = [person]
    while (following := into[seen[-1]]) is not None:
        if following in seen:
            return person
        seen.append(following)
    return seen[-1]
