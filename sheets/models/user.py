"""Organisers and staff: they sign in with an e-mail address. Players never need an account."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    """Makes users for the command line and for Django's own forms."""

    def get_by_natural_key(self, username: str | None) -> User:
        """Find a user by e-mail address, whatever its case."""
        return self.get(email__iexact=username)

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        """Store a user; without a password nobody can sign in as them."""
        user = self.model(email=email.strip().lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        """Store a user who may do everything."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        ordering = ("email",)
        constraints = (models.UniqueConstraint(Lower("email"), name="sheets_user_email_any_case"),)

    def __str__(self) -> str:
        return self.name or self.email
