// Keypad: staff number or badge, PIN and, over the network, a code; on large keys, a keyboard or a badge reader.
import { ask, el } from "./common.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "OK"];
const BADGE_GAP_MS = 50;
const BADGE_LEAST = 6;
let touched = null; // of two keypads in a sheet the one that was touched last reads the badge

export class Keypad {
  /**
   * name is somebody who gives only the PIN; code asks for the code of an authenticator app, too; own asks for a new
   * PIN of somebody's own, twice.
   */
  constructor({ title = "", name = "", code = false, own = false } = {}) {
    const field = (label, type, most) => {
      const input = el("input", { type, inputmode: "none", autocomplete: "off", maxlength: most, "aria-label": title ? `${label}, ${title}` : label });
      input.addEventListener("focus", () => { this.now = input; touched = this; });
      return { label, input };
    };
    this.badge = "";
    this.number = name ? null : field("Staff number", "text", "10");
    this.pin = field(own ? "New PIN" : "PIN", "password", "12");
    this.again = own ? field("New PIN again", "password", "12") : null;
    this.code = code ? field("Code of the app", "text", "6") : null;
    this.fields = [this.number, this.pin, this.again, this.code].filter(Boolean);
    this.read = el("p", { class: "dim", role: "status" }, this.number ? "or read your badge" : name);
    const keys = el("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...KEYS.map((key) => el("button", {
      type: "button", "aria-label": key === "⌫" ? "delete" : key, onclick: () => this.#press(key),
    }, key)));
    this.node = el("div", { class: "sign-in" }, el("div", { class: "sheet-part" }, title ? el("strong", {}, title) : null,
      ...this.fields.map(({ label, input }) => el("label", {}, label, input)), this.read), keys);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); this.#next(); }
    });
    this.now = this.fields[0].input;
    touched = null;
    this.#listenForBadges();
  }

  /** What an order carries: who signs it. */
  get signed() {
    const who = this.badge ? { badge: this.badge } : this.number ? { number: this.number.input.value.trim() } : {};
    return { ...who, pin: this.pin.input.value, ...(this.code && { code: this.code.input.value.trim() }) };
  }

  /** What is not typed yet, in words, or nothing. */
  get missing() {
    if (this.again?.input.value && this.again.input.value !== this.pin.input.value) return "The two are not the same: type both again.";
    const empty = this.fields.find((field) => !field.input.value && !(field === this.number && this.badge));
    if (!empty) return "";
    return empty === this.number ? "Type your staff number, or read your badge." : `Type: ${empty.label}.`;
  }

  /** Secrets do not stay on a screen. */
  clear() {
    for (const { input } of [this.pin, this.again, this.code].filter(Boolean)) input.value = "";
    this.pin.input.focus();
  }

  focus() {
    this.now.focus();
  }

  #press(key) {
    if (key === "OK") { this.#next(); return; }
    this.now.value = key === "⌫" ? this.now.value.slice(0, -1) : (this.now.value + key).slice(0, this.now.maxLength);
    this.now.focus();
  }

  /** To the next field, also that of another keypad of the sheet; after the last one the form is sent. */
  #next() {
    const all = [...this.now.form.querySelectorAll(".sign-in input")];
    const next = all[all.indexOf(this.now) + 1];
    if (next) next.focus(); else this.now.form.requestSubmit();
  }

  /** A badge reader types its code faster than any person, and ends with Enter, wherever the focus is. */
  #listenForBadges() {
    let typed = "", last = 0, before = [];
    const heard = (event) => {
      if (!this.node.isConnected) { document.removeEventListener("keydown", heard, true); return; }
      if (event.key === "Shift") return;
      const isQuick = event.timeStamp - last < BADGE_GAP_MS;
      last = event.timeStamp;
      if (event.key.length === 1) {
        if (!isQuick) { typed = ""; before = this.fields.map(({ input }) => input.value); }
        typed += event.key;
        return;
      }
      const isBadge = this.number && (touched ?? this) === this && event.key === "Enter" && isQuick && typed.length >= BADGE_LEAST;
      if (isBadge) {
        event.preventDefault();
        event.stopPropagation();
        this.fields.forEach(({ input }, at) => { input.value = before[at]; });
        this.#readBadge(typed);
      }
      typed = "";
    };
    document.addEventListener("keydown", heard, true);
  }

  #readBadge(code) {
    this.badge = code;
    this.number.input.value = "";
    this.read.textContent = "Badge read: type your PIN.";
    this.pin.input.focus();
  }
}

/** Asks somebody whose PIN was set by others for one of his own; resolves to whether he is in with it. */
function chooseOwnPin(sheets, page, signed, enter) {
  return new Promise((resolve) => {
    const keypad = new Keypad({ name: "6 to 12 digits, not counting up or down", own: true });
    const said = el("p", { class: "said wrong", role: "alert" });
    let busy = false;
    const send = async () => {
      said.textContent = keypad.missing;
      if (keypad.again.input.value && keypad.missing) keypad.clear();
      if (busy || said.textContent) return;
      busy = true;
      const answer = await ask(`/${page.site}/own-pin`, { signed, pin: keypad.pin.input.value });
      busy = false;
      if (answer.status !== 200) { said.textContent = answer.error; keypad.clear(); return; }
      await enter(answer);
      resolve(true);
      sheets.close();
    };
    sheets.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, "Choose a PIN of your own"),
      el("p", {}, "Somebody else set the PIN that you typed. Only you may know the next one."), keypad.node, said,
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Keep this PIN"),
        el("button", { type: "button", onclick: () => sheets.close() }, "Cancel"))), { closed: () => resolve(false) });
    keypad.focus();
  });
}

/** Asks somebody to sign in; resolves to whether anybody did. */
export function signIn(sheets, page, roles, enter) {
  return new Promise((resolve) => {
    const keypad = new Keypad({ code: page.remote });
    const said = el("p", { class: "said wrong", role: "alert" });
    let busy = false, goesOn = false;
    const send = async () => {
      said.textContent = keypad.missing;
      if (busy || keypad.missing) return;
      busy = true;
      const answer = await ask(`/${page.site}/sign-in`, keypad.signed);
      busy = false;
      if (answer.must_change && !page.remote) {
        goesOn = true; // in another sheet, which closes this one
        chooseOwnPin(sheets, page, keypad.signed, enter).then(resolve);
        return;
      }
      if (answer.status !== 200) { said.textContent = answer.error; keypad.clear(); return; }
      await enter(answer);
      resolve(true);
      sheets.close();
    };
    sheets.open(el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, roles ? `${roles.join(" or ")} signs in` : "Sign in"), keypad.node, said,
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Sign in"),
        el("button", { type: "button", onclick: () => sheets.close() }, "Cancel"))), { closed: () => { if (!goesOn) resolve(false); } });
    keypad.focus();
  });
}
