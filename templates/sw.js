{% comment %}The service worker: pages of sheets open without network. Writes are the queue's business.{% endcomment %}
const SHELL = "shell-{{ build }}";
const PAGES = "pages";
const FILES = {{ files|safe }};
const PATIENCE = 4000; // milliseconds for the network before the kept copy is shown

addEventListener("install", (event) =>
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)).then(() => skipWaiting())));

// Kept pages name the files of their own day: the shell before this one stays until the next.
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));

async function tidy() {
  const shells = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== SHELL);
  await Promise.all(shells.slice(0, -1).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("{{ static_url }}")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate") {
    const [table] = pathname.match(/^\/t\/[^/]+\//) ?? [];
    if (table) event.respondWith(table === pathname ? sheet(request, table) : other(request, table));
  }
});

const keptOf = (table) => caches.open(PAGES).then((pages) => pages.match(table, { ignoreVary: true }));
const isOurs = ({ headers }) => headers.has("Sheet") || headers.has("Refused");

async function sheet(request, table) {
  const kept = await keptOf(table);
  const answer = fetch(request);
  if (!kept) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  // An error of the server, or a portal in between, is no reason to hide the sheet.
  return Promise.race([answer.then((got) => (isOurs(got) ? got : kept)), late]).catch(() => kept);
}

// Any other page of a table: without network, back to its sheet.
async function other(request, table) {
  try {
    return await fetch(request);
  } catch (error) {
    if (await keptOf(table)) return Response.redirect(table);
    throw error;
  }
}
