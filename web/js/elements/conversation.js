/** The place of questions and answers. */

import { emit, h, icon, keyed, settleAround, setText } from '../dom.js';
import { words } from '../messages.js';
import { createPacer } from '../paced.js';
import { talkWords } from '../talk-messages.js';
import { visibleName } from '../text.js';
import { exportLinks } from './answer.js';
import { menu } from './menu.js';

/**
 * @typedef {import('../state-types.js').State} State
 * @typedef {import('../state-types.js').Open} Open
 * @typedef {import('./composer.js').RagComposer} RagComposer
 * @typedef {import('./intro.js').RagIntro} RagIntro
 * @typedef {import('./turn.js').RagTurn} RagTurn
 */

/** Turns of a reopened conversation that are drawn at once; the ones before follow when there is time. */
const DRAWN_AT_ONCE = 4;

export class RagConversation extends HTMLElement {
  #scroll = h('div', { class: 'conversation__scroll' });
  #intro = /** @type {RagIntro} */ (document.createElement('rag-intro'));
  #earlier = h('button', { type: 'button', class: 'button button--quiet button--small earlier', hidden: true, onclick: () => emit(this, 'earlier-asked') });
  #note = h('div', { class: 'conversation__note', hidden: true });
  #turns = h('div', { class: 'turns' });
  #composer = /** @type {RagComposer} */ (this.querySelector('rag-composer') ?? document.createElement('rag-composer'));
  #title = h('h2', { class: 'place__title', dir: 'auto' });
  #fresh = this.#tool('plus', words.newConversation, 'conversation-clear-asked');
  #save = menu('down', words.exportConversation, () => (this.#state?.talk.conversationId ? exportLinks(this.#state.talk.conversationId, null) : []), { iconOnly: true });
  #pacer = createPacer();
  /** @type {State | null} */
  #state = null;

  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', words.conversationTitle);
    const tools = h('div', { class: 'buttons' }, this.#tool('history', words.history, 'history-asked'), this.#tool('check', words.tests.title, 'tests-asked'), this.#save, this.#fresh);
    this.#scroll.append(this.#intro, this.#note, this.#earlier, this.#turns);
    settleAround(this, this.#composer, [h('header', { class: 'place__head' }, this.#title, tools), this.#scroll, this.#composer]);
  }

  focusQuestion() {
    this.#composer.focusBox();
  }

  /** Puts a question back where it can be changed. @param {string} question */
  editQuestion(question) {
    this.#composer.edit(question);
  }

  /** The button that opened a passage, or the first with its number. @param {Open} open */
  opener({ turnId, number, part }) {
    return /** @type {HTMLElement | null} */ (this.#turnOf(turnId)?.querySelector(selectorOf(number, part)) ?? null);
  }

  /** Leads those who wait for the answer to it, unless they have gone on to something else. @param {string} turnId */
  focusAnswer(turnId) {
    const here = document.activeElement;
    const waits = !here || here === document.body || (this.#composer.contains(here) && this.#composer.isEmpty) || this.#turnOf(turnId)?.contains(here);
    if (waits) this.#turnOf(turnId)?.focusHeading();
  }

  /** Opens or closes what was found for the latest answer. */
  switchEvidence() {
    const summary = /** @type {HTMLElement | null} */ (this.#turns.lastElementChild?.querySelector('.evidence > summary') ?? null);
    const details = summary?.parentElement;
    // Opened by a key, it may lie below what can be seen.
    const show = () => {
      if (!details?.hasAttribute('open')) return;
      summary?.focus({ preventScroll: true });
      details.scrollIntoView({ block: 'start' });
    };
    details?.addEventListener('toggle', show, { once: true });
    summary?.click();
  }

  /** @param {State} state */
  show(state) {
    const before = this.#state;
    this.#state = state;
    const { turns, talk } = state;
    this.#composer.show(state);
    this.#intro.show(state);
    setText(this.#title, visibleName(talk.title || turns[0]?.question || words.questions));
    this.#title.title = this.#title.textContent ?? '';
    this.#save.hidden = talk.conversationId === null || !turns.some(({ number }) => number !== null);
    this.#fresh.hidden = turns.length === 0 && talk.conversationId === null;
    this.#earlier.hidden = talk.earlier === 0;
    setText(this.#earlier, talkWords.showEarlier(talk.earlier));
    this.#showNote(state);
    if (before?.turns !== turns) this.#showTurns(state, before);
    if (before?.open !== state.open || before?.turns !== turns) this.#markOpen(state.open);
  }

  /** @param {State} state @param {State | null} before */
  #showTurns({ turns, talk, evidence }, before) {
    const isOther = before?.talk.conversationId !== talk.conversationId || before?.talk.phase !== talk.phase;
    const hadEarlier = !isOther && before !== null && before.talk.earlier > talk.earlier;
    const had = new Set(this.#turns.children);
    const height = this.#scroll.scrollHeight;
    /** @type {(() => void)[]} */
    const later = [];
    let index = 0;
    keyed(this.#turns, turns, (turn) => turn.turnId, () => /** @type {HTMLElement} */ (document.createElement('rag-turn')), (element, turn) => {
      const view = /** @type {RagTurn} */ (element);
      const isLast = index === turns.length - 1;
      const draw = () => view.showTurn(turn, talk.conversationId, evidence && isLast);
      if (view.turn || index >= turns.length - DRAWN_AT_ONCE) draw();
      else later.unshift(draw);
      index += 1;
    });
    if (later.length > 0) this.#pacer.does(later);
    const last = /** @type {HTMLElement | null} */ (this.#turns.lastElementChild);
    if (last && !had.has(last) && !hadEarlier) requestAnimationFrame(() => this.#scrollTo(last, had.size > 0));
    // What comes in above moves nothing that is being read.
    if (hadEarlier) this.#scroll.scrollTop += this.#scroll.scrollHeight - height;
  }

  /** @param {Open | null} open */
  #markOpen(open) {
    for (const button of this.#turns.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    if (!open) return;
    for (const button of this.#turnOf(open.turnId)?.querySelectorAll(selectorOf(open.number, open.part)) ?? []) button.setAttribute('aria-current', 'true');
  }

  /** @param {State} state */
  #showNote({ talk }) {
    this.#note.hidden = talk.phase === 'open';
    const text = talk.phase === 'opening' ? words.opening : talk.problem ? words.pageProblem(talk.problem) : '';
    if (this.#note.dataset.text === text) return;
    this.#note.dataset.text = text;
    if (talk.phase === 'failed') {
      this.#note.replaceChildren(h('div', { class: 'note note--failed', role: 'alert' }, h('h3', { class: 'note__title' }, words.openFailed), h('p', {}, text)));
    } else this.#note.replaceChildren(h('p', { class: 'quiet' }, text));
  }

  /** Not `scrollIntoView`, which would move the whole page too. @param {HTMLElement} turn @param {boolean} isNear */
  #scrollTo(turn, isNear) {
    const far = Math.abs(turn.offsetTop - this.#scroll.scrollTop) > 3 * this.#scroll.clientHeight;
    const isCalm = far || !isNear || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const settle = () => {
      // Turns out of sight have a guessed height until they are come near.
      if (turn.isConnected && Math.abs(turn.offsetTop - this.#scroll.scrollTop) > 1) this.#scroll.scrollTo({ top: turn.offsetTop });
    };
    this.#scroll.scrollTo({ top: turn.offsetTop, behavior: isCalm ? 'auto' : 'smooth' });
    if (isCalm) requestAnimationFrame(() => (settle(), requestAnimationFrame(settle)));
    else this.#scroll.addEventListener('scrollend', settle, { once: true });
  }

  /** @param {string} turnId */
  #turnOf(turnId) {
    return /** @type {RagTurn | undefined} */ (Array.from(this.#turns.children).find((child) => /** @type {HTMLElement} */ (child).dataset.key === turnId));
  }

  /** @param {string} shape @param {string} label @param {string} news */
  #tool(shape, label, news) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick: () => emit(this, news) }, icon(shape));
  }
}

/** @param {number} number @param {number | null} part */
const selectorOf = (number, part) => (part === null ? `[data-number="${number}"]:not([data-part])` : `[data-part="${part}"][data-number="${number}"]`);
