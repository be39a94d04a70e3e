// A half-typed form survives Back, reload and a closed tab: it is kept on this phone until it is saved.
// The draft holds the form's own key as well, so sending it again after a lost reply saves it once.

const name = (form) => `draft:${form.dataset.draft}`;
const forms = () => document.querySelectorAll("form[data-draft]");

function read(form) {
  try {
    return JSON.parse(localStorage.getItem(name(form)));
  } catch {
    return null; // storage switched off, or something else's data
  }
}

function write(form, draft) {
  try {
    if (draft) localStorage.setItem(name(form), JSON.stringify(draft));
    else localStorage.removeItem(name(form));
  } catch {
    // Storage is full or switched off: typing goes on without a net.
  }
}

function keep(form) {
  const fields = [...new FormData(form)].filter(([field]) => field !== "csrfmiddlewaretoken");
  write(form, { fields, open: form.closest("details")?.open ?? true });
}

function fill(form, fields) {
  for (const [field, value] of fields) {
    for (const input of form.querySelectorAll(`[name="${CSS.escape(field)}"]`)) {
      if (input.type === "radio") input.checked = input.value === value;
      else input.value = value;
    }
  }
}

function restore(form) {
  const draft = read(form);
  if (!draft) return;
  const [, key] = draft.fields.find(([field]) => field === "key") ?? [];
  // A hand bears the key it was entered with: one that is on the sheet was saved after all.
  if (key && document.querySelector(`#sheet a[href*="${CSS.escape(key)}"]`)) {
    write(form, null);
    return;
  }
  if ("typed" in form.dataset) return; // the page already shows what was typed, with an answer to it
  fill(form, draft.fields);
  const began = form.querySelector(".began");
  if (began) began.hidden = false;
  const entry = form.closest("details");
  if (entry) {
    entry.open = draft.open;
    const closed = entry.querySelector("[data-resume]");
    if (closed) closed.textContent = closed.dataset.resume;
  }
  form.dispatchEvent(new Event("draft:restored", { bubbles: true }));
}

// End match mentions a hand that is half entered.
function mention(sentence) {
  sentence.hidden = !read({ dataset: { draft: sentence.dataset.draftOf } });
}

// Where only a part of the page was swapped its form bears the draft already: filled in once more it
// would ask for that part again, and so on for ever.
const looked = new WeakSet();

function restoreAll({ type }) {
  for (const form of forms()) {
    if (type === "pageshow" || !looked.has(form)) restore(form);
    looked.add(form);
  }
  document.querySelectorAll("[data-draft-of]").forEach(mention);
}

for (const event of ["input", "change"]) {
  document.addEventListener(event, ({ target }) => {
    const form = target.closest?.("form[data-draft]");
    if (form) keep(form);
  });
}
document.addEventListener(
  "toggle",
  ({ target }) => {
    const form = target.querySelector?.("form[data-draft]");
    if (form && read(form)) keep(form);
  },
  true,
);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-discard], [data-afresh]")) forms().forEach((form) => write(form, null));
  if (target.closest?.("[data-afresh]")) location.reload();
});
// The queue has it now.
document.addEventListener("outbox:kept", ({ target }) => target.dataset.draft && write(target, null));
// The form of the next hand was lent to the change of another.
document.addEventListener("entry:emptied", ({ target }) => restore(target));
// A saved form is answered with another page than its own.
document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, requestConfig } }) => {
  const form = requestConfig.elt.closest?.("form[data-draft]");
  if (!form || xhr.status !== 200) return;
  if (new URL(xhr.responseURL).pathname !== new URL(form.action).pathname) write(form, null);
});
document.addEventListener("htmx:afterSwap", (event) => event.target.id === "sheet" || restoreAll(event));
addEventListener("pageshow", restoreAll);
