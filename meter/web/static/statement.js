// The statement of a gaming day, as `pitlink ledger statement` has it.
import { ask, dollars, el, say } from "/static/common.js";

const asked = new URLSearchParams(location.search);
const link = asked.get("link") ?? (await ask("/floor/now")).links?.[0];
const TOTALS = ["opening", "closing", "variance"];
const amount = (exact) => exact.replace(/^(-?)(\d+)/, (_, sign, whole) => `${sign}$${Number(whole).toLocaleString("en-US")}`);

const ACCOUNTS = { meter: "Meter", reset_meter: "Reset meter", overflow: "Overflow", awards: "Awards not yet paid", together: "Together" };
const spoken = (row) => row.figure.replaceAll("_", " ") + (row.other_link ? `${row.figure === "transfer_out" ? " to" : " from"} ${row.other_link}` : "");
const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;
const heads = (...names) => el("thead", {}, el("tr", {}, ...names.map((name, place) => el("th", { scope: "col", class: place ? "number" : "" }, name))));
const wide = (name, ...children) => el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name }, el("table", {}, ...children));

function figures(rows) {
  const lines = new Map();
  for (const row of rows.filter((row) => row.account)) {
    const name = spoken(row);
    lines.set(name, { ...lines.get(name), figure: row.figure, [row.account]: row.dollars });
  }
  return [...lines].map(([name, line]) => {
    const isWrong = line.figure === "variance" && Object.keys(ACCOUNTS).some((account) => Number(line[account]) !== 0);
    return el("tr", { class: isWrong ? "total wrong" : TOTALS.includes(line.figure) ? "total" : "" },
      el("th", { scope: "row" }, name, isWrong ? ": CALL ACCOUNTING" : ""),
      ...Object.keys(ACCOUNTS).map((account) => el("td", { class: "number" }, amount(line[account]))));
  });
}

function sheet({ statement, lasts, held, rows }) {
  const part = statement.parts > 1 ? `part ${statement.part} of ${statement.parts} of this day, for the clock was set: ` : "";
  const records = statement.first_record ? `records ${statement.first_record} to ${statement.last_record}` : "no records";
  const tables = rows.filter((row) => row.table).map((row) => el("tr", {}, el("td", {}, `${row.table} ${spoken(row)}`),
    el("td", { class: "number" }, String(row.count)), el("td", { class: "number" }, amount(row.dollars))));
  return el("section", {},
    statement.rehearsal ? el("p", { class: "play" }, "PLAY MONEY: this link is a rehearsal.") : null,
    el("p", { class: "lasts" }, `This gaming day lasts ${lasts}.`),
    el("p", { class: "about" }, `${sentence(`${part}${records}`)} The meter went from ${dollars(statement.meter_opening_cents)} to ${dollars(statement.meter_closing_cents)}; ${dollars(statement.pending_cents)} are fixed and not yet paid.`),
    held ? el("p", { class: "held" }, sentence(held)) : null,
    el("div", { class: "figures" }, wide("The link's day", heads("Figure", ...Object.values(ACCOUNTS)), el("tbody", {}, ...figures(rows)))),
    el("h2", {}, "Tables"),
    wide("Tables", heads("Table", "Count", "Dollars"), el("tbody", {}, ...tables)));
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
  say("said", sheets.length ? "" : `The ledger of this link has the gaming days ${answer.found.first_day} to ${answer.found.last_day}.`);
  lead("before", before, "←");
  lead("after", after, "→");
  if (sheets.length) {
    document.getElementById("sheets").append(...sheets.map(sheet));
    document.getElementById("paper").hidden = false;
    document.getElementById("print").hidden = false;
    for (const form of ["pdf", "csv"]) Object.assign(document.getElementById(form), { hidden: false, href: `/floor/statement/${encodeURIComponent(link)}?day=${answer.day}&format=${form}` });
    document.getElementById("print").addEventListener("click", () => print());
  }
} else {
  say("said", answer.status === 403 ? "Sign in at the floor's page first: statements are for supervisors and accounting." : answer.error);
}
