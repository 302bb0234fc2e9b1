// Where the pays of a sign go: as many columns and pages as give the largest letters, with nothing cut off.

const GAP_EMS = 2; // between two columns
const BLOCK_GAP_EMS = 0.7; // between two blocks of a column
const LEAST_PITCH = 1.22; // a row's height in ems
const MOST_COLUMNS = 4;

/** A block's size: its width, the height of its heading and its note, all in ems, and how many rows it has. */
const height = (piece) => piece.head + piece.rows * LEAST_PITCH + piece.note;

/** Every way to cut blocks into pieces: whole, in halves, in thirds; or two of them side by side. */
function* cuts(blocks, joins) {
  if (!blocks.length) { yield []; return; }
  const [first, ...others] = blocks;
  if (joins && others.length) for (const rest of cuts(others.slice(1), joins)) yield [joined(first, others[0]), ...rest];
  for (const parts of first.rows >= 12 ? [1, 2, 3] : first.rows >= 4 ? [1, 2] : [1]) {
    for (const rest of cuts(others, joins)) yield [...inParts(first, parts), ...rest];
  }
}

const joined = (one, other) => ({
  pair: [one, other], width: one.width + other.width + GAP_EMS, parts: 1,
  rows: Math.max(one.rows, other.rows), head: Math.max(one.head, other.head), note: Math.max(one.note, other.note),
});

export function inParts(block, parts) {
  const most = Math.ceil(block.rows / parts);
  return Array.from({ length: parts }, (_, part) => {
    const from = part * most, rows = Math.min(most, block.rows - from);
    return { ...block, from: block.from + from, rows, note: part === parts - 1 ? block.note : 0, parts };
  }).filter((piece) => piece.rows > 0 || parts === 1);
}

/** Every way to put a row of pieces into columns, in their order. */
function* columnsOf(pieces, most) {
  if (!pieces.length) { yield []; return; }
  if (most === 0) return;
  for (let size = 1; size <= pieces.length; size += 1) {
    for (const rest of columnsOf(pieces.slice(size), most - 1)) yield [pieces.slice(0, size), ...rest];
  }
}

/** The columns with the largest letters on so much room, and their size; wide rooms want more than one column. */
export function arrange(blocks, width, room, { most, mostPitch, isWide }) {
  let best = null;
  for (const pieces of cuts(blocks, !isWide)) {
    for (const columns of columnsOf(pieces, MOST_COLUMNS)) {
      const ems = columns.map((column) => Math.max(...column.map((piece) => piece.width)));
      const heights = columns.map((column) => column.reduce((sum, piece) => sum + height(piece), 0) + BLOCK_GAP_EMS * (column.length - 1));
      const across = ems.reduce((sum, each) => sum + each, 0) + GAP_EMS * (columns.length - 1);
      const size = Math.min(most, width / across, room / Math.max(...heights));
      const unevenness = Math.max(...heights) - Math.min(...heights);
      const score = size * (isWide && columns.length === 1 ? 0.7 : 1) - pieces.length * 0.004 * most - unevenness * 0.0004 * most;
      if (!best || score > best.score) best = { score, size, columns, ems };
    }
  }
  return best && { ...best, pitches: pitchesOf(best, room, mostPitch) };
}

/** How high the rows of each column are; the halves of one block keep in line. */
function pitchesOf({ columns, size }, room, most) {
  const pitches = columns.map((column) => {
    const fixed = column.reduce((sum, piece) => sum + piece.head + piece.note, 0) + BLOCK_GAP_EMS * (column.length - 1);
    const rows = column.reduce((sum, piece) => sum + piece.rows, 0);
    return rows ? Math.max(LEAST_PITCH, Math.min(most, (room / size - fixed) / rows)) : most;
  });
  const isCut = columns.some((column) => column.some((piece) => piece.parts > 1));
  return isCut ? pitches.map(() => Math.min(...pitches)) : pitches;
}

/** As few pages as have letters of the least size. */
export function paginate(blocks, width, room, limits) {
  const fits = (some) => arrange(some, width, room, limits).size >= limits.least;
  const pages = [];
  for (const block of blocks) {
    const last = pages.at(-1);
    if (last && fits([...last, block])) { last.push(block); continue; }
    let parts = 1;
    while (parts < block.rows && !inParts(block, parts).every((piece) => fits([piece]))) parts += 1;
    for (const piece of inParts(block, parts)) pages.push([piece]);
  }
  return pages;
}
