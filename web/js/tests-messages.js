/**
 * What the page says of tests and of their runs.
 *
 * @typedef {import('./tests-api.js').Figure} Figure
 * @typedef {import('./tests-api.js').RunSummary} RunSummary
 * @typedef {import('./tests-api.js').Test} Test
 */

import { filled, language, numberFormat } from './language.js';
import { isolated, millisecondsInWords, secondsInWords } from './messages.js';
import { momentInWords } from './talk-messages.js';
import { visibleName } from './text.js';

const LONGEST_QUOTE = 160;

const texts = () => language.texts.tests;

/** @param {number} value   0 to 1 */
const share = (value) => numberFormat({ style: 'percent' }).format(value);

/** @param {string} metric */
const metricInWords = (metric) => /** @type {Record<string, string>} */ (texts().metrics)[metric] ?? metric;

/** A figure: its mean, over how many tests, and how sure it is. @param {Figure} figure */
export function figureInWords({ value, low, high, n, of }) {
  const said = texts();
  if (value === null) return filled(said.unmeasured, { n, of });
  const values = { share: share(value), n, of };
  if (low === null || high === null) return filled(said.figureBare, values);
  return filled(said.figure, { ...values, low: share(low), high: share(high) });
}

/** The figures in the order that the program has them. @param {Record<string, Figure>} figures @returns {[string, string][]} */
export const figuresInWords = (figures) => Object.entries(figures).map(([metric, figure]) => [metricInWords(metric), figureInWords(figure)]);

/** Whether what was to be kept is kept; empty where nothing was. @param {RunSummary} run */
export function verdictInWords({ passed, gates }) {
  if (passed === null) return '';
  if (passed) return texts().passed;
  const missed = gates.filter(({ kept }) => !kept);
  const bounds = new Set(missed.filter(({ kind }) => kind === 'bound').map(({ metric }) => metric));
  const names = [
    ...[...bounds].map(metricInWords),
    ...missed.filter(({ kind, metric }) => kind === 'regression' && !bounds.has(metric)).map(({ metric }) => filled(texts().worse, { metric: metricInWords(metric) })),
  ];
  return filled(texts().missed, { list: new Intl.ListFormat(language.locale).format(names) });
}

/** @param {RunSummary} run @param {Date} [now] */
export function runInWords({ begun_at: at, cases, approved, latency_ms: latency }, now) {
  const said = texts();
  const speed = latency ? filled(said.speed, { p50: millisecondsInWords(latency.p50), p95: millisecondsInWords(latency.p95) }) : '';
  return { title: filled(said.result, { moment: momentInWords(at, now) }), counts: filled(said.ran, { count: cases, approved }), speed };
}

/** Its status, and who decided. @param {Test} test */
export function statusInWords({ review_status: status, reviewer }) {
  const name = texts().statuses[status];
  return reviewer ? filled(texts().by, { status: name, name: isolated(reviewer) }) : name;
}

/** @param {string} quote */
export function shortened(quote) {
  const line = quote.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE - 1)}…` : line;
}

/** The texts of tests that need a value. */
export const testWords = {
  /** @param {number} done @param {number} total @param {number} elapsedMs */
  running: (done, total, elapsedMs) => filled(texts().running, { done, total, time: secondsInWords(Math.round(elapsedMs / 1000)) }),
  /** @param {string} name @param {number} count */
  counted: (name, count) => filled(texts().counted, { name, count }),
  none: () => filled(texts().none, { save: texts().save }),
  /** @param {Test} test */
  openOf: ({ question, review_status: status }) => filled(status === 'needs_review' || status === 'synthetic_silver' ? texts().reviewOf : texts().openOf, { question: visibleName(question) }),
  /** @param {number} count @param {number} skipped */
  imported: (count, skipped) => filled(texts().imported, { count, skipped }),
  /** @param {number} count */
  failed: (count) => filled(texts().failed, { count }),
  /** @param {string} question @param {string} reason */
  failedRow: (question, reason) => filled(texts().failedRow, { question: isolated(question), reason }),
  /** @param {string} place @param {string} quote */
  evidenceRow: (place, quote) => filled(texts().evidenceRow, { place: isolated(place), quote: isolated(shortened(quote)) }),
  /** @param {string} verdict */
  verdictWas: (verdict) => filled(texts().verdictWas, { verdict }),
};
