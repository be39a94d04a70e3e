// One way for every hand, with network or without: it goes into the queue first, is sent in order, and
// leaves the queue only when the server names its key as saved. A hand that is refused stays, and holds
// those of its table behind it, until somebody decides. What lacks something never gets there: the page says
// what, with network or without.

import { ask, lacking, said } from "./hand.js";
import { cookie, fetchPage, showPage, textOf } from "./page.js";
import * as queue from "./queue.js";

const PATIENCE = 400; // milliseconds until a hand that is under way is shown as waiting
const TIMEOUT = 20_000;
const SOONEST = 1_000;
const LATEST = 60_000;

export const tableOf = (url) => url.match(/^\/t\/([^/]+)\//)?.[1];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const pathOf = (form) => new URL(form.action).pathname;

// Catching a form.

function entryOf(form, submitter) {
  const fields = [...new FormData(form, submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const url = pathOf(form);
  return {
    key: new Map(fields).get("key"),
    table: tableOf(url),
    url,
    fields,
    at: Date.now(),
    title: form.dataset.queue,
    label: said(form),
    dealer: form.dataset.dealer,
    state: "waiting",
  };
}

const watched = new Map(); // key → who waits on this page for its answer
const answers = "BroadcastChannel" in window ? new BroadcastChannel("answers") : null;
answers?.addEventListener("message", ({ data: { key, got } }) => watched.get(key)?.(got));

async function take(form, submitter) {
  const entry = entryOf(form, submitter);
  form.inert = true; // a second tap finds nothing to press
  try {
    await queue.keep(entry, form.dataset.answers ?? form.dataset.replaces);
    if (form.dataset.answers) await haveSeen(entry);
  } catch {
    form.inert = false;
    form.submit(); // no storage at all: an ordinary form
    return;
  }
  form.dispatchEvent(new CustomEvent("outbox:kept", { bubbles: true }));
  const answer = new Promise((resolve) => watched.set(entry.key, resolve));
  send();
  let got = await Promise.race([answer, pause(PATIENCE)]);
  const waits = () => form.dispatchEvent(new Event("outbox:waits", { bubbles: true }));
  if (!got) {
    navigator.storage?.persist?.(); // from here on the phone should not tidy it away
    waits();
    // The form of the next hand is empty again by now; any other page stays for its answer.
    if (form.inert) got = await answer;
  }
  watched.delete(entry.key);
  if (got && form.isConnected && !(await bring(entry, got))) waits();
}

// Whoever saves a hand as another one has seen what is on the sheet now: the new hands that wait behind
// it need not ask again. Changes of other hands do.
async function haveSeen({ url, fields }) {
  const seen = new Map(fields).get("seen");
  for (const one of await queue.all()) {
    if (one.url !== url || !url.endsWith("/hands/new/")) continue;
    await queue.mark(one.key, { fields: one.fields.map(([name, value]) => [name, name === "seen" ? seen : value]) });
  }
}

// Whether something is being sent, or its answer being fetched.
export const sending = () => underWay > 0;
let underWay = 0;

async function during(work) {
  underWay++;
  return work.finally(() => underWay--);
}

// Show the page that answers: the sheet with the hand on it, or why it was refused; not where somebody has
// begun something else by the time it is there.
const bring = (entry, got, idle) => during(showAnswer(entry, got, idle));

async function showAnswer(entry, { url, html }, idle = () => true) {
  if (html) {
    showPage(html, entry.url);
    // The form that says it once more, and none that settles something else first.
    for (const form of document.querySelectorAll("form[data-queue]")) {
      if (pathOf(form) === entry.url) form.dataset.answers = entry.key;
    }
    return true;
  }
  const page = await fetchPage(url).catch(() => null);
  if (!page || !idle()) return false;
  showPage(page.html, page.url);
  return true;
}

// In the capture phase, before htmx hears of it.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest?.("form[data-queue]");
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.inert) return;
    const lacks = lacking(form);
    if (lacks.length) ask(form, lacks);
    else take(form, event.submitter);
  },
  true,
);

// Sending.

async function post(entry) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT);
  try {
    const answer = await fetch(entry.url, {
      method: "POST",
      body: new URLSearchParams(entry.fields),
      headers: { Outbox: entry.key, "HX-Request": "true", "X-CSRFToken": cookie("csrftoken") },
      redirect: "manual",
      cache: "no-store",
      signal: stop.signal,
    });
    return { answer, html: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

// Returns "saved", "held", or "later" with the seconds that the server asks for.
async function deliver(entry) {
  let { answer, html } = await post(entry);
  if (answer.headers.get("Refused") === "token") {
    await fetchPage(`/t/${entry.table}/`).catch(() => null); // it brings a new token
    ({ answer, html } = await post(entry));
  }
  const refused = answer.headers.get("Refused");
  if (answer.ok && answer.headers.get("Saved") === entry.key) {
    const url = answer.headers.get("Location");
    await queue.drop(entry.key);
    await tellAnswer(entry, { url });
    return ["saved"];
  }
  if (refused === "stranger" || refused === "removed" || refused === "token") {
    await queue.mark(entry.key, { why: refused }); // it goes out once this phone has joined again
    watched.get(entry.key)?.({ html });
    return ["held"];
  }
  if (refused) {
    await queue.mark(entry.key, { state: "held", why: reason(html) });
    await tellAnswer(entry, { html });
    return ["held"];
  }
  // A portal, a proxy or a server in trouble: nobody has seen the hand.
  return ["later", Number(answer.headers.get("Retry-After"))];
}

// Show the answer where somebody waits for it, in this tab or another, or else on the sheet, unless
// somebody is busy there or more is to be sent.
async function tellAnswer(entry, got) {
  if (watched.has(entry.key)) return watched.get(entry.key)(got);
  answers?.postMessage({ key: entry.key, got });
  const idle = () =>
    tableOf(location.pathname) === entry.table &&
    document.querySelector("#sheet[data-live]") &&
    !document.querySelector("#entry[open], dialog[open], .menu[open]");
  const more = (await queue.all()).some(({ table, state }) => table === entry.table && state === "waiting");
  // A hand that was changed is answered with its own page, which nobody asked for here.
  if (got.url && !got.url.includes("?saved=")) got = { url: `/t/${entry.table}/` };
  if (!idle() || (got.url && more) || !(await bring(entry, got, idle))) document.dispatchEvent(new Event("outbox:saved"));
}

function reason(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const said = page.querySelector(".refusal, [role=alert], form em");
  return said ? textOf(said).trim() : "";
}

let wait = SOONEST;
let timer;
async function sendAll() {
  const stuck = new Set();
  for (;;) {
    const entry = (await queue.all()).find(({ table }) => !stuck.has(table));
    if (!entry) break;
    if (entry.state === "held") {
      stuck.add(entry.table);
      continue;
    }
    const [outcome, seconds] = await during(deliver(entry)).catch(() => ["later"]);
    document.dispatchEvent(new CustomEvent("network", { detail: { answered: outcome !== "later" } }));
    if (outcome === "held") stuck.add(entry.table);
    if (outcome === "later") {
      clearTimeout(timer);
      timer = setTimeout(send, seconds > 0 ? seconds * 1000 : wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LATEST);
      return;
    }
  }
  wait = SOONEST;
}

// One sender at a time in all tabs, where the browser can say so; the keys hold in any case.
let chain = Promise.resolve();
export function send() {
  const alone = () => (navigator.locks ? navigator.locks.request("outbox", sendAll) : sendAll());
  chain = chain.then(alone).catch(() => {});
  return chain;
}

function sendNow() {
  wait = SOONEST;
  send();
}

// Put a change of this table in the queue that no form was filled in for.
export async function enqueue(url, fields, title, label) {
  const key = queue.newKey();
  const whole = [["key", key], ...fields];
  await queue.keep({ key, table: tableOf(url), url, fields: whole, at: Date.now(), title, label, state: "waiting" });
  send();
}

// Ask the server once more about a hand that it refused, and show its answer.
export async function decide(key) {
  const entry = (await queue.all()).find((one) => one.key === key);
  const answer = new Promise((resolve) => watched.set(key, resolve));
  await queue.mark(key, { state: "waiting", why: "" });
  send();
  const got = await Promise.race([answer, pause(TIMEOUT)]);
  watched.delete(key);
  if (got) await bring(entry, got);
}

// Forget a refused hand, and what was still to be done to it.
async function forget(key) {
  // The hand goes last: as long as it is there, nothing behind it is sent.
  for (const entry of (await queue.all()).reverse()) {
    if (entry.key === key || entry.url.includes(`/hands/${key}/`)) await queue.drop(entry.key);
  }
}

export async function discard(key) {
  await forget(key);
  send();
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("[data-discard]");
  const answers = link?.closest("form")?.dataset.answers;
  if (!answers) return;
  event.preventDefault();
  // What waits behind it goes out from the page that comes next, so that its answer can be shown there.
  await forget(answers);
  const page = await fetchPage(link.href).catch(() => null);
  if (!page) return location.assign(link.href);
  showPage(page.html, page.url);
  send();
});

for (const event of ["online", "pageshow"]) addEventListener(event, sendNow);
document.addEventListener("visibilitychange", () => document.hidden || sendNow());
document.addEventListener("live:open", sendNow);
// The page after joining again, for one.
document.addEventListener("htmx:afterSwap", ({ target }) => target.id === "page" && sendNow());
