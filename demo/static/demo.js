// The demo: hands and eyes for the tables; every click goes to a pin or to a table's own interface.
import { ask, dollars, el, follow, timeOf, withRule } from "./common.js";
import { cardChip, shape } from "./shapes.js";
import { claimable, mustValidate, nextStep } from "./guide.js";

const TOUR = [
  ["chip", "Drop a chip"], ["lock", "Lock-out: the meter moves"], ["deal", "Deal a winning hand"], ["paid", "Claim, validate, pay"],
  ["both", "Win at the other table"], ["panel", "Open panel and sign"], ["fault", "Break something, see it hold"],
];
const COUNTS = { 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine" };
const done = new Set(), winners = new Set(), views = {};
const at = (id) => document.getElementById(id);
const say = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const spoken = (name) => name.replaceAll("_", " ").replace("akq", "A-K-Q");
const post = (path, body) => ask(`/demo/${path}`, body ?? {});
const face = (word) => cardChip(word, { large: true });
const hand = (label, words) => el("span", {}, label, ...words.map(face));
const figure = (text) => [...text].map((letter) => el("span", { class: /\d/.test(letter) ? "digit" : "" }, letter));

/** Builds a part again only when what it shows has changed; the focus stays on the control of the same name. */
function redraw(node, shown, build) {
  const key = JSON.stringify(shown);
  if (node.dataset.shown === key) return;
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  node.dataset.shown = key;
  node.replaceChildren(...build());
  if (focused) node.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
}

const control = (name, text, act) => el("button", { type: "button", "data-name": name, onclick: act }, text);
const faultSwitch = (fault) => el("button", {
  type: "button", "data-name": fault.name, "aria-pressed": String(fault.on), onclick: () => post(`fault/${fault.name}/${fault.on ? "off" : "on"}`),
}, fault.on ? `Mend: ${fault.label.toLowerCase()}` : fault.label);
const watching = (faults) => faults.filter((fault) => fault.on).map((fault) => el("li", {}, fault.watch));

const OWN = "own cards";
const words = (text) => text.replaceAll("10", "T").split(/[\s,]+/).filter(Boolean).map((word) => (/^jk$/i.test(word) ? "Jk" : word[0].toUpperCase() + word.slice(1).toLowerCase()));

/** What the visitor wants to be dealt: a hand or cards at a seat with a wager, or anything. */
function wished(v) {
  const seat = Number(v.who.value) || v.wagers[0];
  if (!v.wish.value || !seat) return {};
  return v.wish.value === OWN ? { seat, cards: words(v.own.value) } : { seat, hand: v.wish.value };
}

/** What to do, and why: the first words stand out. */
function hint(words) {
  const [, act, why] = words.match(/^(.+?[:.])(?: (.+))?$/) ?? [null, words, ""];
  return [shape("arrow"), el("span", {}, el("strong", {}, act.replace(/[:.]$/, "")), why ? el("small", {}, ` ${why[0].toUpperCase()}${why.slice(1)}`) : null)];
}

function makeTable(name) {
  const hand = (act, seat = 0) => () => post(`${name}/hand/${act}/${seat}`);
  const v = { seats: {}, wagers: [], tested: {}, box: el("section", { class: "table", "aria-label": `Table ${name}` }) };
  v.title = el("span", {}, `Table ${name}`); v.links = el("span", { class: "row" }); v.phase = el("span"); v.says = el("small", { "aria-live": "polite" });
  v.hint = el("p", { class: "hint", role: "status" }); v.row = el("ol", { class: "seats" }); v.dealt = el("p", { class: "dealt" }); v.refusal = el("p", { class: "refusal", role: "status" });
  v.lamp = el("span", { class: "lamp", role: "img", "aria-label": "lamp of the lock-out button" }); v.hopper = el("span", { class: "hopper" }); v.chips = el("span", { class: "dim" }); v.meter = el("span", { class: "link" });
  v.key = control("key", "Supervisor key", () => post(`${name}/hand/key/${v.keyOn ? 0 : 1}`));
  v.wish = el("select", { "aria-label": "Which hand" }); v.who = el("select", { "aria-label": "At which seat" });
  v.own = el("input", { type: "text", class: "own", "aria-label": "Cards, such as As Kd 10h", autocomplete: "off", hidden: true });
  v.orders = el("div", { class: "row" }); v.faults = el("div", { class: "row" }); v.watch = el("ul", { class: "watch", "aria-live": "polite" });
  v.tail = el("ol", { class: "tail", "aria-label": "Journal" }); v.pins = el("ul", { class: "pins" });
  v.wish.addEventListener("change", () => { v.own.hidden = v.wish.value !== OWN; if (!v.own.hidden) v.own.focus(); });
  const deal = async () => { const answer = await post(`${name}/deal`, wished(v)); v.odd = answer.status === 200 ? "" : answer.error; v.oddAt = v.stands; };
  v.box.append(el("h2", {}, v.title, v.links), v.hint, el("div", { class: "cloth" }, v.row, v.dealt, el("div", { class: "press" }, control("lock", "Lock out", hand("lock-out")), v.lamp), el("p", { class: "phase" }, v.phase, v.says)),
    el("div", { class: "controls" },
      el("div", { class: "row" }, control("deal", "Deal", deal), v.wish, v.own, v.who, control("end", "End of round", hand("end"))),
      el("div", { class: "row" }, v.key, v.hopper, v.chips, v.meter), v.refusal, v.orders),
    el("div", { class: "faults" }, el("h3", {}, "Break something of this table"), v.faults, v.watch),
    el("div", {}, el("h3", { class: "tail-title" }, "Journal: written and synced before anything acts"), v.tail),
    el("details", {}, el("summary", {}, "Pins"), v.pins));
  at("tables").append(v.box);
  return views[name] = v;
}

function makeSeat(v, name, number, place, all) {
  const s = { lamp: el("span", { class: "lamp" }), slot: el("span", { class: "slot" }), what: el("small") };
  s.button = el("button", { type: "button", class: "seat", "data-name": `seat-${number}`, onclick: () => post(`${name}/hand/chip/${number}`) }, el("strong", {}, String(number)), s.lamp, s.slot, s.what);
  const item = el("li", {}, s.button), middle = (all - 1) / 2 || 1;
  item.style.setProperty("--drop", `${Math.round(96 * Math.abs((place - middle) / middle) ** 1.8)}px`);
  v.row.append(item);
  return v.seats[number] = s;
}

/** Every side wager at every seat with a chip, one after the other: some need another one beside them. */
async function laySide(api, s, wagers) {
  for (const one of s.seats.filter((each) => each.wager)) for (const [wager, onNumber] of wagers) await api("wager", { seat: one.seat, wager, ...(onNumber ? { number: 1 + one.seat } : {}), by: "Dan" })();
}

/** What dealer and supervisor can order now, through the table's own interface. */
function orders(v, name, f) {
  const s = f.state, api = (action, body) => () => post(`${name}/api/${action}`, body), made = [];
  for (const line of s.payments) {
    made.push(el("span", {}, line.is_open ? `Seat ${line.seat}: ${line.hand} ${line.amount}, ${line.state_words}` : `${line.state === "paid" ? "✔" : "✘"} seat ${line.seat} ${line.hand} ${line.amount}, ${line.state_words}${line.slip ? `, slip ${line.slip}` : ""}`));
    if (!line.is_open) continue;
    if (line.wager === "envy") made.push(control(`envy-${line.seat}`, "Envy paid", api("pay-envy", { seat: line.seat, by: "Dan" })));
    else if (mustValidate(line)) made.push(control(`validate-${line.seat}`, "Validate", api("validate", { seat: line.seat, by: "Sue" })), control(`reject-${line.seat}`, "Reject", api("reject", { seat: line.seat, by: "Sue", reason: "shown in the demo" })));
    else if (line.state === "to be paid" && !line.is_held) made.push(control(`pay-${line.seat}`, "Paid", api("pay", { seat: line.seat, by: "Dan" })));
  }
  for (const seat of claimable(f, v.wagers)) made.push(control(`claim-${seat}`, `Claim seat ${seat}: ${spoken(f.dealt.wins[seat])}`, api("claim", { seat, cards: f.dealt.hands[seat], community: f.dealt.community, by: "Dan" })));
  for (const claim of s.claims) if (claim.state === "paid" && claim.source === "cage" && !claim.papers_by) made.push(control(`papers-${claim.seat}`, `Papers done: seat ${claim.seat}`, api("papers", { seat: claim.seat, by: "Dan" })));
  if (s.phase === "open" && v.wagers.length && f.side.length) made.push(control("side", "Lay every side wager", () => laySide(api, s, f.side)));
  for (const one of f.dealt ? s.seats : []) for (const wager of f.dealt.side_wins[one.seat] ?? []) {
    if (s.payments.some((line) => line.seat === one.seat && line.wager === wager)) continue;
    const cards = f.dealt.hands[one.seat];
    if (one.side[wager]) made.push(control(`claim-${one.seat}-${wager}`, `Claim seat ${one.seat}: ${spoken(wager)}`, api("claim", { seat: one.seat, cards: wager === "three_card_bonus" ? cards.slice(0, 3) : cards, community: f.dealt.community, dealer: f.dealt.dealer, wager, by: "Dan" })));
    else if (wager === "envy" && !s.payments.some((line) => line.wager === "envy")) made.push(control(`show-${one.seat}`, `Show seat ${one.seat}: others envy it`, api("show", { seat: one.seat, cards, by: "Dan" })));
  }
  if (f.display) made.push(control(`display-${f.display}`, `Seat ${f.display} presses the bonus button`, api("display", { seat: f.display, cents: 2500, by: "Dan" })));
  if (s.asks.length) made.push(control("no-win", `No meter win: seat${s.asks.length > 1 ? "s" : ""} ${s.asks.join(", ")}`, api("no-win", { seats: s.asks, by: "Dan" })));
  if (f.look_first) made.push(control("all-shown", "Every hand looked at", api("all-shown", { by: "Dan" })));
  if (Object.keys(s.refunds_due).length) made.push(control("refund", "Refunds paid", api("refund", { by: "Sue" })));
  for (const device of Object.keys(s.faults)) {
    made.push(control(`retest ${device}`, `Test ${device} again`, () => { v.tested[device] = Date.now(); return post(`${name}/api/retest`, { device }); }));
    if (v.tested[device]) made.push(el("span", { class: "tested" }, `Tested again at ${timeOf(v.tested[device])}: not mended yet.`));
  }
  if (s.count.agree === false) made.push(control("recount", "Count again", api("recount", { by: "Dan" })), control("explain", "Explain the difference", api("explain", { by: "Sue", reason: "shown in the demo" })));
  else if (["locked", "counting"].includes(s.phase) && s.count.chips === null && !s.faults["return device"]) made.push(control("recount", "Count again", api("recount", { by: "Dan" })));
  if (s.phase === "closed") made.push(control("open", "Open the table", api("open", { by: "Sue" })));
  return made;
}

function showMetal(v, name, f) {
  v.box.classList.toggle("dead", f.dead);
  v.lamp.classList.toggle("on", f.lamp);
  redraw(v.hopper, f.hopper, () => [el("span", {}, "Hopper:"), ...Array.from({ length: Math.min(f.hopper, 12) }, () => el("i")), el("span", {}, f.hopper ? String(f.hopper) : "empty")]);
  say(v.chips, `${f.racked} returned to the dealer${f.bounced ? ` · ${f.bounced} bounced off shut gates` : ""}`);
  redraw(v.tail, f.tail, () => f.tail.map((line) => el("li", { class: line.refused ? "refused" : "" }, el("time", {}, line.at), el("span", {}, `${line.told}${line.refused ? ` · refused: ${line.refused}` : ""}`))));
  redraw(v.pins, f.pins, () => f.pins.map(([line, device, active]) => el("li", { class: active ? "on" : "" }, `${line} ${device}: ${active ? "on" : "off"}`)));
  const numbers = Object.keys(f.lit);
  for (const [place, seat] of numbers.entries()) {
    const s = v.seats[seat] || makeSeat(v, name, +seat, place, numbers.length);
    s.lamp.classList.toggle("on", f.lit[seat]); s.button.classList.toggle("wagered", Boolean(f.state?.seats[place].wager)); s.slot.classList.toggle("open", f.gates[seat]);
    const state = f.state?.seats.find((one) => one.seat === +seat);
    say(s.what, !state ? "no power" : state.fault ? "✕ fault" : state.folded ? "folded" : state.wager || (f.gates[seat] ? "gate open" : "gate shut"));
    s.button.setAttribute("aria-label", `Seat ${seat}: drop a chip (gate ${f.gates[seat] ? "open" : "shut"}, light ${state?.light ?? "dark"})`);
    s.button.classList.toggle("fault", Boolean(state?.fault));
  }
}

function showRound(v, name, f) {
  const s = f.state;
  v.keyOn = s.key_on; v.wagers = s.seats.filter((one) => one.wager).map((one) => one.seat);
  redraw(v.title, s.title, () => [el("b", { class: "badge" }, name), s.title]);
  redraw(v.links, f.port, () => [["panel", "Dealer's panel"], ["sign", "Players' sign"]].map(([path, text]) => el("a", { href: `http://127.0.0.1:${f.port}/${path}`, target: "_blank", rel: "noopener", onclick: () => done.add("panel") }, text)));
  say(v.phase, s.phase_words); say(v.says, f.panel && (v.wagers.length || s.phase !== "open") ? `Panel: ${f.panel}` : ""); say(v.key, `Supervisor key: ${s.key_on ? "on" : "off"}`);
  say(v.meter, s.link.up ? "" : `No meter: ${s.link.reason}`);
  v.stands = `${s.round} ${s.phase}`;
  say(v.refusal, v.odd && v.oddAt === v.stands ? `These cards cannot be dealt: ${v.odd}` : s.refusal ? `Refused at ${timeOf(s.refused_ms)}: ${withRule(s.refusal.reason, s.refusal.rule)}` : "");
  redraw(v.dealt, [f.dealt, v.wagers], () => f.dealt ? [
    ...(f.dealt.community.length ? [hand("Flop", f.dealt.community)] : []),
    ...v.wagers.filter((seat) => f.dealt.hands[seat]).map((seat) => hand(`Seat ${seat}`, f.dealt.hands[seat])),
  ] : []);
  redraw(v.wish, f.hands, () => [...f.hands.map((hand) => el("option", { value: hand, selected: hand === "flush" }, spoken(hand))), el("option", { value: "" }, "random cards"), el("option", { value: OWN }, "name cards…")]);
  v.own.placeholder = f.size[0] ? `${f.size[0]} of the flop, then ${f.size[1]}: As Kd …` : `${f.size[1]} cards: As Kd …`;
  redraw(v.who, v.wagers, () => v.wagers.map((seat) => el("option", { value: seat }, `to seat ${seat}`)));
  v.who.hidden = !v.wagers.length;
  for (const device of Object.keys(v.tested)) if (!s.faults[device]) delete v.tested[device];
  redraw(v.orders, [v.tested, f.look_first, s.asks, s.claims, s.payments, f.dealt, s.refunds_due, s.phase, s.count, s.faults, v.wagers], () => orders(v, name, f));
  if (v.wagers.length) done.add("chip");
  if (!["open", "closed"].includes(s.phase) && v.wagers.length) done.add("lock");
  if (f.dealt) done.add("deal");
  if (s.payments.some((line) => line.state === "paid")) { done.add("paid"); winners.add(name); }
  if (winners.size > 1) done.add("both");
}

function showTable(name, f, frame) {
  const v = views[name] || makeTable(name), faults = frame.faults.filter((fault) => fault.table === name);
  const broken = frame.faults.filter((fault) => fault.on && (fault.table === name || !fault.table));
  showMetal(v, name, f);
  if (f.dead) { say(v.phase, "No power"); say(v.says, ""); redraw(v.orders, "dead", () => []); } else showRound(v, name, f);
  redraw(v.faults, faults, () => faults.map(faultSwitch));
  redraw(v.watch, faults, () => watching(faults));
  const [next, words] = nextStep(f, broken);
  redraw(v.hint, words, () => hint(words));
  v.row.classList.toggle("next", next === "seats");
  for (const one of v.box.querySelectorAll(".press [data-name], .controls [data-name], .faults [data-name]")) one.classList.toggle("main", one.dataset.name === next);
}

function show(frame) {
  const many = Object.keys(frame.tables).length;
  say(at("broker"), frame.broker);
  say(at("many"), many === 1 ? "One table, one jackpot" : `${COUNTS[many] ?? many} tables, one jackpot`);
  say(at("folder"), frame.folder);
  redraw(at("commands"), frame.commands, () => frame.commands.map(([command, what]) => el("li", {}, el("code", {}, command), ` ${what}`)));
  redraw(at("links"), frame.floor_port, () => [el("a", { href: `http://127.0.0.1:${frame.floor_port}/floor`, target: "_blank", rel: "noopener" }, "Management's floor")]);
  let amount = null, notice = "";
  for (const [name, f] of Object.entries(frame.tables)) {
    showTable(name, f, frame);
    if (!f.state) continue;
    if (f.state.link.up) { amount = f.state.link.amount_cents; notice ||= f.state.link.notice; } else notice ||= `Table ${name}: ${f.state.link.reason}`;
  }
  const shown = amount === null ? "no meter" : dollars(amount);
  redraw(at("meter"), shown, () => figure(shown));
  at("meter").setAttribute("aria-label", `meter ${shown}`);
  say(at("notice"), notice);
  const wide = frame.faults.filter((fault) => !fault.table);
  redraw(at("faults"), wide, () => wide.map(faultSwitch));
  redraw(at("watch"), wide, () => watching(wide));
  if (frame.faults.some((fault) => fault.on)) done.add("fault");
  const tour = TOUR.filter(([step]) => many > 1 || step !== "both"), now = tour.findIndex(([step]) => !done.has(step));
  redraw(at("tour"), [[...done], many], () => tour.map(([step, words], place) => el("li", { class: done.has(step) ? "done" : place === now ? "now" : "", title: words }, done.has(step) ? "✔" : String(place + 1))));
  say(at("step"), now < 0 ? "Guided tour: done" : `Guided tour, step ${now + 1} of ${tour.length}`);
  say(at("task"), now < 0 ? "Now play as you like." : tour[now][1]);
  redraw(at("people"), frame.people, () => frame.people.map((one) => el("li", {}, el("span", { class: one.role === "dealer" ? "avatar" : "avatar square", "aria-hidden": "true" }, one.name.slice(0, 2).toUpperCase()), el("span", {}, `${one.name}, ${one.role}`, el("br"), `number ${one.number}, PIN ${one.pin}`))));
}

follow("/demo/stream", show);
