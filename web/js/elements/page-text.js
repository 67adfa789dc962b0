/** The text around a passage: the whole of a text file, or of a page that cannot be drawn. */

import { ApiError, getPageText } from '../api.js';
import { h } from '../dom.js';
import { words } from '../messages.js';
import { locatePassage } from '../text.js';
import { markedPassage } from './source.js';

/** @typedef {import('../contract.js').Citation} Citation */

export class RagPageText extends HTMLElement {
  #label = h('h3', { class: 'label' });
  #text = h('div', { class: 'page-text', tabindex: 0, role: 'region', 'aria-label': words.theText, dir: 'auto' });
  #note = h('p', { class: 'quiet page-text__note' });
  /** @type {AbortController | null} */
  #loading = null;

  connectedCallback() {
    this.classList.add('page');
    this.replaceChildren(h('div', { class: 'page__head' }, this.#label), this.#note, this.#text);
  }

  clear() {
    this.hidden = true;
    this.#loading?.abort();
  }

  /** @param {Citation} citation @param {string} [label] @param {string} [note] */
  async showCitation(citation, label = words.theText, note = '') {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.hidden = false;
    this.#label.textContent = label;
    this.#note.textContent = note;
    this.#note.hidden = note === '';
    this.#text.replaceChildren();
    try {
      const { text } = await getPageText(citation.document_id, citation.page, loading.signal);
      if (!loading.signal.aborted) this.#draw(text, citation);
    } catch (error) {
      if (loading.signal.aborted) return;
      const { message, fix } = error instanceof ApiError ? error.problem : words.offline;
      this.#text.replaceChildren(h('p', { class: 'quiet' }, `${message} ${fix}`));
    }
  }

  /** @param {string} text @param {Citation} citation */
  #draw(text, citation) {
    const found = locatePassage(text, citation);
    if (!found) {
      this.#text.replaceChildren(text);
      return;
    }
    const passage = h('span', { class: 'page-text__passage' }, ...markedPassage(citation));
    this.#text.replaceChildren(found.before, passage, found.after);
    const first = passage.querySelector('mark') ?? passage;
    this.#text.scrollTop = first.offsetTop - this.#text.clientHeight / 3;
  }
}
