// Signing in: a name, a PIN on large keys or a keyboard, and a plain answer.
import { ask, el } from "./common.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "OK"];

/** Asks for a PIN of somebody with one of these roles (or of anybody); resolves to whether he came in. */
export function signIn(sheets, page, roles, enter) {
  return new Promise((resolve) => {
    const able = page.staff.filter((person) => !roles || roles.includes(person.role));
    const wanted = roles ? `${roles.join(" or ")} signs in` : "Sign in";
    const name = el("input", { type: "text", id: "who", autocomplete: "off", maxlength: "32", "aria-label": "Name" });
    const pin = el("input", { type: "password", id: "pin", inputmode: "none", autocomplete: "off", maxlength: "12", "aria-label": "PIN" });
    const said = el("p", { class: "said wrong", role: "alert" });
    const names = el("div", { class: "names", role: "group", "aria-label": "Names" });
    let busy = false;

    const choose = (chosen) => {
      name.value = chosen;
      for (const one of names.children) one.setAttribute("aria-pressed", String(one.dataset.name === chosen));
      pin.focus();
    };
    const send = async () => {
      if (busy || !name.value || !pin.value) return;
      busy = true;
      const answer = await ask(`/${page.site}/sign-in`, { name: name.value, pin: pin.value });
      busy = false;
      pin.value = "";
      if (answer.status !== 200) { said.textContent = answer.error; pin.focus(); return; }
      await enter(answer);
      resolve(true);
      sheets.close();
    };
    const press = (key) => {
      if (key === "OK") { send(); return; }
      pin.value = key === "⌫" ? pin.value.slice(0, -1) : pin.value + key;
      pin.focus();
    };

    names.append(...able.map((person) => el("button", {
      type: "button", "data-name": person.name, "aria-pressed": "false", onclick: () => choose(person.name),
    }, person.name, el("small", { class: "dim" }, ` ${person.role}`))));
    const nobody = page.staff.length || able.length ? null : el("p", { class: "dim" }, `Nobody has a PIN here yet: pitlink ${page.site} pin set ROLE NAME --config FILE`);
    const keys = el("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...DIGITS.map((key) => el("button", {
      type: "button", class: key === "OK" ? "main" : "", "aria-label": key === "⌫" ? "delete" : key, onclick: () => press(key),
    }, key)));
    const form = el("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); send(); } },
      el("h2", {}, wanted),
      el("div", { class: "sign-in" },
        el("div", { class: "sheet-part" }, names, nobody,
          el("label", { for: "who" }, "Name"), name, el("label", { for: "pin" }, "PIN"), pin, said),
        keys),
      el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Sign in"),
        el("button", { type: "button", onclick: () => sheets.close() }, "Cancel")));
    sheets.open(form, { closed: () => resolve(false) });
    if (able.length === 1) choose(able[0].name); else (names.firstChild ?? name).focus();
  });
}
