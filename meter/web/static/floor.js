// The floor: every link and table as the meter shows them, what waits for people, and their word.
import { ask, draw, el, follow, keepToken, say as write } from "/static/common.js";
import { signIn } from "/static/keypad.js";
import { shape } from "/static/shapes.js";
import { orderClaims } from "./contest.js";
import { approveAward, decideDoubted, decideHeld, linkDecisions, refresh, settleAward } from "./decide.js";
import { age, moment, say, spoken, time, when, words } from "./floor_words.js";
import { drawLinks, followGrowth, isContested } from "./links.js";
import { drawMap, watchMap } from "./map.js";
import { Sheet } from "./sheet.js";
import { ring, showSound } from "./sound.js";

const page = {
  site: "floor", view: null, people: [], stop: null, rights: {}, ahead: 0, grown: {}, tables: {},
  roles: (action) => (page.rights[action] ?? []).join(` ${say("or")} `),
  may: (action) => page.people.some((person) => (page.rights[action] ?? []).includes(person.role)),
  done: (text) => write("done", text),
  now: () => Date.now() + page.ahead,
  whenAllowed, newest, told, button,
};
const sheet = new Sheet();
const { exact } = words;

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
  if (now.status === 200) {
    Object.assign(page, { rights: now.rights, ahead: now.now_ms - Date.now() });
    write("house", now.property ? `${now.property} · ${say("gaming_day", { day: now.day })}` : say("gaming_day", { day: now.day }));
  }
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
  const all = links.flatMap((link) => link.tables);
  const here = all.filter((table) => table.alive).length;
  write("summary", say(links.every((link) => link.is_up) ? "present" : "heard", { here, all: all.length }));
  write("waiting-count", waiting ? String(waiting) : "");
  const owed = links.flatMap((link) => link.awards).reduce((sum, award) => sum + award.amount_cents, 0);
  write("owed", owed ? exact(owed) : "");
  draw("people", page.people, people);
  draw("alarms", [alarms, page.people], () => list(alarms.map(alarm), "no_alarm"));
  draw("waiting", links.map((link) => [link.contest, link.in_order, link.held, link.figures.doubted]), () => list(links.flatMap(toDecide), "nothing_waits"));
  draw("pending", links.map((link) => [link.awards, link.waiting]), () => list(links.flatMap(pending), "none"));
  drawLinks(page, sheet);
  drawMap(page, sheet);
  ring(alarms, waiting);
  refresh(page, sheet);
}

const list = (items, none) => (items.length ? items : [el("li", { class: "none" }, el("span", { class: "dim" }, say(none)))]);
const ago = (ms, since = "") => told(el("span", { "data-at": String(ms), "data-since": since }));

function initials(name) {
  return name.split(/\s+/).map((part) => part[0]).slice(0, 2).join("").toUpperCase();
}

function people() {
  const here = page.people.map((person) => el("button", {
    type: "button", class: "signed", "data-key": person.name, onclick: () => leave(person.name), "aria-label": say("sign_out_of", { name: person.name, role: person.role }),
  }, el("span", { class: "avatar", "aria-hidden": "true" }, initials(person.name)), el("span", { class: "who" }, person.name, el("small", {}, say("role_out", { role: person.role })))));
  const history = page.may("see history") ? [button(say("history"), "plain", showHistory)] : [];
  return [...history, ...here, button(say(page.people.length ? "another" : "sign_in"), page.people.length ? "" : "main", () => signIn(sheet, page, null, enter))];
}

const leave = async (name) => enter(await ask("/floor/sign-out", { name }));

function button(text, kind, act, name = text) {
  return el("button", { type: "button", class: kind, "data-key": name, onclick: act }, text);
}

/** A note beside the map: its shape, what it says, and what can be done about it. */
function note(kind, mark, title, texts, foot, act) {
  return el("li", { class: `note ${kind}` }, shape(mark), el("strong", {}, title),
    ...texts.filter(Boolean).map((text) => el("p", {}, text)), el("div", { class: "foot" }, el("span", { class: "dim" }, ...foot), act));
}

const MARKS = { "table lost": "plug", "broker lost": "plug", "link stopped": "octagon", "claims contested": "clock", "award held": "clock", "wagers held": "clock", "approval wanted": "person", "validation refused": "person", "wrong PIN": "person" };

function alarm(one) {
  const place = one.alarm.table ? say("at_table", { table: one.alarm.table }) : one.alarm.link ? say("at_link", { link: one.alarm.link }) : say("whole_floor");
  const title = `${one.alarm.kind}: ${place}`;
  const again = one.times > 1 ? el("span", {}, say("times", { times: one.times }), " ", ago(one.last_ms), one.latest_words === one.alarm.words ? "" : `: ${one.latest_words}`) : null;
  const seen = el("button", { type: "button", "data-key": `alarm ${one.number}`, "aria-label": say("acknowledge_what", { kind: one.alarm.kind, place }), onclick: () => whenAllowed("acknowledge", () => acknowledge(one)) }, say("seen"));
  return note("stop", MARKS[one.alarm.kind] ?? "triangle", title, [one.alarm.words, one.stands ? one.alarm.advice : say("cause_gone"), again], [when(one.at_ms, page.now()), " · ", ago(one.at_ms)], seen);
}

async function acknowledge(one) {
  const answer = await ask("/floor/acknowledge", { alarm: one.number });
  page.done(answer.accepted ? say("acknowledged", { kind: one.alarm.kind }) : answer.reason || answer.error);
}

function toDecide(link) {
  const decide = (key, open) => button(say("decide"), "main", () => whenAllowed("DecideHeld", open), key);
  const contested = isContested(link) ? [note("wait", "clock", say("contest_title", { tables: [...new Set(link.contest.map((claim) => claim.table))].join(", ") }),
    [say("contest_words", { link: link.link })], [ago(Math.min(...link.contest.map((claim) => claim.at_ms)), "since")],
    button(say("enter_order"), "main", () => whenAllowed("OrderClaims", () => orderClaims(page, sheet, newest(link))), `order ${link.link}`))] : [];
  return [...contested,
    ...link.held.map((held) => note("wait", "clock", say("held_wagers", { table: held.table }), [held.reason], [], decide(`held ${link.link} ${held.table} ${held.seq}`, () => decideHeld(page, sheet, newest(link), held)))),
    ...link.figures.doubted.map((claim) => note("wait", "clock", say("held_claim", { table: claim.award.table, seat: claim.award.seat }), [claim.reason], [],
      decide(`doubted ${link.link} ${claim.award.table} ${claim.award.seq}`, () => decideDoubted(page, sheet, newest(link), claim))))];
}

/** Awards that are not yet paid, each with its table, hand and amount. */
function pending(link) {
  const parts = [...link.awards.filter((award) => award.is_part), ...link.waiting];
  const row = (claim, amount, stands, ...acts) => el("li", {}, el("span", { class: "tag" }, claim.table),
    el("div", { class: "what" }, el("strong", {}, say("hand_at", { hand: spoken(claim.hand), table: claim.table, seat: claim.seat })), el("small", {}, say("claimed", { part: claim.part, link: link.link, at: moment(claim.at_ms) })),
      stands ? el("small", {}, stands) : null),
    el("span", { class: "amount" }, amount), acts.length ? el("div", { class: "acts" }, ...acts) : null);
  const waiting = link.waiting.map((claim) => row(claim, say("not_fixed"), claim.is_contested ? say("contested") : say("waits_for", { table: parts[parts.indexOf(claim) - 1].table })));
  return [...link.awards.map((award) => row(award, exact(award.amount_cents), award.is_contested ? say("contested") : award.stands,
    ...(award.needs_approval ? [button(say("approve"), "main", () => whenAllowed("ApproveAward", () => approveAward(page, sheet, newest(link), award)), `approve ${link.link} ${award.table} ${award.seq}`)] : []),
    ...(award.is_contested ? [] : [button(say("settle"), "plain", () => whenAllowed("SettleAward", () => settleAward(page, sheet, newest(link), award)), `award ${link.link} ${award.table} ${award.seq}`)]))), ...waiting];
}

/** A sheet opens on what the page shows now, not on what it showed when the button was drawn. */
function newest(link) {
  return page.view.links.find((one) => one.link === link.link);
}

const tell = {
  Acknowledged: ({ alarm: number, by }, raised) => [by, say("did_acknowledge"), raised.has(number) ? `${raised.get(number).kind} ${raised.get(number).table}: ${raised.get(number).words}` : say("alarm_number", { number })],
  Used: ({ by, what, about }) => [by, what, about],
  MeterRun: ({ what, machine, program, words: how }) => [say("the_meter"), what, `${say("on_machine", { machine, program })}${how ? `, ${how}` : ""}`],
  StaffChanged: ({ by, and_by: second, what, directory }) => [second ? say("both", { by, second }) : by, what, say("directory", { directory })],
  Awarded: (said) => [say("the_meter"), say("award_line", { what: said.what }), `${say("award_about", { link: said.link, table: said.table, seat: said.seat, hand: said.hand.replaceAll("_", " "), amount: said.amount_cents })}${said.words ? `, ${said.words}` : ""}`],
};

async function showHistory() {
  const found = await ask("/floor/history");
  if (found.status !== 200) { page.done(found.error); return; }
  const raised = new Map(found.alarms.map((one) => [one.number, one.said]));
  sheet.open(el("div", { class: "sheet" }, el("div", { class: "head" }, el("h2", {}, say("history_title")), button(say("close"), "", () => sheet.close())),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("history") }, el("table", {},
      el("thead", {}, el("tr", {}, ...["line", "when", "who", "what", "about"].map((head) => el("th", { scope: "col" }, say(`head_${head}`))))),
      el("tbody", {}, ...found.notes.map((one) => el("tr", {}, el("td", {}, String(one.number)), el("td", {}, moment(one.at_ms)), ...tell[one.said.type](one.said, raised).map((text) => el("td", {}, text)))))))));
}

/** Says how long ago, by the meter's clock. */
function told(place) {
  const span = age(Math.max(0, page.now() - Number(place.dataset.at)));
  const { since } = place.dataset;
  const text = since ? say(since, { span: span || say("a_moment") }) : span ? say("ago", { span }) : say("just_now");
  if (place.textContent !== text) place.textContent = text;
  return place;
}

function tick() {
  if (!page.view) return;
  write("clock", time(page.now()));
  document.querySelectorAll("[data-at]").forEach(told);
  followGrowth(page);
}

words.fill();
document.title = say("title");
document.getElementById("mark").append(shape("half"));
document.getElementById("search-mark").append(shape("search"));
showSound();
watchMap(page);
setInterval(tick, 1000);
const session = await ask("/floor/session");
if (session.status === 200) await enter(session); else await begin();
tick();
