"""Seasons of a club: made, changed, removed, published. Standings follow; nothing else moves."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from sheets import codes, names
from sheets.actions.answers import Refusal, Why
from sheets.actions.club_writing import ClubSaved, ClubStep, club_action
from sheets.models import ClubChange, ClubChangeKind, Season


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFields:
    """What organisers say of a season."""

    name: str
    starts: datetime.date
    ends: datetime.date
    least_hands: int


_LINK = (ClubChangeKind.SEASON_PUBLISHED, ClubChangeKind.SEASON_HIDDEN)


@club_action()
def add_season(at: ClubStep, fields: SeasonFields) -> ClubChange:
    """Start a season; it may overlap with others, whose evenings then count in both."""
    season = Season(club=at.club)
    _take_up(season, fields)
    season.save()
    return at.record(ClubChangeKind.SEASON_ADDED, after=_kept(season))


@club_action()
def change_season(at: ClubStep, pk: int, fields: SeasonFields) -> ClubChange:
    """Change a season; refused when another organiser has changed it since."""
    season = _season(at, pk)
    at.refuse_if_others([ClubChangeKind.SEASON_CHANGED], season=pk)
    before = _kept(season)
    _take_up(season, fields)
    season.save()
    return at.record(ClubChangeKind.SEASON_CHANGED, before=before, after=_kept(season))


@club_action()
def remove_season(at: ClubStep, pk: int) -> ClubChange:
    """Remove a season, and with it the link to its standings; refused like changing it."""
    season = _season(at, pk)
    at.refuse_if_others([ClubChangeKind.SEASON_CHANGED, *_LINK], season=pk)
    kept = _kept(season)
    season.delete()
    return at.record(ClubChangeKind.SEASON_REMOVED, after=kept)


@club_action()
def publish_season(at: ClubStep, pk: int) -> ClubChange:
    """Make a link to the standings of a season; one that was there before opens nothing any more.

    Refused when another organiser has just made or taken back one: theirs may be in use.
    """
    season = _season(at, pk)
    at.refuse_if_others(_LINK, season=pk)
    season.published_id = codes.new_public_id()
    season.save(update_fields=("published_id",))
    # The address is no part of history: whoever knows it gets in.
    after = {"season": season.pk, "name": season.name}
    return at.record(ClubChangeKind.SEASON_PUBLISHED, after=after)


@club_action()
def hide_season(at: ClubStep, pk: int) -> ClubChange | ClubSaved:
    """Take the link back; where that was done already, there is nothing more to do."""
    season = _season(at, pk)
    if season.published_id is None:
        done = at.club.changes.filter(kind=ClubChangeKind.SEASON_HIDDEN, after__season=pk)
        if (last := done.order_by("version").last()) is None:
            raise Refusal(Why.NOTHING)
        return ClubSaved(last, repeated=True)
    season.published_id = None
    season.save(update_fields=("published_id",))
    after = {"season": season.pk, "name": season.name}
    return at.record(ClubChangeKind.SEASON_HIDDEN, after=after)


def _season(at: ClubStep, pk: int) -> Season:
    at.refuse_if_others([ClubChangeKind.SEASON_REMOVED], season=pk)
    season: Season | None = at.club.seasons.filter(pk=pk).first()
    if season is None:
        raise Refusal(Why.NO_SEASON)
    return season


def _take_up(season: Season, fields: SeasonFields) -> None:
    """Put what was said into a season, or refuse."""
    if fields.ends < fields.starts:
        raise Refusal(Why.SEASON_ENDS)
    key = names.key(fields.name)
    if season.club.seasons.filter(name_key=key).exclude(pk=season.pk).exists():
        raise Refusal(Why.SEASON_NAME)
    season.name, season.name_key = fields.name, key
    season.starts, season.ends = fields.starts, fields.ends
    season.least_hands = fields.least_hands


def _kept(season: Season) -> dict[str, Any]:
    """Return what history keeps of a season: with its name, which may be gone some day."""
    return {
        "season": season.pk,
        "name": season.name,
        "starts": season.starts.isoformat(),
        "ends": season.ends.isoformat(),
        "least_hands": season.least_hands,
    }
