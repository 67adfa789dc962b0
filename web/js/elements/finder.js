/** Searching in the document on show: a field, how many places there are, and a way through them. */

import { ApiError, findInDocument } from '../api.js';
import { emit, h, icon, setText } from '../dom.js';
import { words } from '../messages.js';

/** @typedef {import('../contract.js').FoundPlace} FoundPlace */

const PAUSE_MS = 200;

export class RagFinder extends HTMLElement {
  #input = h('input', {
    type: 'search',
    class: 'field field--search',
    'aria-label': words.findInDocument,
    placeholder: words.findInDocument,
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 200,
    oninput: () => this.#typed(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
  });
  #count = h('span', { class: 'finder__count', role: 'status' });
  #previous = this.#button('left', words.findPrevious, () => this.#step(-1));
  #next = this.#button('right', words.findNext, () => this.#step(1));
  #close = this.#button('close', words.findClose, () => this.close());
  /** @type {AbortController | null} */
  #loading = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #documentId = '';
  #sought = '';
  /** @type {FoundPlace[]} */
  places = [];
  #total = 0;
  at = -1;

  connectedCallback() {
    this.hidden = true;
    this.replaceChildren(h('div', { class: 'finder', role: 'search', 'aria-label': words.findInDocument }, this.#input, this.#count, h('div', { class: 'buttons' }, this.#previous, this.#next, this.#close)));
  }

  /** @param {string} documentId */
  showDocument(documentId) {
    if (documentId === this.#documentId) return;
    this.#documentId = documentId;
    this.#input.value = '';
    this.hidden = true;
    this.#settle([], 0);
  }

  open() {
    this.hidden = false;
    this.#input.focus();
    this.#input.select();
  }

  close() {
    this.hidden = true;
    this.#input.value = '';
    this.#settle([], 0);
    emit(this, 'places-found');
    emit(this, 'finder-closed');
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#find(), PAUSE_MS);
  }

  async #find() {
    clearTimeout(this.#timer);
    this.#loading?.abort();
    const sought = this.#input.value.trim();
    this.#sought = sought;
    const loading = new AbortController();
    this.#loading = loading;
    if (!sought) {
      this.#settle([], 0);
      emit(this, 'places-found');
      return;
    }
    try {
      const { places, total } = await findInDocument(this.#documentId, sought, loading.signal);
      if (loading.signal.aborted) return;
      this.#settle(places, total);
      emit(this, 'places-found');
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#settle([], 0);
      setText(this.#count, words.pageProblem(error instanceof ApiError ? error.problem : words.offline));
    }
  }

  /** @param {FoundPlace[]} places @param {number} total */
  #settle(places, total) {
    this.#loading?.abort();
    this.places = places;
    this.#total = total;
    this.at = places.length > 0 ? 0 : -1;
    this.#say();
  }

  #say() {
    const none = this.places.length === 0;
    const where = words.findAt(this.at + 1, this.#total);
    setText(this.#count, none ? (this.#input.value.trim() ? words.findNone : '') : where);
    for (const button of [this.#previous, this.#next]) button.setAttribute('aria-disabled', String(this.places.length < 2));
  }

  /** @param {number} step */
  #step(step) {
    const count = this.places.length;
    if (count === 0) return;
    this.at = (this.at + step + count) % count;
    this.#say();
    emit(this, 'places-found');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape') this.close();
    else if (event.key !== 'Enter' || event.isComposing) return;
    else if (this.places.length > 0 && this.#input.value.trim() === this.#sought) this.#step(event.shiftKey ? -1 : 1);
    else void this.#find();
    event.preventDefault();
  }

  /** @param {string} shape @param {string} label @param {() => void} onclick */
  #button(shape, label, onclick) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}
