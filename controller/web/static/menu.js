// The menu of a screen: its language and its sounds, and whatever a phone has no room for.
import { el } from "./common.js";
import { shape } from "./shapes.js";
import { soundsAreOn, turnSounds } from "./sounds.js";
import { language, t } from "./texts.js";
import { chooseLanguage, LANGUAGES } from "./words.js";

export function menuSheet(sheets, page) {
  const sounds = el("button", { type: "button", "aria-pressed": String(soundsAreOn()), onclick: () => {
    turnSounds(!soundsAreOn());
    sounds.setAttribute("aria-pressed", String(soundsAreOn()));
    sounds.replaceChildren(...label());
  } });
  const label = () => [shape(soundsAreOn() ? "sound" : "silence"), t(soundsAreOn() ? "sounds_on" : "sounds_off")];
  sounds.append(...label());
  const open = (path) => () => window.open(path, "_blank", "noopener");
  const languages = Object.entries(LANGUAGES).map(([code, name]) => el("button", { type: "button", "aria-pressed": String(code === language), onclick: () => chooseLanguage(code) }, name));
  const unreviewed = language === "en" ? null : el("p", { class: "about" }, t("unreviewed"));
  sheets.form(null, { title: t("this_screen"), cancel: t("close"), body: el("div", {},
    el("p", { class: "step-label" }, t("language")), el("div", { class: "choices" }, ...languages), unreviewed,
    el("p", { class: "step-label" }, t("sounds")), el("div", { class: "choices" }, sounds),
    el("p", { class: "step-label" }, t("pages")), el("div", { class: "choices" },
      page.has("dealer", "supervisor", "accounting") ? el("button", { type: "button", onclick: open("/slips") }, shape("paper"), t("slips")) : null,
      page.has("supervisor", "accounting") ? el("button", { type: "button", onclick: open("/replay") }, shape("clock"), t("rounds")) : null,
      el("button", { type: "button", onclick: open("/sign") }, shape("eye"), t("players_sign"))),
  ) });
}
