// Contested claims: the evidence of each table side by side, the order of payment, and what it would pay.
import { ask, el } from "/static/common.js";
import { cardChip, shape } from "/static/shapes.js";
import { decide, keyOf, ledgerSays, whereIs } from "./decide.js";
import { say, spoken, stamp, words } from "./floor_words.js";
import { replayLink } from "./map.js";

const { exact } = words;
const seatsOf = (claim) => (claim.sharers.length ? claim.sharers : [claim.seat]);

export async function orderClaims(page, sheet, link) {
  const says = await ledgerSays(link);
  const order = [...link.contest];
  const list = el("ol", { class: "ranking", "aria-label": say("order") });
  const draw = async () => {
    list.replaceChildren(...order.map((claim, at) => el("li", {},
      el("span", { class: "place" }, String(at + 1)), el("span", { class: "what" }, el("strong", {}, `${whereIs(claim)}: ${claim.hand}`), ` · ${claim.part}`), el("span", { class: "pays" }, "…"),
      mover(claim, "earlier", at === 0, () => move(at, -1)), mover(claim, "later_row", at === order.length - 1, () => move(at, 1)))));
    const shown = order.map(keyOf);
    const answer = await ask(`/floor/outlook/${link.link}?order=${encodeURIComponent(JSON.stringify(shown))}`);
    if (JSON.stringify(order.map(keyOf)) !== JSON.stringify(shown)) return;
    for (const [at, place] of [...list.querySelectorAll(".pays")].entries()) place.textContent = answer.status === 200 ? exact(answer.amounts_cents[at]) : "";
    sheet.said(answer.status === 200 ? "" : answer.error);
  };
  const move = (at, by) => {
    order.splice(at + by, 0, ...order.splice(at, 1));
    draw();
    const buttons = list.children[at + by].querySelectorAll("button:not(:disabled)");
    (buttons[by < 0 ? 0 : buttons.length - 1] ?? list).focus();
  };
  decide(page, sheet, link, {
    title: say("contest_question"), about: say("contest_about", { link: link.link }), confirm: say("confirm_order"), later: say("later"), kind: "wide-sheet",
    body: [evidence(page, link, says), el("div", {}, el("p", { class: "dim" }, say("order_words")), list)],
    build: () => ({ type: "OrderClaims", order: order.map(keyOf) }),
  });
  draw();
}

function mover(claim, which, isOff, act) {
  return el("button", { type: "button", class: `mover ${which}`, disabled: isOff, "aria-label": say(which, { where: whereIs(claim) }), onclick: act }, shape("arrow"));
}

function evidence(page, link, says) {
  return el("div", { class: "evidence", role: "region", "aria-label": say("evidence"), tabindex: "0" }, ...link.contest.map((claim) => side(page, link, claim, says(claim))));
}

/** One table's side: its cards, the seats that had wagers, when it claimed, and what the meter then said. */
function side(page, link, claim, ledger) {
  const table = page.tables[link.link].get(claim.table);
  const facts = [
    ["claimed_at", stamp(claim.at_ms)], ["came", ledger.came], ["clock", claim.clock || say("clock_silent")],
    ["meter_then", exact(claim.before_cents)], ["amount", claim.is_fixed ? say("fixed", { amount: claim.amount_cents }) : say("waits_order")],
    ["wagers_of", ledger.wagers], ["entry", say("entry_of", { seq: claim.seq, journal: claim.journal })], ["table_now", tableNow(table)],
  ];
  return el("section", { class: "side", "aria-label": whereIs(claim) }, el("div", { class: "head" }, el("h3", {}, `${whereIs(claim)}: ${claim.hand}`), replayLink(table, ledger.round)),
    el("div", { class: "hand" }, ...(claim.cards ? claim.cards.split(/[\s,;:]+/).filter((word) => /^(?:[2-9TJQKA][cdhs]|Jk)$/.test(word)).map((word) => cardChip(word, { large: true })) : [el("p", { class: "dim" }, say("no_cards"))])),
    arc(table?.seats || 7, ledger.seats, seatsOf(claim)),
    el("dl", { class: "lines" }, ...facts.flatMap(([label, value]) => [el("dt", {}, say(label)), el("dd", {}, value)])));
}

/** The seats as the dealer sees them: a wager is a disc, the claiming seat white, no wager a ring. */
function arc(seats, wagered, claiming) {
  const middle = (seats + 1) / 2;
  return el("ol", { class: "arc", "aria-label": say("seats_label") }, ...Array.from({ length: seats }, (_, at) => {
    const seat = at + 1, kind = claiming.includes(seat) ? "claims" : wagered.includes(seat) ? "lit" : "dark";
    const item = el("li", { class: kind, "aria-label": say(`seat_${kind}`, { seat }) }, String(seat));
    item.style.setProperty("--drop", String(Math.round(((seat - middle) / middle) ** 2 * 18)));
    return item;
  }));
}

function tableNow(table) {
  if (!table || table.alive === null) return say("not_heard_of");
  return table.alive ? say("is_present") : say("since_moment", { at: stamp(table.since_ms) });
}
