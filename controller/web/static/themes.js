// Previews every state of every theme with invented amounts; ?theme=…&state=… fills the screen with one.
import { ask, el } from "./common.js";
import { Sign } from "./sign_view.js";

const asked = new URLSearchParams(location.search);
const language = asked.get("language") ?? "";
const card = (theme) => ask(`/sign/card?${new URLSearchParams({ theme, language })}`);
const { themes, views, faults } = await ask(`/sign/samples?${new URLSearchParams({ language })}`);
const place = document.getElementById("themes");

if (asked.get("state")) {
  document.body.style.overflow = "hidden";
  place.className = "sign";
  const sign = new Sign(place, await card(asked.get("theme") ?? ""));
  document.documentElement.lang = sign.card.language;
  sign.show(views.open);
  sign.show(views[asked.get("state")] ?? views.open);
} else {
  place.className = "overview";
  place.append(el("h1", {}, "Themes of the sign"), el("p", {}, "Amounts and awards on this page are samples. A picture opens in full size."),
    ...faults.map((fault) => el("p", { role: "alert" }, `Not shown: ${fault}`)));
  for (const theme of themes) {
    const its = await card(theme);
    place.append(el("section", { class: "theme" }, el("h2", {}, theme), ...Object.entries(views).map(([state, view]) => {
      const box = el("div", { class: "sign" });
      requestAnimationFrame(() => {
        const sign = new Sign(box, its);
        for (const each of [views.open, view]) sign.show(each);
      });
      return el("a", { href: `?${new URLSearchParams({ theme, state, language })}` }, box, el("span", {}, state));
    })));
  }
}
