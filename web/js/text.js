/**
 * Pure helpers for text: code points, marked passages, the answer's blocks, safe names.
 *
 * @typedef {import('./contract.js').Span} Span
 * @typedef {{text: string, marked: boolean}} Segment
 * @typedef {{text: string} | {citation: number}} Inline
 * @typedef {{inlines: Inline[], value: number | null}} Item
 * @typedef {{kind: 'paragraph', inlines: Inline[]} | {kind: 'bullets' | 'steps', items: Item[]}} Block
 */

/**
 * Cuts a passage at its spans, which count code points where JavaScript counts UTF-16 units. Spans out of order, overlapping or out of range do no harm.
 * @param {string} text
 * @param {readonly Span[]} spans
 * @returns {Segment[]}
 */
export function markSpans(text, spans) {
  const points = Array.from(text);
  const ordered = spans
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(points.length, end) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  /** @type {Segment[]} */
  const segments = [];
  let at = 0;
  for (const { start, end } of ordered) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const last = segments.at(-1);
    const marked = points.slice(from, end).join('');
    if (from === at && last?.marked) last.text += marked;
    else {
      if (from > at) segments.push({ text: points.slice(at, from).join(''), marked: false });
      segments.push({ text: marked, marked: true });
    }
    at = end;
  }
  if (at < points.length) segments.push({ text: points.slice(at).join(''), marked: false });
  return segments;
}

/**
 * Finds a passage in its page, at its place; `null` if something else stands there.
 * @param {string} page
 * @param {{text: string, page_start: number, page_end: number}} citation
 * @returns {{before: string, after: string} | null}
 */
export function locatePassage(page, { text, page_start: start, page_end: end }) {
  const points = Array.from(page);
  if (!text || points.slice(start, end).join('') !== text) return null;
  return { before: points.slice(0, start).join(''), after: points.slice(end).join('') };
}

/**
 * Splits a line into text and citations; `[n]` is a citation only if n is known.
 * @param {string} text
 * @param {ReadonlySet<number>} known
 * @returns {Inline[]}
 */
export function parseInline(text, known) {
  /** @type {Inline[]} */
  const inlines = [];
  let at = 0;
  for (const match of text.matchAll(/\[(\d{1,3})\]/g)) {
    const number = Number(match[1]);
    if (!known.has(number)) continue;
    if (match.index > at) inlines.push({ text: text.slice(at, match.index) });
    inlines.push({ citation: number });
    at = match.index + match[0].length;
  }
  if (at < text.length) inlines.push({ text: text.slice(at) });
  return inlines;
}

const BULLET = /^\s{0,3}[-*•]\s+(.*)$/u;
const STEP = /^\s{0,3}(\d{1,3})[.)]\s+(.*)$/u;

/**
 * Reads the answer's light Markdown: paragraphs, `- ` bullets, `1. ` steps. Nothing else is markup.
 * @param {string} answer
 * @param {ReadonlySet<number>} known  numbers of the citations
 * @returns {Block[]}
 */
export function parseAnswer(answer, known) {
  /** @typedef {{kind: 'paragraph' | 'bullets' | 'steps', lines: {text: string, value: number | null}[]}} Raw */
  /** @type {Raw[]} */
  const raw = [];
  let open = /** @type {Raw | null} */ (null);
  for (const line of answer.split(/\r?\n/)) {
    if (!line.trim()) {
      if (open?.kind === 'paragraph') open = null;
      continue;
    }
    const bullet = BULLET.exec(line);
    const step = STEP.exec(line);
    const kind = bullet ? 'bullets' : step ? 'steps' : 'paragraph';
    const text = (bullet?.[1] ?? step?.[2] ?? line).trim();
    if (kind === 'paragraph' && open && (open.kind === 'paragraph' || /^\s{2,}/.test(line))) {
      const last = open.lines[open.lines.length - 1];
      last.text += `\n${text}`;
      continue;
    }
    if (open?.kind !== kind) {
      open = { kind, lines: [] };
      raw.push(open);
    }
    open.lines.push({ text, value: step ? Number(step[1]) : null });
  }
  return raw.map(({ kind, lines }) => {
    const items = lines.map((line) => ({ inlines: parseInline(line.text, known), value: line.value }));
    return kind === 'paragraph' ? { kind, inlines: items[0].inlines } : { kind, items };
  });
}

/** Controls that turn or hide text, and line breaks: none belongs in a name. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * A name in which every control is visible, so that `a\u202Efdp.exe` cannot pose as a PDF.
 * The joiner inside emoji and scripts that need it is kept.
 * @param {string} name
 */
export function visibleName(name) {
  return name.replace(UNSEEN, (character) => {
    if (character === '\u200d' || character === '\u200c') return character;
    const code = /** @type {number} */ (character.codePointAt(0));
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** @param {string} text length as the API counts it */
export function countCodePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
