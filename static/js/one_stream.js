// One stream for all tabs of a browser: on plain http it has six connections to a server, and a stream holds
// one of them. The tabs talk over BroadcastChannel. One that can be seen leads: it opens the stream for the
// tables of all of them and passes on what it hears. There is no lock to wait for, which only https has: of
// two that lead one gives way. Without BroadcastChannel each tab leads itself.

const PREFIX = "/live/";
const SILENCE = 45_000; // milliseconds, three beats of the server
const SIGN = 2_000; // between two signs of life of the leader
const GONE = 3 * SIGN; // after as long another tab leads
const ASK = 150; // how long a tab waits for a leader's word
const GATHER = 50; // so that tabs which open together make one new stream
const AGAIN = 20_000; // how often the others say again what they show
const OLD = 3 * AGAIN; // what no tab has shown for as long is dropped
const MOST = 16; // tables of one stream, as on the server

const me = Math.random().toString(36).slice(2);
const tokens = new Map(); // name → {token, at}, of all tabs; a name is what a token begins with

let channel = null;
let on = null; // what this tab is told; null while it takes no part
let mine = ""; // the name of what it shows
let leader = "";
let heard = 0; // when the leader was heard last; the leader: its stream
let said = 0; // when this tab gave a sign last
let stream = null; // the leader's
let carried = new Set(); // the names that the stream is for
let open = false; // it has greeted
let standing;
let gathering;
let ticking;

const nameOf = (token) => token.split(":")[0];
const leads = () => leader === me;
const hears = () => open && carried.has(mine);

function post(kind, what = {}) {
  said = Date.now();
  channel?.postMessage({ kind, from: me, ...what });
}

const sayHere = () => post("here", { token: tokens.get(mine).token });
const sayLead = (fresh = false) => post("lead", { carried: [...carried], open, fresh });

function keep(token) {
  tokens.set(nameOf(token), { token, at: Date.now() });
}

// Take part, to hear of the table whose stream this is. `handlers` are told: opened (look once), version, look,
// beat, closed (nothing is heard for now), lost (come again with a fresh address, after a while).
export function join(address, handlers) {
  const token = address.slice(PREFIX.length);
  on = handlers;
  mine = nameOf(token);
  keep(token);
  if (!channel && "BroadcastChannel" in window) {
    channel = new BroadcastChannel("stream");
    channel.onmessage = ({ data }) => on && got[data.kind]?.(data);
  }
  ticking ??= setInterval(tick, 1_000);
  sayHere();
  if (hears()) on.opened();
  else if (leads()) openStream();
  else if (!leader) stand();
}

// The part of a page that came later has a fresher token.
export function renew(address) {
  if (!on || nameOf(address.slice(PREFIX.length)) !== mine) return;
  keep(address.slice(PREFIX.length));
  sayHere();
}

// Take part no more: nobody looks at this tab, or it goes.
export function leave() {
  for (const timer of [standing, gathering]) clearTimeout(timer);
  clearInterval(ticking);
  if (on && leads()) post("bye");
  closeStream();
  channel?.close();
  channel = on = ticking = null;
  leader = "";
  tokens.clear();
}

// Leading.

function stand() {
  clearTimeout(standing);
  standing = setTimeout(lead, channel ? ASK * (0.75 + Math.random() / 2) : 0);
}

function lead() {
  leader = me;
  openStream();
  sayLead();
}

function openStream() {
  clearTimeout(gathering);
  gathering = undefined;
  stream?.close();
  for (const [name, { at }] of tokens) if (name !== mine && Date.now() - at > OLD) tokens.delete(name);
  const first = [mine, ...carried, ...tokens.keys()].filter((name) => tokens.has(name));
  carried = new Set([...new Set(first)].slice(0, MOST));
  heard = Date.now();
  stream = new EventSource(PREFIX + [...carried].map((name) => tokens.get(name).token).join(","));
  stream.onerror = fail;
  stream.addEventListener("hello", () => {
    heard = Date.now();
    open = true;
    sayLead(true);
    if (hears()) on.opened();
  });
  for (const name of ["version", "out", "look", "beat"]) {
    stream.addEventListener(name, ({ data }) => {
      heard = Date.now();
      post("event", { name, data });
      told[name](data);
    });
  }
}

function closeStream() {
  stream?.close();
  stream = null;
  open = false;
  carried = new Set();
}

// The leader goes on to lead: it opens another once it has come again with a fresh address.
function fail() {
  closeStream();
  post("lost");
  on.lost();
}

function tick() {
  const now = Date.now();
  if (leads()) {
    if (stream && now - heard > SILENCE) fail(); // a network that died without a word
    else if (now - said > SIGN) sayLead();
  } else if (leader && now - heard > GONE) follow("");
  else if (now - said > AGAIN) sayHere();
}

// Following.

function follow(whom, lead = { carried: [], open: false }) {
  const before = hears();
  if (leads()) closeStream();
  leader = whom;
  heard = Date.now();
  carried = new Set(lead.carried);
  open = lead.open;
  if (whom) clearTimeout(standing);
  else stand();
  if (hears() && (lead.fresh || !before)) on.opened();
  if (!hears() && before) on.closed();
  // Only where this one may not have heard of it: a leader that cannot open a stream answers as well.
  const lately = Date.now() - said < SIGN / 2;
  if (whom && !carried.has(mine) && carried.size < MOST && !lately) sayHere();
}

const told = {
  version(data) {
    const [table, seen] = data.split(" ");
    if (table === mine.split(".")[0]) on.version(seen);
  },
  out(name) {
    carried.delete(name);
    tokens.delete(name);
    if (name === mine) on.lost();
  },
  look: () => on.look(),
  beat: () => on.beat(),
};

const got = {
  here({ token }) {
    keep(token);
    if (!leads()) return;
    const name = nameOf(token);
    if (carried.has(name) || !stream) sayLead();
    else if (carried.size < MOST) gathering ??= setTimeout(openStream, GATHER);
  },
  lead(lead) {
    if (leads() && me < lead.from) sayLead();
    else follow(lead.from, lead);
  },
  event({ from, name, data }) {
    if (from !== leader) return;
    heard = Date.now();
    told[name](data);
  },
  lost({ from }) {
    if (from !== leader) return;
    heard = Date.now();
    open = false;
    carried = new Set();
    on.lost();
  },
  bye: ({ from }) => from === leader && follow(""),
};
