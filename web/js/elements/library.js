/** The place of the documents: add, find, tick, open, remove. */

import { emit, h, icon, keyed, setText } from '../dom.js';
import { language, numberFormat } from '../language.js';
import { words } from '../messages.js';
import { countTags, fits, ordered, range, soughtText } from '../shelf.js';
import { documentRow, sayIn, updateRow } from './document-row.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('../shelf.js').Order} Order
 * @typedef {import('./uploads.js').RagUploads} RagUploads
 */

const TOOLS_FROM = 4; // fewer documents are seen at a glance

export class RagLibrary extends HTMLElement {
  #title = h('h2', { class: 'place__title', tabindex: -1 }, words.library);
  #count = h('span', { class: 'place__count' });
  #input = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': words.addFiles, onchange: () => this.#chosen(this.#input) });
  #folder = h('input', { type: 'file', webkitdirectory: true, hidden: true, 'aria-label': words.addFolder, onchange: () => this.#chosen(this.#folder) });
  #add = h('button', { type: 'button', class: 'button button--add', onclick: () => this.choose() }, icon('plus'), words.addFiles);
  #uploads = /** @type {RagUploads} */ (document.createElement('rag-uploads'));
  #filter = h('input', { type: 'search', class: 'field field--search', 'aria-label': words.filterLabel, placeholder: words.filterHint, autocomplete: 'off', spellcheck: 'false', oninput: () => this.#narrow(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#filterKey(event) });
  #order = h('select', { class: 'field field--select', 'aria-label': words.sortLabel, onchange: () => this.#arrange() }, ...Object.entries(words.sorts).map(([value, label]) => h('option', { value }, label)));
  #tags = h('div', { class: 'tag-bar', role: 'group', 'aria-label': words.tagFilterLabel });
  #tools = h('div', { class: 'library__tools' }, h('div', { class: 'library__find' }, this.#filter, this.#order), this.#tags);
  #list = h('ul', { class: 'documents', 'aria-label': words.documentList });
  #empty = h('p', { class: 'quiet library__empty' });
  #scroll = h('div', { class: 'library__scroll' }, this.#uploads, this.#empty, this.#list);
  #hint = h('p', { class: 'quiet' });
  #tickShown = this.#small('documents-picked', () => ({ documentIds: this.#shownIds, on: true }));
  #untick = this.#small('selection-cleared', () => null, words.untick);
  #removeAll = this.#small('library-clear-asked', () => null, words.removeAll);
  #removeTicked = this.#small('documents-remove-asked', () => this.#state?.selected ?? []);
  #foot = h('footer', { class: 'library__foot' }, this.#hint, h('div', { class: 'buttons' }, this.#tickShown, this.#untick, this.#removeTicked, this.#removeAll));
  /** @type {State | null} */
  #state = null;
  #isDrawn = false;
  #isNarrow = false;
  /** @type {RagDocument[]} */
  #ordered = [];
  /** @type {Map<string, {document: RagDocument, text: string, row: HTMLElement | null}>} */
  #known = new Map();
  /** @type {string[]} */
  #shownIds = [];
  #tag = '';
  /** @type {string | null} */
  #last = null; // the document ticked or unticked last: where a range begins
  #shift = false;

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.library);
    const [before, after] = words.dropHint.split('{folder}');
    const folder = h('button', { type: 'button', class: 'button button--link', onclick: () => this.#folder.click() }, words.addFolder);
    this.replaceChildren(
      h('header', { class: 'place__head' }, this.#title, this.#count),
      h('div', { class: 'library__add' }, this.#add, this.#input, this.#folder, h('p', { class: 'quiet drop-hint' }, before, folder, after)),
      this.#tools,
      this.#scroll,
      this.#foot,
    );
    // Neither `change` nor a label's click tells whether Shift was held, so it is noted beforehand.
    for (const type of ['pointerdown', 'keydown']) {
      this.#list.addEventListener(type, (event) => (this.#shift = /** @type {KeyboardEvent} */ (event).shiftKey));
    }
    this.#list.addEventListener('change', (event) => this.#ticked(/** @type {HTMLInputElement} */ (event.target)));
    this.addEventListener('tag-chosen', (event) => this.#chooseTag(/** @type {CustomEvent} */ (event).detail));
  }

  /** Opens the browser's own file chooser. */
  choose() {
    this.#input.click();
  }

  focusFilter() {
    (this.#tools.hidden ? this.#title : this.#filter).focus();
  }

  /** After a removal the focus stays in the list, at the same height. @param {number} index */
  focusNear(index) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll('.document:not([hidden]) .document__remove')]);
    (buttons[Math.min(index, buttons.length - 1)] ?? this.#add).focus();
  }

  /** Where a document stands among those shown. @param {string} documentId */
  indexOf(documentId) {
    return this.#shownIds.indexOf(documentId);
  }

  /** The button that opens a document. @param {string} documentId */
  openButton(documentId) {
    const row = this.#list.querySelector(`li[data-id="${CSS.escape(documentId)}"]`);
    return /** @type {HTMLElement | null} */ (row?.querySelector('.document__link') ?? null);
  }

  focusTitle() {
    this.#title.focus();
  }

  /** @param {State} state */
  show(state) {
    this.#uploads.show(state);
    const before = this.#state;
    this.#state = state;
    if (state.health && state.health !== before?.health) this.#input.accept = state.health.accepts.join(',');
    const { documents, selected, fresh, reading, uploads } = state;
    this.#scroll.hidden = documents === null && uploads.length === 0; // empty, and still to be moved by the tools above
    if (documents !== before?.documents || !this.#isDrawn) this.#learn(documents ?? []);
    else if (selected !== before?.selected || fresh !== before?.fresh || reading !== before?.reading) this.#update();
  }

  /** @param {readonly RagDocument[]} documents */
  #learn(documents) {
    this.#isDrawn = true;
    const old = this.#known;
    this.#known = new Map(
      documents.map((document) => {
        const id = document.document_id;
        const entry = old.get(id);
        const same = entry && String(entry.document.tags) === String(document.tags);
        return [id, same ? entry : { document, text: soughtText(document), row: null }];
      }),
    );
    this.#tools.hidden = documents.length < TOOLS_FROM && countTags(documents).length === 0;
    if (this.#tools.hidden) this.#filter.value = '';
    this.#drawTags(documents);
    this.#arrange();
  }

  /** @param {readonly RagDocument[]} documents */
  #drawTags(documents) {
    const counts = countTags(documents);
    if (!counts.some(([tag]) => tag === this.#tag)) this.#tag = '';
    this.#tags.hidden = counts.length === 0;
    keyed(
      this.#tags,
      counts,
      ([tag]) => tag,
      ([tag]) => h('button', { type: 'button', class: 'tag', onclick: () => this.#chooseTag(tag) }),
      (button, [tag, count]) => {
        setText(button, `${tag} ${count}`);
        button.setAttribute('aria-pressed', String(tag === this.#tag));
      },
    );
  }

  /** @param {string} tag */
  #chooseTag(tag) {
    this.#tag = this.#tag === tag ? '' : tag;
    this.#drawTags(this.#state?.documents ?? []);
    this.#narrow();
  }

  /** Makes the rows, in their order. */
  #arrange() {
    const order = /** @type {Order} */ (this.#order.value);
    const collator = new Intl.Collator(language.locale, { numeric: true });
    this.#ordered = ordered([...this.#known.values()].map(({ document }) => document), order, collator);
    keyed(
      this.#list,
      this.#ordered,
      ({ document_id: id, tags }) => [id, ...(tags ?? [])].join(' '),
      documentRow,
      (row, { document_id: id }) => {
        const entry = this.#known.get(id);
        if (entry) entry.row = row;
        row.dataset.id = id;
      },
    );
    this.#narrow();
  }

  /** Hides the rows that do not fit: typing makes none and moves none. */
  #narrow() {
    const filter = this.#filter.value.trim();
    this.#isNarrow = filter !== '' || this.#tag !== '';
    this.#shownIds = [];
    for (const { document_id: id, tags } of this.#ordered) {
      const entry = this.#known.get(id);
      if (!entry?.row) continue;
      const hidden = (filter !== '' && !fits(entry.text, filter)) || (this.#tag !== '' && !(tags ?? []).includes(this.#tag));
      if (entry.row.hidden !== hidden) entry.row.hidden = hidden;
      if (!hidden) this.#shownIds.push(id);
    }
    this.#update();
  }

  /** Shows what is ticked, new and open. */
  #update() {
    const { selected, fresh, reading } = this.#state ?? {};
    const ticked = new Set(selected);
    const isNew = new Set(fresh);
    for (const [id, { row }] of this.#known) {
      if (row) updateRow(row, { ticked: ticked.has(id), fresh: isNew.has(id), open: reading?.documentId === id });
    }
    this.#say(this.#known.size, ticked.size, this.#isNarrow);
  }

  /** @param {number} total @param {number} ticked @param {boolean} filtered */
  #say(total, ticked, filtered) {
    const shown = this.#shownIds.length;
    setText(this.#count, total > 0 ? (filtered ? words.findAt(shown, total) : numberFormat().format(total)) : '');
    const nothing = total === 0 ? words.noDocuments : shown === 0 ? words.filterNone : '';
    sayIn(this.#empty, this.#state?.documents ? nothing : '');
    sayIn(this.#hint, ticked > 0 ? words.ticked(ticked) : total > 1 && !filtered ? words.selectHint : '');
    this.#foot.hidden = total === 0;
    this.#tickShown.hidden = !filtered || shown === 0;
    setText(this.#tickShown, words.tickShown(shown));
    this.#untick.hidden = ticked === 0;
    this.#removeTicked.hidden = ticked === 0;
    setText(this.#removeTicked, words.removeTicked(ticked));
    this.#removeAll.hidden = ticked > 0 || filtered;
  }

  /** @param {HTMLInputElement} box */
  #ticked(box) {
    const id = box.dataset.id ?? '';
    const documentIds = this.#shift ? range(this.#shownIds, this.#last, id) : [id];
    this.#shift = false;
    this.#last = id;
    emit(this, 'documents-picked', { documentIds, on: box.checked });
  }

  /** @param {KeyboardEvent} event */
  #filterKey(event) {
    if (event.key !== 'Escape' || this.#filter.value === '') return;
    event.preventDefault();
    this.#filter.value = '';
    this.#narrow();
  }

  /** @param {string} type @param {() => unknown} detail @param {string} [label] */
  #small(type, detail, label = '') {
    return h('button', { type: 'button', class: 'button button--quiet button--small', onclick: () => emit(this, type, detail()) }, label);
  }

  /** @param {HTMLInputElement} input */
  #chosen(input) {
    const files = Array.from(input.files ?? []);
    input.value = '';
    emit(this, input === this.#folder ? 'folder-chosen' : 'files-chosen', files);
  }
}
