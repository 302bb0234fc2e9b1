// The growth of a meter as a chart that a screen reader can tell, with the awards it paid and the same figures as a table.
import { el } from "/static/common.js";
import { moment, say, words } from "./floor_words.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 136, LEFT = 74, TOP = 30, BOTTOM = 108;
const ROWS = 24, LETTER = 6.4, TIMES = { hour: 5, day: 5, month: 5 };
const { exact, money } = words;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Round amounts below, between and above, at most four. */
function steps(low, high) {
  const span = Math.max(high - low, 30_000);
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= 3);
  const found = [];
  for (let at = Math.floor(low / step) * step - (low === high ? step : 0); at < high + step; at += step) found.push(at);
  return found;
}

/** An amount beside an axis: $10k, $205.5k; all of an axis in the size of its highest. */
function short(cents, high) {
  const size = high >= 1e8 ? [1e8, "million"] : high >= 1e6 ? [1e5, "thousand"] : null;
  if (!size) return money(Math.round(cents));
  const rounded = Math.round(cents / size[0] * 100) / 100;
  return say(size[1], { amount: money(Math.round(rounded * 100)).replace(/([.,]\d)0$/, "$1") });
}

function clock(ms, span) {
  const date = new Date(ms);
  return span === "month" ? date.toLocaleDateString(words.locale, { day: "numeric", month: "short" }) : date.toLocaleTimeString(words.locale, { hour: "2-digit", minute: "2-digit", hour12: false });
}

/** The chart and, folded away, its figures: of these points ([ms, cents, record], oldest first), in steps: a meter stands until something moves it. */
export function chart({ link, span, points, hits, nowMs, width }) {
  if (!points.length) return [el("p", { class: "dim" }, say("never_moved"))];
  const right = width - 10, first = points[0][0], last = Math.max(nowMs, points.at(-1)[0], first + 1);
  const cents = points.map((point) => point[1]);
  const marks = steps(Math.min(...cents), Math.max(...cents)), low = marks[0], high = marks.at(-1);
  const x = (ms) => LEFT + (right - LEFT) * (ms - first) / (last - first);
  const y = (value) => BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
  const line = points.map(([ms, value], at) => (at ? `H${x(ms).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(ms).toFixed(1)} ${y(value).toFixed(1)}`)).join("") + `H${right}`;
  const rounded = marks.map((value) => short(value, high)), isFine = new Set(rounded).size < rounded.length;
  const told = say("chart_words", { from: cents[0], at: moment(first), to: cents.at(-1), low: Math.min(...cents), high: Math.max(...cents) });
  const times = Array.from({ length: TIMES[span] - 1 }, (_, at) => first + (last - first) * at / (TIMES[span] - 1));
  const named = times.map((ms) => clock(ms, span));
  const id = `chart-${link}`, shown = hits.filter((hit) => hit.at_ms >= first);
  return [
    svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-labelledby": `${id}-title ${id}-words` },
      svg("title", { id: `${id}-title` }, say("chart_title", { link, span: say(`last_${span}`) })), svg("desc", { id: `${id}-words` }, told),
      ...marks.flatMap((value) => [svg("line", { x1: LEFT, x2: right, y1: y(value), y2: y(value) }), svg("text", { x: LEFT - 8, y: y(value) + 4, class: "end" }, isFine ? money(Math.round(value)) : short(value, high))]),
      svg("path", { d: `${line}V${BOTTOM}H${LEFT}Z`, class: "area" }), svg("path", { d: line }),
      ...times.flatMap((ms, at) => (named.indexOf(named[at]) === at ? [svg("text", { x: x(ms), y: HEIGHT - 8, class: at ? "middle" : "" }, named[at])] : [])), svg("text", { x: right, y: HEIGHT - 8, class: "end" }, say("now")),
      ...diamonds(shown, points, { x, y, right })),
    el("details", {}, el("summary", { "data-key": `table ${link}` }, say("as_table")), table(link, points, shown)),
  ];
}

/** Awards as diamonds where the meter stood, the greatest with their words; what would lie over another is in the table. */
function diamonds(hits, points, { x, y, right }) {
  const taken = [];
  return hits.toSorted((one, other) => other.amount_cents - one.amount_cents).flatMap((hit) => {
    const at = points.findLastIndex(([ms]) => ms <= hit.at_ms);
    let fell = Math.max(at, 0); // the book is written just after the record that it tells of
    for (let place = at; place > Math.max(0, at - 6); place -= 1) if (points[place - 1][1] - points[place][1] > hit.amount_cents / 3) { fell = place - 1; break; }
    const [across, down] = [x(fell < at ? points[fell + 1][0] : hit.at_ms), y(points[fell][1])];
    const label = say(hit.what === "paid" ? "hit" : "hit_held", { table: hit.table, hand: hit.hand, amount: hit.amount_cents });
    const wide = label.length * LETTER, sides = [[across - 11 - wide, "label end"], [across + 11, "label"]];
    const side = sides.find(([start]) => start >= LEFT && start + wide <= right && !taken.some(([from, to]) => start < to && start + wide > from));
    const made = [svg("path", { class: "hit", d: `M${across} ${down - 7}l7 7-7 7-7-7Z` }, svg("title", {}, label))];
    if (!side) return made;
    taken.push([side[0] - 8, side[0] + wide + 8]);
    return [...made, svg("text", { x: side[1] === "label" ? across + 11 : across - 11, y: Math.max(TOP - 12, down - 9), class: side[1] }, label)];
  });
}

function table(link, points, hits) {
  const step = Math.max(1, Math.ceil(points.length / ROWS));
  const shown = points.filter((_, at) => (points.length - 1 - at) % step === 0).reverse();
  const heads = (...names) => el("thead", {}, el("tr", {}, ...names.map((name, at) => el("th", { scope: "col", class: at ? "number" : "" }, say(name)))));
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("growth_of", { link }) },
    hits.length ? el("table", {}, heads("head_time", "head_table", "head_hand", "head_amount"), el("tbody", {}, ...hits.toReversed().map((hit) => el("tr", {},
      el("td", {}, moment(hit.at_ms)), el("td", { class: "number" }, hit.table), el("td", { class: "number" }, hit.hand), el("td", { class: "number" }, exact(hit.amount_cents)))))) : "",
    el("table", {}, heads("head_time", "head_meter", "head_record"), el("tbody", {}, ...shown.map(([ms, value, record]) => el("tr", {},
      el("td", {}, moment(ms)), el("td", { class: "number" }, money(value)), el("td", { class: "number" }, String(record)))))));
}
