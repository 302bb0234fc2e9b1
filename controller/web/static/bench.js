// The technician's test bench: every pin live, and tests that move each part once.
import { ask, el } from "./common.js";

const TESTS = ["lights", "gates", "sensors", "return device"];

export function testBench(sheets, page) {
  const lines = el("ul", { class: "lines", "aria-label": "Pins" });
  const said = el("p", { class: "said", role: "status" });
  const source = new EventSource("/panel/lines");
  source.onmessage = (message) => lines.replaceChildren(...JSON.parse(message.data).map((line) => el("li", {},
    el("span", {}, `${line.line} ${line.device}`),
    el("span", { class: line.active ? "on" : "dim" }, `${line.direction === "input" ? "in" : "out"} ${line.active ? "ON" : "off"}`))));
  const run = async (what) => {
    said.textContent = `Testing ${what}…`;
    const answer = await ask("/panel/test", { what });
    said.textContent = answer.reason || answer.error;
  };
  sheets.open(el("div", { class: "sheet" }, el("h2", {}, `Test bench, table ${page.card.table}`),
    el("div", { class: "row" }, ...TESTS.map((what) => el("button", { type: "button", onclick: () => run(what) }, `Test ${what}`))),
    said, lines, el("div", { class: "row" }, el("button", { type: "button", onclick: () => sheets.close() }, "Close"))),
  { closed: () => source.close() });
}
