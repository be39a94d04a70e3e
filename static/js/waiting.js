// What waits to be sent, in words, with what can be done about it. And, while there is no network, the
// hands of the pad: a tap on one offers to change it or to take it back, both through the queue.

import { change, phrase } from "./entry.js";
import { offline } from "./live.js";
import { decide, discard, enqueue, tableOf } from "./outbox.js";
import { textOf, written } from "./page.js";
import * as queue from "./queue.js";

const place = () => document.querySelector("#waiting");
const isNew = ({ url }) => /\/hands\/(new|[^/]+\/before)\/$/.test(url) || isCorrection({ url });
const isCorrection = ({ url }) => url.endsWith("/corrections/new/");
const subject = ({ url, key }) => (isNew({ url }) ? key : url.match(/\/hands\/([^/]+)\//)?.[1]);
const isTakeBack = ({ url }) => url.endsWith("/take-back/");
const entryForm = () => document.querySelector("#entry form.hand");
const onPad = (key) => document.querySelector(`#sheet a[href*="${CSS.escape(key)}"]`);

async function here() {
  const table = place() && (place().dataset.table || tableOf(location.pathname));
  return table ? (await queue.all()).filter((entry) => entry.table === table) : [];
}

function buttons(entry, ...which) {
  const beside = document.createElement("span");
  for (const does of which) {
    const one = document.querySelector("#waiting-buttons").content.querySelector(`[data-does=${does}]`).cloneNode(true);
    one.dataset.key = entry.key;
    beside.append(one);
  }
  return beside;
}

function item(entry, entries) {
  const row = document.createElement("li");
  const title = document.createElement("strong");
  title.append(...written(entry.title));
  row.append(title, " ", ...written(entry.label));
  const gone = isNew(entry) && entries.some((one) => isTakeBack(one) && subject(one) === entry.key);
  if (gone) row.className = "gone";
  if (entry.state === "held" || entry.why) {
    const why = document.createElement("small");
    why.append(...written(phrase(entry.why) || entry.why));
    row.append(why);
  }
  if (entry.state === "held") row.append(buttons(entry, "decide", "discard"));
  else if (isNew(entry) && !gone && entryForm()) {
    row.append(buttons(entry, ...(isCorrection(entry) ? [] : ["change"]), "take-back"));
  }
  return row;
}

async function show() {
  const section = place();
  if (!section) return;
  const entries = await here();
  // The one that this page asks about lies open below.
  const listed = entries.filter(({ key }) => !document.querySelector(`form[data-answers="${CSS.escape(key)}"]`));
  section.hidden = !listed.length;
  section.querySelector("ul").replaceChildren(...listed.map((entry) => item(entry, entries)));
  const held = entries.some(({ state }) => state === "held");
  const count = phrase(held ? "held" : "toSend", { n: entries.length });
  const says = section.querySelector("[role=status]");
  if (says.textContent !== count) says.textContent = count;
  for (const unsent of document.querySelectorAll("[data-unsent]")) unsent.hidden = !entries.length;
  const detail = { ahead: ahead(entries), all: entries.length };
  document.dispatchEvent(new CustomEvent("waiting:counted", { detail }));
}

// By how much this moves the number of the next hand, and whose deal that is: it comes after the last
// hand that waits, or else as many deals back as hands are taken off the end of the pad.
function ahead(entries) {
  const sheet = entryForm()?.elements.sheet.value;
  const taken = new Set(entries.filter(isTakeBack).map(subject));
  const mine = ({ fields }) => fields.some(([name, value]) => name === "sheet" && value === sheet);
  // One whose answer was lost may be on the pad already.
  const more = entries.filter((one) => isNew(one) && mine(one) && !taken.has(one.key) && !onPad(one.key));
  const rows = [...document.querySelectorAll("#sheet a[data-hand]")];
  const stands = (row) => !taken.has(keyOf(row));
  const dealt = rows.filter((row) => row.dataset.hand);
  return {
    hands: more.length - rows.filter((row) => !stands(row)).length,
    dealer: more.findLast(({ url }) => url.endsWith("/hands/new/"))?.dealer,
    back: dealt.some(stands) ? dealt.findIndex(stands) : dealt.length,
  };
}

const seen = () => document.querySelector("#sheet")?.dataset.seen ?? "0";
const handUrl = (key, verb) => `/t/${place().dataset.table}/hands/${key}/${verb}/`;

const does = {
  decide: ({ key }) => decide(key),
  discard: ({ key }) => confirm(phrase("sure")) && discard(key),
  change: ({ key, title, fields, dealer }) => change(key, numberIn(title), fields, dealer),
  "take-back": ({ key, title, label }) => takeBack(key, numberIn(title), label),
};
const numberIn = (title) => title.match(/\d+/)?.[0] ?? "";
const takeBack = (key, number, label) =>
  enqueue(handUrl(key, "take-back"), [["seen", seen()]], phrase("takeBack", { number }), label);

document.addEventListener("click", async ({ target }) => {
  const pressed = target.closest?.("#waiting [data-does]");
  if (!pressed) return;
  const entry = (await here()).find(({ key }) => key === pressed.dataset.key);
  if (entry) does[pressed.dataset.does](entry);
});

// A hand of the pad, without network.

const keyOf = (row) => row.href.match(/\/hands\/([^/]+)\//)[1];

// What is known of a hand: who dealt, who sat out, and what the form holds that would enter it. A hand of
// others than those at the table now goes into no form here.
function known(row) {
  const [dealer, sitter, by, ...rest] = row.dataset.hand.split(" ");
  const [bidder, bid, trump, outcome] = rest;
  const names = [...document.querySelectorAll('#entry [name^="units_"]')].map(({ name }) => name);
  const typed = [["by", by], ...names.map((name, n) => [name, rest[n]])];
  const fields = by === "numbers" ? typed : Object.entries({ by, bidder, bid, trump, outcome });
  return { dealer, sitter: sitter === "-" ? "" : sitter, fields, fits: by !== "other" };
}

function offer(row) {
  const asked = document.querySelector("#offline-hand");
  const key = keyOf(row);
  const number = row.querySelector(".no").textContent;
  const label = [...row.childNodes].slice(1).map(textOf).join("").replace(/\s+/g, " ").trim();
  const { dealer, sitter, fields, fits } = known(row);
  asked.querySelector("[data-does=change]").hidden = !fits;
  asked.querySelector("p").replaceChildren(...written(`${phrase("hand", { number })} ${label}`));
  asked.onclick = ({ target }) => {
    const what = target.closest("[data-does]")?.dataset.does;
    if (!what) return;
    asked.close();
    if (what === "change") change(key, number, fields, dealer, sitter);
    if (what === "take-back") takeBack(key, number, label);
  };
  asked.showModal();
}

document.addEventListener("click", (event) => {
  const row = event.target.closest?.("#sheet a[data-hand]");
  if (!row || !offline() || !entryForm()) return;
  event.preventDefault();
  offer(row);
});

document.addEventListener("queue:changed", show);
document.addEventListener("htmx:afterSwap", show);
addEventListener("pageshow", show);
