"""Sentences about accounts: who has to wait."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def done(what: str) -> str:
    """Return what was just done with an account; nothing for what nobody does."""
    return {
        "password": _("The new password counts from now on."),
        "address": _("Your account has the new address: sign in with it from now on."),
        "sent": _(
            "A message is on its way to the new address. Its link works for a day; until you have "
            "used it, your account keeps the address it has."
        ),
    }.get(what, "")


def address_taken() -> str:
    """Refuse an address that is another account's."""
    return _("Another account has this address.")


def how_long(seconds: int) -> str:
    """Return how long somebody waits: "43 seconds", "4 minutes"."""
    if seconds < 100:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    n = -(-seconds // 60)
    return ngettext("%(n)s minute", "%(n)s minutes", n) % {"n": n}


def too_many_accounts(seconds: int) -> str:
    """Ask somebody to wait at whose address many accounts were made."""
    return _(
        "Too many accounts were made from here in the last hour. Nothing but the password is lost: "
        "press the button again in %(time)s."
    ) % {"time": how_long(seconds)}


def too_many_clubs(seconds: int) -> str:
    """Ask somebody to wait at whose address many clubs were started."""
    return _(
        "Too many clubs were started from here in the last hour. Nothing you typed is lost: press "
        "the button again in %(time)s."
    ) % {"time": how_long(seconds)}


def too_many_resets(seconds: int) -> str:
    """Ask somebody to wait who has asked for many messages."""
    return _(
        "Too many of these messages were sent in the last hour. Look into the mailbox, also where "
        "unwanted messages go: the link in each of them works. Or press the button again in "
        "%(time)s."
    ) % {"time": how_long(seconds)}


def locked_out(seconds: int, *, mail: bool, everywhere: bool) -> str:
    """Ask somebody to wait who has tried too many passwords.

    `mail`: one can have it reset; `everywhere`: they were tried of many accounts.
    """
    if everywhere:
        sentence = _(
            "Too many wrong passwords were tried from here. Try again in %(time)s, or ask the "
            "admin of this installation, who can lift this."
        )
    elif mail:
        sentence = _(
            "Too many wrong passwords for this account were tried from here. Try again in "
            "%(time)s, or have the password reset now."
        )
    else:
        sentence = _(
            "Too many wrong passwords for this account were tried from here. Try again in "
            "%(time)s, or ask the admin of this installation, who can lift this."
        )
    return sentence % {"time": how_long(seconds)}
