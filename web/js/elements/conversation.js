/** The place of questions and answers. */

import { emit, h, icon, keyed } from '../dom.js';
import { filesStay, kindsInWords, sizeInWords, words } from '../messages.js';
import { renderAnswer } from './answer.js';
import { elapsed } from './elapsed.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../state.js').Turn} Turn
 * @typedef {import('./composer.js').RagComposer} RagComposer
 */

export class RagConversation extends HTMLElement {
  #scroll = h('div', { class: 'conversation__scroll' });
  #intro = h('div', { class: 'intro' });
  #turns = h('div', { class: 'turns' });
  #composer = /** @type {RagComposer} */ (document.createElement('rag-composer'));
  #fresh = h('button', { type: 'button', class: 'button button--quiet button--small', onclick: () => emit(this, 'conversation-clear-asked') }, words.newConversation);
  #head = h('header', { class: 'place__head', hidden: true }, h('h2', { class: 'place__title' }, words.questions), this.#fresh);
  /** @type {WeakMap<HTMLElement, Turn>} */
  #drawn = new WeakMap();
  #introKey = '';

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.conversationTitle);
    this.#scroll.append(this.#intro, this.#turns);
    this.replaceChildren(this.#head, this.#scroll, this.#composer);
  }

  focusQuestion() {
    this.#composer.focusBox();
  }

  /** The button that opened a citation, or the first with its number. @param {string} turnId @param {number} number */
  citationButton(turnId, number) {
    const turn = Array.from(this.#turns.children).find((child) => /** @type {HTMLElement} */ (child).dataset.key === turnId);
    return /** @type {HTMLElement | null} */ (turn?.querySelector(`[data-number="${number}"]`) ?? null);
  }

  /** @param {State} state */
  show(state) {
    this.#composer.show(state);
    this.#showIntro(state);
    this.#head.hidden = state.turns.length === 0;
    keyed(this.#turns, state.turns, (turn) => turn.turnId, () => h('article', { class: 'turn' }), (element, turn) => {
      if (this.#drawn.get(element) !== turn) this.#draw(element, turn);
    });
    for (const button of this.#turns.querySelectorAll('[data-number]')) {
      const { number } = /** @type {HTMLElement} */ (button).dataset;
      const turnId = /** @type {HTMLElement} */ (button.closest('.turn')).dataset.key;
      const current = state.open?.turnId === turnId && String(state.open?.number) === number;
      if (current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
  }

  /** @param {HTMLElement} element @param {Turn} turn */
  #draw(element, turn) {
    const isNew = !this.#drawn.has(element);
    this.#drawn.set(element, turn);
    const id = `question-${turn.turnId}`;
    element.setAttribute('aria-labelledby', id);
    element.setAttribute('aria-busy', String(turn.phase === 'asking'));
    element.replaceChildren(
      h('h3', { class: 'question', id, dir: 'auto' }, h('span', { class: 'visually-hidden' }, `${words.question}: `), turn.question),
      ...(turn.documentIds ? [h('p', { class: 'question__scope' }, turn.scope)] : []),
      ...this.#body(turn),
    );
    if (isNew) requestAnimationFrame(() => this.#scrollTo(element));
  }

  /** Not `scrollIntoView`, which would move the whole page too. @param {HTMLElement} turn */
  #scrollTo(turn) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#scroll.scrollTo({ top: turn.offsetTop, behavior: still ? 'auto' : 'smooth' });
  }

  /** @param {Turn} turn @returns {HTMLElement[]} */
  #body(turn) {
    const again = () =>
      h('button', { type: 'button', class: 'button button--small', onclick: () => emit(this, 'question-repeated', turn.turnId) }, icon('retry'), words.askAgain);
    switch (turn.phase) {
      case 'asking':
        return [h('p', { class: 'searching' }, h('span', { class: 'searching__line', 'aria-hidden': 'true' }), words.searching, ' ', elapsed(turn.since))];
      case 'stopped':
        return [h('div', { class: 'note note--stopped' }, h('p', {}, words.stopped), again())];
      case 'failed':
        return [
          h(
            'div',
            { class: 'note note--failed', role: 'alert' },
            h('h4', { class: 'note__title' }, words.failedTitle),
            h('p', {}, turn.problem?.message ?? ''),
            h('p', { class: 'quiet' }, turn.problem?.fix ?? ''),
            again(),
          ),
        ];
      case 'answered':
        return turn.answer ? renderAnswer(turn, turn.answer) : [];
    }
  }

  /** What stands here before the first question. @param {State} state */
  #showIntro({ documents, health, turns }) {
    const kind = turns.length > 0 || documents === null ? 'none' : documents.length === 0 ? 'welcome' : 'ready';
    const key = `${kind} ${health?.version} ${health?.leaves_machine}`;
    if (key === this.#introKey) return;
    this.#introKey = key;
    this.#intro.hidden = kind === 'none';
    if (kind === 'ready') {
      this.#intro.replaceChildren(h('h2', { class: 'intro__title' }, words.readyTitle), h('p', { class: 'intro__lead' }, words.readyBody));
    }
    if (kind !== 'welcome') return;
    const steps = words.welcomeSteps.map(([title, body]) => h('li', {}, h('strong', {}, title), h('span', {}, body)));
    const add = h('button', { type: 'button', class: 'button button--primary button--large', onclick: () => emit(this, 'files-asked') }, icon('plus'), words.chooseFiles);
    const kinds = health ? words.kinds(kindsInWords(health.accepts), sizeInWords(health.limits.max_upload_bytes)) : '';
    const [first, second] = words.welcomeTitle;
    this.#intro.replaceChildren(
      h('h2', { class: 'intro__title' }, `${first} `, h('span', { class: 'marked' }, second)),
      h('ol', { class: 'intro__steps' }, ...steps),
      h('div', { class: 'intro__add' }, add, h('p', { class: 'quiet' }, `${words.orDrop} ${kinds}`)),
      h('p', { class: 'intro__promise' }, icon(health?.leaves_machine ? 'cloud' : 'lock'), filesStay(health)),
    );
  }
}
