/** Seconds since a moment, counted while the element is on the page. Not read out. */

import { setText } from '../dom.js';
import { secondsInWords } from '../messages.js';

export class RagElapsed extends HTMLElement {
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {number} since  milliseconds */
  from(since) {
    this.#since = since;
    this.#tick();
  }

  connectedCallback() {
    this.setAttribute('aria-hidden', 'true');
    this.#timer = setInterval(() => this.#tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  #tick() {
    const seconds = Math.floor((Date.now() - this.#since) / 1000);
    setText(this, seconds < 1 ? '' : secondsInWords(seconds));
  }
}

/** @param {number} since */
export function elapsed(since) {
  const element = /** @type {RagElapsed} */ (document.createElement('rag-elapsed'));
  element.from(since);
  return element;
}
