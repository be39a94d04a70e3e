"""What is wrong with a page for a screen reader, a big thumb, big letters or a small screen."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

NARROW, USUAL, HEIGHT = 320, 390, 844
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_THE_DARK = ["color-contrast", "link-in-text-block"]  # what colours alone decide
RUN_AXE = """async (tagsOrRules) => {
  const options = { runOnly: tagsOrRules, resultTypes: ["violations"], preload: false };
  // What an open menu or form lies on is something that axe has seen without it.
  const beside = document.querySelector(".menu[open], #entry[open]");
  const found = await axe.run(beside ? { exclude: ["#sheet", ".waits"] } : document, options);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""

# What is wider than the screen, down to the elements that stick out on the right.
TOO_WIDE = """(width) => {
  const root = document.documentElement;
  if (root.scrollWidth <= width) return [];
  const out = [...document.body.querySelectorAll("*")].filter((one) =>
    one.checkVisibility() && one.getBoundingClientRect().right > width + 1);
  const inner = out.filter((one) => !out.some((other) => other !== one && one.contains(other)));
  const shown = inner.filter((one) => !one.closest(".sr")).slice(0, 3);
  return [`${root.scrollWidth} px wide`, ...shown.map((one) =>
    `${one.localName}.${one.className} in .${one.parentElement.className} sticks out`)];
}"""

# How high an area takes a tap for each thing to tap, whatever draws it: found by trying the points
# above and below its middle. Links in running text are exempt; names on the pad and the dealer's
# mark lead to pages that the menu leads to as well, and may be smaller.
TOO_LOW = """() => {
  const inText = (link) => {
    const around = link.matches("a") && link.closest("p, li, caption");
    return around && getComputedStyle(link).display === "inline" &&
      around.textContent.trim() !== link.textContent.trim();
  };
  const taken = (one) => {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = (at) => one.contains(document.elementFromPoint(x, at));
    let [up, down] = [0, 0];
    while (up < 60 && hit(y - up)) up++;
    while (down < 60 && hit(y + down)) down++;
    return up + down;
  };
  const fields = "input:not([type=radio], [type=checkbox], [type=hidden])";
  const taps = `a, button, summary, select, ${fields}`;
  // An open menu covers the rest, and so does a dialog.
  const top = document.querySelector(".menu[open], dialog[open]") ?? document;
  return [...top.querySelectorAll(`${taps}, label:has(input, select)`)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1 && !inText(one))
    .map((one) => [one, taken(one), one.matches(".name, .mark") ? 24 : 44])
    .filter(([, high, least]) => high < least - 1)
    .map(([one, high]) =>
      `${one.localName}.${one.className} in .${one.parentElement.className}: ${high} px`);
}"""

# A phone zooms in on a field with smaller letters, and out again never.
TYPED_INTO = "input:not([type=radio], [type=hidden]), select"
TOO_SMALL_TO_TYPE = """(typedInto) => [...document.querySelectorAll(typedInto)]
  .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.name)"""

# Forms to type in that would share a draft: two for one address want an id each.
ONE_DRAFT = """() => {
  const typedInto = "textarea, input:not([type=hidden], [type=radio], [type=checkbox])";
  const names = [...document.querySelectorAll("form[hx-post]:not(.join)")]
    .filter((form) => form.querySelector(typedInto))
    .map((form) => form.dataset.draft ??
      `${form.getAttribute("action").split("?")[0]} ${form.getAttribute("id") ?? ""}`);
  return names.filter((name, n) => names.indexOf(name) !== n);
}"""

# Numbers of the pad whose digits reach out of their own column.
OUT_OF_COLUMN = """() => [...document.querySelectorAll(".pad .total, .row td")].filter((one) => {
  const digits = document.createRange();
  digits.selectNodeContents(one);
  const [inner, column] = [digits, one.closest("th, td")].map((it) => it.getBoundingClientRect());
  return inner.left < column.left - 0.5 || inner.right > column.right + 0.5;
}).map((one) => one.textContent)"""

# Numbers on chips that are cut, and links that lie over the words of their own group.
CUT_OR_COVERED = """() => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility());
  const cut = shown(".chips label > span").filter((it) =>
    /^[0-9]+$/.test(it.textContent.trim()) && it.scrollWidth > it.clientWidth + 0.5);
  const covered = shown("fieldset .aids a").filter((link) => {
    const words = document.createRange();
    words.selectNodeContents(link.closest("fieldset").querySelector("legend"));
    const [a, b] = [link, words].map((it) => it.getBoundingClientRect());
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  });
  return [...cut.map((it) => `${it.textContent} is cut`),
    ...covered.map((it) => `${it.textContent} lies over the words beside it`)];
}"""


def axe(page: Page, tags_or_rules: list[str]) -> list[str]:
    """What axe finds; it is handed in by the debugger, past the content policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN_AXE, tags_or_rules)
    return found


def problems_of(page: Page) -> list[str]:
    """Everything that is wrong with what the page shows, at both widths and with big letters.

    Axe looks at the narrow page only: what it looks for does not depend on the width.
    """
    found: dict[str, list[str]] = {}
    page.emulate_media(color_scheme="light")
    # On a narrow page words wrap, which only makes what is tapped higher.
    found["too low to tap"] = page.evaluate(TOO_LOW)
    found["too small to type"] = page.evaluate(TOO_SMALL_TO_TYPE, TYPED_INTO)
    found["two forms with one draft"] = page.evaluate(ONE_DRAFT)
    for width in (USUAL, NARROW):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[f"at {width} px"] = out_of_place(page, width)
    found["axe in the light"] = axe(page, TAGS)
    page.emulate_media(color_scheme="dark")
    found["axe in the dark"] = axe(page, IN_THE_DARK)
    page.set_viewport_size({"width": USUAL, "height": HEIGHT})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    found["at 200 %"] = out_of_place(page, USUAL)
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
    return [f"{where}: {what}" for where, all_there in found.items() for what in all_there]


def out_of_place(page: Page, width: int) -> list[str]:
    found: list[str] = page.evaluate(TOO_WIDE, width)
    found += page.evaluate(CUT_OR_COVERED)
    return found + [f"{digits} out of its column" for digits in page.evaluate(OUT_OF_COLUMN)]


def out_of_place_at_both_widths(page: Page) -> list[str]:
    found = []
    for width in (USUAL, NARROW):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found += [f"at {width} px: {one}" for one in out_of_place(page, width)]
    return found


def expect_nothing(found: dict[str, list[str]]) -> None:
    """Fail with one line for each kind of problem, not for each place where it shows."""
    lines = {f"{name}: {problem}": None for name, ones in found.items() for problem in ones}
    assert not lines, "\n".join(["", *lines])
