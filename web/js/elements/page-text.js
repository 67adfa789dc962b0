/** The text of a page, with the quote and the places found marked: of a text file, or of a page that cannot be drawn. */

import { h, setText } from '../dom.js';
import { cutAtMarks, parseMarkdown, unitsOf } from '../markdown.js';
import { words } from '../messages.js';
import { locatePassage } from '../text.js';

/**
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('../markdown.js').Run} Run
 *
 * @typedef {object} PageOfText
 * @property {string} text
 * @property {boolean} markdown
 * @property {Citation | null} citation   that stands on this page
 * @property {readonly {start: number, end: number}[]} found   places in code points
 * @property {number} at   which of them is meant; -1: none
 * @property {string} label
 * @property {string} note
 */

export class RagPageText extends HTMLElement {
  #label = h('h3', { class: 'label' });
  #text = h('div', { class: 'page-text', tabindex: 0, role: 'region', 'aria-label': words.theText, dir: 'auto' });
  #note = h('p', { class: 'quiet page-text__note' });

  connectedCallback() {
    this.classList.add('page');
    this.replaceChildren(this.#label, this.#note, this.#text);
  }

  clear() {
    this.hidden = true;
  }

  /** What is said in place of a text. @param {string} note */
  showNote(note) {
    this.hidden = false;
    this.#label.hidden = true;
    this.#note.hidden = true;
    this.#text.replaceChildren(h('p', { class: 'quiet' }, note));
  }

  /** @param {PageOfText} page */
  showText(page) {
    const { text, markdown, label, note } = page;
    this.hidden = false;
    this.#label.hidden = label === '';
    setText(this.#label, label);
    this.#note.hidden = note === '';
    setText(this.#note, note);
    this.#text.classList.toggle('page-text--markdown', markdown);
    if (!text.trim()) return this.showNote(words.noTextHere);
    const layers = layersOf(page);
    if (markdown) this.#text.replaceChildren(...parseMarkdown(text).map((block) => rendered(block, (runs) => styled(text, runs, layers))));
    else this.#text.replaceChildren(...styled(text, [{ start: 0, end: text.length, style: '' }], layers));
    const first = /** @type {HTMLElement | null} */ (this.#text.querySelector('.hit--at') ?? this.#text.querySelector('mark') ?? this.#text.querySelector('.page-text__passage'));
    this.#text.scrollTop = first ? first.offsetTop - this.#text.clientHeight / 3 : 0;
  }
}

/** @typedef {{start: number, end: number, make: (...children: Node[]) => HTMLElement}} Mark */

/** What is marked, from the outermost to the innermost, in UTF-16 units. @param {PageOfText} page @returns {Mark[][]} */
function layersOf({ text, citation, found, at }) {
  /** @param {readonly {start: number, end: number}[]} spans @param {(index: number) => Mark['make']} make @returns {Mark[]} */
  const marks = (spans, make) => {
    const units = unitsOf(text, spans.flatMap(({ start, end }) => [start, end]));
    return spans.map((_, index) => ({ start: units[2 * index], end: units[2 * index + 1], make: make(index) }));
  };
  const here = citation && locatePassage(text, citation) ? citation : null;
  const offset = here?.page_start ?? 0;
  const passage = here ? [{ start: here.page_start, end: here.page_end }] : [];
  const quoted = (here?.spans ?? []).map(({ start, end }) => ({ start: start + offset, end: end + offset }));
  return [
    marks(passage, () => (...children) => h('span', { class: 'page-text__passage' }, ...children)),
    marks(quoted, () => (...children) => h('mark', {}, ...children)),
    marks(found, (index) => (...children) => h('span', { class: index === at ? 'hit hit--at' : 'hit' }, ...children)),
  ];
}

/** The runs of a text as nodes. @param {string} text @param {readonly Run[]} runs @param {readonly Mark[][]} layers @returns {Node[]} */
function styled(text, runs, layers) {
  const [layer, ...inner] = layers;
  if (!layer) return runs.map(({ start, end, style }) => (style ? h(style, {}, text.slice(start, end)) : document.createTextNode(text.slice(start, end))));
  /** @type {Node[]} */
  const nodes = [];
  /** @type {Run[]} */
  let together = [];
  let mark = /** @type {Mark | null} */ (null);
  const close = () => {
    if (together.length > 0) nodes.push(...(mark ? [mark.make(...styled(text, together, inner))] : styled(text, together, inner)));
    together = [];
  };
  for (const part of cutAtMarks(runs, layer)) {
    if (part.mark !== mark) close();
    mark = part.mark;
    together.push({ start: part.start, end: part.end, style: part.style });
  }
  close();
  return nodes;
}

/** A block of Markdown, of our own few tags only. @param {import('../markdown.js').Block} block @param {(runs: Run[]) => Node[]} inline */
function rendered(block, inline) {
  if (block.tag === 'table') {
    const [head, ...body] = block.hasHead ? block.rows : [null, ...block.rows];
    /** @param {Run[][]} row @param {'th' | 'td'} cell */
    const line = (row, cell) => h('tr', {}, ...row.map((runs) => h(cell, {}, ...inline(runs))));
    return h('table', { class: 'md md--table' }, head && h('thead', {}, line(head, 'th')), h('tbody', {}, ...body.map((row) => line(row ?? [], 'td'))));
  }
  const { tag, depth, runs } = block;
  if (tag === 'li') {
    const item = h('div', { class: 'md md--item', role: 'listitem' }, ...inline(runs));
    item.style.setProperty('--depth', String(depth));
    return item;
  }
  // The document's headings are no headings of this page.
  if (tag === 'pre' || tag === 'p' || tag === 'blockquote') return h(tag, { class: 'md' }, ...inline(runs));
  return h('div', { class: `md md--${tag}` }, ...inline(runs));
}
