/** The pages of a document: how each was read, and what was read. */

import { ApiError, getReport } from '../api.js';
import { h, icon, shownName } from '../dom.js';
import { words } from '../messages.js';
import { reportInWords, signInWords } from '../page-messages.js';
import { countSigns, letterOf, pagesOf, signsOf } from '../pages.js';
import { openDialog } from './dialogs.js';

/**
 * @typedef {import('../contract.js').RagDocument} RagDocument
 * @typedef {import('../contract.js').Report} Report
 * @typedef {import('./strip.js').RagStrip} RagStrip
 * @typedef {import('./page-view.js').RagPageView} RagPageView
 */

/** @param {RagDocument} document */
export async function showPages(document) {
  const body = h('div', { class: 'pages' }, h('p', { class: 'quiet', role: 'status' }, words.loading));
  const close = h('button', { type: 'button', class: 'button button--icon', 'aria-label': words.closeDialog, title: words.closeDialog, onclick: () => dialog.close() }, icon('close'));
  const title = h('span', {}, h('span', { class: 'visually-hidden' }, `${words.pages}: `), shownName(document.name));
  const dialog = openDialog(title, [body], [close], 'dialog dialog--pages');
  const loading = new AbortController();
  dialog.addEventListener('close', () => loading.abort());
  try {
    const report = await getReport(document.document_id, loading.signal);
    if (!loading.signal.aborted) draw(body, report);
  } catch (error) {
    if (loading.signal.aborted) return;
    const problem = error instanceof ApiError ? error.problem : words.offline;
    body.replaceChildren(h('p', { class: 'note note--failed', role: 'alert' }, words.pageProblem(problem)));
  }
}

/** @param {HTMLElement} body @param {Report} report */
function draw(body, report) {
  const pages = pagesOf(report);
  const noted = report.pages.length > 0;
  const strip = /** @type {RagStrip} */ (document.createElement('rag-strip'));
  const view = /** @type {RagPageView} */ (document.createElement('rag-page-view'));
  body.replaceChildren(h('p', { class: 'pages__summary' }, reportInWords(report)), legend(report, strip), strip, view);
  strip.addEventListener('page-chosen', (event) => void view.showPage(report.document, /** @type {CustomEvent} */ (event).detail, noted));
  strip.showPages(report.document, pages);
  strip.focusCell();
  if (pages.length === 1) {
    strip.hidden = true;
    strip.chooseCurrent();
  }
}

/** The signs that occur; each leads to the next page that has it. @param {Report} report @param {RagStrip} strip */
function legend({ pages }, strip) {
  const entries = countSigns(pages).map(([sign, count]) => {
    const name = signInWords(sign);
    const onclick = () => strip.focusNext((reading) => signsOf(reading).includes(sign));
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'legend__entry', title: words.nextWith(name), disabled: pages.length === 1, onclick },
        h('span', { class: 'legend__letter', 'data-sign': sign, 'aria-hidden': 'true' }, letterOf(sign)),
        `${name} `,
        h('span', { class: 'legend__count' }, String(count)),
      ),
    );
  });
  return h('ul', { class: 'legend', 'aria-label': words.legend, hidden: entries.length === 0 }, ...entries);
}
