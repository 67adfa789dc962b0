/** The line that is always in sight: what leaves this machine, who writes, who searches. */

import { emit, h, icon } from '../dom.js';
import { language, languageName, languages } from '../language.js';
import { leavesInWords, reindexInWords, searchInWords, writerInWords } from '../health-messages.js';
import { words } from '../messages.js';
import { modeInWords } from '../support-messages.js';

/** @typedef {import('../state.js').State} State */

export class RagStatus extends HTMLElement {
  #facts = h('ul', { class: 'facts', 'aria-label': words.statusLabel });
  #language = h('select', { class: 'field field--select language', 'aria-label': words.languageLabel, title: words.languageLabel, onchange: () => emit(this, 'language-chosen', this.#language.value) });
  /** @type {unknown[]} */
  #shown = [];

  connectedCallback() {
    const brand = h('h1', { class: 'brand' }, words.appName);
    const help = h(
      'button',
      { type: 'button', class: 'button button--quiet help', 'aria-label': words.keyHelp, title: words.keyHelp, onclick: () => emit(this, 'help-asked') },
      '?',
    );
    const known = languages();
    this.#language.replaceChildren(...known.map((code) => h('option', { value: code, lang: code, selected: code === language.code }, languageName(code))));
    this.#language.hidden = known.length < 2;
    this.replaceChildren(brand, this.#facts, this.#language, help);
  }

  focusLanguage() {
    this.#language.focus();
  }

  /** @param {State} state */
  show({ health, problem }) {
    if (this.#shown[0] === health && this.#shown[1] === problem) return;
    this.#shown = [health, problem];
    if (problem) {
      const again = h('button', { type: 'button', class: 'button button--small', onclick: () => emit(this, 'connect-asked') }, words.tryConnecting);
      const text = h('span', { role: 'alert' }, `${problem.message} ${problem.fix}`);
      this.#facts.replaceChildren(h('li', { class: 'fact fact--bad' }, text, again));
      return;
    }
    if (!health) {
      this.#facts.replaceChildren(h('li', { class: 'fact' }, words.connecting));
      return;
    }
    const promise = health.leaves_machine
      ? leavesInWords(health).map((sentence) => h('li', { class: 'fact fact--leaves' }, icon('cloud'), sentence))
      : [h('li', { class: 'fact fact--stays' }, icon('lock'), words.staysHere)];
    const reachable = health.reachable_from_other_machines ? [h('li', { class: 'fact fact--leaves' }, words.reachable)] : [];
    const reindex = reindexInWords(health);
    const check = modeInWords(health);
    this.#facts.replaceChildren(
      ...promise,
      ...reachable,
      ...(reindex ? [h('li', { class: 'fact' }, reindex)] : []),
      h('li', { class: 'fact' }, h('span', { class: 'fact__label' }, `${words.answersBy}: `), writerInWords(health)),
      h('li', { class: 'fact fact--check', title: check.hint }, h('span', {}, `${words.supportLabel}: `), check.text),
      h('li', { class: 'fact fact--search' }, h('span', { class: 'fact__label' }, `${words.searchBy}: `), searchInWords(health)),
    );
  }
}
