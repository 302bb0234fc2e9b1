// The floor's words, read once for all its scripts.
import { readWords } from "/static/words.js";

export const words = await readWords("floor_script");
export const { say } = words;

/** A hand, a decision or a game as people say it: the first letter large. */
export const spoken = (name) => { const text = name.replaceAll(/[-_]/g, " "); return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`; };

const day = { day: "numeric", month: "short" }, clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const writer = (options) => new Intl.DateTimeFormat(words.locale, options);
const writers = { time: writer(clock), moment: writer({ ...day, year: "numeric", ...clock }), stamp: writer({ ...day, ...clock, fractionalSecondDigits: 3 }) };

/** A moment that every calendar has; a table's clock may say anything. */
const written = (how, ms) => (ms < 253402300800000 ? writers[how].format(ms) : say("milliseconds", { ms }));
export const time = (ms) => written("time", ms);
export const moment = (ms) => written("moment", ms);
export const stamp = (ms) => written("stamp", ms);

/** Today the time alone, else with its day. */
export const when = (ms, now) => (new Date(ms).toDateString() === new Date(now).toDateString() ? time(ms) : moment(ms));

export function age(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "";
  if (seconds < 60) return say("seconds", { seconds: seconds - seconds % 5 });
  if (seconds < 3600) return say("minutes", { minutes: Math.floor(seconds / 60) });
  if (seconds < 172800) return say("hours", { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60 });
  return say("days", { days: Math.floor(seconds / 86400) });
}
