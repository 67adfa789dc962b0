/** The tags of a document, as a line of text. */

import { h } from '../dom.js';
import { words } from '../messages.js';
import { parseTags } from '../shelf.js';
import { visibleName } from '../text.js';
import { openDialog } from './dialogs.js';

/**
 * @param {import('../contract.js').RagDocument} document
 * @param {readonly string[]} known   tags of other documents, to choose from
 * @returns {Promise<string[] | null>}   `null`: left as they are
 */
export function askTags(document, known) {
  return new Promise((resolve) => {
    /** @type {string[] | null} */
    let answer = null;
    const input = h('input', { class: 'field', value: (document.tags ?? []).join(', '), 'aria-label': words.tags, autocomplete: 'off', autofocus: true, maxlength: 1000 });
    const add = (/** @type {string} */ tag) => {
      input.value = [...new Set([...parseTags(input.value), tag])].join(', ');
      input.focus();
    };
    const chips = known.map((tag) => h('button', { type: 'button', class: 'tag', onclick: () => add(tag) }, visibleName(tag)));
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      answer = parseTags(input.value);
      dialog.close();
    };
    const form = h('form', { id: 'tags-form', class: 'tags-form', onsubmit }, h('p', {}, words.tagsBody), input, h('div', { class: 'tag-bar' }, ...chips));
    const cancel = h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, words.cancel);
    const save = h('button', { type: 'submit', form: 'tags-form', class: 'button button--primary' }, words.save);
    const dialog = openDialog(words.tagsOf(document.name), [form], [cancel, save]);
    dialog.addEventListener('close', () => resolve(answer));
  });
}
