// The pad follows what other phones do. A stream says that the table has a new version, and the part is
// fetched; whoever types is not disturbed, because no form is in that part. Where streams are blocked
// the part is asked for every few seconds. The state is said in words beside the title.

import { phrase } from "./entry.js";
import { join, leave, renew } from "./one_stream.js";
import { sending } from "./outbox.js";
import { fetchPage, replace, showPage, written } from "./page.js";

const POLL = 5_000; // milliseconds, where no stream opens
const LOOK = 240_000; // a look of its own now and then, and a sign that this phone is still about
const READING = 6_000; // what is announced stays for as long
const STUDYING = 20_000; // and what must not be missed
const SOONEST = 1_000;
const LATEST = 30_000;

const sheet = () => document.querySelector("#sheet[data-live]");
const typing = () => document.querySelector("#entry[open], .number [name=units]:not(:placeholder-shown)");

let streaming = false;
let of; // the table whose stream it is
let gone = false; // this phone sees the table no more
let changed = false; // the page around the part is another one by now
let heard = Date.now(); // when something came from the server last
let reachable = navigator.onLine;
let unsent = 0;
let wait = SOONEST;
let reopening;

export const offline = () => !reachable || !navigator.onLine;

// The part.

let asking;
let again = false;
let askedAt = 0;

// Fetch the part and put it in place. One request at a time; what comes meanwhile is asked for after it.
export function refresh({ force = false } = {}) {
  if (asking) again = true;
  else {
    askedAt = Date.now();
    asking = fetchPart(force)
      .then(() => answered(true), () => answered(false))
      .finally(() => {
        asking = undefined;
        if (again) refresh();
        again = false;
      });
  }
  return asking;
}

async function fetchPart(force) {
  const old = sheet();
  if (!old) return;
  const shown = lastShown() ?? old.dataset.seen;
  const headers = { "HX-Request": "true", "HX-Target": "sheet", Showing: shown };
  if (!force && old.dataset.etag) headers["If-None-Match"] = old.dataset.etag;
  const answer = await fetch(old.dataset.live, { headers, cache: "no-store" });
  const past = answer.headers.has("Set-Back") ? shown : "";
  if (answer.status !== 304) {
    const html = await answer.text();
    if (answer.headers.has("Refused")) return out();
    if (!answer.ok || !html.includes('id="sheet"')) throw new Error("not the part");
    await put(html, past);
  }
  if (sheet()) noteShown();
  if (past) announceSetBack();
}

// Put the part in place. `past` is what this phone showed when the server had been set back to a backup: then,
// and only then, is a part with a lower version the newer one.
async function put(html, past) {
  const old = sheet();
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#sheet");
  const lower = Number(fresh.dataset.version) < Number(old?.dataset.version);
  if (!old) return;
  if (lower && old.dataset.seen !== past) {
    again ||= Boolean(past); // what is shown was not what was asked about
    return; // overtaken on the way
  }
  const news = fresh.dataset.seen === old.dataset.seen ? "" : fresh.dataset.news;
  changed ||= old.dataset.page !== fresh.dataset.page;
  if (changed && !typing()) await showWhole();
  else {
    const form = typing()?.getBoundingClientRect().top;
    replace("sheet", html);
    // What is being typed stays under the thumb.
    if (form !== undefined) scrollBy(0, typing().getBoundingClientRect().top - form);
  }
  if (news) announce(news);
}

// Somebody has another name, the match has ended, or another has begun: more than the part differs.
async function showWhole() {
  const page = await fetchPage(sheet().dataset.live);
  if (!changed || typing()) return; // an answer to this phone was quicker
  const top = scrollY;
  showPage(page.html, page.url);
  scrollTo(0, top);
}

function out() {
  gone = true;
  shut();
  document.dispatchEvent(new Event("live:out"));
  if (typing()) document.querySelector("#state").textContent = phrase("out");
  else location.reload();
}

// A question that nobody answers is over after a while: look again then.
let looking;
function lookInTime() {
  clearTimeout(looking);
  const left = [...document.querySelectorAll("#sheet [data-seconds]")].map((one) => Number(one.dataset.seconds));
  const soonest = Math.min(...left.filter((seconds) => seconds > 0));
  if (Number.isFinite(soonest)) looking = setTimeout(refresh, (soonest + 1) * 1_000);
}

let hiding;
function announce(sentence, stays = READING) {
  const news = document.querySelector("#news");
  news.replaceChildren(...written(sentence));
  clearTimeout(hiding);
  hiding = setTimeout(() => (news.textContent = ""), stays);
}

function announceSetBack() {
  const { hands } = sheet()?.dataset ?? {};
  announce(hands > 0 ? phrase("setBack", { n: hands }) : phrase("setBackEmpty"), STUDYING);
}

// What was shown here before this page was loaded: the server may have been set back in between, which the
// page itself cannot tell. Asked about once.
const noted = () => `shown ${sheet().dataset.live}`;
let recalled = false;

function lastShown() {
  if (recalled) return null;
  try {
    return sessionStorage.getItem(noted());
  } catch {
    return null;
  }
}

function noteShown() {
  recalled = true;
  try {
    sessionStorage.setItem(noted(), sheet().dataset.seen);
  } catch {
    // Then a page that is loaded anew says nothing of it.
  }
}

// The stream.

const hears = {
  opened() {
    clearTimeout(reopening);
    streaming = true;
    wait = SOONEST;
    answered(true);
    document.dispatchEvent(new Event("live:open"));
    refresh();
  },
  closed() {
    streaming = false;
    say();
  },
  version(seen) {
    answered(true);
    told = seen;
    version();
  },
  look: () => refresh(),
  beat: () => answered(true),
  lost,
};

function open() {
  clearTimeout(reopening);
  streaming = false;
  const part = sheet();
  if (!part || gone || document.hidden) return;
  of = part.dataset.live;
  join(part.dataset.stream, hears);
}

// What this phone is about to show as the answer to its own hand need not be fetched twice. Another version
// than the one that is shown may be a lower one: then the server was set back.
let told;
function version(patience = 3) {
  if (told === sheet()?.dataset.seen) return;
  if (patience && sending()) setTimeout(version, 1_000, patience - 1);
  else refresh();
}

// The token of the stream may be too old: the part brings a fresh one.
function lost() {
  streaming = false;
  say();
  clearTimeout(reopening);
  reopening = setTimeout(() => refresh({ force: true }).then(open), wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 2, LATEST);
}

function shut() {
  clearTimeout(reopening);
  streaming = false;
  leave();
}

function wake() {
  if (!sheet()) return shut();
  lookInTime();
  wait = SOONEST;
  if (!streaming) open();
  else refresh();
}

// The state in words.

function answered(yes) {
  if (yes && !reachable) wait = SOONEST;
  reachable = yes;
  if (yes) heard = Date.now();
  say();
}

function say() {
  const state = document.querySelector("#state");
  if (!state || (!sheet() && !unsent)) return;
  state.dataset.word ??= state.textContent.trim();
  const ago = Math.round((Date.now() - heard) / 1000);
  const toSend = unsent ? phrase("toSend", { n: unsent }) : "";
  let words = state.dataset.word;
  if (offline()) words = phrase("offline");
  else if (sheet()?.dataset.state === "open") {
    if (streaming) words = phrase("live");
    else words = phrase("behind", { n: ago });
  }
  words = [words, toSend].filter(Boolean).join(": ");
  state.dataset.state = offline() ? "offline" : streaming ? "live" : "behind";
  if (state.textContent !== words) state.textContent = words;
}

setInterval(() => {
  say();
  if (document.hidden || !sheet()) return;
  if (Date.now() - askedAt > (streaming ? LOOK : POLL)) refresh();
}, 1_000);

document.addEventListener("waiting:counted", ({ detail }) => {
  unsent = detail.all;
  say();
});
document.addEventListener("network", ({ detail }) => answered(detail.answered));
document.addEventListener("outbox:saved", () => refresh());
document.addEventListener("htmx:afterSwap", ({ target }) => {
  lookInTime();
  if (sheet()) renew(sheet().dataset.stream);
  if (target.id !== "page") return;
  changed = false;
  if (!sheet()) shut();
  else if (!streaming || of !== sheet().dataset.live) open();
});
document.addEventListener("toggle", () => changed && !typing() && showWhole().catch(() => {}), true);
addEventListener("pageshow", wake);
addEventListener("online", wake);
addEventListener("offline", say);
addEventListener("pagehide", shut); // lets the page into the back-forward cache
document.addEventListener("visibilitychange", () => (document.hidden ? shut() : wake()));
