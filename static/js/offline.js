// A sheet that was opened once opens without network too, where browsers allow that (https, localhost):
// a small service worker keeps the page, and this keeps its copy fresh.

const PAGES = "pages";
const REST = 3_000; // milliseconds after a change, so that a busy minute is one copy

const worker = navigator.serviceWorker?.register("/sw.js").catch(() => null);

let timer;
function keep() {
  const sheet = document.querySelector("#sheet[data-live]");
  if (!sheet || !worker || !window.caches) return;
  clearTimeout(timer);
  timer = setTimeout(() => copy(new URL(sheet.dataset.live, location).pathname), REST);
}

let fetched; // the page that this document has fetched for keeping

async function copy(path) {
  try {
    const pages = await caches.open(PAGES);
    const answer = (fetched === path && (await renewed(pages, path))) || (await fetch(path, { cache: "no-store" }));
    fetched = path;
    // What this phone may no longer see it does not keep.
    if (answer.headers.has("Refused")) await pages.delete(path);
    else if (answer.ok && answer.headers.has("Sheet")) await pages.put(path, answer);
  } catch {
    // No network: the copy from before stays.
  }
}

// The kept page with the part as it is now, where nothing else on it differs.
async function renewed(pages, path) {
  const kept = await pages.match(path, { ignoreVary: true });
  const page = new DOMParser().parseFromString((await kept?.text()) ?? "", "text/html");
  const [old, now] = [page, document].map((one) => one.querySelector("#sheet[data-live]"));
  if (!old || old.dataset.page !== now?.dataset.page) return null;
  old.replaceWith(page.importNode(now, true));
  return new Response(`<!doctype html>${page.documentElement.outerHTML}`, { headers: kept.headers });
}

document.addEventListener("htmx:afterSwap", keep);
document.addEventListener("live:out", () => window.caches?.open(PAGES).then((pages) => pages.delete(location.pathname)));
addEventListener("pageshow", keep);
