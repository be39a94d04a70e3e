// Signing out leaves nothing of a club on this device: what was typed there goes, after a question where
// something is half typed, and pages that were opened before show nothing any longer. Hands that wait in the
// queue and what was typed at tables stay.

import { drafts, forgetAccount } from "./drafts.js";

const MARK = "signed-out"; // when somebody signed out here last
const opened = Date.now();

// Ask first where something is half typed, and name it.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = form.matches("[data-sign-out]") && document.querySelector("#half-typed");
  if (!question?.showModal || question.open) return;
  const begun = drafts().filter(({ account }) => account);
  if (!begun.length) return;
  event.preventDefault();
  question.querySelector("ul").replaceChildren(...[...new Set(begun.map(titled))].map(item));
  question.showModal();
});

const titled = ({ title, name }) => title ?? name;

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
  forgetAccount();
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
