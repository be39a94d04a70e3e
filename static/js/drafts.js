// What is typed into a form is kept on this device until it is saved or thrown away, so that Back, reload, a
// closed tab and signing in again lose none of it. That goes for every form that is sent and has something
// to type in, except for passwords, files and codes. Each tab has a draft of its own; one whose tab is closed
// goes to the next that opens the form. A draft holds the form's own key as well, so sending it again after
// a lost reply saves it once. Here it is:
// {name, title, tab, at, account, fields, open, replaces}

import { newKey } from "./queue.js";

const SLOT = "draft:";
const OLD = 30 * 24 * 3_600_000; // milliseconds
const PATIENCE = 3_000; // milliseconds in which another tab says that it is still there
const TOKEN = "csrfmiddlewaretoken";
const NO_TEXT = ["hidden", "radio", "checkbox", "submit", "button"];

// Where drafts lie.

export function drafts() {
  try {
    return Object.keys(localStorage).filter((slot) => slot.startsWith(SLOT)).flatMap(read);
  } catch {
    return []; // storage switched off
  }
}

function read(slot) {
  try {
    return [{ name: slot.slice(SLOT.length), ...JSON.parse(localStorage.getItem(slot)), slot }];
  } catch {
    return []; // something else's data
  }
}

function write(draft) {
  try {
    localStorage.setItem(`${SLOT}${draft.tab}:${draft.name}`, JSON.stringify(draft));
  } catch {
    // Storage is full or switched off: typing goes on without a net.
  }
}

function forget(which) {
  for (const draft of drafts().filter(which)) localStorage.removeItem(draft.slot);
}

// Forget what was typed into the forms of whoever has signed in.
export const forgetAccount = () => forget(({ account }) => account);

// Which tab this is.

let tab = newKey();
try {
  tab = sessionStorage.getItem("tab") ?? tab;
  sessionStorage.setItem("tab", tab);
} catch {
  // Then it is another one after a reload, and the draft is taken over.
}

// An open tab leaves a mark, and answers when it is asked: a browser that crashed leaves its marks behind.
const MARK = "tab:";
let tabs; // closed with the page: a page that is kept for Back wants no messages
const alive = new Set();

function come() {
  mark(true);
  if (tabs || !("BroadcastChannel" in window)) return;
  tabs = new BroadcastChannel("tabs");
  tabs.onmessage = ({ data }) => (data ? alive.add(data) : tabs.postMessage(tab));
}

function go() {
  mark(false);
  tabs?.close();
  tabs = undefined;
}

function mark(here) {
  try {
    if (here) localStorage.setItem(MARK + tab, "");
    else localStorage.removeItem(MARK + tab);
  } catch {
    // Without storage there are no drafts either.
  }
}

const hasLeft = (draft) => !draft.tab || localStorage.getItem(MARK + draft.tab) === null;

async function otherTabs() {
  alive.clear();
  tabs?.postMessage("");
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  return alive;
}

// Forms.

const isText = ({ type, tagName }) => tagName === "TEXTAREA" || (tagName === "INPUT" && !NO_TEXT.includes(type));

function isKept(form) {
  if (form?.method !== "post" || !form.hasAttribute("hx-post") || form.matches(".join")) return false;
  const inputs = [...form.elements];
  return inputs.some(isText) && !inputs.some(({ type }) => type === "password" || type === "file");
}

const forms = () => [...document.forms].filter(isKept);
const isTyped = (form) => form.querySelector(".typed") !== null; // the page shows it, with an answer to it
const fieldOf = ({ fields }, name) => fields.find(([field]) => field === name)?.[1];

// What is about one sheet is not offered on the next.
function nameOf(form) {
  if (form.dataset.draft) return form.dataset.draft;
  const sheet = form.querySelector("[name=sheet]")?.value;
  return [new URL(form.getAttribute("action"), location).pathname, form.getAttribute("id"), sheet].filter(Boolean).join("#");
}

const isOf = (form) => {
  const name = nameOf(form);
  return (draft) => draft.name === name && draft.tab === tab;
};
const own = (form) => drafts().find(isOf(form));

function keep(form) {
  const fields = [...new FormData(form)].filter(([name, value]) => name !== TOKEN && typeof value === "string");
  const account = "account" in document.body.dataset;
  const open = form.closest("details")?.open ?? true;
  const replaces = form.dataset.answers ?? form.dataset.replaces;
  const [title] = document.title.split(" · ");
  write({ name: nameOf(form), title, tab, at: Date.now(), account, fields, open, replaces });
  mark(true);
}

function fill(form, { fields }) {
  const names = new Set(fields.map(([name]) => name));
  const has = ({ name, value }) => fields.some(([field, given]) => field === name && given === value);
  for (const input of form.elements) {
    if (input.type === "checkbox") input.checked = has(input);
    else if (!names.has(input.name)) continue;
    else if (input.type === "radio") input.checked = has(input);
    else if (input.name !== TOKEN) input.value = fieldOf({ fields }, input.name);
  }
}

function show(form, draft) {
  fill(form, draft);
  if (draft.replaces) form.dataset.replaces = draft.replaces;
  if (!form.querySelector(".began")) form.prepend(document.querySelector("#began").content.cloneNode(true));
  const entry = form.closest("details");
  if (entry) {
    entry.open = draft.open;
    const closed = entry.querySelector("[data-resume]");
    if (closed) closed.textContent = closed.dataset.resume;
  }
  form.dispatchEvent(new Event("draft:restored", { bubbles: true }));
}

async function restore(form) {
  const draft = own(form);
  if (!draft) return takeOver(form);
  const key = fieldOf(draft, "key");
  // A hand bears the key it was entered with: one that is on the sheet was saved after all.
  if (key && document.querySelector(`#sheet a[href*="${CSS.escape(key)}"]`)) return forget(isOf(form));
  if (isTyped(form)) return keep(form);
  show(form, draft);
  // A tab that was copied bears the name of the first one, which still has the form.
  if ((await otherTabs()).has(tab)) {
    tab = newKey();
    sessionStorage.setItem("tab", tab);
    mark(true);
    forms().filter((one) => one.querySelector(".began")).forEach(keep);
  }
}

// The newest draft of a tab that is closed by now.
async function takeOver(form) {
  const newest = (isLeft) =>
    drafts()
      .filter((draft) => draft.name === nameOf(form) && draft.tab !== tab && isLeft(draft))
      .sort((one, other) => (other.at ?? 0) - (one.at ?? 0))[0];
  if (isTyped(form) || !newest(() => true)) return;
  let draft = newest(hasLeft);
  if (!draft) {
    const there = await otherTabs();
    draft = newest((one) => !there.has(one.tab));
    if (!draft || !form.isConnected || own(form)) return; // somebody has begun to type
    localStorage.removeItem(MARK + draft.tab);
  }
  localStorage.removeItem(draft.slot);
  write({ ...draft, tab, at: Date.now(), slot: undefined });
  restore(form);
}

// End match mentions a hand that is half entered.
function mention(sentence) {
  sentence.hidden = !drafts().some(({ name }) => name === sentence.dataset.draftOf);
}

// Where only a part of the page was swapped its form bears the draft already: filled in once more it
// would ask for that part again, and so on for ever.
const looked = new WeakSet();

function restoreAll({ persisted = false }) {
  for (const form of forms()) {
    if (persisted || !looked.has(form)) restore(form);
    looked.add(form);
  }
  document.querySelectorAll("[data-draft-of]").forEach(mention);
}

for (const event of ["input", "change"]) {
  document.addEventListener(event, ({ target }) => isKept(target.form) && keep(target.form));
}

// Whether its form lies open is part of a draft. The page may go before that event comes, and the event may
// come before the draft is in its form.
const keepBegun = () => forms().filter((form) => looked.has(form) && own(form)).forEach(keep);
document.addEventListener("toggle", ({ target }) => target.querySelector?.("form") && keepBegun(), true);
addEventListener("pagehide", () => {
  keepBegun();
  go();
});

document.addEventListener("click", ({ target }) => {
  const pressed = target.closest?.("[data-discard], [data-afresh]");
  const form = pressed?.closest("form");
  if (form) forget(isOf(form));
  if (pressed?.matches("[data-afresh]")) location.reload();
});
// The queue has it now; and what it has no longer was saved, or thrown away.
document.addEventListener("outbox:kept", ({ target }) => isKept(target) && forget(isOf(target)));
document.addEventListener("queue:dropped", ({ detail: key }) => {
  forget((draft) => fieldOf(draft, "key") === key || draft.replaces === key);
});
// The form of the next hand was lent to the change of another.
document.addEventListener("entry:emptied", ({ target }) => restore(target));
// A form that is saved makes way for another page. Where it comes back with what was typed, it only looked.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const sent = detail?.requestConfig?.elt;
  if (detail?.xhr?.status !== 200 || !isKept(sent) || sent.isConnected) return;
  if (!forms().some((form) => isTyped(form) && nameOf(form) === nameOf(sent))) forget(isOf(sent));
});
document.addEventListener("htmx:afterSwap", (event) => event.target.id === "sheet" || restoreAll(event));
document.addEventListener("DOMContentLoaded", (event) => {
  come();
  forget(({ at }) => at < Date.now() - OLD);
  restoreAll(event);
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  come();
  restoreAll(event);
});
