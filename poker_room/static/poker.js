// The page of a poker table: asks the dealer's assist and shows what it says, with the clause. It keeps only the deck's clocks.
import { cards, dollars, el, withRule } from "./common.js";

const at = (id) => document.getElementById(id);
const spoken = (name) => name.replaceAll("_", " ").replaceAll("-", " ");
const words = (text) => text.trim().split(/[\s,]+/).filter(Boolean).map((word) => word.replace(/^10/, "T").replace(/^./, (rank) => rank.toUpperCase()));
const cents = (text) => Math.round(Number(text.replace(/[$,]/g, "")) * 100);
const games = await (await fetch("/poker/games")).json();
const rows = [];

const game = () => games.find((each) => each.name === at("game").value);

function makeSeat(number) {
  const row = { number, up: el("input", { type: "text", autocomplete: "off", "aria-label": `Up-cards of seat ${number}` }),
    own: el("input", { type: "text", autocomplete: "off", "aria-label": `Cards of seat ${number}` }),
    paid: el("input", { type: "text", class: "paid", inputmode: "decimal", autocomplete: "off", "aria-label": `Paid in by seat ${number}` }),
    folded: el("input", { type: "checkbox", "aria-label": `Seat ${number} folded` }),
    button: el("input", { type: "radio", name: "button", "aria-label": `Button at seat ${number}` }) };
  row.line = el("tr", {}, el("td", {}, String(number)), el("td", { class: "up" }, row.up), el("td", { class: "own" }, row.own),
    el("td", { class: "own" }, row.paid), el("td", {}, row.folded), el("td", { class: "button" }, row.button));
  return row;
}

/** The seats of the chosen game, and only the fields that it asks for. */
function chosen() {
  const now = game();
  rows.splice(0, rows.length, ...Array.from({ length: now.most_players }, (_, place) => makeSeat(place + 1)));
  at("seats").replaceChildren(...rows.map((row) => row.line));
  at("middle").hidden = !now.has_showdown || !(now.community_cards || now.own_cards === 7);
  at("kill").hidden = !now.has_kill;
  at("show").hidden = !now.has_showdown;
  for (const [kind, is] of [["up", now.has_up_cards], ["own", now.has_showdown], ["button", !now.has_up_cards]])
    for (const cell of document.querySelectorAll(`.${kind}`)) cell.hidden = !is;
  at("help").textContent = now.has_showdown ? `Up to ${now.most_players} players. Cards as As Kd 10h; leave a seat empty that is not in the hand.`
    : "Our text of mambo stud ends before its showdown: only who opens can be asked.";
  at("answer").replaceChildren();
  clocks();
}

async function ask(question) {
  const answer = await fetch("/poker/ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ game: game().name, ...question }) });
  return answer.json();
}

const wrong = (said) => el("p", { class: "wrong" }, `${where(said.where)}${said.error}`);
const where = (place) => { const seat = /players\.(\d+)/.exec(place) || /up_cards\.(\d+)/.exec(place); return seat ? `Seat ${seat[1]}: ` : place === "input" ? "" : `${spoken(place)}: `; };

function opening(said) {
  if (said.error) return [wrong(said)];
  if (said.button) return [el("p", {}, el("strong", {}, `Seat ${said.first_to_answer} acts first`), ` after the blind${said.blinds.length > 1 ? "s" : ""} of seat ${said.blinds.join(" and ")}. `, el("span", { class: "rule" }, said.rule)),
    el("p", {}, `Once cards were added seat ${said.first_later} acts first. The button lies at seat ${said.button}, then at seat ${said.next_button}.`)];
  return [el("p", {}, el("strong", {}, `Seat ${said.seat}: ${spoken(said.action)}`), `. ${withRule(said.reason, said.rule)}`)];
}

function showdown(said) {
  if (said.error) return [wrong(said)];
  return [el("ol", {}, ...said.awards.map((line) => el("li", {}, el("strong", {}, `Seat ${line.seat} takes ${dollars(line.amount_cents)}`),
    ` of pot ${line.pot}${line.part === "whole" ? "" : `, ${line.part}`}${line.hand ? `: ${spoken(line.hand)} ` : " "}`, cards(line.cards), el("div", { class: "rule" }, withRule(line.reason, line.rule))))),
  ...said.returned.map((back) => el("p", {}, `${dollars(back.amount_cents)} goes back to seat ${back.seat}: nobody called it.`)),
  el("p", {}, `In all: ${Object.entries(said.shares).map(([seat, amount]) => `seat ${seat} ${dollars(amount)}`).join(", ")}.`),
  said.kill ? el("p", {}, `Kill button: ${said.kill.action}${said.kill.seat ? `, seat ${said.kill.seat}` : ""}. ${withRule(said.kill.reason, said.kill.rule)}`) : ""];
}

function hand() {
  const inHand = rows.filter((row) => row.own.value.trim() || row.paid.value.trim() || row.folded.checked);
  const players = Object.fromEntries(inHand.map((row) => [row.number, { cards: words(row.own.value), folded: row.folded.checked, ...(row.paid.value.trim() ? { paid_cents: cents(row.paid.value) } : {}) }]));
  const kind = at("kill-kind").value, holder = Number(at("kill-holder").value);
  const kill = game().has_kill && kind ? { kill: { kind, minimum_cents: cents(at("kill-minimum").value), times: Number(at("kill-times").value), holder: holder || null } } : {};
  return { question: "showdown", players, community: at("middle").hidden ? [] : words(at("community").value), ...kill };
}

function first() {
  if (game().has_up_cards) return { question: "opening", up_cards: Object.fromEntries(rows.filter((row) => row.up.value.trim() && !row.folded.checked).map((row) => [row.number, words(row.up.value)])) };
  const seats = rows.filter((row) => row.own.value.trim() || row.paid.value.trim() || row.folded.checked || row.button.checked);
  return { question: "opening", seats: seats.map((row) => row.number), button: rows.find((row) => row.button.checked)?.number ?? null, folded: seats.filter((row) => row.folded.checked).map((row) => row.number) };
}

/** How long the deck may still be used (14.2(b)); the times outlive a reload of the page. */
async function clocks() {
  const minutes = (key) => { const since = Number(localStorage.getItem(key)); return since ? Math.floor((Date.now() - since) / 60_000) : null; };
  const said = await ask({ question: "deck", minutes_since_sorted: minutes("sorted"), minutes_since_opened: minutes("changed") });
  const left = [said.sort_in_minutes === null ? "" : `sort the deck in ${said.sort_in_minutes} min`, said.change_in_minutes === null ? "" : `change the decks in ${said.change_in_minutes} min`].filter(Boolean);
  at("deck").textContent = [...(said.demands ?? []).map((demand) => demand.action ? `Now: ${spoken(demand.action)}` : ""), ...left].filter(Boolean).join(" · ") || "Say when the deck was sorted and the decks were changed (14.2(b)).";
}

at("game").append(...games.map((each) => el("option", { value: each.name }, spoken(each.name))));
at("game").addEventListener("change", chosen);
at("clear").addEventListener("click", () => { at("community").value = ""; chosen(); });
at("open").addEventListener("click", async () => at("answer").replaceChildren(...opening(await ask(first()))));
at("show").addEventListener("click", async () => at("answer").replaceChildren(...showdown(await ask(hand()))));
for (const key of ["sorted", "changed"]) at(key).addEventListener("click", () => { localStorage.setItem(key, String(Date.now())); clocks(); });
setInterval(clocks, 30_000);
chosen();
