// Evidence: what a supervisor looks at before an award is validated, on one sheet with the signature.
import { ask, el } from "./common.js";
import { cardChips, shape } from "./shapes.js";
import { money, t } from "./texts.js";

export async function evidenceSheet(sheets, page, offer, says) {
  const found = await ask(`/panel/evidence/${offer.seat}`);
  if (found.status !== 200) { sheets.form(null, { title: offer.label, body: el("p", { class: "said wrong" }, found.error), cancel: t("close") }); return; }
  const { payment } = found;
  const supervisor = page.people.find((person) => person.role === "supervisor");
  const reject = page.view.offers.find((one) => one.action === "reject" && one.seat === offer.seat);
  const keypad = sheets.keypad(offer);
  const amount = payment.amount_cents ? money(payment.amount_cents) : payment.amount;
  const order = el("button", { type: "submit", class: "main order" }, t("validate_amount", { amount }));
  sheets.form(offer, {
    title: supervisor ? t("is_it_right_name", { name: supervisor.name }) : t("is_it_right"), cancel: t("later"), keypad, order,
    body: el("div", { class: "evidence" }, award(found, amount), checks(found)),
    others: [reject ? el("button", { type: "button", class: "danger", onclick: () => sheets.offer(reject) }, t("reject")) : null],
    send: () => sheets.send(offer, "validate", says),
  });
  (keypad ?? order).focus();
}

function award(found, amount) {
  const { payment } = found;
  const cards = [...payment.cards, ...found.community];
  return el("div", { class: "award" }, el("p", { class: "step-label" }, t("seat_n", { seat: found.seat })), el("h3", {}, payment.hand),
    cards.length ? cardChips(cards, { large: true }) : el("p", { class: "about" }, t("named_only")),
    el("p", { class: "amount" }, amount), el("p", { class: "dim" }, t("from_source", { source: t(payment.source) })),
    el("p", { class: "dim" }, t("claimed_by", { name: found.claimed_by || t("the_table"), time: found.claimed_at.slice(11, 19) })));
}

function checks(found) {
  const line = (name, words, more, kind = "") => el("li", { class: kind }, shape(name), el("div", {}, el("strong", {}, words), more ? el("p", { class: "dim" }, more) : null));
  const contest = found.contest.length ? [line("octagon", t("do_not_pay"), found.contest.join("; "), "wrong")] : [];
  return el("div", {}, el("ul", { class: "checks" }, ...contest,
    line(found.explanation ? "triangle" : "tick", found.count, found.explanation), line("tick", found.meter, ""),
    line("eye", t("look_at_cards"), t("same_cards"))), lightLine(found));
}

/** The light of the seat through the round: each change with its time and its cause. */
function lightLine(found) {
  const parts = found.lights.map((one) => el("li", { class: `light-${one.light}` }, el("i", {}), el("strong", {}, t(`light_${one.light}`)), el("span", {}, `${one.at.slice(11, 19)} ${one.because}`)));
  return el("div", { class: "light-line" }, el("p", { class: "step-label" }, t("light_of", { seat: found.seat })), el("ol", {}, ...parts));
}
