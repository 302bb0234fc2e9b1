// Sheets: one order at a time, with its evidence in view; a sheet whose table has moved on says so and orders nothing.
import { ask, cards, dollars, el, withRule } from "./common.js";
import { claimSheet } from "./claim.js";
import { Keypad } from "./keypad.js";

// What an order may ask for beside a reason: dollars and whole numbers, each with its words.
const DOLLARS = {
  cents: "Amount in dollars", chips_cents: "Chips of the bank on the table, in dollars", others_cents: "All other wagers, in dollars",
  last_wager_cents: "Last wager of this player against the dealer, in dollars", dealer_wager_cents: "The dealer's wager against the bank, in dollars",
  lost_cents: "Lost wagers in the centre, in dollars", won_cents: "Wagers to be paid, in dollars",
};
const WHOLE = { number: ["Number, 1 to 7", 1, 7], cards: ["Cards in the stub", 0, 53], hands: ["Hands dealt, the dealer's among them", 2, 7] };

const REASONS = {
  reject: ["cards misread", "wrong seat", "light was dark", "hand was fouled"],
  close: ["end of day", "no players", "fault", "shuffler"],
  explain: ["chip found in the return device", "chip stuck in the slot", "light without a chip", "chip from the last round"],
};

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
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
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
    return new Keypad(here ? { name: `${here.name} signs`, code: false } : { code: this.page.remote });
  }

  /** Everything that can be done at a seat. */
  async seat(number) {
    const offers = await this.#seatOffers(number);
    const seat = this.page.view.state.seats.find((one) => one.seat === number);
    const sensible = offers.filter((offer) => !offer.refusal || !offer.label.startsWith("Undo"));
    const buttons = sensible.map((offer) => el("button", {
      type: "button", class: offer.action === "claim" && !offer.refusal ? "main" : "", disabled: Boolean(offer.refusal),
      onclick: () => this.allowed()(offer.roles, () => this.offer(offer)),
    }, offer.label, el("small", { class: "dim" }, offer.refusal ? ` ${withRule(offer.refusal, offer.rule)}` : offer.note ? ` ${offer.note}` : "")));
    this.open(el("div", { class: "sheet" }, el("h2", {}, `Seat ${number}`), el("p", {}, seat.fault || seat.note || ""),
      ...buttons, this.#cancel("Close")));
  }

  /** Leads to the order that an offer is. */
  async offer(offer) {
    if (["claim", "show", "house-way"].includes(offer.action)) return claimSheet(this, this.page, offer);
    if (offer.action === "irregularity") return this.#irregularity(offer);
    if (offer.action === "retest" && !this.keypad(offer)) return this.#retest(offer);
    if (offer.action === "retest") return this.#form(offer, "retest", { device: offer.device });
    if (offer.action === "validate") return this.#evidence(offer);
    if (offer.action === "wager" && !offer.asks.includes("number")) return this.#wager(offer);
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
    const keypad = this.keypad(offer);
    const choices = this.page.card.wagers.find((one) => one.name === offer.wager);
    const amounts = choices.stakes.length ? choices.stakes : [...new Set([offer.cents, 100, 500, 1000, 2500])].sort((one, other) => one - other);
    const buttons = amounts.map((cents) => el("button", {
      type: "button", class: cents === offer.cents ? "main order" : "order", onclick: () => this.send(offer, "wager", { ...this.#says(offer), cents }),
    }, dollars(cents)));
    const other = choices.stakes.length ? null : el("button", { type: "button", onclick: () => this.#form(offer, "wager", this.#says(offer)) }, "Another amount…");
    this.open(el("div", { class: "sheet" }, el("h2", {}, `Seat ${offer.seat}: ${offer.label}`), keypad?.node, el("div", { class: "row" }, ...buttons, other),
      el("p", { class: "said wrong", role: "alert" }), this.#cancel()), { offer, keypad });
  }

  /** Sends an order once; a second tap, or a lost answer, sends the same key again and changes nothing twice. */
  async send(offer, action, says) {
    const now = this.now;
    if (now.keypad?.missing) { this.said(now.keypad.missing); now.keypad.focus(); return undefined; }
    const signed = now.keypad ? { signed: now.keypad.signed } : {};
    now.key ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    if (now.busy) return;
    now.busy = true;
    const order = { seen: offer.seen, key: now.key, says, ...signed };
    let answer = await ask(`/panel/act/${action}`, order);
    if (answer.status === 0) answer = await ask(`/panel/act/${action}`, order);
    now.busy = false;
    if (answer.accepted) return this.close();
    now.key = undefined;
    now.keypad?.clear();
    const why = answer.reason || answer.error;
    if (this.now === now && this.dialog.open) this.said(withRule(why, answer.rule));
  }

  /** Without a sheet each press is an order of its own, and a test that mends nothing must be seen to have been made. */
  async #retest(offer) {
    this.close();
    this.now = {};
    await this.send(offer, offer.action, { device: offer.device });
    this.page.tested[offer.device] = Date.now();
    this.page.show();
  }

  said(words) {
    const place = this.dialog.querySelector(".said");
    if (place) place.textContent = words;
  }

  async #seatOffers(number) {
    const answer = await ask(`/panel/seat/${number}`);
    return (answer.offers ?? []).map((offer) => ({ ...offer, of_seat: number }));
  }

  #markStale() {
    this.now.stale = true;
    this.said("The table has moved on since you looked. Close this and look again.");
    for (const one of this.dialog.querySelectorAll("button.order")) one.disabled = true;
  }

  async #evidence(offer) {
    if (offer.wager === "envy") return this.#form(offer, "validate", this.#says(offer));
    const found = await ask(`/panel/evidence/${offer.seat}`);
    if (found.status !== 200) { this.open(el("div", { class: "sheet" }, el("p", { class: "said wrong" }, found.error), this.#cancel("Close"))); return; }
    const { payment } = found;
    const fact = (label, value, kind = "") => el("div", { class: kind }, el("dt", {}, label), el("dd", {}, value));
    const lights = el("ol", { class: "history" }, ...found.lights.map((one) =>
      el("li", {}, `${one.at.slice(11, 23)}  ${one.light}  `, el("span", { class: "dim" }, one.because))));
    const reject = this.page.view.offers.find((one) => one.action === "reject" && one.seat === offer.seat);
    const keypad = this.keypad(offer);
    this.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); this.send(offer, "validate", this.#says(offer)); } },
      el("h2", {}, `Seat ${found.seat}: ${payment.hand}`),
      el("dl", { class: "evidence" },
        fact("Amount", `${payment.amount} from the ${payment.source}`, "big"), fact("Cards", cards([...payment.cards, ...found.community])),
        fact("Meter", found.meter), fact("Rule", payment.rule),
        fact("Count", found.count + (found.explanation ? ` · ${found.explanation}` : "")), fact("Claimed", `${found.claimed_by || "at the table"}, ${found.claimed_at.slice(11, 19)}`),
        ...(found.contest.length ? [fact("Do not pay: management decides between", found.contest.join("; "), "wide wrong")] : []),
        fact(`Light of seat ${found.seat}`, lights, "wide")), keypad?.node,
      el("p", { class: "said wrong", role: "alert" }),
      el("div", { class: "row" },
        el("button", { type: "submit", class: "main order grow" }, `Confirm ${payment.amount}`),
        reject ? el("button", { type: "button", onclick: () => this.offer(reject) }, "Reject…") : null, this.#cancel())), { offer, keypad });
    (keypad ?? this.dialog.querySelector("button.order")).focus();
  }

  #irregularity(offer) {
    const rows = this.page.card.irregularities.map((row) => el("button", {
      type: "button", onclick: () => this.#form({ ...offer, label: `${row.words} (${row.rule})`, note: row.effect, asks: row.for_seats ? ["seats"] : [], settled: row.settled_before },
        "irregularity", { irregularity: row.name }),
    }, row.words, el("small", { class: "dim" }, ` ${row.effect} (${row.rule})`)));
    this.open(el("div", { class: "sheet" }, el("h2", {}, "What happened?"), ...rows, this.#cancel()), { offer });
  }

  /** One confirm, with what the order must say besides. */
  #form(offer, action, says, seatsAs = "seats") {
    const reason = offer.asks.includes("reason") ? el("input", { type: "text", id: "reason", maxlength: "120", autocomplete: "off", "aria-label": "Reason" }) : null;
    const serial = offer.asks.includes("serial") ? el("input", { type: "text", id: "serial", maxlength: "40", autocomplete: "off", "aria-label": "Serial number of the coupon" }) : null;
    const card = offer.asks.includes("card") ? el("input", { type: "text", id: "card", maxlength: "3", autocomplete: "off", placeholder: "As, Td, 9h", "aria-label": "Card" }) : null;
    const chosen = new Set(), settled = new Set();
    const amounts = offer.asks.filter((name) => name in DOLLARS).map((name) => el("input", { type: "text", id: name, inputmode: "decimal", autocomplete: "off", value: name === "cents" && offer.cents ? String(offer.cents / 100) : "" }));
    const numbers = offer.asks.filter((name) => name in WHOLE).map((name) => el("input", { type: "number", id: name, min: String(WHOLE[name][1]), max: String(WHOLE[name][2]) }));
    const dice = offer.asks.includes("dice") ? [1, 2, 3].map((die) => el("input", { type: "number", id: `die-${die}`, min: "1", max: "6", "aria-label": `Die ${die}` })) : [];
    const half = offer.asks.includes("co_bank") ? el("input", { type: "checkbox", id: "co_bank" }) : null;
    const before = (offer.settled ?? []).map((name) => el("label", {}, el("input", { type: "checkbox", onchange: () => { if (!settled.delete(name)) settled.add(name); } }), `${name.replaceAll("_", " ")} was settled before`));
    const seats = offer.asks.includes("seats") ? this.#seatPicker(chosen, action) : null;
    const ready = (REASONS[action] ?? []).map((words) => el("button", { type: "button", class: "plain", onclick: () => { reason.value = words; reason.focus(); } }, words));
    const send = () => this.send(offer, action, {
      ...says, ...(reason && { reason: reason.value }), ...(serial && { serial: serial.value }), ...(card && { card: card.value.trim() }), ...(seats && { [seatsAs]: [...chosen] }),
      ...Object.fromEntries(amounts.map((one) => [one.id, Math.round(Number(one.value) * 100)])), ...Object.fromEntries(numbers.map((one) => [one.id, Number(one.value)])),
      ...(dice.length && { dice: dice.map((one) => Number(one.value)) }), ...(half && { co_bank: half.checked }), ...(settled.size && { settled: [...settled] }),
    });
    const labelled = (inputs, words) => inputs.flatMap((one) => [el("label", { for: one.id }, words(one.id)), one]);
    const keypad = this.keypad(offer);
    const slip = offer.action === "pay" ? this.#slipLink(offer.seat) : null;
    this.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, offer.label), el("p", {}, offer.note), slip,
      reason && el("label", { for: "reason" }, "Reason"), reason, reason && el("div", { class: "row" }, ...ready),
      serial && el("label", { for: "serial" }, "Serial number"), serial, card && el("label", { for: "card" }, "Card"), card, seats,
      ...labelled(numbers, (name) => WHOLE[name][0]), ...labelled(amounts, (name) => DOLLARS[name]),
      dice.length ? el("div", { class: "row" }, ...dice) : null, half && el("label", {}, half, "The house covers half: co-bank"), ...before, keypad?.node,
      el("p", { class: "said wrong", role: "alert" }),
      el("div", { class: "row" }, el("button", { type: "submit", class: "main order grow" }, "Confirm"), this.#cancel())), { offer, keypad });
    (reason ?? serial ?? card ?? numbers[0] ?? amounts[0] ?? dice[0] ?? keypad ?? this.dialog.querySelector("button.order")).focus();
  }

  #slipLink(seat) {
    const paid = this.page.view.state.payments.find((one) => one.seat === seat && one.slip && one.is_open);
    return paid ? el("p", {}, el("a", { href: `/slip/${paid.slip}`, target: "_blank", rel: "noopener" }, `Payout slip ${paid.slip}`), ` ${dollars(paid.amount_cents)}, for the signatures`) : null;
  }

  #seatPicker(chosen, action) {
    const state = this.page.view.state;
    const offered = action === "explain" ? state.seats.filter((one) => one.wager) : state.seats;
    const label = action === "explain" ? "Seats that made no wager after all" : "Which seats?";
    return el("div", { class: "row", role: "group", "aria-label": label }, el("span", {}, label), ...offered.map((one) => {
      const toggle = el("button", { type: "button", "aria-pressed": "false", onclick: () => {
        if (!chosen.delete(one.seat)) chosen.add(one.seat);
        toggle.setAttribute("aria-pressed", String(chosen.has(one.seat)));
      } }, `Seat ${one.seat}`);
      return toggle;
    }));
  }

  #cancel(words = "Cancel") {
    return el("button", { type: "button", onclick: () => this.close() }, words);
  }
}
