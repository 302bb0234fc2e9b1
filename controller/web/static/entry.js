// Keys on the screen: digits for amounts and counts, letters for serial numbers and reasons; a keyboard types as well.
import { el } from "./common.js";
import { shape } from "./shapes.js";
import { t } from "./texts.js";

const LAYOUTS = {
  digits: ["123", "456", "789", " 0⌫"],
  money: ["123", "456", "789", ".0⌫"],
  serial: ["1234567890", "QWERTYUIOP", "ASDFGHJKL-", "ZXCVBNM⌫"],
  text: ["1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm,.", "_⌫"],
};

/** A field and what its keys are. */
export function field(keys, attributes) {
  const isPhone = matchMedia("(max-width: 720px)").matches;
  const hasOwnKeyboard = isPhone && (keys === "text" || keys === "serial"); // a phone's own keys are larger than ours could be
  return el("input", { type: "text", inputmode: hasOwnKeyboard ? "text" : "none", autocomplete: "off", "data-keys": keys, ...attributes });
}

/** Keys for whichever of these fields has the focus. */
export function keysFor(fields) {
  let now = fields[0], shown = "";
  const pad = el("div", { class: "keys", role: "group", "aria-label": t("keys") });
  const press = (key) => {
    if (key === "⌫") now.value = now.value.slice(0, -1);
    else if (now.maxLength < 0 || now.value.length < now.maxLength) now.value += key === "_" ? " " : key;
    now.dispatchEvent(new Event("input", { bubbles: true }));
    now.focus();
  };
  const key = (letter) => (letter === " " ? el("span", {}) : el("button", {
    type: "button", class: letter === "_" ? "space" : "", "aria-label": { "⌫": t("erase"), _: t("space") }[letter] ?? letter, onclick: () => press(letter),
  }, letter === "⌫" ? shape("erase") : letter === "_" ? t("space") : letter));
  const draw = () => {
    if (now.dataset.keys === shown) return;
    shown = now.dataset.keys;
    pad.className = `keys ${shown}`;
    pad.replaceChildren(...LAYOUTS[shown].map((row) => el("div", { class: "key-row" }, ...[...row].map(key))));
  };
  for (const one of fields) one.addEventListener("focus", () => { now = one; draw(); });
  draw();
  return pad;
}
