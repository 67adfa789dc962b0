/** The bar by which a narrow screen moves between the three places. */

import { emit, h, icon } from '../dom.js';
import { words } from '../messages.js';

/** @typedef {import('../state.js').State} State @typedef {import('../state.js').Place} Place */

/** @returns {[Place, string, string][]} */
const namedPlaces = () => [
  ['library', words.library, 'pages'],
  ['conversation', words.conversation, 'ask'],
  ['source', words.source, 'mark'],
];

export class RagPlaces extends HTMLElement {
  /** @type {Map<Place, HTMLButtonElement>} */
  #buttons = new Map();

  connectedCallback() {
    const bar = h('nav', { class: 'place-bar', 'aria-label': words.placesLabel });
    for (const [place, label, shape] of namedPlaces()) {
      const button = h('button', { type: 'button', class: 'place-bar__button', onclick: () => emit(this, 'place-asked', place) }, icon(shape), label);
      this.#buttons.set(place, button);
      bar.append(button);
    }
    this.replaceChildren(bar);
  }

  /** @param {State} state */
  show({ place }) {
    for (const [name, button] of this.#buttons) {
      if (name === place) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }
}
