/** The keys that work anywhere on the page. */

import { dialogIsOpen } from '../elements/dialogs.js';

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches('textarea, input:not([type="checkbox"]), [contenteditable]');
}

/** @param {Record<'escape' | 'question' | 'help' | 'next' | 'previous', () => void>} actions */
export function listenToKeys(actions) {
  /** @type {Record<string, () => void>} */
  const letters = { '/': actions.question, '?': actions.help, n: actions.next, p: actions.previous };
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || dialogIsOpen()) return;
    if (event.key === 'Escape') {
      actions.escape();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const action = letters[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
