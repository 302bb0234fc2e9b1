// The technician's test bench: every pin live, and tests that move each part once.
import { ask, el } from "./common.js";

const TESTS = ["lights", "gates", "sensors", "return device"];

/** One part: a lamp, gate or motor moves once, one chip is paid, a dropped chip is measured. */
function onePart(run) {
  const parts = el("select", { "aria-label": "One part" });
  ask("/panel/tests").then((tests) => parts.replaceChildren(...Object.entries(tests).flatMap(([what, names]) =>
    names.map((part) => el("option", { value: JSON.stringify({ what, part }) }, `${what}: ${part}`)))));
  return el("div", { class: "row" }, parts, el("button", { type: "button", onclick: () => run(JSON.parse(parts.value)) }, "Run"));
}

export function testBench(sheets, page) {
  const lines = el("ul", { class: "lines", "aria-label": "Pins" });
  const said = el("p", { class: "said", role: "status" });
  const source = new EventSource("/panel/lines");
  source.onmessage = (message) => lines.replaceChildren(...JSON.parse(message.data).map((line) => el("li", {},
    el("span", {}, `${line.line} ${line.device}`),
    el("span", { class: line.active ? "on" : "dim" }, `${line.direction === "input" ? "in" : "out"} ${line.active ? "ON" : "off"}`))));
  const run = async (test) => {
    said.textContent = test.what === "measure" ? `Drop one chip at ${test.part}…` : `Testing ${test.part || test.what}…`;
    const answer = await ask("/panel/test", test);
    said.textContent = answer.reason || answer.error;
  };
  sheets.open(el("div", { class: "sheet" }, el("h2", {}, `Test bench, table ${page.card.table}`),
    el("div", { class: "row" }, ...TESTS.map((what) => el("button", { type: "button", onclick: () => run({ what }) }, `Test ${what}`))),
    onePart(run),
    said, lines, el("div", { class: "row" }, el("button", { type: "button", onclick: () => sheets.close() }, "Close"))),
  { closed: () => source.close() });
}
