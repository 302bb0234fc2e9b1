// The words of a page: one language's texts from the daemon; numbers, money and times by the browser's own CLDR.

const CHOICE = "pitlink-language";
export const LANGUAGES = { en: "English", es: "Español", zh: "简体中文" };

/** Reads the texts of a page's script, such as "panel_script", in the language chosen here, or in the screen's own. */
export async function readWords(page) {
  const language = new URLSearchParams(location.search).get("language");
  const answer = await fetch(`/words/${page}${language ? `?language=${encodeURIComponent(language)}` : ""}`, {
    cache: "no-store", credentials: "same-origin",
  });
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  const words = wordsOf(await answer.json());
  document.documentElement.lang = words.locale;
  return words;
}

/** Keeps the language that somebody chose at this browser; the page loads again in it. */
export function chooseLanguage(language) {
  document.cookie = `${CHOICE}=${language}; path=/; samesite=strict; max-age=31536000`;
  location.reload();
}

/** What the daemon sent, as functions: say(key, values), money, exact, count, time, moment. */
export function wordsOf({ language, locale, currency, texts }) {
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" };
  const withCents = new Intl.NumberFormat(locale, style);
  const whole = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: 0, maximumFractionDigits: 0 });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const full = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const exact = (cents) => withCents.format(cents / 100);
  const money = (cents) => (cents % 100 ? exact(cents) : whole.format(cents / 100));
  const count = (number) => numbers.format(number);
  const ways = { money, exact, count };

  /** One text with its values; {amount:money} says how a value is written. */
  function say(key, values = {}) {
    let text = texts[key];
    if (text === undefined) throw new Error(`no text ${key}`);
    if (typeof text === "object") {
      text = plurals.select(Number(values[text.by])) === "one" && text.one ? text.one : text.other;
    }
    return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name, way) => (way ? ways[way](values[name]) : String(values[name])));
  }

  /** Fills every element that names its text: data-say its words, data-say-title and the like its attributes. */
  function fill(root = document) {
    for (const place of root.querySelectorAll("[data-say]")) place.textContent = say(place.dataset.say);
    for (const name of ["title", "placeholder", "aria-label"]) {
      for (const place of root.querySelectorAll(`[data-say-${name}]`)) {
        place.setAttribute(name, say(place.getAttribute(`data-say-${name}`)));
      }
    }
  }

  return {
    language, locale, currency, say, fill, money, exact, count,
    has: (key) => key in texts,
    time: (ms) => clock.format(new Date(ms)),
    moment: (ms) => full.format(new Date(ms)),
  };
}
