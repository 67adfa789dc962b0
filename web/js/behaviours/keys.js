/** The keys that work anywhere on the page. */

import { dialogIsOpen } from '../elements/dialogs.js';

/** @param {EventTarget | null} target */
function takesLetters(target) {
  return target instanceof HTMLElement && target.matches('textarea, select, input:not([type="checkbox"]), [role="treeitem"], [contenteditable]');
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
    if (event.ctrlKey || event.metaKey || event.altKey || takesLetters(event.target)) return;
    const action = letters[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
