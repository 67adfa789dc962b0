/** What stands in the conversation before the first question. */

import { emit, h, icon } from '../dom.js';
import { filesStay } from '../health-messages.js';
import { kindsInWords, sizeInWords, words } from '../messages.js';
import { talkWords } from '../talk-messages.js';

/** @typedef {import('../state-types.js').State} State */

export class RagIntro extends HTMLElement {
  #key = '';

  connectedCallback() {
    this.classList.add('intro');
  }

  /** @param {State} state */
  show({ documents, health, turns, talk, uploads }) {
    const isBlank = turns.length === 0 && talk.phase === 'open' && documents !== null;
    const kind = !isBlank ? 'none' : documents.some(({ name }) => name === words.sampleName) ? 'sample' : documents.length > 0 ? 'ready' : 'welcome';
    const isComing = uploads.some(({ name, phase }) => name === words.sampleName && phase !== 'done' && phase !== 'failed');
    const key = `${kind} ${health?.version} ${health?.leaves_machine} ${isComing}`;
    if (key === this.#key) return;
    this.#key = key;
    const held = this.contains(document.activeElement);
    this.hidden = kind === 'none';
    if (kind === 'ready') this.replaceChildren(title(words.readyTitle), h('p', { class: 'intro__lead' }, words.readyBody));
    if (kind === 'sample') this.replaceChildren(title(words.readyTitle), h('p', { class: 'intro__lead' }, words.readyBody), this.#questions());
    if (kind === 'welcome') this.#welcome(health, isComing);
    if (held && !this.hidden) this.#keepFocus();
  }

  /** What had the focus is gone: the sample, once it is here, is followed by its first question. */
  #keepFocus() {
    /** @type {HTMLElement | null} */ (this.querySelector('.example, .intro__sample button') ?? this.querySelector('.intro__title'))?.focus();
  }

  #questions() {
    const ask = (/** @type {string} */ question) => h('button', { type: 'button', class: 'example', onclick: () => emit(this, 'question-asked', question) }, h('span', {}, question), icon('right'));
    return h('section', { class: 'intro__examples' }, h('h3', { class: 'label' }, words.sampleTitle), h('ul', { class: 'examples' }, ...words.sampleQuestions.map((question) => h('li', {}, ask(question)))));
  }

  /** @param {State['health']} health @param {boolean} isComing */
  #welcome(health, isComing) {
    const steps = words.welcomeSteps.map(([name, body]) => h('li', {}, h('strong', {}, name), h('span', {}, body)));
    const add = h('button', { type: 'button', class: 'button button--primary button--large', onclick: () => emit(this, 'files-asked') }, icon('plus'), words.chooseFiles);
    const kinds = health ? words.kinds(kindsInWords(health.accepts), sizeInWords(health.limits.max_upload_bytes)) : '';
    const sample = h('button', { type: 'button', class: 'button', 'aria-disabled': String(isComing), onclick: () => isComing || emit(this, 'sample-asked') }, icon('pages'), words.trySample);
    const [first, second] = words.welcomeTitle;
    this.replaceChildren(
      title(`${first} `, h('span', { class: 'marked' }, second)),
      h('ol', { class: 'intro__steps' }, ...steps),
      h('div', { class: 'intro__add' }, add, h('p', { class: 'quiet' }, `${words.orDrop} ${kinds}`)),
      h('div', { class: 'intro__sample' }, h('p', {}, words.tryTitle), sample, h('p', { class: 'quiet' }, talkWords.sampleHint())),
      h('p', { class: 'intro__promise' }, icon(health?.leaves_machine ? 'cloud' : 'lock'), filesStay(health)),
    );
  }
}

/** @param {...import('../dom.js').Child} children */
const title = (...children) => h('h2', { class: 'intro__title', tabindex: -1 }, ...children);
