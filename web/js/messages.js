/**
 * Every word that the page says, in one place, so that it can be translated.
 *
 * @typedef {import('./contract.js').Health} Health
 * @typedef {import('./contract.js').Citation} Citation
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Report} Report
 * @typedef {import('./contract.js').PageReading} PageReading
 * @typedef {import('./state-types.js').Upload} Upload
 */

import { meanConfidence } from './pages.js';
import { visibleName } from './text.js';

const LANGUAGE = 'en';
const whole = new Intl.NumberFormat(LANGUAGE);
const oneDigit = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 });
const plural = new Intl.PluralRules(LANGUAGE);

/** @param {number} count @param {string} one @param {string} other */
function counted(count, one, other) {
  return `${whole.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/** A name within a sentence: kept from turning the words around it. @param {string} name */
const isolated = (name) => `\u2068${visibleName(name)}\u2069`;

/** @param {number} bytes */
export function sizeInWords(bytes) {
  if (bytes < 1000) return counted(bytes, 'byte', 'bytes');
  if (bytes < 1_000_000) return `${whole.format(Math.round(bytes / 1000))} kB`;
  return `${oneDigit.format(bytes / 1_000_000)} MB`;
}

/** @param {number} count */
export const documentsInWords = (count) => counted(count, 'document', 'documents');

/** @type {Record<string, string>} */
const KIND_BY_ENDING = {
  '.pdf': 'PDF',
  '.docx': 'Word',
  '.xlsx': 'Excel',
  '.pptx': 'PowerPoint',
  '.epub': 'EPUB',
  '.html': 'web page',
  '.htm': 'web page',
  '.xhtml': 'web page',
  '.csv': 'CSV',
  '.tsv': 'CSV',
  '.md': 'Markdown',
  '.markdown': 'Markdown',
  '.txt': 'plain text',
  '.text': 'plain text',
  '.png': 'image',
  '.jpg': 'image',
  '.jpeg': 'image',
  '.tif': 'image',
  '.tiff': 'image',
  '.webp': 'image',
  '.bmp': 'image',
};

/** @param {readonly string[]} accepts */
export function kindsInWords(accepts) {
  const kinds = new Set(accepts.map((ending) => KIND_BY_ENDING[ending] ?? ending));
  return new Intl.ListFormat(LANGUAGE, { type: 'disjunction' }).format(kinds);
}

/** @type {Record<string, {kind: string, unit?: [string, string]}>} what a "page" of a kind of file is called; none: it has no pages */
const KIND_BY_TYPE = {
  'application/pdf': { kind: 'PDF', unit: ['page', 'pages'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { kind: 'Word' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { kind: 'Excel', unit: ['sheet', 'sheets'] },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { kind: 'PowerPoint', unit: ['slide', 'slides'] },
  'application/epub+zip': { kind: 'EPUB', unit: ['chapter', 'chapters'] },
  'application/xhtml+xml': { kind: 'Web page' },
  'text/html': { kind: 'Web page' },
  'text/csv': { kind: 'Table' },
  'text/tab-separated-values': { kind: 'Table' },
};

/** @param {string} mediaType @returns {{kind: string, unit?: [string, string]}} */
function kindOf(mediaType) {
  if (mediaType.startsWith('image/')) return { kind: 'Image', unit: ['page', 'pages'] };
  return KIND_BY_TYPE[mediaType] ?? { kind: 'Text' };
}

/** @param {Pick<RagDocument, 'media_type' | 'size_bytes' | 'page_count'>} document */
export function documentInWords({ media_type: mediaType, size_bytes: size, page_count: pages }) {
  const { kind, unit } = kindOf(mediaType);
  return `${unit ? counted(pages, ...unit) : kind} · ${sizeInWords(size)}`;
}

/** Where a citation stands: "page 4", "p. iv (sheet 4)", "slide 2", nothing for files without pages.
 * @param {Pick<Citation, 'media_type' | 'page' | 'page_label'>} citation */
export function pageInWords({ media_type: mediaType, page, page_label: label }) {
  const { unit } = kindOf(mediaType);
  if (!unit) return '';
  if (!label || label === String(page)) return `${unit[0]} ${page}`;
  return unit[0] === 'page' ? `p. ${visibleName(label)} (sheet ${page})` : `${unit[0]} ${page} (${visibleName(label)})`;
}

/** @param {Citation} citation */
export function citationInWords(citation) {
  return [visibleName(citation.source), pageInWords(citation)].filter(Boolean).join(', ');
}

/** @param {number} selected @param {number} total */
export function scopeInWords(selected, total) {
  if (total === 0) return 'No documents yet';
  if (selected === 0 || selected === total) {
    return total === 1 ? 'Searching your one document' : `Searching all ${whole.format(total)} documents`;
  }
  return `Searching ${whole.format(selected)} of ${whole.format(total)}`;
}

/** @param {import('./contract.js').Outcome} outcome @param {string} sentName @param {string} storedName */
export function outcomeInWords(outcome, sentName, storedName) {
  switch (outcome) {
    case 'created':
      return 'Added';
    case 'unchanged':
      return 'Already here';
    case 'replaced':
      return 'Replaced the earlier version';
    case 'duplicate':
      return sentName === storedName ? 'Already here' : `Already here as ${isolated(storedName)}`;
  }
}

/** How far a file has come, for its row. @param {Upload} upload */
export function stageInWords({ phase, jobId, cancelling, sizeBytes, sentShare, done, total }) {
  if (cancelling) return 'Cancelling…';
  /** @param {string} begin @param {string} unit */
  const at = (begin, unit) => (total > 1 ? `${begin} ${unit} ${whole.format(Math.min(done + 1, total))} of ${whole.format(total)}` : `${begin}…`);
  switch (phase) {
    case 'waiting':
      return jobId === null ? `Waiting to be sent · ${sizeInWords(sizeBytes)}` : 'Waiting to be read';
    case 'sending':
      return `Sending ${Math.floor(sentShare * 100)} %`;
    case 'reading':
      return at('Reading', 'page');
    case 'preparing':
      return at('Preparing', 'passage');
    case 'storing':
      return 'Storing…';
    default:
      return '';
  }
}

/** What is said of a file that has come to its next stage. @param {import('./state-types.js').Phase} phase @param {string} name */
export function stageSaid(phase, name) {
  /** @type {Partial<Record<import('./state-types.js').Phase, string>>} */
  const verbs = { reading: 'Reading', preparing: 'Read, now preparing' };
  return verbs[phase] ? `${verbs[phase]} ${visibleName(name)}` : null;
}

/** @param {number} share   0 to 1 */
const percent = (share) => `${Math.round(share * 100)}\u00a0%`;

/** @type {Record<import('./pages.js').Sign, string>} */
const SIGNS = {
  failed: 'could not be read',
  'no-text': 'no text',
  garbled: 'garbled text',
  'low-coverage': 'words are missing',
  slow: 'ran out of time',
  'unread-picture': 'unread picture that may hold text',
  'hidden-text': 'hidden text left out',
  ocr: 'read by OCR',
  mixed: 'partly read by OCR',
  rotated: 'rotated',
  table: 'table',
  diagram: 'diagram',
};

/** @param {import('./pages.js').Sign} sign */
export const signInWords = (sign) => SIGNS[sign];

/** @type {Record<import('./contract.js').PagePath, string>} */
const PATHS = {
  text: 'read from the file’s text',
  plain: 'read from its text layer',
  layout: 'read from its text layer by its layout',
  ocr: 'read by OCR',
  mixed: 'read from its text layer and by OCR',
  failed: 'could not be read',
};

/** @param {Pick<RagDocument, 'media_type' | 'page_count'>} document @param {number} page */
export function placeInWords({ media_type: mediaType, page_count: pages }, page) {
  if (pages === 1 && !kindOf(mediaType).unit) return words.theText;
  return `${capital(unitOf(mediaType)[0])} ${whole.format(page)}`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What is counted in a file of this kind. @param {string} mediaType @returns {[string, string]} */
const unitOf = (mediaType) => kindOf(mediaType).unit ?? ['part', 'parts'];

/** How a page was read, and how well. @param {PageReading} reading */
export function readingInWords({ path, flags, words: count, coverage, ocr_confidence: confidence }) {
  const rest = flags.filter((flag) => flag !== 'ocr' && flag !== 'failed').map(signInWords);
  return [
    capital(PATHS[path]),
    counted(count, 'word', 'words'),
    coverage !== null && `${percent(coverage)} of its text layer kept`,
    confidence !== null && `OCR confidence ${percent(confidence)}`,
    ...rest,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** How the pages of a document were read, in a sentence. @param {Report} report */
export function reportInWords({ document, pages, words: count }) {
  if (pages.length === 0) return 'How this file was read has not been noted. Remove it and add it again to see it.';
  const total = `${counted(count, 'word', 'words')}.`;
  /** @param {...import('./contract.js').PagePath} paths */
  const by = (...paths) => pages.filter(({ path }) => paths.includes(path)).length;
  const fromText = by('text', 'plain', 'layout');
  const confidence = meanConfidence(pages);
  /** @type {[number, string][]} */
  const parts = [
    [fromText, fromText === 1 ? 'read from its text' : 'read from their text'],
    [by('mixed'), 'from text and OCR together'],
    [by('ocr'), `by OCR${confidence === null ? '' : ` (mean confidence ${percent(confidence)})`}`],
    [by('failed'), 'could not be read'],
    [pages.filter(({ flags }) => flags.includes('no-text')).length, 'without text'],
  ];
  const said = parts.filter(([many]) => many > 0);
  const counts = counted(pages.length, ...unitOf(document.media_type));
  if (said.length > 1) return `${counts}: ${said.map(([many, what]) => `${whole.format(many)} ${what}`).join(', ')}. ${total}`;
  const [[, what]] = said;
  if (pages.length > 1) return `${counts}, all ${what}. ${total}`;
  return `${kindOf(document.media_type).unit ? `${counts}, ${what}` : capital(what)}. ${total}`;
}

/** @param {Health} health */
export function writerInWords({ chat }) {
  if (chat.provider === 'extractive') return 'exact quotes, no model';
  const where = chat.local ? '' : `(${chat.provider}, online)`;
  const away = { missing: '(not installed, quotes instead)', unreachable: '(not reachable, quotes instead)', loading: '(loading)', ready: '' };
  return [chat.model ?? chat.provider, where, chat.state ? away[chat.state] : ''].filter(Boolean).join(' ');
}

/** @param {Health} health */
export function searchInWords({ embedding }) {
  return [embedding.model ?? embedding.provider, embedding.local ? '' : `(${embedding.provider}, online)`]
    .filter(Boolean)
    .join(' ');
}

/** What is said while the index is made anew; empty where it is not. @param {Health} health */
export function reindexInWords({ reindex }) {
  if (reindex?.state !== 'running' && reindex?.state !== 'waiting') return '';
  const far = `${whole.format(reindex.done)} of ${whole.format(reindex.total)} passages`;
  const meanwhile = reindex.by_words_only ? ' Until then they are searched by words alone.' : '';
  const waits = reindex.state === 'waiting' ? ` It waits: ${reindex.message}` : '';
  return `Preparing the documents for ${reindex.wanted}: ${far}.${meanwhile}${waits}`;
}

/** @param {Health} health */
const keptElsewhere = ({ database, index, sources }) => [database, index, sources].some((place) => place && !place.local);

/** What leaves this machine, a sentence each. @param {Health} health */
export function leavesInWords(health) {
  const parts = [
    ...(health.chat.local && health.embedding.local ? [] : [words.leaves]),
    ...(keptElsewhere(health) ? [words.keptElsewhere] : []),
  ];
  return health.leaves_machine && parts.length === 0 ? [words.leaves] : parts;
}

/** @param {Health | null} health */
export function filesStay(health) {
  if (health && keptElsewhere(health)) {
    const model = health.chat.local && health.embedding.local ? '' : ' Passages that fit your question are sent to the online model that is set up.';
    return `Your documents are kept on the machines that are set up for them, not on this one alone.${model}`;
  }
  if (health?.leaves_machine) {
    return 'Your files are kept in this program’s folder on this machine. Passages that fit your question are sent to the online model that is set up.';
  }
  return 'Your files are copied into this program’s folder on this machine, read here and searched here. Nothing is sent anywhere.';
}

/** @param {number} seconds */
export const secondsInWords = (seconds) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

/** @param {number} milliseconds */
export const millisecondsInWords = (milliseconds) =>
  milliseconds < 1000 ? `${oneDigit.format(milliseconds)} ms` : `${oneDigit.format(milliseconds / 1000)} s`;

/** @param {number | null | undefined} value @param {number} digits */
export const numberInWords = (value, digits) =>
  typeof value === 'number' ? value.toFixed(digits) : '–';

/** The step's name as the API gives it, in words. @param {string} step */
export function stepInWords(step) {
  /** @type {Record<string, string>} */
  const names = {
    embed: 'read the question',
    dense: 'search by meaning',
    lexical: 'search by words',
    load: 'fetch the passages',
    generate: 'write the answer',
    cite: 'find the lines',
    total: 'in all',
  };
  return names[step] ?? step.replaceAll('_', ' ');
}

export const words = {
  appName: 'local-rag',
  // the status line
  staysHere: 'Nothing leaves this machine',
  leaves: 'Passages are sent to an online model',
  keptElsewhere: 'Documents are kept on other machines',
  reachable: 'Other machines can reach this page',
  answersBy: 'Answers',
  searchBy: 'Search',
  connecting: 'Connecting…',
  tryConnecting: 'Try again',
  keyHelp: 'Keyboard help',
  // places
  placesLabel: 'Places',
  library: 'Documents',
  conversation: 'Ask',
  conversationTitle: 'Questions and answers',
  source: 'Source',
  // the library
  addFiles: 'Add files',
  dropHint: 'or drop them anywhere on this window',
  dropNow: 'Drop to add to your documents',
  uploads: 'Being added',
  documentList: 'Your documents',
  noDocuments: 'Nothing here yet.',
  removeAll: 'Remove all',
  selectHint: 'Tick to search only some.',
  searchOnly: /** @param {string} name */ (name) => `Search in ${visibleName(name)}`,
  remove: /** @param {string} name */ (name) => `Remove ${visibleName(name)}`,
  fresh: 'New',
  pages: 'Pages',
  pagesOf: /** @param {string} name */ (name) => `Pages of ${visibleName(name)}`,
  cancel: 'Cancel',
  cancelUpload: /** @param {string} name */ (name) => `Cancel ${visibleName(name)}`,
  retry: 'Try again',
  retryUpload: /** @param {string} name */ (name) => `Try ${visibleName(name)} again`,
  dismissUpload: /** @param {string} name */ (name) => `Dismiss ${visibleName(name)}`,
  passwordOf: 'Password of the file',
  openWithPassword: 'Open',
  openUpload: /** @param {string} name */ (name) => `Open ${visibleName(name)} with the password`,
  progressOf: /** @param {string} name */ (name) => `Progress of ${visibleName(name)}`,
  skipped: /** @param {number} count */ (count) =>
    `${counted(count, 'file', 'files')} of another kind in the folder ${count === 1 ? 'was' : 'were'} left out.`,
  // confirmations
  removeTitle: 'Remove this document?',
  removeBody: /** @param {string} name */ (name) =>
    `${isolated(name)} will no longer be searched, and the copy that this program keeps is deleted. Your original file is not touched.`,
  removeConfirm: 'Remove',
  removeAllTitle: /** @param {number} count */ (count) => `Remove ${count === 1 ? 'your one document' : `all ${documentsInWords(count)}`}?`,
  removeAllBody:
    'Nothing will be left to search, and the copies that this program keeps are deleted. Your original files are not touched.',
  removeAllConfirm: 'Remove all',
  clearTitle: 'Start a new conversation?',
  clearBody: 'The questions and answers on this page will be gone. Your documents stay.',
  clearConfirm: 'Start new',
  // asking
  questions: 'Questions',
  newConversation: 'New conversation',
  questionLabel: 'Your question',
  questionHint: 'Ask your documents…',
  ask: 'Ask',
  stop: 'Stop',
  searchAll: 'Search all',
  enterHint: 'Enter to ask, Shift+Enter for a new line',
  charactersLeft: /** @param {number} left */ (left) =>
    left >= 0 ? `${counted(left, 'character', 'characters')} left` : `${counted(-left, 'character', 'characters')} too many`,
  tooManySelected: /** @param {number} most */ (most) => `Tick at most ${most} documents, or none to search all.`,
  addFirst: 'Add a document first, then ask.',
  // first run
  welcomeTitle: ['Ask your documents. See the', 'very lines that prove it.'],
  welcomeSteps: [
    ['Add your files', 'They are read once, then they can be searched.'],
    ['Ask in plain words', 'The answer comes from your documents and from nothing else.'],
    ['Check the proof', 'Each statement has a number. Choose it to see the very lines, marked on the page.'],
  ],
  chooseFiles: 'Choose files',
  orDrop: 'Or drop them anywhere on this window.',
  kinds: /** @param {string} kinds @param {string} size */ (kinds, size) => `${kinds}, up to ${size} each.`,
  readyTitle: 'What would you like to know?',
  readyBody: 'Every statement of an answer carries a number. Choose a number to see the very lines that prove it.',
  // answers
  question: 'Question',
  searching: 'Searching your documents…',
  stopped: 'Stopped. No answer was made.',
  askAgain: 'Ask again',
  failedTitle: 'This question could not be answered',
  refusedTitle: 'No answer found',
  refusedScoped: 'Only the documents you had ticked were searched. Untick them to search all.',
  refusedAll: 'Try other words, or words that stand in the document itself.',
  stillReading: /** @param {number} count */ (count) =>
    `${counted(count, 'file is', 'files are')} still being read and could not be searched. Ask again when ${count === 1 ? 'it is' : 'they are'} done.`,
  unsupportedTitle: 'Not found in your documents',
  sources: 'Sources',
  copy: 'Copy answer',
  copied: 'Copied',
  openCitation: /** @param {Citation} citation */ (citation) => `Source ${citation.id}: ${citationInWords(citation)}`,
  howFound: 'How this was found',
  timings: 'Time taken',
  ranking: 'Where each source ranked',
  columnSource: 'Source',
  columnDense: 'By meaning',
  columnLexical: 'By words',
  columnRrf: 'Both (RRF)',
  rank: /** @param {number | null | undefined} rank */ (rank) => (typeof rank === 'number' ? `no. ${rank}` : 'not ranked'),
  cosine: 'cosine',
  bm25: 'BM25',
  strategy: 'Strategy',
  writer: 'Writer',
  // the source
  sourceOf: /** @param {number} number @param {number} count */ (number, count) => `Source ${number} of ${count}`,
  sourceEmptyTitle: 'The proof appears here',
  sourceEmpty: 'Choose a number in an answer to see the passage and the page it stands on.',
  previous: 'Previous source',
  next: 'Next source',
  close: 'Close source',
  download: 'Download original',
  passage: 'Passage',
  lead: 'Belongs to this passage, from elsewhere in the document:\n',
  thePage: 'The page',
  theText: 'The whole text',
  pageImage: /** @param {Citation} citation */ (citation) =>
    `Image of ${citationInWords(citation)}${citation.rectangles.length ? ', quoted lines marked' : ''}`,
  zoomIn: 'Larger',
  zoomOut: 'Smaller',
  backToLines: 'Back to the lines',
  pageLoading: 'Drawing the page…',
  pageFailed: 'The page could not be drawn. Its text:',
  noLines: 'The lines could not be marked on the page. They are marked in the passage above.',
  gone: 'This document has been removed or replaced since. The passage is kept in the answer.',
  pageProblem: /** @param {import('./contract.js').Problem} problem */ ({ message, fix }) => [message, fix].filter(Boolean).join(' '),
  // the pages of a document
  loading: 'Loading…',
  strip: 'Pages',
  stripPart: /** @param {number} from @param {number} to */ (from, to) => `${whole.format(from)} to ${whole.format(to)}`,
  cell: /** @param {string} place @param {string[]} signs */ (place, signs) => [place, ...signs].join(', '),
  legend: 'Marked pages',
  nextWith: /** @param {string} sign */ (sign) => `Go to the next page: ${sign}`,
  choosePage: 'Choose a page to see its text as it was read.',
  extracted: 'Text as it was read',
  noTextHere: 'No text was found on this page.',
  picture: /** @param {string} place */ (place) => `Picture of ${place.toLowerCase()}`,
  noPicture: 'The picture could not be drawn.',
  // keys
  keysTitle: 'Keyboard',
  keys: [
    ['/', 'Go to the question'],
    ['Enter', 'Ask'],
    ['Shift + Enter', 'New line in the question'],
    ['Esc', 'Close the source, or stop the search'],
    ['N  P', 'Next and previous source'],
    ['?', 'Show this list'],
  ],
  closeDialog: 'Close',
  // what is read out
  saidUploaded: /** @param {string} name @param {string} outcome */ (name, outcome) => `${visibleName(name)}: ${outcome}`,
  saidFailed: /** @param {string} name @param {string} message */ (name, message) => `${visibleName(name)} was not added. ${message}`,
  saidCancelled: /** @param {string} name */ (name) => `${visibleName(name)} cancelled`,
  saidRemoved: /** @param {string} name */ (name) => `${visibleName(name)} removed`,
  saidAllRemoved: 'All documents removed',
  saidAnswer: /** @param {number} sources */ (sources) => `Answer ready, ${counted(sources, 'source', 'sources')}`,
  // problems the page itself finds
  offline: { code: 'offline', message: 'The program does not answer.', fix: 'Check that local-rag is still running, then try again.' },
  unclear: /** @param {number} status */ (status) => ({
    code: `http-${status}`,
    message: `The program answered in a way this page does not understand (${status}).`,
    fix: 'Reload the page. If it happens again, look at the program’s log.',
  }),
  tooLarge: /** @param {number} size @param {number} limit */ (size, limit) => ({
    code: 'too-large',
    message: `This file has ${sizeInWords(size)}; the limit is ${sizeInWords(limit)}.`,
    fix: 'Send a smaller file, or raise RAG_MAX_UPLOAD_MB and start the program again.',
  }),
  unreadable: {
    code: 'unreadable',
    message: 'The browser could not read this file.',
    fix: 'Check that it has not been moved or changed, then choose it again.',
  },
};
