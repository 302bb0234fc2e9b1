// The panel: the table as the daemon shows it, and the orders it offers.
import { ask, cards, dollars, draw, el, follow, keepToken, LIGHTS, say, timeOf, withRule } from "./common.js";
import { Sheets } from "./sheets.js";
import { signIn } from "./keypad.js";
import { testBench } from "./bench.js";

const page = { site: "panel", card: null, view: null, people: [], stop: null, tested: {}, show };
const URGENT = ["no-win", "all-shown", "validate", "pay", "papers", "display", "pay-envy", "explain", "refund", "as-last-round", "open"];
const RARE = ["reject", "close", "irregularity", "withdraw"];
const sheets = new Sheets(page, () => whenAllowed);

const has = (roles) => page.people.some((person) => roles.includes(person.role));

/** A dealer signs in once; a supervisor signs each order, in its own sheet. */
async function whenAllowed(roles, goOn) {
  const isHere = page.people.some((person) => person.orders && roles.includes(person.role));
  if (isHere || !roles.includes("dealer") || await signIn(sheets, page, ["dealer"], enter)) goOn();
}

async function enter(session) {
  keepToken(session);
  page.people = session.people;
  page.remote = session.remote;
  listen();
}

async function leave(name) {
  await enter(await ask("/panel/sign-out", { name }));
}

function listen() {
  page.stop?.();
  page.stop = follow("/panel/stream", (view) => { page.view = view; page.people = view.people; show(); });
}

function show() {
  const { state, offers } = page.view;
  const rehearsal = state.rehearsal ? " · REHEARSAL" : "";
  draw("table", [state.table, state.title, state.round, rehearsal], () => [
    `Table ${state.table}`, el("small", {}, `${state.title} · round ${state.round}${rehearsal}`),
  ]);
  draw("meter", [state.link, state.round, page.people], () => meter(state.link));
  draw("people", [page.people, page.view.testing], people);
  say("phase", state.phase_words);
  say("next", page.view.testing ? `Testing: ${page.view.testing}` : state.next_step);
  say("count", state.phase === "closed" ? "" : state.count.words);
  document.getElementById("count").classList.toggle("differs", state.count.agree === false);
  draw("seats", state.seats, () => state.seats.map(seat));
  draw("notes", state.seats.map((one) => [one.note, one.fault]), () => notes(state));
  say("refusal", state.refusal ? `Refused at ${timeOf(state.refused_ms)}: ${withRule(state.refusal.reason, state.refusal.rule)}` : "");
  const later = offers.filter((offer) => RARE.includes(offer.action)), now = offers.filter((offer) => !RARE.includes(offer.action));
  const urgent = page.view.advice.some((one) => one.device === "contested award") ? null : now.find((offer) => URGENT.includes(offer.action) && !offer.refusal);
  draw("offers", [now, urgent, page.people], () => now.map((offer) => offerButton(offer, offer === urgent)));
  draw("more", [later, page.people], () => later.map((offer) => offerButton(offer, false)));
  draw("deal", state.deal, () => state.deal.map((line) => el("li", {}, withRule(line.words, line.rule))));
  say("irregular", state.irregularities.join(" · "));
  say("hint", page.view.hint);
  document.getElementById("paying-title").hidden = !state.payments.length;
  draw("paying", state.payments, () => state.payments.map(payment));
  for (const device of Object.keys(page.tested)) if (!state.faults[device]) delete page.tested[device];
  draw("faults", [state.faults, state.link.up, state.link.reason, page.view.advice, page.tested], () => faults(state));
  sheets.refresh();
}

function meter(link) {
  if (!link.up) return ["No meter", el("small", {}, has(["technician"]) && link.detail || link.reason)];
  const waiting = link.waiting ? ` · ${link.waiting} entries on their way` : "";
  return [dollars(link.amount_cents), el("small", {}, (link.notice || `meter ${link.name}`) + waiting)];
}

function people() {
  const here = page.people.map((person) => el("button", {
    type: "button", class: "plain", "data-key": person.name, onclick: () => leave(person.name),
    "aria-label": `${person.name}, ${person.role}: sign out`,
  }, person.name, el("small", {}, `${person.role}${person.orders ? "" : ", looks on"} · sign out`)));
  const bench = has(["technician"]) ? [button("Test bench", "main", () => testBench(sheets, page))] : [];
  const books = has(["supervisor", "accounting"]) ? [link("Rounds", "/replay")] : [];
  const slips = has(["dealer", "supervisor", "accounting"]) ? [link("Slips", "/slips")] : [];
  return [...bench, ...books, ...slips, ...here, button(page.people.length ? "Another person…" : "Sign in", page.people.length ? "" : "main", () => signIn(sheets, page, null, enter))];
}

const link = (text, path) => button(text, "plain", () => window.open(path, "_blank", "noopener"));

function button(text, kind, act) {
  return el("button", { type: "button", class: kind, "data-key": text, onclick: act }, text);
}

function seat(one, place, all) {
  const middle = (all.length - 1) / 2 || 1;
  const [mark, words] = LIGHTS[one.light];
  const what = one.fault ? "fault" : one.wager || (one.gate_open ? "open" : "shut");
  const classes = ["seat", one.light, one.fault && "fault", one.folded && "folded"].filter(Boolean).join(" ");
  const shape = el("li", {}, el("button", {
    type: "button", class: classes, "data-key": `seat ${one.seat}`, onclick: () => sheets.seat(one.seat),
    "aria-label": `Seat ${one.seat}: light ${words}, ${what}${one.note ? `, ${one.note}` : ""}`,
  }, el("span", { class: "number" }, String(one.seat)), el("span", { class: "light", "aria-hidden": "true" }, mark),
  el("span", { class: "what" }, one.folded ? "folded" : what), side(one)));
  shape.style.setProperty("--drop", `${Math.round(72 * ((place - middle) / middle) ** 2)}px`);
  return shape;
}

/** What else lies at the seat, by its first letters: B bonus, I insurance, N number … */
function side(one) {
  const names = [...Object.keys(one.side), ...(Object.keys(one.numbers).length ? ["number"] : [])];
  const words = names.map((name) => name.split("_").map((part) => part[0].toUpperCase()).join(""));
  return words.length ? el("span", { class: "side", title: names.map((name) => name.replaceAll("_", " ") + (one.wager_lights[name] === "lit" ? " (lit)" : "")).join(", ") }, words.join(" ")) : null;
}

const notes = (state) => state.seats.filter((one) => one.note || one.fault).map((one) =>
  el("li", {}, el("strong", {}, `Seat ${one.seat} `), one.fault || one.note));

function offerButton(offer, urgent) {
  const may = page.people.some((person) => person.orders && offer.roles.includes(person.role));
  const note = offer.refusal || (may ? offer.note : offer.roles.join(" or "));
  return el("button", {
    type: "button", class: urgent ? "main" : "", "data-key": `${offer.action} ${offer.seat} ${offer.wager} ${offer.device}`, disabled: Boolean(offer.refusal),
    onclick: () => whenAllowed(offer.roles, () => sheets.offer(offer)),
  }, offer.label, el("small", {}, note));
}

function payment(one) {
  const slip = one.slip ? ` · slip ${one.slip}` : "";
  return el("li", { class: one.is_open ? "" : "done" },
    el("span", { class: "seat-number" }, `Seat ${one.seat}`), el("span", {}, one.hand, " ", cards(one.cards)),
    el("span", { class: "amount" }, one.amount),
    el("span", { class: "more" }, `${one.state} · ${one.source}${one.deducted ? " · from the meter" : ""} · ${one.rule}${slip}`));
}

function faults(state) {
  const found = page.view.advice.map((one) => el("li", {},
    el("strong", {}, one.device), el("p", {}, one.detail), el("p", { class: "dim" }, one.advice),
    page.tested[one.device] ? el("p", { class: "wrong" }, `Tested again at ${timeOf(page.tested[one.device])}: not mended yet.`) : null));
  return state.trouble ? [el("li", {}, el("strong", {}, "Journal"), el("p", {}, state.trouble)), ...found] : found;
}

const session = await ask("/panel/session");
page.card = await ask("/panel/card");
document.title = `Panel ${page.card.table}`;
say("limits", page.card.limits.join(" · "));
if (session.status === 200) await enter(session); else listen();
