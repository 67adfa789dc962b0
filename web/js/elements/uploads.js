/** The files on their way in, and those that did not make it, with the reason. */

import { emit, h, icon, keyed, setText, shownName } from '../dom.js';
import { outcomeInWords, sizeInWords, words } from '../messages.js';
import { elapsed } from './elapsed.js';

/** @typedef {import('../state.js').State} State @typedef {import('../state.js').Upload} Upload */

export class RagUploads extends HTMLElement {
  #list = h('ul', { class: 'uploads', 'aria-label': words.uploads });
  /** @type {readonly Upload[]} */
  #shown = [];
  /** @type {WeakMap<HTMLElement, string>} */
  #phases = new WeakMap();

  connectedCallback() {
    this.replaceChildren(this.#list);
    this.hidden = true;
  }

  /** @param {State} state */
  show({ uploads }) {
    if (uploads === this.#shown) return;
    this.#shown = uploads;
    this.hidden = uploads.length === 0;
    keyed(this.#list, uploads, (upload) => upload.uploadId, () => h('li', { class: 'upload' }), (row, upload) => this.#update(row, upload));
  }

  /** Rebuilds a row when its phase changes; between, only the bar moves. @param {HTMLElement} row @param {Upload} upload */
  #update(row, upload) {
    if (this.#phases.get(row) !== upload.phase) {
      this.#phases.set(row, upload.phase);
      row.className = `upload upload--${upload.phase}`;
      row.replaceChildren(...this.#content(upload));
    }
    if (upload.phase === 'sending') {
      const bar = row.querySelector('progress');
      if (bar) bar.value = upload.sentShare;
      const share = row.querySelector('.upload__share');
      if (share) setText(share, `${Math.floor(upload.sentShare * 100)} %`);
    }
  }

  /** @param {Upload} upload @returns {HTMLElement[]} */
  #content(upload) {
    const { name, uploadId, phase } = upload;
    const title = h('div', { class: 'upload__name' }, shownName(name));
    const bar = { class: 'bar', 'aria-label': words.progressOf(name) };
    switch (phase) {
      case 'waiting':
        return [title, this.#drop(upload, words.cancelUpload(name)), h('p', { class: 'upload__state' }, `${words.waiting} · ${sizeInWords(upload.sizeBytes)}`)];
      case 'sending':
        return [
          title,
          this.#drop(upload, words.cancelUpload(name)),
          h('progress', { ...bar, max: 1, value: 0 }),
          h('p', { class: 'upload__state' }, words.sending, ' ', h('span', { class: 'upload__share' })),
        ];
      case 'reading':
        return [title, h('progress', bar), h('p', { class: 'upload__state' }, words.reading, ' ', elapsed(upload.since))];
      case 'done': {
        const said = outcomeInWords(upload.outcome ?? 'created', name, upload.document?.name ?? name);
        return [title, this.#drop(upload, words.dismissUpload(name)), h('p', { class: 'upload__state' }, said)];
      }
      case 'failed': {
        const again = h(
          'button',
          { type: 'button', class: 'button button--small', 'aria-label': words.retryUpload(name), onclick: () => emit(this, 'upload-retried', uploadId) },
          icon('retry'),
          words.retry,
        );
        return [
          title,
          this.#drop(upload, words.dismissUpload(name)),
          h('p', { class: 'upload__reason' }, upload.problem?.message ?? ''),
          h('p', { class: 'upload__fix' }, upload.problem?.fix ?? ''),
          again,
        ];
      }
    }
  }

  /** @param {Upload} upload @param {string} label */
  #drop({ uploadId }, label) {
    const onclick = () => emit(this, 'upload-dropped', uploadId);
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon('close'));
  }
}
