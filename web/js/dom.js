/** Building and updating elements without ever parsing HTML. */

import { visibleName } from './text.js';

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. `on…` properties listen, `true` sets an empty attribute, `false` and `null` set none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  return dress(document.createElement(tag), properties, ...children);
}

/**
 * What `h` does to an element that it makes, for one that is there already.
 * @template {Element} T
 * @param {T} element
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} properties
 * @param {...Child} children   added to those that it has
 */
export function dress(element, properties, ...children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Like `replaceChildren`, but one that is there already is not moved: it keeps the focus and what is being typed in it.
 * @param {Element} parent
 * @param {Element} kept   one of the children
 * @param {readonly Element[]} children
 */
export function settleAround(parent, kept, children) {
  if (kept.parentNode !== parent) return parent.replaceChildren(...children);
  for (const child of Array.from(parent.childNodes)) if (child !== kept) child.remove();
  const at = children.indexOf(kept);
  kept.before(...children.slice(0, at));
  kept.after(...children.slice(at + 1));
}

/** A name from outside: isolated from the text around it, controls made visible. @param {string} text */
export function shownName(text) {
  return h('bdi', { class: 'name' }, visibleName(text));
}

/**
 * Says what happened to whoever listens above.
 * @param {EventTarget} from
 * @param {string} type
 * @param {unknown} [detail]
 */
export function emit(from, type, detail) {
  from.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
}

/**
 * Makes the children of `parent` match `items`, keeping elements (and the focus in them) that stay.
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement} create
 * @param {(element: HTMLElement, item: Item) => void} update
 */
export function keyed(parent, items, keyOf, create, update) {
  const wanted = new Set(items.map(keyOf));
  /** @type {Map<string, HTMLElement>} */
  const here = new Map();
  for (const child of Array.from(parent.children)) {
    const key = /** @type {HTMLElement} */ (child).dataset.key ?? '';
    if (wanted.has(key)) here.set(key, /** @type {HTMLElement} */ (child));
    else child.remove();
  }
  let at = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const element = here.get(key) ?? create(item);
    element.dataset.key = key;
    update(element, item);
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
}

/** Sets text only where it differs, so that nothing is read out twice. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = 'http://www.w3.org/2000/svg';

/** @type {Record<string, string>} */
const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  bin: 'M3 4.5h10M6.5 4V2.8h3V4M4.5 4.5l.6 8.7h5.8l.6-8.7M6.8 7v4M9.2 7v4',
  send: 'M8 13V3M3.8 7.2L8 3l4.2 4.2',
  stop: 'M4.5 4.5h7v7h-7z',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  down: 'M8 2.5v7.5M4.5 7L8 10.5 11.5 7M3 13.5h10',
  copy: 'M5.5 5.5h7.5v8H5.5zM3 10.5v-8h7.5',
  retry: 'M12.8 8a4.8 4.8 0 1 1-1.5-3.5M12.9 2.2v2.9H10',
  larger: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L14 14M7 5v4M5 7h4',
  smaller: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L14 14M5 7h4',
  lock: 'M4 7.2h8v6H4zM5.5 7V5.2a2.5 2.5 0 0 1 5 0V7',
  cloud: 'M5 12.5a2.8 2.8 0 0 1-.2-5.6A3.6 3.6 0 0 1 11.7 6a3.3 3.3 0 0 1-.4 6.5z',
  pages: 'M4 2.5h5.5L12 5v8.5H4zM9.3 2.7v2.6h2.5M6 8h4M6 10.5h4',
  contents: 'M3 4h1M6.5 4H13M3 8h1M6.5 8H13M3 12h1M6.5 12H13',
  find: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L14 14',
  page: 'M4.5 2.5h7v11h-7zM1.5 5v6M14.5 5v6',
  width: 'M2.5 4.5h11v7h-11zM5 8h6M6.3 6.7L5 8l1.3 1.3M9.7 6.7L11 8 9.7 9.3',
  open: 'M9 3h4v4M13 3L7.5 8.5M11.5 9.5v3.5h-8.5V5h4',
  ask: 'M2.8 3.5h10.4v7.3H8.2L5.3 13v-2.2H2.8z',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9.2 4.5l2.3 2.3',
  history: 'M3.2 8a4.8 4.8 0 1 0 1.5-3.5M3.1 2.2v2.9H6M8 5.4V8l1.9 1.3',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  minus: 'M3.5 8h9',
  look: 'M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.8-1.1 1.7M8 12.4v.2',
  off: 'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM4.5 4.5l7 7',
  mark: 'M2.5 5h11M2.5 11h6M2 8h12',
};

/** A small drawing beside a word that says the same. @param {string} shape */
export function icon(shape) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[shape]);
  svg.append(path);
  return svg;
}
