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

async function copy(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    const pages = await caches.open(PAGES);
    // What this phone may no longer see it does not keep.
    if (answer.headers.has("Refused")) await pages.delete(path);
    else if (answer.ok && answer.headers.has("Sheet")) await pages.put(path, answer);
  } catch {
    // No network: the copy from before stays.
  }
}

document.addEventListener("htmx:afterSwap", keep);
addEventListener("pageshow", keep);
