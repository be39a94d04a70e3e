"""Short ways to post a form and to look at what came back."""

from __future__ import annotations

from sheets.forms.rules import rules_form


def opened(client, address):
    """The fields of the form at an address, as a browser would send them back untouched."""
    form = client.get(address).context["form"]
    parts = [*form, *getattr(form, "rules", ())]
    values = {field.name: field.value() for field in parts}
    return {name: str(value) for name, value in values.items() if value is not None}


def rules_in_fields(house):
    """The fields of these house rules."""
    form = rules_form("auction", house=house)
    return {field.name: "" if (n := field.value()) is None else str(n) for field in form}


def numbers(game, *typed):
    """The fields of a row that was typed, by seat."""
    units = {f"units_{p.pk}": text for p, text in zip(game.players, typed, strict=True)}
    return game.fields(by="numbers", bidder=None, bid=None, trump=None, outcome=None, **units)


def kept(page, game, *typed):
    """Whether the form still holds a typed row."""
    form = page.context["form"]
    return [form[f"units_{p.pk}"].value() for p in game.players] == list(typed)
