// The panel: the table as the daemon shows it, and the orders it offers.
import { ask, draw, el, follow, keepToken, say, timeOf } from "./common.js";
import { testBench } from "./bench.js";
import { cardChips, shape } from "./shapes.js";
import { column } from "./column.js";
import { signIn } from "./keypad.js";
import { menuSheet } from "./menu.js";
import { drawSeats } from "./seats.js";
import { Sheets } from "./sheets.js";
import { heard } from "./sounds.js";
import { exact, language, t } from "./texts.js";
import { listenForCodes } from "./wedge.js";

const RARE = ["irregularity", "close", "withdraw", "reject", "one-player", "no-bank"];
const ROOM = matchMedia("(max-width: 720px)").matches ? 2 : 3; // rare acts that the bar has room for
const page = { site: "panel", card: null, view: null, people: [], stop: null, tested: {}, refusal: "", show, refused, has, signIn: () => signIn(sheets, page, null, enter), leave };
const sheets = new Sheets(page, () => whenAllowed);

function has(...roles) { return page.people.some((person) => roles.includes(person.role)); }

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
  page.stop = follow(`/panel/stream?language=${language}`, (view) => {
    heard(page.view, view);
    page.view = view;
    page.people = view.people;
    show();
  });
}

/** An order that was refused without a sheet. */
function refused(why) {
  page.refusal = why;
  if (page.view) show();
}

function show() {
  const { state, band, offers } = page.view;
  draw("badge", state.table, () => [state.table]);
  say("title", state.title);
  say("round", t(state.rehearsal ? "rehearsal_round" : "round", { round: state.round }));
  draw("meter", state.link, () => meter(state.link));
  draw("people", page.people, people);
  document.getElementById("step").dataset.tone = band.tone;
  draw("shape", band.shape, () => [shape(band.shape)]);
  say("next", band.sentence);
  say("reason", band.reason);
  draw("acts", [band.acts, offers, page.people], () => band.acts.map((act, place) => actButton(act, place === band.acts.length - 1)));
  drawSeats(page, (seat) => sheets.seat(seat));
  draw("count", [state.phase, state.count, state.lights, state.community], centre);
  document.getElementById("count").classList.toggle("differs", state.count.agree === false);
  for (const device of Object.keys(page.tested)) if (!state.faults[device]) delete page.tested[device];
  const inBand = new Set(band.acts.map((act) => act.offer));
  const rest = offers.filter((offer, place) => !inBand.has(place));
  column(page, rest.filter((offer) => !RARE.includes(offer.action) && !(offer.action === "open" && offer.refusal)), choose);
  say("refusal", page.refusal || (state.refusal && band.shape !== "octagon" ? t("refused_at", { time: timeOf(state.refused_ms), why: state.refusal.reason }) : ""));
  const rare = rest.filter((offer) => RARE.includes(offer.action)).sort((one, other) => RARE.indexOf(one.action) - RARE.indexOf(other.action));
  draw("rare", [rare, state.phase, page.people], () => rareButtons(rare));
  draw("lamp", [state.lamp, state.phase], () => lamp(state));
  draw("pages", page.people, pages);
  sheets.refresh();
}

const choose = (offer) => whenAllowed(offer.roles, () => sheets.offer(offer));

function actButton(act, isMarked) {
  const offer = page.view.offers[act.offer];
  return el("button", { type: "button", class: isMarked ? "main" : "", "data-key": `${act.label}`, onclick: () => (offer ? choose(offer) : sheets.claim(act.seat)) },
    el("span", {}, act.label), act.note ? [" ", el("small", {}, act.note)] : null);
}

function meter(link) {
  if (!link.up) return [shape("plug"), el("span", { class: "gone" }, t("no_jackpot"))];
  return [el("span", { class: "label" }, t("jackpot")), " ", el("strong", {}, exact(link.amount_cents)), link.waiting ? el("small", {}, t("on_their_way", { number: link.waiting })) : null];
}

const initials = (name) => { const parts = name.split(/\s+/); return (parts.length > 1 ? parts[0][0] + parts.at(-1)[0] : name.slice(0, 2)).toUpperCase(); };

function people() {
  const here = page.people.map((person) => el("button", {
    type: "button", class: `person ${person.role}`, "data-key": person.name, onclick: () => leave(person.name),
    "aria-label": t("sign_out", { name: person.name, role: t(person.role) }),
  }, el("span", { class: "avatar", "aria-hidden": "true" }, initials(person.name)), el("span", { class: "who" }, el("b", {}, person.name), el("small", {}, t(person.role)))));
  const more = el("button", { type: "button", class: "icon", "data-key": "sign in", "aria-label": t(page.people.length ? "another_person" : "sign_in"), onclick: page.signIn }, shape("person"));
  return [...here, more];
}

/** What lies in the middle of the table: chips and lights, or the shared cards. */
function centre() {
  const { state } = page.view, { count } = state;
  const figure = (number, word) => el("span", { class: "figure" }, el("b", {}, String(number)), " ", el("span", {}, word));
  if (state.phase === "closed") return [el("strong", {}, t("no_wagers"))];
  if (state.community.length) return [cardChips(state.community), el("small", {}, t("flop"))];
  if (count.agree === null && ["open", "counting", "locked"].includes(state.phase)) {
    const words = state.lights ? [figure(state.lights, t("wagers", { number: state.lights }))] : [el("strong", {}, t("no_chips_yet"))];
    return [...words, state.phase === "open" ? el("small", {}, t("counted_at_lock_out")) : null];
  }
  if (count.chips === null) return [];
  const coupons = count.coupons ? [" ", el("i", {}, "+"), " ", figure(count.coupons, t("coupons", { number: count.coupons }))] : [];
  return [el("div", { class: "equation" }, figure(count.chips, t("chips", { number: count.chips })), ...coupons, " ", el("i", {}, count.agree ? "=" : "≠"), " ", figure(count.lights, t("lights", { number: count.lights })))];
}

function rareButtons(rare) {
  const coupon = page.card.coupons && page.view.state.phase === "open" ? [el("button", { type: "button", "data-key": "coupon", onclick: () => sheets.coupon() }, t("coupon"))] : [];
  const room = ROOM - coupon.length, few = rare.length > room ? rare.slice(0, room - 1) : rare, others = rare.slice(few.length);
  return [
    ...few.map((offer) => el("button", { type: "button", class: offer.action === "reject" ? "danger" : "", disabled: Boolean(offer.refusal), "data-key": `${offer.action} ${offer.seat} ${offer.irregularity}`, onclick: () => choose(offer) },
      offer.action === "irregularity" ? shape("triangle") : null, offer.label)),
    ...coupon, others.length ? el("button", { type: "button", "data-key": "more", onclick: () => sheets.more(others) }, shape("more"), t("more")) : null,
  ].filter(Boolean);
}

/** What the dealer's button says; the phone has no room for it. */
function lamp(state) {
  const [name, key] = { open: ["half", "lamp_pulses"], lit: ["disc", "lamp_steady"], look: ["rays", "lamp_look"] }[state.lamp] ?? ["ring", "lamp_dark"];
  return [shape(name), el("span", {}, t(key))];
}

function pages() {
  const link = (name, key, path) => el("button", { type: "button", "data-key": key, onclick: () => window.open(path, "_blank", "noopener") }, shape(name), t(key));
  return [
    has("technician") ? el("button", { type: "button", "data-key": "bench", onclick: () => testBench(sheets, page) }, shape("tools"), t("bench")) : null,
    has("dealer", "supervisor", "accounting") ? link("paper", "slips", "/slips") : null,
    has("supervisor", "accounting") ? link("clock", "rounds", "/replay") : null,
    el("button", { type: "button", class: "icon", "data-key": "menu", "aria-label": t("menu"), onclick: () => menuSheet(sheets, page) }, shape("menu")),
  ].filter(Boolean);
}

document.getElementById("lost").textContent = t("lost");
for (const [id, key] of [["sheet", "order"], ["people", "people"], ["step", "next_step"], ["acts", "next_step"], ["felt", "seats"], ["column", "to_do"], ["rare", "rare_acts"], ["pages", "pages"]]) document.getElementById(id).setAttribute("aria-label", t(key));
listenForCodes(() => page.view && (document.querySelector("dialog[open] #serial") || (!document.querySelector("dialog[open]") && page.card.coupons && page.view.state.phase === "open")),
  (code) => { if (!sheets.takeCode(code)) sheets.coupon(code); });
const session = await ask("/panel/session");
page.card = await ask("/panel/card");
document.title = t("panel_of", { table: page.card.table });
if (session.status === 200) await enter(session); else listen();
