// What all pages share: elements, requests, the stream and the plain word when it is lost.

/** Makes an element; attributes that start with "on" are listeners, null children are left out. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Writes text only where it is new, so that screen readers speak once. */
export function say(id, text) {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
}

/** Builds a part of the page again only when what it shows has changed; the focus stays where it was. */
export function draw(id, shown, build) {
  const place = document.getElementById(id);
  const key = JSON.stringify(shown);
  if (place.dataset.shown === key) return;
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  place.replaceChildren(...build().filter((one) => one !== null && one !== undefined));
  place.dataset.shown = key;
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

export const dollars = (cents) => (cents / 100).toLocaleString("en-US", {
  style: "currency", currency: "USD", minimumFractionDigits: cents % 100 ? 2 : 0,
});

/** Words with the clause that they rest on, once. */
export const withRule = (words, rule) => (!rule || words.includes(rule) ? words : `${words} (${rule})`);

/** A moment of the day, as every page writes it. */
export const timeOf = (ms) => new Date(ms).toISOString().slice(11, 19);

const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };

/** A card as people see it, and as they say it. */
export function cardFace(word) {
  if (word === "Jk") return ["Joker", "joker"];
  const rank = word[0] === "T" ? "10" : word[0];
  return [`${rank}${SUITS[word[1]]?.[0] ?? word[1]}`, `${rank} of ${SUITS[word[1]]?.[1] ?? word[1]}`];
}

/** Four colours for four suits; the shape alone says it as well. */
export const ink = (word) => SUITS[word[1]]?.[1] ?? "";

export const cards = (words) => el("span", { class: "cards" }, ...words.map((word) => {
  const [face, name] = cardFace(word);
  return el("span", { class: `card ${ink(word)}`, role: "img", "aria-label": name }, face);
}));

export const LIGHTS = {
  dark: ["○", "dark"], open: ["◐", "open"], lit: ["●", "wager"], look: ["✱", "look"],
};

let token = "";
export const keepToken = (session) => { token = session.token; return session; };

/** Asks the daemon; the answer, or null where nobody answers. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pitlink-Token": token },
    body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(path, { ...options, cache: "no-store", credentials: "same-origin" });
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { status: 0, error: `the ${document.body.dataset.daemon} does not answer` };
  }
}

const SILENCE_MS = 3000;

/** Follows a stream; says at once when it is lost, and when it is back. Returns what ends it. */
export function follow(path, shown) {
  let source = null, heard = Date.now(), over = false;
  const banner = document.getElementById("lost");
  const lost = (is) => { banner.hidden = !is; document.body.classList.toggle("is-lost", is); };
  const open = () => {
    if (over) return;
    source = new EventSource(path);
    source.onmessage = (message) => { heard = Date.now(); lost(false); shown(JSON.parse(message.data)); };
    source.addEventListener("beat", () => { heard = Date.now(); lost(false); });
    source.onerror = () => {
      if (over) return;
      lost(true);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
  };
  const watch = setInterval(() => { if (Date.now() - heard > SILENCE_MS) lost(true); }, 500);
  open();
  return () => { over = true; clearInterval(watch); source?.close(); };
}
