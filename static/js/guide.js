// Taps on the counting aids, and the aids over the form of a hand: their result goes into it at a tap.
// What is counted the server counts; here a card is only there not at all, once or twice.

import { phrase } from "./entry.js";

const COPIES = 2;

function tap(cell) {
  const form = cell.closest("form");
  cell.dataset.n = (Number(cell.dataset.n) + 1) % (COPIES + 1);
  cell.querySelector("b").textContent = cell.dataset.n;
  const into = cell.dataset.into;
  const cells = [...form.querySelectorAll(`button[data-into="${into}"]`)];
  const words = cells.flatMap((one) => Array(Number(one.dataset.n)).fill(one.value));
  form.elements[into].value = words.join(" ");
  form.dispatchEvent(new Event("tapped"));
}

// What was counted with each aid, and for which hand: one that is opened once more goes on with it.
const kept = {};

// One dialog for all of them, outside the page: what changes there leaves it alone.
function dialog() {
  const old = document.querySelector("dialog.aid");
  if (old) return old;
  const fresh = document.createElement("dialog");
  fresh.className = "aid";
  fresh.setAttribute("aria-labelledby", "aid-title");
  fresh.innerHTML = '<div id="aid"></div>';
  // The page below is not changed: whoever looks after its forms need not hear of it.
  fresh.addEventListener("htmx:afterSwap", (event) => event.stopPropagation());
  fresh.addEventListener("close", () => {
    const counter = fresh.querySelector("#counter");
    const { aid, key } = fresh.dataset;
    if (counter) kept[aid] = { key, fields: [...new FormData(counter)] };
    fresh.firstChild.replaceChildren();
  });
  document.body.append(fresh);
  return fresh;
}

const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value;

// What the form of the hand knows already, and what was counted before for the same hand.
function address(link, form) {
  const url = new URL(link.href);
  const before = kept[link.dataset.aid];
  if (before?.key === form.elements.key.value) {
    for (const [name, value] of before.fields) url.searchParams.set(name, value);
  }
  url.searchParams.set("into", link.dataset.aid);
  const bid = form.elements.other_bid?.value.trim() || chosen(form, "bid");
  for (const [name, value] of [["bid", bid], ["trump", chosen(form, "trump")]]) {
    if (value && value !== "more") url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

function sayNoNetwork(box) {
  const says = document.createElement("p");
  says.className = "refusal";
  says.textContent = phrase("aid");
  const close = document.createElement("form");
  close.method = "dialog";
  const button = document.createElement("button");
  button.className = "button quiet";
  button.textContent = phrase("close");
  close.append(button);
  box.querySelector("#aid").replaceChildren(says, close);
}

// The style sheet comes with the aid; without it the board would be seen unfolding.
const styled = (sheet) =>
  sheet.sheet || new Promise((resolve) => Object.assign(sheet, { onload: resolve, onerror: resolve }));

async function open(link) {
  const form = link.closest("form.hand");
  const box = dialog();
  const url = address(link, form);
  Object.assign(box.dataset, { aid: link.dataset.aid, key: form.elements.key.value });
  try {
    const answer = await fetch(url, { headers: { "HX-Request": "true", "HX-Target": "aid" } });
    const html = await answer.text();
    if (!answer.ok || !html.includes('id="counter"')) throw new Error("no aid of ours");
    box.querySelector("#aid").innerHTML = html;
    window.htmx.process(box);
    await styled(box.querySelector("link"));
  } catch {
    sayNoNetwork(box);
  }
  if (!box.open) box.showModal();
}

function use(button) {
  const box = button.closest("dialog");
  const { use: result } = button.dataset;
  const field = document.querySelector(`form.hand [name="${box.dataset.aid}"]`);
  box.close();
  if (!field) return;
  field.value = result;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const { target } = event;
  const cell = target.closest?.("button[data-into]");
  const link = target.closest?.("a[data-aid]");
  const result = target.closest?.("dialog.aid [data-use]");
  if (cell || link) event.preventDefault();
  if (cell) tap(cell);
  else if (link) open(link);
  else if (result) use(result);
});
// htmx sends the button that was pressed last along with every count: its tap is in the field already.
document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
  if (elt.closest?.("#counter")) parameters.delete("tap");
});
// What could not be counted anew is no count of what is there now.
for (const failed of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(failed, ({ target }) => target.closest?.("form")?.querySelector(".counted")?.replaceChildren());
}
