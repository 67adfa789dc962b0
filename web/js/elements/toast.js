/** What has just happened, with a way back for a few seconds. It stays while the pointer or the focus is on it. */

import { h, icon, setText } from '../dom.js';
import { words } from '../messages.js';

const SHOWN_MS = 8000;

export class RagToast extends HTMLElement {
  #text = h('p', { class: 'toast__text' });
  #undo = h('button', { type: 'button', class: 'button button--small toast__undo', onclick: () => this.undo() });
  #close = h('button', { type: 'button', class: 'button button--icon toast__close', onclick: () => this.finish() }, icon('close'));
  /** @type {{undo: () => void, done: () => void} | null} */
  #offer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  connectedCallback() {
    this.hidden = true;
    this.setAttribute('role', 'group');
    setText(this.#undo, words.undo);
    this.#close.setAttribute('aria-label', words.dismiss);
    this.replaceChildren(h('div', { class: 'toast' }, this.#text, this.#undo, this.#close));
    for (const type of ['pointerenter', 'focusin']) this.addEventListener(type, () => clearTimeout(this.#timer));
    for (const type of ['pointerleave', 'focusout']) this.addEventListener(type, () => this.#wait());
  }

  /** An offer ends the one before it. @param {string} text @param {{undo: () => void, done: () => void}} offer   one of the two is called */
  offer(text, offer) {
    this.finish();
    this.#offer = offer;
    setText(this.#text, text);
    this.hidden = false;
    this.#wait();
  }

  undo() {
    this.#end('undo');
  }

  finish() {
    this.#end('done');
  }

  #wait() {
    clearTimeout(this.#timer);
    if (this.#offer) this.#timer = setTimeout(() => this.finish(), SHOWN_MS);
  }

  /** @param {'undo' | 'done'} how */
  #end(how) {
    clearTimeout(this.#timer);
    const offer = this.#offer;
    this.#offer = null;
    this.hidden = true;
    offer?.[how]();
  }
}
