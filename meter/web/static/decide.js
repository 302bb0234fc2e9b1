// Decisions of two persons: both sign with number and PIN under what both have seen.
import { ask, el } from "/static/common.js";
import { Keypad } from "/static/keypad.js";
import { shape } from "/static/shapes.js";
import { moment, say, spoken, stamp, words } from "./floor_words.js";
import { HoldButton } from "./hold.js";

const { money, exact } = words;
const GROUNDS = ["malfunction", "wrong_wagers", "wrong_payout", "limit_sign", "operations_end", "other"];
const HELD_MS = 2000;

export const keyOf = (claim) => ({ table: claim.table, journal: claim.journal, seq: claim.seq });
export const whereIs = (claim) => say("where", { table: claim.table, seats: claim.sharers.length ? claim.sharers.join(` ${say("and")} `) : claim.seat });
const fact = (label, value) => el("div", {}, el("dt", {}, say(label)), el("dd", {}, value));
const facts = (...rows) => el("dl", { class: "facts" }, ...rows);
const field = (label, input, help) => el("div", { class: "field" }, el("label", { for: input.id }, label), input, help ?? null);
const text = (id, label, most = "16") => el("input", { type: "text", id, inputmode: most === "16" ? "decimal" : "text", autocomplete: "off", maxlength: most, placeholder: label });

/** Cents of what somebody wrote, exactly; null for anything that is no amount. */
export function centsOf(written) {
  const found = /^\p{Sc}?(\d{1,10})(?:\.(\d{2}))?$/u.exec(written.replaceAll(",", "").trim());
  return found && Number(found[1]) * 100 + Number(found[2] ?? 0);
}

/** Opens the sheet of a decision; build returns the decision, or a string that says what is still missing.
 *
 * A dangerous one (danger) has a hatched edge, shows what keeps it from being taken, and its button is held. */
export function decide(page, sheet, link, { title, about = "", body, build, confirm = say("confirm"), later = say("cancel"), kind = "", danger = null }) {
  const now = { link: link.link, seen: link.seen, danger };
  const reason = text("reason", "", "200");
  const here = page.people.at(-1);
  const first = new Keypad({ title: say("first_person"), name: here ? `${here.name}, ${here.role}` : "", code: page.remote });
  const second = new Keypad({ title: say("second_person"), code: page.remote });
  const missing = () => { const built = build(); return typeof built === "string" ? built : !reason.value.trim() ? say("say_why") : danger?.missing?.() || first.missing || second.missing; };
  const send = async () => {
    const lacks = missing();
    if (lacks) { sheet.said(lacks); return; }
    if (now.busy || now.stale) return;
    now.busy = true;
    now.key ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const ground = danger?.ground?.value ? `${say(`ground_${danger.ground.value}`)}: ` : "";
    const order = { seen: now.seen, key: now.key, decision: build(), reason: `${ground}${reason.value.trim()}`.slice(0, 200), first: first.signed, second: second.signed };
    let answer = await ask(`/floor/decide/${link.link}`, order);
    if (answer.status === 0) answer = await ask(`/floor/decide/${link.link}`, order);
    now.busy = false;
    second.clear();
    first.clear();
    if (answer.accepted) { page.done(say("decided", { title, record: answer.record, link: link.link })); sheet.close(); return; }
    if (answer.status !== 0) now.key = undefined;
    sheet.said(answer.reason || answer.error);
  };
  const hold = danger ? new HoldButton(confirm, { heldMs: HELD_MS, why: missing, said: (why) => sheet.said(why), act: send }) : null;
  now.hold = hold;
  sheet.open(el("form", { class: `sheet ${danger ? "danger" : ""}`, "data-kind": `${kind} ${danger ? "is-danger" : ""}`, onsubmit: (event) => { event.preventDefault(); if (hold) hold.ask(); else send(); } },
    el("div", { class: "head" }, danger ? shape("triangle") : "", el("div", {}, el("h2", {}, title), about ? el("p", {}, about) : ""), el("button", { type: "button", onclick: () => sheet.close() }, shape("close"), later)),
    el("div", { class: "body" }, danger ? el("div", { class: "obstacles" }) : "", ...body,
      danger?.ground ? el("div", { class: "pair" }, field(say("ground"), danger.ground), danger.again ?? "") : danger?.again ?? "",
      field(say(danger ? "what_happened" : "reason"), reason), el("div", { class: "pair" }, first.node, second.node)),
    el("div", { class: "foot" }, el("div", { class: "grow" }, el("p", { class: "said wrong", role: "alert" }), el("p", { class: "dim" }, say(danger ? "held_for" : "two_decide", { seconds: HELD_MS / 1000 }))),
      hold ? hold.node : el("button", { type: "submit", class: "main order" }, confirm))), now);
  showObstacles(page, sheet);
  (sheet.dialog.querySelector(".body input:not([type=password], :disabled), .body select") ?? reason).focus();
}

/** A sheet whose link has moved on says so and orders nothing; what keeps a decision from being taken may end. */
export function refresh(page, sheet) {
  const { link, seen, stale, busy } = sheet.now;
  if (!link || stale || busy) return;
  if (page.view.links.find((one) => one.link === link)?.seen === seen) { showObstacles(page, sheet); return; }
  sheet.now.stale = true;
  sheet.said(say("moved_on"));
  for (const one of sheet.dialog.querySelectorAll("button.order")) one.disabled = true;
}

/** Says why a dangerous decision cannot be taken now and when it can; its button is locked so long. */
function showObstacles(page, sheet) {
  const { danger, hold, link } = sheet.now;
  if (!danger) return;
  const found = page.view.links.find((one) => one.link === link).obstacles.filter((one) => one.decision === danger.decision && (!one.only_lower || danger.isLower()));
  const place = sheet.dialog.querySelector(".obstacles"), shown = JSON.stringify(found);
  if (place.dataset.shown !== shown) {
    place.dataset.shown = shown;
    place.replaceChildren(...found.map((one) => el("div", { class: "obstacle", role: "status" }, shape("padlock"), el("div", {}, el("strong", {}, say("not_now")), el("p", {}, `${spoken(one.why)}. ${one.until}`)))));
  }
  hold.lock(found.length ? say("not_now") : "");
}

/** What the ledger says of each claim: when it came to the meter, and which seats of its round had a wager. */
export async function ledgerSays(link) {
  const answer = await ask(`/floor/evidence/${link.link}`);
  return (claim) => {
    const found = (answer.claims ?? []).find((one) => one.table === claim.table && one.journal === claim.journal && one.seq === claim.seq);
    if (!found) return { came: answer.error ?? say("not_found"), wagers: answer.error ?? say("not_found"), seats: [], round: 0 };
    const seats = found.wagered_seats.map((seat) => (found.coupon_seats.includes(seat) ? say("by_coupon", { seat }) : seat)).join(", ");
    const isThere = [claim.seat, ...claim.sharers].every((seat) => found.wagered_seats.includes(seat));
    return {
      round: found.round, seats: found.wagered_seats, came: say("came_at", { at: stamp(found.booked_ms), record: found.record }),
      wagers: !found.wagers_record ? say("none_booked", { round: found.round }) : `${isThere ? "" : say("not_seat", { seat: claim.seat })}${say("seats_booked", { seats, round: found.round, record: found.wagers_record })}`,
    };
  };
}

/** Wagers that no table should make: they count, or never. */
export function decideHeld(page, sheet, link, held) {
  const choice = either("counts", [["yes", say("they_count")], ["no", say("they_never")]]);
  decide(page, sheet, link, {
    title: say("held_wagers", { table: held.table }),
    body: [facts(fact("why_held", held.reason), fact("stake", money(held.stake_cents)), fact("chips", String(held.chips)), fact("coupons", String(held.coupons)), fact("entry", say("entry_of", held))), choice],
    build: () => (chosen(choice) ? { type: "DecideHeld", entry: keyOf(held), counts: chosen(choice) === "yes" } : say("choose_they")),
  });
}

/** A claim of a seat without a wager, or made twice: it counts now, or never. */
export function decideDoubted(page, sheet, link, claim) {
  const { award, reason } = claim;
  const choice = either("counts", [["yes", say("it_counts")], ["no", say("it_never")]]);
  decide(page, sheet, link, {
    title: say("held_claim_at", { where: whereIs(award) }),
    body: [facts(fact("why_held", reason), fact("hand", award.hand.replaceAll("_", " ")), fact("claimed_at", stamp(award.at_ms)), fact("entry", say("entry_of", award))), choice],
    build: () => (chosen(choice) ? { type: "DecideHeld", entry: keyOf(award), counts: chosen(choice) === "yes" } : say("choose_it")),
  });
}

/** An award of the whole meter above the link's limit: two persons look at it before anybody is paid. */
export async function approveAward(page, sheet, link, award) {
  const { came, wagers } = (await ledgerSays(link))(award);
  decide(page, sheet, link, {
    title: say("approve_at", { where: whereIs(award) }), about: say("approve_words"),
    body: [facts(fact("hand", `${award.hand}, ${award.part}`), fact("cards", award.cards || say("no_cards")), fact("amount", exact(award.amount_cents)), fact("stands", award.stands), fact("came", came), fact("wagers_of", wagers))],
    build: () => ({ type: "ApproveAward", award: keyOf(award), amount_cents: award.amount_cents }),
  });
}

/** An award whose own table cannot settle it any more. */
export async function settleAward(page, sheet, link, award) {
  const { came, wagers } = (await ledgerSays(link))(award);
  const choice = either("settled", [["paid", say("was_paid")], ["rejected", say("is_rejected")]]);
  const said = link.figures.reported.find((one) => one.table === award.table && one.journal === award.journal && one.seq === award.seq);
  const cents = text("paid-amount", say("as_fixed"));
  cents.value = said ? (said.paid_cents / 100).toFixed(2) : "";
  decide(page, sheet, link, {
    title: say("award_at", { where: whereIs(award) }), about: say("settle_words"),
    body: [facts(fact("hand", `${award.hand}, ${award.part}`), fact("amount", money(award.amount_cents)), fact("by_house", money(award.house_cents)), fact("meter_before", money(award.before_cents)), fact("meter_after", money(award.after_cents)),
      fact("claimed_at", stamp(award.at_ms)), fact("came", came), fact("wagers_of", wagers), ...(said ? [fact("paid_says_table", money(said.paid_cents))] : [])), choice, field(say("paid_other"), cents)],
    build: () => {
      const paid = chosen(choice) === "paid", amount = paid ? centsOf(cents.value || "0") : 0;
      return !chosen(choice) ? say("choose_became") : amount === null ? say("write_paid") : { type: "SettleAward", award: keyOf(award), paid, amount_cents: amount };
    },
  });
}

function either(name, options) {
  return el("fieldset", { class: "choice" }, el("legend", { class: "dim" }, say("decision")), ...options.map(([value, label]) =>
    el("label", {}, el("input", { type: "radio", name, value }), label)));
}

const chosen = (choice) => choice.querySelector("input:checked")?.value;

/** Now and afterwards, in large figures, and the difference between them. */
function figures(now, after) {
  const place = el("div", { class: "figures" });
  const show = () => {
    const then = after(), less = then === null ? null : then - now;
    place.replaceChildren(el("div", {}, el("span", { class: "dim" }, say("now_is")), el("strong", {}, exact(now))), shape("arrow"),
      el("div", { class: "after" }, el("span", { class: "dim" }, say("afterwards")), el("strong", {}, then === null ? "–" : exact(then))),
      el("p", {}, el("span", {}, say(less !== null && less > 0 ? "added" : "taken_away")), el("b", {}, less === null ? "–" : `${less < 0 ? "− " : "+ "}${exact(Math.abs(less))}`)));
  };
  show();
  return { place, show };
}

const grounds = () => el("select", { id: "ground" }, el("option", { value: "" }, say("choose_ground")), ...GROUNDS.map((name) => el("option", { value: name }, say(`ground_${name}`))));

/** What a dangerous decision asks besides: a ground of the list, and its word typed once more. */
function dangerOf(decision, { wanted, label, isLower = () => true, withGround = true }) {
  const ground = withGround ? grounds() : null, again = text("again", "", "40");
  return {
    decision, isLower, ground, again: field(label, again),
    missing: () => (ground && !ground.value ? say("choose_ground") : !wanted(again.value) ? say("type_again", { label }) : ""),
  };
}

/** Everything else that can be decided about a link; the page offers only what the people here may decide. */
export function linkDecisions(page, sheet, link) {
  const { state, terms } = link.figures;
  const simple = (type, title, told) => decide(page, sheet, link, { title, about: told, body: [], build: () => ({ type }) });
  const tables = link.tables.length;
  const correct = () => {
    const wanted = text("new-amount", say("such_as_amount")), old = state.amount_cents;
    const shown = figures(old, () => centsOf(wanted.value));
    const danger = dangerOf("Correct", { label: say("amount_again"), wanted: (typed) => centsOf(typed) === centsOf(wanted.value), isLower: () => (centsOf(wanted.value) ?? old) < old });
    wanted.addEventListener("input", () => { shown.show(); showObstacles(page, sheet); });
    decide(page, sheet, link, {
      title: say("correct"), about: say("correct_words", { tables }), confirm: say("hold_correct"), danger,
      body: [shown.place, field(say("new_amount"), wanted)],
      build: () => (centsOf(wanted.value) === null ? say("write_new") : { type: "Correct", old_cents: old, new_cents: centsOf(wanted.value) }),
    });
  };
  const transfer = () => {
    const others = page.view.links.filter((one) => one.link !== link.link);
    const to = el("select", { id: "to-link" }, ...others.map((one) => el("option", { value: one.link }, one.link)));
    const cents = text("move-amount", say("from_meter")), hidden = text("move-hidden", say("from_reset")), over = text("move-overflow", say("from_overflow"));
    const shown = figures(state.amount_cents, () => { const moved = centsOf(cents.value || "0"); return moved === null ? null : state.amount_cents - moved; });
    const danger = dangerOf("Transfer", { label: say("amount_again_meter"), wanted: (typed) => centsOf(typed || "0") === centsOf(cents.value || "0"), isLower: () => (centsOf(cents.value || "0") ?? 1) > 0 });
    cents.addEventListener("input", () => { shown.show(); showObstacles(page, sheet); });
    decide(page, sheet, link, {
      title: say("transfer"), about: say("correct_words", { tables }), confirm: say("hold_transfer"), danger,
      body: [shown.place, field(say("to_link"), to), el("div", { class: "pair" }, field(say("dollars_meter"), cents), field(say("dollars_reset"), hidden), ...(terms.overflow_seeds_next ? [field(say("dollars_overflow_seed"), over)] : []))],
      build: () => {
        const [amount, reset, seeds] = [cents, hidden, over].map((one) => centsOf(one.value || "0"));
        return [amount, reset, seeds].includes(null) || !to.value ? say("write_amounts") : { type: "Transfer", to: to.value, cents: amount, reset_meter_cents: reset, overflow_cents: seeds };
      },
    });
  };
  const overflow = () => {
    const cents = text("overflow-amount", say("such_as_hundred")), held = Math.floor(link.figures.accounts.overflow / 10_000);
    const shown = figures(held, () => { const taken = centsOf(cents.value); return taken === null ? null : held - taken; });
    cents.addEventListener("input", shown.show);
    decide(page, sheet, link, {
      title: say("take_overflow"), about: say("overflow_words", { amount: link.accounts.overflow }), confirm: say("hold_overflow"),
      danger: dangerOf("TakeOverflow", { label: say("amount_again"), wanted: (typed) => centsOf(typed) === centsOf(cents.value), withGround: false }),
      body: [shown.place, field(say("dollars_overflow"), cents)],
      build: () => (centsOf(cents.value) ? { type: "TakeOverflow", cents: centsOf(cents.value) } : say("write_how_much")),
    });
  };
  const swap = () => {
    const joined = link.tables.filter((one) => one.joined);
    const table = el("select", { id: "swap-table" }, ...joined.map((one) => el("option", { value: one.table }, one.table)));
    const journal = text("swap-journal", "", "64");
    decide(page, sheet, link, {
      title: say("swap"), about: say("swap_words"), body: [el("div", { class: "pair" }, field(say("head_table"), table), field(say("new_journal"), journal))],
      build: () => {
        const old = joined.find((one) => one.table === table.value);
        return old && /^[A-Za-z0-9_-]{1,64}$/.test(journal.value) ? { type: "SwapBoard", table: old.table, old_journal: old.journal, new_journal: journal.value } : say("write_journal");
      },
    });
  };
  const close = () => {
    const names = el("input", { type: "text", id: "given-up", autocomplete: "off", "aria-describedby": "given-up-means", placeholder: say("none_given") });
    const shown = figures(state.amount_cents, () => 0);
    decide(page, sheet, link, {
      title: say("close_link"), about: say("close_words"), confirm: say("hold_close"),
      danger: dangerOf("Close", { label: say("type_link", { link: link.link }), wanted: (typed) => typed.trim() === link.link, withGround: false }),
      body: [shown.place, field(say("given_up"), names, el("p", { class: "dim", id: "given-up-means" }, say("given_up_means")))],
      build: () => {
        const given = [...new Set(names.value.split(/[\s,;]+/).filter(Boolean))];
        const strangers = given.filter((name) => !link.tables.some((one) => one.joined && one.table === name));
        return strangers.length ? say("strangers", { tables: strangers.join(", ") }) : { type: "Close", given_up: given };
      },
    });
  };
  const offers = [
    ["Stop", "stop", !state.alive, () => simple("Stop", say("stop"), say("stop_words"))],
    ["Reopen", "reopen", state.health !== "stopped", () => simple("Reopen", say("reopen"), say("reopen_words", { notice: state.notice }))],
    ["Correct", "correct", false, correct],
    ["Transfer", "transfer", page.view.links.length < 2, transfer],
    ["TakeOverflow", "take_overflow", terms.overflow_seeds_next || link.figures.accounts.overflow < 10_000, overflow],
    ["SwapBoard", "swap", !link.tables.some((one) => one.joined), swap],
    ["Close", "close_link", state.health === "closed", close],
  ];
  const dangerous = new Set(["Correct", "Transfer", "TakeOverflow", "Close"]);
  const offer = ([type, label, shut, open]) => {
    const obstacle = link.obstacles.find((one) => one.decision === type && !one.only_lower);
    const told = !page.may(type) ? page.roles(type) : shut ? "" : obstacle ? say("not_now") : "";
    return el("button", { type: "button", class: `offer ${dangerous.has(type) ? "dangerous" : ""}`, disabled: shut || !page.may(type), onclick: open }, dangerous.has(type) ? shape("triangle") : "", say(label), told ? el("small", { class: "dim" }, told) : "");
  };
  sheet.open(el("div", { class: "sheet" }, el("div", { class: "head" }, el("h2", {}, say("link", { link: link.link })), el("button", { type: "button", onclick: () => sheet.close() }, shape("close"), say("close"))),
    el("div", { class: "body offers" }, ...offers.map(offer), el("p", { class: "dim" }, say("parameters", { percent: terms.rate_bp / 100, reset: terms.reset_cents })))));
}
