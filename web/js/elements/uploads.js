/** The files on their way in, and those that did not make it, with the reason. */

import { emit, h, icon, keyed, setText, shownName } from '../dom.js';
import { outcomeInWords, problemInWords, stageInWords, words } from '../messages.js';
import { canTryAgain, isSettled } from '../state-uploads.js';
import { elapsed } from './elapsed.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../state.js').Upload} Upload
 * @typedef {ReturnType<RagUploads['parts']>} Parts
 */

export class RagUploads extends HTMLElement {
  #list = h('ul', { class: 'uploads', 'aria-label': words.uploads });
  /** @type {unknown[]} */
  #shown = [];
  /** @type {WeakMap<HTMLElement, Parts>} */
  #parts = new WeakMap();

  connectedCallback() {
    this.replaceChildren(this.#list);
    this.hidden = true;
  }

  /** @param {State} state */
  show({ uploads, documents }) {
    if (uploads === this.#shown[0] && documents === this.#shown[1]) return;
    this.#shown = [uploads, documents];
    const keepFocus = this.#watchFocus();
    this.hidden = uploads.length === 0;
    keyed(
      this.#list,
      uploads,
      (upload) => upload.uploadId,
      (upload) => this.#row(upload),
      (row, upload) => {
        const stored = documents?.find((document) => document.document_id === upload.documentId)?.name;
        this.#update(row, upload, stored ?? upload.name);
      },
    );
    keepFocus();
  }

  /** The focus must not fall off the page with what it was on. */
  #watchFocus() {
    const had = document.activeElement;
    const row = /** @type {HTMLElement | null} */ (had instanceof HTMLElement && this.contains(had) ? had.closest('li') : null);
    const index = row ? Array.from(this.#list.children).indexOf(row) : -1;
    return () => {
      if (!row || !had) return;
      if (!row.isConnected) {
        const rows = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.#list.children);
        const near = rows[Math.min(index, rows.length - 1)];
        if (near) near.focus();
        else emit(this, 'uploads-left');
      } else if (!had.isConnected || had.closest('[hidden]')) row.focus();
      // Whoever gave a password, and has gone nowhere else since, is asked again.
      if (document.activeElement === row) row.querySelector('input')?.focus();
    };
  }

  /** The parts of a row stay while its file moves on, so that neither the list nor the focus jumps. @param {Upload} upload */
  parts({ name, uploadId }) {
    const onclick = () => emit(this, 'upload-dropped', uploadId);
    return {
      drop: h('button', { type: 'button', class: 'button button--icon', onclick }, icon('close')),
      bar: h('progress', { class: 'bar', 'aria-label': words.progressOf(name), max: 1 }),
      state: h('p', { class: 'upload__state' }),
      stage: h('span', { class: 'upload__stage' }),
      elapsed: elapsed(Date.now()),
      trouble: h('div', { class: 'upload__trouble' }),
      /** @type {Upload['problem']} */
      problem: null,
    };
  }

  /** @param {Upload} upload */
  #row(upload) {
    const parts = this.parts(upload);
    parts.state.append(parts.stage, parts.elapsed);
    const title = h('div', { class: 'upload__name' }, shownName(upload.name));
    const row = h('li', { class: 'upload', tabindex: -1 }, title, parts.drop, parts.bar, parts.state, parts.trouble);
    this.#parts.set(row, parts);
    return row;
  }

  /** @param {HTMLElement} row @param {Upload} upload @param {string} storedName */
  #update(row, upload, storedName) {
    const parts = /** @type {Parts} */ (this.#parts.get(row));
    const { name, phase } = upload;
    const settled = isSettled(upload);
    row.className = `upload upload--${phase}`;
    const label = settled ? words.dismissUpload(name) : words.cancelUpload(name);
    parts.drop.setAttribute('aria-label', label);
    parts.drop.title = label;
    parts.drop.setAttribute('aria-disabled', String(upload.cancelling));
    parts.bar.hidden = settled;
    parts.state.hidden = phase === 'failed';
    setText(parts.stage, phase === 'done' ? outcomeInWords(upload.outcome ?? 'created', name, storedName) : stageInWords(upload));
    parts.elapsed.hidden = settled || (phase === 'waiting' && upload.jobId === null);
    if (!parts.elapsed.hidden) parts.elapsed.from(upload.since);
    const share = shareOf(upload);
    if (share === null) parts.bar.removeAttribute('value');
    else parts.bar.value = share;
    parts.trouble.hidden = phase !== 'failed';
    if (parts.problem === upload.problem) return;
    parts.problem = upload.problem;
    parts.trouble.replaceChildren(...(upload.problem ? this.#trouble(upload, upload.problem) : []));
  }

  /** Why it failed, and the way on. @param {Upload} upload @param {import('../contract.js').Problem} problem */
  #trouble(upload, problem) {
    const { code, message, fix } = problemInWords(problem);
    const { name, uploadId, canRetry } = upload;
    const said = [h('p', { class: 'upload__reason' }, message), ...(fix ? [h('p', { class: 'upload__fix' }, fix)] : [])];
    if (code === 'password-required' && canRetry) return [...said, this.#passwordForm(upload)];
    if (!canTryAgain(upload)) return said;
    const onclick = () => emit(this, 'upload-retried', { uploadId });
    return [...said, h('button', { type: 'button', class: 'button button--small', 'aria-label': words.retryUpload(name), onclick }, icon('retry'), words.retry)];
  }

  /** @param {Upload} upload */
  #passwordForm({ name, uploadId }) {
    const id = `password-${uploadId}`;
    const input = h('input', { id, class: 'field', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, maxlength: 1000 });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const password = input.value;
      input.value = '';
      if (password) emit(this, 'upload-retried', { uploadId, password });
    };
    return h(
      'form',
      { class: 'upload__password', onsubmit },
      h('label', { class: 'label', for: id }, words.passwordOf),
      h('div', { class: 'upload__answer' }, input, h('button', { type: 'submit', class: 'button', 'aria-label': words.openUpload(name) }, words.openWithPassword)),
    );
  }
}

/** How much of its stage is done, 0 to 1; `null`: nobody knows. @param {Upload} upload */
function shareOf({ phase, sentShare, done, total }) {
  if (phase === 'waiting') return 0;
  if (phase === 'sending') return sentShare;
  return phase !== 'storing' && total > 1 ? done / total : null;
}
