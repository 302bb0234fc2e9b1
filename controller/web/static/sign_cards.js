// A playing card: the rank, and a drawn suit in one of four colours.
import { cardFace, el } from "./common.js";

const SUITS = {
  s: "M16 2C20 9 30 13 30 20a6.5 6.5 0 0 1-12 3.5c0 3 1.5 5.5 4 6.5H10c2.5-1 4-3.5 4-6.5A6.5 6.5 0 0 1 2 20C2 13 12 9 16 2z",
  h: "M16 29C12 24 2 18 2 10a7 7 0 0 1 14-2 7 7 0 0 1 14 2c0 8-10 14-14 19z",
  d: "M16 1c3 6 8 11 12 15-4 4-9 9-12 15C13 25 8 20 4 16 8 12 13 7 16 1z",
  c: "M16 2a7 7 0 0 1 5.5 11.3 7 7 0 1 1-3.7 11.2c.2 2.5 1.5 4.5 4.2 5.5H10c2.7-1 4-3 4.2-5.5a7 7 0 1 1-3.7-11.2A7 7 0 0 1 16 2z",
};

/** A hand of cards in a row; --n is how many share the width. */
export function hand(words, joker) {
  const row = el("div", { class: "cards" }, ...words.map((word) => playingCard(word, joker)));
  row.style.setProperty("--n", words.length);
  return row;
}

function playingCard(word, joker) {
  const isJoker = word === "Jk", suit = word[1];
  const card = el("span", { class: `playing-card suit-${isJoker ? "joker" : suit}`, role: "img", "aria-label": cardFace(word)[1] });
  card.append(el("b", {}, isJoker ? joker : word[0] === "T" ? "10" : word[0]));
  if (isJoker) return card;
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  picture.setAttribute("viewBox", "0 0 32 32");
  path.setAttribute("d", SUITS[suit]);
  path.setAttribute("fill", "currentColor");
  picture.append(path);
  card.append(picture);
  return card;
}
