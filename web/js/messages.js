/**
 * What the page says of the things it shows. The words themselves stand in `languages/`; `words` holds those of the language spoken.
 *
 * @typedef {import('./contract.js').Citation} Citation
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Problem} Problem
 * @typedef {import('./state-types.js').Upload} Upload
 * @typedef {import('./language.js').Texts} Texts
 * @typedef {'page' | 'sheet' | 'slide' | 'chapter' | 'part'} Unit
 */

import { dateFormat, filled, language, numberFormat as numbers, preferred, speak } from './language.js';
import { visibleName } from './text.js';

const texts = () => language.texts;

/** A name within a sentence: kept from turning the words around it. @param {string} name */
export const isolated = (name) => `\u2068${visibleName(name)}\u2069`;

/** @param {number} bytes */
export function sizeInWords(bytes) {
  /** @param {number} value @param {string} unit @param {'short' | 'long'} unitDisplay */
  const said = (value, unit, unitDisplay) => numbers({ style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(value);
  if (bytes < 1000) return said(bytes, 'byte', 'long');
  if (bytes < 1_000_000) return said(Math.round(bytes / 1000), 'kilobyte', 'short');
  return said(bytes / 1_000_000, 'megabyte', 'short');
}

/** @param {string} moment   ISO 8601 */
export function dateInWords(moment) {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? '' : dateFormat({ dateStyle: 'medium' }).format(date);
}

/** @param {number} count */
export const documentsInWords = (count) => filled(texts().documents, { count });

/** @type {Record<string, keyof Texts['fileKinds']>} */
const KIND_BY_ENDING = {
  '.pdf': 'pdf',
  '.docx': 'word',
  '.xlsx': 'excel',
  '.pptx': 'powerpoint',
  '.epub': 'epub',
  '.html': 'web',
  '.htm': 'web',
  '.xhtml': 'web',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'plain',
  '.text': 'plain',
  '.png': 'image',
  '.jpg': 'image',
  '.jpeg': 'image',
  '.tif': 'image',
  '.tiff': 'image',
  '.webp': 'image',
  '.bmp': 'image',
};

/** Endings that are not known here are of source code and its like. @param {readonly string[]} accepts */
export function kindsInWords(accepts) {
  const kinds = new Set(accepts.map((ending) => texts().fileKinds[KIND_BY_ENDING[ending] ?? 'code']));
  return new Intl.ListFormat(language.locale, { type: 'disjunction' }).format(kinds);
}

/** @type {Record<string, {kind: keyof Texts['documentKinds'], unit?: Unit}>} what a "page" of a kind of file is called; none: it has no pages */
const KIND_BY_TYPE = {
  'application/pdf': { kind: 'pdf', unit: 'page' },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { kind: 'word' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { kind: 'excel', unit: 'sheet' },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { kind: 'powerpoint', unit: 'slide' },
  'application/epub+zip': { kind: 'epub', unit: 'chapter' },
  'application/xhtml+xml': { kind: 'web' },
  'text/html': { kind: 'web' },
  'text/csv': { kind: 'table' },
  'text/tab-separated-values': { kind: 'table' },
};

/** @param {string} mediaType @returns {{kind: keyof Texts['documentKinds'], unit?: Unit}} */
export function kindOf(mediaType) {
  if (mediaType.startsWith('image/')) return { kind: 'image', unit: 'page' };
  return KIND_BY_TYPE[mediaType] ?? { kind: 'text' };
}

/** @param {Pick<RagDocument, 'media_type' | 'size_bytes' | 'page_count'>} document */
export function documentInWords({ media_type: mediaType, size_bytes: size, page_count: count }) {
  const { kind, unit } = kindOf(mediaType);
  return `${unit ? filled(texts().counts[unit], { count }) : texts().documentKinds[kind]} · ${sizeInWords(size)}`;
}

/** A page as it is named beside its number: "page 4", "p. iv (sheet 4)", "slide 2". @param {string} mediaType @param {number} page @param {string | null} label */
export function namedPage(mediaType, page, label) {
  const unit = kindOf(mediaType).unit ?? 'part';
  const plain = filled(texts().units[unit], { n: page });
  if (!label || label === String(page)) return plain;
  if (unit === 'page') return filled(texts().labelledPage, { label: visibleName(label), n: page });
  return filled(texts().labelledUnit, { unit: plain, label: visibleName(label) });
}

/** Where a citation stands; nothing for files without pages. @param {Pick<Citation, 'media_type' | 'page' | 'page_label'>} citation */
export function pageInWords({ media_type: mediaType, page, page_label: label }) {
  return kindOf(mediaType).unit ? namedPage(mediaType, page, label) : '';
}

/** @param {Citation} citation */
export function citationInWords(citation) {
  return [visibleName(citation.source), pageInWords(citation)].filter(Boolean).join(', ');
}

/** @param {number} selected @param {number} total */
export function scopeInWords(selected, total) {
  const { scopeNone, scopeOnly, scopeAll, scopeSome } = texts();
  if (total === 0) return scopeNone;
  if (selected > 0 && selected < total) return filled(scopeSome, { selected, total });
  return total === 1 ? scopeOnly : filled(scopeAll, { count: total });
}

/** @param {import('./contract.js').Outcome} outcome @param {string} sentName @param {string} storedName */
export function outcomeInWords(outcome, sentName, storedName) {
  const { outcomes } = texts();
  if (outcome === 'duplicate' && sentName === storedName) return outcomes.unchanged;
  return filled(outcomes[outcome], { name: isolated(storedName) });
}

/** How far a file has come, for its row. @param {Upload} upload */
export function stageInWords({ phase, jobId, cancelling, sizeBytes, sentShare, done, total }) {
  const said = texts();
  if (cancelling) return said.cancelling;
  /** @param {string} known @param {string} unknown */
  const at = (known, unknown) => (total > 1 ? filled(known, { at: Math.min(done + 1, total), total }) : unknown);
  switch (phase) {
    case 'waiting':
      return jobId === null ? filled(said.waitingToBeSent, { size: sizeInWords(sizeBytes) }) : said.waitingToBeRead;
    case 'sending':
      return filled(said.sending, { share: percent(Math.floor(sentShare * 100) / 100) });
    case 'reading':
      return at(said.readingAt, said.reading);
    case 'preparing':
      return at(said.preparingAt, said.preparing);
    case 'storing':
      return said.storing;
    default:
      return '';
  }
}

/** What is said of a file that has come to its next stage. @param {import('./state-types.js').Phase} phase @param {string} name */
export function stageSaid(phase, name) {
  /** @type {Partial<Record<import('./state-types.js').Phase, string>>} */
  const said = { reading: texts().saidReading, preparing: texts().saidPreparing };
  const template = said[phase];
  return template ? filled(template, { name: visibleName(name) }) : null;
}

/** @param {number} share   0 to 1 */
export const percent = (share) => numbers({ style: 'percent' }).format(share);

/** @param {number} value @param {'second' | 'minute' | 'millisecond'} unit */
const measured = (value, unit) => numbers({ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);

/** @param {number} seconds */
export const secondsInWords = (seconds) =>
  seconds < 60 ? measured(seconds, 'second') : `${measured(Math.floor(seconds / 60), 'minute')} ${measured(seconds % 60, 'second')}`;

/** @param {number} milliseconds */
export const millisecondsInWords = (milliseconds) => (milliseconds < 1000 ? measured(milliseconds, 'millisecond') : measured(milliseconds / 1000, 'second'));

/** @param {number | null | undefined} value @param {number} digits */
export const numberInWords = (value, digits) =>
  typeof value === 'number' ? numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value) : '–';

/** The step's name as the API gives it, in words. @param {string} step */
export function stepInWords(step) {
  const names = /** @type {Record<string, string>} */ (texts().steps);
  return names[step] ?? step.replaceAll('_', ' ');
}

/** A problem in the language of the page. The program says it in English, and more exactly. @param {Problem} problem @returns {Problem} */
export function problemInWords(problem) {
  const known = /** @type {Record<string, {message: string, fix: string}>} */ (texts().problems);
  return { ...problem, ...known[problem.code] };
}

/** The texts that need a value each; the others are said as they stand. */
const withValues = () => {
  const said = texts();
  /** @template {keyof Texts} Key @param {Key} key */
  const named = (key) => (/** @type {string} */ name) => filled(/** @type {string} */ (said[key]), { name: visibleName(name) });
  /** @template {keyof Texts} Key @param {Key} key */
  const counted = (key) => (/** @type {number} */ count) => filled(/** @type {import('./language.js').Template} */ (said[key]), { count });
  return {
    searchOnly: named('searchOnly'),
    remove: named('remove'),
    openDocument: named('openDocument'),
    pagesOf: named('pagesOf'),
    tagsOf: named('tagsOf'),
    cancelUpload: named('cancelUpload'),
    retryUpload: named('retryUpload'),
    dismissUpload: named('dismissUpload'),
    openUpload: named('openUpload'),
    progressOf: named('progressOf'),
    removedOne: named('removedOne'),
    saidRemoved: named('saidRemoved'),
    saidCancelled: named('saidCancelled'),
    passages: counted('passages'),
    filterCount: counted('filterCount'),
    ticked: counted('ticked'),
    tickShown: counted('tickShown'),
    removeTicked: counted('removeTicked'),
    removedMany: counted('removedMany'),
    removeAllTitle: counted('removeAllTitle'),
    skipped: counted('skipped'),
    stillReading: counted('stillReading'),
    saidAnswer: counted('saidAnswer'),
    findCount: counted('findCount'),
    /** @param {number} left */
    charactersLeft: (left) => filled(left >= 0 ? said.charactersLeft : said.charactersOver, { count: Math.abs(left) }),
    /** @param {number} most */
    tooManySelected: (most) => filled(said.tooManySelected, { most }),
    /** @param {string} kinds @param {string} size */
    kinds: (kinds, size) => filled(said.kinds, { kinds, size }),
    /** @param {Citation} citation */
    openCitation: (citation) => filled(said.openCitation, { n: citation.id, citation: citationInWords(citation) }),
    /** @param {number | null | undefined} rank */
    rank: (rank) => (typeof rank === 'number' ? filled(said.rank, { n: rank }) : said.notRanked),
    /** @param {number} n @param {number} total */
    sourceOf: (n, total) => filled(said.sourceOf, { n, total }),
    /** @param {string} place   the page in words @param {boolean} marked @param {string} text   that stands on it */
    pageImage: (place, marked, text) =>
      [filled(marked ? said.pageImageMarked : said.pageImage, { citation: place }), text && filled(said.itsText, { text })].filter(Boolean).join(' '),
    /** @param {number} total */
    ofPages: (total) => filled(said.ofPages, { total }),
    /** @param {string} title @param {string} place */
    sectionRow: (title, place) => filled(said.sectionRow, { title, place }),
    /** @param {number} at @param {number} total */
    findAt: (at, total) => filled(said.findAt, { at, total }),
    /** @param {number} shown @param {number} total */
    findFirst: (shown, total) => filled(said.findFirst, { shown, total }),
    /** @param {Problem} problem */
    pageProblem(problem) {
      const { message, fix } = problemInWords(problem);
      return [message, fix].filter(Boolean).join(' ');
    },
    /** @param {number} from @param {number} to */
    stripPart: (from, to) => filled(said.stripPart, { from, to }),
    /** @param {string} place @param {string[]} signs */
    cell: (place, signs) => [place, ...signs].join(', '),
    /** @param {string} sign */
    nextWith: (sign) => filled(said.nextWith, { sign }),
    /** @param {string} name @param {string} outcome */
    saidUploaded: (name, outcome) => filled(said.saidUploaded, { name: visibleName(name), outcome }),
    /** @param {string} name @param {string} message */
    saidFailed: (name, message) => filled(said.saidFailed, { name: visibleName(name), message }),
    /** @param {string} place @param {number} total */
    saidPage: (place, total) => filled(said.saidPage, { place, total }),
    offline: { code: 'offline', ...said.offline },
    /** @param {number} status */
    unclear: (status) => ({ ...said.unclear, code: `http-${status}`, message: filled(said.unclear.message, { status: String(status) }) }),
    /** @param {number} size @param {number} limit */
    tooLarge: (size, limit) => ({
      ...said.tooLarge,
      code: 'too-large',
      message: filled(said.tooLarge.message, { size: sizeInWords(size), limit: sizeInWords(limit) }),
    }),
    unreadable: { code: 'unreadable', ...said.unreadableFile },
  };
};

/** Every word of the language spoken; those that need values are functions. @type {Omit<Texts, keyof ReturnType<typeof withValues>> & ReturnType<typeof withValues>} */
export const words = /** @type {any} */ ({});

/** Changes the language of all that is said from now on. What is drawn already has to be drawn anew. @param {string} code */
export async function speakIn(code) {
  await speak(code);
  Object.assign(words, texts(), withValues());
}

await speakIn(preferred());
