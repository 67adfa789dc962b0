/** Renders an answer as text nodes and buttons; never as HTML. */

import { emit, h, icon, shownName } from '../dom.js';
import { citationInWords, millisecondsInWords, numberInWords, pageInWords, stepInWords, words } from '../messages.js';
import { parseAnswer, visibleName } from '../text.js';

/**
 * @typedef {import('../contract.js').Answer} Answer
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('../state.js').Turn} Turn
 */

/** The text of an answer with its numbers. @param {Turn} turn @param {Answer} answer */
function answerText(turn, answer) {
  const byNumber = new Map(answer.citations.map((citation) => [citation.id, citation]));
  /** @param {import('../text.js').Inline[]} inlines @returns {Node[]} */
  const inline = (inlines) => {
    /** @type {Node[]} */
    const nodes = [];
    /** @type {HTMLElement | null} */
    let keep = null;
    inlines.forEach((part, index) => {
      if ('citation' in part) {
        const button = citationButton(turn, /** @type {Citation} */ (byNumber.get(part.citation)));
        if (keep) keep.append(button);
        else nodes.push(button);
        return;
      }
      // A number never stands alone at the start of a line: it keeps to the word before it.
      const next = inlines[index + 1];
      const word = next && 'citation' in next ? /\S{1,24}\s?$/u.exec(part.text) : null;
      nodes.push(document.createTextNode(part.text.slice(0, word?.index)));
      keep = word && h('span', { class: 'keep' }, word[0]);
      if (keep) nodes.push(keep);
    });
    return nodes;
  };
  const blocks = parseAnswer(answer.answer, new Set(byNumber.keys())).map((block) => {
    if (block.kind === 'paragraph') return h('p', {}, ...inline(block.inlines));
    const tag = block.kind === 'steps' ? 'ol' : 'ul';
    return h(tag, {}, ...block.items.map((item) => h('li', { value: item.value }, ...inline(item.inlines))));
  });
  return h('div', { class: 'answer__text', dir: 'auto' }, ...blocks);
}

/** @param {Turn} turn @param {Citation} citation */
function citationButton(turn, citation) {
  const label = words.openCitation(citation);
  const detail = { turnId: turn.turnId, number: citation.id };
  return h(
    'button',
    { type: 'button', class: 'cite', 'data-number': citation.id, 'aria-label': label, title: citationInWords(citation), onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'citation-asked', detail) },
    String(citation.id),
  );
}

/** @param {Turn} turn @param {readonly Citation[]} citations */
function sourceList(turn, citations) {
  const rows = citations.map((citation) => {
    const detail = { turnId: turn.turnId, number: citation.id };
    const place = [pageInWords(citation), citation.section].filter(Boolean).map(visibleName).join(' · ');
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'source-row', 'data-number': citation.id, onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'citation-asked', detail) },
        h('span', { class: 'source-row__number' }, String(citation.id)),
        h('span', { class: 'source-row__name' }, shownName(citation.source)),
        place && h('span', { class: 'source-row__place' }, h('bdi', {}, place)),
      ),
    );
  });
  return h('section', { class: 'sources' }, h('h4', { class: 'label' }, words.sources), h('ol', { class: 'sources__list' }, ...rows));
}

/** How each source was found, for those who want to know. @param {Answer} answer */
function howFound(answer) {
  const { citations, timings_ms: timings } = answer;
  const steps = Object.entries(timings).flatMap(([step, value]) => [h('dt', {}, stepInWords(step)), h('dd', {}, millisecondsInWords(value))]);
  const facts = [
    [words.strategy, answer.strategy],
    [words.writer, answer.writer],
  ].flatMap(([label, value]) => (value ? [h('dt', {}, label), h('dd', {}, value)] : []));
  const columns = [words.columnSource, words.columnDense, words.columnLexical, words.columnRrf];
  /** @param {number | null} rank @param {string} measure @param {number | null} value @param {number} digits */
  const leg = (rank, measure, value, digits) =>
    h('td', {}, words.rank(rank), typeof value === 'number' && h('small', {}, `${measure} ${numberInWords(value, digits)}`));
  const rows = citations.map((citation) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, String(citation.id)),
      leg(citation.ranks.dense, words.cosine, citation.cosine, 2),
      leg(citation.ranks.lexical, words.bm25, citation.bm25, 1),
      h('td', {}, numberInWords(citation.rrf, 4)),
    ),
  );
  const table =
    rows.length > 0 &&
    h(
      'table',
      { class: 'ranks' },
      h('caption', { class: 'label' }, words.ranking),
      h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column)))),
      h('tbody', {}, ...rows),
    );
  return h(
    'details',
    { class: 'how' },
    h('summary', {}, words.howFound),
    h('div', { class: 'how__body' }, table, h('div', {}, h('h4', { class: 'label' }, words.timings), h('dl', { class: 'steps' }, ...steps, ...facts))),
  );
}

/** @param {Answer} answer */
function copyButton(answer) {
  const sources = answer.citations.map((citation) => `[${citation.id}] ${[citationInWords(citation), citation.section].filter(Boolean).join(' · ')}`);
  const text = [answer.answer, ...(sources.length ? [`${words.sources}:\n${sources.join('\n')}`] : [])].join('\n\n');
  const label = h('span', { 'aria-live': 'polite' }, words.copy);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    label.textContent = words.copied;
  };
  return h('button', { type: 'button', class: 'button button--quiet button--small', onclick: () => void copy() }, icon('copy'), label);
}

/** @param {readonly string[]} parts */
function unsupported(parts) {
  return h(
    'section',
    { class: 'note note--gap' },
    h('h4', { class: 'note__title' }, words.unsupportedTitle),
    h('ul', {}, ...parts.map((part) => h('li', { dir: 'auto' }, part))),
  );
}

/** What the reader should know of how the answer came about. @param {readonly string[]} notes */
function remarks(notes) {
  return notes.map((note) => h('p', { class: 'quiet', role: 'note' }, note));
}

/** @param {Turn} turn @param {Answer} answer @returns {HTMLElement[]} */
export function renderAnswer(turn, answer) {
  if (answer.refused) {
    // That the whole question found nothing has just been said.
    const parts = answer.unsupported_parts.filter((part) => part.trim() !== turn.question);
    const advice = turn.documentIds ? words.refusedScoped : words.refusedAll;
    // What is read now belongs to no selection that was made before.
    const unread = answer.still_reading > 0 && !turn.documentIds ? [h('p', { class: 'quiet' }, words.stillReading(answer.still_reading))] : [];
    return [
      h('section', { class: 'note note--refused' }, h('h4', { class: 'note__title' }, words.refusedTitle), h('p', { dir: 'auto' }, answer.answer), h('p', { class: 'quiet' }, advice), ...unread, ...remarks(answer.notes)),
      ...(parts.length ? [unsupported(parts)] : []),
      howFound(answer),
    ];
  }
  return [
    answerText(turn, answer),
    ...remarks(answer.notes),
    ...(answer.unsupported_parts.length ? [unsupported(answer.unsupported_parts)] : []),
    ...(answer.citations.length ? [sourceList(turn, answer.citations)] : []),
    h('div', { class: 'answer__foot' }, howFound(answer), copyButton(answer)),
  ];
}
