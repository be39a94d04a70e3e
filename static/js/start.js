// A table keeps the time zone of the phone that started it; a club is offered that of its browser.

const tellZone = () => {
  for (const field of document.querySelectorAll('[name="time_zone"]')) {
    if (field.type !== "hidden" && field.value) continue; // somebody has chosen one
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  }
};
document.addEventListener("htmx:afterSwap", tellZone);
addEventListener("pageshow", tellZone);
