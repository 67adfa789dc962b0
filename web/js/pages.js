/**
 * What a page's reading is shown as. Pure.
 *
 * @typedef {import('./contract.js').Report} Report
 * @typedef {import('./contract.js').PageReading} PageReading
 * @typedef {import('./contract.js').PageFlag | 'mixed'} Sign
 */

/** Every sign and its letter, the gravest first; N and O beside each other would read as a word. @type {readonly [Sign, string][]} */
const LETTERS = [
  ['failed', 'F'],
  ['no-text', '∅'],
  ['garbled', 'G'],
  ['low-coverage', 'L'],
  ['slow', 'S'],
  ['unread-picture', 'P'],
  ['hidden-text', 'H'],
  ['ocr', 'O'],
  ['mixed', 'M'],
  ['rotated', 'R'],
  ['table', 'T'],
  ['diagram', 'D'],
];
const letters = new Map(LETTERS);

/** @param {Sign} sign */
export const letterOf = (sign) => letters.get(sign) ?? '';

/** The signs of a page, the gravest first; a plain page has none. @param {PageReading} reading @returns {Sign[]} */
export function signsOf({ path, flags }) {
  /** @type {Set<Sign>} */
  const has = new Set(flags);
  if (path === 'ocr' || path === 'mixed' || path === 'failed') has.add(path);
  if (path === 'mixed') has.delete('ocr');
  return LETTERS.flatMap(([sign]) => (has.has(sign) ? [sign] : []));
}

/** How many pages have each sign, of those that occur. @param {readonly PageReading[]} pages @returns {[Sign, number][]} */
export function countSigns(pages) {
  /** @type {Map<Sign, number>} */
  const counts = new Map();
  for (const page of pages) for (const sign of signsOf(page)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return LETTERS.flatMap(([sign]) => (counts.has(sign) ? [[sign, counts.get(sign) ?? 0]] : []));
}

/** Mean confidence of the pages that OCR read, 0 to 1; `null` where it is not known. @param {readonly PageReading[]} pages */
export function meanConfidence(pages) {
  const known = pages.flatMap(({ path, ocr_confidence: confidence }) => (path === 'ocr' && confidence !== null ? [confidence] : []));
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** The pages of a report; of a document that was read before reports were kept, only their numbers. @param {Report} report @returns {PageReading[]} */
export function pagesOf({ document, pages }) {
  if (pages.length > 0) return pages;
  return Array.from({ length: document.page_count }, (_, index) => ({
    page_number: index + 1,
    path: 'plain',
    flags: [],
    words: 0,
    coverage: null,
    ocr_confidence: null,
  }));
}
