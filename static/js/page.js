// Fetch a page's part and put it in place, as htmx does for the forms that it sends.

const HTMX = { "HX-Request": "true" };

export const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1] ?? "";

// Signing in, in another tab too, changes the token that the page was made with: the cookie has the new one.
document.addEventListener("htmx:configRequest", ({ detail: { parameters } }) => {
  if (parameters.csrfmiddlewaretoken && cookie("csrftoken")) parameters.csrfmiddlewaretoken = cookie("csrftoken");
});

// A text that is laid out by itself, whatever its direction: a name or a reason in a sentence of ours.
export const apart = (text) => `\u2068${text}\u2069`;

// A sentence as the parts of an element: what is set apart in it is an element, as in the server's pages.
export function written(sentence) {
  return sentence.split(/\u2068(.*?)\u2069/s).map((part, n) => {
    if (n % 2 === 0) return part;
    const name = Object.assign(document.createElement("bdi"), { translate: false });
    name.append(part);
    return name;
  });
}

// What a part of the page says; names stay set apart.
export function textOf(node) {
  if (node.nodeName === "BDI") return apart(node.textContent);
  return node.nodeType === Node.TEXT_NODE ? node.data : [...node.childNodes].map(textOf).join("");
}

// Returns {url, html}; throws where no answer, or one that is not ours, comes.
export async function fetchPage(url, options = {}) {
  const answer = await fetch(url, { headers: HTMX, cache: "no-store", ...options });
  const html = await answer.text();
  if (!html.includes('id="page"')) throw new Error("not a page of ours");
  return { url: answer.url, html };
}

// Put new HTML where the element with the same id is; returns what is there now.
export function replace(id, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(id);
  const old = document.getElementById(id);
  if (!fresh || !old) return null;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  if (focused) again(fresh, focused)?.focus({ preventScroll: true });
  window.htmx?.process(fresh);
  fresh.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  return fresh;
}

function again(fresh, { id, href, name, value }) {
  if (id) return fresh.querySelector(`#${CSS.escape(id)}`);
  if (href) return [...fresh.querySelectorAll("a")].find((link) => link.href === href);
  return name && fresh.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);
}

// Show a whole page under its own address.
export function showPage(html, url) {
  if (!replace("page", html)) return;
  history.replaceState(history.state, "", url);
  scrollTo(0, 0);
}
