/**
 * What the page says of a conversation: how far an answer is, why a passage was read, what was asked when.
 *
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').Conversation} Conversation
 * @typedef {import('./contract.js').Ledger} Ledger
 * @typedef {import('./contract.js').LedgerRow} LedgerRow
 * @typedef {import('./state-types.js').Turn} Turn
 */

import { filled, language } from './language.js';
import { isolated, pageInWords } from './messages.js';
import { visibleName } from './text.js';

const texts = () => language.texts;

/** A writer as it is named to a reader: its model. @param {string} writer   such as "extractive" or "ollama llama3.2:3b" */
export function writerNamed(writer) {
  return writer === 'extractive' ? texts().quotesOnly : visibleName(writer.slice(writer.indexOf(' ') + 1));
}

/** How far an answer is. @param {Pick<Turn, 'stage' | 'found' | 'claims' | 'checked'>} turn */
export function progressInWords({ stage, found, claims, checked }) {
  const said = texts();
  switch (stage?.stage) {
    case 'understand':
      return said.progressUnderstanding;
    case 'write': {
      const model = isolated(writerNamed(stage.writer ?? 'extractive'));
      if (stage.model_state === 'loading') return filled(said.progressLoading, { model });
      const quotes = (stage.writer ?? 'extractive') === 'extractive';
      const doing = quotes ? said.progressQuoting : filled(said.progressWriting, { model });
      return found && found.passages > 0 ? `${foundInWords(found)} ${doing}` : doing;
    }
    case 'cite':
      return said.progressCiting;
    case 'audit':
      return checked > 0 ? filled(said.progressChecked, { done: checked, total: Math.max(checked, claims.length) }) : filled(said.progressChecking, { count: Math.max(1, claims.length) });
    case 'search':
      return stage.attempt > 1 ? said.progressAgain : said.searching;
    default:
      return said.searching;
  }
}

/** @param {{passages: number, documents: number}} found */
const foundInWords = ({ passages, documents }) =>
  filled(texts().progressFound, { passages: filled(texts().passages, { count: passages }), documents: filled(texts().documents, { count: documents }) });

/** What was searched, of a turn that was asked before. @param {Turn} turn */
export function scopeOfTurn({ scope, documentIds }) {
  if (!documentIds) return '';
  return scope || filled(texts().scopeThen, { count: documentIds.length });
}

/** @param {string} moment   ISO 8601 @param {Date} [now] */
export function momentInWords(moment, now = new Date()) {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  const isToday = date.toDateString() === now.toDateString();
  const format = new Intl.DateTimeFormat(language.locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' });
  return isToday ? filled(texts().todayAt, { time: format.format(date) }) : format.format(date);
}

/** @param {Conversation} conversation */
export function conversationInWords({ updated_at: at, turn_count: count }) {
  return `${filled(texts().questionCount, { count })} · ${momentInWords(at)}`;
}

/** A part of the question, as the title of what was found for it. @param {Ledger} ledger @param {number} index @param {number} total */
export function partInWords({ part }, index, total) {
  return total > 1 ? filled(texts().partOf, { n: index + 1, total, part: isolated(part) }) : isolated(part);
}

/** What makes a part more than its words. @param {Ledger} ledger @returns {string[]} */
export function asksInWords({ context, exhaustive, phrases }) {
  const said = texts();
  return [
    context && filled(said.partContext, { context: isolated(context) }),
    exhaustive && said.partExhaustive,
    phrases.length > 0 && filled(said.partPhrases, { phrases: new Intl.ListFormat(language.locale).format(phrases.map((phrase) => `“${isolated(phrase)}”`)) }),
  ].flatMap((part) => part || []);
}

/** How many of the passages that were found were read. @param {Ledger} ledger */
export function readInWords({ rows }) {
  const read = rows.filter(({ kept }) => kept).length;
  return filled(texts().rowsRead, { count: rows.length, read });
}

/** Why a passage was read or left. @param {LedgerRow} row @param {readonly LedgerRow[]} rows   among which it stands */
export function verdictInWords({ verdict, duplicate_of: better }, rows) {
  const said = texts();
  const index = verdict === 'duplicate' ? rows.findIndex(({ chunk_id: id }) => id === better) : -1;
  if (index >= 0) return filled(said.duplicateOf, { n: index + 1 });
  return said.verdicts[verdict] ?? verdict;
}

/** @type {[RegExp, keyof import('./language.js').Texts['weightReasons']][]} what the program says in English, by what it begins with */
const REASONS = [
  [/^Both rankings count/, 'equal'],
  [/^The embedding model does not know/, 'letters'],
  [/^The embedding model was not trained for the question/, 'question'],
  [/^The embedding model was not trained for the documents/, 'documents'],
  [/^The settings name/, 'settings'],
];

/** How much each ranking counted, and why. @param {Ledger} ledger */
export function weightsInWords({ weights: { dense, lexical, reason } }) {
  const said = texts();
  const known = REASONS.find(([begins]) => begins.test(reason))?.[1];
  const shares = { dense: share(dense, dense + lexical), lexical: share(lexical, dense + lexical) };
  return `${filled(said.weights, shares)} ${known ? said.weightReasons[known] : reason}`;
}

/** @param {number} part @param {number} whole */
const share = (part, whole) => new Intl.NumberFormat(language.locale, { style: 'percent' }).format(whole > 0 ? part / whole : 0);

/** @param {LedgerRow} row */
export const placeOfRow = (row) => [pageInWords({ ...row, page_label: null }), row.section].filter(Boolean).map(visibleName).join(' · ');


/** The texts of conversations that need a value. */
export const talkWords = {
  sampleHint: () => filled(texts().sampleHint, { questions: texts().sampleQuestions.join(' ') }),
  /** @param {string} question */
  understoodAs: (question) => filled(texts().understoodAs, { question: isolated(question) }),
  /** @param {number} count */
  showEarlier: (count) => filled(texts().showEarlier, { count }),
  /** @param {string} title */
  openConversation: (title) => filled(texts().openConversation, { title: visibleName(title) }),
  /** @param {string} title */
  renameConversation: (title) => filled(texts().renameConversation, { title: visibleName(title) }),
  /** @param {string} title */
  deleteConversation: (title) => filled(texts().deleteConversation, { title: visibleName(title) }),
  /** @param {string} title */
  deleteSure: (title) => filled(texts().deleteSure, { title: isolated(title) }),
  /** @param {number} count */
  deleteAllTitle: (count) => filled(texts().deleteAllTitle, { count }),
  /** @param {number} count */
  foundConversations: (count) => filled(texts().foundConversations, { count }),
  /** @param {string} title */
  saidOpened: (title) => filled(texts().saidOpened, { title: visibleName(title) }),
  /** @param {number} n @param {number} total */
  passageOf: (n, total) => filled(texts().passageOf, { n, total }),
  /** @param {string} writer @param {string} time */
  writtenBy: (writer, time) => filled(texts().writtenBy, { writer: isolated(writer), time }),
};
