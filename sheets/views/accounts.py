"""Accounts of organisers: sign up, sign in and out, passwords. Players never see these pages."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, login, views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from sheets import account_wording, http, mailing, refusal_wording, slowing
from sheets.access import for_accounts
from sheets.actions import Refused, sign_up
from sheets.forms.accounts import (
    ChangePasswordForm,
    NewPasswordForm,
    ResetForm,
    SignInForm,
    SignUpForm,
)
from sheets.http import OrganiserRequest, PlayerRequest

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def account_new(request: PlayerRequest) -> HttpResponse:
    """Sign up; whoever does is signed in, and goes on to where they came for or to a club."""
    then = _next(request)
    if request.user.is_authenticated:
        return http.see(then or reverse("sheets:clubs"))
    form = SignUpForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "next": then}
    if request.method != "POST" or not form.is_valid():
        return _sign_up_page(request, context, 422 if request.method == "POST" else 200)
    who = slowing.who(request)
    if seconds := slowing.NEW_ACCOUNTS.wait(who):
        context["refusal"] = account_wording.too_many_accounts(seconds)
        return _sign_up_page(request, context, 429)
    said = form.cleaned_data
    made = sign_up(said["email"], said["name"], said["password"])
    if isinstance(made, Refused):
        # The same form a second time, or somebody who has forgotten that they have an account:
        # with the right password they are let in, and a wrong one counts as anywhere.
        known = authenticate(request, username=said["email"], password=said["password"])
        if known is None:
            slowing.NEW_ACCOUNTS.note(who)  # or one could ask for any number of addresses
            form.refuse(made, refusal_wording.refusal(made))
            return _sign_up_page(request, context, 422)
        login(request, known)
    else:
        slowing.NEW_ACCOUNTS.note(who)
        login(request, made, backend=BACKEND)
    return http.see(then or reverse("sheets:club_new"))


def _sign_up_page(request: PlayerRequest, context: dict[str, Any], status: int) -> HttpResponse:
    response = render(request, "clubs/sign_up.html", context, status=status)
    add_never_cache_headers(response)
    return response


def _next(request: HttpRequest) -> str:
    """Return the page of ours that somebody wanted before they had to sign in; else nothing."""
    then = request.POST.get("next", request.GET.get("next", ""))
    ours = url_has_allowed_host_and_scheme(
        then, {request.get_host()}, require_https=request.is_secure()
    )
    return then if ours else ""


@for_accounts
@require_safe
def account(request: OrganiserRequest) -> HttpResponse:
    """Who is signed in, and what they may do with their account."""
    said = account_wording.done(request.GET.get("said", ""))
    return http.page(request, "clubs/account.html", {"said": said})


class SignIn(views.LoginView):
    """Sign in with an e-mail address."""

    template_name = "clubs/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


class Reset(views.PasswordResetView):
    """Send a message that resets the password, if there is such an account; the answer is one.

    Where no mail server is set up there is nothing to send: the page says whom to ask.
    """

    template_name = "clubs/reset.html"
    form_class = ResetForm
    success_url = reverse_lazy("sheets:reset_sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(sends_mail=settings.SENDS_MAIL, **kwargs)

    def form_valid(self, form: ResetForm) -> HttpResponse:
        """Count who asks, and for which mailbox; all else is done beside this request."""
        if not settings.SENDS_MAIL:
            return self.get(self.request)
        mailbox = slowing.account(self.request, {"email": form.cleaned_data["email"]})
        if seconds := slowing.message_wait(self.request, mailbox):
            refusal = account_wording.too_many_resets(seconds)
            context = self.get_context_data(form=form, refusal=refusal)
            return self.render_to_response(context, status=429)
        mailing.sender.later(functools.partial(_send_reset, form, translation.get_language()))
        return redirect(self.success_url)


def _send_reset(form: ResetForm, language: str) -> None:
    """Look the address up and send its message, in the language of the page it was sent from."""
    with translation.override(language):
        form.send()


class ResetSent(views.PasswordResetDoneView):
    """Say that a message is on its way, if there is such an account."""

    template_name = "clubs/reset_sent.html"


class ResetConfirm(views.PasswordResetConfirmView):
    """Choose a new password by the link in the message; whoever does is signed in."""

    template_name = "clubs/reset_confirm.html"
    form_class = NewPasswordForm
    post_reset_login = True
    post_reset_login_backend = BACKEND
    success_url = reverse_lazy("sheets:account", query={"said": "password"})


class ChangePassword(views.PasswordChangeView):
    """Choose another password while signed in."""

    template_name = "clubs/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("sheets:account", query={"said": "password"})

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: Mapping[str, Any] | None
) -> HttpResponse:
    """Answer whoever has tried too many passwords: how long to wait, and the way around."""
    seconds = slowing.locked_for(request, credentials)
    everywhere = bool(slowing.WRONG_PASSWORDS.wait(slowing.who(request)))
    mail = settings.SENDS_MAIL
    refusal = account_wording.locked_out(seconds, mail=mail, everywhere=everywhere)
    context = {"refusal": refusal, "sends_mail": mail}
    page = render(request, "clubs/locked_out.html", context, status=429)
    page["Retry-After"] = str(seconds)
    return page
