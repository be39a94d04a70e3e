// The pad follows what other phones do. A stream says that the table has a new version, and the part is
// fetched; whoever types is not disturbed, because no form is in that part. Where streams are blocked
// the part is asked for every few seconds. The state is said in words beside the title.

import { phrase } from "./entry.js";
import { sending } from "./outbox.js";
import { fetchPage, replace, showPage, written } from "./page.js";

const BEAT = 15_000; // milliseconds between two signs of life on the stream
const SILENCE = 3 * BEAT;
const POLL = 5_000; // where no stream opens
const LOOK = 240_000; // a look of its own now and then, and a sign that this phone is still about
const READING = 6_000; // what is announced stays for as long
const SOONEST = 1_000;
const LATEST = 30_000;

const sheet = () => document.querySelector("#sheet[data-live]");
const typing = () => document.querySelector("#entry[open], .number [name=units]:not(:placeholder-shown)");

let stream;
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
  const headers = { "HX-Request": "true", "HX-Target": "sheet" };
  if (!force && old.dataset.etag) headers["If-None-Match"] = old.dataset.etag;
  const answer = await fetch(old.dataset.live, { headers, cache: "no-store" });
  if (answer.status === 304) return;
  const html = await answer.text();
  if (answer.headers.has("Refused")) return out();
  if (!answer.ok || !html.includes('id="sheet"')) throw new Error("not the part");
  await put(html);
}

async function put(html) {
  const old = sheet();
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("#sheet");
  if (!old || Number(fresh.dataset.version) < Number(old.dataset.version)) return; // overtaken on the way
  const news = fresh.dataset.version === old.dataset.version ? "" : fresh.dataset.news;
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
function announce(sentence) {
  const news = document.querySelector("#news");
  news.replaceChildren(...written(sentence));
  clearTimeout(hiding);
  hiding = setTimeout(() => (news.textContent = ""), READING);
}

// The stream.

function open() {
  clearTimeout(reopening);
  stream?.close();
  streaming = false;
  const part = sheet();
  if (!part || gone || document.hidden) return;
  stream = new EventSource(part.dataset.stream);
  of = part.dataset.live;
  stream.addEventListener("hello", () => {
    streaming = true;
    wait = SOONEST;
    answered(true);
    document.dispatchEvent(new Event("live:open"));
    refresh();
  });
  stream.addEventListener("version", ({ data }) => {
    answered(true);
    version(Number(data));
  });
  stream.addEventListener("look", () => refresh());
  stream.addEventListener("beat", () => answered(true));
  stream.onerror = lost;
}

// What this phone is about to show as the answer to its own hand need not be fetched twice.
function version(number, patience = 3) {
  if (number <= Number(sheet()?.dataset.version)) return;
  if (patience && sending()) setTimeout(version, 1_000, number, patience - 1);
  else refresh();
}

// The browser tries again by itself only after some errors; we do after all of them. The token of the
// stream may be too old: the part brings a fresh one.
function lost() {
  stream.close();
  streaming = false;
  say();
  clearTimeout(reopening);
  reopening = setTimeout(() => refresh({ force: true }).then(open), wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 2, LATEST);
}

function shut() {
  clearTimeout(reopening);
  stream?.close();
  stream = undefined;
  streaming = false;
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
    if (streaming && ago * 1000 < SILENCE) words = phrase("live");
    else words = phrase("behind", { n: ago });
  }
  words = [words, toSend].filter(Boolean).join(": ");
  state.dataset.state = offline() ? "offline" : streaming ? "live" : "behind";
  if (state.textContent !== words) state.textContent = words;
}

setInterval(() => {
  say();
  if (document.hidden || !sheet()) return;
  if (streaming && Date.now() - heard > SILENCE) lost(); // a network that died without a word
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
  if (target.id !== "page") return;
  changed = false;
  if (!streaming || of !== sheet()?.dataset.live) open();
});
document.addEventListener("toggle", () => changed && !typing() && showWhole().catch(() => {}), true);
addEventListener("pageshow", wake);
addEventListener("online", wake);
addEventListener("offline", say);
addEventListener("pagehide", shut); // lets the page into the back-forward cache
document.addEventListener("visibilitychange", () => (document.hidden ? shut() : wake()));
