// The sign: the true amount, rolled up at a pace that eyes can follow and that always lands on it.
import { ask, el, follow, say, draw } from "./common.js";

const ROLL_MS = 2500;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const figures = (cents) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD", minimumFractionDigits: 2 });

let shownCents = null, trueCents = null, rolling = null, lastTold = "";

function write(cents) {
  shownCents = cents;
  const text = figures(cents);
  const place = document.getElementById("amount");
  const isLonger = place.textContent.length !== text.length;
  place.textContent = text;
  if (isLonger) fit();
}

/** No digit is ever cut off (R34): a figure too wide for its column is drawn as large as fits. */
function fit() {
  const place = document.getElementById("amount");
  place.style.fontSize = "";
  const room = place.clientWidth / place.scrollWidth;
  if (room < 1) place.style.fontSize = `${Math.floor(parseFloat(getComputedStyle(place).fontSize) * room * 98) / 100}px`;
}

/** Up in steps, never beyond the true value; down, as after a win, at once. */
function roll(cents) {
  trueCents = cents;
  cancelAnimationFrame(rolling);
  const place = document.getElementById("amount");
  place.setAttribute("aria-label", cents === null ? "amount not known" : figures(cents));
  if (cents === null) { shownCents = null; place.textContent = "–"; return; }
  if (shownCents === null || cents <= shownCents || still.matches || document.hidden) { write(cents); return; }
  const from = shownCents, began = performance.now();
  const step = (now) => {
    const part = Math.min(1, (now - began) / ROLL_MS);
    write(part < 1 ? from + Math.floor((trueCents - from) * part) : trueCents);
    if (part < 1) rolling = requestAnimationFrame(step);
  };
  rolling = requestAnimationFrame(step);
}

/** The largest letters with which every pay of every wager is on the screen. */
function fitPays() {
  const pays = document.getElementById("all-pays");
  let small = 5, large = Math.max(innerHeight, innerWidth) / 24;
  for (let step = 0; step < 9; step += 1) {
    const size = (small + large) / 2;
    pays.style.fontSize = `${size}px`;
    const fits = pays.scrollHeight <= pays.clientHeight + 1 && pays.scrollWidth <= pays.clientWidth + 1;
    if (fits) small = size; else large = size;
  }
  pays.style.fontSize = `${Math.floor(small * 10) / 10}px`;
}

addEventListener("resize", () => { fit(); fitPays(); });
document.addEventListener("visibilitychange", () => { if (trueCents !== null) roll(trueCents); });

function show(sign) {
  if (sign.amount_cents !== trueCents) roll(sign.amount_cents);
  say("status", sign.status);
  say("connected", sign.connected);
  say("number", sign.number ? `Number drawn: ${sign.number}` : "");
  draw("news", sign.news, () => sign.news.map((one) => el("li", { class: one.is_win ? "win" : "" }, one.words)));
  const told = JSON.stringify([sign.status, sign.news, sign.connected, sign.number]);
  if (told !== lastTold) { lastTold = told; fitPays(); }
}

const row = (one) => el("tr", {}, el("td", {}, one.words), el("td", {}, one.pay));
const card = await ask("/panel/card");
document.title = `Sign ${card.table}`;
say("title", `${card.title} progressive`);
say("pays-title", `A ${card.stake} wager pays`);
document.getElementById("pays").replaceChildren(...card.pays.map(row));
document.getElementById("envy").replaceChildren(...card.envy.map(row));
document.getElementById("envy-table").hidden = !card.envy.length;
document.getElementById("side").replaceChildren(...card.wagers.filter((one) => one.pays.length).map((one) =>
  el("table", {}, el("caption", {}, `${one.words} pays`), el("tbody", {}, ...one.pays.map(row)))));
fitPays();
follow("/sign/stream", show);
