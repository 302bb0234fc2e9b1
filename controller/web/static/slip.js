// One payout slip as paper: what the PDF says, on the screen.
import { ask, el, say } from "./common.js";
import { cardChip } from "./shapes.js";

const IN_BOX = new Set(["Amount", "In words", "State", "Seal"]);
const CARD = /^(?:10|[2-9TJQKA])[cdhs]$|^Jk$/;
const number = location.pathname.split("/").at(-1);
const answer = await ask(`/slip/${number}/data`);
if (answer.status === 200) {
  const { slip, house } = answer, name = `${slip.table}-${String(slip.number).padStart(6, "0")}`;
  document.title = `Payout slip ${name}`;
  say("house", house.property);
  say("address", house.address);
  say("number", name);
  say("amount", slip.amount);
  say("words", slip.in_words);
  say("state", slip.is_void ? "VOID" : slip.state.toUpperCase());
  document.getElementById("facts").replaceChildren(...answer.facts.filter(([label, value]) => value && !IN_BOX.has(label)).map(([label, value]) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, ...shown(value)))));
  if (slip.is_void) say("void", slip.state);
  document.getElementById("signatures").replaceChildren(...answer.signatures.map((who) => el("div", { class: "signature" }, el("span", {}, `${who}, date`))));
  say("seal", `Seal ${slip.seal.match(/.{1,4}/g).slice(0, 8).join(" ")} … ${slip.seal.slice(-8)}`);
  document.getElementById("pdf").href = `/slip/${slip.number}/pdf`;
  document.getElementById("pdf-receipt").href = `/slip/${slip.number}/pdf?paper=receipt`;
  document.getElementById("replay").href = `/replay?round=${slip.round}`;
  document.getElementById("print").addEventListener("click", () => window.print());
  for (const id of ["paper", "tools"]) document.getElementById(id).hidden = false;
} else say("said", answer.error);

/** Cards as cards, everything else as it stands. */
function shown(value) {
  const words = value.split(" ");
  return words.every((word) => CARD.test(word)) ? [el("span", { class: "card-row" }, ...words.map((word) => cardChip(word)))] : [value];
}
