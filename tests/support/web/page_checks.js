// Checks of a page as a browser draws it; page_checks.py calls them.

/** Text beyond the screen, hidden, clipped or over other text, in the order of the page; in an open dialog, the dialog's. */
const layoutFaults = ({ root, glyphs, scrolls }) => {
  const found = [], { innerWidth: right, innerHeight: bottom } = window;
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const hides = (value) => value !== "visible";
  /** What can be seen of a box: less than all where an ancestor scrolls it away, or hides it for good. */
  const part = (node, box) => {
    let [l, t, r, b] = [box.left, box.top, box.right, box.bottom], lost = false;
    for (let up = node; up && up !== document.body && up !== document.documentElement; up = up.parentElement) {
      const style = getComputedStyle(up), isBox = up === node;
      if (isBox && style.display === "inline") continue;
      if (!hides(style.overflowX) && !hides(style.overflowY)) { if (style.position === "fixed") break; continue; }
      const frame = up.getBoundingClientRect();
      const cut = (is, gone) => { if (is === "hidden" || is === "clip") lost ||= gone; };
      cut(style.overflowX, l < frame.left - 1 || r > frame.right + 1);
      const spare = 0.3 * (box.bottom - box.top); // a font's own box is higher than its letters
      cut(style.overflowY, t < frame.top - spare || b > frame.bottom + spare);
      [l, t, r, b] = [Math.max(l, frame.left), Math.max(t, frame.top), Math.min(r, frame.right), Math.min(b, frame.bottom)];
    }
    return { left: l, top: t, right: r, bottom: b, width: r - l, height: b - t, lost };
  };
  const words = [];
  for (const node of top.querySelectorAll(root)) {
    if (!seen(node) || node.closest("[aria-hidden=true] svg, .only-heard")) continue;
    if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isGlyph = glyphs && node.closest(glyphs); // a font's own box is higher than its digits
    const drawn = (isGlyph ? node : range).getBoundingClientRect();
    const name = `${node.tagName} ${node.className.baseVal ?? node.className}: ${node.textContent.trim().slice(0, 40)}`;
    const shown = part(node, drawn);
    const isShort = node.title && getComputedStyle(node).textOverflow === "ellipsis"; // the whole word stands in its title
    if (shown.lost && !isShort) found.push(`hidden: ${name}`);
    if (shown.width < 1 || shown.height < 1) continue; // scrolled away
    const isBeyond = shown.left < -0.5 || shown.right > right + 0.5
      || (!scrolls && (shown.top < -0.5 || shown.bottom > bottom + 0.5));
    if (isBeyond) found.push(`beyond the screen: ${name}`);
    const { display } = getComputedStyle(node);
    const isBox = display !== "inline" && node.clientWidth > 0;
    if (isBox && !isShort && node.scrollWidth > node.clientWidth + 1) found.push(`clipped: ${name}`);
    if (!node.classList.contains("digit")) words.push([name, shown, node]);
  }
  words.sort(([, one], [, other]) => one.top - other.top);
  for (const [place, [name, one, node]] of words.entries()) {
    for (const [other, two, another] of words.slice(place + 1)) {
      if (two.top > one.bottom) break;
      if (node.contains(another) || another.contains(node)) continue;
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      const high = Math.min(one.height, two.height);
      const isSticky = (each) => each.closest("[data-sticky]"); // what scrolls goes below it
      if (across > 2 && down > 0.35 * high && Boolean(isSticky(node)) === Boolean(isSticky(another))) found.push(`overlap: ${name} | ${other}`);
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > right || (!scrolls && page.scrollHeight > bottom)) found.push("the page scrolls");
  return found;
};

/** Controls that are too small to touch, or too near to one another; those of a .joined row belong together. */
const targetFaults = ({ least, gap }) => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const controls = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button]";
  const seen = [...top.querySelectorAll(controls)].filter((node) => node.checkVisibility({ visibilityProperty: true }));
  const found = [], boxes = [];
  const scrolling = (node) => { for (let up = node.parentElement; up && up !== document.body; up = up.parentElement) if (["auto", "scroll"].includes(getComputedStyle(up).overflowY)) return up; return null; };
  for (const node of seen) {
    const isPart = node.tagName === "A" && node.closest("p, td, dd"); // a link within a text
    if (isPart) continue;
    const target = ["radio", "checkbox"].includes(node.type) ? node.closest("label") ?? node : node;
    const { left, top: high, right, bottom, width, height } = target.getBoundingClientRect();
    const scroller = scrolling(target)?.getBoundingClientRect();
    if (scroller && (high < scroller.top || bottom > scroller.bottom)) continue; // scrolled away
    const name = `${node.tagName} ${node.getAttribute("aria-label") ?? node.textContent.trim().slice(0, 30) ?? node.id}`;
    if (width < least - 0.5 || height < least - 0.5) found.push(`small target ${width.toFixed(0)}×${height.toFixed(0)}: ${name}`);
    boxes.push({ left, top: high, right, bottom, name, target, row: node.closest(".joined") });
  }
  for (const [place, one] of boxes.entries()) {
    for (const two of boxes.slice(place + 1)) {
      if (one.target.contains(two.target) || two.target.contains(one.target) || (one.row && one.row === two.row)) continue;
      const across = Math.max(one.left, two.left) - Math.min(one.right, two.right);
      const down = Math.max(one.top, two.top) - Math.min(one.bottom, two.bottom);
      if (Math.max(across, down) < gap - 0.5 && Math.max(across, down) > -4) found.push(`targets ${Math.max(across, down).toFixed(1)} px apart: ${one.name} | ${two.name}`);
    }
  }
  return found;
};

/** The focus before everything that the Tab key reaches. */
const begin = () => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body, place = document.createElement("span");
  place.tabIndex = -1;
  top.prepend(place);
  place.focus();
};

/** What has the focus, and whether that can be seen; each control gets a mark of its own. */
const focused = () => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const style = getComputedStyle(here), mark = `${style.outlineStyle} ${style.boxShadow}`;
  return { key: here.dataset.tabbed ??= String(Math.random()), name: here.getAttribute("aria-label") || here.textContent.trim().slice(0, 40) || here.id,
    isMarked: style.outlineStyle !== "none" || style.boxShadow !== "none" };
};

/** Controls that the Tab key has not reached. */
const unreached = () => {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const controls = "button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), summary";
  return [...top.querySelectorAll(controls)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }) && node.tabIndex >= 0 && !node.dataset.tabbed && node.type !== "radio")
    .map((node) => node.getAttribute("aria-label") || node.textContent.trim().slice(0, 40) || node.id);
};
