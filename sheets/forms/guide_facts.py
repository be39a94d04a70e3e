"""What the guide to Auction Pinochle says in figures: every one of them asked of the rules."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext as _

from rules import auction, auction_advice, cards, meld_limits, melds, tricks
from rules.auction_house import RICH_ROUNDHOUSE, TOP_MADE
from rules.cards import Card, Counting, Rank, Suit
from sheets import hand_wording
from sheets.forms.base import translated
from sheets.forms.guide import fraction, percent, ranks_in_words, schemes_in_words
from sheets.forms.house_query import STANDARD

# The preset at Start a table that opens with the stake table to be changed.
OTHER_STAKES = "stakes"
SIZES = (meld_limits.KEPT, meld_limits.TAKEN)
USEFUL = range(1, 9)
UNSEEN = auction_advice.UNSEEN
# The hand that the guide follows from the deal to the payment.
WORKED_CARDS = "AS QS 9S 9S AH 10H KH QH AD 10D JD 9D AC 10C 9C"
WORKED_BID, WORKED_TRUMP, WORKED_IN_CARDS = 320, Suit.HEARTS, 140


@dataclasses.dataclass(frozen=True, slots=True)
class Variant:
    """A house rule in words, and what to start a table with for it."""

    id: str
    title: str
    says: str
    query: str


@cache
def _stakes() -> list[dict[str, Any]]:
    """The stake table: each bracket, and what a bid in it is worth in and out of spades."""
    rows: dict[str, dict[str, Any]] = {}
    dealers = STANDARD.dealers_bid
    assert dealers is not None
    for bid in (dealers, *auction.legal_bids(STANDARD)):
        bracket = auction.bracket(bid, STANDARD)
        if bracket not in rows:
            plain = auction_advice.with_each(bid, Suit.HEARTS, STANDARD)
            spades = auction_advice.with_each(bid, Suit.SPADES, STANDARD)
            rows[bracket] = {"bid": bracket, "plain": plain, "spades": spades}
    return list(rows.values())


def _card_values() -> list[tuple[str, list[int]]]:
    names = ranks_in_words()
    return [(names[rank], [cards.POINTS[scheme][rank] for scheme in Counting]) for rank in Rank]


def _uncounted() -> list[int]:
    """What no pile comes to by the standard count."""
    whole = tricks.whole_deal(Counting.STANDARD)
    possible = cards.possible_trick_points(Counting.STANDARD)
    return [points for points in range(whole + 1) if points not in possible]


def _melds() -> list[tuple[str, str, int]]:
    """Every meld with hearts as trumps: its name, its cards, its points."""
    rows = []
    for meld in melds.kinds(Suit.HEARTS):
        held = " ".join(melds.written(card) for card in meld.cards)
        rows.append((_(meld.name).capitalize(), held, meld.points))
    return rows


def _limits() -> list[tuple[int, list[int]]]:
    return [(size, [meld_limits.most(size, suit) for suit in Suit]) for size in SIZES]


def _kitty() -> list[tuple[int, int, str, str]]:
    rows = []
    for useful in USEFUL:
        chance = auction_advice.kitty_chance(useful)
        one_in = f"{float(1 / chance):.2f}"
        rows.append((useful, auction_advice.kitties_with(useful), percent(chance, 2), one_in))
    return rows


def _worked() -> dict[str, Any]:
    """The worked hand, melded, decided and settled as any hand on a sheet is."""
    held = cards.parse(WORKED_CARDS)
    count = melds.best(held, WORKED_TRUMP)
    in_tricks = WORKED_IN_CARDS + cards.LAST_TRICK
    outcome = auction.decide(WORKED_BID, count.total, in_tricks, STANDARD)
    hand = auction.Hand(bidder=1, bid=WORKED_BID, trump=WORKED_TRUMP, outcome=outcome)
    settled = auction.settle(hand, STANDARD)
    return {
        "bid": WORKED_BID,
        "suit": hand_wording.suit(WORKED_TRUMP),
        "lines": [(_(meld.name), meld.points) for meld in count.melds],
        "melds": count.total,
        "in_cards": WORKED_IN_CARDS,
        "last": cards.LAST_TRICK,
        "tricks": in_tricks,
        "total": count.total + in_tricks,
        "over": count.total + in_tricks - WORKED_BID,
        "outcome": hand_wording.outcome(outcome),
        "why": translated(settled.reason),
        "each": settled.payments[0].units,
        "entries": settled.entries,
    }


def _roundhouse() -> dict[str, int]:
    suits = Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS
    pairs = [Card(rank, suit) for suit in suits for rank in (Rank.KING, Rank.QUEEN)]
    run = [Card(rank, Suit.HEARTS) for rank in melds.RUN]
    both = list(dict.fromkeys([*pairs, *run]))
    rich = dataclasses.replace(STANDARD, roundhouse=RICH_ROUNDHOUSE)
    return {
        "alone": melds.best(pairs, Suit.HEARTS).total,
        "plain": melds.best(both, Suit.HEARTS).total,
        "rich": melds.best(both, Suit.HEARTS, roundhouse_bonus=rich.roundhouse_bonus).total,
        "bonus": rich.roundhouse_bonus,
        "spare": melds.best(
            [*both, *pairs[:2]], Suit.HEARTS, roundhouse_bonus=rich.roundhouse_bonus
        ).total,
    }


def facts() -> dict[str, Any]:
    """Return every figure of the guide, by the name its pages know it by."""
    bids = auction.legal_bids(STANDARD)
    plain = _stakes()[0]["plain"]
    spades = _stakes()[0]["spades"]
    return {
        "house": STANDARD,
        "copies": cards.COPIES,
        "pack": cards.COPIES * len(Rank) * len(Suit),
        "kept": meld_limits.KEPT,
        "taken": meld_limits.TAKEN,
        "kitty": auction_advice.KITTY,
        "unseen": UNSEEN,
        "first_bids": ", ".join(map(str, bids[:8])),
        "stakes": _stakes(),
        "schemes": list(schemes_in_words().values()),
        "card_values": _card_values(),
        "last_trick": cards.LAST_TRICK,
        "whole": tricks.whole_deal(Counting.STANDARD),
        "uncounted": _("%(first)s or %(last)s")
        % dict(zip(("first", "last"), _uncounted(), strict=True)),
        "melds": _melds(),
        "suits": [(suit, hand_wording.suit(suit)) for suit in Suit],
        "limits": _limits(),
        "most_melds": meld_limits.most_in_any_suit(meld_limits.KEPT),
        "most_made": TOP_MADE,
        "kitties": auction_advice.kitties(),
        "kitty_rows": _kitty(),
        "even_plain": fraction(plain.break_even),
        "even_spades": fraction(spades.break_even),
        "pays": fraction(plain.pays),
        "best_plain": fraction(plain.pays_at_best),
        "best_spades": fraction(spades.pays_at_best),
        "two_pinochles": melds.best(melds.PINOCHLE * 2, Suit.HEARTS).total,
        "two_runs": melds.best(
            [Card(rank, Suit.HEARTS) for rank in melds.RUN] * 2, Suit.HEARTS
        ).total,
        "worked": _worked(),
        "roundhouse": _roundhouse(),
        "variants": variants(),
    }


def variants() -> list[Variant]:
    """Return the house rules that tables agree on, each ready to start a table with."""
    return [*_bidding(), *_counting(), *_at_the_table()]


def _variant(id: str, title: str, says: str, **query: Any) -> Variant:
    return Variant(id, title, says, urlencode(query))


def _bids(house: auction.HouseRules) -> str:
    return ", ".join(map(str, auction.legal_bids(house)[:6]))


def _bidding() -> list[Variant]:
    lower = {"minimum": 250, "forties_and_nineties": True}
    low = auction.HouseRules(**lower)  # type: ignore[arg-type]
    forties = auction.HouseRules(forties_and_nineties=True)
    wide = auction.HouseRules(step=20)
    more = min({*auction.legal_bids(forties)} - {*auction.legal_bids(STANDARD)})
    return [
        _variant(
            "lower-opening",
            _("Opens lower, any ten"),
            _(
                "Whoever speaks first may start at %(minimum)s, and every ten is a bid: %(bids)s "
                "and on. The lowest row of the stakes covers all that is below it."
            )
            % {"minimum": low.minimum, "bids": _bids(low)},
            **lower,
        ),
        _variant(
            "forties-and-nineties",
            _("40s and 90s allowed"),
            _("No ten is skipped: %(bids)s. Each counts with those below: %(bid)s is in %(row)s.")
            % {"bids": _bids(forties), "bid": more, "row": auction.bracket(more, forties)},
            forties_and_nineties=True,
        ),
        _variant(
            "step",
            _("Bids go up by %(step)s") % {"step": wide.step},
            _("The step may be any multiple of ten. With %(step)s the bids are %(bids)s and on.")
            % {"step": wide.step, "bids": _bids(wide)},
            step=wide.step,
        ),
        _variant(
            "no-forced-bid",
            _("Nobody is left with the bid"),
            _("An opener whom nobody outbids plays it: the dealer has no bid at a lower price."),
            dealer_bid="",
        ),
        _variant(
            "spades-single",
            _("Spades don't double"),
            _("Every suit is worth the same, and a hand is thrown in at the same odds in all."),
            spades_double=False,
        ),
        _variant(
            "other-stakes",
            _("Another stake table"),
            _(
                "Rows may start at other bids and pay other units. A set always costs double "
                "what the bid would have won, and no row pays less than the one below it."
            ),
            preset=OTHER_STAKES,
        ),
    ]


def _counting() -> list[Variant]:
    whole = {"whole": tricks.whole_deal(Counting.TENS)}
    round_ = _roundhouse()
    return [
        _variant(
            "tens",
            _("Simple counting"),
            _(
                "Aces, tens and kings are ten each and nothing else counts, so that tricks are "
                "counted by the stack. The deal is still %(whole)s, and melds score as before."
            )
            % whole,
            counting=Counting.TENS.value,
        ),
        _variant(
            "fives",
            _("Counting by fives"),
            _(
                "Aces and tens are ten each, kings and queens five. The deal is still %(whole)s, "
                "and melds score as before."
            )
            % whole,
            counting=Counting.FIVES.value,
        ),
        _variant(
            "roundhouse",
            _("A roundhouse beside a run counts %(rich)s") % round_,
            _(
                "A king and queen of every suit are together called a roundhouse, %(alone)s. With "
                "a run in trumps the two come to %(plain)s, as the royal marriage is in the run "
                "already. Some tables let it count again: %(rich)s, and %(spare)s with a second "
                "king and queen of trumps."
            )
            % round_,
            roundhouse=RICH_ROUNDHOUSE,
        ),
    ]


def _at_the_table() -> list[Variant]:
    pot = auction.Pot()
    return [
        _variant(
            "four",
            _("Four at the table"),
            _(
                "One sits out each hand, as a rule the player on the dealer's right, and pays or "
                "collects like an opponent. Three have columns; what the fourth owes or gets is "
                "told beside each hand, off the sheet."
            ),
            fourth=auction.Fourth.OFF_SHEET.value,
            sitter=auction.Sitter.RIGHT_OF_DEALER.value,
        ),
        _variant(
            "dealer-sits-out",
            _("Four, and the dealer sits out"),
            _(
                "The dealer plays no cards. The player on the dealer's right speaks last, and so "
                "is the one a forced opening can be left with."
            ),
            fourth=auction.Fourth.OFF_SHEET.value,
            sitter=auction.Sitter.DEALER.value,
        ),
        _variant(
            "fourth-column",
            _("A column for the fourth"),
            _(
                "All four have a column, and a bidder takes from three or pays three. This one is "
                "our own setting and not an old rule of the game: no preset ever turns it on."
            ),
            fourth=auction.Fourth.COLUMN.value,
            sitter=auction.Sitter.RIGHT_OF_DEALER.value,
        ),
        _variant(
            "pot",
            _("Playing for a pot"),
            _(
                "Everybody puts in %(ante)s before the first deal. A bidder who is set pays the "
                "pot what each opponent gets; one who makes %(winning_bid)s or more takes all of "
                "it, and everybody at the table, whoever sat out too, puts in %(ante)s again."
            )
            % {"ante": pot.ante, "winning_bid": pot.winning_bid},
            ante=pot.ante,
            winning_bid=pot.winning_bid,
        ),
    ]
