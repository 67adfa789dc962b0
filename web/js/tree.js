/**
 * The sections of a document as a tree of rows. Pure.
 *
 * @typedef {import('./contract.js').Section} Section
 * @typedef {{id: string, title: string, page: number, level: number, parent: number, position: number, size: number, opens: boolean}} Row
 *   level from 1; parent: index of the row it hangs on, -1 at the top; position among its size siblings; opens: it has rows below it
 */

/** Sections without a heading of their own are no rows. @param {readonly Section[]} sections @returns {Row[]} */
export function rowsOf(sections) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {{index: number, level: number}[]} */
  const above = [];
  for (const { section_id: id, title, level, page_number: page } of sections) {
    if (!title || level < 1) continue;
    while (above.length > 0 && above[above.length - 1].level >= level) above.pop();
    const parent = above.at(-1)?.index ?? -1;
    if (parent >= 0) rows[parent].opens = true;
    above.push({ index: rows.length, level });
    rows.push({ id, title, page, level: above.length, parent, position: 0, size: 0, opens: false });
  }
  /** @type {Map<number, Row[]>} */
  const siblings = new Map();
  for (const row of rows) siblings.set(row.parent, [...(siblings.get(row.parent) ?? []), row]);
  for (const list of siblings.values()) list.forEach((row, index) => Object.assign(row, { position: index + 1, size: list.length }));
  return rows;
}

/** Whether each row can be seen: every row above it is open. @param {readonly Row[]} rows @param {ReadonlySet<number>} closed */
export function visibleRows(rows, closed) {
  /** @type {boolean[]} */
  const seen = [];
  rows.forEach(({ parent }, index) => (seen[index] = parent < 0 || (seen[parent] && !closed.has(parent))));
  return seen;
}

/**
 * Where a key leads in the tree, by the pattern of WAI-ARIA.
 * @param {readonly Row[]} rows @param {ReadonlySet<number>} closed @param {number} at @param {string} key
 * @returns {{to?: number, open?: number, close?: number} | null}
 */
export function treeKey(rows, closed, at, key) {
  const seen = visibleRows(rows, closed);
  /** @param {number} from @param {number} step */
  const next = (from, step) => {
    for (let index = from + step; index >= 0 && index < rows.length; index += step) if (seen[index]) return index;
    return at;
  };
  const { opens, parent } = rows[at];
  switch (key) {
    case 'ArrowDown':
      return { to: next(at, 1) };
    case 'ArrowUp':
      return { to: next(at, -1) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: next(rows.length, -1) };
    case 'ArrowRight':
      if (!opens) return { to: at };
      return closed.has(at) ? { open: at } : { to: at + 1 };
    case 'ArrowLeft':
      if (opens && !closed.has(at)) return { close: at };
      return { to: parent < 0 ? at : parent };
    default: {
      if (key.length !== 1 || !/\p{L}|\p{N}/u.test(key)) return null;
      const begins = (/** @type {number} */ index) => seen[index] && rows[index].title.toLowerCase().startsWith(key.toLowerCase());
      for (let step = 1; step <= rows.length; step += 1) if (begins((at + step) % rows.length)) return { to: (at + step) % rows.length };
      return { to: at };
    }
  }
}
