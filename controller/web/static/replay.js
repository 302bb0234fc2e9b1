// Replay: a round from the journal, event by event.
import { ask, cards, el, LIGHTS, say, withRule } from "./common.js";

const at = (id) => document.getElementById(id);
let frames = [], round = 0, latest = 0;

function show(place) {
  const frame = frames[place];
  at("place").value = place;
  say("when", `${frame.at} UTC · ${(frame.since_ms / 1000).toFixed(3)} s into the round · event ${frame.number}${frame.by ? ` · by ${frame.by}` : ""}`);
  say("what", `${frame.sentence}.`);
  const differs = frame.differs ? ` Under the rules in force now: ${frame.differs}.` : "";
  say("refused", (frame.refusal ? `Refused: ${withRule(frame.refusal.reason, frame.refusal.rule)}.` : "") + differs);
  at("lights").replaceChildren(...Object.entries(frame.lights).map(([seat, light]) => {
    const [mark, words] = LIGHTS[frame.refused_at.includes(Number(seat)) ? "look" : light];
    return el("li", { class: light, "aria-label": `Seat ${seat}: ${words}` }, seat, el("span", { class: "mark", "aria-hidden": "true" }, mark), el("small", {}, words));
  }));
  const paid = frame.payments.map((one) => el("span", {}, `seat ${one.seat} ${one.hand} ${one.amount}, ${one.state}${one.slip ? `, slip ${one.slip}` : ""} `, cards(one.cards)));
  const meter = frame.payments.filter((one) => one.meter_before_cents).map((one) => `${(one.meter_before_cents / 100).toFixed(2)} → ${(one.meter_after_cents / 100).toFixed(2)}`);
  const facts = [["Phase", frame.phase], ["Count", frame.count.words], ["Gates open", frame.gates_open.join(", ") || "none"],
    ["Claims", paid.length ? el("span", {}, ...paid) : "none"], ["Meter", meter.join("; ") || "not asked"], ["To the meter", frame.to_meter.join("; ") || "nothing"], ["Seal", frame.hash]];
  at("facts").replaceChildren(...facts.flatMap(([label, value]) => [el("dt", {}, label), el("dd", {}, value)]));
  for (const [index, item] of [...at("events").children].entries()) item.firstChild.setAttribute("aria-current", String(index === place));
}

async function load(number) {
  const answer = await ask(`/replay/data${number === null ? "" : `?round=${number}`}`);
  at("story").hidden = answer.status !== 200;
  say("said", answer.status === 200 ? "" : answer.error);
  if (answer.status !== 200) return;
  ({ latest } = answer);
  ({ frames, round } = answer.replay);
  at("round").value = round;
  history.replaceState(null, "", `/replay?round=${round}`);
  say("title", `Table ${answer.replay.table}, round ${round}: ${answer.replay.game}`);
  at("place").max = frames.length - 1;
  at("events").replaceChildren(...frames.map((frame, place) => el("li", {}, el("button", { type: "button", onclick: () => show(place) },
    el("time", {}, frame.at.slice(11)), el("span", { class: frame.refusal ? "refused" : "" }, `${frame.sentence}${frame.refusal ? " (refused)" : ""}`)))));
  show(0);
}

const move = (by) => show(Math.max(0, Math.min(frames.length - 1, Number(at("place").value) + by)));
at("which").addEventListener("submit", (event) => { event.preventDefault(); load(Number(at("round").value)); });
at("before").addEventListener("click", () => load(Math.max(0, round - 1)));
at("after").addEventListener("click", () => load(Math.min(latest, round + 1)));
at("place").addEventListener("input", () => show(Number(at("place").value)));
at("first").addEventListener("click", () => show(0));
at("back").addEventListener("click", () => move(-1));
at("on").addEventListener("click", () => move(1));
at("last").addEventListener("click", () => show(frames.length - 1));
const asked = new URLSearchParams(location.search).get("round");
load(asked === null ? null : Number(asked));
