/** Fields that a test is written in, and what fails in them. */

import { ApiError } from '../api.js';
import { h } from '../dom.js';
import { language } from '../language.js';
import { isolated, words } from '../messages.js';
import { parseTags } from '../shelf.js';

/**
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('../tests-api.js').NamedPlace} NamedPlace
 */

const STYLES = '/static/css/tests.css';
const REVIEWER_STORED_AS = 'local-rag.reviewer';

let counter = 0;

/** Loads the look of all this once, before it is shown. */
export async function styled() {
  if (document.querySelector(`link[href="${STYLES}"]`)) return;
  await new Promise((resolve) => document.head.append(h('link', { rel: 'stylesheet', href: STYLES, onload: resolve, onerror: resolve })));
}

/** @param {string} label @param {HTMLElement} control @param {string} [hint] */
export function field(label, control, hint) {
  const id = `test-field-${(counter += 1)}`;
  control.id = id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return h('div', { class: 'test-field' }, h('label', { class: 'label', for: id }, label), control, hint && h('p', { class: 'quiet', id: `${id}-hint` }, hint));
}

/** @param {string} value @param {number} [rows] */
export function textBox(value, rows = 3) {
  const box = h('textarea', { class: 'field test-text', rows, dir: 'auto', maxlength: 20000 });
  box.value = value;
  return box;
}

/** @param {string} value @param {number} [longest] */
export const lineBox = (value, longest = 200) => h('input', { class: 'field', value, maxlength: longest, autocomplete: 'off', dir: 'auto' });

/** @param {readonly [string, string][]} options   values and what they are called @param {string} [value] */
export function choice(options, value) {
  const select = h('select', { class: 'field field--select' }, ...options.map(([known, name]) => h('option', { value: known, selected: known === value }, name)));
  return select;
}

/** @param {string} label @param {boolean} checked @param {() => void} [onchange] */
export function tick(label, checked, onchange) {
  const box = h('input', { type: 'checkbox', checked, ...(onchange ? { onchange } : {}) });
  return { box, row: h('label', { class: 'test-tick' }, box, h('span', { dir: 'auto' }, label)) };
}

/** The name that a reviewer gave last in this browser. */
export function reviewerBox() {
  let known = '';
  try {
    known = localStorage.getItem(REVIEWER_STORED_AS) ?? '';
  } catch {
    // storage is forbidden here: it is typed again
  }
  const box = lineBox(known);
  box.addEventListener('change', () => {
    try {
      localStorage.setItem(REVIEWER_STORED_AS, box.value.trim());
    } catch {
      // It lasts as long as the page.
    }
  });
  return box;
}

/** The lines of a text, without empty ones. @param {HTMLTextAreaElement} box */
export const linesOf = (box) => box.value.split('\n').map((line) => line.trim()).filter(Boolean);

/** @param {HTMLInputElement} box */
export const tagsOf = (box) => parseTags(box.value);

/** Fields for words on a page of a document. @param {readonly RagDocument[]} documents */
export function placeFields(documents) {
  const said = language.texts.tests;
  const document = choice([['', said.placeNone], ...documents.map(({ document_id: id, name }) => /** @type {[string, string]} */ ([id, isolated(name)]))]);
  const page = h('input', { type: 'number', class: 'field', min: 1, value: 1, inputmode: 'numeric' });
  const text = textBox('', 2);
  const more = h('div', { class: 'test-place', hidden: true }, field(said.placePage, page), field(said.placeWords, text));
  document.addEventListener('change', () => (more.hidden = document.value === ''));
  return {
    row: h('div', { class: 'test-fields' }, field(`${said.place}: ${said.placeDocument}`, document), more),
    /** @returns {NamedPlace[]} */
    value: () => (document.value ? [{ document_id: document.value, page: Number(page.value) || 1, contains: [text.value] }] : []),
  };
}

/** Where it is said what went wrong. */
export function faultLine() {
  const line = h('p', { class: 'test-fault', role: 'alert', hidden: true });
  return {
    line,
    clear: () => (line.hidden = true),
    /** @param {string} text */
    tell(text) {
      line.textContent = text;
      line.hidden = false;
    },
    /** @param {unknown} error */
    show(error) {
      if (!(error instanceof ApiError)) throw error;
      const { problem } = error;
      // Which rule is broken the program says in its own language only.
      const exactly = problem.said && problem.said !== problem.message ? [problem.said] : [];
      this.tell([words.pageProblem(problem), ...exactly].join('\n'));
    },
  };
}
