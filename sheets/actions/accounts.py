"""Accounts of organisers. What Django does with one (signing in, passwords) is Django's."""

from __future__ import annotations

from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.debug import sensitive_variables

from sheets.actions.answers import Refusal, Refused, Why
from sheets.actions.writing import in_one_transaction
from sheets.models import User

ADDRESS_LINK_LASTS = 24 * 3600  # seconds
_SALT = "another e-mail address"


@sensitive_variables("password")
def sign_up(email: str, name: str, password: str) -> User | Refused:
    """Make an account, once for an e-mail address however it is spelled.

    The unique address is the lock, and what a form sent twice is refused by.
    """
    user = User(email=User.normalize_username(email), name=name)
    user.set_password(password)  # takes long on purpose: not inside the transaction

    def work() -> User:
        _refuse_if_taken(user)
        user.save(force_insert=True)
        return user

    return in_one_transaction(work)


def _refuse_if_taken(user: User) -> None:
    if User.objects.filter(email=user.email).exclude(pk=user.pk).exists():
        raise Refusal(Why.EMAIL_TAKEN)


def address_secret(user: User, email: str) -> str:
    """Return the secret of the link that gives an account another e-mail address, within a day.

    It goes to that address alone. A new password makes it void, and so does any new address.
    """
    return signing.dumps([user.pk, email, _mark(user)], salt=_SALT)


def address_in(secret: str) -> tuple[User, str] | None:
    """Return whose account gets which address by this secret; None: by none, or no longer."""
    try:
        pk, email, mark = signing.loads(secret, salt=_SALT, max_age=ADDRESS_LINK_LASTS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    if user is None or not constant_time_compare(mark, _mark(user)):
        return None
    return user, email


def _mark(user: User) -> str:
    """Return what changes with the password and with the address, and tells neither."""
    return salted_hmac(_SALT, f"{user.pk} {user.password} {user.email}").hexdigest()[:32]


def confirm_address(secret: str) -> User | Refused:
    """Give an account the address that a link was sent to."""

    def work() -> User:
        found = address_in(secret)
        if found is None:
            raise Refusal(Why.ADDRESS_LINK_OVER)
        return _readdress(*found)

    return in_one_transaction(work)


def change_address(user: User, email: str) -> User | Refused:
    """Give an account another address, where no message can confirm it."""
    return in_one_transaction(lambda: _readdress(user, email))


def _readdress(user: User, email: str) -> User:
    account = lock_account(user.pk)
    account.email = User.normalize_username(email)
    _refuse_if_taken(account)
    account.save(update_fields=("email",))
    return account


def lock_account(pk: int) -> User:
    """Lock the row of an account, or refuse where it was closed meanwhile.

    Whoever makes somebody an organiser holds it, so that no closed account runs a club. Where clubs
    are locked too, they are first.
    """
    account = User.objects.select_for_update(no_key=True).filter(pk=pk, is_active=True).first()
    if account is None:
        raise Refusal(Why.NO_ACCOUNT)
    return account
