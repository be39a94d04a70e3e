// When no answer comes, or one that is none, the form says so. It keeps its key: sent again, it saves
// once, whether or not the first try arrived.

function tell({ detail: { elt, xhr } }) {
  const form = elt.closest?.("form");
  const sentence = document.querySelector("#no-answer");
  if (!form || form.querySelector(".no-answer")) return;
  form.prepend(sentence.content.cloneNode(true));
  const said = form.querySelector(".no-answer");
  if (xhr?.getResponseHeader("Trouble")) said.textContent = xhr.responseText; // the server knows better
  said.scrollIntoView({ block: "nearest" });
}

for (const event of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(event, tell);
}
// A page of somebody else, of a hotel's portal for one, is no answer.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (!detail.shouldSwap || /id="(page|sheet|counter|counted|chance)"/.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  tell({ detail: { elt: detail.requestConfig.elt } });
});
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  elt.closest?.("form")?.querySelector(".no-answer")?.remove();
});
