// Sheets: one order at a time, with its evidence in view; a sheet whose table has moved on says so and orders nothing.
import { ask, el, withRule } from "./common.js";
import { CardEntry, lastCard } from "./card_entry.js";
import { claimSheet } from "./claim.js";
import { field, keysFor } from "./entry.js";
import { evidenceSheet } from "./evidence.js";
import { Keypad } from "./keypad.js";
import { shape } from "./shapes.js";
import { money, t } from "./texts.js";

// What an order may ask for beside a reason: amounts and whole numbers, by the keys of their words.
const AMOUNTS = ["cents", "chips_cents", "others_cents", "last_wager_cents", "dealer_wager_cents", "lost_cents", "won_cents"];
const WHOLE = ["number", "cards", "hands"];
const REASONS = {
  reject: ["reject_misread", "reject_seat", "reject_dark", "reject_fouled"],
  close: ["close_day", "close_empty", "close_fault", "close_shuffler"],
  explain: ["explain_device", "explain_slot", "explain_light", "explain_last"],
};
const RED = ["reject", "close"];
const AT_ONCE = ["papers", "no-win", "all-shown", "recount", "as-last-round", "pass-bank"]; // one tap: nothing is paid by it, and it can be corrected

export class Sheets {
  constructor(page, allowed) {
    this.page = page;
    this.allowed = allowed;
    this.dialog = document.getElementById("sheet");
    this.dialog.addEventListener("close", () => { const { closed } = this.now; this.now = {}; closed?.(); });
    this.now = {};
  }

  open(content, now = {}) {
    if (this.dialog.open) { const { closed } = this.now; this.now = {}; closed?.(); }
    this.now = now;
    this.dialog.replaceChildren(content);
    this.dialog.setAttribute("aria-label", content.querySelector("h2")?.textContent ?? "");
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /** A sheet in its three parts: title with Cancel, what it is about with whoever signs, and the bar of its acts. */
  form(offer, { title, body, keypad = null, said = null, order = null, others = [], send = () => this.now.pending?.(), cancel = t("cancel"), wide = true }) {
    const words = said ?? el("p", { class: "said wrong", role: "alert" });
    const sheet = el("form", { class: `sheet-form${wide ? "" : " small"}`, onsubmit: (event) => { event.preventDefault(); send(); } });
    const sign = keypad ? el("div", { class: "sheet-sign" }, el("p", { class: "step-label" }, t("who_signs")), keypad.node) : null;
    const toSign = keypad ? el("button", { type: "button", class: "main to-sign", onclick: () => this.#toSign() }, t("sign")) : null;
    if (said) said.classList.add("verdict");
    sheet.append(
      el("div", { class: "sheet-head" }, el("h2", {}, title), el("button", { type: "button", class: "cancel", onclick: () => this.close() }, shape("close"), cancel)),
      el("div", { class: "sheet-body" }, el("div", { class: "sheet-main" }, body), sign),
      el("div", { class: "sheet-acts" }, ...others, words, toSign, order),
    );
    this.open(sheet, { offer, keypad });
    return sheet;
  }

  /** On a phone the keypad takes the sheet's place. */
  #toSign() {
    this.dialog.querySelector(".sheet-form").classList.add("signing");
    this.now.keypad?.focus();
  }

  /** The daemon has shown something new: an order that no longer stands as it was shown is not offered any more. */
  async refresh() {
    const { offer, stale } = this.now;
    if (!offer || stale) return;
    const offers = offer.of_seat ? await this.#seatOffers(offer.of_seat) : this.page.view.offers;
    const same = offers.find((one) => ["action", "seat", "device", "wager"].every((key) => one[key] === offer[key]));
    if (this.now.offer === offer && same?.seen !== offer.seen) this.#markStale();
  }

  /** What asks for number and PIN in a sheet: a supervisor signs each order, and so does whoever pays from the meter. */
  keypad(offer) {
    const here = this.page.people.find((person) => person.orders && offer.roles.includes(person.role));
    if (here && !offer.proof) return null;
    return new Keypad(here ? { name: t("signs", { name: here.name }), code: false } : { code: this.page.remote });
  }

  /** Everything that can be done at a seat. */
  async seat(number) {
    const offers = await this.#seatOffers(number);
    const ofTable = this.page.view.offers.filter((one) => one.seat === number && !offers.some((other) => other.label === one.label));
    const seat = this.page.view.state.seats.find((one) => one.seat === number);
    const sensible = [...offers, ...ofTable].filter((offer) => !offer.refusal || !offer.label.startsWith("Undo"));
    this.form(null, { title: t("seat_n", { seat: number }), cancel: t("close"),
      body: el("div", {}, seat.fault || seat.note ? el("p", { class: "about" }, seat.fault || seat.note) : null, el("div", { class: "choices" }, ...sensible.map((offer) => this.#choice(offer)))) });
  }

  #choice(offer) {
    const red = RED.includes(offer.action) ? "danger" : "";
    return el("button", {
      type: "button", class: offer.action === "claim" && !offer.refusal ? "main" : red, disabled: Boolean(offer.refusal),
      onclick: () => this.allowed()(offer.roles, () => this.offer(offer)),
    }, el("span", {}, offer.label), offer.refusal || offer.note ? el("small", {}, offer.refusal || offer.note) : null);
  }

  /** Acts that have no room on the page. */
  more(offers) {
    this.form(null, { title: t("more"), cancel: t("close"), body: el("div", { class: "choices" }, ...offers.map((offer) => this.#choice(offer))) });
  }

  /** A seat is chosen first; what is done with it comes then. */
  chooseSeat(title, isOffered, then) {
    const seats = this.page.view.state.seats.map((one) => el("button", { type: "button", disabled: !isOffered(one), onclick: () => then(one.seat) }, t("seat_n", { seat: one.seat })));
    this.form(null, { title, body: el("div", { class: "choices seats-choice" }, ...seats) });
  }

  /** Opens the claim of a seat; 0 asks which one. */
  async claim(seat) {
    if (!seat) { this.chooseSeat(t("which_seat_wins"), (one) => one.wager || Object.keys(one.side).length, (chosen) => this.claim(chosen)); return; }
    const offers = (await this.#seatOffers(seat)).filter((one) => one.action === "claim");
    if (offers.length === 1 && !offers[0].refusal) this.allowed()(offers[0].roles, () => this.offer(offers[0]));
    else this.seat(seat);
  }

  /** A coupon: the seat, then its serial number, which a bar code may have said before. */
  coupon(serial = "") {
    this.chooseSeat(serial ? t("coupon_of", { serial }) : t("coupon_where"), (one) => !one.wager && !one.fault, async (seat) => {
      const offer = (await this.#seatOffers(seat)).find((one) => one.action === "coupon");
      if (!offer || offer.refusal) { this.seat(seat); return; }
      this.allowed()(offer.roles, () => this.#form({ ...offer, serial }, "coupon", this.#says(offer)));
    });
  }

  /** A bar code for the open sheet, if that asks for one. */
  takeCode(code) {
    const place = this.dialog.querySelector("#serial");
    if (place) place.value = code;
    return Boolean(place);
  }

  /** Leads to the order that an offer is. */
  async offer(offer) {
    if (["claim", "show", "house-way"].includes(offer.action)) return claimSheet(this, this.page, offer);
    if (offer.action === "irregularity") return this.#irregularity(offer);
    if (offer.action === "retest" && !this.keypad(offer)) return this.#retest(offer);
    if (offer.action === "retest") return this.#form(offer, "retest", { device: offer.device });
    if (offer.action === "validate" && offer.wager !== "envy") return evidenceSheet(this, this.page, offer, this.#says(offer));
    if (offer.action === "wager" && !offer.asks.includes("number")) return this.#wager(offer);
    if (offer.action === "dealer-card") return this.#card(offer);
    if (AT_ONCE.includes(offer.action) && !this.keypad(offer)) return this.#atOnce(offer);
    return this.#form(offer, offer.action, this.#says(offer), offer.action === "explain" ? "void_seats" : "seats");
  }

  /** What an order says of itself. */
  #says(offer) {
    const says = { seat: offer.seat, wager: offer.wager, irregularity: offer.irregularity, hand: offer.hand };
    const said = Object.fromEntries(Object.entries(says).filter(([, value]) => value));
    return offer.seats.length ? { ...said, seats: offer.seats } : said;
  }

  /** One tap lays the usual amount; another amount is asked for. */
  #wager(offer) {
    const choices = this.page.card.wagers.find((one) => one.name === offer.wager);
    const amounts = choices.stakes.length ? choices.stakes : [...new Set([offer.cents, 100, 500, 1000, 2500])].sort((one, other) => one - other);
    const buttons = amounts.map((cents) => el("button", {
      type: "button", class: cents === offer.cents ? "main order" : "order", onclick: () => this.send(offer, "wager", { ...this.#says(offer), cents }),
    }, money(cents)));
    const other = choices.stakes.length ? null : el("button", { type: "button", onclick: () => this.#form(offer, "wager", this.#says(offer)) }, t("another_amount"));
    this.form(offer, { title: t("seat_colon", { seat: offer.seat, what: offer.label }), keypad: this.keypad(offer), body: el("div", { class: "choices amounts" }, ...buttons, other) });
  }

  /** One card: the dealer's, for insurance. */
  #card(offer) {
    const cards = [null], { joker, decks } = this.page.card;
    const order = el("button", { type: "submit", class: "main order", disabled: true }, t("confirm"));
    const entry = new CardEntry([{ label: t("dealer"), cards }], { joker, decks, told: () => { order.disabled = Boolean(entry.missing) || this.now.stale === true; } });
    this.form(offer, { title: offer.label, body: entry.node, keypad: this.keypad(offer), order, others: [lastCard(entry)],
      send: () => { if (!order.disabled) this.send(offer, offer.action, { ...this.#says(offer), card: cards[0] }); } });
    entry.focus();
  }

  /** Sends an order once; a second tap, or a lost answer, sends the same key again and changes nothing twice. */
  async send(offer, action, says) {
    const now = this.now;
    if (now.keypad?.missing) {
      now.pending = () => this.send(offer, action, says);
      this.said(now.keypad.missing);
      this.#toSign();
      return;
    }
    const signed = now.keypad ? { signed: now.keypad.signed } : {};
    now.key ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    if (now.busy) return;
    now.busy = true;
    const order = { seen: offer.seen, key: now.key, says, ...signed };
    let answer = await ask(`/panel/act/${action}`, order);
    if (answer.status === 0) answer = await ask(`/panel/act/${action}`, order);
    now.busy = false;
    if (answer.accepted) { this.page.refused(""); if (this.now === now) this.close(); return; }
    now.key = undefined;
    now.keypad?.clear();
    const why = answer.reason || answer.error;
    if (this.now === now && this.dialog.open && this.dialog.querySelector(".said")) this.said(withRule(why, answer.rule));
    else this.page.refused(why);
  }

  /** Without a sheet each press is an order of its own, and a test that mends nothing must be seen to have been made. */
  async #retest(offer) {
    this.close();
    this.now = {};
    await this.send(offer, offer.action, { device: offer.device });
    this.page.tested[offer.device] = Date.now();
    this.page.show();
  }

  async #atOnce(offer) {
    this.close();
    this.now = {};
    await this.send(offer, offer.action, this.#says(offer));
  }

  said(words) {
    const place = this.dialog.querySelector(".said");
    if (!place) return;
    place.classList.add("wrong");
    place.textContent = words;
  }

  async #seatOffers(number) {
    const answer = await ask(`/panel/seat/${number}`);
    return (answer.offers ?? []).map((offer) => ({ ...offer, of_seat: number }));
  }

  #markStale() {
    this.now.stale = true;
    this.said(t("moved_on"));
    for (const one of this.dialog.querySelectorAll("button.order")) one.disabled = true;
  }

  #irregularity(offer) {
    const rows = this.page.card.irregularities.map((row) => el("button", {
      type: "button", onclick: () => this.#form({ ...offer, label: row.words, note: row.effect, asks: row.for_seats ? ["seats"] : [], settled: row.settled_before },
        "irregularity", { irregularity: row.name }),
    }, el("span", {}, row.words), " ", el("small", {}, row.effect)));
    this.form(offer, { title: t("what_happened"), body: el("div", { class: "choices" }, ...rows) });
  }

  /** One confirm, with what the order must say besides. */
  #form(offer, action, says, seatsAs = "seats") {
    const labelled = (name, keys, more = {}) => el("label", { class: "field" }, t(`field_${name}`), field(keys, { id: name, ...more }));
    const asks = (name) => offer.asks.includes(name);
    const made = [
      asks("reason") ? labelled("reason", "text", { maxlength: "120" }) : null,
      asks("serial") ? labelled("serial", "serial", { maxlength: "40", value: offer.serial ?? "" }) : null,
      ...WHOLE.filter(asks).map((name) => labelled(name, "digits", { maxlength: "2" })),
      ...AMOUNTS.filter(asks).map((name) => labelled(name, "money", { maxlength: "9", value: name === "cents" && offer.cents ? String(offer.cents / 100) : null })),
    ].filter(Boolean);
    const dice = asks("dice") ? [1, 2, 3].map((die) => field("digits", { id: `die-${die}`, maxlength: "1", "aria-label": t("die", { die }) })) : [];
    const inputs = [...made.map((label) => label.querySelector("input")), ...dice];
    const half = asks("co_bank") ? el("input", { type: "checkbox", id: "co_bank" }) : null;
    const chosen = new Set(), settled = new Set();
    const before = (offer.settled ?? []).map((name) => el("label", { class: "tick" }, el("input", { type: "checkbox", onchange: () => { if (!settled.delete(name)) settled.add(name); } }), t("settled_before", { wager: name.replaceAll("_", " ") })));
    const reason = inputs.find((one) => one.id === "reason");
    const ready = (REASONS[action] ?? []).map((key) => el("button", { type: "button", class: "ready", onclick: () => { reason.value = t(key); reason.focus(); } }, t(key)));
    const value = (one) => (AMOUNTS.includes(one.id) ? Math.round(Number(one.value) * 100) : WHOLE.includes(one.id) ? Number(one.value) : one.value);
    const send = () => this.send(offer, action, {
      ...says, ...Object.fromEntries(inputs.filter((one) => !dice.includes(one)).map((one) => [one.id, value(one)])), ...(asks("seats") && { [seatsAs]: [...chosen] }),
      ...(dice.length && { dice: dice.map((one) => Number(one.value)) }), ...(half && { co_bank: half.checked }), ...(settled.size && { settled: [...settled] }),
    });
    const keypad = this.keypad(offer);
    const body = el("div", { class: "order-form" }, offer.note ? el("p", { class: "about" }, offer.note) : null, offer.action === "pay" ? this.#slipLink(offer.seat) : null,
      asks("seats") ? this.#seatPicker(chosen, action) : null, el("div", { class: "fields" }, ...made, dice.length ? el("div", { class: "row", role: "group", "aria-label": t("dice") }, ...dice) : null),
      ready.length ? el("div", { class: "row" }, ...ready) : null,
      half ? el("label", { class: "tick" }, half, t("co_bank")) : null, ...before, inputs.length ? keysFor(inputs) : null);
    const order = el("button", { type: "submit", class: `order ${RED.includes(action) ? "danger" : "main"}` }, t("confirm"));
    this.form(offer, { title: offer.label, body, keypad, order, send });
    (inputs[0] ?? keypad ?? order).focus();
  }

  #slipLink(seat) {
    const paid = this.page.view.state.payments.find((one) => one.seat === seat && one.slip && one.is_open);
    return paid ? el("p", {}, el("a", { class: "button", href: `/slip/${paid.slip}`, target: "_blank", rel: "noopener" }, shape("paper"), t("slip_for", { slip: paid.slip, amount: money(paid.amount_cents) }))) : null;
  }

  #seatPicker(chosen, action) {
    const state = this.page.view.state;
    const offered = action === "explain" ? state.seats.filter((one) => one.wager) : state.seats;
    const label = t(action === "explain" ? "no_wager_after_all" : "which_seats");
    return el("div", { role: "group", "aria-label": label }, el("p", { class: "step-label" }, label), el("div", { class: "row" }, ...offered.map((one) => {
      const toggle = el("button", { type: "button", "aria-pressed": "false", onclick: () => {
        if (!chosen.delete(one.seat)) chosen.add(one.seat);
        toggle.setAttribute("aria-pressed", String(chosen.has(one.seat)));
      } }, t("seat_n", { seat: one.seat }));
      return toggle;
    })));
  }
}
