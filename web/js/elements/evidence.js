/** Everything that was found for an answer: each passage, its places in the rankings, and why it was read or left. */

import { emit, h, shownName } from '../dom.js';
import { millisecondsInWords, numberInWords, stepInWords, words } from '../messages.js';
import { asksInWords, partInWords, placeOfRow, readInWords, verdictInWords, weightsInWords } from '../talk-messages.js';

/**
 * @typedef {import('../contract.js').Answer} Answer
 * @typedef {import('../contract.js').Ledger} Ledger
 * @typedef {import('../contract.js').LedgerRow} LedgerRow
 * @typedef {import('../state-types.js').Turn} Turn
 */

const GLIMPSE_CHARS = 160;

export class RagEvidence extends HTMLElement {
  /** @param {Turn} turn @param {Answer} answer @param {boolean} isOpen */
  showEvidence(turn, answer, isOpen) {
    const body = h('div', { class: 'evidence__body' });
    const rows = new Set(answer.ledger.flatMap((ledger) => ledger.rows.map((row) => row.chunk_id))).size;
    const draw = () => {
      if (!body.firstChild) body.append(...parts(turn, answer), timings(answer));
    };
    const details = h(
      'details',
      { class: 'evidence', open: isOpen, ontoggle: () => details.open && draw() },
      h('summary', { title: words.evidenceHint, onclick: () => emit(this, 'evidence-switched', !details.open) }, words.evidence, h('span', { class: 'evidence__count' }, words.passages(rows))),
      body,
    );
    if (isOpen) draw();
    this.replaceChildren(details);
  }
}

/** @param {Turn} turn @param {Answer} answer */
function parts(turn, answer) {
  const cited = new Map(answer.citations.map((citation) => [citation.chunk_id, citation.id]));
  return answer.ledger.map((ledger, index) => {
    const rows = ledger.rows.map((row, at) => ledgerRow(row, { turn, ledger, part: index, at, cited: cited.get(row.chunk_id) }));
    const asks = asksInWords(ledger);
    return h(
      'section',
      { class: 'evidence__part' },
      h('h4', { class: 'evidence__title', dir: 'auto' }, partInWords(ledger, index, answer.ledger.length)),
      asks.length > 0 && h('p', { class: 'quiet', dir: 'auto' }, asks.join(' · ')),
      h('p', { class: 'quiet' }, rows.length ? `${readInWords(ledger)}. ${weightsInWords(ledger)}` : words.rowsNone),
      rows.length > 0 && table(rows),
    );
  });
}

/** The roles are named, as a narrow page lays the rows out as blocks. @param {HTMLElement[]} rows */
function table(rows) {
  const columns = ['#', words.columnPassage, words.columnDense, words.columnLexical, words.columnFused, words.columnVerdict];
  const head = h('tr', { role: 'row' }, ...columns.map((column) => h('th', { scope: 'col', role: 'columnheader' }, column)));
  return h('table', { class: 'ledger', role: 'table' }, h('thead', { role: 'rowgroup' }, head), h('tbody', { role: 'rowgroup' }, ...rows));
}

/**
 * @param {LedgerRow} row
 * @param {{turn: Turn, ledger: Ledger, part: number, at: number, cited: number | undefined}} place
 */
function ledgerRow(row, { turn, ledger, part, at, cited }) {
  const number = at + 1;
  const open = (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'citation-asked', { turnId: turn.turnId, number, part });
  const where = placeOfRow(row);
  const button = h(
    'button',
    { type: 'button', class: 'ledger__open', 'data-number': number, 'data-part': part, onclick: open },
    h('span', { class: 'visually-hidden' }, `${words.rank(number)}: `),
    h('span', { class: 'ledger__name' }, shownName(row.source)),
    where && h('span', { class: 'ledger__place' }, h('bdi', {}, where)),
  );
  const glimpse = Array.from(row.text.replace(/\s+/gu, ' ').trim());
  const text = `${glimpse.slice(0, GLIMPSE_CHARS).join('')}${glimpse.length > GLIMPSE_CHARS ? '…' : ''}`;
  const verdict = h('span', { class: 'ledger__verdict' }, h('strong', {}, row.kept ? words.verdictRead : words.verdictLeft), ` ${verdictInWords(row, ledger.rows)}`);
  return h(
    'tr',
    { role: 'row', class: row.kept ? 'ledger__row' : 'ledger__row ledger__row--left' },
    cell(words.rank(number), h('span', { 'aria-hidden': 'true' }, String(number)), cited !== undefined && h('span', { class: 'ledger__cited', title: words.sources }, `[${cited}]`)),
    h('th', { scope: 'row', role: 'rowheader', class: 'ledger__passage' }, button, h('span', { class: 'ledger__glimpse', dir: 'auto' }, text)),
    ranked(words.columnDense, row.ranks.dense, words.cosine, row.cosine, 2, top(ledger, 'cosine')),
    ranked(words.columnLexical, row.ranks.lexical, words.bm25, row.bm25, 1, top(ledger, 'bm25')),
    cell(words.columnFused, numberInWords(row.rrf, 4), row.rerank !== null && h('small', {}, `${words.reranked} ${numberInWords(row.rerank, 2)}`)),
    cell(words.columnVerdict, verdict),
  );
}

/** @param {Ledger} ledger @param {'cosine' | 'bm25'} measure */
const top = ({ rows }, measure) => Math.max(0, ...rows.map((row) => row[measure] ?? 0));

/** @param {string} label   shown where the columns have no heads @param {...import('../dom.js').Child} children */
const cell = (label, ...children) => h('td', { role: 'cell', 'data-label': label }, ...children);

/** A place in one ranking. @param {string} label @param {number | null} rank @param {string} measure @param {number | null} value @param {number} digits @param {number} most */
function ranked(label, rank, measure, value, digits, most) {
  if (typeof value !== 'number') return cell(label, h('span', { class: 'ledger__none' }, words.rank(rank)));
  const gauge = h('span', { class: 'gauge', 'aria-hidden': 'true' });
  gauge.style.setProperty('--share', String(most > 0 ? Math.max(0, Math.min(1, value / most)) : 0));
  return cell(label, words.rank(rank), h('small', {}, `${measure} ${numberInWords(value, digits)}`), gauge);
}

/** Where the time went. @param {Answer} answer */
function timings({ timings_ms: all }) {
  const { total, ...steps } = all;
  const known = Object.entries(steps).filter(([, value]) => value > 0);
  const whole = Math.max(total ?? 0, known.reduce((sum, [, value]) => sum + value, 0)) || 1;
  const segments = known.map(([, value], index) => {
    const segment = h('span', { class: 'time__segment', 'data-tone': index % 8 });
    segment.style.width = `${(value / whole) * 100}%`;
    return segment;
  });
  const rows = known.map(([step, value], index) => h('div', { class: 'time__step', 'data-tone': index % 8 }, h('dt', {}, stepInWords(step)), h('dd', {}, millisecondsInWords(value))));
  const sum = typeof total === 'number' && h('div', { class: 'time__step time__step--total' }, h('dt', {}, stepInWords('total')), h('dd', {}, millisecondsInWords(total)));
  return h('section', { class: 'evidence__part' }, h('h4', { class: 'evidence__title' }, words.timings), h('div', { class: 'time', 'aria-hidden': 'true' }, ...segments), h('dl', { class: 'time__steps' }, ...rows, sum));
}
