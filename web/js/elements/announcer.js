/** The live region: what happened, for those who do not see it. */

import { h } from '../dom.js';

export class RagAnnouncer extends HTMLElement {
  #region = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  connectedCallback() {
    this.replaceChildren(this.#region);
  }

  /** @param {string} text */
  say(text) {
    // The same sentence twice is read out twice only if the text differs.
    this.#region.textContent = this.#region.textContent === text ? `${text}\u00a0` : text;
  }
}
