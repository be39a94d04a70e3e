"""Organisers and staff: they sign in with an e-mail address. Players never need an account."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sheets import names
from sheets.models.fields import FoldedField, NameField
from sheets.texts import composed

LONGEST_EMAIL = 254  # letters
_TAKEN = _("There is an account with this e-mail address already.")


class UserManager(BaseUserManager["User"]):
    """Makes users for the command line and for Django's own forms."""

    def get_by_natural_key(self, username: str | None) -> User:
        """Find a user by e-mail address, however it is spelled."""
        return self.get(email=self.model.normalize_username(username or ""))

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        """Store a user; without a password nobody can sign in as them."""
        user = self.model(email=self.model.normalize_username(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        """Store a user who may do everything."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in. The address is stored as `normalize_username` spells it."""

    email = models.EmailField(
        max_length=LONGEST_EMAIL, unique=True, error_messages={"unique": _TAKEN}
    )
    name = NameField(max_length=200, blank=True)
    name_folded = FoldedField("name")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    # Since then it is nobody's: no name, no address, no way in. What it did keeps pointing at it.
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        ordering = ("email",)
        constraints = (
            models.UniqueConstraint(
                Lower("email"), name="sheets_user_email_any_case", violation_error_message=_TAKEN
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(is_active=False, is_staff=False, name=""),
                name="sheets_user_closed_is_nobody",
            ),
        )

    def __str__(self) -> str:
        if self.closed_at is not None:
            return gettext("a former organiser")
        return str(self.name or names.Isolated(self.email))

    def clean(self) -> None:
        """Refuse an address whose one spelling is longer than fits: a sign like ㎢ becomes km2."""
        super().clean()
        if len(self.email) > LONGEST_EMAIL:
            sentence = _("At most %(most)s letters fit.") % {"most": LONGEST_EMAIL}
            raise ValidationError({"email": sentence})

    @property
    def known_as(self) -> str:
        """What players and files are told: never the e-mail address."""
        if self.closed_at is not None:
            return str(self)
        return self.name or gettext("An organiser")

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the one spelling of an address: Django's NFKC, no spaces around, small letters.

        No further folding: `straße.example` and `strasse.example` are two mail servers.
        """
        small = composed("NFKC", username).strip().lower()
        return composed("NFKC", small)
