// The growth of a meter as a chart that a screen reader can tell, with the same figures as a table.
import { dollars, el } from "/static/common.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600, HEIGHT = 150, LEFT = 90, RIGHT = 590, TOP = 16, BOTTOM = 122;
const ROWS = 24;

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A date, or null where no calendar has one: a table's clock may say anything. */
const dated = (ms) => (ms < 253402300800000 ? new Date(ms) : null);
export const moment = (ms) => dated(ms)?.toLocaleString("en-GB", { day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" }) ?? `${ms} ms`;
export const stamp = (ms) => (dated(ms) ? `${moment(ms)}.${String(ms % 1000).padStart(3, "0")}` : moment(ms));

/** The chart of these points ([ms, cents, record], oldest first), in steps: a meter stands until something moves it. */
export function chart(link, span, points, nowMs) {
  if (!points.length) return [el("p", { class: "dim" }, "Nothing has moved this meter yet.")];
  const first = points[0][0], last = Math.max(nowMs, points.at(-1)[0], first + 1);
  const cents = points.map((point) => point[1]);
  const low = Math.min(...cents), high = Math.max(...cents), isFlat = low === high;
  const x = (ms) => LEFT + (RIGHT - LEFT) * (ms - first) / (last - first);
  const y = (value) => (isFlat ? (TOP + BOTTOM) / 2 : BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low));
  const line = points.map(([ms, value], at) => (at ? `H${x(ms).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(ms).toFixed(1)} ${y(value).toFixed(1)}`)).join("") + `H${RIGHT}`;
  const now = cents.at(-1);
  const words = `From ${dollars(cents[0])} on ${moment(first)} to ${dollars(now)}; lowest ${dollars(low)}, highest ${dollars(high)}.`;
  const name = `chart-${link}`;
  return [
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": `${name}-title ${name}-words` },
      svg("title", { id: `${name}-title` }, `Growth of meter ${link}, last ${span}`), svg("desc", { id: `${name}-words` }, words),
      svg("line", { x1: LEFT, x2: RIGHT, y1: TOP, y2: TOP }), svg("line", { x1: LEFT, x2: RIGHT, y1: BOTTOM, y2: BOTTOM }),
      svg("path", { d: line }),
      svg("text", { x: LEFT - 6, y: y(high) + 5, class: "end" }, dollars(high)), svg("text", { x: LEFT - 6, y: y(low) + 5, class: "end" }, isFlat ? "" : dollars(low)),
      svg("text", { x: LEFT, y: HEIGHT - 8 }, moment(first)), svg("text", { x: RIGHT, y: HEIGHT - 8, class: "end" }, "now")),
    el("details", {}, el("summary", { "data-key": `table ${link}` }, "The same as a table"), table(link, points)),
  ];
}

function table(link, points) {
  const step = Math.max(1, Math.ceil(points.length / ROWS));
  const shown = points.filter((_, at) => (points.length - 1 - at) % step === 0).reverse();
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Growth of meter ${link}` }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Time"), el("th", { scope: "col", class: "number" }, "Meter"), el("th", { scope: "col", class: "number" }, "Record"))),
    el("tbody", {}, ...shown.map(([ms, value, record]) => el("tr", {},
      el("td", {}, moment(ms)), el("td", { class: "number" }, dollars(value)), el("td", { class: "number" }, String(record)))))));
}
