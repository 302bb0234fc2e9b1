// The list of payout slips, newest first.
import { ask, el, say } from "./common.js";

const older = document.getElementById("older");
let lowest = null;

async function load() {
  const answer = await ask(`/slips/data${lowest === null ? "" : `?before=${lowest}`}`);
  say("said", answer.status === 200 ? answer.archived || (answer.slips.length || lowest !== null ? "" : "No slip has been issued yet.") : answer.error);
  if (answer.status !== 200) return;
  document.getElementById("slips").append(...answer.slips.map((slip) => el("tr", {},
    el("td", {}, el("a", { href: `/slip/${slip.number}`, "aria-label": `Slip ${slip.number}` }, String(slip.number))), el("td", {}, slip.issued_at.slice(0, 19)),
    el("td", {}, el("a", { href: `/replay?round=${slip.round}`, "aria-label": `Round ${slip.round}` }, String(slip.round))), el("td", {}, String(slip.seat)), el("td", {}, slip.hand),
    el("td", { class: slip.is_void ? "void" : "" }, slip.amount), el("td", {}, slip.state))));
  lowest = answer.slips.at(-1)?.number ?? lowest;
  older.hidden = Boolean(answer.archived) || !lowest || lowest <= 1 || !answer.slips.length;
}

older.addEventListener("click", load);
load();
