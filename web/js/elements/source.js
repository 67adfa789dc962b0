/** The place of the proof: the cited passage and the page it stands on; or any document of the library. */

import { originalUrl, viewUrl } from '../api.js';
import { emit, h, icon, setText, shownName } from '../dom.js';
import { pageInWords, words } from '../messages.js';
import { openCitation, openDocument } from '../state.js';
import { talkWords } from '../talk-messages.js';
import { markSpans, visibleName } from '../text.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('./viewer.js').RagViewer} RagViewer
 */

/** A passage with its quoted stretches marked. @param {Citation} citation */
function markedPassage({ text, spans }) {
  return markSpans(text, spans).map((segment) => (segment.marked ? h('mark', {}, segment.text) : document.createTextNode(segment.text)));
}

export class RagSource extends HTMLElement {
  #title = h('h2', { class: 'place__title', tabindex: -1 });
  #previous = this.#step('left', words.previous, -1);
  #next = this.#step('right', words.next, 1);
  #name = h('p', { class: 'source__name' });
  #where = h('p', { class: 'source__where' });
  #open = h('a', { class: 'button button--small button--quiet', target: '_blank', rel: 'noopener' }, icon('open'), words.openOriginal);
  #download = h('a', { class: 'button button--small button--quiet', download: true }, icon('down'), words.download);
  #passage = h('blockquote', { class: 'passage', dir: 'auto', tabindex: 0, 'aria-label': words.passage });
  #gone = h('p', { class: 'note note--stopped' }, words.gone);
  #full = h('div', { class: 'source__full' });
  #empty = h('div', { class: 'source__empty' });
  /** @type {unknown[]} */
  #drawn = [];

  viewer = /** @type {RagViewer} */ (document.createElement('rag-viewer'));

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.source);
    const close = h('button', { type: 'button', class: 'button button--icon', 'aria-label': words.close, title: words.close, onclick: () => emit(this, 'source-close-asked') }, icon('close'));
    this.#full.append(
      h('header', { class: 'place__head' }, this.#title, h('div', { class: 'buttons' }, this.#previous, this.#next, close)),
      h('div', { class: 'source__about' }, this.#name, h('div', { class: 'source__line' }, this.#where, h('div', { class: 'source__links' }, this.#open, this.#download))),
      this.#passage,
      this.#gone,
      this.viewer,
    );
    const drawing = h('div', { class: 'source__drawing', 'aria-hidden': 'true' }, ...Array.from({ length: 7 }, () => h('i')));
    this.#empty.append(drawing, h('h2', { class: 'source__empty-title' }, words.sourceEmptyTitle), h('p', { class: 'quiet' }, words.sourceEmpty));
    this.replaceChildren(this.#empty, this.#full);
    this.addEventListener('page-turned', (event) => this.#turned(/** @type {CustomEvent} */ (event).detail));
  }

  focusTitle() {
    this.#title.focus({ preventScroll: true });
  }

  /** @param {State} state */
  show(state) {
    const cited = openCitation(state);
    const reading = cited ? null : openDocument(state);
    this.#full.hidden = !cited && !reading;
    this.#empty.hidden = !this.#full.hidden;
    const document = cited ? (state.documents?.find(({ document_id: id }) => id === cited.citation.document_id) ?? null) : (reading?.document ?? null);
    const now = [cited?.citation, cited?.gone, document?.document_id, reading?.page];
    if (now.every((value, index) => value === this.#drawn[index])) return;
    this.#drawn = now;
    this.#full.scrollTop = 0; // in a small window all of it scrolls, also from what was read before
    if (!cited && !reading) return this.viewer.clear();
    for (const part of [this.#previous, this.#next, this.#passage]) part.hidden = !cited;
    this.#gone.hidden = !cited?.gone;
    if (cited) this.#showCitation(cited, document);
    else if (reading) this.#showDocument(reading.document, reading.page);
    this.#showLinks(document, cited?.citation.page ?? reading?.page ?? 1);
  }

  /** @param {NonNullable<ReturnType<typeof openCitation>>} cited @param {RagDocument | null} document */
  #showCitation({ citation, citations, index, part }, document) {
    const titled = part === null ? words.sourceOf : talkWords.passageOf;
    setText(this.#title, titled(index + 1, citations.length));
    // `aria-disabled` keeps the focus where a real `disabled` would drop it.
    this.#previous.setAttribute('aria-disabled', String(index === 0));
    this.#next.setAttribute('aria-disabled', String(index === citations.length - 1));
    this.#name.replaceChildren(shownName(citation.source));
    setText(this.#where, [pageInWords(citation), citation.section].filter(Boolean).map(visibleName).join(' · '));
    const lead = citation.lead ? [h('span', { class: 'passage__lead' }, `${words.lead}\n`, citation.lead)] : [];
    this.#passage.replaceChildren(...lead, ...markedPassage(citation));
    const mark = this.#passage.querySelector('mark');
    this.#passage.scrollTop = mark ? mark.offsetTop - this.#passage.clientHeight / 4 : 0;
    if (document) this.viewer.showCitation(document, citation);
    else this.viewer.clear();
  }

  /** @param {RagDocument} document @param {number} page */
  #showDocument(document, page) {
    setText(this.#title, words.documentTitle);
    this.#name.replaceChildren(shownName(document.name));
    setText(this.#where, pageInWords({ media_type: document.media_type, page, page_label: null }));
    this.viewer.showDocument(document, page);
  }

  /** @param {{page: number, label: string | null}} turned */
  #turned({ page, label }) {
    const [citation, , , reading] = this.#drawn;
    const type = this.viewer.mediaType;
    const [url] = this.#open.href.split('#');
    if (!this.#open.hidden) this.#open.href = `${url}#page=${page}`;
    if (!citation && reading !== undefined && type) setText(this.#where, pageInWords({ media_type: type, page, page_label: label }));
  }

  /** @param {RagDocument | null} document @param {number} page */
  #showLinks(document, page) {
    this.#download.hidden = document === null;
    this.#open.hidden = true;
    if (!document) return;
    this.#download.href = originalUrl(document.document_id);
    const url = viewUrl(document.document_id, document.media_type);
    this.#open.hidden = url === null;
    if (url) this.#open.href = `${url}#page=${page}`;
  }

  /** @param {string} shape @param {string} label @param {number} step */
  #step(shape, label, step) {
    const onclick = () => emit(this, 'citation-step-asked', step);
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}
