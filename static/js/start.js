// A table keeps the time zone of the phone that started it.

const tellZone = () => {
  for (const field of document.querySelectorAll('[name="time_zone"]')) {
    field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  }
};
document.addEventListener("htmx:afterSwap", tellZone);
addEventListener("pageshow", tellZone);
