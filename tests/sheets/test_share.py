"""The page that brings a second phone, or a watcher: addresses to read, to scan and to copy."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import zxingcpp
from pytest_django.asserts import assertContains, assertNotContains

from sheets import qr

PICTURE = re.compile(r'<svg role="img" aria-label="([^"]+)" viewBox="0 0 (\d+) \d+".*?</svg>', re.S)


def scanned(svg):
    """What a camera reads in a QR code: its strokes drawn as dots, four to a module."""
    size = int(PICTURE.search(svg).group(2))
    dark = [[False] * size for _ in range(size)]
    x, y = 0, 0.0
    path = re.search(r'stroke="#000" d="([^"]+)"', svg).group(1)
    for command, numbers in re.findall(r"([Mmhv])([^Mmhv]*)", path):
        values = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        if command == "h":
            for column in range(int(values[0])):
                dark[int(y)][int(x) + column] = True
            x += values[0]
        elif command == "M":
            x, y = values
        else:
            x, y = x + values[0], y + values[1]
    scale = 4
    pixels = bytes(
        0 if dark[row // scale][column // scale] else 255
        for row in range(size * scale)
        for column in range(size * scale)
    )
    found = zxingcpp.read_barcodes(memoryview(pixels).cast("B", [size * scale, size * scale]))
    return [code.text for code in found]


def codes_on(page):
    return [scanned(found.group(0)) for found in PICTURE.finditer(page.content.decode())]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_the_codes_hold_the_public_address_whatever_host_is_named(game, alice, settings, host):
    settings.SHARED_URL = "https://sheets.example"
    page = alice.get(game.url("share/"), headers={"Host": host})
    join = f"https://sheets.example/join/{game.table.join_secret}/"
    watch = f"https://sheets.example/watch/{game.table.watch_id}/"
    assert codes_on(page) == [[join], [watch]]
    for address in (join, watch):
        assertContains(page, f'<a class="address" href="{address}">{address}</a>', html=True)
        assertContains(page, f'data-share="{address}"')
    assertNotContains(page, host)


@pytest.mark.parametrize("host", ["evil.example", "sheets.example.evil.example"])
def test_a_forged_host_reaches_no_code(game, alice, settings, host):
    settings.ALLOWED_HOSTS = ["*"]  # even where the host is not refused
    settings.SHARED_URL = "https://sheets.example"
    headers = {"Host": host, "X-Forwarded-Host": host}
    page = alice.get(game.url("share/"), headers=headers)
    assertNotContains(page, "evil.example")
    assert all(text[0].startswith("https://sheets.example/") for text in codes_on(page))


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        (
            {"PUBLIC_URL": "https://a.example", "LAN_URL": "http://192.0.2.7:8000"},
            "https://a.example",
        ),
        ({"LAN_URL": "http://192.0.2.7:8000"}, "http://192.0.2.7:8000"),
        ({}, "http://localhost:8000"),
    ],
)
def test_the_address_is_the_public_one_else_the_one_at_home(environment, address):
    command = "from squarescores import settings; print(settings.SHARED_URL)"
    env = {"SECRET_KEY": "x"} | environment
    run = subprocess.run([sys.executable, "-c", command], env=env, capture_output=True, text=True)
    assert run.stdout.strip() == address, run.stderr


def test_a_code_has_a_name_and_its_border_and_is_dark_on_light(game, alice):
    page = alice.get(game.url("share/")).content.decode()
    for picture in PICTURE.finditer(page):
        svg = picture.group(0)
        assert "<title>QR code of the address that" in svg
        assert re.search(r'<path fill="#fff" d="M0 0h\d+v\d+h-\d+z"/>', svg)
        assert 'd="M4 4.5h7' in svg  # four modules of border
        assert "style=" not in svg


def test_a_name_in_a_code_is_only_text():
    svg = qr.svg("https://sheets.example/", '<b>"x"</b>')
    assert "<b>" not in svg
    assert 'aria-label="&lt;b&gt;&quot;x&quot;' in svg
    assert scanned(svg) == ["https://sheets.example/"]


def test_the_buttons_show_only_once_a_script_says_they_work(game, alice):
    page = alice.get(game.url("share/"))
    assertContains(page, "data-copy hidden")
    assertContains(page, "data-send hidden")
    assertContains(page, "<span data-copied hidden>")
