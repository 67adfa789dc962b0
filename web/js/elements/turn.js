/** A question and its answer: while it is looked for, when it is there, and when it came to nothing. */

import { emit, h, icon, setText } from '../dom.js';
import { words } from '../messages.js';
import { progressInWords, scopeOfTurn, talkWords } from '../talk-messages.js';
import { answerBlocks, answerFoot, editButton, refusal, remarks, sourceList, textOf, unsupported } from './answer.js';
import { elapsed } from './elapsed.js';
import { flagNotes } from './support.js';

/**
 * @typedef {import('../state-types.js').Turn} Turn
 * @typedef {import('./evidence.js').RagEvidence} RagEvidence
 * @typedef {import('./support.js').RagSupport} RagSupport
 */

export class RagTurn extends HTMLElement {
  #heading = h('h3', { class: 'question', tabindex: -1, dir: 'auto', onkeydown: (/** @type {KeyboardEvent} */ event) => this.#typed(event) });
  #about = h('div', { class: 'question__about' });
  #text = h('div', { class: 'answer__text', dir: 'auto' });
  #stage = h('span');
  #progress = h('p', { class: 'searching' });
  #rest = h('div', { class: 'turn__rest' });
  /** @type {Turn | null} */
  #turn = null;
  #shown = '';

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute('role', 'article');
    this.classList.add('turn');
    this.append(this.#heading, this.#about, this.#text, this.#progress, this.#rest);
  }

  get turn() {
    return this.#turn;
  }

  focusHeading() {
    this.#heading.focus({ preventScroll: true });
  }

  /** @param {Turn} turn @param {string | null} conversationId @param {boolean} evidence   whether all that was found is shown with it */
  showTurn(turn, conversationId, evidence) {
    if (turn === this.#turn) return;
    const before = this.#turn;
    this.#turn = turn;
    if (!before) this.#drawQuestion(turn);
    const focused = this.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    this.setAttribute('aria-busy', String(turn.phase === 'asking'));
    this.#drawAbout(turn);
    this.#drawText(turn);
    this.#drawProgress(turn, before);
    if (turn.phase !== before?.phase) this.#rest.replaceChildren(...this.#outcome(turn, conversationId, evidence));
    this.#refocus(focused);
  }

  /** @param {Turn} turn */
  #drawQuestion({ turnId, question }) {
    this.#heading.id = `question-${turnId}`;
    this.setAttribute('aria-labelledby', this.#heading.id);
    this.#heading.replaceChildren(h('span', { class: 'visually-hidden' }, `${words.question}: `), question);
  }

  /** @param {Turn} turn */
  #drawAbout(turn) {
    const { understood_as: understood } = turn.answer ?? {};
    const lines = [understood && understood !== turn.question && talkWords.understoodAs(understood), scopeOfTurn(turn)].filter(Boolean);
    if (this.#about.children.length !== lines.length) this.#about.replaceChildren(...lines.map((line) => h('p', { class: 'question__scope', dir: 'auto' }, line || '')));
  }

  /** The statements stay as they are when the whole answer says the same: no jump, and the focus keeps its button. @param {Turn} turn */
  #drawText(turn) {
    const text = turn.answer?.refused ? '' : textOf(turn);
    this.#text.hidden = text === '';
    if (text === this.#shown) return;
    this.#shown = text;
    this.#text.replaceChildren(...answerBlocks(turn));
  }

  /** @param {Turn} turn @param {Turn | null} before */
  #drawProgress(turn, before) {
    this.#progress.hidden = turn.phase !== 'asking';
    if (turn.phase !== 'asking') {
      this.#progress.replaceChildren();
      return;
    }
    if (before?.phase !== 'asking') {
      this.#progress.replaceChildren(h('span', { class: 'searching__line', 'aria-hidden': 'true' }), this.#stage, ' ', elapsed(turn.since));
    }
    setText(this.#stage, progressInWords(turn));
  }

  /** @param {Turn} turn @param {string | null} conversationId @param {boolean} evidence @returns {HTMLElement[]} */
  #outcome(turn, conversationId, evidence) {
    switch (turn.phase) {
      case 'asking':
        return [];
      case 'stopped':
        return [...this.#sourcesSoFar(turn), h('div', { class: 'note note--stopped' }, h('p', {}, turn.claims.length ? words.stoppedPartly : words.stopped), this.#again(turn))];
      case 'failed':
        return [...this.#sourcesSoFar(turn), this.#failure(turn)];
      case 'answered': {
        const { answer } = turn;
        if (!answer) return [];
        const drawer = /** @type {RagEvidence} */ (document.createElement('rag-evidence'));
        drawer.showEvidence(turn, answer, evidence);
        const support = /** @type {RagSupport} */ (document.createElement('rag-support'));
        support.showSupport(turn, answer);
        const said = answer.refused
          ? refusal(turn, answer)
          : [...flagNotes(turn, answer), ...remarks(answer.notes), ...(answer.unsupported_parts.length ? [unsupported(answer.unsupported_parts)] : []), ...(answer.citations.length ? [sourceList(turn, answer.citations)] : [])];
        return [...said, support, answerFoot(turn, answer, conversationId), drawer];
      }
    }
  }

  /** @param {Turn} turn */
  #sourcesSoFar(turn) {
    const citations = new Map(turn.claims.flatMap((claim) => claim.citations.map((citation) => [citation.id, citation])));
    return citations.size ? [sourceList(turn, [...citations.values()])] : [];
  }

  /** @param {Turn} turn */
  #failure(turn) {
    const problem = turn.problem ? words.pageProblem(turn.problem) : '';
    return h(
      'div',
      { class: 'note note--failed', role: 'alert' },
      h('h4', { class: 'note__title' }, words.failedTitle),
      h('p', {}, problem),
      turn.claims.length > 0 && h('p', { class: 'quiet' }, words.failedPartly),
      this.#again(turn),
    );
  }

  /** @param {Turn} turn */
  #again(turn) {
    const again = h('button', { type: 'button', class: 'button button--small', onclick: () => emit(this, 'question-repeated', turn.turnId) }, icon('retry'), words.askAgain);
    return h('div', { class: 'note__actions' }, again, editButton(turn));
  }

  /** Who has just been led here may go on typing: letters are the next question, not keys of the page. @param {KeyboardEvent} event */
  #typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[\p{L}\p{N}]$/u.test(event.key)) return;
    event.stopPropagation();
    emit(this, 'question-typed');
  }

  /** The focus that its button was redrawn under. @param {HTMLElement | null} focused */
  #refocus(focused) {
    if (!focused || focused.isConnected) return;
    const { number } = focused.dataset;
    const same = number ? /** @type {HTMLElement | null} */ (this.querySelector(`[data-number="${number}"]:not([data-part])`)) : null;
    (same ?? this.#heading).focus({ preventScroll: true });
  }
}
