// Claiming a win: the cards are entered and the evaluator names hand and pay; or the hand is named, where a house prefers.
import { ask, el } from "./common.js";
import { CardEntry, lastCard } from "./card_entry.js";
import { t } from "./texts.js";

const place = (offer) => (offer.seat ? t("seat_n", { seat: offer.seat }) : t("dealer"));

export function claimSheet(sheets, page, offer) {
  const { card } = page, isClaim = offer.action === "claim";
  if (isClaim && offer.wager !== "progressive") { byHand(sheets, page, offer); return; }
  const known = isClaim ? page.view.state.community : [];
  const shared = known.length ? [...known] : Array(isClaim ? card.community_size : 0).fill(null);
  const own = Array(card.hand_size).fill(null);
  const verdict = el("p", { class: "said", role: "status" });
  const order = el("button", { type: "submit", class: "main order", disabled: true }, t(offer.action));
  const keypad = sheets.keypad(offer);
  let asked = 0;

  const told = async () => {
    order.disabled = true;
    verdict.classList.remove("wrong");
    if (entry.missing) { verdict.textContent = t("to_go", { number: entry.missing }); return; }
    if (!isClaim) { verdict.textContent = ""; order.disabled = sheets.now.stale === true; return; }
    const turn = ++asked;
    const found = await ask(`/panel/hand?${new URLSearchParams({ seat: offer.seat, cards: own.join(" "), community: shared.join(" ") })}`);
    if (turn !== asked) return;
    const wrong = found.refusal || found.error;
    verdict.classList.toggle("wrong", Boolean(wrong));
    verdict.textContent = wrong || t("is_worth", { hand: found.words, pay: found.pay, source: t(found.source) });
    order.disabled = Boolean(wrong) || sheets.now.stale === true;
  };
  const groups = [{ label: known.length ? t("flop_known") : t("flop"), cards: shared, fixed: known.length > 0 }, { label: place(offer), cards: own, grows: card.hand_grows ? card.hand_size : 0 }];
  const entry = new CardEntry(groups, { joker: card.joker, decks: card.decks, told });
  const canName = isClaim && card.pays.some((row) => row.by_name);
  sheets.form(offer, {
    title: t(`enter_${offer.action.replace("-", "_")}`, { place: place(offer) }), body: entry.node, keypad, said: verdict, order,
    others: [lastCard(entry), canName ? el("button", { type: "button", onclick: () => byHand(sheets, page, offer) }, t("by_hand")) : null],
    send: () => { if (!order.disabled) sheets.send(offer, offer.action, { seat: offer.seat, cards: own, ...(isClaim && { community: shared }) }); },
  });
  told();
  entry.focus();
}

function byHand(sheets, page, offer) {
  const side = page.card.wagers.find((one) => one.name === offer.wager);
  const shown = { hand: "blackjack", words: "blackjack", pay: t("as_shown"), by_name: true };
  const known = side ? (side.is_shown ? [shown] : side.pays) : page.card.pays;
  const rows = known.filter((row) => row.by_name).map((row) => el("button", {
    type: "button", class: "order", onclick: () => sheets.send(offer, "claim", { seat: offer.seat, hand: row.hand, wager: offer.wager, ...(row.paid_at_once && { paid: true }) }),
  }, el("span", {}, row.words), el("small", {}, row.paid_at_once ? t("paid_at_once", { pay: row.pay }) : row.pay)));
  const keypad = sheets.keypad(offer);
  sheets.form(offer, { title: t("which_hand", { seat: offer.seat }), body: el("div", { class: "choices" }, ...rows), keypad, order: null });
}
