/** A document of the library: ticked to be searched, opened, tagged, removed. */

import { emit, h, icon, setText, shownName } from '../dom.js';
import { dateInWords, documentInWords, words } from '../messages.js';

/** @typedef {import('../contract.js').RagDocument} RagDocument */

/** @param {RagDocument} document @returns {HTMLLIElement} */
export function documentRow(document) {
  const { document_id: documentId, name, title, tags } = document;
  /** @param {string} type */
  const tell = (type) => (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), type, document);
  const box = h('input', { type: 'checkbox', class: 'tick', 'aria-label': words.searchOnly(name), 'data-id': documentId });
  const remove = h(
    'button',
    { type: 'button', class: 'button button--icon document__remove', 'aria-label': words.remove(name), title: words.remove(name), onclick: tell('document-remove-asked') },
    icon('bin'),
  );
  /** @param {string} text @param {string} label @param {string} type */
  const link = (text, label, type) => h('button', { type: 'button', class: 'button button--link document__link', 'aria-label': label, onclick: tell(type) }, text);
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
        h('span', { class: 'document__facts' }, [words.passages(document.chunk_count), dateInWords(document.added_at)].filter(Boolean).join(' · ')),
      ),
    ),
    remove,
    h(
      'div',
      { class: 'document__links' },
      link(words.open, words.openDocument(name), 'document-open-asked'),
      link(words.pages, words.pagesOf(name), 'pages-asked'),
      link(words.tags, words.tagsOf(name), 'tags-asked'),
      ...(tags ?? []).map((tag) => h('button', { type: 'button', class: 'tag', onclick: (/** @type {Event} */ event) => emit(/** @type {Element} */ (event.currentTarget), 'tag-chosen', tag) }, shownName(tag))),
    ),
  );
}

/** @type {WeakMap<HTMLElement, string>} */
const looks = new WeakMap();

/** @param {HTMLElement} row @param {{ticked: boolean, fresh: boolean, open: boolean}} now */
export function updateRow(row, { ticked, fresh, open }) {
  const look = ['document', ticked && 'document--ticked', fresh && 'document--fresh', open && 'document--open'].filter(Boolean).join(' ');
  const box = /** @type {HTMLInputElement} */ (row.querySelector('.tick'));
  if (box.checked !== ticked) box.checked = ticked; // a click has changed it already
  if (looks.get(row) === look) return;
  looks.set(row, look);
  row.className = look;
}

/** A line of text that is said only where it says something. @param {HTMLElement} element @param {string} text */
export function sayIn(element, text) {
  element.hidden = text === '';
  setText(element, text);
}
