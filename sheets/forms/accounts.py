"""Forms of an account: Django's own in our words, and the one that makes an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, password_validation
from django.contrib.auth import forms as django_forms
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.actions import Refused
from sheets.forms.base import NameField
from sheets.models import User
from sheets.models.user import LONGEST_EMAIL

_EMAIL = gettext_lazy("E-mail address")
_EMAIL_ERRORS = {
    "required": gettext_lazy("Type your e-mail address."),
    "invalid": gettext_lazy("This is no e-mail address: it looks like mara@club.example."),
}
_PASSWORD = gettext_lazy("Password")
_TYPE_IT = {"required": gettext_lazy("Type the password.")}
_HINT = gettext_lazy("8 characters or more, and not one that everybody uses.")


def _plain(form: forms.Form) -> None:
    """Let the server say what is missing, in our words."""
    form.use_required_attribute = False
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)


class EmailField(forms.EmailField):
    """An address in the one spelling that is stored, no longer than fits."""

    def clean(self, value: Any) -> str:
        """Return the address as `User.normalize_username` spells it."""
        email = User.normalize_username(super().clean(value))
        if len(email) > LONGEST_EMAIL:
            raise ValidationError(self.error_messages["invalid"])
        return email


def _email_field() -> EmailField:
    widget = forms.EmailInput(attrs={"autocomplete": "email"})
    return EmailField(
        label=_EMAIL, max_length=LONGEST_EMAIL, error_messages=_EMAIL_ERRORS, widget=widget
    )


class SignUpForm(forms.Form):
    """A name, an e-mail address, a password."""

    name = NameField(
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy(
            "The other organisers of a club see it in its history. Its players see it where they "
            "are told whom to ask."
        ),
        error_messages={"required": gettext_lazy("Type your name.")},
    )
    email = _email_field()
    password = forms.CharField(
        label=_PASSWORD,
        strip=False,
        help_text=_HINT,
        error_messages=_TYPE_IT,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["name"].widget.attrs["autocomplete"] = "name"

    def clean(self) -> dict[str, Any]:
        """Refuse a password that is too easy to guess, for this person too."""
        said = self.cleaned_data
        if "password" in said:
            somebody = User(email=said.get("email", ""), name=said.get("name", ""))
            try:
                password_validation.validate_password(said["password"], somebody)
            except ValidationError as error:
                self.add_error("password", error)
        return said

    taken = False  # there is an account with this address

    def refuse(self, refused: Refused, sentence: str) -> None:
        """Show why no account was made."""
        self.taken = True
        self.add_error("email", sentence)


class SignInForm(django_forms.AuthenticationForm):
    """An e-mail address and its password."""

    error_messages = {
        "invalid_login": gettext_lazy(
            "This is not the password of this address, or there is no account with it. Look at "
            "both, or have the password reset."
        ),
        "inactive": gettext_lazy("Whoever runs this server has closed this account."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        email, password = self.fields["username"], self.fields["password"]
        email.widget = forms.EmailInput(
            attrs={"autocomplete": "username", "maxlength": LONGEST_EMAIL}
        )
        email.label, password.label = _EMAIL, _PASSWORD
        email.error_messages["required"] = _EMAIL_ERRORS["required"]
        password.error_messages["required"] = _TYPE_IT["required"]


class ResetForm(django_forms.PasswordResetForm):
    """The address a message goes to, if there is an account with it."""

    email = _email_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)

    def send(self) -> None:
        """Send the message, if there is such an account; what goes wrong is raised.

        The link leads to where this server says it is, never to what a Host header claims.
        """
        for user in self.get_users(self.cleaned_data["email"]):
            context = {
                "email": user.email,
                "shared_url": settings.SHARED_URL,
                "uid": urlsafe_base64_encode(str(user.pk).encode()),
                "token": default_token_generator.make_token(user),
            }
            subject = " ".join(render_to_string("clubs/reset_subject.txt", context).split())
            body = render_to_string("clubs/reset_mail.txt", context)
            EmailMessage(subject, body, to=[user.email]).send()


class NewPasswordForm(django_forms.SetPasswordForm):
    """A new password, twice."""

    error_messages = {"password_mismatch": gettext_lazy("The two passwords are not the same.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        first, second = self.fields["new_password1"], self.fields["new_password2"]
        first.label, first.help_text = gettext_lazy("New password"), _HINT
        second.label, second.help_text = gettext_lazy("The same once more"), ""
        for field in (first, second):
            field.error_messages["required"] = gettext_lazy("Type the new password.")


class ChangePasswordForm(NewPasswordForm, django_forms.PasswordChangeForm):
    """The password there is, and a new one."""

    error_messages = {
        **NewPasswordForm.error_messages,
        "password_incorrect": gettext_lazy("This is not the password you have now."),
    }

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        old = self.fields["old_password"]
        old.label = gettext_lazy("The password you have now")
        old.error_messages["required"] = _TYPE_IT["required"]

    def clean_old_password(self) -> str:
        """Refuse another password than the one there is."""
        return _their_password(self.request, self.cleaned_data["old_password"])


def _their_password(request: HttpRequest, password: str) -> str:
    """Refuse a password that is not the user's; wrong ones count as they do when signing in."""
    assert request.user.is_authenticated
    if authenticate(request, username=request.user.email, password=password) is None:
        raise ValidationError(ChangePasswordForm.error_messages["password_incorrect"])
    return password


class PasswordForm(forms.Form):
    """What the user of this request does with their password alone."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        error_messages=_TYPE_IT,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        _plain(self)

    def clean_password(self) -> str:
        """Refuse another password than the one there is."""
        return _their_password(self.request, self.cleaned_data["password"])


class AddressForm(PasswordForm):
    """Another e-mail address for the account."""

    email = _email_field()
    field_order = ("email", "password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = gettext_lazy("New e-mail address")

    def clean_email(self) -> str:
        """Refuse the address that the account has."""
        email: str = self.cleaned_data["email"]
        assert self.request.user.is_authenticated
        if email == self.request.user.email:
            raise ValidationError(_("This is the address you have now."))
        return email
