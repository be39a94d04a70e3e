"""Who may do what in clubs: docs/powers.md against every address, as everybody, both ways."""

from __future__ import annotations

import copy
import itertools
import uuid

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from sheets import actions, club_urls, codes, slowing
from sheets.actions.organisers import invitation_secret
from sheets.models import Club, ClubPerson, Organiser, Season, Sheet, Table, User
from tests.sheets import clubs
from tests.sheets.conftest import client_of
from tests.sheets.test_access import OF_A_TABLE, address, everything, ids_of
from tests.sheets.test_imports import SAMPLE, mark_in
from tests.sheets.test_powers import all_of, written_down
from tests.sheets.test_powers import outcome_of as phone_outcome

POWERS = written_down("## Clubs")
ADDRESSES = {pattern.name: pattern for pattern in club_urls.urlpatterns}
# Whose powers each of these has, as the document says.
EVERYBODY = {
    "anonymous": "stranger",
    "watcher": "stranger",
    "removed phone": "stranger",
    "member": "stranger",
    "organiser elsewhere": "organiser elsewhere",
    "staff": "organiser elsewhere",
    "organiser": "organiser",
    "owner": "owner",
}


@pytest.fixture
def world(thursday, club_game, started, new_game):
    """A club with one of everything, and the browsers of everybody."""
    _game, alice, _ben = started
    club_game.enter()
    club_game.end()
    banked = club_game.sheet
    actions.play_again(club_game.write(), ["Alice", "Ben", "Cass"], 0)
    removed = codes.new_phone()
    actions.join(club_game.write(codes.phone_hash(removed)), None)
    actions.remove_phone(club_game.write(), 3)
    club_game.table.refresh_from_db()
    loose, *_ = new_game(["Ann", "Bob", "Cid"])
    watcher = Client()
    watcher.get(reverse("sheets:watch", args=[club_game.table.watch_id]))
    friday = clubs.a_club("friday", "Friday Club")
    staff = User.objects.create_superuser("staff@club.example", "correct horse")
    olga = User.objects.create_user("olga@thursday.example", name="Olga")
    thursday.club.organisers.create(user=olga)
    actions.invite(thursday.write(key=(key := uuid.uuid4())))
    season = Season.objects.create(
        club=thursday.club,
        name="Winter",
        name_key="winter",
        starts="2026-01-01",
        ends="2026-12-31",
        published_id=codes.new_public_id(),
    )
    ids = {
        "slug": thursday.club.slug,
        "table_id": club_game.table.public_id,
        "sheet_id": banked.public_id,
        "round_id": banked.rounds.get().public_id,
        "number": 2,
        "pk": thursday.person("Ben").pk,
        "user_id": olga.pk,
        "secret": invitation_secret(thursday.mara, key),
        "uidb64": "MQ",
        "token": "x-y",
        "published_id": season.published_id,
    }
    clients = {
        "anonymous": Client(),
        "watcher": watcher,
        "removed phone": client_of(removed),
        "member": client_of(alice),
        "organiser elsewhere": clubs.signed_in(friday.otto),
        "staff": clubs.signed_in(staff),
        "organiser": clubs.signed_in(thursday.otto),
        "owner": clubs.signed_in(thursday.mara),
    }
    world = World(thursday, club_game, loose, banked, season, ids, clients)
    world.olga, world.other = olga, friday
    return world


class World:
    def __init__(self, at, game, loose, banked, season, ids, clients):
        self.at, self.game, self.loose, self.banked = at, game, loose, banked
        self.season, self.ids, self.clients = season, ids, clients

    @property
    def open_sheet(self):
        return Sheet.objects.get(table=self.game.table, state="open")

    def seen(self, name, **ids):
        """What somebody has seen who looks now: the table an address is about, or the club."""
        ids = self.ids | ids
        about = ADDRESSES[name].pattern.converters
        tables = Table.objects.filter(club=self.at.club)
        if "sheet_id" in about:
            return str(tables.get(sheets__public_id=ids["sheet_id"]).seen)
        if "table_id" in about and name != "club_table_let_go":
            return str(tables.get(public_id=ids["table_id"]).seen)
        return str(Club.objects.get(pk=self.at.club.pk).seen)

    def address(self, name, **other):
        ids = self.ids | other
        if "season" in name and "pk" not in other:
            ids["pk"] = self.season.pk
        return reverse(
            f"sheets:{name}",
            kwargs={part: ids[part] for part in ADDRESSES[name].pattern.converters},
        )


def outcome_of(answer):
    """What somebody got who wrote nothing, in the words of the document."""
    where = answer.get("Location", "")
    if answer.status_code == 302 and where.startswith("/account/sign-in/"):
        return "signs in"
    if answer.status_code == 404:
        return "no club"
    if answer.status_code == 403 and "Only an owner" in answer.content.decode():
        return "owners only"
    words = {200: "sees", 302: "is led", 303: "is led", 405: "-"}
    return words.get(answer.status_code) or f"{answer.status_code}: {answer.content.decode()}"


def test_every_address_stands_in_the_document_once():
    assert list(POWERS) == list(ADDRESSES)
    assert set(EVERYBODY.values()) == set(POWERS["club"])


@all_of(EVERYBODY, "owner")
def test_looking(world, walkers):
    secrets = [
        world.at.club.code,
        world.at.club.start_secret,
        world.game.table.code,
        world.game.table.watch_id,
    ]
    before = everything()
    for name, who in itertools.product(ADDRESSES, walkers):
        answer = world.clients[who].get(world.address(name))
        assert everything() == before, (name, who)
        assert (name, who, outcome_of(answer)) == (name, who, POWERS[name][EVERYBODY[who]][0])
        said = b"".join(answer).decode("utf-8", "replace") + str(answer.headers)
        if EVERYBODY[who] in ("stranger", "organiser elsewhere"):
            assert not [secret for secret in secrets if secret in said], name
            assert "Alice" not in said, name


def test_at_the_tables_of_phones_an_account_counts_for_nothing(world):
    ids = ids_of(world.game) | {"sheet_id": world.banked.public_id}
    fields = world.game.fields()
    before = everything()
    accounts = ("organiser elsewhere", "organiser", "owner", "staff")
    for name, who in itertools.product(OF_A_TABLE, accounts):
        at, client = address(name, **ids), world.clients[who]
        for answer in (client.get(at), client.post(at, fields)):
            assert (name, who, phone_outcome(answer)) == (name, who, "private")
    assert everything() == before


def test_the_admin_is_staffs_alone(world):
    for who, client in world.clients.items():
        answer = client.get("/admin/sheets/club/")
        assert (who, answer.status_code) == (who, 200 if who == "staff" else 302)


def is_written(name, who):
    return POWERS[name][EVERYBODY[who]][1] == "writes"


@all_of(EVERYBODY, "owner")
def test_sending_what_may_not_be_written(world, walkers):
    fields = {"key": str(uuid.uuid4()), "seen": "0", "sheet": world.banked.public_id}
    before = everything()
    for who, name in itertools.product(walkers, ADDRESSES):
        if not is_written(name, who):
            answer = world.clients[who].post(world.address(name), fields)
            assert (name, who, outcome_of(answer)) == (name, who, POWERS[name][EVERYBODY[who]][1])
    assert everything() == before


@all_of(EVERYBODY, "owner")
def test_sending_what_may_be_written(world, walkers):
    cookies = {who: copy.deepcopy(world.clients[who].cookies) for who in walkers}
    for who, name in itertools.product(walkers, ADDRESSES):
        if not is_written(name, who):
            continue
        world.clients[who].cookies = copy.deepcopy(cookies[who])
        with transaction.atomic():
            sends(world, world.clients[who], name)
            transaction.set_rollback(True)


def sends(world, client, name):
    """Send a form that fits an address, and see that it has changed something."""
    slowing.forget()  # all of them send from one address
    ids, fields = fits(world, client, name)
    fields = {"key": str(uuid.uuid4()), "seen": world.seen(name, **ids)} | fields
    before, mails = (everything(), Session.objects.count()), len(mail.outbox)
    slowed = slowing.CLUB_TABLES.waiting()
    answer = client.post(world.address(name, **ids), fields)
    assert answer.status_code in (302, 303), (name, answer.content.decode())
    written = before != (everything(), Session.objects.count()) or len(mail.outbox) > mails
    assert written or slowing.CLUB_TABLES.waiting() != slowed, name


def test_whatever_part_of_a_page_is_wanted_there_is_an_answer(world):
    for name, who in itertools.product(ADDRESSES, ("anonymous", "owner")):
        headers = {"HX-Request": "true", "HX-Target": "sheet"}
        client = copy.copy(world.clients[who])
        client.cookies = copy.deepcopy(client.cookies)
        looked = client.get(world.address(name), headers=headers)
        assert looked.status_code < 500, name
        b"".join(looked)  # a download is read to its end
        with transaction.atomic():
            sent = client.post(world.address(name), {"x": "y"}, headers=headers)
            assert sent.status_code < 500, (name, who)
            transaction.set_rollback(True)


@pytest.mark.parametrize("where", ["table", "hand"])
def test_a_key_that_was_used_elsewhere_writes_nothing(world, where):
    used = {
        "table": world.loose.table.changes.latest("pk").key,
        "hand": world.banked.rounds.get().public_id,
    }
    for name in ADDRESSES:
        if not is_written(name, "owner"):
            continue
        client = copy.copy(world.clients["owner"])
        client.cookies = copy.deepcopy(client.cookies)
        with transaction.atomic():
            ids, fields = fits(world, client, name)
            fields = {"seen": world.seen(name, **ids)} | fields | {"key": str(used[where])}
            assert client.post(world.address(name, **ids), fields).status_code < 500, name
            transaction.set_rollback(True)


def fits(world, client, name):
    """Bring the club to where a form of this address fits; return its ids and the form's fields."""
    make = FITS.get(name)
    return make(world, client) if make else ({}, {})


def as_fields(**fields):
    return lambda world, client: ({}, fields)


def merged(world, client):
    other = world.at.person("Benjamin")
    ClubPerson.objects.filter(pk=world.ids["pk"]).update(merged_into=other)
    return {}, {}


def retired(world, client):
    ClubPerson.objects.filter(pk=world.ids["pk"]).update(retired=True)
    return {}, {}


def of_open_sheet(world, client):
    world.game.enter()
    sheet = world.open_sheet.public_id
    return {"sheet_id": sheet}, {"sheet": sheet, "reason": "Nobody came back"}


def discarded(world, client):
    ids, fields = of_open_sheet(world, client)
    done = actions.discard_sheet(world.at.at(world.game.table), ids["sheet_id"], "A mistake")
    assert isinstance(done, actions.Saved), done
    return ids, fields


def one_phone_less(world, client):
    done = actions.remove_phone(world.at.at(world.game.table), 2)
    assert isinstance(done, actions.Saved), done
    return {}, {}


def named(world, client):
    person = world.game.players[0].person_id
    return {}, {f"person_{person}": str(world.ids["pk"]), f"was_{person}": ""}


def seated(world, client):
    player = world.banked.players.all()[0]
    return {}, {f"seat_{player.person_id}": f"club-{world.at.person('Dora').pk}"}


def corrected(world, client):
    row = world.banked.rounds.get()
    players = list(world.banked.players.all())
    return {}, world.game.fields() | {
        "sheet": world.banked.public_id,
        "bidder": str(players[0].pk),
        "dealer": str(row.dealer_id),
        "reason": "Alice bid it",
    }


def a_gift(world, client):
    columns = {f"units_{one.pk}": "1" for one in world.banked.players.all()}
    return {}, columns | {"sheet": world.banked.public_id, "why": "A gift"}


def addressed(world, client):
    return {"secret": actions.address_secret(world.at.mara, "kent@club.example")}, {}


def no_longer_alone(world, client):
    Organiser.objects.get_or_create(club=world.other.club, user=world.olga)
    User.objects.create_superuser("kim@club.example", "correct horse")
    Organiser.objects.update(role="owner")
    return {}, {"password": "correct horse"}


def brought(world, client):
    def posted(mark=""):
        file = SimpleUploadedFile("club.json", SAMPLE)
        return {"key": str(uuid.uuid4()), "seen": "0", "mark": mark, "file": file}

    return {}, posted(mark_in(client.post(world.address("club_import"), posted())))


def too_many_tables(world, client):
    while not slowing.CLUB_TABLES.wait(str(world.at.club.pk)):
        slowing.CLUB_TABLES.note(str(world.at.club.pk))
    return {}, {}


PASSWORD = "correct horse battery"
SEASON = {"name": "Spring", "starts": "2026-03-01", "ends": "2026-05-31", "least_hands": ""}
FITS = {
    "account_new": as_fields(name="Nora", email="nora@club.example", password=PASSWORD),
    "sign_in": as_fields(username="mara@thursday.example", password="correct horse"),
    "change_email": as_fields(email="kent@club.example", password="correct horse"),
    "confirm_email": addressed,
    "account_close": no_longer_alone,
    "change_password": as_fields(
        old_password="correct horse", new_password1=PASSWORD, new_password2=PASSWORD
    ),
    "reset": as_fields(email="mara@thursday.example"),
    "club_new": as_fields(name="Sunday Club", slug="", time_zone="Europe/Berlin"),
    "club_settings": as_fields(name="Thursdays", time_zone="Asia/Tokyo", confirm="on"),
    "club_role": as_fields(role="owner"),
    "club_person_new": as_fields(names="Dora\nEmil"),
    "club_person_edit": as_fields(name="Benno", note=""),
    "club_person_merge": lambda world, client: (
        {},
        {"other": str(world.at.person("Benjamin").pk), "stays": str(world.ids["pk"])},
    ),
    "club_person_part": merged,
    "club_person_back": retired,
    "club_names": named,
    "club_sheet_people": seated,
    "club_tables": lambda world, client: ({}, {"code": world.loose.table.code}),
    "club_tables_lift": too_many_tables,
    "club_phone_back": one_phone_less,
    "club_sheet_end": of_open_sheet,
    "club_sheet_discard": of_open_sheet,
    "club_sheet_take_up": discarded,
    "club_review": as_fields(state="approved"),
    "club_reopen": as_fields(reason="A hand is missing"),
    "club_correct": corrected,
    "club_hand_before": corrected,
    "club_hand_new": corrected,
    "club_correction_new": a_gift,
    "club_season_new": as_fields(**SEASON),
    "club_season_edit": as_fields(**SEASON),
    "club_import": brought,
    "club_typed": as_fields(
        evening="2026-03-29",
        table="new",
        first_dealer="0",
        hands="b 350 s x\nc 300 h m",
        **{f"name_{seat}": name for seat, name in enumerate(("Alice", "Ben", "Cass", ""))},
    ),
}
