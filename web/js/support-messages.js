/**
 * What the page says of the support check and of flags.
 *
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').Audit} Audit
 * @typedef {import('./contract.js').AuditCheck} AuditCheck
 * @typedef {import('./contract.js').Flag} Flag
 * @typedef {import('./contract.js').Health} Health
 * @typedef {import('./contract.js').Relation} Relation
 * @typedef {'supported' | 'contradicted' | 'insufficient' | 'review' | 'unavailable'} Status
 */

import { filled, language, numberFormat } from './language.js';
import { isolated } from './messages.js';

const texts = () => language.texts;

/** @type {readonly Relation[]} */
export const RELATIONS = ['supported', 'contradicted', 'insufficient'];

/** @type {readonly Status[]} */
const STATUSES = [...RELATIONS, 'review', 'unavailable'];

/** Whether and by what statements are checked. @param {Health} health @returns {{text: string, hint: string}} */
export function modeInWords({ jev_mode: mode = 'off', auditor }) {
  const said = texts();
  const hint = said.supportHints[mode];
  const model = auditor?.model;
  if (mode === 'off' || !model) return { text: said.supportModes[mode], hint };
  return { text: filled(auditor.local ? said.supportModeBy : said.supportModeOnline, { mode: said.supportModes[mode], model: isolated(model) }), hint };
}

/** What the check comes to: by what the policy suggests, not by the likeliest relation alone. @param {AuditCheck} check @returns {Status} */
export function statusOf({ status, action, assessment }) {
  if (status !== 'completed' || !assessment) return 'unavailable';
  if (action === 'keep') return 'supported';
  return action === 'withhold' ? assessment.relation : 'review';
}

/** How many statements came to what. @param {readonly Audit[]} audits */
export function countsInWords(audits) {
  const found = audits.map(statusOf);
  return STATUSES.map((status) => [status, found.filter((one) => one === status).length])
    .filter(([, count]) => Number(count) > 0)
    .map(([status, count]) => filled(texts().supportCounts[/** @type {Status} */ (status)], { count: Number(count) }))
    .join(' · ');
}

/** @param {number} probability */
export const shareInWords = (probability) => numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(probability);

/** @param {Relation} relation @param {number} probability */
export const oddsInWords = (relation, probability) => filled(texts().supportOdds, { relation: texts().supportRelations[relation], share: shareInWords(probability) });

/** @type {[RegExp, keyof import('./language.js').Texts['supportReasons']][]} what the program says in English, by what stands in it; the first that fits */
const REASONS = [
  [/^The time for checks was over/, 'time'],
  [/^Only the first three parts/, 'parts'],
  [/^No passage is cited/, 'passage'],
  [/^The check failed/, 'failed'],
  [/ does not answer\./, 'unreachable'],
  [/ is busy \(HTTP \d+\)/, 'busy'],
  [/ does not let us in \(HTTP \d+\)/, 'locked'],
  [/ decision model, not .*\(HTTP \d+\)|has no model .*\(HTTP \d+\)/, 'missing'],
  [/ refused the call \(HTTP \d+\)/, 'refused'],
  [/ is unsound: /, 'unsound'],
];

/** Why a check is unavailable; a reason that is new to the page, as the program says it. @param {string | null} error */
export function reasonInWords(error) {
  if (!error) return texts().supportReasons.failed;
  const known = REASONS.find(([fits]) => fits.test(error))?.[1];
  const status = /HTTP \d{3}/.exec(error)?.[0] ?? '';
  return known ? filled(texts().supportReasons[known], { status }) : error;
}

/** Why no check at all was possible, where that is the same for all; else empty. @param {readonly Audit[]} audits */
export function commonReason(audits) {
  const reasons = new Set(audits.map((audit) => (statusOf(audit) === 'unavailable' ? reasonInWords(audit.error) : '')));
  return reasons.size === 1 ? [...reasons][0] : '';
}

/** What came of trying other passages for a statement; empty where none had to be tried. @param {Audit} audit */
export function repairInWords({ repair }) {
  const said = texts();
  if (!repair) return '';
  if (repair.succeeded) return said.supportRepaired;
  const { attempts } = repair;
  const last = attempts.at(-1);
  if (!last) return said.supportNoneTried;
  if (last.action === 'keep') return said.supportNotTaken;
  return last.status === 'completed' ? filled(said.supportTried, { count: attempts.length }) : `${said.supportTryingEnded} ${reasonInWords(last.error)}`;
}

/**
 * Where the passages of a check stand: among what is cited now, or among what was found for its part of the question.
 * @param {Answer} answer @param {Audit} audit @param {AuditCheck} check
 * @returns {{citation: import('./contract.js').Citation | null, row: import('./contract.js').LedgerRow | null, number: number, odds: string}[]}
 */
export function passagesOf(answer, { part }, { excerpts, assessment }) {
  const rows = answer.ledger[part]?.rows ?? [];
  return excerpts.map(({ chunk_id: id }) => {
    const index = rows.findIndex((row) => row.chunk_id === id);
    return {
      citation: answer.citations.find((citation) => citation.chunk_id === id) ?? null,
      row: rows[index] ?? null,
      number: index + 1,
      odds: assessment ? oddsInWords(assessment.relation, assessment.probabilities[assessment.relation]) : '',
    };
  });
}

/** @param {Flag} flag */
export function flagInWords({ kind, surface, message }) {
  const known = /** @type {Record<string, string>} */ (texts().flags)[kind];
  return known ? filled(known, { surface: isolated(surface) }) : message;
}

/** @param {Answer} answer */
export function usageInWords({ audit_usage: usage }) {
  return usage ? filled(texts().supportUsage, { count: usage.requests, input: usage.input_tokens, output: usage.output_tokens }) : '';
}

/** Who checked. @param {readonly Audit[]} audits */
export function checkerInWords(audits) {
  const models = new Set(audits.map((audit) => audit.returned_model ?? audit.requested_model));
  return filled(texts().supportBy, { model: new Intl.ListFormat(language.locale).format([...models].map(isolated)) });
}

/** @param {number} count */
export const foldedInWords = (count) => filled(texts().supportFolded, { count });

/** The check and the doubts as lines of plain text, for who copies the answer. @param {Answer} answer */
export function supportLines({ audits = [], flags = [] }) {
  const said = texts();
  return [
    ...audits.map((audit) => {
      const status = statusOf(audit);
      const repaired = audit.repair?.succeeded ? ` (${said.supportRepaired})` : '';
      const why = status === 'unavailable' ? ` (${reasonInWords(audit.error)})` : '';
      return `${said.supportTitle}: ${said.supportStatuses[status]}${repaired}${why}: ${audit.claim}`;
    }),
    ...flags.map((flag) => `${flagInWords(flag)}: ${flag.claim}`),
  ];
}
