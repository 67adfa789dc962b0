/** A document's pages: turned, enlarged, searched, with its headings at the side. A citation is one way in, the library another. */

import { ApiError, getPageText, listSections } from '../api.js';
import { emit, h, icon, setText } from '../dom.js';
import { words } from '../messages.js';
import { pageOfInWords, placeInWords } from '../page-messages.js';
import { visibleName } from '../text.js';

/**
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('../contract.js').Citation} Citation
 * @typedef {import('../contract.js').PageText} PageText
 * @typedef {import('./page.js').RagPage} RagPage
 * @typedef {import('./page-text.js').RagPageText} RagPageText
 * @typedef {import('./finder.js').RagFinder} RagFinder
 * @typedef {import('./sections.js').RagSections} RagSections
 */

/** @type {readonly import('../contract.js').Box[]} */
const NO_BOXES = [];

export class RagViewer extends HTMLElement {
  #page = /** @type {RagPage} */ (document.createElement('rag-page'));
  #text = /** @type {RagPageText} */ (document.createElement('rag-page-text'));
  #finder = /** @type {RagFinder} */ (document.createElement('rag-finder'));
  #sections = /** @type {RagSections} */ (document.createElement('rag-sections'));
  #contents = this.#button('contents', words.contents, () => this.toggleContents());
  #find = this.#button('find', words.findInDocument, () => this.find());
  #previous = this.#button('left', words.previousPage, () => this.turn(-1));
  #next = this.#button('right', words.nextPage, () => this.turn(1));
  #number = h('input', { class: 'field field--page', inputmode: 'numeric', 'aria-label': words.pageField, autocomplete: 'off', onchange: () => this.#typed(), onfocus: () => this.#number.select() });
  #total = h('span', { class: 'viewer__total' });
  #turner = h('div', { class: 'viewer__turner' }, this.#previous, this.#number, this.#total, this.#next);
  #side = h('aside', { class: 'viewer__side', hidden: true, 'aria-label': words.contents }, this.#sections);
  #main = h('div', { class: 'viewer__main' });
  /** @type {RagDocument | null} */
  #document = null;
  /** @type {Citation | null} */
  #citation = null;
  #at = 1;
  /** @type {{page: number, passage: Citation | null, text: PageText} | null} */
  #read = null;
  #drawFailed = '';
  #contentsOf = '';
  /** @type {AbortController} */
  #loading = new AbortController();

  connectedCallback() {
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', words.viewerTools);
    this.#main.append(this.#page, this.#text);
    this.replaceChildren(
      h('div', { class: 'viewer__tools' }, h('div', { class: 'buttons' }, this.#contents, this.#find), this.#turner, this.#page.tools),
      this.#finder,
      h('div', { class: 'viewer__body' }, this.#side, this.#main),
    );
    this.#contents.setAttribute('aria-expanded', 'false');
    this.addEventListener('places-found', () => this.#toPlace());
    this.addEventListener('finder-closed', () => this.#find.focus());
    this.#side.addEventListener('keydown', (event) => this.#leaveContents(event));
    this.addEventListener('lines-asked', () => this.#go(this.#citation?.page ?? this.#at));
    this.addEventListener('section-chosen', (event) => this.#go(/** @type {CustomEvent} */ (event).detail));
    this.addEventListener('page-failed', (event) => {
      const problem = /** @type {CustomEvent} */ (event).detail;
      this.#drawFailed = problem ? words.pageProblem(problem) : '';
      this.#draw(true);
    });
  }

  disconnectedCallback() {
    this.#loading.abort();
  }

  clear() {
    this.hidden = true;
    this.#loading.abort();
    this.#document = null;
    this.#citation = null;
    this.#page.clear();
    this.#text.clear();
  }

  /** @param {RagDocument} document @param {Citation} citation */
  showCitation(document, citation) {
    this.#citation = citation;
    this.#open(document, citation.page);
  }

  /** @param {RagDocument} document @param {number} page */
  showDocument(document, page) {
    this.#citation = null;
    this.#open(document, page);
  }

  get mediaType() {
    return this.#document?.media_type ?? null;
  }

  /** @param {number} step */
  turn(step) {
    if (this.#document) this.#go(this.#at + step);
  }

  /** @param {number} step */
  magnify(step) {
    this.#page.magnify(step);
  }

  find() {
    if (!this.#document) return;
    this.#finder.open();
    this.#toTop();
  }

  /** Where the place scrolls as a whole, the page comes before the passage. */
  #toTop() {
    const place = this.closest('.source__full');
    if (place && place.scrollHeight > place.clientHeight) place.scrollTop = this.offsetTop;
  }

  toggleContents() {
    if (!this.#document) return;
    this.#side.hidden = !this.#side.hidden;
    this.#contents.setAttribute('aria-expanded', String(!this.#side.hidden));
    if (this.#side.hidden) this.#contents.focus();
    else void this.#loadContents().then(() => this.#sections.focusRow());
  }

  /** As in the search, Escape ends what is nearest and not the whole source. @param {KeyboardEvent} event */
  #leaveContents(event) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    this.toggleContents();
  }

  /** @param {RagDocument} document @param {number} page */
  #open(document, page) {
    const isNew = document.document_id !== this.#document?.document_id;
    this.#document = document;
    this.hidden = false;
    this.#finder.showDocument(document.document_id);
    this.#turner.hidden = document.page_count < 2;
    setText(this.#total, words.ofPages(document.page_count));
    if (isNew) this.#read = null;
    this.#show(page);
    if (!this.#side.hidden) void this.#loadContents();
  }

  /** Goes to a page that the reader asked for. @param {number} page */
  #go(page) {
    const total = this.#document?.page_count ?? 1;
    const to = Math.min(total, Math.max(1, page));
    const moved = to !== this.#at;
    this.#show(to);
    if (moved && this.#document) emit(this, 'said', words.saidPage(placeInWords(this.#document, to, this.#read?.text.label ?? null), total));
  }

  #typed() {
    const page = Number.parseInt(this.#number.value, 10);
    if (Number.isFinite(page)) this.#go(page);
    this.#number.value = String(this.#at);
  }

  /** @param {number} page */
  #show(page) {
    const document = this.#document;
    if (!document) return;
    this.#at = page;
    this.#drawFailed = '';
    this.#number.value = String(page);
    this.#previous.setAttribute('aria-disabled', String(page <= 1));
    this.#next.setAttribute('aria-disabled', String(page >= document.page_count));
    this.#sections.showPage(page);
    if (this.#read?.page === page && this.#read.passage === this.#passage(page)) return this.#draw();
    this.#read = null;
    this.#draw(); // a citation knows the size of its page
    void this.#load(document, page);
  }

  /** @param {RagDocument} document @param {number} page */
  async #load(document, page) {
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const passage = this.#passage(page);
    try {
      const text = await getPageText(document.document_id, page, loading.signal, passage && { start: passage.page_start, end: passage.page_end });
      if (loading.signal.aborted) return;
      this.#read = { page, passage, text };
      emit(this, 'page-turned', { page, label: text.label });
      this.#draw();
    } catch (error) {
      if (loading.signal.aborted) return;
      this.#text.showNote(words.pageProblem(error instanceof ApiError ? error.problem : words.offline));
    }
  }

  /** What was found on the page and is not quoted: where it stands is known to the server only. @param {number} page */
  #passage(page) {
    return this.#citation?.page === page && this.#citation.spans.length === 0 ? this.#citation : null;
  }

  /** @param {boolean} [unseen]   the page's picture did not come */
  #draw(unseen = this.#drawFailed !== '') {
    const document = this.#document;
    if (!document) return;
    const citation = this.#citation?.page === this.#at ? this.#citation : null;
    const read = this.#read?.text ?? null;
    const width = read?.width_pt ?? citation?.page_width ?? 0;
    const height = read?.height_pt ?? citation?.page_height ?? 0;
    const places = this.#finder.places.filter(({ page_number: page }) => page === this.#at);
    const at = places.indexOf(this.#finder.places[this.#finder.at]);
    const isPicture = width > 0 && height > 0;
    if (isPicture && !unseen) {
      this.#text.clear();
      this.#page.showPage({
        documentId: document.document_id,
        page: this.#at,
        width,
        height,
        quoted: citation?.rectangles ?? NO_BOXES,
        passage: read?.rectangles ?? NO_BOXES,
        found: places.map(({ rectangles }) => rectangles),
        at,
        cited: citation !== null && citation.spans.length > 0,
        away: this.#citation !== null && citation === null,
        alt: words.pageImage(this.#named(document, read), (citation?.rectangles.length ?? 0) > 0, read?.text.trim() ?? ''),
      });
      return;
    }
    this.#page.clear();
    if (!read) return this.#text.showNote(words.loading);
    const label = isPicture ? words.pageFailed : '';
    this.#text.showText({ text: read.text, markdown: document.media_type === 'text/markdown', citation, found: places, at, label, note: this.#drawFailed });
  }

  /** @param {RagDocument} document @param {PageText | null} read */
  #named(document, read) {
    return [visibleName(document.name), pageOfInWords(document, this.#at, read?.label ?? null)].join(', ');
  }

  #toPlace() {
    const place = this.#finder.places[this.#finder.at];
    if (place && place.page_number !== this.#at) this.#show(place.page_number);
    else this.#draw();
    if (place) this.#toTop();
  }

  async #loadContents() {
    const document = this.#document;
    if (!document || this.#contentsOf === document.document_id) return;
    this.#contentsOf = document.document_id;
    this.#sections.showLoading();
    try {
      const sections = await listSections(document.document_id, new AbortController().signal);
      if (this.#document?.document_id !== document.document_id) return;
      this.#sections.showSections(document, sections);
      this.#sections.showPage(this.#at);
    } catch {
      this.#contentsOf = '';
    }
  }

  /** @param {string} shape @param {string} label @param {() => void} onclick */
  #button(shape, label, onclick) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }
}
