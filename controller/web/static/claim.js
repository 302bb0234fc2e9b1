// Claiming a win: tap the cards and the evaluator names hand, pay and clause; or name the hand, where a house prefers.
import { ask, cardFace, el, ink } from "./common.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const WORDS = { claim: ["Claim", "claims"], show: ["Show", "shows a hand"], "house-way": ["Set", "the house way"] };
const place = (offer) => (offer.seat ? `Seat ${offer.seat}` : "Dealer");

export function claimSheet(sheets, page, offer) {
  const { card } = page;
  const isClaim = offer.action === "claim";
  const side = isClaim && offer.wager !== "progressive" ? card.wagers.find((one) => one.name === offer.wager) : null;
  if (side) return byHand(sheets, page, offer);
  const known = isClaim ? page.view.state.community : [];
  const shared = known.length ? [...known] : Array(isClaim ? card.community_size : 0).fill(null);
  const own = Array(card.hand_size).fill(null);
  const verdict = el("p", { class: "said", role: "status" });
  const order = el("button", { type: "submit", class: "main order grow", disabled: true }, WORDS[offer.action][0]);
  const slots = el("div", { class: "slots", role: "group", "aria-label": "Cards" });
  const deck = el("div", { class: "deck", role: "group", "aria-label": "Deck" });
  const keypad = sheets.keypad(offer);
  let asked = 0;

  const all = () => [...shared, ...own];
  const put = (word) => {
    const hand = [shared, own].find((cards) => cards.includes(null)) ?? (card.hand_grows ? own : null);
    if (!hand) return;
    const place = hand.indexOf(null);
    if (place < 0) hand.push(word); else hand[place] = word;
    drawn();
  };
  const take = (hand, place) => {
    if (hand === own && own.length > card.hand_size) own.splice(place, 1); else hand[place] = null;
    drawn();
  };
  const slot = (hand, name, fixed) => hand.map((word, place) => {
    const face = word ? cardFace(word) : null;
    return el("button", {
      type: "button", class: word ? `full ${ink(word)}` : "", disabled: fixed || !word, "aria-label": word ? `${name} ${face[1]}: take back` : `${name} card ${place + 1}: none yet`,
      onclick: () => take(hand, place),
    }, face ? face[0] : "·");
  });
  const drawn = async () => {
    const flop = shared.length ? [el("span", {}, "Flop"), ...slot(shared, "flop", known.length > 0)] : [];
    slots.replaceChildren(...flop, el("span", {}, place(offer)), ...slot(own, "player's", false));
    const lying = new Set(all());
    for (const key of deck.children) key.disabled = lying.has(key.dataset.card);
    order.disabled = true;
    if (all().includes(null)) { verdict.textContent = "Tap the cards"; return; }
    if (!isClaim) { verdict.textContent = ""; order.disabled = sheets.now.stale === true; return; }
    const turn = ++asked;
    const query = new URLSearchParams({ seat: offer.seat, cards: own.join(" "), community: shared.join(" ") });
    const found = await ask(`/panel/hand?${query}`);
    if (turn !== asked) return;
    verdict.classList.toggle("wrong", Boolean(found.refusal || found.error));
    verdict.textContent = found.refusal || found.error || `${found.words}: ${found.pay} from the ${found.source} (${found.rule})`;
    order.disabled = Boolean(found.refusal || found.error) || sheets.now.stale === true;
  };

  deck.append(...[...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).concat(card.joker ? ["Jk"] : []).map((word) => {
    const [face, name] = cardFace(word);
    return el("button", { type: "button", class: ink(word), "data-card": word, "aria-label": name, onclick: () => put(word) }, face);
  }));
  const byName = isClaim && card.pays.some((row) => row.by_name) ? el("button", { type: "button", onclick: () => byHand(sheets, page, offer) }, "By hand type…") : null;
  sheets.open(el("form", {
    class: "sheet",
    onsubmit: (event) => {
      event.preventDefault();
      if (!order.disabled) sheets.send(offer, offer.action, { seat: offer.seat, cards: own, ...(isClaim && { community: shared }) });
    },
  }, el("h2", {}, `${place(offer)} ${WORDS[offer.action][1]}`), slots, deck, verdict, keypad?.node,
  el("div", { class: "row" }, order, byName, el("button", { type: "button", onclick: () => sheets.close() }, "Cancel"))), { offer, keypad });
  drawn();
  deck.firstChild.focus();
}

function byHand(sheets, page, offer) {
  const side = page.card.wagers.find((one) => one.name === offer.wager);
  const known = side ? (side.is_shown ? [{ hand: "blackjack", words: "blackjack", pay: "as the display shows", rule: side.rule, by_name: true }] : side.pays) : page.card.pays;
  const rows = known.filter((row) => row.by_name).map((row) => el("button", {
    type: "button", class: "order", onclick: () => sheets.send(offer, "claim", { seat: offer.seat, hand: row.hand, wager: offer.wager, ...(row.paid_at_once && { paid: true }) }),
  }, row.words, el("small", {}, `${row.pay} (${row.rule})${row.paid_at_once ? " · paid at once" : ""}`)));
  const keypad = sheets.keypad(offer);
  sheets.open(el("div", { class: "sheet" }, el("h2", {}, `Seat ${offer.seat}: which hand?`), keypad?.node, el("div", { class: "hands" }, ...rows),
    el("p", { class: "said wrong", role: "alert" }),
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => sheets.close() }, "Cancel"))), { offer, keypad });
}
