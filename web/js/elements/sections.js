/** The headings of a document as a tree; choosing one opens its page. One row is in the tab order; the arrow keys move. */

import { emit, h, setText } from '../dom.js';
import { words } from '../messages.js';
import { placeInWords } from '../page-messages.js';
import { visibleName } from '../text.js';
import { rowsOf, treeKey, visibleRows } from '../tree.js';

/** @typedef {import('../contract.js').RagDocument} RagDocument @typedef {import('../contract.js').Section} Section @typedef {import('../tree.js').Row} Row */

const OPEN_AT_FIRST = 150; // of more rows, only the top ones are open

export class RagSections extends HTMLElement {
  /** @type {Row[]} */
  #rows = [];
  /** @type {HTMLElement[]} */
  #items = [];
  /** @type {Set<number>} */
  #closed = new Set();
  #at = 0;
  #page = 0;

  connectedCallback() {
    this.addEventListener('keydown', (event) => this.#key(event));
    this.addEventListener('click', (event) => this.#click(event));
  }

  /** @param {RagDocument} document @param {readonly Section[]} sections */
  showSections(document, sections) {
    this.#rows = rowsOf(sections);
    this.#at = 0;
    this.#closed = new Set(this.#rows.length > OPEN_AT_FIRST ? this.#rows.flatMap(({ opens }, index) => (opens ? [index] : [])) : []);
    this.#items = this.#rows.map((row, index) => {
      const place = placeInWords(document, row.page);
      const name = visibleName(row.title);
      const item = h(
        'div',
        { class: 'tree__row', role: 'treeitem', tabindex: -1, 'aria-level': row.level, 'aria-posinset': row.position, 'aria-setsize': row.size, 'aria-label': words.sectionRow(name, place), 'data-index': index },
        h('span', { class: 'tree__twist', 'aria-hidden': 'true' }),
        h('bdi', { class: 'tree__title' }, name),
        h('span', { class: 'tree__page', 'aria-hidden': 'true' }, document.page_count > 1 ? String(row.page) : ''),
      );
      item.style.setProperty('--level', String(Math.min(row.level, 6)));
      return item;
    });
    const tree = h('div', { class: 'tree', role: 'tree', 'aria-label': words.contentsOf }, ...this.#items);
    this.replaceChildren(this.#rows.length > 0 ? tree : h('p', { class: 'quiet tree__none' }, words.noContents));
    this.#update();
    this.showPage(this.#page);
  }

  showLoading() {
    this.#rows = [];
    this.#items = [];
    const note = h('p', { class: 'quiet tree__none' });
    setText(note, words.loading);
    this.replaceChildren(note);
  }

  /** Marks the last heading on or before a page. @param {number} page */
  showPage(page) {
    this.#page = page;
    const last = this.#rows.findLastIndex((row) => row.page <= page);
    this.#items.forEach((item, index) => (index === last ? item.setAttribute('aria-current', 'true') : item.removeAttribute('aria-current')));
    if (last >= 0 && !this.contains(document.activeElement)) this.#moveTo(this.#nearestSeen(last));
  }

  focusRow() {
    this.#items[this.#at]?.focus();
  }

  #update() {
    const seen = visibleRows(this.#rows, this.#closed);
    this.#items.forEach((item, index) => {
      item.hidden = !seen[index];
      if (this.#rows[index].opens) item.setAttribute('aria-expanded', String(!this.#closed.has(index)));
    });
    this.#moveTo(this.#nearestSeen(this.#at));
  }

  /** The row itself, or the one above it that can be seen. @param {number} index */
  #nearestSeen(index) {
    const seen = visibleRows(this.#rows, this.#closed);
    let at = index;
    while (at > 0 && !seen[at]) at = this.#rows[at].parent;
    return Math.max(0, at);
  }

  /** @param {number} index */
  #moveTo(index) {
    this.#items[this.#at]?.setAttribute('tabindex', '-1');
    this.#at = index;
    this.#items[index]?.setAttribute('tabindex', '0');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#rows.length === 0) return;
    if (event.key === 'Enter' || event.key === ' ') this.#choose(this.#at);
    else {
      const move = treeKey(this.#rows, this.#closed, this.#at, event.key);
      if (!move) return;
      if (move.open !== undefined) this.#closed.delete(move.open);
      if (move.close !== undefined) this.#closed.add(move.close);
      if (move.to !== undefined) this.#moveTo(move.to);
      this.#update();
      this.focusRow();
    }
    event.preventDefault();
  }

  /** @param {Event} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target : null;
    const item = /** @type {HTMLElement | null} */ (target?.closest('.tree__row') ?? null);
    if (!item) return;
    const index = Number(item.dataset.index);
    this.#moveTo(index);
    item.focus();
    if (!target?.closest('.tree__twist') || !this.#rows[index].opens) return this.#choose(index);
    if (!this.#closed.delete(index)) this.#closed.add(index);
    this.#update();
  }

  /** @param {number} index */
  #choose(index) {
    emit(this, 'section-chosen', this.#rows[index].page);
  }
}
