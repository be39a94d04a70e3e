// Keys for whoever reviews one sheet after the other. What a key does is what is clicked, sent or
// unfolded anyway: `data-keys` names it on the page. They can be switched off, and are never in the
// way of somebody who types.

const SWITCH = "review-keys";
// A second press that was meant for the sheet before approves nothing that nobody has looked at.
const LOOKED_AT = 400; // milliseconds
let shown = 0; // when this page came
let waiting = 0; // for so many answers
let off = false; // where nothing can be remembered

function wanted() {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return !off;
  }
}

const typing = ({ target }) => target.closest?.('input:not([type="checkbox"]), textarea, select');

function press(element) {
  if (element.matches("form")) {
    if (performance.now() - shown > LOOKED_AT) element.requestSubmit();
  } else if (element.matches("details")) {
    element.open = true;
    (element.querySelector("input:not([type=hidden])") ?? element.querySelector("summary")).focus();
  } else {
    element.click();
  }
}

function leave(field) {
  const fold = field.closest("details[data-keys]");
  if (!fold) return;
  fold.open = false;
  fold.querySelector("summary").focus();
}

document.addEventListener("keydown", (event) => {
  if (!document.querySelector("[data-review]")) return;
  if (event.key === "Escape") leave(event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || typing(event)) return;
  const found = document.querySelector(`[data-keys~="${CSS.escape(event.key)}"]`);
  if (!found || !wanted() || waiting) return;
  event.preventDefault();
  press(found);
});

document.addEventListener("change", ({ target }) => {
  if (!target.closest?.("[data-review-keys]")) return;
  off = !target.checked;
  try {
    localStorage.setItem(SWITCH, off ? "off" : "on");
  } catch {
    // Without storage it holds until the next page.
  }
});

// Whoever does not see the page hears what came: what is wrong with it, or which sheet it is.
function arrive(page) {
  document.title = page.dataset.title;
  const wrong = page.querySelector("em[role=alert], [role=alert] em")?.closest("form");
  const place = wrong?.querySelector("input:not([type=hidden])") ?? page.querySelector("h2");
  place.focus({ preventScroll: !wrong });
}

function look() {
  shown = performance.now();
  waiting = 0;
  for (const one of document.querySelectorAll("[data-review-keys]")) {
    one.hidden = false;
    one.querySelector("input").checked = wanted();
  }
}

document.addEventListener("htmx:beforeRequest", () => (waiting += 1));
document.addEventListener("htmx:afterRequest", () => (waiting = Math.max(0, waiting - 1)));
document.addEventListener("htmx:afterSwap", () => {
  look();
  const page = document.querySelector("[data-review]");
  if (page) arrive(page);
});
addEventListener("pageshow", look);
