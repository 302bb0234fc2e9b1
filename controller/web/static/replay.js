// Replay: a round from the journal as the table stood, event by event and along its time; a list finds the round.
import { ask, el, say as write, withRule } from "./common.js";
import { cardChip, shape } from "./shapes.js";
import { readWords } from "./words.js";

const words = await readWords("replay_script");
const { say, exact } = words;
const at = (id) => document.getElementById(id);
const SPEED = 12, LONGEST_PAUSE_MS = 1500, MOST_READ = 5, BESIDE_SEAT = 2;
const clock = new Intl.DateTimeFormat(words.locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(words.locale, { dateStyle: "medium" });
const short = new Intl.DateTimeFormat(words.locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const SHAPES = { dark: "ring", open: "half", lit: "disc", look: "rays" };
const KINDS = [[/refus/i, "octagon"], [/lock-out|closed/i, "padlock"], [/count|chips? .*lights?/i, "tick"], [/meter/i, "grow"], [/win|shows/i, "eye"], [/paid|slip/i, "paper"], [/validated|over|end of round/i, "tick"], [/chip|coupon|wager/i, "disc"], [/open/i, "half"]];
let frames = [], round = null, place = 0, playing = 0, span = 1, seek = 0;

// --- the round as it stood

function show(next) {
  place = next;
  const frame = frames[place];
  at("place").value = frame.since_ms;
  at("place").setAttribute("aria-valuetext", `${clock.format(frame.at_ms)} ${frame.sentence}`);
  at("place").style.setProperty("--done", `${(100 * frame.since_ms) / span}%`);
  write("what", `${frame.sentence}.`);
  write("when", say("when", { time: `${clock.format(frame.at_ms)}.${String(frame.at_ms % 1000).padStart(3, "0")}`, span: spanOf(frame.since_ms), number: frame.number }));
  write("at", clock.format(frame.at_ms));
  const differs = frame.differs ? ` ${say("differs", { words: frame.differs })}` : "";
  write("refused", (frame.refusal ? say("refused", { words: withRule(frame.refusal.reason, frame.refusal.rule) }) : "") + differs);
  at("lights").replaceChildren(...seats(frame));
  const rows = [...frame.payments.filter((one) => one.cards.length > BESIDE_SEAT).slice(-1).map((one) => [say("cards_of", { seat: one.seat }), one.cards]), ...(frame.community.length ? [[say("shared"), frame.community]] : [])];
  at("shared").replaceChildren(...rows.map(([label, cards]) => el("div", {}, el("span", { class: "cards" }, ...cards.map((word) => cardChip(word, { large: true }))), label)));
  const paid = frame.payments.filter((one) => one.meter_before_cents);
  const facts = [["count", frame.count.words || say("not_counted")], ...(paid.length ? [["before", exact(paid[0].meter_before_cents)], ["after", exact(paid.at(-1).meter_after_cents)]] : []),
    ...frame.payments.map((one) => [say("claim", { seat: one.seat, hand: one.hand }), `${one.amount} · ${one.state_words}`, true])];
  at("facts").replaceChildren(...facts.map(([label, value, isSaid]) => el("div", {}, el("dt", {}, isSaid ? label : say(label)), el("dd", {}, value))));
  const proof = [["phase", frame.phase], ["gates", frame.gates_open.join(", ") || say("none")], ["to_meter", frame.to_meter.join("; ") || say("nothing")], ["seal", frame.hash]];
  at("details").replaceChildren(...proof.flatMap(([label, value]) => [el("dt", {}, say(label)), el("dd", {}, value)]));
  for (const [index, item] of [...at("events").children].entries()) {
    item.firstChild.setAttribute("aria-current", String(index === place));
    item.firstChild.classList.toggle("later", index > place);
  }
  const current = at("events").children[place], list = at("events");
  if (list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** The seats of the table on an arc, the middle ones farthest from the dealer, seat 1 at his left. */
function seats(frame) {
  const all = Object.entries(frame.lights), middle = (all.length - 1) / 2 || 1;
  return all.map(([seat, light], index) => {
    const number = Number(seat), shown = frame.refused_at.includes(number) ? "look" : light;
    const won = frame.payments.filter((one) => one.seat === number);
    const kind = won.length ? "claims" : frame.folded.includes(number) ? "folded" : shown === "lit" && frame.no_win.includes(number) ? "answered" : shown;
    const word = won.length ? won[0].amount : kind === "answered" ? say("no_win_word") : kind === "folded" ? say("folded_word") : say(`light_${shown}`);
    const cards = won.filter((one) => one.cards.length <= BESIDE_SEAT).slice(-1).flatMap((one) => one.cards);
    const item = el("li", { class: kind, "aria-label": say("seat", { seat, word }) }, el("b", {}, seat), shape(SHAPES[shown]), el("span", {}, word),
      cards.length ? el("div", { class: "hand" }, ...cards.map((one) => cardChip(one))) : null);
    item.style.setProperty("--drop", String(((index - middle) / middle) ** 2));
    return item;
  });
}

function spanOf(ms) {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? say("seconds", { seconds: (ms / 1000).toFixed(1) }) : say("minutes", { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

const kindOf = (frame) => (frame.refusal ? "octagon" : KINDS.find(([pattern]) => pattern.test(frame.sentence))?.[1] ?? "clock");

async function load(number) {
  stop();
  const answer = await ask(`/replay/data${number === null ? "" : `?round=${number}`}`);
  at("story").hidden = answer.status !== 200;
  write("said", answer.status === 200 ? "" : answer.error);
  if (answer.status !== 200) return;
  ({ frames, round } = answer.replay);
  const { table, game } = answer.replay;
  history.replaceState(null, "", `/replay?round=${round}`);
  write("title", say("about", { table, game, round: words.count(round), day: date.format(frames[0].at_ms) }));
  document.title = say("page", { table, round });
  const slips = [...new Set(frames.at(-1).payments.map((one) => one.slip).filter(Boolean))];
  at("papers").replaceChildren(...slips.map((slip) => el("a", { class: "button", href: `/slip/${slip}` }, shape("paper"), say("slip", { number: slip }))), el("a", { class: "button", href: "/panel" }, say("panel")));
  span = Math.max(1, ...frames.map((frame) => frame.since_ms));
  at("place").max = span;
  write("begin", clock.format(frames[0].at_ms));
  write("end", clock.format(frames.at(-1).at_ms));
  write("count", say("number_of_events", { events: frames.length }));
  at("events").replaceChildren(...frames.map((frame, index) => el("li", {}, el("button", { type: "button", onclick: () => { stop(); show(index); } },
    el("time", {}, clock.format(frame.at_ms)), shape(kindOf(frame)), el("span", { class: frame.refusal ? "refused" : "" }, frame.sentence, frame.refusal ? el("small", {}, say("was_refused")) : "")))));
  track();
  show(0);
  mark();
}

// --- along the time

function track() {
  const parts = [];
  for (const frame of frames) if (parts.at(-1)?.phase !== frame.phase) parts.push({ phase: frame.phase, from: frame.since_ms });
  at("phases").replaceChildren(...parts.map(({ phase, from }, index) => {
    const until = parts[index + 1]?.from ?? span, part = el("span", { class: `phase ${phase.replaceAll(" ", "_")}`, title: phase }, (until - from) / span > 0.09 ? phase : "");
    part.style.left = `${(100 * from) / span}%`;
    part.style.width = `${Math.max(0.4, (100 * (until - from)) / span)}%`;
    return part;
  }));
  at("ticks").replaceChildren(...frames.map((frame) => { const tick = el("i", { class: frame.refusal ? "refused" : "" }); tick.style.left = `${(100 * frame.since_ms) / span}%`; return tick; }));
}

const move = (by) => { stop(); show(Math.max(0, Math.min(frames.length - 1, place + by))); };

/** The event at or before a moment of the round. */
function seekTo(ms) {
  stop();
  show(Math.max(0, frames.findLastIndex((frame) => frame.since_ms <= ms)));
}

function play() {
  if (playing) { stop(); return; }
  if (place === frames.length - 1) show(0);
  at("play").replaceChildren(shape("pause"));
  const next = () => {
    if (place >= frames.length - 1) { stop(); return; }
    const wait = Math.min(LONGEST_PAUSE_MS, (frames[place + 1].since_ms - frames[place].since_ms) / SPEED + 250);
    playing = setTimeout(() => { show(place + 1); next(); }, wait);
  };
  next();
}

function stop() {
  clearTimeout(playing);
  playing = 0;
  at("play").replaceChildren(shape("play"));
}

// --- the list of rounds

function wanted() {
  const asked = new URLSearchParams({ words: at("search").value.trim() });
  const day = at("day").value ? new Date(`${at("day").value}T00:00`) : null;
  if (day) { asked.set("from", String(day.getTime())); asked.set("until", String(new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime())); }
  if (at("awards").getAttribute("aria-pressed") === "true") asked.set("awards", "1");
  return asked;
}

/** Reads on until there is something to show, a part of the journal at a time. */
async function find(before = null) {
  const mine = (seek += 1), asked = wanted();
  let found = 0;
  if (before === null) at("rounds").replaceChildren();
  for (let part = 0; part < MOST_READ && found < 8; part += 1) {
    if (before !== null) asked.set("before", String(before));
    const answer = await ask(`/replay/rounds?${asked}`);
    if (mine !== seek) return;
    if (answer.status !== 200) { write("found", answer.error); return; }
    at("rounds").append(...answer.rounds.map(row));
    found += answer.rounds.length;
    ({ before } = answer);
    if (!before) break;
  }
  write("found", at("rounds").children.length ? "" : say(before ? "none_yet" : "none_found"));
  at("older").hidden = !before;
  at("older").dataset.before = String(before);
  mark();
}

function row(one) {
  const hands = one.hands.map(([seat, hand]) => say("hand_at", { seat, hand })).join("; ");
  const text = hands ? `${hands.slice(0, 1).toUpperCase()}${hands.slice(1)}` : one.void ? say("void", { why: one.void }) : say(one.is_over ? "no_win" : "not_over");
  return el("li", {}, el("button", { type: "button", "data-round": String(one.round), onclick: () => load(one.round) },
    el("span", { class: "number" }, el("strong", {}, words.count(one.round)), el("small", {}, when(one.at_ms))),
    el("span", { class: "text" }, el("strong", {}, text), el("small", {}, say("wagers", { wagers: one.wagers }), one.people.length ? ` · ${one.people.join(", ")}` : "")),
    el("span", { class: "amount" }, one.paid_cents ? exact(one.paid_cents) : "–")));
}

const when = (ms) => (new Date(ms).toDateString() === new Date().toDateString() ? clock : short).format(ms);

function mark() {
  for (const button of at("rounds").querySelectorAll("button")) button.setAttribute("aria-current", String(Number(button.dataset.round) === round));
}

words.fill();
at("search-mark").append(shape("search"));
at("back").append(shape("back"));
const forth = shape("back");
forth.classList.add("forth");
at("on").append(forth);
at("back").addEventListener("click", () => move(-1));
at("on").addEventListener("click", () => move(1));
at("play").addEventListener("click", play);
at("place").addEventListener("input", () => seekTo(Number(at("place").value)));
at("place").addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (by) { event.preventDefault(); move(by); }
});
let typed = 0;
at("search").addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(() => find(), 250); });
at("which").addEventListener("submit", (event) => { event.preventDefault(); find(); });
at("day").addEventListener("change", () => find());
at("awards").addEventListener("click", () => { at("awards").setAttribute("aria-pressed", String(at("awards").getAttribute("aria-pressed") !== "true")); find(); });
at("older").addEventListener("click", () => find(Number(at("older").dataset.before)));
stop();
const asked = new URLSearchParams(location.search).get("round");
await load(asked === null ? null : Number(asked));
await find();
