// Send and copy an address. A button shows only where the phone can do it, and "copied" is said only
// once it is true; otherwise the address is selected, to be copied by hand.

function say(box, copied) {
  box.querySelector("[data-copied]").hidden = !copied;
  box.querySelector("[data-not-copied]").hidden = copied;
  if (!copied) getSelection().selectAllChildren(box.querySelector(".address"));
}

async function copy(box) {
  try {
    // Plain http has no clipboard; asking for it then throws, as a refusal does.
    await navigator.clipboard.writeText(box.dataset.share);
    say(box, true);
  } catch {
    say(box, false);
  }
}

async function send(box) {
  try {
    await navigator.share({ url: box.dataset.share });
  } catch (error) {
    if (error.name !== "AbortError") say(box, false); // closed by whoever opened it: nothing to say
  }
}

function equip(box) {
  const [sending, copying] = [box.querySelector("[data-send]"), box.querySelector("[data-copy]")];
  sending.hidden = !navigator.share;
  sending.onclick = () => send(box);
  copying.hidden = false;
  copying.onclick = () => copy(box);
}

const equipAll = () => document.querySelectorAll("[data-share]").forEach(equip);
document.addEventListener("htmx:afterSwap", equipAll);
addEventListener("pageshow", equipAll);
