"""Who of a club's roster counts as whom."""

from __future__ import annotations

from sheets.models import Club, ClubPerson


def stands_for(club: Club) -> dict[int, int]:
    """Return, for each person of the roster, who everything of theirs counts as: mostly their own.

    Whoever was merged into somebody counts as whoever that one counts as.
    """
    into = dict(ClubPerson.objects.filter(club=club).values_list("pk", "merged_into"))

    def end(pk: int) -> int:
        seen = {pk}
        while (other := into.get(pk)) is not None and other not in seen:
            seen.add(pk := other)
        return pk

    return {pk: end(pk) for pk in into}
