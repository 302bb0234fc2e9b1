// Links side by side: the meter of each, its growth with the awards that it paid, and what it owes.
import { ask, draw, el, say as write } from "/static/common.js";
import { shape } from "/static/shapes.js";
import { chart } from "./chart.js";
import { linkDecisions } from "./decide.js";
import { say, spoken, words } from "./floor_words.js";

const HEALTH = { good: "tick", attention: "triangle", stopped: "octagon", closed: "ring", "broker lost": "plug" };
const SPANS = ["hour", "day", "month"];
const AGAIN_MS = 5000;
const UNITS_PER_CENT = 10_000;
const { exact, money, count } = words;

export const isContested = (link) => link.contest.length > 0 && !link.in_order;

export function drawLinks(page, sheet) {
  const { links } = page.view;
  draw("links", links.map((link) => link.link), () => links.map((link) => card(page, sheet, link)));
  for (const link of links) update(page, link);
}

function card(page, sheet, link) {
  const name = link.link;
  page.grown[name] ??= { span: "day", number: -1, asked: 0 };
  const spans = SPANS.map((span) => el("button", {
    type: "button", "data-key": `${name} ${span}`, "data-span": span, "aria-label": say(`last_${span}`), "aria-pressed": String(page.grown[name].span === span), onclick: (event) => choose(page, name, event.currentTarget),
  }, say(span)));
  return el("article", { class: "panel link", "aria-labelledby": `${name}-name` },
    el("div", { class: "link-head" },
      el("h2", { id: `${name}-name` }, say("link", { link: name })),
      el("div", { class: "spans joined", role: "group", "aria-label": say("growth_of", { link: name }) }, ...spans),
      page.button(say("decide_more"), "", () => page.whenAllowed("Stop", () => linkDecisions(page, sheet, page.newest(link))), `decide ${name}`)),
    el("div", { class: "standing" }, el("span", { class: "meter", id: `${name}-amount` }), el("span", { class: "health", id: `${name}-health` }), el("span", { class: "dim", id: `${name}-games` })),
    el("div", { class: "chart", id: `${name}-chart` }), el("dl", { class: "facts", id: `${name}-facts` }),
    el("div", { class: "more" }, page.button(say("statement"), "plain statement", () => page.whenAllowed("see statement", () => window.open(`/statement?link=${encodeURIComponent(name)}`, "_blank", "noopener")), `statement ${name}`), el("div", { id: `${name}-figures` }), el("details", {}, el("summary", { "data-key": `accounts ${name}` }, say("accounts")), el("dl", { class: "facts small", id: `${name}-accounts` }))));
}

function update(page, link) {
  const { state, terms } = link.figures, name = link.link;
  const rehearsal = terms.rehearsal ? ` · ${say("rehearsal")}` : "";
  write(`${name}-amount`, money(state.amount_cents));
  draw(`${name}-health`, [link.health, terms.rehearsal], () => [shape(HEALTH[link.health]), `${say(`health_${link.health.replace(" ", "_")}`)}${rehearsal}`]);
  document.getElementById(`${name}-health`).classList.toggle("bad", link.health !== "good");
  const games = [...new Set(link.tables.filter((table) => table.joined).map((table) => spoken(table.game)))].join(" + ");
  write(`${name}-games`, `${games ? `${games} · ` : ""}${say("tables", { tables: link.tables.length })}`);
  const owed = link.awards.reduce((sum, award) => sum + award.amount_cents, 0);
  const facts = [
    ["wagered", money(state.in_cents)], ["paid", say("paid_in", { cents: state.wins_cents, hits: state.hits })], ["unpaid_fact", exact(owed)], ["liability", exact(Math.floor(link.owed_units / UNITS_PER_CENT))],
    ["rate", say("percent", { percent: terms.rate_bp / 100 })], ["after_jackpot", money(terms.reset_cents)], ...(terms.limit_cents ? [["limit", money(terms.limit_cents)]] : []), ...(terms.ends_on ? [["ends_on", terms.ends_on]] : []),
    ...(state.notice ? [["notice", state.notice]] : [])];
  draw(`${name}-facts`, facts, () => facts.map(([label, value]) => pair(say(label), value)));
  draw(`${name}-accounts`, [link.accounts, link.messages, state.number, link.is_up, link.up_since_ms], () => [
    ...Object.entries(link.accounts).map(([account, sum]) => pair(account, sum)),
    pair(say("chips"), `${count(link.figures.chips)}, ${money(link.figures.chip_cents)}`), pair(say("coupons"), `${count(link.figures.coupons)}, ${money(link.figures.coupon_cents)}`),
    pair(say("record"), count(state.number)), pair(say(link.is_up ? "broker_up" : "broker_lost"), page.told(el("span", { "data-at": String(link.up_since_ms) }))),
    ...Object.entries(link.messages).map(([kind, number]) => pair(say("messages", { kind }), count(number)))]);
  grow(page, link);
}

const pair = (label, value) => el("div", {}, el("dt", {}, label), el("dd", {}, value));

function choose(page, name, pressed) {
  page.grown[name] = { span: pressed.dataset.span, number: -1, asked: 0 };
  for (const one of pressed.parentElement.children) one.setAttribute("aria-pressed", String(one === pressed));
  grow(page, page.newest({ link: name }));
}

export function followGrowth(page) {
  for (const link of page.view.links) grow(page, link);
}

/** The chart follows the meter, but asks no more often than anybody sees. */
async function grow(page, link) {
  const grown = page.grown[link.link], { number } = link.figures.state;
  if (!grown || grown.busy || grown.number === number || Date.now() - grown.asked < AGAIN_MS) return;
  Object.assign(grown, { busy: true, asked: Date.now() });
  const found = await ask(`/floor/growth/${encodeURIComponent(link.link)}?span=${grown.span}`);
  grown.busy = false;
  if (page.grown[link.link] !== grown || found.status !== 200) return;
  Object.assign(grown, { number, found });
  redraw(page, link.link);
}

function redraw(page, name) {
  const { found, span } = page.grown[name];
  const place = document.getElementById(`${name}-chart`);
  if (!found || !place) return;
  const [drawn, figures] = chart({ link: name, span, ...found, nowMs: page.now(), width: Math.max(260, place.clientWidth) });
  const folded = document.getElementById(`${name}-figures`), wasOpen = folded.querySelector("details")?.open;
  place.replaceChildren(drawn);
  folded.replaceChildren(...(figures ? [figures] : []));
  if (figures && wasOpen) figures.open = true;
}

let resized = 0;
export function redrawOnResize(page) {
  window.addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => Object.keys(page.grown).forEach((name) => redraw(page, name)), 120); });
}
