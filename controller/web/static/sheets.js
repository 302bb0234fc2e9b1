// Sheets: one order at a time, with its evidence in view; a sheet whose table has moved on says so and orders nothing.
import { ask, cards, dollars, el, withRule } from "./common.js";
import { claimSheet } from "./claim.js";

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
    const offers = offer.of_seat ? await this.#seatOffers(offer.seat) : this.page.view.offers;
    const same = offers.find((one) => one.action === offer.action && one.seat === offer.seat && one.device === offer.device);
    if (this.now.offer === offer && same?.seen !== offer.seen) this.#markStale();
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
    if (offer.action === "claim" || offer.action === "show") return claimSheet(this, this.page, offer);
    if (offer.action === "void") return this.#irregularity(offer);
    if (offer.action === "retest") return this.#retest(offer);
    if (offer.action === "validate") return this.#evidence(offer);
    return this.#form(offer, offer.action, offer.seat ? { seat: offer.seat } : {}, offer.action === "explain" ? "void_seats" : "seats");
  }

  /** Sends an order once; a second tap, or a lost answer, sends the same key again and changes nothing twice. */
  async send(offer, action, says) {
    const now = this.now;
    now.key ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    if (now.busy) return;
    now.busy = true;
    let answer = await ask(`/panel/act/${action}`, { seen: offer.seen, key: now.key, says });
    if (answer.status === 0) answer = await ask(`/panel/act/${action}`, { seen: offer.seen, key: now.key, says });
    now.busy = false;
    if (answer.accepted) return this.close();
    now.key = undefined;
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
    return (answer.offers ?? []).map((offer) => ({ ...offer, of_seat: true }));
  }

  #markStale() {
    this.now.stale = true;
    this.said("The table has moved on since you looked. Close this and look again.");
    for (const one of this.dialog.querySelectorAll("button.order")) one.disabled = true;
  }

  async #evidence(offer) {
    const found = await ask(`/panel/evidence/${offer.seat}`);
    if (found.status !== 200) { this.open(el("div", { class: "sheet" }, el("p", { class: "said wrong" }, found.error), this.#cancel("Close"))); return; }
    const { payment } = found;
    const fact = (label, value, kind = "") => el("div", { class: kind }, el("dt", {}, label), el("dd", {}, value));
    const lights = el("ol", { class: "history" }, ...found.lights.map((one) =>
      el("li", {}, `${one.at.slice(11, 23)}  ${one.light}  `, el("span", { class: "dim" }, one.because))));
    const reject = this.page.view.offers.find((one) => one.action === "reject" && one.seat === offer.seat);
    this.open(el("div", { class: "sheet" },
      el("h2", {}, `Seat ${found.seat}: ${payment.hand}`),
      el("dl", { class: "evidence" },
        fact("Amount", `${payment.amount} from the ${payment.source}`, "big"), fact("Cards", cards([...payment.cards, ...found.community])),
        fact("Meter", found.meter), fact("Rule", payment.rule),
        fact("Count", found.count + (found.explanation ? ` · ${found.explanation}` : "")), fact("Claimed", `${found.claimed_by || "at the table"}, ${found.claimed_at.slice(11, 19)}`),
        ...(found.contest.length ? [fact("Do not pay: management decides between", found.contest.join("; "), "wide wrong")] : []),
        fact(`Light of seat ${found.seat}`, lights, "wide")),
      el("p", { class: "said wrong", role: "alert" }),
      el("div", { class: "row" },
        el("button", { type: "button", class: "main order grow", onclick: () => this.send(offer, "validate", { seat: offer.seat }) }, `Confirm ${payment.amount}`),
        reject ? el("button", { type: "button", onclick: () => this.offer(reject) }, "Reject…") : null, this.#cancel())), { offer });
    this.dialog.querySelector("button.order").focus();
  }

  #irregularity(offer) {
    const rows = this.page.card.irregularities.map((row) => el("button", {
      type: "button", onclick: () => this.#form({ ...offer, label: `${row.words} (${row.rule})`, note: row.effect, asks: row.for_seats ? ["seats"] : [] },
        row.action, { irregularity: row.name }),
    }, row.words, el("small", { class: "dim" }, ` ${row.effect} (${row.rule})`)));
    this.open(el("div", { class: "sheet" }, el("h2", {}, "What happened?"), ...rows, this.#cancel()), { offer });
  }

  /** One confirm, with what the order must say besides. */
  #form(offer, action, says, seatsAs = "seats") {
    const reason = offer.asks.includes("reason") ? el("input", { type: "text", id: "reason", maxlength: "120", autocomplete: "off", "aria-label": "Reason" }) : null;
    const serial = offer.asks.includes("serial") ? el("input", { type: "text", id: "serial", maxlength: "40", autocomplete: "off", "aria-label": "Serial number of the coupon" }) : null;
    const chosen = new Set();
    const seats = offer.asks.includes("seats") ? this.#seatPicker(chosen, action) : null;
    const ready = (REASONS[action] ?? []).map((words) => el("button", { type: "button", class: "plain", onclick: () => { reason.value = words; reason.focus(); } }, words));
    const send = () => this.send(offer, action, {
      ...says, ...(reason && { reason: reason.value }), ...(serial && { serial: serial.value }), ...(seats && { [seatsAs]: [...chosen] }),
    });
    const slip = offer.action === "pay" ? this.#slipLink(offer.seat) : null;
    this.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, offer.label), el("p", {}, offer.note), slip,
      reason && el("label", { for: "reason" }, "Reason"), reason, reason && el("div", { class: "row" }, ...ready),
      serial && el("label", { for: "serial" }, "Serial number"), serial, seats,
      el("p", { class: "said wrong", role: "alert" }),
      el("div", { class: "row" }, el("button", { type: "submit", class: "main order grow" }, "Confirm"), this.#cancel())), { offer });
    (reason ?? serial ?? this.dialog.querySelector("button.order")).focus();
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
