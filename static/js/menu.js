// The menu closes on a tap elsewhere and on Escape.

const close = (except) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
};
document.addEventListener("click", ({ target }) => close(target));
document.addEventListener("keydown", ({ key }) => key === "Escape" && close(null));
