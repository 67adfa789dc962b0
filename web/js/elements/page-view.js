/** One page of a document: its text as it was read, beside its picture. */

import { ApiError, getPageText, pageImageProblem, pageImageUrl } from '../api.js';
import { h, setText } from '../dom.js';
import { words } from '../messages.js';
import { pageOfInWords, placeInWords, readingInWords } from '../page-messages.js';

/**
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('../contract.js').PageReading} PageReading
 */

export class RagPageView extends HTMLElement {
  #title = h('h3', { class: 'view__title' });
  #facts = h('p', { class: 'view__facts' });
  #text = h('div', { class: 'view__text', tabindex: 0, role: 'region', 'aria-label': words.extracted, dir: 'auto' });
  #image = h('img', { class: 'view__image', onload: () => this.#loaded(), onerror: () => void this.#failed() });
  #note = h('p', { class: 'quiet view__note' });
  #picture = h('div', { class: 'view__picture' }, this.#note, this.#image);
  #panes = h('div', { class: 'view__panes' }, this.#text, this.#picture);
  #hint = h('p', { class: 'quiet view__hint' }, words.choosePage);
  /** @type {AbortController | null} */
  #loading = null;

  connectedCallback() {
    this.replaceChildren(this.#hint, h('div', { class: 'view__head', 'aria-live': 'polite' }, this.#title, this.#facts), this.#panes);
    this.#panes.hidden = true;
  }

  disconnectedCallback() {
    this.#loading?.abort();
  }

  /** @param {RagDocument} document @param {PageReading} reading @param {boolean} noted   whether the reading is known */
  async showPage(document, reading, noted) {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { document_id: documentId } = document;
    const { page_number: page } = reading;
    const place = placeInWords(document, page);
    setText(this.#title, place);
    setText(this.#facts, noted ? readingInWords(reading) : '');
    this.#hint.hidden = true;
    this.#panes.hidden = false;
    this.#text.replaceChildren();
    this.#text.scrollTop = 0;
    try {
      const { text, label, width_pt: width, height_pt: height } = await getPageText(documentId, page, loading.signal);
      if (loading.signal.aborted) return;
      setText(this.#title, placeInWords(document, page, label));
      this.#text.replaceChildren(text.trim() ? text : h('p', { class: 'quiet' }, words.noTextHere));
      this.#draw(width > 0 && height > 0 ? pageImageUrl(documentId, page) : null, words.pageImage(pageOfInWords(document, page, label), false, text.trim()), width / height);
    } catch (error) {
      if (loading.signal.aborted) return;
      const problem = error instanceof ApiError ? error.problem : words.offline;
      this.#text.replaceChildren(h('p', { class: 'quiet' }, words.pageProblem(problem)));
      this.#draw(null, '', 1);
    }
  }

  /** @param {string | null} url @param {string} alt @param {number} ratio */
  #draw(url, alt, ratio) {
    this.#picture.hidden = url === null;
    this.#panes.classList.toggle('view__panes--one', url === null);
    if (url === null) {
      this.#image.removeAttribute('src');
      return;
    }
    this.#picture.scrollTop = 0;
    this.#image.hidden = false;
    this.#image.alt = alt;
    this.#image.style.aspectRatio = String(ratio);
    this.#note.hidden = false;
    setText(this.#note, words.pageLoading);
    this.#image.src = url;
  }

  #loaded() {
    this.#note.hidden = true;
  }

  async #failed() {
    const url = this.#image.getAttribute('src');
    if (!url) return;
    this.#image.hidden = true;
    const problem = await pageImageProblem(url);
    if (this.#image.getAttribute('src') === url) setText(this.#note, problem ? words.pageProblem(problem) : words.noPicture);
  }
}
