// The sign's page: fetches its card, follows the stream, starts again when the card has changed.
import { ask, follow } from "./common.js";
import { Sign } from "./sign_view.js";

const RETRY_MS = 2000;
const asked = location.search;

async function fetchCard() {
  for (;;) {
    const { status, ...card } = await ask(`/sign/card${asked}`);
    if (status === 200) return card;
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
  }
}

const card = await fetchCard();
const sign = new Sign(document.getElementById("sign"), card);
document.documentElement.lang = card.language;
document.title = `${card.title} ${card.table}`;
const language = new URLSearchParams(asked).get("language");
follow(`/sign/stream${language ? `?language=${encodeURIComponent(language)}` : ""}`, (view) => sign.show(view));

/** A table that comes back may deal another game: then this page is made anew. */
new MutationObserver(async () => {
  const isLost = document.body.classList.contains("is-lost");
  sign.lose(isLost);
  if (!isLost && JSON.stringify(await fetchCard()) !== JSON.stringify(card)) location.reload();
}).observe(document.body, { attributeFilter: ["class"] });
