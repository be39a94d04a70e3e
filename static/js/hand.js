// Spells the row out before it is saved, and offers the dealer's own bid to the dealer only.
// Every figure is looked up in a table that the rules made for this sheet; nothing is computed here.

const SPADES = "spades";
const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value;
const say = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

function row(form) {
  const data = JSON.parse(form.querySelector("#spelled-out").textContent);
  const [bidder, outcome] = ["bidder", "outcome"].map((name) => chosen(form, name));
  const bid = form.elements.other_bid.value.trim() || chosen(form, "bid");
  const trump = chosen(form, "trump");
  const stakes = data.rows[data.bids[bid]];
  const units = stakes?.[outcome];
  if (chosen(form, "by") !== "result" || !bidder || !units) return null;
  if (outcome !== "thrown_in" && !trump) return null;
  const each = units[trump === SPADES ? 1 : 0];
  const [first, second] = Object.entries(data.players).filter(([key]) => key !== bidder).map(([, name]) => name);
  const values = { bidder: data.players[bidder], each, take: 2 * each, first, second, bid, bracket: stakes.bracket };
  const [headline, rest] = outcome === "made" ? [data.made, data.made_why] : [data.paid, data.paid_why];
  return [say(headline, values) + toOrFromPot(form, data.pot, values, outcome, trump), `${say(rest, values)} ${say(data.why, values)}`];
}

// What the bidder takes from the pot or pays it, in words; nothing where there is none.
function toOrFromPot(form, pot, { bid, bracket }, outcome, trump) {
  if (!pot) return "";
  if (outcome !== "made") return say(pot.paid, { units: pot.gets[bracket][outcome][trump === SPADES ? 1 : 0] });
  const units = held(form, pot);
  return pot.takes.includes(Number(bid)) && units > 0 ? say(pot.taken, { units }) : "";
}

// What the pot holds before the hand in a form: the next hand finds what is on the pad now. What it held
// before a hand that the form was lent to, without network, nobody knows here.
function held(form, pot) {
  if (!form.closest("#entry")) return pot.holds;
  return "changes" in form.dataset ? 0 : Number(document.querySelector("#sheet [data-pot]")?.dataset.pot ?? 0);
}

const label = (form, name) => {
  const chip = form.querySelector(`[name="${name}"]:checked`)?.nextElementSibling;
  return (chip?.querySelector(".suit") ?? chip)?.textContent.trim() ?? "";
};
const number = (input) => /^\s*\d+\s*$/.test(input.value);
const counts = (input) => number(input) && Number(input.value) > 0;
const columns = (form) => [...form.querySelectorAll('[name^="units_"]')];

// Whether a form holds all that its door asks for; what is missing the server asks for in words.
export function complete(form) {
  if (form.matches(".number")) return number(form.elements.units) && Boolean(chosen(form, "player"));
  if (form.matches(".correction")) return Boolean(form.elements.why.value.trim()) && columns(form).some(counts);
  if (!form.matches(".hand")) return true;
  switch (chosen(form, "by")) {
    case "passed":
      return true;
    case "numbers":
      return columns(form).every(number);
    case "count":
      return ["bidder", "bid", "trump"].every((name) => chosen(form, name)) &&
        [form.elements.meld_points, form.elements.trick_points].every(number);
    default:
      return row(form) !== null;
  }
}

// The hand in a form, in a line: "Ben 350 ♠ set".
export function said(form) {
  if (form.matches(".number")) return `${label(form, "player")} ${form.elements.units.value.trim()}`;
  if (form.matches(".correction")) {
    return `${form.elements.why.value.trim()} ${columns(form).map((input) => input.value.trim() || 0).join(" · ")}`;
  }
  if (!form.matches(".hand")) return "";
  switch (chosen(form, "by")) {
    case "passed":
      return label(form, "by");
    case "numbers":
      return columns(form).map((input) => input.value.trim()).join(" · ");
    case "count":
      return `${bidOf(form)} ${form.elements.meld_points.value} + ${form.elements.trick_points.value}`;
    default:
      return `${bidOf(form)} ${label(form, "outcome").toLowerCase()}`;
  }
}

function bidOf(form) {
  const bid = form.elements.other_bid.value.trim() || chosen(form, "bid");
  const trump = chosen(form, "outcome") === "thrown_in" ? "" : label(form, "trump");
  return [label(form, "bidder"), bid, trump].filter(Boolean).join(" ");
}

function spell(form) {
  const says = form.querySelector(".spelled");
  const words = row(form);
  says.hidden = !words;
  if (!words) return;
  const headline = document.createElement("strong");
  headline.textContent = words[0];
  says.replaceChildren(headline, document.createElement("br"), words[1]);
}

function offerDealersBid(form) {
  const chip = form.querySelector(".dealers");
  if (!chip) return;
  const dealer = chosen(form, "dealer") ?? form.dataset.dealer;
  chip.hidden = chosen(form, "bidder") !== dealer;
  const radio = chip.querySelector("input");
  if (chip.hidden) radio.checked = false;
}

function refresh(form) {
  offerDealersBid(form);
  spell(form);
}

const refreshAll = () => document.querySelectorAll("form.hand").forEach(refresh);

// A bid is tapped or typed, never both.
function oneBid(form, { name, value }) {
  if (name === "other_bid" && value) {
    for (const chip of form.querySelectorAll('[name="bid"]:not(.more)')) chip.checked = false;
  } else if (name === "bid" && value !== "more") {
    form.elements.other_bid.value = "";
  }
}

for (const event of ["input", "draft:restored"]) {
  document.addEventListener(event, ({ target }) => {
    const form = target.closest?.("form.hand");
    if (!form) return;
    oneBid(form, target);
    refresh(form);
  });
}
document.addEventListener("htmx:afterSwap", refreshAll);
addEventListener("pageshow", refreshAll);
