// The form for the next hand without the server: what it says while it is closed follows the pad, it is
// emptied once its hand waits in the queue, and it takes in another hand that is changed offline.
// What somebody has begun to type is left alone.

import { written } from "./page.js";
import { newKey } from "./queue.js";

const entry = () => document.querySelector("#entry");
const hand = () => document.querySelector("#entry form.hand");
export const say = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
export const phrase = (name, values = {}) => say(document.querySelector("#phrases").dataset[name] ?? "", values);

// How far what this phone has still to send moves the number of the next hand, and its deal.
let ahead = { hands: 0, back: 0 };

function begun(form) {
  return "changes" in form.dataset || form.querySelector(".typed, .began") !== null;
}

function follow() {
  const pad = document.querySelector("#sheet[data-next]");
  const form = hand();
  if (!pad || !form || entry().open || begun(form)) return;
  const { number, dealers } = JSON.parse(pad.dataset.next);
  const after = dealers.findIndex(([player]) => player === ahead.dealer); // -1: nobody's hand waits
  const [dealer, name, sitter] = dealers.at((after < 0 ? -ahead.back : after + 1) % dealers.length);
  const values = { number: number + ahead.hands, name, sitter };
  for (const part of entry().querySelectorAll("[data-says]")) {
    part.replaceChildren(...written(say(part.dataset.says, values)));
  }
  const resume = entry().querySelector("[data-resume]");
  resume.dataset.resume = say(resume.dataset.resumes, values);
  form.dataset.queue = phrase("hand", values);
  form.dataset.dealer = dealer;
  form.dispatchEvent(new Event("entry:follows", { bubbles: true }));
  form.elements.seen.value = pad.dataset.seen;
}

// A page may come out of a cache with the key of a hand that was saved long ago: what nobody has begun
// gets a key of its own.
function freshKeys() {
  for (const form of document.querySelectorAll("form[data-queue]")) {
    if (!begun(form)) form.elements.key.value = newKey();
  }
}

function fill(form, fields) {
  for (const input of form.querySelectorAll("input:not([type=hidden])")) {
    if (input.type === "radio") input.checked = false;
    else input.value = "";
  }
  for (const [name, value] of fields) {
    for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]:not([type=hidden])`)) {
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
    }
  }
  form.dispatchEvent(new Event("draft:restored", { bubbles: true }));
}

// The next hand, with nothing in it.
function empty(form) {
  for (const old of form.querySelectorAll(".refusal, em, .typed, .began")) old.remove();
  for (const name of ["answers", "replaces", "changes", "sitter"]) delete form.dataset[name];
  form.action = form.dataset.action;
  form.dataset.draft = form.dataset.ownDraft;
  form.elements.key.value = newKey();
  form.inert = false;
  fill(form, [["by", "result"]]);
  entry().open = false;
  follow();
  form.dispatchEvent(new Event("entry:emptied", { bubbles: true }));
}

// Open the form on another hand of this sheet, to change it.
export function change(key, number, fields, dealer, sitter = "") {
  const form = hand();
  form.action = form.dataset.action.replace(/new\/$/, `${key}/edit/`);
  form.dataset.changes = key;
  form.dataset.dealer = dealer;
  form.dataset.sitter = sitter;
  form.dataset.draft = `edit:${key}`;
  form.dataset.queue = phrase("change", { number });
  form.elements.key.value = newKey();
  form.elements.seen.value = document.querySelector("#sheet").dataset.seen;
  fill(form, fields);
  const words = { heading: form.dataset.queue, save: phrase("save", { number }) };
  for (const part of entry().querySelectorAll("[data-part]")) part.textContent = words[part.dataset.part];
  entry().open = true;
  form.scrollIntoView({ block: "nearest" });
}

document.addEventListener("outbox:waits", ({ target }) => {
  if (target.closest("#entry")) empty(target);
  else target.querySelector(".save")?.replaceChildren(phrase("waits"));
  document.querySelector("#waiting")?.scrollIntoView({ block: "nearest" });
});
document.addEventListener("waiting:counted", ({ detail }) => {
  ahead = detail.ahead;
  follow();
});
// Closing a hand that was opened for a change gives the form back to the next one.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target !== entry() || target.open) return;
    if ("changes" in hand().dataset) empty(hand());
    else follow();
  },
  true,
);
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "sheet") freshKeys();
  follow();
});
addEventListener("pageshow", () => {
  freshKeys();
  follow();
});
