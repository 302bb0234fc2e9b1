// Signing in: a staff number and a PIN on large keys or a keyboard, and a plain answer.
import { ask, el } from "./common.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "OK"];

/** Asks for number and PIN of somebody with one of these roles (or of anybody); resolves to whether he came in. */
export function signIn(sheets, page, roles, enter) {
  return new Promise((resolve) => {
    const wanted = roles ? `${roles.join(" or ")} signs in` : "Sign in";
    const number = el("input", { type: "text", id: "number", inputmode: "none", autocomplete: "off", maxlength: "10" });
    const pin = el("input", { type: "password", id: "pin", inputmode: "none", autocomplete: "off", maxlength: "12" });
    const said = el("p", { class: "said wrong", role: "alert" });
    let busy = false;
    let field = number;

    const send = async () => {
      if (field === number && number.value && !pin.value) { pin.focus(); return; }
      if (busy || !number.value || !pin.value) return;
      busy = true;
      const answer = await ask(`/${page.site}/sign-in`, { number: number.value, pin: pin.value });
      busy = false;
      pin.value = "";
      if (answer.status !== 200) { said.textContent = answer.error; pin.focus(); return; }
      await enter(answer);
      resolve(true);
      sheets.close();
    };
    const press = (key) => {
      if (key === "OK") { send(); return; }
      field.value = key === "⌫" ? field.value.slice(0, -1) : field.value + key;
      field.focus();
    };

    for (const one of [number, pin]) one.addEventListener("focus", () => { field = one; });
    const keys = el("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...DIGITS.map((key) => el("button", {
      type: "button", class: key === "OK" ? "main" : "", "aria-label": key === "⌫" ? "delete" : key, onclick: () => press(key),
    }, key)));
    const form = el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, wanted),
      el("div", { class: "sign-in" },
        el("div", { class: "sheet-part" },
          el("label", { for: "number" }, "Staff number"), number, el("label", { for: "pin" }, "PIN"), pin, said),
        keys),
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Sign in"),
        el("button", { type: "button", onclick: () => sheets.close() }, "Cancel")));
    sheets.open(form, { closed: () => resolve(false) });
    number.focus();
  });
}
