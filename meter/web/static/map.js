// The floor map: every table as a tile with its number, its lights and one word; the same as a list for those who read lines.
import { draw, el, say as write } from "/static/common.js";
import { shape } from "/static/shapes.js";
import { age, moment, say, spoken, words } from "./floor_words.js";
import { redrawOnResize } from "./links.js";

const FILTERS = { all: null, alarm: "octagon", waits: "clock", play: null, closed: null };
const PLAYING = new Set(["counting", "in_play", "settling", "paying", "void", "over"]);
const look = { filter: "all", search: "", isList: false };
const drawn = new Map(); // each tile: its node, what it shows, and the words that find it
const { money, count } = words;

export function watchMap(page) {
  const search = document.getElementById("search"), asList = document.getElementById("as-list");
  search.addEventListener("input", () => { look.search = search.value.trim().toLowerCase(); drawMap(page); });
  asList.addEventListener("click", () => { look.isList = !look.isList; asList.setAttribute("aria-pressed", String(look.isList)); drawMap(page); });
  redrawOnResize(page);
}

let sheets = null;
export function drawMap(page, sheet) {
  sheets = sheet ?? sheets;
  if (!page.view) return;
  const { links } = page.view, counts = { all: 0, alarm: 0, waits: 0, play: 0, closed: 0 };
  document.getElementById("map").hidden = look.isList;
  document.getElementById("lists").hidden = !look.isList;
  draw("map", links.map((link) => [link.link, link.tables.map((table) => table.table)]), () => links.map((link) => pit(page, link)));
  let found = 0;
  for (const link of links) {
    let shown = 0;
    for (const table of link.tables) {
      const stands = standing(link, table);
      counts.all += 1;
      for (const group of stands.groups) counts[group] += 1;
      if (tile(link, table, stands)) shown += 1;
    }
    const place = document.getElementById(`${link.link}-pit`);
    if (place.hidden === shown > 0) place.hidden = !shown;
    found += shown;
  }
  document.getElementById("none-found").hidden = found > 0;
  draw("filters", [counts, look.filter], () => Object.entries(FILTERS).map(([name, mark]) => el("button", {
    type: "button", class: "pill", "data-key": `filter ${name}`, "aria-pressed": String(look.filter === name), onclick: () => { look.filter = name; drawMap(page); },
  }, mark ? shape(mark) : "", say(`filter_${name}`, { number: counts[name] }))));
  if (look.isList) lists(page);
}

const inOrder = (tables) => tables.toSorted((one, other) => one.table.localeCompare(other.table, words.locale, { numeric: true }));

function pit(page, link) {
  return el("section", { class: "pit", id: `${link.link}-pit`, "aria-label": say("link", { link: link.link }) }, el("h3", {}, say("link", { link: link.link })),
    el("div", { class: "tiles" }, ...inOrder(link.tables).map((table) => {
      const node = el("button", { type: "button", class: "tile", id: `${link.link}-tile-${table.table}`, "data-key": `tile ${link.link} ${table.table}`, onclick: () => tableSheet(page, link.link, table.table) });
      drawn.set(`${link.link} ${table.table}`, { node, shows: "", words: "", isShown: true });
      return node;
    })));
}

/** How a table stands: kind of tile, shape, one word, and the filters that find it. */
function standing(link, table) {
  const { lights } = table, kind = (name, mark, word, ...groups) => ({ kind: name, mark, word, groups });
  if (table.alive === null) return kind("off", "", say(table.since_ms ? "word_unknown" : "word_unheard"), "closed");
  if (!table.alive) return table.joined ? kind("stop", "plug", say("word_lost"), "alarm") : kind("off", "", say("word_gone"), "closed");
  if (!table.joined) return kind("off", "", say("word_stranger"), "closed");
  const waits = link.contest.length && !link.in_order && link.contest.some((claim) => claim.table === table.table);
  if (waits) return kind("wait", "clock", say("word_held"), "waits");
  if (link.awards.some((award) => award.table === table.table && award.needs_approval)) return kind("wait", "person", say("word_approval"), "waits");
  if (!lights) return kind("calm", "", say("word_present"));
  switch (lights.word) {
    case "differs": return kind("stop", "octagon", say("word_differs", { chips: lights.chips, lights: lights.lit?.length ?? 0 }), "alarm");
    case "fault": return kind("stop", "octagon", say("word_fault"), "alarm");
    case "supervisor": return kind("wait", "person", say("word_supervisor"), "waits", "play");
    case "closed": return kind("off", "", say("word_closed"), "closed");
    default: return kind("calm", "", say(`word_${lights.word}`), ...(PLAYING.has(lights.word) ? ["play"] : []));
  }
}

/** Draws a tile where anything of it is new; returns whether filter and search find it. */
function tile(link, table, stands) {
  const known = drawn.get(`${link.link} ${table.table}`), { lights } = table, { node } = known;
  const shows = `${stands.kind}|${stands.mark}|${stands.word}|${lights?.seats}|${lights?.lit}|${lights?.open}|${lights?.look}`;
  if (known.shows !== shows) {
    known.shows = shows;
    known.words = `${table.table} ${table.game.replaceAll("-", " ")} ${stands.word} ${link.link}`.toLowerCase();
    node.className = `tile ${stands.kind}`;
    node.setAttribute("aria-label", say("tile", { table: table.table, word: stands.word, wagers: lights?.lit?.length ?? 0 }));
    node.replaceChildren(el("span", { class: "name" }, table.table, stands.mark ? shape(stands.mark) : ""), dots(lights), el("span", { class: "word" }, stands.word));
  }
  const isFound = (look.filter === "all" || stands.groups.includes(look.filter)) && (!look.search || known.words.includes(look.search));
  if (known.isShown !== isFound) { known.isShown = isFound; node.hidden = !isFound; }
  return isFound;
}

export function dots(lights) {
  const having = (light) => new Set(lights?.[light] ?? []);
  const [lit, open, rays] = [having("lit"), having("open"), having("look")];
  const seats = Array.from({ length: lights?.seats ?? 0 }, (_, at) => at + 1);
  return el("span", { class: "dots", "aria-hidden": "true" }, ...seats.map((seat) => el("i", { class: lit.has(seat) ? "lit" : rays.has(seat) ? "rays" : open.has(seat) ? "half" : "" })));
}

/** Where a table's own pages are, so far as this browser can reach them: loopback is only the table's own machine. */
export function replayAddress(table) {
  const address = table?.lights?.page ?? "";
  const isNear = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  return address && (address.startsWith("https:") || isNear) ? `${address}/replay` : "";
}

export function replayLink(table, round) {
  const address = replayAddress(table);
  return address ? el("a", { class: "button", href: round ? `${address}?round=${round}` : address, target: "_blank", rel: "noopener" }, shape("play"), say("replay")) : el("span", { class: "dim" }, say("replay_at_table"));
}

function tableSheet(page, link, name) {
  const table = page.tables[link].get(name), { lights } = table;
  const facts = [...stateFacts(table), ["head_game", gameOf(table)], ["round", lights ? count(lights.round) : "–"], ["head_booked", count(table.booked_seq)], ["head_last_round", table.wagered_ms ? moment(table.wagered_ms) : "–"], ["head_heard", table.heard_ms ? moment(table.heard_ms) : "–"],
    ...(isTechnician(page) ? [["head_software", table.software], ["head_configuration", table.config_hash], ["head_journal", table.journal]] : [])];
  sheets.open(el("div", { class: "sheet" }, el("div", { class: "head" }, el("h2", {}, say("table", { table: name })), replayLink(table), page.button(say("close"), "", () => sheets.close())),
    dots(lights), el("dl", { class: "facts" }, ...facts.map(([label, value]) => el("div", {}, el("dt", {}, say(label)), el("dd", {}, value))))));
}

const isTechnician = (page) => page.people.some((person) => person.role === "technician");
const gameOf = (table) => (table.joined ? say("game", { game: spoken(table.game), pay_table: table.pay_table, stake: table.stake_cents }) : say("never_joined"));

function stateFacts(table) {
  const since = table.since_ms ? ` · ${say("since_moment", { at: moment(table.since_ms) })}` : "";
  return [["head_state", `${table.alive === null ? say(table.since_ms ? "unknown_since" : "not_heard_of") : say(table.alive ? "is_present" : "is_gone")}${since}`]];
}

function lists(page) {
  const technician = isTechnician(page);
  draw("lists", [page.view.links.map((link) => [link.link, link.tables.map((table) => table.table)]), technician], () => page.view.links.map((link) => list(link, technician)));
  for (const link of page.view.links) {
    for (const table of link.tables) draw(`${link.link}-row-${table.table}`, [table, technician], () => cells(page, link.link, table, technician));
  }
}

function list(link, technician) {
  const heads = ["table", "state", "game", "booked", "last_round", "heard", ...(technician ? ["software", "configuration", "journal"] : [])];
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("tables_of", { link: link.link }) }, el("table", { id: `${link.link}-tables` },
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col", class: head === "booked" ? "number" : "" }, say(`head_${head}`))))),
    el("tbody", {}, ...inOrder(link.tables).map((table) => el("tr", { id: `${link.link}-row-${table.table}` })))));
}

/** One row: of hundreds of tables only those are drawn again of which something is new. */
function cells(page, link, table, technician) {
  const ago = (ms) => page.told(el("span", { "data-at": String(ms) }));
  const [mark, text] = table.alive === null ? ["○", say(table.since_ms ? "unknown_since" : "not_heard_of")] : table.alive ? ["●", say("is_present")] : ["✕", say("is_gone")];
  document.getElementById(`${link}-row-${table.table}`).classList.toggle("gone", table.alive === false);
  return [el("th", { scope: "row" }, table.table),
    el("td", { class: "state" }, `${mark} ${text} `, table.since_ms ? say("for_span", { span: age(page.now() - table.since_ms) || say("a_moment") }) : ""), el("td", {}, gameOf(table)), el("td", { class: "number" }, count(table.booked_seq)),
    el("td", {}, table.wagered_ms ? ago(table.wagered_ms) : ""), el("td", {}, table.heard_ms ? ago(table.heard_ms) : ""),
    ...(technician ? [table.software, table.config_hash.slice(0, 12), table.journal].map((word) => el("td", {}, word)) : [])];
}
