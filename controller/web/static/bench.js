// The technician's test bench: every pin live, and tests that move each part once.
import { ask, el } from "./common.js";
import { t } from "./texts.js";

const TESTS = ["lights", "gates", "sensors", "return device"];

/** One part: a lamp, gate or motor moves once, one chip is paid, a dropped chip is measured. */
function onePart(run) {
  const parts = el("select", { "aria-label": t("one_part") });
  ask("/panel/tests").then(({ status, ...tests }) => status === 200 && parts.replaceChildren(...Object.entries(tests).flatMap(([what, names]) =>
    names.map((part) => el("option", { value: JSON.stringify({ what, part }) }, `${what}: ${part}`)))));
  return el("div", { class: "row" }, parts, el("button", { type: "button", onclick: () => run(JSON.parse(parts.value)) }, t("run_test")));
}

export function testBench(sheets, page) {
  const lines = el("ul", { class: "pin-lines", "aria-label": t("pins") });
  const said = el("p", { class: "said", role: "status" });
  const run = async (test) => {
    said.textContent = test.what === "measure" ? t("drop_a_chip", { part: test.part }) : t("running_test", { what: test.part || test.what });
    const answer = await ask("/panel/test", test);
    said.textContent = answer.reason || answer.error;
  };
  sheets.form(null, { title: t("test_bench", { table: page.card.table }), cancel: t("close"), body: el("div", {}, onePart(run), lines), said,
    others: TESTS.map((what) => el("button", { type: "button", onclick: () => run({ what }) }, t(`test_${what.replace(" ", "_")}`))) });
  const source = new EventSource("/panel/lines");
  source.onmessage = (message) => lines.replaceChildren(...JSON.parse(message.data).map((line) => el("li", {},
    el("span", {}, `${line.line} ${line.device}`),
    el("span", { class: line.active ? "on" : "dim" }, t(line.direction === "input" ? "pin_in" : "pin_out", { state: t(line.active ? "pin_on" : "pin_off") })))));
  sheets.now.closed = () => source.close();
}
