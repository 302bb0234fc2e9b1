// Drawn shapes: lights, states, suits and cards. Nothing is a glyph of a font, so nothing looks different elsewhere.
const NAMESPACE = "http://www.w3.org/2000/svg";

// Strokes on a field of 24 by 24; what begins with "=" is filled.
const SHAPES = {
  ring: ["M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z"],
  half: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z", "=M12 4a8 8 0 0 0 0 16Z"],
  disc: ["=M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z"],
  rays: ["M12 2v6M12 16v6M2 12h6M16 12h6M4.9 4.9l4.2 4.2M14.9 14.9l4.2 4.2M19.1 4.9l-4.2 4.2M9.1 14.9l-4.2 4.2"],
  tick: ["M4.5 12.5l5 5L20 7"],
  octagon: ["M8.3 2.5h7.4l5.8 5.8v7.4l-5.8 5.8H8.3l-5.8-5.8V8.3Z", "M7.5 12h9"],
  triangle: ["M12 3.5L22 20.5H2Z", "M12 10v4.5", "=M12 16.4a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4Z"],
  plug: ["M8.5 2.5v5M15.5 2.5v5M6 7.5h12v4a6 6 0 0 1-12 0Z", "M12 17.5v4"],
  clock: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z", "M12 7v5.2l3.5 2.3"],
  person: ["M12 3.5a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4Z", "M4 21v-1.5a5 5 0 0 1 5-5h6a5 5 0 0 1 5 5V21"],
  padlock: ["M5 10.5h14V21H5Z", "M8 10.5V7a4 4 0 0 1 8 0v3.5"],
  eye: ["M1.5 12S5.5 5 12 5s10.5 7 10.5 7-4 7-10.5 7S1.5 12 1.5 12Z", "=M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z"],
  close: ["M5 5l14 14M19 5L5 19"],
  back: ["M15 4l-8 8 8 8"],
  arrow: ["M4 12h15M13 6l6 6-6 6"],
  erase: ["M9 5h13v14H9l-7-7Z", "M12.5 9l6 6M18.5 9l-6 6"],
  paper: ["M5 2.5h14v19l-2.3-1.8-2.4 1.8-2.3-1.8-2.3 1.8-2.4-1.8L5 21.5Z", "M9 8h6M9 12h6"],
  menu: ["M4 6h16M4 12h16M4 18h16"],
  more: ["=M5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z", "=M12 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z", "=M19 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z"],
  sound: ["M3 9v6h4l5 4.5v-15L7 9Z", "M16 8.5a5 5 0 0 1 0 7M18.8 5.5a9 9 0 0 1 0 13"],
  silence: ["M3 9v6h4l5 4.5v-15L7 9Z", "M16 9.5l5 5M21 9.5l-5 5"],
  tools: ["M14.5 6.5a4 4 0 0 1 5-3.5l-2.5 2.8 1.5 1.9 3-.9a4 4 0 0 1-5.6 4L7 19.5a2.1 2.1 0 0 1-3-3l8.7-8.7"],
  play: ["=M7 4.5l12 7.5-12 7.5Z"],
  search: ["M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z", "M15.5 15.5L21 21"],
  pause: ["=M7 5h3.5v14H7Z", "=M13.5 5H17v14h-3.5Z"],
  grow: ["M3 17l6-6 4 4 8-9", "M15 6h6v6"],
  bolt: ["M13 2.5L5 13.5h6l-1 8 8-11h-6Z"],
};

const SUITS = {
  s: ["spades", "M12 2C9.2 6 3 9.3 3 14c0 2.6 2 4.5 4.5 4.5 1.3 0 2.5-.5 3.3-1.5-.2 2.1-1 3.7-2.3 5h7c-1.3-1.3-2.1-2.9-2.3-5 .8 1 2 1.5 3.3 1.5C19 18.5 21 16.6 21 14c0-4.7-6.2-8-9-12Z"],
  h: ["hearts", "M12 21.5C5 16 2 12.3 2 8.3 2 5.3 4.2 3 7 3c2.1 0 3.9 1.1 5 3 1.1-1.9 2.9-3 5-3 2.8 0 5 2.3 5 5.3 0 4-3 7.7-10 13.2Z"],
  d: ["diamonds", "M12 1.5l7.8 10.5L12 22.5 4.2 12Z"],
  c: ["clubs", "M12 2a4.7 4.7 0 0 0-4.1 7A4.7 4.7 0 1 0 10.8 16.3C10.5 18.7 9.7 20.5 8.5 22h7c-1.2-1.5-2-3.3-2.3-5.7A4.7 4.7 0 1 0 16.1 9 4.7 4.7 0 0 0 12 2Z"],
};
export const SUIT_ORDER = "shdc";
export const RANK_ORDER = "AKQJT98765432";

function drawn(kind, parts) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `shape ${kind}`);
  svg.setAttribute("aria-hidden", "true");
  for (const part of parts) {
    const path = document.createElementNS(NAMESPACE, "path");
    path.setAttribute("d", part.replace(/^=/, ""));
    path.setAttribute("class", part.startsWith("=") ? "filled" : "stroked");
    svg.append(path);
  }
  return svg;
}

/** One of the shapes above. */
export const shape = (name) => drawn(`shape-${name}`, SHAPES[name]);

/** A suit by its letter. */
export const suitShape = (letter) => drawn(`suit ${SUITS[letter][0]}`, [`=${SUITS[letter][1]}`]);

export const suitName = (letter) => SUITS[letter]?.[0] ?? "";
export const rankFace = (rank) => (rank === "T" ? "10" : rank);

function element(tag, kind, ...children) {
  const made = document.createElement(tag);
  made.className = kind;
  made.append(...children);
  return made;
}

/** A card as a chip: the rank first, then the drawn suit; large, the rank stands above and the suit below. */
export function cardChip(word, { large = false } = {}) {
  const isJoker = word === "Jk";
  const rank = element("b", "", isJoker ? (large ? "Jo" : "Jk") : rankFace(word[0]));
  const made = element("span", `${large ? "card-large" : "card-chip"} ${isJoker ? "joker" : suitName(word[1])}`, rank, isJoker ? "" : suitShape(word[1]));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", isJoker ? "joker" : `${rankFace(word[0])} of ${suitName(word[1])}`);
  return made;
}

/** Several cards side by side. */
export const cardChips = (words, options) => element("span", "card-row", ...words.map((word) => cardChip(word, options)));
