/** The keys that work anywhere on the page. */

import { dialogIsOpen } from '../elements/dialogs.js';

/** Lists look for what begins with a letter; signs are free there. @param {KeyboardEvent} event */
function takesKey({ target, key }) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('select, [role="treeitem"]')) return /^[\p{L}\p{N}]$/u.test(key);
  return target.matches('textarea, input:not([type="checkbox"]), [contenteditable]');
}

/** @param {Record<'escape' | 'question' | 'help' | 'history' | 'evidence' | 'next' | 'previous' | 'nextPage' | 'previousPage' | 'larger' | 'smaller' | 'find' | 'contents' | 'documents' | 'undo', () => void>} actions */
export function listenToKeys(actions) {
  /** @type {Record<string, () => void>} */
  const letters = {
    '/': actions.question,
    '?': actions.help,
    h: actions.history,
    e: actions.evidence,
    n: actions.next,
    p: actions.previous,
    j: actions.nextPage,
    k: actions.previousPage,
    '+': actions.larger,
    '=': actions.larger,
    '-': actions.smaller,
    f: actions.find,
    c: actions.contents,
    l: actions.documents,
    u: actions.undo,
  };
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || dialogIsOpen()) return;
    if (event.key === 'Escape') {
      actions.escape();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event)) return;
    const action = letters[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
