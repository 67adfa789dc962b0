/** One cell for each page of a document, with its signs. One cell is in the tab order; the arrow keys move. */

import { emit, h } from '../dom.js';
import { words } from '../messages.js';
import { placeInWords, signInWords } from '../page-messages.js';
import { letterOf, signsOf } from '../pages.js';

/** @typedef {import('../contract.js').PageReading} PageReading @typedef {import('../contract.js').RagDocument} RagDocument */

const GROUP_FROM = 500; // more pages than this are shown in parts, of which only those in sight are drawn
const A_GROUP = 100;
const MOST_LETTERS = 2;

export class RagStrip extends HTMLElement {
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {readonly PageReading[]} */
  #pages = [];
  #at = 0;
  #selected = -1;

  connectedCallback() {
    this.setAttribute('role', 'listbox');
    this.setAttribute('aria-label', words.strip);
    this.setAttribute('aria-orientation', 'horizontal');
    this.addEventListener('click', (event) => this.#choose(this.#indexOf(event.target)));
    this.addEventListener('keydown', (event) => this.#key(event));
    this.addEventListener('focusin', (event) => this.#moveTo(this.#indexOf(event.target)));
  }

  /** @param {RagDocument} document @param {readonly PageReading[]} pages */
  showPages(document, pages) {
    this.#pages = pages;
    this.#at = 0;
    this.#selected = -1;
    this.#cells = pages.map((reading) => cell(document, reading));
    this.#cells[0]?.setAttribute('tabindex', '0');
    if (pages.length <= GROUP_FROM) {
      this.replaceChildren(h('div', { class: 'strip__cells', role: 'presentation' }, ...this.#cells));
      return;
    }
    const parts = [];
    for (let from = 0; from < pages.length; from += A_GROUP) {
      const part = this.#cells.slice(from, from + A_GROUP);
      const label = words.stripPart(from + 1, from + part.length);
      parts.push(
        h('div', { class: 'strip__part', role: 'group', 'aria-label': label }, h('div', { class: 'label', 'aria-hidden': 'true' }, label), h('div', { class: 'strip__cells', role: 'presentation' }, ...part)),
      );
    }
    this.replaceChildren(...parts);
  }

  focusCell() {
    this.#cells[this.#at]?.focus();
  }

  /** Goes to the next page that `fits`, and from the last to the first. @param {(reading: PageReading) => boolean} fits */
  focusNext(fits) {
    const total = this.#pages.length;
    for (let step = 1; step <= total; step += 1) {
      const index = (this.#at + step) % total;
      if (fits(this.#pages[index])) return this.#cells[index].focus();
    }
  }

  /** @param {number} index */
  #choose(index) {
    if (index < 0) return;
    this.#moveTo(index);
    this.#cells[this.#selected]?.setAttribute('aria-selected', 'false');
    this.#cells[index].setAttribute('aria-selected', 'true');
    this.#selected = index;
    emit(this, 'page-chosen', this.#pages[index]);
  }

  /** Opens the page of the cell that has the focus. */
  chooseCurrent() {
    this.#choose(this.#at);
  }

  /** @param {number} index */
  #moveTo(index) {
    if (index < 0) return;
    this.#cells[this.#at]?.setAttribute('tabindex', '-1');
    this.#at = index;
    this.#cells[index].setAttribute('tabindex', '0');
  }

  /** @param {EventTarget | null} target */
  #indexOf(target) {
    const element = target instanceof Element ? target.closest('.cell') : null;
    return element ? Number(/** @type {HTMLElement} */ (element).dataset.index) : -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#indexOf(event.target) < 0) return;
    if (event.key === 'Enter' || event.key === ' ') this.chooseCurrent();
    else {
      const last = this.#cells.length - 1;
      const to = this.#target(event.key);
      if (to === null) return;
      this.#cells[Math.min(last, Math.max(0, to))].focus();
    }
    event.preventDefault();
  }

  /** Where a key leads. @param {string} key @returns {number | null} */
  #target(key) {
    const forward = getComputedStyle(this).direction === 'rtl' ? -1 : 1;
    switch (key) {
      case 'ArrowRight':
        return this.#at + forward;
      case 'ArrowLeft':
        return this.#at - forward;
      case 'ArrowDown':
        return this.#at + this.#columns() > this.#cells.length - 1 ? this.#at : this.#at + this.#columns();
      case 'ArrowUp':
        return this.#at - this.#columns() < 0 ? this.#at : this.#at - this.#columns();
      case 'PageDown':
        return this.#at + A_GROUP;
      case 'PageUp':
        return this.#at - A_GROUP;
      case 'Home':
        return 0;
      case 'End':
        return this.#cells.length - 1;
      default:
        return null;
    }
  }

  /** Cells of a line. */
  #columns() {
    const top = this.#cells[0].offsetTop;
    const next = this.#cells.findIndex((element) => element.offsetTop !== top);
    return next < 0 ? this.#cells.length : next;
  }
}

/** @param {RagDocument} document @param {PageReading} reading */
function cell(document, reading) {
  const number = reading.page_number;
  const signs = signsOf(reading);
  const label = words.cell(placeInWords(document, number), signs.map(signInWords));
  const letters = signs.slice(0, MOST_LETTERS).map(letterOf).join('');
  return h(
    'div',
    { class: 'cell', role: 'option', tabindex: -1, 'aria-selected': 'false', 'aria-label': label, title: label, 'data-sign': signs[0], 'data-index': number - 1 },
    h('span', { class: 'cell__number' }, String(number)),
    h('span', { class: 'cell__letters' }, signs.length > MOST_LETTERS ? `${letters}+` : letters),
  );
}
