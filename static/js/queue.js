// What this phone has still to send, in order, kept so that a closed browser loses none of it.
// An entry: {key, table, url, fields: [[name, value]…], at, title, label, state: "waiting" | "held", why}
// It lives in IndexedDB. Where that fails (private windows; WebKit now and then loses it for a page) it
// goes to localStorage, and so do those after it, so that the order holds.

const STORE = "entries";
const SPARE = "queue:";
let opening;

const open = () =>
  (opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("queue", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "seq", autoIncrement: true });
    asked.onsuccess = () => {
      asked.result.onversionchange = asked.result.onclose = () => (opening = undefined);
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  }));

async function transaction(mode, work, again = true) {
  try {
    const step = (await open()).transaction(STORE, mode, { durability: "strict" });
    const asked = work(step.objectStore(STORE));
    return await new Promise((resolve, reject) => {
      step.oncomplete = () => resolve(asked.result);
      step.onabort = step.onerror = () => reject(step.error);
    });
  } catch (error) {
    opening = undefined;
    if (again) return transaction(mode, work, false);
    throw error;
  }
}

function spares() {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(SPARE))
      .sort()
      .map((spare) => ({ ...JSON.parse(localStorage.getItem(spare)), spare }));
  } catch {
    return [];
  }
}

let last = []; // what IndexedDB held when it last answered

// Everything that waits, oldest first.
export async function all() {
  try {
    last = await transaction("readonly", (store) => store.getAll());
  } catch {
    // The spares are still there; the rest is when the storage is again.
  }
  return [...last, ...spares()];
}

async function store(entry) {
  if (entry.spare) localStorage.setItem(entry.spare, JSON.stringify(entry));
  else await transaction("readwrite", (entries) => entries.put(entry));
}

async function add(entry) {
  try {
    if (!spares().length) return await store(entry);
  } catch {
    // Then the spare way.
  }
  return store({ ...entry, spare: `${SPARE}${String(entry.at).padStart(15, "0")}` });
}

const told = "BroadcastChannel" in window ? new BroadcastChannel("queue") : null;
const changed = () => document.dispatchEvent(new Event("queue:changed"));
told?.addEventListener("message", changed);

function tell() {
  told?.postMessage("");
  changed();
}

// Keep an entry. One with the same key, or the one it answers, gives up its place to it.
export async function keep(entry, answers) {
  const entries = await all();
  const old = entries.find(({ key }) => key === entry.key || key === answers);
  if (old) await store({ ...entry, seq: old.seq, spare: old.spare });
  else await add(entry);
  tell();
}

// Alter what is known of an entry that is still here.
export async function mark(key, what) {
  const entry = (await all()).find((one) => one.key === key);
  if (entry) await store({ ...entry, ...what });
  tell();
}

// Forget an entry: it is saved, or somebody said so.
export async function drop(key) {
  const entry = (await all()).find((one) => one.key === key);
  if (entry?.spare) localStorage.removeItem(entry.spare);
  else if (entry) {
    last = last.filter((one) => one.key !== key);
    // Should this fail it is sent again one day: the same key saves nothing twice.
    await transaction("readwrite", (entries) => entries.delete(entry.seq)).catch(() => {});
  }
  document.dispatchEvent(new CustomEvent("queue:dropped", { detail: key }));
  tell();
}

// A random UUID. The browser's own needs https, which a phone on a home network does not have.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
