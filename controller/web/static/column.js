// The right column: acts beside the marked one, what is wrong, what holds, the paying order, and what may be tapped.
import { draw, el, timeOf } from "./common.js";
import { cardChips, shape } from "./shapes.js";
import { worth } from "./seats.js";
import { exact, t } from "./texts.js";

const OF_A_LINE = ["papers", "validate", "pay", "pay-envy", "display"]; // these stand in the paying order, at their seat

/** Draws everything; offers are those that stand neither in the band nor in the bar. */
export function column(page, offers, choose) {
  const { state, advice, turns, standing, band } = page.view;
  const ofDevice = (device) => offers.find((one) => one.action === "retest" && one.device === device);
  const free = offers.filter((one) => !OF_A_LINE.includes(one.action) && one.action !== "retest" && one.action !== "acknowledge");
  draw("offers", [free, page.people], () => free.map((offer) => actButton(offer, choose)));
  draw("faults", [advice, state.trouble, page.tested, band, offers], () => advice.filter((one) => !isSaid(page, one)).map((one) => fault(page, one, one.device === "table program" ? offers.find((each) => each.action === "acknowledge") : ofDevice(one.device), choose)));
  const also = standing.filter((one) => !band.reason.includes(one.effect) || !band.sentence.includes(one.what));
  draw("irregular", also, () => also.map((one) => el("li", { class: "card warn" }, shape("triangle"), el("div", {}, el("strong", {}, one.what), el("p", {}, one.effect)))));
  draw("deal", state.deal, () => state.deal.map((line) => el("li", { class: "card" }, el("p", {}, line.words))));
  const asked = turns.filter((one) => one.asked), lines = state.payments;
  document.getElementById("order").hidden = !asked.length && !lines.length;
  draw("order-title", [], () => [el("span", {}, t("paying_order")), el("small", {}, t("highest_first"))]);
  draw("paying", [asked, lines, offers, page.people], () => [...asked.map((one) => askedRow(one)), ...lines.map((line) => payRow(page, line, offers, choose))]);
  const noted = grouped(state.seats.filter((one) => one.note && !one.fault && !lines.some((line) => line.seat === one.seat && line.is_open)));
  draw("notes", noted, () => noted.map(([note, seats]) => el("li", { class: "seat-note" }, ...seats.map((seat) => el("b", { class: "seat-box" }, String(seat))), el("p", {}, note))));
  draw("hints", [state.phase, state.link, advice.length, lines.length, page.card.limits, page.view.hint], () => hints(page));
}

/** The same note of several seats stands once. */
function grouped(seats) {
  const found = new Map();
  for (const { seat, note } of seats) found.set(note, [...(found.get(note) ?? []), seat]);
  return [...found];
}

function actButton(offer, choose) {
  return el("button", { type: "button", "data-key": `${offer.action} ${offer.seat} ${offer.wager} ${offer.hand}`, disabled: Boolean(offer.refusal), onclick: () => choose(offer) },
    el("span", {}, offer.label), offer.refusal || offer.note ? [" ", el("small", {}, offer.refusal || offer.note)] : null);
}

/** Whether the band says all of it: a lost meter has no act, and only a technician reads more. */
const isSaid = (page, one) => one.device === "meter" && page.view.band.reason.toLowerCase().includes(one.detail.toLowerCase()) && !page.has("technician");

/** What is wrong, and what to do; what the band says already is not said again. */
function fault(page, one, offer, choose) {
  const { band } = page.view;
  const again = page.tested[one.device] ? el("p", { class: "wrong" }, t("not_mended", { time: timeOf(page.tested[one.device]) })) : null;
  const technical = one.device === "meter" && page.has("technician") ? page.view.state.link.detail : "";
  return el("li", { class: "card stop" }, shape(one.device === "contested award" ? "clock" : "octagon"), el("div", {}, el("strong", {}, one.device), band.reason.toLowerCase().includes(one.detail.toLowerCase()) ? null : el("p", {}, one.detail),
    technical ? el("p", { class: "dim" }, technical) : null, band.reason.includes(one.advice) ? null : el("p", { class: "dim" }, one.advice), again,
    offer ? el("button", { type: "button", "data-key": `${offer.action} ${one.device}`, "aria-label": offer.label, onclick: () => choose(offer) }, offer.action === "retest" ? t("test_again") : t("acknowledge")) : null));
}

function askedRow(one) {
  const isNow = one.asked === 1;
  return el("li", {}, el("div", { class: `turn${isNow ? " now" : " later"}` }, el("b", { class: "seat-box" }, String(one.seat)),
    el("span", { class: "what" }, el("strong", {}, t("any_win")), el("small", {}, isNow ? [shape("arrow"), t("look_now")] : t(`turn_${one.asked}`)))));
}

/** One line of the settlement; where something can be done about it, the line is the button. */
function payRow(page, line, offers, choose) {
  const offer = offers.find((one) => !one.refusal && one.seat === line.seat && (one.wager === line.wager || (one.action === "pay-envy" && line.wager === "envy") || one.action === "display"));
  const slip = line.slip ? ` · ${t("slip", { slip: line.slip })}` : "";
  const parts = [el("b", { class: "seat-box" }, String(line.seat)),
    el("span", { class: "what" }, el("strong", {}, line.hand), el("small", {}, line.state === "paid" ? shape("tick") : line.is_open ? shape("clock") : shape("close"), `${line.state_words}${line.is_open ? ` · ${t(line.source)}` : ""}${slip}`)),
    el("span", { class: "worth" }, el("strong", {}, worth(line)), line.cards.length && line.cards.length <= 5 ? cardChips(line.cards) : null)];
  const kind = `turn${line.seat === page.view.band.asked && line.is_open ? " now" : ""}${line.is_open ? "" : " done"}`;
  return el("li", {}, offer ? el("button", { type: "button", class: kind, "data-key": `${offer.action} ${line.seat} ${line.wager}`, "aria-label": offer.label, onclick: () => choose(offer) }, ...parts) : el("div", { class: kind }, ...parts));
}

/** What may be tapped now, or what stands before an opening. */
function hints(page) {
  const { state, hint, advice } = page.view;
  if (state.payments.length) return [];
  if (state.phase === "closed") return [el("h2", {}, t("before_opening")), el("ul", { class: "checks" }, ...beforeOpening(state, advice))];
  const limits = page.card.limits.map((words) => el("p", { class: "limit" }, words));
  return [...(hint ? [el("div", { class: "card" }, el("p", {}, hint))] : []), ...(state.phase === "open" ? limits : []), ...(page.card.fold && ["counted", "in play"].includes(state.phase) ? [el("div", { class: "card" }, el("p", {}, page.card.fold))] : [])];
}

function beforeOpening(state, advice) {
  const check = (good, words, wrong) => el("li", { class: good ? "" : "wrong" }, shape(good ? "tick" : "octagon"), el("strong", {}, good ? words : wrong));
  return [
    check(!Object.keys(state.faults).length, t("devices_answer", { number: state.seats.length }), t("devices_faulty")),
    check(state.link.up, t("jackpot_answers", { amount: exact(state.link.amount_cents) }), t("no_jackpot")),
    check(!state.payments.some((line) => line.is_open), t("nothing_unpaid"), t("something_unpaid")),
    ...(advice.length ? [] : [check(true, t("nothing_reported"), "")]),
  ];
}
