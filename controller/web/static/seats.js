// Seats as the dealer sees them: an arc, the middle seats farthest away; each tile tells its state by shape, word, colour.
import { draw, el, LIGHTS } from "./common.js";
import { shape } from "./shapes.js";
import { t } from "./texts.js";

const LIGHT_SHAPES = { dark: "ring", open: "half", lit: "disc", look: "rays" };

export function drawSeats(page, tapped) {
  const { state, turns, band } = page.view;
  draw("seats", [state.seats, turns, band.asked, state.payments, state.phase], () => state.seats.map((one, place, all) => tile(page, one, place, all.length, tapped)));
}

function tile(page, one, place, all, tapped) {
  const { turns, band, state } = page.view;
  const turn = turns.find((each) => each.seat === one.seat);
  const line = state.payments.find((each) => each.seat === one.seat && each.is_open) ?? state.payments.find((each) => each.seat === one.seat && each.state === "paid");
  const [kind, word] = standing(one, turn, line, state);
  const isAsked = band.asked === one.seat;
  const middle = (all - 1) / 2 || 1;
  const item = el("li", {}, el("button", {
    type: "button", class: `seat ${kind}${isAsked ? " asked" : ""}`, "data-key": `seat ${one.seat}`, onclick: () => tapped(one.seat),
    "aria-label": `${t("seat_light", { seat: one.seat, light: LIGHTS[one.light][1] })}, ${word}${one.note ? `, ${one.note}` : ""}`,
  }, isAsked ? el("span", { class: "pointer" }) : null, kind === "answered" || kind === "paid" ? el("span", { class: "badge-tick" }, shape("tick")) : null,
  el("span", { class: "number" }, String(one.seat)), el("span", { class: `light ${one.light}` }, shape(kind === "out" ? "rays" : LIGHT_SHAPES[one.light])), side(one), el("span", { class: "word" }, word)));
  item.style.setProperty("--at", String(all > 1 ? place / (all - 1) : 0.5));
  item.style.setProperty("--drop", String((Math.abs(place - middle) / middle) ** 1.8));
  return item;
}

/** How a tile is drawn, and its word. */
function standing(one, turn, line, state) {
  if (one.fault) return ["out", t("tile_out")];
  if (one.flagged || one.light === "look") return ["look", t("tile_look")];
  if (line) return [line.is_open ? "claims" : "paid", line.is_open ? short(worth(line)) : t("tile_paid")];
  if (one.folded) return ["folded", t("tile_folded")];
  if (turn?.asked) return ["lit", t(`turn_${turn.asked}`)];
  if (turn?.answered) return ["answered", t("tile_no_win")];
  if (one.wager) return ["lit", t(one.wager === "coupon" ? "tile_coupon" : "tile_chip")];
  if (one.gate_open) return ["open", t("tile_open")];
  return ["none", t(["open", "closed"].includes(state.phase) ? "tile_shut" : "tile_none")];
}

/** An amount, or the part of the jackpot while its amount is not fixed. */
export const worth = (line) => line.amount.match(/^[\d.,]+\s?%/)?.[0] ?? line.amount;

const ROOM = 7; // letters on a phone's tile
const short = (words) => (words.length > ROOM && matchMedia("(max-width: 720px)").matches ? t("tile_wins") : words);

/** What else lies at the seat, by its first letters: B bonus, I insurance, N number … */
function side(one) {
  const names = [...Object.keys(one.side), ...(Object.keys(one.numbers).length ? ["number"] : [])];
  const words = names.map((name) => name.split("_").map((part) => part[0].toUpperCase()).join(""));
  return words.length ? el("span", { class: "side", title: names.map((name) => name.replaceAll("_", " ") + (one.wager_lights?.[name] === "lit" ? ` (${t("light_lit")})` : "")).join(", ") }, words.join(" ")) : null;
}
