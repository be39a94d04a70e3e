"""Names as they are shown, compared and counted; codes as they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets import codes, names
from sheets.models import Player

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ben", "Ben"),
        ("  Ben \t", "Ben"),
        ("Mary \n\u2028 Ann", "Mary Ann"),
        ("Mary\u00a0\u3000Ann", "Mary Ann"),
        ("Zoe\u0308", "Zoë"),
        ("\u202eneB\u202c", "neB"),
        ("A \u202a B", "A B"),
        ("Zoe\u202a\u0308", "Zoë"),
        (FAMILY, FAMILY),
        ("\x00", ""),
        ("", ""),
    ],
)
def test_a_name_is_shown_composed_with_single_spaces_and_no_controls(typed, shown):
    assert names.clean(typed) == shown


@pytest.mark.parametrize(
    "other", ["ben", "BEN", " Ben ", "Ｂｅｎ", "B\u200ben", "Ben\u2060", "\u202eBen", "Ｂen\t"]
)
def test_names_that_look_alike_are_compared_as_one(other):
    assert names.key(other) == names.key("Ben")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("Zoë", "Zoe\u0308"),
        ("Mary  Ann", "mary\u00a0ann"),
        ("ﬁona", "Fiona"),
    ],
)
def test_case_accents_and_spaces_do_not_part_two_names(one, other):
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(("one", "other"), [("Ben", "Bén"), ("Ben", "Bеn"), ("Ben", "Ben B")])
def test_another_letter_makes_another_name(one, other):
    assert names.key(one) != names.key(other)


@pytest.mark.parametrize(
    "unseen",
    [
        "",
        "   ",
        "\t\n",
        "\u200b",
        "\u200d\u2060",
        "\ufeff",
        "\u00ad",
        "\u3164",  # Hangul filler
        "\u2800",  # braille blank
        "\ufe0f",  # variation selector
        "\u034f",  # grapheme joiner
    ],
)
def test_a_name_of_which_nothing_can_be_seen_has_no_key(unseen):
    assert names.key(unseen) == ""


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("", 0),
        ("Ben", 3),
        ("Zoe\u0308", 3),
        (FAMILY, 1),
        ("🇩🇪🇫🇷", 2),
        ("👍🏽", 1),
        ("𠮷野", 2),
        ("山田", 2),
    ],
)
def test_letters_are_counted_as_people_see_them(name, letters):
    assert names.letters(name) == letters


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ([], ""),
        (["Alice"], "Alice"),
        (["Alice", "Ben"], "Alice and Ben"),
        (["Alice", "Ben", "Cass"], "Alice, Ben and Cass"),
    ],
)
def test_names_are_listed_as_a_sentence_lists_them(people, said):
    assert names.listed(people) == said


@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing_more(typed):
    shown = names.clean(typed)
    assert names.clean(shown) == shown
    assert names.key(shown) == names.key(typed)


@pytest.mark.parametrize("letter", ["Ⅷ", "ﷺ", "㎯", "ß"])
def test_the_key_of_the_longest_name_fits_its_column(letter):
    # Some letters fold into many: PostgreSQL refuses a key that is too long for its column.
    assert len(names.key(letter * names.LONGEST)) <= Player._meta.get_field("name_key").max_length


@pytest.mark.parametrize(
    "typed",
    [
        "AB01K9",
        "ab01k9",
        " AB01K9 ",
        "AB-01-K9",
        "A B 0 1 K 9",
        "ABO1K9",
        "aboik9",
        "ABoLK9",
        "ＡＢ０１Ｋ９",
        "ａｂｏｌｋ９",
        "ab01k9.",
        "AB01K9/",
        "(AB01K9)",
        "[ab01k9]",
        "“AB01K9”",
        "'AB01K9',",
        "Code: AB01K9",
        "The code is ab01k9, hurry up!",
        "please join us: AB01K9",
        "AB0 1K9 please",
        "table code ab0-1k9.",
        "join Alice with AB0 1K9",
    ],
)
def test_a_code_is_read_however_it_was_typed(typed):
    assert codes.read_code(typed) == "AB01K9"


@pytest.mark.parametrize(
    "typed",
    [
        *("", " ", "AB01K", "AB01K99", "ABU1K9", "AB01Kß", "ÄB01K9", "AB٠1K9", "😀😀😀😀😀😀"),
        *("AB01K9 or AB01K8", "please please me, kitten", "half a code: AB01K"),
    ],
)
def test_what_cannot_be_a_code_is_read_as_none(typed):
    assert codes.read_code(typed) == ""


@pytest.mark.parametrize("typed", ["the code is: abkqwx", "join ABKQWX", "Please type ABKQWX"])
def test_a_code_without_digits_is_told_from_words(typed):
    assert codes.read_code(typed) == "ABKQWX"


def test_a_new_code_is_read_as_itself():
    for _ in range(200):
        code = codes.new_code()
        assert codes.read_code(code) == code


def test_no_two_secrets_are_alike():
    assert len({codes.new_phone() for _ in range(200)}) == 200
    assert len({codes.new_public_id() for _ in range(200)}) == 200


def test_the_database_keeps_no_secret_of_a_phone():
    secret = codes.new_phone()
    assert secret not in codes.phone_hash(secret)
    assert codes.phone_hash(secret) == codes.phone_hash(secret)
