/**
 * Reads the light Markdown of a document's text into blocks, each a list of runs that say where in the text they stand, so that
 * quotes can be marked. What is not markup of these few kinds, HTML above all, is text. Pure.
 *
 * @typedef {{start: number, end: number, style: '' | 'strong' | 'em' | 'code'}} Run   UTF-16 units of the text, half open
 * @typedef {{tag: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'li' | 'blockquote' | 'pre', depth: number, runs: Run[]}} Flow   depth: of a list's item
 * @typedef {{tag: 'table', hasHead: boolean, rows: Run[][][]}} Grid   rows of cells
 * @typedef {Flow | Grid} Block
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const TABLE_ROW = /^ {0,3}\|.*\|[ \t]*$/;
const TABLE_DASHES = /^ {0,3}\|?[ \t:|-]*-[ \t:|-]*\|[ \t:|-]*$/;

/** @param {string} text @returns {Block[]} */
export function parseMarkdown(text) {
  /** @type {Block[]} */
  const blocks = [];
  let at = 0;
  let fence = '';
  let inTable = false;
  let open = /** @type {Flow | null} */ (null); // the paragraph that goes on
  let code = /** @type {Flow | null} */ (null);
  for (const line of text.split('\n')) {
    const start = at;
    const end = at + line.length;
    at = end + 1;
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence || mark) {
      open = null;
      if (!fence) {
        fence = mark;
        code = { tag: 'pre', depth: 0, runs: [] };
        blocks.push(code);
      } else if (mark.startsWith(fence)) fence = '';
      else code?.runs.push({ start, end: Math.min(at, text.length), style: '' });
      continue;
    }
    const last = blocks.at(-1);
    const table = inTable && last?.tag === 'table' ? last : null;
    inTable = TABLE_ROW.test(line);
    if (table && table.rows.length === 1 && TABLE_DASHES.test(line)) {
      table.hasHead = true;
      inTable = true;
      continue;
    }
    if (inTable) {
      const row = cells(text, start, end);
      if (table) table.rows.push(row);
      else blocks.push({ tag: 'table', hasHead: false, rows: [row] });
      open = null;
      continue;
    }
    if (!line.trim() || RULE.test(line)) {
      open = null;
      continue;
    }
    const [tag, skip, depth] = kindOf(line);
    const runs = inlines(text, start + skip, end);
    if (open && tag === 'p') {
      open.runs.push({ start: start - 1, end: start, style: '' }, ...runs); // the line break before it
      continue;
    }
    /** @type {Flow} */
    const block = { tag, depth, runs };
    blocks.push(block);
    open = tag === 'p' || tag === 'li' || tag === 'blockquote' ? block : null;
  }
  return blocks;
}

/** @param {string} line @returns {[Flow['tag'], number, number]}   the kind, how much of it is markup, the depth */
function kindOf(line) {
  const heading = HEADING.exec(line);
  if (heading) return [/** @type {Flow['tag']} */ (`h${Math.min(4, heading[1].length)}`), heading[0].length, 0];
  const item = ITEM.exec(line);
  if (item) return ['li', item[0].length, Math.min(4, Math.floor(item[1].replaceAll('\t', '    ').length / 2))];
  const quote = QUOTE.exec(line);
  if (quote) return ['blockquote', quote[0].length, 0];
  return ['p', 0, 0];
}

/** The cells of a table's line. @param {string} text @param {number} from @param {number} to @returns {Run[][]} */
function cells(text, from, to) {
  const line = text.slice(from, to);
  const first = line.indexOf('|') + 1;
  /** @type {Run[][]} */
  const row = [];
  for (const match of line.slice(first, line.lastIndexOf('|')).matchAll(/(?:\\\||[^|])*(?:\||$)/g)) {
    const cell = match[0].replace(/\|$/, '');
    if (match[0] === '' && row.length > 0) break;
    const start = from + first + match.index + (cell.length - cell.trimStart().length);
    row.push(inlines(text, start, start + cell.trim().length));
  }
  return row;
}

const INLINE = /(`+)(?<code>[^`]+)\1|(\*\*|__)(?=\S)(?<strong>[^*_\n]+?)\3|(?<![\w*])([*_])(?=\S)(?<em>[^*_\n]+?)\5(?!\w)|!?\[(?<link>[^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))*\)/dg;

/** @param {string} text @param {number} from @param {number} to @returns {Run[]} */
function inlines(text, from, to) {
  /** @type {Run[]} */
  const runs = [];
  let at = from;
  for (const match of text.slice(from, to).matchAll(INLINE)) {
    const groups = /** @type {Record<string, [number, number] | undefined>} */ (match.indices?.groups ?? {});
    const [name, span] = Object.entries(groups).find(([, found]) => found) ?? ['', undefined];
    if (!span) continue;
    const start = from + match.index;
    if (start > at) runs.push({ start: at, end: start, style: '' });
    const style = name === 'link' ? '' : /** @type {Run['style']} */ (name);
    runs.push({ start: from + span[0], end: from + span[1], style });
    at = start + match[0].length;
  }
  if (at < to) runs.push({ start: at, end: to, style: '' });
  return runs;
}

/**
 * Cuts runs where marks begin and end.
 * @template {{start: number, end: number}} Mark
 * @param {readonly Run[]} runs
 * @param {readonly Mark[]} marks   in order, not overlapping, in the same units
 * @returns {(Run & {mark: Mark | null})[]}
 */
export function cutAtMarks(runs, marks) {
  return runs.flatMap((run) => {
    /** @type {(Run & {mark: Mark | null})[]} */
    const parts = [];
    let at = run.start;
    for (const mark of marks) {
      const start = Math.max(mark.start, at);
      const end = Math.min(mark.end, run.end);
      if (start >= end) continue;
      if (start > at) parts.push({ ...run, start: at, end: start, mark: null });
      parts.push({ ...run, start, end, mark });
      at = end;
    }
    if (at < run.end) parts.push({ ...run, start: at, mark: null });
    return parts;
  });
}

/** Turns code points into UTF-16 units, for any number of ascending offsets. @param {string} text @param {readonly number[]} offsets */
export function unitsOf(text, offsets) {
  let point = 0;
  let unit = 0;
  return offsets.map((offset) => {
    while (point < offset && unit < text.length) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      point += 1;
    }
    return unit;
  });
}
