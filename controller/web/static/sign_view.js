// The players' sign in an element of any size: one layout for every game, screen, theme and state.
import { el } from "./common.js";
import { hand } from "./sign_cards.js";
import { arrange, paginate } from "./sign_layout.js";
import { Odometer } from "./sign_odometer.js";

const PAGE_MS = 8000;
const CELEBRATE_MS = 20000; // at the least
const AFTER_PAID_MS = 10000;
const FULL_STEP_CENTS = 100000; // the frame brightens at each full thousand
const SHARES = [0.52, 0.47, 0.42, 0.37, 0.33, 0.29, 0.26]; // of the stage, for the amount
const LIGHTS = ["open", "lit", "dark", "look"];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Words in which a pair of * marks what stands out. */
export const rich = (words) => words.split("*").map((part, place) => (place % 2 ? el("b", {}, part) : part));

export class Sign {
  constructor(root, card) {
    this.root = root;
    this.card = card;
    this.view = null;
    this.isLost = false;
    this.celebrated = new Map(); // by the award's key: since when, until when, and the award as last told
    this.page = 0;
    this.odometer = new Odometer(card.motion);
    root.dataset.theme = card.theme;
    root.dataset.frame = card.frame;
    this.#build();
    new ResizeObserver(() => this.draw()).observe(root);
    document.fonts.ready.then(() => this.draw());
    this.#attract();
    setInterval(() => this.#turnPage(), PAGE_MS);
  }

  show(view) {
    const before = this.view;
    this.view = view;
    this.isLost = false;
    this.#follow(view.awards, before);
    this.draw();
    if (before?.amount_cents && view.amount_cents > before.amount_cents && this.root.dataset.state === "open") {
      if (Math.floor(view.amount_cents / FULL_STEP_CENTS) > Math.floor(before.amount_cents / FULL_STEP_CENTS)) this.#brighten();
    }
  }

  /** The page has lost its table: an old amount is worse than none. */
  lose(isLost) {
    if (this.isLost === isLost) return;
    this.isLost = isLost;
    this.draw();
  }

  draw() {
    if (!this.view && !this.isLost) return;
    const { width, height } = this.root.getBoundingClientRect();
    const size = sizeOf(width, height);
    this.root.dataset.size = size.name;
    this.root.style.setProperty("--u", `${size.unit}px`);
    const award = this.#celebrated();
    const state = this.isLost ? "lost" : award ? "won" : this.view.state !== "open" ? this.view.state : this.#verified() ? "verifying" : "open";
    this.root.dataset.state = state;
    const isFull = ["won", "closed", "lost"].includes(state);
    this.table.hidden = isFull;
    this.full.hidden = !isFull;
    if (isFull) this.#drawFull(state, award); else this.#drawTable(size);
  }

  #build() {
    const { card } = this, { words } = card;
    this.label = el("h2", { class: "label" }, el("span", {}, words.jackpot), el("i", { class: "sweep", "aria-hidden": "true" }));
    this.unknown = el("p", { class: "unknown", hidden: true }, words.amount_unknown);
    this.amount = el("div", { class: "amount" }, this.odometer.element, this.unknown);
    this.news = el("ul", { class: "news", "aria-live": "polite" });
    this.band = el("section", { class: "band", "aria-live": "polite", hidden: true });
    this.pays = el("section", { class: "pays", "aria-label": words.pay_table });
    this.stage = el("div", { class: "stage" }, this.amount, this.news, this.band, this.pays);
    this.legend = el("ul", { class: "legend", "aria-label": words.lights }, ...LIGHTS.map((light) =>
      el("li", {}, lightShape(light), el("span", { class: "long" }, words[`legend_${light}`]), el("span", { class: "short" }, words[`short_${light}`]))));
    this.linked = el("p", { class: "linked" });
    this.limits = el("p", { class: "linked limits", hidden: !card.limits.length }, ...rich(card.limits.join(" ")));
    this.dots = el("p", { class: "dots", hidden: true, "aria-hidden": "true" });
    this.table = el("div", { class: "table" },
      el("header", {}, brand(card), el("h1", {}, card.title), el("p", { class: "stake" }, ...rich(card.stake))),
      this.label, this.stage, el("footer", {}, this.legend, el("div", { class: "foot" }, this.linked, this.limits, this.dots)));
    this.full = el("div", { class: "full", hidden: true });
    this.root.replaceChildren(el("div", { class: "ground" }), el("div", { class: "frame" }), el("i", { class: "glow" }), el("i", { class: "glow low" }), this.table, this.full);
  }

  // --- the table: amount, pays, legend ---

  #drawTable(size) {
    const { view } = this, isKnown = view.amount !== "";
    this.odometer.element.hidden = !isKnown;
    this.unknown.hidden = isKnown;
    if (isKnown && view.amount !== this.odometer.text) this.odometer.set(view.amount, view.amount_cents);
    const told = size.name === "small" ? 1 : 3;
    this.news.replaceChildren(...view.news.slice(0, told).map((words) => el("li", {}, ...rich(words))));
    this.linked.replaceChildren(chain(), ...rich(size.name === "small" ? view.linked_short : view.linked));
    this.linked.hidden = !view.linked;
    const award = this.#verified();
    this.band.hidden = !award;
    this.pays.hidden = Boolean(award);
    if (award) this.band.replaceChildren(...verifying(award, this.card));
    this.#fit(size, Boolean(award));
    this.#writeParts();
  }

  /** The largest amount beside which the pays can still be read well. */
  #fit(size, isBand) {
    const width = this.stage.clientWidth, room = this.stage.clientHeight;
    const news = this.news.childElementCount ? this.news.offsetHeight + 12 * size.unit : 0;
    const byWidth = (width / this.odometer.ems) * 1.16;
    const key = [width, room, news, this.view.amount.replace(/\d/g, "0"), this.card.theme, document.fonts.status, isBand].join();
    if (this.fitted === key) return;
    this.fitted = key;
    this.dots.hidden = true;
    const limits = { most: size.most, mostPitch: size.pitch, least: size.least, isWide: size.name === "wide" };
    const gap = size.gap * size.unit;
    const blocks = isBand ? [] : this.#measured();
    let chosen = null;
    for (const share of SHARES) {
      const amount = Math.min(share * room, byWidth, size.highest * size.unit);
      const left = room - amount - news - gap;
      if (isBand) { chosen = { amount, left }; if (left > 0.4 * room) break; continue; }
      const plan = arrange(blocks, width, left, limits);
      chosen = { amount, left, plan };
      if (plan.size >= size.wanted) break;
    }
    this.amount.style.height = `${chosen.amount}px`;
    this.odometer.element.style.fontSize = `${Math.min(chosen.amount / 1.16, width / this.odometer.ems)}px`;
    if (isBand) return;
    const pages = chosen.plan.size >= limits.least ? [blocks] : paginate(blocks, width, chosen.left, limits);
    this.pages = pages.map((page) => ({ ...arrange(page, width, chosen.left, limits), width, room: chosen.left }));
    this.page %= pages.length;
    this.#drawPage();
  }

  /** What each block takes, in ems. */
  #measured() {
    const place = el("div", { class: "pays measuring" });
    this.stage.append(place);
    const size = parseFloat(getComputedStyle(place).fontSize);
    const blocks = this.card.blocks.map((block, index) => {
      const piece = { index, from: 0, rows: block.rows.length, head: 0, note: 0, width: 0, parts: 1 };
      const made = this.#block(piece);
      place.replaceChildren(made);
      this.#writeParts(place);
      const table = made.querySelector("table"), head = made.querySelector("thead"), note = made.querySelector(".note");
      const ems = (pixels) => (pixels ?? 0) / size;
      return { ...piece, width: ems(table ? table.offsetWidth : 12 * size) + 0.05, head: ems(head?.offsetHeight), note: ems(note?.offsetHeight) + (note ? 0.4 : 0) };
    });
    place.remove();
    return blocks;
  }

  #drawPage() {
    const { columns, ems, size, pitches, width } = this.pages[this.page];
    const spare = (width / size - ems.reduce((sum, each) => sum + each, 0) - 2 * (ems.length - 1)) / ems.length;
    this.pays.style.fontSize = `${size}px`;
    this.pays.style.gridTemplateColumns = ems.map((each) => `${(each + spare) * size}px`).join(" ");
    this.pays.replaceChildren(...columns.map((column, place) => {
      const made = el("div", { class: "column" }, ...column.map((piece) => this.#block(piece)));
      made.style.setProperty("--pitch", pitches[place]);
      return made;
    }));
    const many = this.pages.length > 1;
    this.dots.hidden = !many;
    this.dots.replaceChildren(...(many ? this.pages.map((_, place) => el("i", { class: place === this.page ? "here" : "" })) : []));
    this.#writeParts();
  }

  #block(piece) {
    if (piece.pair) return el("div", { class: "pair" }, ...piece.pair.map((one) => this.#block(one)));
    const block = this.card.blocks[piece.index], isAlone = this.card.blocks.length === 1 && block.heads.length === 1;
    const rows = block.rows.slice(piece.from, piece.from + piece.rows);
    const heads = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("b", {}, block.title), " ", el("small", {}, block.stake)),
      ...block.heads.map((head) => el("th", { scope: "col" }, head))));
    const table = rows.length ? el("table", {}, isAlone ? null : heads, el("tbody", {}, ...rows.map((row) => this.#row(row))))
      : el("h3", {}, block.title);
    const isLast = piece.from + piece.rows === block.rows.length;
    return el("div", { class: "block" }, table, block.note && isLast ? el("p", { class: "note" }, block.note) : null);
  }

  #row(row) {
    const isJackpot = row.cells.some((cell) => cell.is_jackpot);
    return el("tr", { class: isJackpot ? "jackpot" : "" }, el("th", { scope: "row" }, row.hand), ...row.cells.map((cell) =>
      el("td", { class: cell.is_jackpot ? "whole" : "" }, ...(cell.part_bp
        ? [el("small", {}, `${cell.words} = `), el("span", { "data-bp": cell.part_bp })] : [cell.words]))));
  }

  #writeParts(place = this.pays) {
    for (const part of place.querySelectorAll("[data-bp]")) {
      const amount = this.view?.parts[part.dataset.bp] ?? "";
      if (part.textContent !== amount) part.textContent = amount;
      part.previousSibling.textContent = part.previousSibling.textContent.replace(/ = $/, "") + (amount ? " = " : "");
    }
  }

  #turnPage() {
    if (!this.pages || this.pages.length < 2 || this.pays.hidden || this.table.hidden) return;
    this.page = (this.page + 1) % this.pages.length;
    this.#drawPage();
  }

  // --- awards ---

  #verified() { return this.view.awards.find((award) => award.stage === "verifying") ?? null; }

  /** An award that is won is celebrated until it is paid, and for a while; one that was paid before is not. */
  #follow(awards, before) {
    const now = Date.now();
    for (const award of awards) {
      const known = this.celebrated.get(award.key);
      if (award.stage === "verifying") continue;
      if (!known) this.celebrated.set(award.key, { since: now, until: award.stage === "paid" && !before ? 0 : null, award });
      else known.award = award;
    }
    for (const [key, one] of this.celebrated) {
      const isThere = awards.some((award) => award.key === key && award.stage !== "verifying");
      if (one.until === null && (one.award.stage === "paid" || !isThere)) {
        one.until = one.award.stage === "paid" ? Math.max(one.since + CELEBRATE_MS, now + AFTER_PAID_MS) : now;
        setTimeout(() => this.draw(), one.until - now + 50);
      }
      if (!isThere && one.until !== null && one.until < now) this.celebrated.delete(key);
    }
  }

  #celebrated() {
    const now = Date.now();
    return [...this.celebrated.values()].find((one) => one.until === null || one.until > now)?.award ?? null;
  }

  // --- full screens ---

  #drawFull(state, award) {
    const { width, height } = this.root.getBoundingClientRect();
    const isPageLost = this.isLost, { view, card } = this;
    const shown = JSON.stringify([state, award, isPageLost, view?.title, view?.detail, view?.amount, width, height, card.theme]);
    if (this.full.dataset.shown === shown) return;
    const isNew = this.full.dataset.award !== (award?.key ?? "");
    this.full.dataset.shown = shown;
    this.full.dataset.award = award?.key ?? "";
    if (state === "won") { this.#drawWon(award, isNew); return; }
    const [title, detail] = isPageLost ? [card.words.sign_lost, card.words.sign_lost_detail] : [view.title, view.detail];
    const amount = state === "closed" && view.amount ? el("p", { class: "standing" }, card.words.jackpot, " ", el("b", {}, view.amount)) : null;
    this.full.className = "full notice";
    this.full.replaceChildren(...[brand(card), el("h1", {}, title), el("p", { class: "detail", role: "status" }, detail), amount].filter(Boolean));
  }

  #drawWon(award, isNew) {
    const odometer = new Odometer(this.card.motion), moves = isNew && !still.matches;
    this.full.className = `full won${moves ? " moves" : ""}`;
    const facts = [award.hand, award.seat].map((words) => el("span", {}, words));
    if (award.stage === "paid") facts.push(el("span", { class: "paid" }, tick(), this.card.words.paid));
    this.full.replaceChildren(...[
      this.card.motion.rays ? rays() : null,
      brand(this.card),
      el("h1", {}, award.title),
      el("div", { class: "amount" }, odometer.element),
      award.cards.length ? hand(award.cards, this.card.words.joker) : null,
      el("p", { class: "facts", role: "status" }, ...facts),
      el("p", { class: "detail" }, ...rich(award.detail)),
    ].filter(Boolean));
    odometer.set(award.amount, 0);
    const place = odometer.element.parentElement;
    const size = Math.min(place.clientHeight / 1.16, place.clientWidth / odometer.ems);
    odometer.element.style.fontSize = `${size}px`;
  }

  // --- motion while nothing happens ---

  #attract() {
    if (!this.card.motion.attract_s) return;
    setInterval(() => {
      if (still.matches || this.root.dataset.state !== "open" || document.hidden) return;
      this.label.querySelector(".sweep").animate(
        [{ transform: "translateX(-110%)", opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.7 }, { transform: "translateX(110%)", opacity: 0 }],
        { duration: 1200, easing: "ease-in-out" });
      for (const cell of this.pays.querySelectorAll("td.whole")) {
        cell.animate([{ opacity: 1 }, { opacity: 0.55, offset: 0.3 }, { opacity: 1 }], { duration: 800, delay: 1200 });
      }
    }, this.card.motion.attract_s * 1000);
  }

  #brighten() {
    if (still.matches) return;
    for (const glow of this.root.querySelectorAll(".glow")) {
      glow.animate([{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], { duration: 1500 });
    }
  }
}

/** The unit in which everything is measured: 1 at 1920×1080, and what is legible on this kind of screen. */
function sizeOf(width, height) {
  if (Math.min(width, height) < 520) {
    const unit = width > height ? Math.min(width / 480, height / 320) : Math.min(width / 360, height / 640);
    return { name: "small", unit, least: 11.2 * unit, wanted: 13 * unit, most: 17 * unit, pitch: 1.7, gap: 4, highest: 150 };
  }
  if (height > width) {
    const unit = Math.min(width / 1080, height / 1920);
    return { name: "tall", unit, least: 25 * unit, wanted: 33 * unit, most: 56 * unit, pitch: 2.25, gap: 40, highest: 420 };
  }
  const unit = Math.min(width / 1920, height / 1080);
  return { name: "wide", unit, least: 24 * unit, wanted: 33 * unit, most: 40 * unit, pitch: 1.7, gap: 34, highest: 400 };
}

function brand({ house, logo }) {
  const [first = "", ...others] = house.split(" ");
  const name = el("span", { class: "name" }, el("b", {}, first), others.length ? el("small", {}, others.join(" ")) : null);
  const monogram = () => el("span", { class: "monogram", "aria-hidden": "true" }, first.slice(0, 1));
  if (logo) {
    const picture = el("img", { src: logo, alt: house });
    picture.addEventListener("error", () => picture.replaceWith(monogram(), name), { once: true });
    return el("div", { class: "brand" }, picture);
  }
  return el("div", { class: "brand" }, ...(house ? [monogram(), name] : []));
}

const verifying = (award, card) => [
  clock(),
  el("div", { class: "words" }, el("h2", {}, award.title),
    el("p", {}, `${award.seat} · ${award.hand}`, ...(award.amount ? [" · ", el("b", {}, award.amount)] : [])), el("p", { class: "detail" }, award.detail)),
  award.cards.length ? hand(award.cards, card.words.joker) : el("span"),
];

function drawn(name, body, box = "0 0 32 32") {
  const holder = el("span", { class: `drawn ${name}`, "aria-hidden": "true" });
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", box);
  for (const [tag, attributes] of body) {
    const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    picture.append(part);
  }
  holder.append(picture);
  return holder;
}

const line = { fill: "none", stroke: "currentColor", "stroke-width": 2.6, "stroke-linecap": "round" };
const ring = ["circle", { cx: 16, cy: 16, r: 12, ...line }];
const SHAPES = {
  dark: [ring],
  open: [ring, ["path", { d: "M16 4a12 12 0 0 0 0 24z", fill: "currentColor" }]],
  lit: [["circle", { cx: 16, cy: 16, r: 13, fill: "currentColor" }]],
  look: [["path", { d: "M16 3v8M16 21v8M3 16h8M21 16h8M6.8 6.8l5.6 5.6M19.6 19.6l5.6 5.6M25.2 6.8l-5.6 5.6M12.4 19.6l-5.6 5.6", ...line }]],
};
const lightShape = (light) => drawn("light", SHAPES[light]);
const chain = () => drawn("link", [["path", { d: "M13 19l6-6M14 9l4-4a6.4 6.4 0 0 1 9 9l-4 4M18 23l-4 4a6.4 6.4 0 0 1-9-9l4-4", ...line }]]);
const clock = () => drawn("clock", [ring, ["path", { d: "M16 9v8l5 3", ...line }]]);
const tick = () => drawn("tick", [["path", { d: "M5 17l8 8L27 8", ...line, "stroke-width": 3.6 }]]);

/** Rays around the middle, which stays free; they are drawn once. */
function rays() {
  const strokes = Array.from({ length: 72 }, (_, ray) => {
    const angle = (ray / 72) * 2 * Math.PI, from = 43 + (ray % 3) * 5, to = from + 9 + (ray % 4) * 5;
    const [x1, y1, x2, y2] = [from, from, to, to].map((radius, place) => 50 + radius * 1.25 * (place % 2 ? Math.sin(angle) * 0.9 : Math.cos(angle)));
    return ["line", { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), stroke: "currentColor", "stroke-width": 0.18 }];
  });
  const isOnBrand = ([, { x1, y1 }]) => x1 < 26 && y1 < 20;
  const made = drawn("rays", strokes.filter((stroke) => !isOnBrand(stroke)), "0 0 100 100");
  made.firstChild.setAttribute("preserveAspectRatio", "none");
  return made;
}

