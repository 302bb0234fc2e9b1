// Keyboard wedge: a bar code reader that types faster than any person and ends with Enter.
const GAP_MS = 50;
const LEAST = 6;

/** Tells of every code that is read while wanted() says so; typing by hand is never taken for one. */
export function listenForCodes(wanted, read) {
  let typed = "", last = 0;
  document.addEventListener("keydown", (event) => {
    const isQuick = event.timeStamp - last < GAP_MS;
    if (event.key === "Shift") return;
    last = event.timeStamp;
    if (event.key.length === 1) { typed = isQuick ? typed + event.key : event.key; return; }
    const code = typed;
    typed = "";
    if (event.key !== "Enter" || !isQuick || code.length < LEAST || !wanted()) return;
    event.preventDefault();
    event.stopPropagation();
    read(code);
  }, true);
}
