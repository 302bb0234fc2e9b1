// One payout slip as paper.
import { ask, el, say } from "./common.js";

const number = location.pathname.split("/").at(-1);
const answer = await ask(`/slip/${number}/data`);
if (answer.status === 200) {
  const { slip } = answer;
  document.title = `Payout slip ${slip.table}-${String(slip.number).padStart(6, "0")}`;
  say("title", document.title);
  say("void", slip.is_void ? "VOID" : "");
  document.getElementById("facts").replaceChildren(...answer.facts.filter(([, value]) => value).flatMap(([label, value]) =>
    [el("dt", {}, label), el("dd", { class: label === "Amount" ? "amount" : "" }, value)]));
  document.getElementById("signatures").replaceChildren(...answer.signatures.map((who) => el("div", { class: "signature" }, el("span", {}, who), el("span", {}))));
  document.getElementById("pdf").href = `/slip/${slip.number}/pdf`;
  document.getElementById("pdf-receipt").href = `/slip/${slip.number}/pdf?paper=receipt`;
  document.getElementById("print").addEventListener("click", () => window.print());
  for (const id of ["paper", "tools"]) document.getElementById(id).hidden = false;
} else say("said", answer.error);
