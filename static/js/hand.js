// Spells the row out before it is saved, offers nobody as bidder who sits out, and the dealer's own bid to
// whoever can be left with it.
// Every figure is looked up in a table that the rules made for this sheet; nothing is computed here.

import { apart, textOf, written } from "./page.js";

const SPADES = "spades";
const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value;
const say = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

const table = (form) => JSON.parse(form.querySelector("#spelled-out").textContent);
const spare = (name) => (name ? [name] : []);

// Who dealt and who sat out, as far as the form says or the rules tell.
function deal(form, { deals }) {
  const dealer = chosen(form, "dealer") ?? form.dataset.dealer;
  return { dealer, sitter: chosen(form, "sitter") ?? (form.dataset.sitter || deals[dealer]?.sitter) };
}

function row(form) {
  const data = table(form);
  const [bidder, outcome] = [data.players[chosen(form, "bidder")], chosen(form, "outcome")];
  const bid = form.elements.other_bid.value.trim() || chosen(form, "bid");
  const trump = chosen(form, "trump");
  const stakes = data.rows[data.bids[bid]];
  const units = stakes?.[outcome];
  if (chosen(form, "by") !== "result" || !bidder || !units) return null;
  if (outcome !== "thrown_in" && !trump) return null;
  const [each, take] = units[trump === SPADES ? 1 : 0];
  const names = { bidder: bidder.name, others: bidder.listed, fourth: data.fourth };
  const values = { ...names, each, take, bid, bracket: stakes.bracket };
  const [headline, why] = words(data, bidder, outcome === "made" ? "made" : "paid", values);
  return [headline + toOrFromPot(form, data.pot, values, outcome, trump), why];
}

// A headline, and why, in sentences.
function words(data, bidder, result, values) {
  const why = say(data.why, values);
  if (!bidder.column) return [say(data.beside, values), [say(data[`beside_${result}`], values), why]];
  const fourth = spare(data.fourth && say(data[`fourth_${result}`], values));
  if (result === "paid") return [say(data.paid, values), [say(data.paid_why, values), ...fourth, why]];
  const from = bidder.others.map((name) => say(data.from, { ...values, name })).join(", ");
  return [say(data.made, values), [from, ...fourth, why]];
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
  return chip ? textOf(chip.querySelector(".suit") ?? chip.firstChild).trim() : ""; // without "you"
};
const columns = (form) => [...form.querySelectorAll('[name^="units_"]')];
const isNumber = (form) => Boolean(form.elements.units);

// Whether something is chosen or typed. Whether it can be read, the server says.
function given(form, name) {
  if (name === "bid") return given(form, "other_bid") || (chosen(form, name) ?? "more") !== "more";
  const field = form.querySelector(`[name="${name}"]`);
  return field.type === "radio" ? Boolean(chosen(form, name)) : Boolean(field.value.trim());
}

// The fields that the open door of a form asks for.
function asked(form) {
  if (isNumber(form)) return ["player", "units"];
  if (form.matches(".correction")) return ["why"];
  if (!form.matches(".hand")) return [];
  switch (chosen(form, "by")) {
    case "passed":
      return [];
    case "numbers":
      return columns(form).map(({ name }) => name);
    case "count":
      return ["bidder", "bid", "trump", "meld_points", "trick_points"];
    default:
      return ["bidder", "bid", ...(chosen(form, "outcome") === "thrown_in" ? [] : ["trump"]), "outcome"];
  }
}

// What a form still lacks: the parts of it that ask, each with its sentence.
export function lacking(form) {
  const lacks = asked(form).filter((name) => !given(form, name));
  if (form.matches(".correction") && !columns(form).some(({ name }) => given(form, name))) lacks.push(columns(form)[0].name);
  return lacks.map((name) => form.querySelector(`[name="${name}"]`).closest("[data-lacks]"));
}

// Ask for what is lacking, each where it belongs, and go to the first.
export function ask(form, parts) {
  for (const old of form.querySelectorAll("em")) (old.closest("p") ?? old).remove();
  for (const part of [...parts].reverse()) {
    const sentence = document.createElement("em");
    sentence.append(...written(part.dataset.lacks));
    const legend = part.querySelector("legend");
    if (legend) {
      legend.append(" ", sentence);
      continue;
    }
    const line = document.createElement("p");
    line.append(sentence);
    (part.closest(".columns") ?? part).after(line);
  }
  const first = parts[0].querySelector("input:not([type=hidden])");
  first.closest("details")?.setAttribute("open", "");
  first.focus({ preventScroll: true });
  parts[0].scrollIntoView({ block: "nearest" });
}

// The hand in a form, in a line: "Ben 350 ♠ set".
export function said(form) {
  if (isNumber(form)) return `${label(form, "player")} ${form.elements.units.value.trim()}`;
  if (form.matches(".correction")) {
    return `${apart(form.elements.why.value.trim())} ${columns(form).map((input) => input.value.trim() || 0).join(" · ")}`;
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
  const spelled = row(form);
  says.hidden = !spelled;
  if (!spelled) return;
  const headline = document.createElement("strong");
  headline.append(...written(spelled[0]));
  const sentences = spelled[1].map((one) => `${one}.`).join(" ");
  says.replaceChildren(headline, document.createElement("br"), ...written(sentences));
}

function offer(chip, offered) {
  chip.hidden = !offered;
  if (!offered) chip.querySelector("input").checked = false;
}

// Whoever sits out does not bid.
function offerBidders(form, { sitter }) {
  for (const input of form.querySelectorAll('[name="bidder"]')) {
    offer(input.closest("label"), input.value !== sitter);
  }
}

function offerDealersBid(form, data, { dealer, sitter }) {
  const chip = form.querySelector(".dealers");
  if (chip) offer(chip, data.deals[dealer]?.holders[sitter ?? ""] === chosen(form, "bidder"));
}

function refresh(form) {
  const data = table(form);
  offerBidders(form, deal(form, data));
  offerDealersBid(form, data, deal(form, data));
  spell(form);
}

// Another dealer: somebody else sat out, unless somebody says otherwise.
function followDealer(form, { name, value }) {
  if (name !== "dealer") return;
  const { sitter } = table(form).deals[value];
  const chip = form.querySelector(`[name="sitter"][value="${sitter}"]`);
  if (chip) chip.checked = true;
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

for (const event of ["input", "draft:restored", "entry:follows"]) {
  document.addEventListener(event, ({ target }) => {
    const form = target.closest?.("form.hand");
    if (!form) return;
    oneBid(form, target);
    followDealer(form, target);
    refresh(form);
  });
}
document.addEventListener("htmx:afterSwap", refreshAll);
addEventListener("pageshow", refreshAll);
