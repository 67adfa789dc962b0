/** What is said of an answer's statements beside the answer: the check by a second model, and what rules have doubts about. */

import { emit, h, icon, shownName } from '../dom.js';
import { pageInWords, words } from '../messages.js';
import { RELATIONS, checkerInWords, commonReason, countsInWords, flagInWords, foldedInWords, oddsInWords, passagesOf, reasonInWords, repairInWords, statusOf, usageInWords } from '../support-messages.js';
import { visibleName } from '../text.js';
import { citationButton } from './answer.js';

/**
 * @typedef {import('../contract.js').Answer} Answer
 * @typedef {import('../contract.js').Audit} Audit
 * @typedef {import('../contract.js').AuditCheck} AuditCheck
 * @typedef {import('../state-types.js').Turn} Turn
 * @typedef {import('../support-messages.js').Status} Status
 */

/** @type {Record<Status, string>} */
const SIGNS = { supported: 'check', contradicted: 'close', insufficient: 'minus', review: 'look', unavailable: 'off' };

/** With more statements than this, those that need no look are folded. */
const SHOWN_AT_ONCE = 5;

export class RagSupport extends HTMLElement {
  /** @param {Turn} turn @param {Answer} answer */
  showSupport(turn, answer) {
    const { audits = [] } = answer;
    if (audits.length === 0) return;
    const reason = commonReason(audits);
    const isPlain = (/** @type {Audit} */ audit) => statusOf(audit) === 'supported' && !audit.repair;
    const folded = audits.length > SHOWN_AT_ONCE ? audits.filter(isPlain) : [];
    const shown = audits.filter((audit) => !folded.includes(audit));
    const rows = (/** @type {readonly Audit[]} */ some) => h('ul', { class: 'support__list' }, ...some.map((audit) => statement(turn, answer, audit, reason)));
    this.replaceChildren(
      h(
        'section',
        { class: 'support', 'aria-label': words.supportTitle },
        h('div', { class: 'support__head' }, h('h4', { class: 'label' }, words.supportTitle), h('span', { class: 'support__counts' }, countsInWords(audits))),
        reason !== '' && h('p', { class: 'quiet' }, `${reason} ${words.supportMeanings.unavailable}`),
        shown.length > 0 && rows(shown),
        folded.length > 0 && fold('support__more', foldedInWords(folded.length), () => [rows(folded)]),
        reason === '' && h('p', { class: 'quiet' }, checkerInWords(audits)),
        fold('support__record', words.supportRecord, () => [h('p', { class: 'quiet' }, usageInWords(answer)), ...audits.map(record)]),
      ),
    );
  }
}

/** Quiet notes under an answer. @param {Turn} turn @param {Answer} answer @returns {HTMLElement[]} */
export function flagNotes(turn, answer) {
  const { flags = [] } = answer;
  if (flags.length === 0) return [];
  const isWhole = (/** @type {string} */ claim) => answer.answer.length < claim.length + 20;
  const notes = flags.map((flag) => {
    const cited = answer.citations.filter(({ id }) => flag.citations.includes(id));
    return h(
      'li',
      { class: 'flag' },
      h('span', {}, flagInWords(flag), ' ', ...cited.map((citation) => citationButton(turn, citation))),
      // Which statement it is about needs no saying where there is but one.
      !isWhole(flag.claim) && h('span', { class: 'flag__claim', dir: 'auto' }, flag.claim),
    );
  });
  return [h('section', { class: 'flags', 'aria-label': words.flagsTitle }, h('h4', { class: 'label', title: words.flagsHint }, words.flagsTitle), h('ul', { class: 'flags__list' }, ...notes), h('p', { class: 'quiet' }, words.flagsHint))];
}

/** @param {Turn} turn @param {Answer} answer @param {Audit} audit @param {string} common   a reason that has been said for all */
function statement(turn, answer, audit, common) {
  const status = statusOf(audit);
  const cited = answer.citations.filter(({ id }) => audit.citations.includes(id));
  const meaning = status !== 'unavailable' ? words.supportMeanings[status] : common ? '' : reasonInWords(audit.error);
  return h(
    'li',
    { class: 'support__statement', 'data-status': status },
    h('p', { class: 'support__status' }, icon(SIGNS[status]), h('strong', {}, words.supportStatuses[status]), ' ', meaning && h('span', { class: 'support__meaning' }, meaning)),
    h('p', { class: 'support__claim' }, h('span', { dir: 'auto' }, audit.claim), ' ', ...cited.map((citation) => citationButton(turn, citation))),
    ...odds(audit),
    ...repair(turn, answer, audit),
  );
}

/** The three probabilities, as a bar and in words. @param {AuditCheck} check @returns {HTMLElement[]} */
function odds({ assessment }) {
  if (!assessment) return [];
  const bar = h('span', { class: 'odds__bar', 'aria-hidden': 'true' });
  const said = RELATIONS.map((relation) => {
    const p = assessment.probabilities[relation];
    const segment = h('span', { 'data-relation': relation });
    segment.style.width = `${p * 100}%`;
    bar.append(segment);
    return h('li', { 'data-relation': relation }, oddsInWords(relation, p));
  });
  return [h('div', { class: 'odds' }, bar, h('ul', { class: 'odds__said' }, ...said))];
}

/** What was cited before, and what is now. @param {Turn} turn @param {Answer} answer @param {Audit} audit @returns {HTMLElement[]} */
function repair(turn, answer, audit) {
  const said = repairInWords(audit);
  if (!audit.repair?.succeeded) return said ? [h('p', { class: 'quiet' }, said)] : [];
  const side = (/** @type {string} */ label, /** @type {AuditCheck} */ check) =>
    h('div', { class: 'repair__side' }, h('dt', {}, label), ...passagesOf(answer, audit, check).map((passage) => h('dd', {}, place(turn, audit, passage), passage.odds && h('span', { class: 'repair__odds' }, passage.odds))));
  return [h('div', { class: 'repair' }, h('p', { class: 'repair__title' }, said), h('dl', {}, side(words.supportBefore, audit.repair.original), side(words.supportAfter, audit)))];
}

/** A passage, to be opened. @param {Turn} turn @param {Audit} audit @param {ReturnType<typeof passagesOf>[number]} passage */
function place(turn, { part }, { citation, row, number }) {
  const said = citation ?? row;
  if (!said) return h('span', {}, words.supportPassageGone);
  const where = [pageInWords({ page_label: null, ...said }), said.section].filter(Boolean).map(visibleName).join(' · ');
  const target = citation ? { turnId: turn.turnId, number: citation.id } : { turnId: turn.turnId, number, part };
  return h(
    'button',
    { type: 'button', class: 'repair__open', 'data-number': target.number, 'data-part': citation ? null : part, onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'citation-asked', target) },
    citation && `[${citation.id}] `,
    shownName(said.source),
    where && h('span', { class: 'repair__place' }, h('bdi', {}, where)),
  );
}

/** Something that is drawn when it is first opened. @param {string} name @param {string} title @param {() => HTMLElement[]} content */
function fold(name, title, content) {
  const body = h('div', { class: 'fold__body' });
  const details = h('details', { class: `fold ${name}`, ontoggle: () => details.open && !body.firstChild && body.append(...content()) }, h('summary', {}, title), body);
  return details;
}

/** Everything that is kept of a statement's check, by the names that the program gives it. @param {Audit} audit */
function record({ claim, ...rest }) {
  return h('section', { class: 'record' }, h('h5', { class: 'record__claim', dir: 'auto' }, claim), fields(rest));
}

/** @param {object} value @returns {HTMLElement} */
function fields(value) {
  const rows = Object.entries(value).flatMap(([name, inner]) => [h('dt', {}, name), h('dd', {}, shown(inner))]);
  return h('dl', { class: 'record__fields' }, ...rows);
}

/** @param {unknown} value @returns {Node | string} */
function shown(value) {
  if (Array.isArray(value) && value.some((one) => typeof one === 'object')) return h('ol', { class: 'record__list' }, ...value.map((one) => h('li', {}, shown(one))));
  if (Array.isArray(value)) return value.join(', ') || '–';
  if (value !== null && typeof value === 'object') return fields(value);
  return value === null || value === undefined ? '–' : String(value);
}
