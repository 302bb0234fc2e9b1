// The floor: every link and table as the meter shows them, what waits for people, and their word.
import { ask, dollars, draw, el, follow, keepToken, say } from "/static/common.js";
import { signIn } from "/static/keypad.js";
import { chart, moment } from "./chart.js";
import { decideDoubted, decideHeld, linkDecisions, orderClaims, refresh, approveAward, settleAward } from "./decide.js";
import { Sheet } from "./sheet.js";

const HEALTH = { good: ["●", "good"], attention: ["▲", "needs attention"], stopped: ["■", "stopped"], closed: ["□", "closed"], "broker lost": ["○", "has lost the broker"] };
const SPANS = ["hour", "day", "month"];
const AGAIN_MS = 5000;

const page = {
  site: "floor", view: null, people: [], stop: null, rights: {}, ahead: 0, grown: {}, tables: {},
  roles: (action) => (page.rights[action] ?? []).join(" or "),
  may: (action) => page.people.some((person) => (page.rights[action] ?? []).includes(person.role)),
  done: (words) => say("done", words),
};
const sheet = new Sheet();
const nowMs = () => Date.now() + page.ahead;

/** Goes on at once if somebody who may is here, and asks for a PIN if not. */
async function whenAllowed(action, goOn) {
  if (page.may(action) || await signIn(sheet, page, page.rights[action], enter)) goOn();
}

async function enter(session) {
  keepToken(session);
  Object.assign(page, { people: session.people, remote: session.remote });
  await begin();
}

async function begin() {
  page.stop?.();
  const now = await ask("/floor/now");
  if (now.status === 200) Object.assign(page, { rights: now.rights, ahead: now.now_ms - Date.now() });
  if (now.may_look === false) { await signIn(sheet, page, null, enter); return; }
  page.stop = follow("/floor/stream", shown);
}

async function shown(view) {
  const isOther = page.view && page.view.started_ms !== view.started_ms;
  if (isOther) page.tables = {};
  Object.assign(page, { view, people: view.people });
  view.links.forEach(completed);
  show();
  if (isOther) enter(await ask("/floor/session"));
}

/** A frame has only those tables of which something is new; the page knows the others. */
function completed(link) {
  const known = page.tables[link.link] ??= new Map();
  link.news = link.tables;
  for (const table of link.news) known.set(table.table, table);
  link.tables = [...known.values()];
}

function show() {
  const { links, alarms } = page.view;
  const waiting = links.reduce((sum, link) => sum + link.held.length + link.figures.doubted.length + (isContested(link) ? 1 : 0), 0);
  const here = links.flatMap((link) => link.tables).filter((table) => table.alive).length;
  const all = links.reduce((sum, link) => sum + link.tables.length, 0);
  say("summary", `${alarms.length ? `${alarms.length} alarm${alarms.length > 1 ? "s" : ""}` : "No alarms"} · ${waiting || "nothing"} to decide · ${here} of ${all} tables ${links.every((link) => link.is_up) ? "present" : "heard"}`);
  draw("people", page.people, people);
  draw("alarms", [alarms, page.people], () => list(alarms.map(alarm), "No alarm is open."));
  draw("waiting", links.map((link) => [link.contest, link.in_order, link.held, link.figures.doubted]), () => list(links.flatMap(toDecide), "Nothing waits."));
  draw("pending", links.map((link) => [link.awards, link.waiting]), () => list(links.flatMap(pending), "None."));
  draw("links", links.map((link) => link.link), () => links.map(card));
  links.forEach(update);
  refresh(page, sheet);
}

const isContested = (link) => link.contest.length > 0 && !link.in_order;
const list = (items, none) => (items.length ? items : [el("li", { class: "none" }, el("span", { class: "dim" }, none))]);
const ago = (ms, words = "") => told(el("span", { "data-at": String(ms), "data-words": words }));

function people() {
  const here = page.people.map((person) => el("button", {
    type: "button", class: "plain", "data-key": person.name, onclick: () => leave(person.name), "aria-label": `${person.name}, ${person.role}: sign out`,
  }, person.name, el("small", {}, `${person.role} · sign out`)));
  const history = page.may("see history") ? [button("History", "plain", showHistory)] : [];
  return [...history, ...here, button(page.people.length ? "Another person…" : "Sign in", page.people.length ? "" : "main", () => signIn(sheet, page, null, enter))];
}

const leave = async (name) => enter(await ask("/floor/sign-out", { name }));
const button = (text, kind, act, name = text) => el("button", { type: "button", class: kind, "data-key": name, onclick: act }, text);

function alarm(one) {
  const again = one.times > 1 ? [el("p", { class: "dim" }, `${one.times} times, last `, ago(one.last_ms), one.latest_words === one.alarm.words ? "" : `: ${one.latest_words}`)] : [];
  const link = one.alarm.link ? `link ${one.alarm.link}` : "the whole floor";
  const place = one.alarm.table ? `table ${one.alarm.table}` : link;
  return el("li", {}, el("strong", {}, `${one.alarm.kind}: ${place}`),
    el("button", { type: "button", "data-key": `alarm ${one.number}`, "aria-label": `Acknowledge: ${one.alarm.kind}, ${place}`, onclick: () => whenAllowed("acknowledge", () => acknowledge(one)) }, "Acknowledge"),
    el("p", {}, one.alarm.words), ...again, el("p", { class: "dim" }, one.stands ? one.alarm.advice : "its cause is gone", " · since ", moment(one.at_ms)));
}

async function acknowledge(one) {
  const answer = await ask("/floor/acknowledge", { alarm: one.number });
  page.done(answer.accepted ? `Acknowledged: ${one.alarm.kind}.` : answer.reason || answer.error);
}

function toDecide(link) {
  const contested = isContested(link) ? [el("li", {}, el("strong", {}, `Claims at tables ${[...new Set(link.contest.map((claim) => claim.table))].join(", ")}`),
    button("Enter the order", "main", () => whenAllowed("OrderClaims", () => orderClaims(page, sheet, newest(link))), `order ${link.link}`),
    el("p", { class: "dim" }, `link ${link.link}: who comes first is for management to say`))] : [];
  return [...contested, ...link.held.map((held) => el("li", {}, el("strong", {}, `Held wagers of table ${held.table}`),
    button("Decide", "main", () => whenAllowed("DecideHeld", () => decideHeld(page, sheet, newest(link), held)), `held ${link.link} ${held.table} ${held.seq}`),
    el("p", { class: "dim" }, held.reason))), ...link.figures.doubted.map((claim) => el("li", {}, el("strong", {}, `Held claim of table ${claim.award.table} seat ${claim.award.seat}`),
    button("Decide", "main", () => whenAllowed("DecideHeld", () => decideDoubted(page, sheet, newest(link), claim)), `doubted ${link.link} ${claim.award.table} ${claim.award.seq}`),
    el("p", { class: "dim" }, claim.reason)))];
}

function pending(link) {
  const parts = [...link.awards.filter((award) => award.is_part), ...link.waiting];
  const waiting = link.waiting.map((claim) => el("li", {}, el("strong", {}, `amount not fixed: table ${claim.table} seat ${claim.seat}`),
    el("span", {}, claim.is_contested ? "contested" : `waits for table ${parts[parts.indexOf(claim) - 1].table}`), about(link, claim)));
  return [...link.awards.map((award) => el("li", {}, el("strong", {}, `${dollars(award.amount_cents)} table ${award.table} seat ${award.seat}`),
    award.is_contested ? el("span", {}, "contested") : button("Settle…", "plain", () => whenAllowed("SettleAward", () => settleAward(page, sheet, newest(link), award)), `award ${link.link} ${award.table} ${award.seq}`),
    award.needs_approval ? button("Approve…", "main", () => whenAllowed("ApproveAward", () => approveAward(page, sheet, newest(link), award)), `approve ${link.link} ${award.table} ${award.seq}`) : null,
    about(link, award), el("p", { class: "dim" }, award.stands))), ...waiting];
}

const about = (link, claim) => el("p", { class: "dim" }, `${claim.hand}, ${claim.part} · link ${link.link} · claimed ${moment(claim.at_ms)}`);

/** A sheet opens on what the page shows now, not on what it showed when the button was drawn. */
const newest = (link) => page.view.links.find((one) => one.link === link.link);

function card(link) {
  const name = link.link;
  page.grown[name] ??= { span: "day", number: -1, asked: 0 };
  return el("article", { class: "link", "aria-labelledby": `${name}-name` },
    el("header", {}, el("h2", { id: `${name}-name` }, `Link ${name}`), el("span", { class: "amount", id: `${name}-amount` }), el("span", { class: "health", id: `${name}-health` }),
      button("Decide…", "", () => whenAllowed("Stop", () => linkDecisions(page, sheet, newest(link))), `decide ${name}`)),
    el("div", { class: "above" }, el("div", { class: "spans", role: "group", "aria-label": `Growth of meter ${name}` }, ...SPANS.map((span) => el("button", {
      type: "button", "data-key": `${name} ${span}`, "data-span": span, "aria-pressed": String(page.grown[name].span === span), onclick: (event) => choose(name, event.currentTarget),
    }, `Last ${span}`))),
      button("Statement", "plain", () => whenAllowed("see statement", () => window.open(`/statement?link=${name}`, "_blank", "noopener")), `statement ${name}`)),
    el("div", { class: "chart", id: `${name}-chart` }), el("dl", { class: "facts", id: `${name}-facts` }),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Tables of link ${name}` }, el("table", { id: `${name}-tables` })),
    el("details", {}, el("summary", {}, "Accounts and messages"), el("dl", { class: "facts", id: `${name}-accounts` })));
}

function update(link) {
  const { state, terms } = link.figures, name = link.link;
  const [mark, words] = HEALTH[link.health];
  say(`${name}-amount`, dollars(state.amount_cents));
  say(`${name}-health`, `${mark} ${words}${terms.rehearsal ? " · REHEARSAL" : ""}`);
  document.getElementById(`${name}-health`).classList.toggle("bad", link.health !== "good");
  const facts = [["Notice", state.notice || "none"], ["Wagered", dollars(state.in_cents)], ["Paid", `${dollars(state.wins_cents)} in ${state.hits}`], ["Rate", `${terms.rate_bp / 100} %`],
    ["After the whole meter", dollars(terms.reset_cents)], ["Limit", terms.limit_cents ? dollars(terms.limit_cents) : "none"], ...(terms.ends_on ? [["Last day", terms.ends_on]] : []), ["Record", String(state.number)]];
  draw(`${name}-facts`, [facts, link.is_up, link.up_since_ms], () => [...facts.map(([label, value]) => pair(label, value)), pair(link.is_up ? "Broker connected" : "Broker lost", ago(link.up_since_ms))]);
  const isTechnician = page.people.some((person) => person.role === "technician");
  draw(`${name}-tables`, [link.tables.map((table) => table.table), isTechnician], () => tables(link, isTechnician));
  const isNew = !document.getElementById(`${name}-tables`).querySelector("td");
  for (const table of isNew ? link.tables : link.news) draw(`${name}-row-${table.table}`, [table, isTechnician], () => cells(name, table, isTechnician));
  draw(`${name}-accounts`, [link.accounts, link.messages], () => [
    ...Object.entries(link.accounts).map(([account, exact]) => pair(account, exact)),
    pair("chips", `${link.figures.chips}, ${dollars(link.figures.chip_cents)}`), pair("coupons", `${link.figures.coupons}, ${dollars(link.figures.coupon_cents)}`),
    ...Object.entries(link.messages).map(([kind, count]) => pair(`messages ${kind}`, String(count)))]);
  grow(link);
}

const pair = (label, value) => el("div", {}, el("dt", {}, label), el("dd", {}, value));

function tables(link, isTechnician) {
  const heads = ["Table", "State", "Game", "Booked", "Last round", "Last heard", ...(isTechnician ? ["Software", "Configuration", "Journal"] : [])];
  return [el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col", class: head === "Booked" ? "number" : "" }, head)))),
    el("tbody", {}, ...link.tables.map((table) => el("tr", { id: `${link.link}-row-${table.table}` })))];
}

/** One row: of hundreds of tables only those are drawn again of which something is new. */
function cells(link, table, isTechnician) {
  const [mark, words] = table.alive === null ? ["○", table.since_ms ? "unknown since the broker was lost," : "not heard of"] : table.alive ? ["●", "present"] : ["✕", "gone"];
  const game = table.joined ? `${table.game.replaceAll("-", " ")} ${table.pay_table}, ${dollars(table.stake_cents)}` : "has never joined";
  document.getElementById(`${link}-row-${table.table}`).classList.toggle("gone", table.alive === false);
  return [el("th", { scope: "row" }, table.table),
    el("td", { class: "state" }, `${mark} ${words} `, table.since_ms ? ago(table.since_ms, table.alive === null ? "" : "for") : ""), el("td", {}, game), el("td", { class: "number" }, String(table.booked_seq)),
    el("td", {}, table.wagered_ms ? ago(table.wagered_ms) : ""), el("td", {}, table.heard_ms ? ago(table.heard_ms) : ""),
    ...(isTechnician ? [table.software, table.config_hash.slice(0, 12), table.journal].map((word) => el("td", {}, word)) : [])];
}

function choose(name, pressed) {
  page.grown[name] = { span: pressed.dataset.span, number: -1, asked: 0 };
  for (const one of pressed.parentElement.children) one.setAttribute("aria-pressed", String(one === pressed));
  grow(newest({ link: name }));
}

/** Asks for the growth again when the meter has moved, but not more often than people look. */
async function grow(link) {
  const grown = page.grown[link.link], number = link.figures.state.number;
  if (grown.number === number || grown.busy || Date.now() - grown.asked < AGAIN_MS) return;
  Object.assign(grown, { busy: true, asked: Date.now() });
  const answer = await ask(`/floor/growth/${link.link}?span=${grown.span}`);
  grown.busy = false;
  if (grown !== page.grown[link.link] || answer.status !== 200) return;
  grown.number = number;
  draw(`${link.link}-chart`, [grown.span, answer.points], () => chart(link.link, grown.span, answer.points, nowMs()));
}

/** Each kind of line as who, what, about. */
const tell = {
  Acknowledged: ({ alarm, by }, raised) => [by, "acknowledged", raised.has(alarm) ? `${raised.get(alarm).kind} ${raised.get(alarm).table}: ${raised.get(alarm).words}` : `alarm ${alarm}`],
  Used: ({ by, what, about }) => [by, what, about],
  MeterRun: ({ what, machine, program, words }) => ["the meter", what, `on ${machine} as pitlink ${program}${words ? `, ${words}` : ""}`],
  StaffChanged: ({ by, and_by: second, what, directory }) => [second ? `${by} and ${second}` : by, what, `staff directory ${directory}`],
  Awarded: (said) => ["the meter", `award ${said.what}`, `link ${said.link}, table ${said.table} seat ${said.seat}: ${said.hand.replaceAll("_", " ")} ${dollars(said.amount_cents)}${said.words ? `, ${said.words}` : ""}`],
};

async function showHistory() {
  const found = await ask("/floor/history");
  if (found.status !== 200) { page.done(found.error); return; }
  const raised = new Map(found.alarms.map((note) => [note.number, note.said]));
  const words = ({ said }) => tell[said.type](said, raised);
  sheet.open(el("div", { class: "sheet" }, el("h2", {}, "Who did what, newest first"),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "History" }, el("table", {},
      el("thead", {}, el("tr", {}, ...["Line", "When", "Who", "What", "About"].map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, ...found.notes.map((note) => el("tr", {}, el("td", {}, String(note.number)), el("td", {}, moment(note.at_ms)), ...words(note).map((word) => el("td", {}, word))))))),
    el("div", { class: "row" }, el("button", { type: "button", onclick: () => sheet.close() }, "Close"))));
}

/** Says how long ago, by the meter's clock. */
function told(place) {
  const span = age(Math.max(0, nowMs() - Number(place.dataset.at)));
  const { words } = place.dataset;
  const text = words ? `${words} ${span === "now" ? "a moment" : span}` : span === "now" ? "just now" : `${span} ago`;
  if (place.textContent !== text) place.textContent = text;
  return place;
}

function age(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds - seconds % 5} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min` : `${Math.floor(seconds / 86400)} days`;
}

setInterval(() => { if (page.view) { document.querySelectorAll("[data-at]").forEach(told); page.view.links.forEach(grow); } }, 1000);
const session = await ask("/floor/session");
if (session.status === 200) await enter(session); else await begin();
