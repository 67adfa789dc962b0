/** The place of the proof: the cited passage, and the page it stands on. */

import { originalUrl } from '../api.js';
import { emit, h, icon, setText, shownName } from '../dom.js';
import { pageInWords, words } from '../messages.js';
import { openCitation } from '../state.js';
import { markSpans, visibleName } from '../text.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('./page.js').RagPage} RagPage
 * @typedef {import('./page-text.js').RagPageText} RagPageText
 */

/** A passage with its quoted stretches marked. @param {Citation} citation */
export function markedPassage({ text, spans }) {
  return markSpans(text, spans).map((segment) => (segment.marked ? h('mark', {}, segment.text) : document.createTextNode(segment.text)));
}

export class RagSource extends HTMLElement {
  #title = h('h2', { class: 'place__title', tabindex: -1 });
  #previous = this.#step('left', words.previous, -1);
  #next = this.#step('right', words.next, 1);
  #name = h('p', { class: 'source__name' });
  #where = h('p', { class: 'source__where' });
  #download = h('a', { class: 'button button--small button--quiet', download: true }, icon('down'), words.download);
  #passage = h('blockquote', { class: 'passage', dir: 'auto', tabindex: 0, 'aria-label': words.passage });
  #gone = h('p', { class: 'note note--stopped' }, words.gone);
  #page = /** @type {RagPage} */ (document.createElement('rag-page'));
  #pageText = /** @type {RagPageText} */ (document.createElement('rag-page-text'));
  #full = h('div', { class: 'source__full' });
  #empty = h('div', { class: 'source__empty' });
  /** @type {Citation | null} */
  #citation = null;
  #wasGone = false;

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.source);
    const close = h('button', { type: 'button', class: 'button button--icon', 'aria-label': words.close, title: words.close, onclick: () => emit(this, 'source-close-asked') }, icon('close'));
    this.#full.append(
      h('header', { class: 'place__head' }, this.#title, h('div', { class: 'buttons' }, this.#previous, this.#next, close)),
      h('div', { class: 'source__about' }, this.#name, h('div', { class: 'source__line' }, this.#where, this.#download)),
      this.#passage,
      this.#gone,
      this.#page,
      this.#pageText,
    );
    const drawing = h('div', { class: 'source__drawing', 'aria-hidden': 'true' }, ...Array.from({ length: 7 }, () => h('i')));
    this.#empty.append(drawing, h('h2', { class: 'source__empty-title' }, words.sourceEmptyTitle), h('p', { class: 'quiet' }, words.sourceEmpty));
    this.replaceChildren(this.#empty, this.#full);
  }

  focusTitle() {
    this.#title.focus({ preventScroll: true });
  }

  /** @param {State} state */
  show(state) {
    const open = openCitation(state);
    this.#full.hidden = open === null;
    this.#empty.hidden = open !== null;
    if (!open) {
      this.#citation = null;
      this.#page.clear();
      this.#pageText.clear();
      return;
    }
    const { citation, citations, index, gone } = open;
    if (citation === this.#citation && gone === this.#wasGone) return;
    this.#citation = citation;
    this.#wasGone = gone;
    setText(this.#title, words.sourceOf(index + 1, citations.length));
    // `aria-disabled` keeps the focus where a real `disabled` would drop it.
    this.#previous.setAttribute('aria-disabled', String(index === 0));
    this.#next.setAttribute('aria-disabled', String(index === citations.length - 1));
    this.#draw(citation, gone);
  }

  /** @param {Citation} citation @param {boolean} gone */
  #draw(citation, gone) {
    this.#name.replaceChildren(shownName(citation.source));
    setText(this.#where, [pageInWords(citation), citation.section].filter(Boolean).map(visibleName).join(' · '));
    this.#download.href = originalUrl(citation.document_id);
    this.#download.hidden = gone;
    const lead = citation.lead ? [h('span', { class: 'passage__lead' }, words.lead, citation.lead)] : [];
    this.#passage.replaceChildren(...lead, ...markedPassage(citation));
    const mark = this.#passage.querySelector('mark');
    this.#passage.scrollTop = mark ? mark.offsetTop - this.#passage.clientHeight / 4 : 0;
    this.#gone.hidden = !gone;
    const plain = !(citation.page_width > 0); // a file without pages has no pictures
    if (gone || plain) this.#page.clear();
    else this.#page.showCitation(citation);
    if (gone || !plain) this.#pageText.clear();
    else this.#pageText.showCitation(citation);
  }

  /** @param {string} shape @param {string} label @param {number} step */
  #step(shape, label, step) {
    const onclick = () => emit(this, 'citation-step-asked', step);
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}
