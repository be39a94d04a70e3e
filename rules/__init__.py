"""The rules of the games: pure functions over frozen values.

No clock, no chance, no files, and nothing imported from outside the standard library, so that
every figure on a score sheet can be worked out, tested and explained without the site.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def gettext_noop(text: str) -> str:
    """Return the text as it is.

    Only a mark. Django's makemessages looks for this name, so it collects the sentences written
    here, and a page can translate a `Message.template` while the rules know nothing of Django.
    """
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for a person: a stable code, a template with named places, what goes in them.

    `str(message)` is the English sentence. A page that speaks another language translates
    `template` and puts in the same `params`.
    """

    code: str
    template: str
    # Compared but not hashed, a dict having no hash: equal messages still hash alike.
    params: Mapping[str, int | str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.template % self.params


class RuleError(ValueError):
    """What was entered cannot happen under the rules.

    `field` names the answer at fault ("bid", "trump", "bidder", ...), or is None when the
    trouble is with the whole; `str(error)` is the English sentence.
    """

    def __init__(self, message: Message, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    @property
    def code(self) -> str:
        """The stable name of the mistake."""
        return self.message.code

    @property
    def params(self) -> Mapping[str, int | str]:
        """What goes in the named places of the sentence."""
        return self.message.params
