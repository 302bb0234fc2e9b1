// Card entry: a rank, then its suit; two taps a card, and no card twice.
import { cardFace, el } from "./common.js";
import { cardChip, RANK_ORDER, rankFace, shape, SUIT_ORDER, suitName, suitShape } from "./shapes.js";
import { t } from "./texts.js";

const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack" };

/**
 * The cards of one order: groups of { label, cards, fixed, grows }, where null is a card that is not known yet.
 * told() hears every change.
 */
export class CardEntry {
  constructor(groups, { joker, decks, told }) {
    this.groups = groups;
    this.joker = joker;
    this.decks = decks;
    this.told = told;
    this.rank = "";
    this.table = el("div", { class: "slots" });
    this.map = el("div", { class: "deck-map" });
    this.ranks = el("div", { class: "ranks", role: "group", "aria-label": t("rank") });
    this.suitLabel = el("p", { class: "step-label" });
    this.suits = el("div", { class: "suits", role: "group", "aria-label": t("suit") });
    this.node = el("div", { class: "card-entry" }, el("div", { class: "lying" }, this.table, this.map),
      el("p", { class: "step-label" }, t("first_rank")), this.ranks, this.suitLabel, this.suits);
    this.#draw();
  }

  get all() { return this.groups.flatMap((group) => group.cards); }
  get missing() { return this.all.filter((card) => card === null).length; }

  focus() { this.ranks.querySelector("button:not([aria-disabled])")?.focus(); }

  /** Takes the card that was entered last back. */
  takeBack() {
    if (this.rank) { this.rank = ""; this.#draw(); return; }
    for (const group of [...this.groups].reverse()) {
      const last = group.fixed ? -1 : group.cards.findLastIndex((card) => card !== null);
      if (last < 0) continue;
      if (group.grows && group.cards.length > group.grows) group.cards.splice(last, 1); else group.cards[last] = null;
      this.#changed();
      return;
    }
  }

  #put(word) {
    const group = this.groups.find((one) => one.cards.includes(null)) ?? this.groups.find((one) => one.grows);
    if (!group) return;
    const place = group.cards.indexOf(null);
    if (place < 0) group.cards.push(word); else group.cards[place] = word;
    this.#changed();
  }

  #changed() {
    this.rank = "";
    this.#draw();
    this.told();
  }

  #used(word) { return this.all.filter((card) => card === word).length >= (word === "Jk" ? 1 : this.decks); }

  #draw() {
    const focused = document.activeElement?.dataset?.key;
    const next = this.groups.find((group) => group.cards.includes(null));
    this.table.replaceChildren(...this.groups.filter((group) => group.cards.length).map((group) => el("div", { class: "slot-group" },
      el("p", { class: "step-label" }, group.label),
      el("div", { class: "card-row" }, ...group.cards.map((card, place) => this.#slot(card, group === next && place === group.cards.indexOf(null)))))));
    const isFull = !next && !this.groups.some((group) => group.grows);
    this.ranks.replaceChildren(...[...RANK_ORDER].map((rank) => this.#rankKey(rank, isFull)), ...(this.joker ? [this.#jokerKey(isFull)] : []));
    this.ranks.classList.toggle("with-joker", this.joker);
    this.suitLabel.textContent = this.rank ? t("then_suit", { rank: t(RANK_NAMES[this.rank] ?? "rank_number", { rank: rankFace(this.rank) }) }) : t("then_a_suit");
    this.suits.replaceChildren(...[...SUIT_ORDER].map((suit) => this.#suitKey(suit)));
    this.#drawMap();
    if (focused) this.node.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  #slot(card, isNext) {
    if (card) return cardChip(card, { large: true });
    return el("span", { class: `card-large empty${isNext ? " next" : ""}`, role: "img", "aria-label": t("no_card") }, el("b", {}, isNext && this.rank ? rankFace(this.rank) : ""));
  }

  #rankKey(rank, isFull) {
    const isUsed = [...SUIT_ORDER].every((suit) => this.#used(rank + suit));
    return el("button", {
      type: "button", class: isUsed ? "used" : "", "data-key": `rank ${rank}`, "data-rank": rank, "aria-pressed": String(rank === this.rank), "aria-disabled": isUsed || isFull || null,
      onclick: () => { if (isUsed || isFull) return; this.rank = rank; this.#draw(); },
    }, rankFace(rank));
  }

  #jokerKey(isFull) {
    const isUsed = this.#used("Jk");
    return el("button", {
      type: "button", class: `joker${isUsed ? " used" : ""}`, "data-key": "rank Jk", "data-rank": "Jk", "aria-disabled": isUsed || isFull || null,
      onclick: () => { if (!isUsed && !isFull) this.#put("Jk"); },
    }, t("joker"));
  }

  #suitKey(suit) {
    const word = this.rank + suit, isUsed = Boolean(this.rank) && this.#used(word), isOff = !this.rank || isUsed;
    return el("button", {
      type: "button", class: `${suitName(suit)}${isUsed ? " used" : ""}${this.rank ? "" : " waiting"}`, "data-key": `suit ${suit}`, "data-suit": suit, "aria-disabled": isOff || null,
      "aria-label": isUsed ? t("card_used", { card: cardFace(word)[1] }) : t(suitName(suit)),
      onclick: () => { if (!isOff) this.#put(word); },
    }, suitShape(suit), el("span", {}, t(suitName(suit))));
  }

  /** For reading only: what is still in the deck. */
  #drawMap() {
    if (this.decks > 1) return;
    const lying = new Set(this.all);
    this.map.replaceChildren(el("p", { class: "step-label" }, t("cards_left", { number: 52 + (this.joker ? 1 : 0) - lying.size + (lying.has(null) ? 1 : 0) })),
      ...[...SUIT_ORDER].map((suit) => el("div", { class: `map-row ${suitName(suit)}`, "aria-hidden": "true" }, suitShape(suit),
        ...[...RANK_ORDER].map((rank) => el("i", { class: lying.has(rank + suit) ? "gone" : "" })))));
  }
}

/** The button that takes the last card back. */
export const lastCard = (entry) => el("button", { type: "button", onclick: () => entry.takeBack() }, shape("erase"), t("last_card"));
