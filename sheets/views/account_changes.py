"""What somebody does with their account: another e-mail address, sign out, close it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import logout, views
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from sheets import account_wording, club_queries, http, mailing, refusal_wording, slowing
from sheets.access import for_accounts
from sheets.actions import (
    Refused,
    address_in,
    address_secret,
    change_address,
    close_account,
    confirm_address,
)
from sheets.forms.accounts import AddressForm, PasswordForm
from sheets.http import OrganiserRequest, PlayerRequest


@sensitive_post_parameters("password")
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def change_email(request: OrganiserRequest) -> HttpResponse:
    """Ask for another e-mail address: a link that is sent there changes it.

    Where no mail server is set up nothing can be sent, and the password is enough.
    """
    form = AddressForm(request.POST or None, request=request)
    context: dict[str, Any] = {"form": form, "sends_mail": settings.SENDS_MAIL}
    if request.method != "POST" or not form.is_valid():
        return _email_page(request, context, 422 if request.method == "POST" else 200)
    email = form.cleaned_data["email"]
    if seconds := slowing.message_wait(request, email):
        context["refusal"] = account_wording.too_many_resets(seconds)
        return _email_page(request, context, 429)
    if club_queries.account_with(email) is not None:
        form.add_error("email", account_wording.address_taken())
    elif settings.SENDS_MAIL:
        link = reverse("sheets:confirm_email", args=[address_secret(request.user, email)])
        _send(email, "email_mail", {"link": http.shared_url(link)})
        return _back("sent")
    elif isinstance(answer := change_address(request.user, email), Refused):
        form.add_error("email", refusal_wording.refusal(answer))
    else:
        return _back("address")
    return _email_page(request, context, 422)


def _email_page(request: OrganiserRequest, context: dict[str, Any], status: int) -> HttpResponse:
    return render(request, "clubs/change_email.html", context, status=status)


def _back(said: str) -> HttpResponse:
    return http.see(reverse("sheets:account", query={"said": said}))


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: PlayerRequest, secret: str) -> HttpResponse:
    """Ask whether the account gets the address that the link was sent to; the old one is told."""
    found = address_in(secret)
    context: dict[str, Any] = {"email": found and found[1]}
    if request.method != "POST" or found is None:
        status = 410 if request.method == "POST" else 200
        return render(request, "clubs/confirm_email.html", context, status=status)
    answer = confirm_address(secret)
    if isinstance(answer, Refused):
        context = {"refusal": refusal_wording.refusal(answer)}
        return render(request, "clubs/confirm_email.html", context, status=410)
    _send(found[0].email, "email_told_mail", {"email": answer.email})
    return _back("address")


@sensitive_post_parameters("password")
@for_accounts
@require_http_methods(["GET", "HEAD", "POST"])
def account_close(request: OrganiserRequest) -> HttpResponse:
    """Close the account, after the clubs that it alone owns were handed over."""
    form = PasswordForm(request.POST or None, request=request)
    clubs = club_queries.clubs_of(request.user)
    alone = {one.pk for one in club_queries.owned_alone(request.user)}
    context = {
        "form": form,
        "in_the_way": [one for one in clubs if one.pk in alone or one.club.locked],
        "left": [one for one in clubs if one.pk not in alone and not one.club.locked],
    }
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "clubs/account_close.html", context, status=status)
    email = request.user.email
    answer = close_account(request.user)
    if isinstance(answer, Refused):
        context["refusal"] = refusal_wording.refusal(answer)
        return render(request, "clubs/account_close.html", context, status=409)
    if settings.SENDS_MAIL:
        _send(email, "closed_mail", {})
    logout(request)
    return _forgets(http.see(reverse("sheets:signed_out", query={"closed": 1})))


class SignOut(views.LogoutView):
    """Sign out. What the browser has cached of a club goes, and what was typed there with it."""

    def get_success_url(self) -> str:
        return reverse("sheets:signed_out")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _forgets(super().post(request, *args, **kwargs))


@require_safe
def signed_out(request: PlayerRequest) -> HttpResponse:
    """Say so, and let the page throw away what was typed on pages of clubs.

    Whoever has signed in is led on: their drafts stay.
    """
    if request.user.is_authenticated:
        return redirect("sheets:account")
    return render(request, "clubs/signed_out.html", {"closed": "closed" in request.GET})


def _forgets(response: HttpResponse) -> HttpResponse:
    """Ask the browser to empty its cache: pages that it keeps for Back too.

    Nothing else goes: the hands that wait in a phone's queue are no cache. Browsers do it on https
    and on localhost; elsewhere `no-store` has to do.
    """
    response["Clear-Site-Data"] = '"cache"'
    return response


def _send(to: str, name: str, context: dict[str, Any]) -> None:
    """Send a message beside this request, in the language of its page."""
    subject = " ".join(render_to_string(f"clubs/{name}_subject.txt", context).split())
    message = EmailMessage(subject, render_to_string(f"clubs/{name}.txt", context), to=[to])
    mailing.sender.later(message.send)
