"""Files: everything of a club that goes out, and what comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets import actions, club_queries, club_wording, http, numbers
from sheets.access import for_organisers
from sheets.exports import as_csv, as_json, as_xlsx, choosing, hands
from sheets.forms.files import EveningsForm, ImportForm
from sheets.http import OrganiserRequest
from sheets.imports import planning
from sheets.imports.decoding import Mistaken
from sheets.models import Club, Organiser
from sheets.views.clubs.front import club_context

SHOWN = 200  # sheets of a plan on the page; the rest is counted
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@for_organisers
@require_safe
def files(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Everything that can be taken away, and the way in."""
    club = organiser.club
    form = EveningsForm(club=club)
    return http.page(request, "clubs/files.html", _context(organiser, form) | _done(request, club))


def _context(organiser: Organiser, form: EveningsForm) -> dict[str, object]:
    banked = choosing.banked(organiser.club).count()
    return {**club_context(organiser), "form": form, "banked": banked}


def _done(request: OrganiserRequest, club: Club) -> dict[str, object]:
    """Return what was imported just now, for the page that an import leads to."""
    version = numbers.maybe(request.GET.get("imported", ""), most=numbers.MOST_VERSION)
    if version is None:
        return {}
    done = club.changes.filter(version=version, kind="imported").first()
    if done is None:
        return {}
    past = club_queries.past_of(done.club, [done])
    return {"done": f"{club_wording.author(done)} {club_wording.change(done, past)}."}


def _download(
    request: OrganiserRequest,
    organiser: Organiser,
    answer: Callable[[EveningsForm], HttpResponse],
) -> HttpResponse:
    """Answer with a file, or with what is wrong with the evenings that were asked for."""
    form = EveningsForm(request.GET, club=organiser.club)
    if form.is_bound and not form.is_valid():
        return http.invalid(request, "clubs/files.html", _context(organiser, form))
    if not form.is_bound:
        form.cleaned_data = {}
    return answer(form)


def _named(organiser: Organiser, form: EveningsForm, ending: str) -> str:
    """Return what a file is called: the club, and the evenings in it."""
    starts, ends = form.span()
    parts = [organiser.club.slug, starts and f"from-{starts}", ends and f"to-{ends}"]
    return f"{'-'.join(filter(None, map(str, filter(None, parts))))}.{ending}"


@for_organisers
@require_safe
def hands_csv(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """A row for every hand, from which the sheets can be rebuilt."""

    def answer(form: EveningsForm) -> HttpResponse:
        club = organiser.club
        sheets = choosing.banked(club, *form.span(), sheet=form.cleaned_data.get("sheet", ""))
        lines = as_csv.lines(hands.rows(club, sheets.iterator(chunk_size=hands.AT_ONCE)))
        return _attached(lines, "text/csv; charset=utf-8", _named(organiser, form, "csv"))

    return _download(request, organiser, answer)


@for_organisers
@require_safe
def hands_xlsx(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """The same rows as a workbook."""

    def answer(form: EveningsForm) -> HttpResponse:
        club = organiser.club
        sheets = choosing.banked(club, *form.span(), sheet=form.cleaned_data.get("sheet", ""))
        book = as_xlsx.workbook(hands.rows(club, sheets.iterator(chunk_size=hands.AT_ONCE)))
        name = _named(organiser, form, "xlsx")
        response = FileResponse(book, as_attachment=True, filename=name, content_type=XLSX)
        return cast("HttpResponse", response)

    return _download(request, organiser, answer)


@for_organisers
@require_safe
def club_json(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """All of the club with its history; or with `sheet` in the address one sheet with its own."""
    club = organiser.club

    def answer(form: EveningsForm) -> HttpResponse:
        wanted = form.cleaned_data.get("sheet", "")
        if not wanted:
            return _attached(as_json.club(club), "application/json", f"{club.slug}.json")
        sheet = choosing.any_sheet(club, wanted)
        if sheet is None:
            form.add_error(None, _("There is no such sheet."))
            return http.invalid(request, "clubs/files.html", _context(organiser, form))
        name = f"{club.slug}-{club.evening(sheet.played_at)}.json"
        return _attached(as_json.sheet(sheet), "application/json", name)

    return _download(request, organiser, answer)


def _attached(pieces: Iterator[str], content_type: str, name: str) -> HttpResponse:
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return cast("HttpResponse", response)  # Django calls it none, and takes it for one


@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: OrganiserRequest, organiser: Organiser) -> HttpResponse:
    """Take in a file: first what it would add is shown, then exactly that is added.

    The file itself is sent both times and kept nowhere in between.
    """
    club, template = organiser.club, "clubs/import.html"
    posted = request.method == "POST"
    form = ImportForm(
        request.POST if posted else None,
        files=request.FILES if posted else None,
        seen=club.seen,
    )
    context = {**club_context(organiser), "form": form}
    if not posted:
        return http.page(request, template, context)
    if not form.is_valid():
        return http.invalid(request, template, context | {"mistakes": form.mistakes})
    mark = form.cleaned_data["mark"]
    if mark:
        answer = actions.import_file(
            actions.ClubWrite(
                club=club.pk,
                user=request.user,
                key=form.cleaned_data["key"],
                seen=form.cleaned_data["seen"],
            ),
            form.brought,
            mark,
        )
        if isinstance(answer, actions.ClubSaved):
            to = reverse("sheets:club_files", args=[club.slug])
            return http.see(f"{to}?imported={answer.change.version}")
    try:
        plan = planning.plan(club, form.brought)
    except Mistaken as wrong:
        return http.invalid(request, template, context | {"mistakes": wrong.mistakes})
    context |= {"plan": plan, "shown": plan.sheets[:SHOWN], "more": len(plan.sheets[SHOWN:])}
    if mark:
        assert isinstance(answer, actions.Refused)
        return http.club_refused(request, club, template, context, form, answer)
    return http.page(request, template, context)
