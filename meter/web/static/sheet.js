// One sheet at a time: a dialog with what is to be decided, that says why something was refused.

export class Sheet {
  constructor() {
    this.dialog = document.getElementById("sheet");
    this.now = {};
    this.dialog.addEventListener("close", () => this.#left());
  }

  open(content, now = {}) {
    if (this.dialog.open) this.#left();
    this.now = now;
    this.dialog.className = content.dataset.kind ?? "";
    this.dialog.replaceChildren(content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  said(words) {
    const place = this.dialog.querySelector(".said");
    if (place) place.textContent = words;
  }

  #left() {
    const { closed } = this.now;
    this.now = {};
    closed?.();
  }
}
