/** Where the question is written. It says what will be searched. */

import { dress, emit, h, icon, settleAround, setText } from '../dom.js';
import { scopeInWords, words } from '../messages.js';
import { askingTurn, scopeOf } from '../state.js';
import { countCodePoints } from '../text.js';

/** @typedef {import('../state.js').State} State */

const NEAR_LIMIT = 200;

export class RagComposer extends HTMLElement {
  /** The page comes with a box that can be typed in before this script runs; it stays. */
  #form = dress(this.querySelector('form') ?? document.createElement('form'), {
    class: 'composer',
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#send();
    },
  });
  #box = dress(this.querySelector('textarea') ?? document.createElement('textarea'), {
    class: 'composer__box',
    rows: 1,
    autocomplete: 'off',
    'aria-label': words.questionLabel,
    'aria-describedby': 'composer-scope composer-note',
    placeholder: words.questionHint,
    oninput: () => this.#refresh(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
  });
  #scope = h('span', { id: 'composer-scope', class: 'composer__scope' });
  #all = h('button', { type: 'button', class: 'button button--link', onclick: () => emit(this, 'selection-cleared') }, words.searchAll);
  #note = h('span', { id: 'composer-note', class: 'composer__note' });
  #ask = h('button', { type: 'submit', class: 'button button--primary' }, icon('send'), words.ask);
  #stop = h('button', { type: 'button', class: 'button button--stop', onclick: () => emit(this, 'stop-asked') }, icon('stop'), words.stop);
  /** @type {State | null} */
  #state = null;

  connectedCallback() {
    const row = h('div', { class: 'composer__row' }, h('span', { class: 'composer__where' }, this.#scope, this.#all), this.#note, this.#stop, this.#ask);
    settleAround(this.#form, this.#box, [this.#box, row]);
    settleAround(this, this.#form, [this.#form]);
  }

  focusBox() {
    this.#box.focus();
  }

  get isEmpty() {
    return this.#box.value.trim() === '';
  }

  /** @param {string} question */
  edit(question) {
    this.#box.value = question;
    this.#box.focus();
    this.#box.setSelectionRange(question.length, question.length);
    this.#refresh();
  }

  /** @param {State} state */
  show(state) {
    this.#state = state;
    const total = state.documents?.length ?? 0;
    const scope = scopeOf(state);
    setText(this.#scope, state.documents ? scopeInWords(scope?.length ?? 0, total) : '');
    this.#all.hidden = scope === null;
    const asking = askingTurn(state) !== null;
    // The focus must not fall off the page when its button goes.
    const had = document.activeElement;
    this.#stop.hidden = !asking;
    this.#ask.hidden = asking;
    if ((had === this.#stop && !asking) || (had === this.#ask && asking)) this.#box.focus();
    this.#refresh();
  }

  #refresh() {
    const { ready, note, bad } = this.#verdict();
    this.#ask.disabled = !ready;
    setText(this.#note, note);
    this.#note.classList.toggle('composer__note--bad', bad);
  }

  /** Whether the question can be sent, and what to say about it. */
  #verdict() {
    const state = this.#state;
    const limits = state?.health?.limits;
    const question = this.#box.value.trim();
    const left = (limits?.max_question_chars ?? 2000) - countCodePoints(question);
    if (left < 0) return { ready: false, note: words.charactersLeft(left), bad: true };
    if (state?.documents?.length === 0) return { ready: false, note: question ? words.addFirst : '', bad: false };
    const most = limits?.max_document_ids ?? 50;
    if (state && (scopeOf(state)?.length ?? 0) > most) return { ready: false, note: words.tooManySelected(most), bad: true };
    const ready = question !== '' && state?.documents != null && askingTurn(state) === null && state.talk.phase !== 'opening';
    return { ready, note: left <= NEAR_LIMIT ? words.charactersLeft(left) : question ? words.enterHint : '', bad: false };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.#state?.turns.at(-1);
    if (event.key === 'ArrowUp' && last && this.#box.value === '') {
      event.preventDefault();
      this.edit(last.question);
      return;
    }
    if (event.key === 'Escape' && this.#state && askingTurn(this.#state)) {
      event.preventDefault();
      emit(this, 'stop-asked');
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  }

  #send() {
    if (!this.#verdict().ready) return;
    const question = this.#box.value.trim();
    this.#box.value = '';
    this.#refresh();
    emit(this, 'question-asked', question);
  }
}
