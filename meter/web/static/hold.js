// A button that acts only when it is held: with a finger, the mouse, Enter or the space bar.
import { el } from "/static/common.js";
import { shape } from "/static/shapes.js";

export class HoldButton {
  #timer = 0;

  /** why says what is still missing, or nothing; said shows it; act is what holding does. */
  constructor(label, { heldMs, why, said, act }) {
    Object.assign(this, { label, heldMs, why, said, act, locked: "" });
    this.node = el("button", { type: "button", class: "hold order" });
    this.node.style.setProperty("--held", `${heldMs}ms`);
    const begin = (event) => { if (!event.repeat) this.#begin(); };
    this.node.addEventListener("pointerdown", (event) => { if (event.button === 0) begin(event); });
    for (const name of ["pointerup", "pointerleave", "pointercancel", "blur", "keyup"]) this.node.addEventListener(name, () => this.#end());
    this.node.addEventListener("contextmenu", (event) => event.preventDefault());
    this.node.addEventListener("keydown", (event) => { if (["Enter", " "].includes(event.key)) { event.preventDefault(); begin(event); } });
    this.lock("");
  }

  /** Locks the button and says why, or opens it again. */
  lock(why) {
    this.locked = why;
    this.node.classList.toggle("locked", Boolean(why));
    this.node.setAttribute("aria-disabled", String(Boolean(why)));
    this.node.replaceChildren(el("span", { class: "fill", "aria-hidden": "true" }), shape(why ? "padlock" : "triangle"), el("span", {}, this.label));
    if (why) this.#end();
  }

  /** Says what is missing, or leads to the button: Enter in a field never acts. */
  ask() {
    const lacks = this.locked || this.why();
    this.said(lacks);
    if (!lacks) this.node.focus();
  }

  #begin() {
    const lacks = this.locked || this.why();
    this.said(lacks);
    if (lacks || this.#timer) return;
    this.node.classList.add("held");
    this.#timer = setTimeout(() => { this.#end(); this.act(); }, this.heldMs);
  }

  #end() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.node.classList.remove("held");
  }
}
