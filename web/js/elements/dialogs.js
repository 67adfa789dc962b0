/** Native dialogs: a question with two answers, and the list of keys. */

import { h } from '../dom.js';
import { words } from '../messages.js';

let counter = 0;

/** @param {string | HTMLElement} title @param {HTMLElement[]} content @param {HTMLElement[]} buttons @param {string} [look] */
export function openDialog(title, content, buttons, look = 'dialog') {
  const id = `dialog-${(counter += 1)}`;
  const dialog = h(
    'dialog',
    { class: look, 'aria-labelledby': id },
    h('h2', { id, class: 'dialog__title' }, title),
    ...content,
    h('div', { class: 'dialog__buttons' }, ...buttons),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before something is lost. Escape and a click outside mean no.
 * @param {{title: string, body: string, confirm: string}} text
 * @returns {Promise<boolean>}
 */
export function confirmed({ title, body, confirm }) {
  return new Promise((resolve) => {
    let answer = false;
    /** @param {boolean} value */
    const close = (value) => () => {
      answer = value;
      dialog.close();
    };
    const no = h('button', { type: 'button', class: 'button', autofocus: true, onclick: close(false) }, words.cancel);
    const yes = h('button', { type: 'button', class: 'button button--danger', onclick: close(true) }, confirm);
    const dialog = openDialog(title, [h('p', {}, body)], [no, yes]);
    dialog.addEventListener('close', () => resolve(answer));
  });
}

export function showKeys() {
  const rows = words.keys.flatMap(([keys, meaning]) => [
    h('dt', {}, ...keys.split('  ').map((key) => h('kbd', {}, key))),
    h('dd', {}, meaning),
  ]);
  const close = h('button', { type: 'button', class: 'button', autofocus: true, onclick: () => dialog.close() }, words.closeDialog);
  const dialog = openDialog(words.keysTitle, [h('dl', { class: 'keys' }, ...rows)], [close]);
}

export const dialogIsOpen = () => document.querySelector('dialog[open]') !== null;
