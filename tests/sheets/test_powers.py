"""Who may do what: docs/powers.md against every address, as everybody, looking and sending."""

from __future__ import annotations

import copy
import datetime
import itertools
import pathlib
import re
import uuid

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains

from rules import auction
from sheets import actions, codes, http
from sheets.actions.phone_links import link_secret
from sheets.live import tokens
from sheets.models import Change, Member, Sheet, Table
from tests.sheets import clubs
from tests.sheets.conftest import client_of
from tests.sheets.test_access import ADDRESSES, HTMX, everything, fields_of

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "powers.md"
NAMES = [pattern.name for pattern in ADDRESSES]
WORD = re.compile(r"[\w.:-]{6,}")


def all_of(everybody, most):
    """Walk as everybody, and on PostgreSQL as whoever may do most."""
    others = [who for who in everybody if who != most]
    alone = pytest.param([most], id=most, marks=pytest.mark.on_postgresql)
    return pytest.mark.parametrize("walkers", [alone, pytest.param(others, id="others")])


def written_down(heading="# Who may do what"):
    """The table of the document below a heading: for each address and everybody, both ways."""
    lines = DOCUMENT.read_text().splitlines()
    below = lines[lines.index(heading) + 1 :]
    below = list(itertools.takewhile(lambda line: not line.startswith("#"), below))
    head, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in below
        if line.startswith("| ")
    ]
    return {
        row[0]: {who: cell.split(" / ") for who, cell in zip(head[1:], row[1:], strict=True)}
        for row in rows
    }


POWERS = written_down()
EVERYBODY = list(POWERS["home"])


@pytest.fixture
def walk(game, started, new_game):
    """Clients for everybody, and what fills every address with something that is there."""
    _game, alice, _ben = started
    row = game.enter()
    removed = codes.new_phone()
    actions.join(game.write(codes.phone_hash(removed)), None)
    actions.remove_phone(game.write(), 3)
    game.table.refresh_from_db()
    _other, _ann, bob = new_game(["Ann", "Bob", "Cid"])
    third, *_ = new_game(["Dan", "Eve", "Fay"])
    key = uuid.uuid4()
    actions.make_phone_link(third.alice, key)
    watcher = Client()
    watcher.get(reverse("sheets:watch", args=[game.table.watch_id]))
    clients = {
        "stranger": Client(),
        "watcher": watcher,
        "removed phone": client_of(removed),
        "member of another table": client_of(bob),
        "member": client_of(alice),
    }
    ids = {
        "table_id": game.table.public_id,
        "sheet_id": game.sheet.public_id,
        "round_id": row.public_id,
        "code": game.table.code,
        "join_secret": game.table.join_secret,
        "start_secret": clubs.a_club().club.start_secret,
        "watch_id": game.table.watch_id,
        "number": 2,
        "secret": link_secret(third.alice, key),
        "person_id": game.players[0].person_id,
    }
    return clients, ids


def address(name, ids):
    pattern = next(pattern for pattern in ADDRESSES if pattern.name == name)
    return reverse(f"sheets:{name}", kwargs={key: ids[key] for key in pattern.pattern.converters})


# Forms that refuse a field of another form, which may come from an older page; and their fields.
_OF_A_SHEET = "key|seen|sheet|agreed|"
_OF_A_HAND = _OF_A_SHEET + r"by|bidder|bid|trump|outcome|dealer|units_\d+"
QUEUED = {
    "hand_new": _OF_A_HAND,
    "hand_edit": _OF_A_HAND,
    "hand_before": _OF_A_HAND,
    "number": _OF_A_SHEET + "player|units|hand|after",
    "correction_new": _OF_A_SHEET + r"why|units_\d+",
}


def prepared(game, name):
    """Bring the table to where a form of this address fits, and return the form's fields."""
    fields = fields_of(game) | {"code": game.table.code, "what": "code", "locked": "yes"}
    fields |= {"this_phone": "0", "name": ""}
    if name == "hand_put_back":
        actions.take_back(game.write(), game.standing[0].public_id)
    if name == "again":
        game.end()
        fields["name_3"] = ""  # else it may be a player's field of another form
    if name == "phone_back":
        actions.remove_phone(game.write(), 2)
    if name == "asks":
        asker = codes.phone_hash(codes.new_phone())
        actions.join(game.write(asker), game.players[1].person_id)
        number = Member.objects.get(phone=asker).number
        fields |= {"number": number, "person": game.players[1].person_id, "answer": "yes"}
    if name == "seats":
        order = [2, 0, 1]
        places = {f"place_{p.pk}": str(order[i] + 1) for i, p in enumerate(game.players)}
        fields |= places
    fields |= _prepared_for_more_words(game, name)
    if name in ("hand_edit", "hand_before"):
        fields |= {"bid": "350", "dealer": str(game.players[0].pk)}
    game.table.refresh_from_db()
    fields |= {"seen": str(game.version)}
    if name not in QUEUED:
        return fields
    return {field: text for field, text in fields.items() if re.fullmatch(QUEUED[name], field)}


def _prepared_for_more_words(game, name):
    """The same for what a second person's word or number goes to, and for what leaves the table."""
    players, row = game.players, game.standing[0] if game.standing else None
    fields = {"own_columns": "on", "confirm": "off"} if name == "settings" else {}
    if name == "rules_back":
        house = auction.HouseRules(minimum=250)
        done = actions.change_rules(game.write(), game.sheet.public_id, house, whole=False)
        fields = {"change": str(done.change.version)}
    if name in ("rules_save", "rules_forget"):
        fields = {"name": "Ours"}
    if name == "rules_forget":
        actions.save_rules(game.write(), game.sheet.public_id, "Ours")
        fields = {"saved": str(game.table.saved_rules.get().pk)}
    if name in ("hand_zeros", "number"):
        actions.change_settings(game.write(), True, False)
        fields = {"player": str(players[0].pk), "units": "4", "after": str(row.public_id)}
    if name == "hand_zeros":
        actions.take_back(game.write(), row.public_id)
        number = actions.enter_number(game.write(), game.sheet.public_id, players[1].pk, 4)
        fields = {"round_id": number.change.round.public_id}
    if name == "hand_confirm":
        actions.change_settings(game.write(), False, True)
        fields = {"round_id": game.enter(phone=game.ben).public_id}
    if name == "keep":
        actions.agree_to_delete(game.write(game.ben))
    if name == "erase":
        guest = codes.phone_hash(codes.new_phone())
        actions.join(game.write(guest), None, name="Dana")
        fields = {"person_id": Member.objects.get(phone=guest).person_id}
    if name in ("fourth", "leave"):
        fields = {"name": "Dana", "fourth": "off_sheet", "player": str(players[2].pk)}
    if name == "reopen":
        game.end()
    if name == "pot_share":
        Sheet.objects.update(pot=7)
    if name in ("totals", "totals_back"):
        actions.take_back(game.write(), row.public_id)
        for units in ((5, 0, 7), (9, 3, 7), (12, 3, 9)):
            game.enter(game.typed(*units))
    if name == "totals_back":
        actions.replace_totals(game.write(), game.sheet.public_id)
    return fields


def test_every_address_stands_in_the_document_once():
    assert list(POWERS) == NAMES
    assert EVERYBODY == [
        "stranger",
        "watcher",
        "removed phone",
        "member of another table",
        "member",
    ]


def outcome_of(answer):
    """What somebody got who wrote nothing, in the words of the document."""
    text = answer.content.decode()
    if answer.status_code == 404 and "This sheet is private. Have the code?" in text:
        return "private"
    if answer.status_code == 403 and answer.get("Refused") == "removed":
        return "removed"
    words = {200: "sees", 303: "is led", 405: "-"}
    return words.get(answer.status_code, f"{answer.status_code}: {text}")


@all_of(EVERYBODY, "member")
def test_looking(game, walk, walkers):
    clients, ids = walk
    for name in sorted(NAMES, key="again".__eq__):  # the last one: it can be seen once it is over
        if name == "again":
            game.end()
        before = everything()
        for who in walkers:
            answer = clients[who].get(address(name, ids))
            assert everything() == before, (name, who)
            assert (name, who, outcome_of(answer)) == (name, who, POWERS[name][who][0])
            if who != "member" and "table_id" in address_parts(name):
                page = answer.content.decode()
                assert "Alice" not in page.replace("Alice removed this phone", "")
                assert game.table.code not in page
                assert game.table.join_secret not in page


def is_written(name, who):
    return POWERS[name][who][1] in ("writes", "makes")


@all_of(EVERYBODY, "member")
def test_sending_what_may_not_be_written(game, walk, walkers):
    clients, ids = walk
    fields = prepared(game, "")
    before = everything()
    for who, name in itertools.product(walkers, NAMES):
        if not is_written(name, who):
            answer = clients[who].post(address(name, ids), fields)
            assert (name, who, outcome_of(answer)) == (name, who, POWERS[name][who][1])
    assert everything() == before


@all_of(EVERYBODY, "member")
def test_sending_what_may_be_written(game, walk, walkers):
    clients, ids = walk
    cookies = {who: clients[who].cookies for who in walkers}
    for who, name in itertools.product(walkers, NAMES):
        if not is_written(name, who):
            continue
        clients[who].cookies = copy.deepcopy(cookies[who])
        with transaction.atomic():
            outcome = what_is_written(game, clients[who], name, dict(ids))
            transaction.set_rollback(True)
        assert (name, who, outcome) == (name, who, POWERS[name][who][1])


def what_is_written(game, client, name, ids):
    fields = prepared(game, name)
    ids |= {"code": game.table.code, "join_secret": game.table.join_secret}
    ids |= {part: fields[part] for part in ids if part in fields}
    if name in ("table_new", "table_new_club"):
        fields |= {f"name_{seat}": f"Y{seat}" for seat in range(3)} | {"name_3": ""}
    before, tables = everything(), set(Table.objects.all())
    answer = client.post(address(name, ids), fields)
    assert answer.status_code == 303, (name, answer.content.decode())
    after = everything()
    assert after != before, name
    changed = len(after["Change"]) > len(before["Change"]) and set(Table.objects.all()) == tables
    return "writes" if changed else "makes"


# What makes no sense is answered too.


def test_whatever_part_of_a_page_is_wanted_there_is_an_answer(game, walk):
    clients, ids = walk
    by_script = HTMX | {"HX-Target": "sheet"}
    for name, who in itertools.product(NAMES, ("stranger", "member")):
        url = address(name, ids)
        assert clients[who].get(url, headers=by_script).status_code < 500, name
        with transaction.atomic():
            assert clients[who].post(url, {"x": "y"}, headers=by_script).status_code < 500, name
            transaction.set_rollback(True)
    for odd in ({"HX-Target": "sheet"}, HTMX | {"HX-Target": "#no such part\"'"}):
        assert clients["member"].get(game.url(), headers=odd).status_code == 200


def test_the_pages_with_a_live_part_are_known():
    templates = settings.BASE_DIR / "templates"
    found = {
        str(path.relative_to(templates))
        for path in templates.rglob("*.html")
        if "{% partialdef live " in path.read_text()
    }
    assert found == http.LIVE


def test_a_key_that_was_used_elsewhere_writes_nothing(game, walk):
    clients, ids = walk
    of_change = Change.objects.exclude(table=game.table).latest("pk").key
    other = Sheet.objects.exclude(table=game.table).latest("pk")
    imported = {"entered_at": timezone.now(), "house_rules": other.house_rules, "position": 1}
    imported |= {"changed": 0, "dealer": other.players.first()}
    of_hand = other.rounds.create(public_id=uuid.uuid4(), kind="passed_out", **imported).public_id
    for name, key in itertools.product(NAMES, (of_change, of_hand)):
        if is_written(name, "member"):
            with transaction.atomic():
                fields = prepared(game, name) | {"key": str(key)}
                ids |= {"code": game.table.code, "join_secret": game.table.join_secret}
                assert clients["member"].post(address(name, ids), fields).status_code < 500, name
                transaction.set_rollback(True)
    refused = actions.enter_hand(game.write(key=of_hand), game.sheet.public_id, game.played())
    assert refused.why == actions.Why.KEY_USED


def address_parts(name):
    return next(p for p in ADDRESSES if p.name == name).pattern.converters


# Everything a watcher is ever sent.


def sent_to_a_watcher(game):
    """Every state of a table as its watcher gets it: page, live part and all hands."""
    watcher, url = Client(), f"/watch/{game.table.watch_id}/"
    for get in (
        lambda: watcher.get(url),
        lambda: watcher.get(url, headers=HTMX | {"HX-Target": "sheet"}),
        lambda: watcher.get(f"{url}?hands=all"),
        lambda: watcher.get(f"{url}?saved={game.sheet.rounds.first().public_id}"),
    ):
        answer = get()
        assert answer.status_code == 200
        yield answer
    assert watcher.cookies == {}


def test_a_watcher_is_sent_nothing_that_grants_more(game, new_game):
    other, *_ = new_game(["Ann", "Bob", "Cid"])
    game.fill(31)
    actions.join(game.write(codes.phone_hash(codes.new_phone())), game.players[1].person_id)
    answers = list(sent_to_a_watcher(game))
    game.end()
    answers += sent_to_a_watcher(game)
    secrets = {game.table.code, game.table.public_id, game.sheet.public_id, game.alice, game.ben}
    secrets |= {game.table.join_secret, other.table.join_secret}
    secrets |= {str(row.public_id) for row in game.sheet.rounds.all()}
    secrets |= {str(key) for key in Change.objects.values_list("key", flat=True)}
    secrets |= {other.table.watch_id, other.table.public_id, other.table.code}
    found = set()
    for answer in answers:
        text = answer.content.decode() + str(answer.headers)
        assert not [secret for secret in secrets if secret in text]
        for not_for_them in ("<form", "/t/", "/join/", "csrf", "<nav", "phone"):
            assert not_for_them not in answer.content.decode(), not_for_them
        assert answer["Cache-Control"] == "private, no-cache"
        assert answer["Referrer-Policy"] == "same-origin"
        found |= set(WORD.findall(text))
    # Whatever is in there, put in the place of any id, opens nothing but the watch page.
    stranger, before = Client(), everything()
    elsewhere = stranger.get(f"/watch/{other.table.watch_id}/").content.decode()
    words_of_any_page = set(WORD.findall(elsewhere))
    for word in found - words_of_any_page - {game.table.watch_id}:
        for url in (f"/t/{word}/", f"/watch/{word}/", f"/phone/{word}"):
            assert stranger.get(url).status_code in (404, 410), url
        if codes.read_code(word):
            assert stranger.get(f"/join/{word}").status_code in (404, 429), word
    assert everything() == before


def test_a_watcher_sees_the_sheet_and_then_its_result(game, client):
    game.enter()
    url = f"/watch/{game.table.watch_id}/"
    page = client.get(url)
    assertContains(page, f'data-live="{url}"')
    assertContains(page, "320")
    part = client.get(url, headers=HTMX | {"HX-Target": "sheet"}).content.decode().strip()
    assert part.startswith('<section id="sheet"')
    token = re.search(r'data-stream="/live/([^"]+)"', part).group(1)
    assert tokens.read_token(token).member is None
    game.end()
    assertContains(client.get(url), "Ben wins with 2")


def test_a_watch_page_takes_few_queries(game, client, at_most_queries):
    game.fill(40)
    with at_most_queries(5):
        client.get(f"/watch/{game.table.watch_id}/")


def test_the_part_that_all_who_watch_ask_for_is_made_once_a_version(game, at_most_queries):
    url, part = f"/watch/{game.table.watch_id}/", HTMX | {"HX-Target": "sheet"}
    for _ in range(2):
        game.enter()
        made = Client().get(url, headers=part)
        with at_most_queries(1):
            again = Client().get(url, headers=part)
        assert again.content == made.content
        assert {name: again[name] for name in ("Vary", "Cache-Control")} == {
            name: made[name] for name in ("Vary", "Cache-Control")
        }
        assertContains(again, '<tr class="row">', count=len(game.standing))


@pytest.mark.parametrize("watch_id", ["x", "x" * 16, "x" * 300])
def test_a_wrong_watch_link_is_no_page(game, client, watch_id):
    assertContains(client.get(f"/watch/{watch_id}/"), "There is no page", status_code=404)


def test_a_phone_that_was_removed_is_told_at_live_parts_too(game, started):
    ben = client_of(started[2])
    actions.remove_phone(game.write(), 2)
    part = ben.get(game.url(), headers=HTMX | {"HX-Target": "sheet"})
    assertContains(part, "Alice removed this phone from the table at", status_code=403)
    assert (part["Refused"], part["HX-Retarget"]) == ("removed", "#page")
    assert part["Cache-Control"] == "private, no-cache"


def test_the_time_of_a_removal_is_the_tables_own(game, ben):
    actions.remove_phone(game.write(), 2)
    night = datetime.datetime(2026, 3, 1, 20, 14, tzinfo=datetime.UTC)
    Member.objects.filter(number=2).update(removed_at=night)
    assert timezone.get_current_timezone_name() == "UTC"
    page = ben.get(game.url())
    assertContains(page, "on 1 March 2026 at 21:14", status_code=403)
    assert Table.objects.get(pk=game.table.pk).code not in page.content.decode()
