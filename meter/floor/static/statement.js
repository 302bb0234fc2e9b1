// The statement of a gaming day, as `pitlink ledger statement` has it.
import { ask, dollars, el, say } from "/static/common.js";

const asked = new URLSearchParams(location.search);
const link = asked.get("link") ?? (await ask("/floor/now")).links?.[0];
const TOTALS = ["opening", "closing", "variance"];
const amount = (exact) => exact.replace(/^(-?)(\d+)/, (_, sign, whole) => `${sign}$${Number(whole).toLocaleString("en-US")}`);

function figure(row) {
  const isWrong = row.figure === "variance" && Number(row.dollars) !== 0;
  return el("tr", { class: isWrong ? "total wrong" : TOTALS.includes(row.figure) ? "total" : "" },
    el("th", { scope: "row" }, row.figure.replaceAll("_", " "), isWrong ? ": CALL ACCOUNTING" : ""), el("td", { class: "number" }, amount(row.dollars)));
}

const heads = (...names) => el("thead", {}, el("tr", {}, ...names.map((name, place) => el("th", { scope: "col", class: place ? "number" : "" }, name))));

function sheet({ statement, lasts, rows }) {
  const part = statement.parts > 1 ? `Part ${statement.part} of ${statement.parts} of this day, for the clock was set: ` : "";
  const tables = rows.filter((row) => row.table).map((row) => el("tr", {}, el("td", {}, `${row.table} ${row.figure.replaceAll("_", " ")}`),
    el("td", { class: "number" }, String(row.count)), el("td", { class: "number" }, amount(row.dollars))));
  return el("section", {},
    el("p", { class: "lasts" }, `This gaming day lasts ${lasts}.`),
    el("p", { class: "about" }, `${part}records ${statement.first_record} to ${statement.last_record}. The meter went from ${dollars(statement.meter_opening_cents)} to ${dollars(statement.meter_closing_cents)}; ${dollars(statement.pending_cents)} are fixed and not yet paid.`),
    el("table", { class: "figures", "aria-label": "The link's day" }, heads("Figure", "Dollars"), el("tbody", {}, ...rows.filter((row) => !row.table).map(figure))),
    el("h2", {}, "Tables"),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Tables" }, el("table", {}, heads("Table", "Count", "Dollars"), el("tbody", {}, ...tables))));
}

function lead(id, day, words) {
  const place = document.getElementById(id);
  place.hidden = !day;
  if (day) Object.assign(place, { href: `/statement?link=${encodeURIComponent(link)}&day=${day}`, textContent: `${words} ${day}` });
}

const day = asked.get("day");
document.getElementById("today").href = `/statement?link=${encodeURIComponent(link)}`;
const answer = await ask(`/floor/statement/${encodeURIComponent(link)}${day ? `?day=${encodeURIComponent(day)}` : ""}`);
if (answer.status === 200) {
  const { sheets, day_before: before, day_after: after } = answer.found;
  document.title = `Statement ${answer.link} ${answer.day}`;
  say("title", `Statement of link ${answer.link}, gaming day ${answer.day}`);
  say("said", sheets.length ? "" : "No record of this link falls on this gaming day.");
  lead("before", before, "←");
  lead("after", after, "→");
  if (sheets.length) {
    document.getElementById("sheets").append(...sheets.map(sheet));
    document.getElementById("paper").hidden = false;
    document.getElementById("print").hidden = false;
    document.getElementById("print").addEventListener("click", () => print());
  }
} else {
  say("said", answer.status === 403 ? "Sign in at the floor's page first: statements are for supervisors and accounting." : answer.error);
}
