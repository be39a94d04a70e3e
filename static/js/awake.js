// The screen stays awake while an open sheet is looked at, unless the phone refuses or somebody
// switched it off. Browsers let go of the lock whenever the page is hidden.

const SWITCH = "awake";
const wanted = () => {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
};

let lock;
let turn = Promise.resolve(); // one after the other, so that no lock is forgotten

const keep = () => (turn = turn.then(holdOrLetGo).catch(() => {})); // a low battery, for one: it goes dark

async function holdOrLetGo() {
  const open = document.querySelector('#sheet[data-state="open"]') && !document.hidden;
  if (!open || !wanted()) await lock?.release();
  else if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen");
}

function showSwitch() {
  for (const one of document.querySelectorAll("[data-awake]")) {
    one.hidden = !navigator.wakeLock;
    one.querySelector("input").checked = wanted();
  }
  for (const one of document.querySelectorAll("[data-insecure]")) one.hidden = isSecureContext;
}

document.addEventListener("change", ({ target }) => {
  if (!target.closest?.("[data-awake]")) return;
  try {
    localStorage.setItem(SWITCH, target.checked ? "on" : "off");
  } catch {
    // Without storage it holds until the next page.
  }
  keep();
});

function look() {
  showSwitch();
  keep();
}

document.addEventListener("htmx:afterSwap", look);
document.addEventListener("visibilitychange", keep);
addEventListener("pageshow", look);
