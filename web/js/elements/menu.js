/** A button that shows a short list of links. The list is a popover: Escape and a click elsewhere close it, and nothing cuts it off. */

import { h, icon } from '../dom.js';

const GAP = 4;
let counter = 0;

/**
 * @param {string} shape   of the drawing
 * @param {string} label
 * @param {() => HTMLElement[]} items   made anew each time, as they may have changed
 * @param {{iconOnly?: boolean}} [look]
 */
export function menu(shape, label, items, { iconOnly = false } = {}) {
  const id = `menu-${(counter += 1)}`;
  const look = iconOnly ? 'button--icon' : 'button--quiet button--small';
  const button = h('button', { type: 'button', class: `button ${look}`, 'aria-label': label, title: label, 'aria-expanded': 'false', popovertarget: id }, icon(shape), !iconOnly && label);
  const list = h('ul', { id, class: 'menu', popover: 'auto', 'aria-label': label });
  list.addEventListener('beforetoggle', (event) => {
    const opens = /** @type {ToggleEvent} */ (event).newState === 'open';
    button.setAttribute('aria-expanded', String(opens));
    if (opens) list.replaceChildren(...items().map((item) => h('li', {}, item)));
  });
  list.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== 'open') return;
    place(list, button);
    list.querySelector('a')?.focus();
  });
  list.addEventListener('click', () => list.hidePopover());
  const step = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') {
      event.stopPropagation(); // it closes the list and nothing behind it
      return;
    }
    const links = Array.from(list.querySelectorAll('a'));
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links[(to + links.length) % links.length].focus();
  };
  list.addEventListener('keydown', step);
  return h('span', { class: 'menu-of' }, button, list);
}

/** Below its button, or above where there is no room. @param {HTMLElement} list @param {HTMLElement} button */
function place(list, button) {
  const anchor = button.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(anchor.left, innerWidth - list.offsetWidth - GAP));
  const below = anchor.bottom + GAP;
  const top = below + list.offsetHeight > innerHeight ? Math.max(GAP, anchor.top - list.offsetHeight - GAP) : below;
  list.style.left = `${left}px`;
  list.style.top = `${top}px`;
}
