/** The place of the documents: add, tick, remove. */

import { emit, h, icon, keyed, shownName } from '../dom.js';
import { documentInWords, words } from '../messages.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('./uploads.js').RagUploads} RagUploads
 */

export class RagLibrary extends HTMLElement {
  #title = h('h2', { class: 'place__title', tabindex: -1 }, words.library);
  #count = h('span', { class: 'place__count' });
  #input = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': words.addFiles, onchange: () => this.#chosen() });
  #add = h('button', { type: 'button', class: 'button button--add', onclick: () => this.choose() }, icon('plus'), words.addFiles);
  #uploads = /** @type {RagUploads} */ (document.createElement('rag-uploads'));
  #list = h('ul', { class: 'documents', 'aria-label': words.documentList });
  #empty = h('p', { class: 'quiet library__empty' }, words.noDocuments);
  #hint = h('p', { class: 'quiet' }, words.selectHint);
  #removeAll = h('button', { type: 'button', class: 'button button--quiet button--small', onclick: () => emit(this, 'library-clear-asked') }, words.removeAll);
  #foot = h('footer', { class: 'library__foot' }, this.#hint, this.#removeAll);
  /** @type {unknown[]} */
  #shown = [];

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.library);
    this.replaceChildren(
      h('header', { class: 'place__head' }, this.#title, this.#count),
      h('div', { class: 'library__add' }, this.#add, this.#input, h('p', { class: 'quiet drop-hint' }, words.dropHint)),
      h('div', { class: 'library__scroll' }, this.#uploads, this.#empty, this.#list),
      this.#foot,
    );
  }

  /** Opens the browser's own file chooser. */
  choose() {
    this.#input.click();
  }

  /** After a removal the focus stays in the list, at the same height. @param {number} index */
  focusNear(index) {
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (this.#list.querySelectorAll('.document__remove'));
    (buttons[Math.min(index, buttons.length - 1)] ?? this.#add).focus();
  }

  focusTitle() {
    this.#title.focus();
  }

  /** @param {State} state */
  show(state) {
    this.#uploads.show(state);
    const { documents, selected, fresh, health } = state;
    const now = [documents, selected, fresh, health];
    if (now.every((value, index) => value === this.#shown[index])) return;
    this.#shown = now;
    if (health) this.#input.accept = health.accepts.join(',');
    const list = documents ?? [];
    this.#count.textContent = documents && list.length > 0 ? String(list.length) : '';
    this.#empty.hidden = documents === null || list.length > 0;
    this.#hint.hidden = list.length < 2;
    this.#foot.hidden = list.length === 0;
    keyed(this.#list, list, (document) => document.document_id, (document) => this.#row(document), (row, document) => {
      const box = /** @type {HTMLInputElement} */ (row.querySelector('input'));
      box.checked = selected.includes(document.document_id);
      row.classList.toggle('document--fresh', fresh.includes(document.document_id));
    });
  }

  /** @param {RagDocument} document */
  #row(document) {
    const { document_id: documentId, name, title } = document;
    const box = h('input', {
      type: 'checkbox',
      class: 'tick',
      'aria-label': words.searchOnly(name),
      onchange: () => emit(this, 'document-toggled', { documentId, on: box.checked }),
    });
    const remove = h(
      'button',
      { type: 'button', class: 'button button--icon document__remove', 'aria-label': words.remove(name), title: words.remove(name), onclick: () => emit(this, 'document-remove-asked', document) },
      icon('bin'),
    );
    const pages = h(
      'button',
      { type: 'button', class: 'button button--link document__pages', 'aria-label': words.pagesOf(name), onclick: () => emit(this, 'pages-asked', document) },
      words.pages,
    );
    return h(
      'li',
      { class: 'document' },
      h(
        'label',
        { class: 'document__pick' },
        box,
        h(
          'span',
          { class: 'document__text' },
          h('span', { class: 'document__name' }, shownName(name)),
          title && title !== name && h('span', { class: 'document__title' }, shownName(title)),
          h('span', { class: 'document__facts' }, documentInWords(document), h('span', { class: 'document__fresh' }, words.fresh)),
        ),
      ),
      h('div', { class: 'document__actions' }, remove, pages),
    );
  }

  #chosen() {
    const files = Array.from(this.#input.files ?? []);
    this.#input.value = '';
    emit(this, 'files-chosen', files);
  }
}
