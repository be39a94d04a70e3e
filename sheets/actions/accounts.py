"""Accounts of organisers. What Django does with one (signing in, passwords) is Django's."""

from __future__ import annotations

from django.views.decorators.debug import sensitive_variables

from sheets.actions.answers import Refusal, Refused, Why
from sheets.actions.writing import in_one_transaction
from sheets.models import User


@sensitive_variables("password")
def sign_up(email: str, name: str, password: str) -> User | Refused:
    """Make an account, once for an e-mail address however it is spelled.

    The unique address is the lock, and what a form sent twice is refused by.
    """
    user = User(email=email.strip().lower(), name=name)
    user.set_password(password)  # takes long on purpose: not inside the transaction

    def work() -> User:
        if User.objects.filter(email__iexact=user.email).exists():
            raise Refusal(Why.EMAIL_TAKEN)
        user.save(force_insert=True)
        return user

    return in_one_transaction(work)
