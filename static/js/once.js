// A question that was answered on this phone is not asked again.

function ask(question) {
  const key = `answered:${question.dataset.once}`;
  const button = question.querySelector("[data-answered]");
  try {
    question.hidden = localStorage.getItem(key) !== null;
    button.hidden = false;
    button.onclick = () => {
      localStorage.setItem(key, "");
      question.hidden = true;
    };
  } catch {
    // Without storage it is asked at every look.
  }
}

const askAll = () => document.querySelectorAll("[data-once]").forEach(ask);
document.addEventListener("htmx:afterSwap", askAll);
addEventListener("pageshow", askAll);
