"""What people typed is set apart in every page, and bare in every file and in the database."""

from __future__ import annotations

import html.parser
import io
import json
import uuid

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import JSONField
from django.urls import reverse
from openpyxl import load_workbook

from rules import auction
from sheets import actions, codes, isolating, names
from sheets.models import Club, Review, Table
from sheets.models.fields import FreeTextField, NameField
from tests.sheets.conftest import SET_APART, client_of
from tests.sheets.test_access import ADDRESSES, HTMX, everything
from tests.sheets.test_club_powers import ADDRESSES as OF_CLUBS
from tests.sheets.test_club_powers import world  # noqa: F401
from tests.sheets.test_powers import address, walk  # noqa: F401

ON, OFF = names.ISOLATE, names.POP
# Read from right to left: Ali and David; Ann, with a mark behind that turns what follows.
ALI, DAVID, ANN = "علي", "דוד", "Ann\u200f"
CALLED = {
    "Alice": ALI,
    "Ben": DAVID,
    "Cass": ANN,
    "Thursday Club": "מועדון הקלפים",
    "Mara": "مارا",
    "Otto": "أوتو",
    "Olga": "أولغا",
    "Winter": "חורף",
    "The Cellar": "המרתף",
    "Hill Street": "رحוב",
    "A gift": "هدية",
    "Look again": "שוב",
    "Ours": "قواعدنا",
}
TYPED = tuple(CALLED.values())
JSON = "application/json"
MACHINES_READ = {"value", "href", "action", "src", "name", "id", "content"}


def loose(text):
    """Which of the names stand in a text, or half in it, without what sets them apart."""
    found = []
    for name in TYPED:
        at = text.find(name)
        while at >= 0:
            before = text[:at]
            if before.count(ON) <= before.count(OFF):
                found.append(f"{name} in {text[max(at - 30, 0) : at + 40]!r}")
            at = text.find(name, at + 1)
    if text.count(ON) != text.count(OFF):
        found.append(f"not balanced: {text!r}")
    return found


class Reader(html.parser.HTMLParser):
    """Collects every text of a page in which a name is not set apart, and counts those that are."""

    def __init__(self, page):
        super().__init__()
        self.around, self.wrong, self.elements = [], [], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "bdi":
            self.elements += ("translate", "no") in attrs  # Django has others, around hashes
        if tag not in ("input", "br", "meta", "link", "img", "hr", "use", "line", "option"):
            self.around.append("json" if tag == "script" and ("type", JSON) in attrs else tag)
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def handle_startendtag(self, tag, attrs):
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def _attribute(self, tag, name, value):
        if name in MACHINES_READ:
            self.wrong += [f"{tag} {name}: {value}"] * (ON in value or OFF in value)
        elif name == "data-next":
            self.wrong += [
                bad for one in json.loads(value)["dealers"] for bad in map(loose, one[1:]) if bad
            ]
        else:
            self.wrong += [f"{tag} {name}: {bad}" for bad in loose(value)]

    def handle_endtag(self, tag):
        tags = {tag, "json"} if tag == "script" else {tag}
        while tags & set(self.around) and self.around.pop() not in tags:
            pass

    def handle_data(self, data):
        here = self.around[-1] if self.around else ""
        if here == "bdi":
            assert ON not in data
        elif here == "textarea":
            self.wrong += [f"in a field: {data}"] * (ON in data)
        elif here == "json":
            self.wrong += loose(json.dumps(json.loads(data), ensure_ascii=False))
        else:
            self.wrong += [f"{here}: {bad}" for bad in loose(data)]
            if here not in ("title", "select", "optgroup", "text"):
                self.wrong += [f"{here}: no element: {data}"] * (ON in data)


@pytest.fixture(autouse=True)
def _set_apart(monkeypatch):
    """As it is outside the tests."""
    monkeypatch.setattr(names.Isolated, "__str__", SET_APART)


def seen(client, url, **sent):
    """Look at a page, or send something to it; no name in it is loose. Count the elements."""
    answer = client.post(url, sent) if sent else client.get(url)
    assert answer.status_code < 500, url
    content = b"".join(answer)
    if not answer.get("Content-Type", "").startswith("text/html"):
        return 0
    reader = Reader(content.decode())
    assert reader.wrong == [], url
    return reader.elements


def rename_everything():
    """Call everybody and everything in the database what CALLED says."""

    def said(text):
        for old, new in CALLED.items():
            text = text.replace(old, new)
        return text

    for model in apps.get_app_config("sheets").get_models():
        fields = [
            one.name
            for one in model._meta.concrete_fields
            if isinstance(one, NameField | FreeTextField | JSONField) or one.name == "name_key"
        ]
        for row in model.objects.all() if fields else ():
            for name in fields:
                value = getattr(row, name)
                if isinstance(value, dict | list):
                    setattr(row, name, json.loads(said(json.dumps(value))))
                elif value:
                    setattr(row, name, said(names.bare(value)))
            row.save()


def test_what_people_typed_is_bare_to_the_program_and_set_apart_to_people():
    name = names.Isolated(ALI)
    assert (name, len(name), name + "!", {name: 1}[ALI]) == (ALI, 3, f"{ALI}!", 1)
    assert f"{name} 4" == f"{ON}{ALI}{OFF} 4"
    assert names.listed([name, names.Isolated(ANN)]) == f"{ON}{ALI}{OFF} and {ON}{ANN}{OFF}"
    assert (str(names.Isolated("")), json.dumps([name], ensure_ascii=False)) == ("", f'["{ALI}"]')
    assert names.key(str(name)) == names.key(ALI)
    assert names.slug(str(names.Isolated("Ann"))) == "ann"
    assert names.bare(str(name)) == names.clean(str(name)) == ALI


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("<p>^a$ 4, ^b$</p>", "<p><bdi>a</bdi> 4, <bdi>b</bdi></p>"),
        ("<p>x<br>^a$</p>^b$ c", "<p>x<br><bdi>a</bdi></p><bdi>b</bdi> c"),
        ('<p title="^a$">4</p>', '<p title="^a$">4</p>'),
        ("<title>^a$ 4</title>", "<title>^a$ 4</title>"),
        ("<option>^a$</option>", "<option>^a$</option>"),
        ('<option value="^a$" selected>^a$', '<option value="a" selected>^a$'),
        ('<input name="x" value="^a$"> ^b$', '<input name="x" value="a"> <bdi>b</bdi>'),
        ("<textarea>\n^a$ (^b$)</textarea>^c$", "<textarea>\na (b)</textarea><bdi>c</bdi>"),
        ("<svg><text x='1'>^a$</text></svg>", "<svg><text x='1'>^a$</text></svg>"),
        ("<p>^a&lt;b&amp;$</p>", "<p><bdi>a&lt;b&amp;</bdi></p>"),
        ("<p>a cut ^na</p>", "<p>a cut ^na</p>"),
    ],
)
def test_in_a_page_names_are_elements_where_elements_can_be(text, page):
    marked = text.replace("^", ON).replace("$", OFF).encode()
    wanted = page.replace("<bdi>", '<bdi translate="no">').replace("^", ON).replace("$", OFF)
    assert isolating.in_html(marked).decode() == wanted


def test_the_end_of_a_match_reads_right(new_game):
    game, alice, _ben = new_game(["Ann", ALI, DAVID])
    game.enter(game.typed(128, 4, 10))
    page = client_of(alice).get(game.url("end/")).content.decode()
    ann, ali, david = (f'<bdi translate="no">{name}</bdi>' for name in ("Ann", ALI, DAVID))
    assert f"{ann} 128, {david} 10, {ali} 4" in page


def test_a_name_that_is_not_set_apart_is_found():
    assert Reader(f"<p>{ALI} 4</p>").wrong
    assert Reader(f'<p title="{ALI}">4</p>').wrong
    assert Reader(f"<title>{ON}{ANN}{OFF}, {DAVID}</title>").wrong
    assert Reader(f'<input value="{ON}{ALI}{OFF}">').wrong
    assert Reader(f"<option>{ALI}</option>").wrong
    assert not Reader(f'<input value="{ALI}"><p title="{ON}{ALI}{OFF}">4</p>').wrong


def test_pages_of_a_table(game, walk):  # noqa: F811
    clients, ids = walk
    member = clients["member"]
    actions.save_rules(game.write(), game.sheet.public_id, "Ours")
    game.enter(game.correction(1, 0, 0))
    game.enter(game.typed(0, 9, 0))
    actions.take_back(game.write(), game.standing[-1].public_id)
    rename_everything()
    Table.objects.update(own_columns=True, confirm=True, name="")
    pages = [address(pattern.name, ids) for pattern in ADDRESSES]
    assert sum(seen(member, page) for page in pages) > 200
    Table.objects.update(name=CALLED["The Cellar"])
    for page in pages:
        seen(member, page)
        seen(member, page, key=uuid.uuid4(), seen=1)  # refused, or not all is there
        seen(clients["removed phone"], page)
        seen(clients["watcher"], page)
    assert not marks_in_the_database()


def test_pages_of_a_table_where_people_ask_each_other(new_game):
    """Four, who come and go; a half hand, a pot, an asked seat, a wish to delete; then the end."""
    house = auction.HouseRules(fourth=auction.Fourth.OFF_SHEET, pot=auction.Pot())
    game, alice, ben = new_game(["Alice", "Ben", "Cass", "Dora"], house=house, off_sheet=3)
    phones = [client_of(secret) for secret in (alice, ben)]
    game.enter(game.played(0))
    actions.change_settings(game.write(), True, True)
    actions.enter_number(game.write(), game.sheet.public_id, game.players[1].pk, 4)
    asker = codes.phone_hash(codes.new_phone())
    actions.join(game.write(asker), game.players[1].person_id)
    actions.agree_to_delete(game.write(game.ben))
    rename_everything()
    row, sheet = game.standing[0].public_id, game.sheet.public_id
    pages = [
        "",
        "asks/",
        "history/",
        "names/",
        f"hands/{row}/",
        f"{sheet}/settle/",
        f"{sheet}/chart/",
        "end/",
        "dealer/",
    ]
    for phone in phones:
        assert sum(seen(phone, game.url(page)) for page in pages) > 50
        part = phone.get(game.url(), headers=HTMX | {"HX-Target": "sheet"})
        assert Reader(part.content.decode()).wrong == []
    game.end()
    for page in (*pages, "again/", f"{game.sheet.public_id}/paper/"):
        seen(phones[0], game.url(page))


def test_pages_of_a_club(world, game):  # noqa: F811
    at, banked = world.at, world.banked
    at.match_all()
    at.person("Ben", note="Hill Street")
    Club.objects.update(contact="Olga")
    actions.review(at.at(world.game.table), banked.public_id, Review.FLAGGED, "Look again")
    nothing = dict.fromkeys(("bidder", "bid", "trump", "outcome", "dealer"))
    banked.rounds.update(kind="correction", reason="A gift", **nothing)
    rename_everything()
    at.club.refresh_from_db()
    for who in ("owner", "organiser", "anonymous", "member"):
        client = world.clients[who]
        found = 0
        for name in OF_CLUBS:
            if name not in ("sign_out", "club_export"):
                found += seen(client, world.address(name))
                if who == "owner" and name not in ("account_new", "club_import"):
                    found += seen(client, world.address(name), key=uuid.uuid4(), seen=1)
        assert found > {"owner": 150, "organiser": 70}.get(who, 1)
    assert not marks_in_the_database()


def test_pages_of_the_admin(world):  # noqa: F811
    world.at.person("Ben", note="Hill Street")
    actions.lock_club(world.at.write(), True, "A gift")
    rename_everything()
    staff = world.clients["staff"]
    found = 0
    for model in apps.get_app_config("sheets").get_models():
        if not admin.site.is_registered(model):
            continue
        name = f"admin:sheets_{model.__name__.lower()}"
        found += seen(staff, reverse(f"{name}_changelist"))
        found += seen(staff, reverse(f"{name}_changelist") + f"?q={ALI}")
        for row in model.objects.all()[:3]:
            found += seen(staff, reverse(f"{name}_change", args=[row.pk]))
    table, club, sheet = world.game.table, world.at.club, world.banked
    for name, pk in (
        ("table_delete_all", table.pk),
        ("club_delete_all", club.pk),
        ("club_unlock", club.pk),
        ("sheet_reopen", sheet.pk),
        ("round_correct", sheet.rounds.get().pk),
    ):
        found += seen(staff, reverse(f"admin:sheets_{name}", args=[pk]))
    assert found > 200


def test_files_hold_bare_names_and_the_page_that_shows_one_does_not(world):  # noqa: F811
    world.at.match_all()
    rename_everything()
    owner = world.clients["owner"]
    files = {name: b"".join(owner.get(world.address(name))) for name in ("club_json", "club_csv")}
    workbooks = [owner.get(world.address(name)) for name in ("club_xlsx", "club_season_xlsx")]
    texts = [file.decode() for file in files.values()]
    for answer in workbooks:
        book = load_workbook(io.BytesIO(b"".join(answer)))
        texts.append(str([[cell.value for cell in row] for row in book.active.iter_rows()]))
    for text in texts:
        assert ON not in text
        assert OFF not in text
        assert ALI in text
    friday, other = world.clients["organiser elsewhere"], {"slug": "friday"}
    upload = SimpleUploadedFile("club.json", files["club_json"].replace(b'"id":"', b'"id":"_'))
    seen(friday, world.address("club_import", **other), key=uuid.uuid4(), seen=1, file=upload)


def marks_in_the_database():
    return [rows for rows in everything().items() if ON in repr(rows) or r"\u2068" in repr(rows)]
