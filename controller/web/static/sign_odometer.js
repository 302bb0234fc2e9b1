// An amount as reels: only changed digits roll, and they always land on the true value.
import { el } from "./common.js";

const FAST_MS = 1200; // a leap lands in so much time altogether
const LEAP_CENTS = 10000;
const DIGIT = /\d/;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Odometer {
  constructor(motion) {
    this.motion = motion;
    this.element = el("div", { class: "odometer", role: "img" });
    this.text = "";
    this.cents = null;
    this.reels = [];
  }

  /** Shows an amount as it is written; up it rolls, down and at first it is set at once. */
  set(text, cents) {
    const rolls = this.cents !== null && cents > this.cents && !still.matches && !document.hidden;
    const rise = cents - this.cents;
    const before = this.text;
    this.cents = cents;
    this.text = text;
    this.element.setAttribute("aria-label", text);
    if (!rolls) { this.#build(text); return; }
    if (shape(text) !== shape(before)) this.#build(before.padStart(text.length, "\u2007"), text);
    const digits = [...text].filter((letter) => DIGIT.test(letter));
    const changed = this.reels.map((reel, place) => place).filter((place) => this.reels[place].digit !== digits[place]).reverse();
    const { roll_ms: rollMs, behind_ms: behindMs } = this.motion;
    const behind = rise > LEAP_CENTS ? Math.max(0, FAST_MS - rollMs) / Math.max(1, changed.length - 1) : behindMs;
    changed.forEach((place, order) => this.reels[place].roll(digits[place], rollMs, order * behind));
  }

  /** Its width in ems of the digits, as the style sheet draws it. */
  get ems() {
    const letters = [...this.text];
    const digits = letters.filter((letter) => DIGIT.test(letter)).length;
    const marks = letters.filter((letter) => ".,".includes(letter)).length;
    const reel = parseFloat(getComputedStyle(this.element).getPropertyValue("--reel-width")) || 0.68;
    return digits * (reel + 0.025) + marks * 0.32 + (letters.length - digits - marks) * 0.42 + 0.1;
  }

  /** Makes the parts anew: the letters of shown, in the places of text. */
  #build(shown, text = shown) {
    this.reels = [];
    const parts = [...text].map((letter, place) => {
      if (DIGIT.test(letter)) {
        const reel = new Reel(DIGIT.test(shown[place]) ? shown[place] : " ");
        this.reels.push(reel);
        return reel.element;
      }
      return el("span", { class: ".,".includes(letter) ? "mark" : "symbol", "aria-hidden": "true" }, letter);
    });
    this.element.replaceChildren(...parts);
  }
}

const shape = (text) => text.replace(/\d/g, "0");

class Reel {
  constructor(digit) {
    this.digit = digit;
    this.now = el("span", { class: "digit" }, digit);
    this.window = el("span", { class: "window" }, this.now);
    this.element = el("span", { class: "reel", "aria-hidden": "true" }, this.window);
    this.next = null;
  }

  /** Rolls up to a digit; while it rolls a newer digit takes the place of the next one. */
  roll(digit, rollMs, delay) {
    this.digit = digit;
    if (this.next) { this.next.textContent = digit; return; }
    this.next = el("span", { class: "digit next" }, digit);
    this.window.append(this.next);
    const timing = { duration: rollMs, delay, easing: "cubic-bezier(.2, .7, .2, 1)", fill: "both" };
    this.now.animate([{ transform: "translateY(0)" }, { transform: "translateY(-100%)" }], timing);
    const rolled = this.next.animate([{ transform: "translateY(100%)" }, { transform: "translateY(0)" }], timing);
    rolled.onfinish = () => {
      this.now = el("span", { class: "digit" }, this.digit);
      this.next = null;
      this.window.replaceChildren(this.now);
    };
  }
}
