/** Renders an answer as text nodes and buttons; never as HTML. */

import { exportUrl } from '../api.js';
import { emit, h, icon, shownName } from '../dom.js';
import { answerInMarkdown } from '../as-markdown.js';
import { citationInWords, millisecondsInWords, pageInWords, words } from '../messages.js';
import { citationsOf } from '../state-talk.js';
import { talkWords, writerNamed } from '../talk-messages.js';
import { parseAnswer, visibleName } from '../text.js';
import { menu } from './menu.js';

/**
 * @typedef {import('../contract.js').Answer} Answer
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('../state-types.js').Turn} Turn
 */

/** The text of a turn so far: of its answer, or of the statements that have passed their checks. @param {Turn} turn */
export function textOf({ answer, claims }) {
  return answer ? answer.answer : claims.map(({ text }) => text).join(' ');
}

/** The text of an answer with its numbers. @param {Turn} turn @returns {HTMLElement[]} */
export function answerBlocks(turn) {
  const byNumber = new Map(citationsOf(turn).map((citation) => [citation.id, citation]));
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
  return parseAnswer(textOf(turn), new Set(byNumber.keys())).map((block) => {
    if (block.kind === 'paragraph') return h('p', {}, ...inline(block.inlines));
    const tag = block.kind === 'steps' ? 'ol' : 'ul';
    return h(tag, {}, ...block.items.map((item) => h('li', { value: item.value }, ...inline(item.inlines))));
  });
}

/** Opens a citation, from the button that was pressed. @param {Turn} turn @param {Citation} citation */
const opening = (turn, citation) => (/** @type {Event} */ event) =>
  emit(/** @type {Element} */ (event.currentTarget), 'citation-asked', { turnId: turn.turnId, number: citation.id });

/** @param {Turn} turn @param {Citation} citation */
export function citationButton(turn, citation) {
  return h(
    'button',
    { type: 'button', class: 'cite', 'data-number': citation.id, 'aria-label': words.openCitation(citation), title: citationInWords(citation), onclick: opening(turn, citation) },
    String(citation.id),
  );
}

/** @param {Turn} turn @param {readonly Citation[]} citations */
export function sourceList(turn, citations) {
  const rows = citations.map((citation) => {
    const place = [pageInWords(citation), citation.section].filter(Boolean).map(visibleName).join(' · ');
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'source-row', 'data-number': citation.id, onclick: opening(turn, citation) },
        h('span', { class: 'source-row__number' }, String(citation.id)),
        h('span', { class: 'source-row__name' }, shownName(citation.source)),
        place && h('span', { class: 'source-row__place' }, h('bdi', {}, place)),
      ),
    );
  });
  return h('section', { class: 'sources' }, h('h4', { class: 'label' }, words.sources), h('ol', { class: 'sources__list' }, ...rows));
}

/** @param {Turn} turn @param {Answer} answer */
function copyButton(turn, answer) {
  const label = h('span', { 'aria-live': 'polite' }, words.copyMarkdown);
  const copy = async () => {
    await navigator.clipboard.writeText(answerInMarkdown(turn.question, answer));
    label.textContent = words.copied;
    setTimeout(() => (label.textContent = words.copyMarkdown), 2500);
  };
  return h('button', { type: 'button', class: 'button button--quiet button--small', title: words.copyHint, onclick: () => void copy() }, icon('copy'), label);
}

/** Links to a conversation, or to one answer of it, as files. @param {string} conversationId @param {number | null} number */
export function exportLinks(conversationId, number) {
  return Object.entries(words.exports).map(([format, label]) => h('a', { class: 'menu__item', href: exportUrl(conversationId, number, format), download: true }, label));
}

/** @param {Turn} turn */
export function editButton(turn) {
  return h('button', { type: 'button', class: 'button button--quiet button--small', onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'question-edited', turn.question) }, icon('edit'), words.editQuestion);
}

/** @param {Turn} turn @param {string} conversationId */
function testButton(turn, conversationId) {
  return h('button', { type: 'button', class: 'button button--quiet button--small', onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'test-save-asked', { turn, conversationId }) }, icon('check'), words.tests.save);
}

/** What can be done with an answer, and who wrote it. @param {Turn} turn @param {Answer} answer @param {string | null} conversationId */
export function answerFoot(turn, answer, conversationId) {
  const { number } = turn;
  const total = answer.timings_ms.total;
  const written = talkWords.writtenBy(writerNamed(answer.writer), typeof total === 'number' ? millisecondsInWords(total) : '');
  return h(
    'div',
    { class: 'answer__foot' },
    !answer.refused && copyButton(turn, answer),
    conversationId !== null && number !== null && menu('down', words.exportAnswer, () => exportLinks(conversationId, number)),
    editButton(turn),
    conversationId !== null && number !== null && testButton(turn, conversationId),
    h('span', { class: 'answer__writer', title: words.writer }, written),
  );
}

/** @param {readonly string[]} parts */
export function unsupported(parts) {
  return h('section', { class: 'note note--gap' }, h('h4', { class: 'note__title' }, words.unsupportedTitle), h('ul', {}, ...parts.map((part) => h('li', { dir: 'auto' }, part))));
}

/** What the reader should know of how the answer came about. @param {readonly string[]} notes */
export const remarks = (notes) => notes.map((note) => h('p', { class: 'quiet remark', role: 'note' }, note));

/** What is said where no answer was found. @param {Turn} turn @param {Answer} answer */
export function refusal(turn, answer) {
  // That the whole question found nothing has just been said.
  const parts = answer.unsupported_parts.filter((part) => part.trim() !== turn.question);
  const advice = turn.documentIds ? words.refusedScoped : words.refusedAll;
  // What is read now belongs to no selection that was made before.
  const unread = answer.still_reading > 0 && !turn.documentIds ? [h('p', { class: 'quiet' }, words.stillReading(answer.still_reading))] : [];
  return [
    h('section', { class: 'note note--refused' }, h('h4', { class: 'note__title' }, words.refusedTitle), h('p', { dir: 'auto' }, answer.answer), h('p', { class: 'quiet' }, advice), ...unread, ...remarks(answer.notes)),
    ...(parts.length ? [unsupported(parts)] : []),
  ];
}
