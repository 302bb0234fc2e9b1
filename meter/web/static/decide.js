// Decisions of two persons: both sign with number and PIN under what both have seen.
import { ask, dollars, el } from "/static/common.js";
import { Keypad } from "/static/keypad.js";
import { moment, stamp } from "./chart.js";

const key = (claim) => ({ table: claim.table, journal: claim.journal, seq: claim.seq });
const where = (claim) => `table ${claim.table}, seat ${claim.sharers.length ? claim.sharers.join(" and ") : claim.seat}`;
const fact = (label, value) => el("div", {}, el("dt", {}, label), el("dd", {}, value));
const field = (label, input) => el("div", {}, el("label", { for: input.id }, label), input);

/** Cents of what somebody wrote, exactly; null for anything that is no amount. */
export function centsOf(written) {
  const found = /^\$?(\d{1,10})(?:\.(\d{2}))?$/.exec(written.replaceAll(",", "").trim());
  return found && Number(found[1]) * 100 + Number(found[2] ?? 0);
}

/** Opens the sheet of a decision; build returns the decision, or a string that says what is still missing. */
export function decide(page, sheet, link, { title, body, build, confirm }) {
  const now = { link: link.link, seen: link.seen };
  const reason = el("input", { type: "text", id: "reason", maxlength: "200", autocomplete: "off" });
  const here = page.people.at(-1);
  const first = new Keypad({ title: "First person", name: here ? `${here.name}, ${here.role}` : "", code: page.remote });
  const second = new Keypad({ title: "Second person", code: page.remote });
  const send = async () => {
    const decision = build();
    const missing = typeof decision === "string" ? decision : !reason.value.trim() ? "Say why." : first.missing || second.missing;
    if (missing) { sheet.said(missing); return; }
    if (now.busy || now.stale) return;
    now.busy = true;
    now.key ??= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const order = { seen: now.seen, key: now.key, decision, reason: reason.value.trim(), first: first.signed, second: second.signed };
    let answer = await ask(`/floor/decide/${link.link}`, order);
    if (answer.status === 0) answer = await ask(`/floor/decide/${link.link}`, order);
    now.busy = false;
    second.clear();
    first.clear();
    if (answer.accepted) { page.done(`${title}: decided, record ${answer.record} of link ${link.link}.`); sheet.close(); return; }
    if (answer.status !== 0) now.key = undefined;
    sheet.said(answer.reason || answer.error);
  };
  sheet.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
    el("h2", {}, title), ...body, field("Reason", reason),
    el("div", { class: "pair" }, first.node, second.node),
    el("p", {}, "Two persons decide. Both names stand in the ledger."),
    el("p", { class: "said wrong", role: "alert" }),
    el("div", { class: "row" }, el("button", { type: "submit", class: "main order grow" }, confirm ?? "Confirm"),
      el("button", { type: "button", onclick: () => sheet.close() }, "Cancel"))), now);
  (sheet.dialog.querySelector("input:not([type=password]), select") ?? reason).focus();
}

/** A sheet whose link has moved on says so and orders nothing. */
export function refresh(page, sheet) {
  const { link, seen, stale, busy } = sheet.now;
  if (!link || stale || busy) return;
  if (page.view.links.find((one) => one.link === link)?.seen === seen) return;
  sheet.now.stale = true;
  sheet.said("The link has moved on since you looked. Close this and look again.");
  for (const one of sheet.dialog.querySelectorAll("button.order")) one.disabled = true;
}

/** What the ledger says of each claim: when it came to the meter, and which seats of its round had a wager. */
async function ledgerSays(link) {
  const answer = await ask(`/floor/evidence/${link.link}`);
  return (claim) => {
    const found = (answer.claims ?? []).find((one) => one.table === claim.table && one.journal === claim.journal && one.seq === claim.seq);
    if (!found) return { came: answer.error ?? "not found", wagers: answer.error ?? "not found" };
    const seats = found.wagered_seats.map((seat) => (found.coupon_seats.includes(seat) ? `${seat} (coupon)` : seat)).join(", ");
    const isThere = [claim.seat, ...claim.sharers].every((seat) => found.wagered_seats.includes(seat));
    return {
      came: `${stamp(found.booked_ms)}, record ${found.record}`,
      wagers: !found.wagers_record ? `▲ none of round ${found.round} are booked` : `${isThere ? "" : `▲ NOT seat ${claim.seat}: `}seats ${seats}, round ${found.round}, record ${found.wagers_record}`,
    };
  };
}

/** Contested percentages: the evidence side by side, the order, and what it would pay. */
export async function orderClaims(page, sheet, link) {
  const says = await ledgerSays(link);
  const order = [...link.contest];
  const list = el("ol", { class: "order", "aria-label": "Order of payment" });
  const draw = async () => {
    list.replaceChildren(...order.map((claim, at) => el("li", {},
      el("span", {}, `${at + 1}.`), el("span", { class: "what" }, `${where(claim)}: ${claim.hand}, ${claim.part}`), el("span", { class: "pays" }, "…"),
      el("button", { type: "button", disabled: at === 0, "aria-label": `${where(claim)} earlier`, onclick: () => move(at, -1) }, "▲"),
      el("button", { type: "button", disabled: at === order.length - 1, "aria-label": `${where(claim)} later`, onclick: () => move(at, 1) }, "▼"))));
    const shown = order.map(key);
    const answer = await ask(`/floor/outlook/${link.link}?order=${encodeURIComponent(JSON.stringify(shown))}`);
    if (JSON.stringify(order.map(key)) !== JSON.stringify(shown)) return;
    for (const [at, place] of [...list.querySelectorAll(".pays")].entries()) place.textContent = answer.status === 200 ? dollars(answer.amounts_cents[at]) : "";
    sheet.said(answer.status === 200 ? "" : answer.error);
  };
  const move = (at, by) => {
    order.splice(at + by, 0, ...order.splice(at, 1));
    draw();
    const buttons = list.children[at + by].querySelectorAll("button:not(:disabled)");
    (buttons[by < 0 ? 0 : buttons.length - 1] ?? list).focus();
  };
  decide(page, sheet, link, {
    title: "Order of the claims", confirm: "Confirm this order",
    body: [evidence(link, says), el("p", {}, "The first is paid first; each next percentage is taken from what is left (28.11(i)). Amounts as they would be now:"), list],
    build: () => ({ type: "OrderClaims", order: order.map(key) }),
  });
  draw();
}

function evidence(link, says) {
  const rows = [
    ["Seat", (claim) => (claim.sharers.length ? claim.sharers.join(", ") : String(claim.seat))],
    ["Hand", (claim) => `${claim.hand}, ${claim.part}`],
    ["Wagers of its round", (claim) => says(claim).wagers],
    ["Table's own time", (claim) => stamp(claim.at_ms)],
    ["Table's clock", (claim) => claim.clock || "says nothing of itself"],
    ["Came to the meter", (claim) => says(claim).came],
    ["Entry of the table", (claim) => `${claim.seq} of ${claim.journal}`],
    ["Meter when it came", (claim) => dollars(claim.before_cents)],
    ["Amount", (claim) => (claim.is_fixed ? `${dollars(claim.amount_cents)} fixed, not paid` : "not fixed yet")],
    ["Table now", (claim) => tableNow(link.tables.find((one) => one.table === claim.table))],
  ];
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Evidence" }, el("table", { class: "evidence" },
    el("thead", {}, el("tr", {}, el("td", {}), ...link.contest.map((claim) => el("th", { scope: "col" }, `Table ${claim.table}`)))),
    el("tbody", {}, ...rows.map(([label, of]) => el("tr", {}, el("th", { scope: "row" }, label), ...link.contest.map((claim) => el("td", {}, of(claim))))))));
}

const tableNow = (table) => (!table || table.alive === null ? "not heard of" : table.alive ? "present" : `gone since ${moment(table.since_ms)}`);

/** Wagers that no table should make: they count, or never. */
export function decideHeld(page, sheet, link, held) {
  const choice = either("counts", [["yes", "They count: add them to the meter"], ["no", "They never count"]]);
  decide(page, sheet, link, {
    title: `Held wagers of table ${held.table}`,
    body: [el("dl", { class: "facts" }, fact("Why held", held.reason), fact("Stake", dollars(held.stake_cents)), fact("Chips", String(held.chips)),
      fact("Coupons", String(held.coupons)), fact("Entry of the table", `${held.seq} of ${held.journal}`)), choice],
    build: () => (chosen(choice) ? { type: "DecideHeld", entry: key(held), counts: chosen(choice) === "yes" } : "Choose whether they count."),
  });
}

/** A claim of a seat without a wager, or made twice: it counts now, or never. */
export function decideDoubted(page, sheet, link, claim) {
  const { award, reason } = claim;
  const choice = either("counts", [["yes", "It counts: fix its amount now"], ["no", "It never counts"]]);
  decide(page, sheet, link, {
    title: `Held claim at ${where(award)}`,
    body: [el("dl", { class: "facts" }, fact("Why held", reason), fact("Hand", award.hand.replaceAll("_", " ")), fact("Claimed by the table's clock", stamp(award.at_ms)),
      fact("Entry of the table", `${award.seq} of ${award.journal}`)), choice],
    build: () => (chosen(choice) ? { type: "DecideHeld", entry: key(award), counts: chosen(choice) === "yes" } : "Choose whether it counts."),
  });
}

/** An award of the whole meter above the link's limit: two persons look at it before anybody is paid. */
export async function approveAward(page, sheet, link, award) {
  const { came, wagers } = (await ledgerSays(link))(award);
  decide(page, sheet, link, {
    title: `Approve the award at ${where(award)}`,
    body: [el("p", {}, "Look at the cards at the table and at the cameras. After the approval the dealer may pay; to reject it, use Settle."),
      el("dl", { class: "facts" }, fact("Hand", `${award.hand}, ${award.part}`), fact("Cards", award.cards || "none"), fact("Amount", dollars(award.amount_cents)), fact("Stands", award.stands), fact("Came to the meter", came), fact("Wagers of its round", wagers))],
    build: () => ({ type: "ApproveAward", award: key(award), amount_cents: award.amount_cents }),
  });
}

/** An award whose own table cannot settle it any more. */
export async function settleAward(page, sheet, link, award) {
  const { came, wagers } = (await ledgerSays(link))(award);
  const choice = either("settled", [["paid", "It was paid to the player"], ["rejected", "It is rejected: the amount goes back to the meter"]]);
  const said = link.figures.reported.find((one) => one.table === award.table && one.journal === award.journal && one.seq === award.seq);
  const cents = el("input", { type: "text", id: "paid-amount", inputmode: "decimal", autocomplete: "off", maxlength: "16", value: said ? (said.paid_cents / 100).toFixed(2) : "", placeholder: "as it was fixed" });
  decide(page, sheet, link, {
    title: `Award at ${where(award)}`,
    body: [el("p", {}, "Only where the table itself cannot: otherwise the dealer pays or the supervisor rejects at the table."),
      el("dl", { class: "facts" }, fact("Hand", `${award.hand}, ${award.part}`), fact("Amount", dollars(award.amount_cents)), fact("Of it by the house", dollars(award.house_cents)),
        fact("Meter before", dollars(award.before_cents)), fact("Meter after", dollars(award.after_cents)), fact("Claimed by the table's clock", stamp(award.at_ms)), fact("Came to the meter", came), fact("Wagers of its round", wagers), ...(said ? [fact("Paid, says the table", dollars(said.paid_cents))] : [])), choice, field("Paid in dollars, if it is not the amount above", cents)],
    build: () => {
      const paid = chosen(choice) === "paid", amount = paid ? centsOf(cents.value || "0") : 0;
      return !chosen(choice) ? "Choose what became of it." : amount === null ? "Write what was paid, such as 100.00" : { type: "SettleAward", award: key(award), paid, amount_cents: amount };
    },
  });
}

function either(name, options) {
  return el("fieldset", { class: "choice" }, el("legend", { class: "dim" }, "Decision"), ...options.map(([value, words]) =>
    el("label", {}, el("input", { type: "radio", name, value }), words)));
}

const chosen = (choice) => choice.querySelector("input:checked")?.value;

/** Everything else that can be decided about a link; the page offers only what the people here may decide. */
export function linkDecisions(page, sheet, link) {
  const { state, terms } = link.figures;
  const amount = (id, label) => el("input", { type: "text", id, inputmode: "decimal", autocomplete: "off", maxlength: "16", placeholder: label });
  const simple = (type, title, words) => decide(page, sheet, link, { title, body: [el("p", {}, words)], build: () => ({ type }) });
  const correct = () => {
    const wanted = amount("new-amount", "such as 12500.00");
    const old = state.amount_cents;
    decide(page, sheet, link, {
      title: "Correct the meter", body: [el("p", {}, "The meter shows ", el("strong", {}, dollars(old)), ". If a wager is booked meanwhile, this is refused and you look again: stop the link first while tables play."), field("New amount in dollars", wanted)],
      build: () => (centsOf(wanted.value) === null ? "Write the new amount, such as 12500.00" : { type: "Correct", old_cents: old, new_cents: centsOf(wanted.value) }),
    });
  };
  const transfer = () => {
    const others = page.view.links.filter((one) => one.link !== link.link);
    const to = el("select", { id: "to-link" }, ...others.map((one) => el("option", { value: one.link }, one.link)));
    const cents = amount("move-amount", "from the meter"), hidden = amount("move-hidden", "from the reset meter"), over = amount("move-overflow", "from the overflow");
    decide(page, sheet, link, {
      title: "Transfer to another link", body: [field("To link", to), el("div", { class: "pair" }, field("Dollars from the meter", cents), field("Dollars from the reset meter", hidden), ...(terms.overflow_seeds_next ? [field("Dollars of overflow", over)] : []))],
      build: () => {
        const [shown, reset, seeds] = [cents, hidden, over].map((one) => centsOf(one.value || "0"));
        return [shown, reset, seeds].includes(null) || !to.value ? "Write the amounts, such as 100.00" : { type: "Transfer", to: to.value, cents: shown, reset_meter_cents: reset, overflow_cents: seeds };
      },
    });
  };
  const overflow = () => {
    const cents = amount("overflow-amount", "such as 100.00");
    decide(page, sheet, link, {
      title: "Take the overflow to the house", body: [el("p", {}, "The overflow holds ", el("strong", {}, link.accounts.overflow), ". On this link it does not seed the next jackpot: it is the house's. The meter stays as it is."), field("Dollars of overflow", cents)],
      build: () => (centsOf(cents.value) ? { type: "TakeOverflow", cents: centsOf(cents.value) } : "Write how much, such as 100.00"),
    });
  };
  const swap = () => {
    const joined = link.tables.filter((one) => one.joined);
    const table = el("select", { id: "swap-table" }, ...joined.map((one) => el("option", { value: one.table }, one.table)));
    const journal = el("input", { type: "text", id: "swap-journal", maxlength: "64", autocomplete: "off" });
    decide(page, sheet, link, {
      title: "A table has a new board", body: [el("p", {}, "The old journal is locked out for ever. The new one's name is in the alarm of the refused table."), field("Table", table), field("New journal", journal)],
      build: () => {
        const old = joined.find((one) => one.table === table.value);
        return old && /^[A-Za-z0-9_-]{1,64}$/.test(journal.value) ? { type: "SwapBoard", table: old.table, old_journal: old.journal, new_journal: journal.value } : "Write the new journal's name.";
      },
    });
  };
  const close = () => {
    const names = el("input", { type: "text", id: "given-up", autocomplete: "off", "aria-describedby": "given-up-means", placeholder: "none" });
    decide(page, sheet, link, {
      title: "Close the link for good", body: [el("p", {}, "What is left on its meters goes to the house. This cannot be undone. Have every table closed and stop the link first: no wager may be left out."),
        field("Tables given up, such as T7, T8", names),
        el("p", { class: "dim", id: "given-up-means" }, "Only a table that will not come back: nobody waits for it, and what it has not handed in is not booked. Its name stands in the ledger beside both of yours.")],
      build: () => {
        const given = [...new Set(names.value.split(/[\s,;]+/).filter(Boolean))];
        const strangers = given.filter((name) => !link.tables.some((one) => one.joined && one.table === name));
        return strangers.length ? `Table ${strangers.join(", ")} has not joined this link: there is nothing to give up. Write each name as the list of tables has it.` : { type: "Close", given_up: given };
      },
    });
  };
  const offers = [
    ["Stop", "Stop the link", !state.alive, () => simple("Stop", "Stop the link", "No table may take progressive wagers on this link until two persons open it again.")],
    ["Reopen", "Open the link again", state.health !== "stopped", () => simple("Reopen", "Open the link again", `It was stopped: ${state.notice}`)],
    ["Correct", "Correct the meter", false, correct],
    ["Transfer", "Transfer to another link", page.view.links.length < 2, transfer],
    ["TakeOverflow", "Take the overflow to the house", terms.overflow_seeds_next || link.figures.accounts.overflow < 10000, overflow],
    ["SwapBoard", "A table has a new board", !link.tables.some((one) => one.joined), swap],
    ["Close", "Close the link for good", state.health === "closed", close],
  ];
  sheet.open(el("div", { class: "sheet" }, el("h2", {}, `Link ${link.link}`),
    ...offers.map(([type, words, shut, open]) => el("button", { type: "button", disabled: shut || !page.may(type), onclick: open }, words, el("small", { class: "dim" }, page.may(type) ? "" : ` ${page.roles(type)}`))),
    el("p", { class: "dim" }, `Rate ${terms.rate_bp / 100} %, reset ${dollars(terms.reset_cents)}: parameters change only while the meter is stopped (pitlink meter --apply-terms).`),
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => sheet.close() }, "Close"))));
}
