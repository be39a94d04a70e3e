// Signing out leaves nothing of a club on this device: what was typed there goes, after a question where
// something is half typed, and pages that were opened before show nothing any longer. Hands that wait in the
// queue and what was typed at tables stay.

const MARK = "signed-out"; // when somebody signed out here last
const opened = Date.now();

const isAccounts = (draft) => draft?.account === true;

function drafts() {
  try {
    const slots = Object.keys(localStorage).filter((slot) => slot.startsWith("draft:"));
    return slots.map((slot) => ({ ...parsed(slot), slot })).filter(isAccounts);
  } catch {
    return []; // storage switched off: nothing was kept
  }
}

function parsed(slot) {
  try {
    return JSON.parse(localStorage.getItem(slot));
  } catch {
    return null; // something else's data
  }
}

// Ask first where something is half typed, and name it.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = form.matches("[data-sign-out]") && document.querySelector("#half-typed");
  if (!question?.showModal || question.open) return;
  const begun = drafts();
  if (!begun.length) return;
  event.preventDefault();
  question.querySelector("ul").replaceChildren(...[...new Set(begun.map(titled))].map(item));
  question.showModal();
});

const titled = ({ title, name, slot }) => title ?? name ?? slot.slice("draft:".length);

function item(title) {
  const li = document.createElement("li");
  li.textContent = title;
  return li;
}

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#half-typed [data-stay]")) target.closest("dialog").close();
});

// The page that says that somebody has signed out, whatever way they did.
function forget() {
  for (const { slot } of drafts()) localStorage.removeItem(slot);
  try {
    localStorage.setItem(MARK, String(Date.now()));
  } catch {
    // Then other tabs show what they show until they are looked at again.
  }
}

// A page that was opened before is fetched anew, which leads to signing in.
function leave() {
  document.body.hidden = true;
  location.reload();
}

function signedOutSince() {
  try {
    return Number(localStorage.getItem(MARK)) > opened;
  } catch {
    return true; // nobody knows
  }
}

if (document.querySelector("[data-signed-out]")) forget();
if ("account" in document.body.dataset) {
  addEventListener("pageshow", ({ persisted }) => persisted && signedOutSince() && leave());
  addEventListener("storage", ({ key }) => key === MARK && leave());
}
