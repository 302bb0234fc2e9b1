// The statement of a gaming day, as `pitlink ledger statement` has it.
import { ask, el, say } from "/static/common.js";
import { readWords } from "/static/words.js";

const { money, exact, count } = await readWords("floor_script");

const asked = new URLSearchParams(location.search);
const link = asked.get("link") ?? (await ask("/floor/now")).links?.[0];
const TOTALS = ["opening", "closing", "variance"];
const UNITS_PER_CENT = 10_000;
const amount = (written) => written.replace(/^(-?)(\d+)/, (_, sign, whole) => `${sign}${money(Number(whole) * 100)}`);
const units = (number) => (number ? exact(number / UNITS_PER_CENT) : "–");

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

// What stands in a column, and the figures it is made of; the last ones are counted, not paid in money.
const COLUMNS = [["Chips", "chips"], ["Coupons", "coupons"], ["Wagered", "chip_cents", "coupon_cents"], ["To the jackpot", "contribution_units"], ["To the reset meter", "reset_contribution_units"],
  ["Overflow", "overflow_units"], ["Awards", "hits"], ["Paid", "paid_cents"]];

function row(head, of, kind = "") {
  const cell = ([, ...fields]) => {
    const sum = fields.reduce((all, field) => all + of[field], 0);
    return fields[0].endsWith("units") ? units(sum) : fields[0].endsWith("cents") ? units(sum * UNITS_PER_CENT) : count(sum);
  };
  return el("tr", { class: kind }, head, ...COLUMNS.map((column) => el("td", { class: "number" }, cell(column))));
}

function sheet({ statement, lasts, held, rows }) {
  const part = statement.parts > 1 ? `part ${statement.part} of ${statement.parts} of this day, for the clock was set: ` : "";
  const records = statement.first_record ? `records ${statement.first_record} to ${statement.last_record}` : "no records";
  const tables = statement.tables.map((table) => row(el("th", { scope: "row" }, table.table), table));
  const total = Object.fromEntries(COLUMNS.flatMap(([, ...fields]) => fields).map((field) => [field, statement.tables.reduce((sum, table) => sum + table[field], 0)]));
  return el("section", {},
    statement.rehearsal ? el("p", { class: "play" }, "PLAY MONEY: this link is a rehearsal.") : null,
    el("p", { class: "lasts" }, `This gaming day lasts ${lasts}.`),
    el("p", { class: "about" }, `${sentence(`${part}${records}`)} The meter went from ${money(statement.meter_opening_cents)} to ${money(statement.meter_closing_cents)}; ${money(statement.pending_cents)} are fixed and not yet paid.`),
    held ? el("p", { class: "held" }, sentence(held)) : null,
    el("div", { class: "figures" }, wide("The link's day", heads("Figure", ...Object.values(ACCOUNTS)), el("tbody", {}, ...figures(rows)))),
    el("h2", {}, "Tables"),
    wide("Tables", heads("Table", ...COLUMNS.map(([name]) => name)), el("tbody", {}, ...tables), el("tfoot", {}, row(el("th", { scope: "row" }, "Total"), total, "total"))));
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
