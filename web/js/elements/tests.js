/** The tests of the library: the queue, its reviews, running them, giving them away and taking them in. */

import { emit, h, icon } from '../dom.js';
import { language } from '../language.js';
import { words } from '../messages.js';
import { exportTestsUrl, importTests, lastRun, listTests, runTests } from '../tests-api.js';
import { figuresInWords, runInWords, statusInWords, testWords, verdictInWords } from '../tests-messages.js';
import { visibleName } from '../text.js';
import { openDialog } from './dialogs.js';
import { choice, faultLine, styled } from './test-fields.js';
import { showReview } from './test-review.js';

/**
 * @typedef {import('../tests-api.js').ReviewStatus} ReviewStatus
 * @typedef {import('../tests-api.js').RunSummary} RunSummary
 * @typedef {import('../tests-api.js').Test} Test
 * @typedef {import('../tests-api.js').Tests} Tests
 */

/** @type {readonly ReviewStatus[]} */
const STATUSES = ['needs_review', 'synthetic_silver', 'approved_gold', 'rejected'];

export async function showTests() {
  const said = language.texts.tests;
  await styled();
  const view = h('div', { class: 'tests' });
  const close = h('button', { type: 'button', class: 'button button--icon', 'aria-label': words.closeDialog, title: words.closeDialog, onclick: () => dialog.close() }, icon('close'));
  const dialog = openDialog(said.title, [view], [close], 'dialog dialog--tests');
  const running = runner();
  dialog.addEventListener('close', () => running.stop());

  const filter = choice([]);
  filter.setAttribute('aria-label', said.filter);
  const rows = h('ul', { class: 'history__rows tests__rows', 'aria-label': said.title });
  const note = h('p', { class: 'quiet', role: 'status' }, words.loading);
  const fault = faultLine();
  const file = h('input', { type: 'file', accept: '.jsonl,.json', hidden: true, 'aria-label': said.importFile, onchange: () => void takeIn() });
  const tools = h(
    'div',
    { class: 'tests__tools' },
    filter,
    h('a', { class: 'button button--small', href: exportTestsUrl, download: true }, icon('down'), said.exportAll),
    h('button', { type: 'button', class: 'button button--small', onclick: () => file.click() }, icon('plus'), said.importFile),
    file,
  );
  filter.addEventListener('change', () => draw());
  /** @type {Tests} */
  let known = { tests: [], counts: { needs_review: 0, synthetic_silver: 0, approved_gold: 0, rejected: 0 }, has_run: false };

  /** @param {string} [focusId]   of the test to be led back to */
  async function list(focusId) {
    view.replaceChildren(running.panel, tools, fault.line, note, rows);
    try {
      const isFirst = filter.options.length === 0;
      known = await listTests();
      const chosen = isFirst ? (known.counts.needs_review > 0 ? 'needs_review' : '') : filter.value;
      const options = STATUSES.filter((status) => known.counts[status] > 0 || status === chosen).map((status) => h('option', { value: status, selected: status === chosen }, testWords.counted(said.statuses[status], known.counts[status])));
      filter.replaceChildren(h('option', { value: '', selected: chosen === '' }, testWords.counted(said.all, known.tests.length)), ...options);
      filter.value = chosen;
      draw();
      if (isFirst && known.has_run) running.showResult(await lastRun());
    } catch (error) {
      note.hidden = true;
      fault.show(error);
    }
    if (focusId === undefined) return;
    const row = Array.from(rows.children).find((one) => /** @type {HTMLElement} */ (one).dataset.id === focusId) ?? rows.firstElementChild;
    /** @type {HTMLElement} */ (row?.querySelector('button') ?? filter).focus();
  }

  function draw() {
    const shown = known.tests.filter(({ review_status: status }) => filter.value === '' || status === filter.value);
    rows.replaceChildren(...shown.map(rowOf));
    note.textContent = known.tests.length === 0 ? testWords.none() : shown.length === 0 ? said.noneFits : '';
    note.hidden = note.textContent === '';
    tools.hidden = false;
    running.offer(known.counts.approved_gold > 0, known.tests.length > known.counts.rejected);
  }

  /** @param {Test} test */
  function rowOf(test) {
    const facts = [statusInWords(test), ...test.tags.map(visibleName)].join(' · ');
    const open = h(
      'button',
      { type: 'button', class: 'history__open', 'aria-label': testWords.openOf(test), onclick: () => void showReview(view, test.case_id, () => void list(test.case_id)) },
      h('span', { class: 'history__title', dir: 'auto' }, visibleName(test.question)),
      h('span', { class: 'history__facts' }, facts),
    );
    return h('li', { class: 'history__row', 'data-id': test.case_id }, open);
  }

  async function takeIn() {
    const [chosen] = file.files ?? [];
    file.value = '';
    if (!chosen) return;
    fault.clear();
    try {
      const { added, skipped } = await importTests(chosen);
      filter.value = '';
      await list();
      const text = testWords.imported(added.length, skipped.length);
      note.textContent = text;
      note.hidden = false;
      emit(document, 'said', text);
    } catch (error) {
      fault.show(error);
    }
  }

  await list();
}

/** Running the tests: the button, how far it is, and what came of it. */
function runner() {
  const said = language.texts.tests;
  const which = choice([['approved', said.whichApproved], ['all', said.whichAll]]);
  which.setAttribute('aria-label', said.which);
  const start = h('button', { type: 'button', class: 'button button--primary button--small', disabled: true, onclick: () => void run() }, said.run);
  const stop = h('button', { type: 'button', class: 'button button--small', hidden: true, onclick: () => abort?.abort() }, icon('stop'), said.stopRun);
  const bar = h('progress', { class: 'test-progress', max: 1, value: 0, 'aria-label': said.run });
  const far = h('p', { class: 'quiet' });
  const progress = h('div', { class: 'test-fields', hidden: true }, bar, far, h('p', { class: 'quiet' }, said.stopsOnClose));
  const fault = faultLine();
  const result = h('div', { class: 'test-fields' });
  const panel = h('section', { class: 'tests__run', 'aria-label': said.run }, h('div', { class: 'tests__tools' }, which, start, stop), progress, fault.line, result);
  /** @type {AbortController | null} */
  let abort = null;

  /** @param {boolean} on */
  function busy(on) {
    start.hidden = on;
    which.disabled = on;
    stop.hidden = !on;
    progress.hidden = !on;
    if (on) stop.focus();
    else if (panel.isConnected) start.focus();
  }

  async function run() {
    const mine = new AbortController();
    abort = mine;
    fault.clear();
    bar.value = 0;
    far.textContent = '';
    busy(true);
    try {
      const onEvent = (/** @type {string} */ name, /** @type {any} */ { done, total, elapsed_ms: elapsed }) => {
        if (name !== 'progress') return;
        bar.max = total;
        bar.value = done;
        far.textContent = testWords.running(done, total, elapsed);
      };
      const found = await runTests(/** @type {'approved' | 'all'} */ (which.value), { signal: mine.signal, onEvent });
      showResult(found, true);
      emit(document, 'said', [runInWords(found).counts, verdictInWords(found)].filter(Boolean).join('. '));
    } catch (error) {
      if (mine.signal.aborted) fault.tell(said.runStopped);
      else fault.show(error);
    } finally {
      busy(false);
    }
  }

  /** @param {RunSummary} found @param {boolean} [isFresh]   it has just been made */
  function showResult(found, isFresh = false) {
    const { title, counts, speed } = runInWords(found);
    const verdict = verdictInWords(found);
    const others = figuresInWords(found.not_approved);
    const figures = [...failures(found), ...figureList(figuresInWords(found.figures)), ...(others.length ? [h('h3', { class: 'label' }, said.notApproved), ...figureList(others)] : []), h('p', { class: 'quiet' }, speed)];
    result.replaceChildren(
      h('p', {}, `${title}: ${counts}. `, verdict && h('strong', { class: found.passed ? 'test-verdict' : 'test-verdict test-verdict--missed' }, verdict)),
      h('div', {}, h('a', { class: 'button button--small', href: found.report, target: '_blank', rel: 'noopener' }, icon('open'), said.report)),
      h('details', { class: 'test-result', open: isFresh }, h('summary', {}, said.figures), h('div', { class: 'test-fields' }, ...figures)),
    );
  }

  return {
    panel,
    showResult,
    stop: () => abort?.abort(),
    /** @param {boolean} approved   whether there are such tests @param {boolean} any   whether there is anything to run */
    offer(approved, any) {
      start.disabled = !any;
      // Approved tests are what is meant, as soon as there are any.
      if (which.options[0].disabled === approved) which.value = approved ? 'approved' : 'all';
      which.options[0].disabled = !approved;
    },
  };
}

/** @param {readonly [string, string][]} figures */
const figureList = (figures) => (figures.length ? [h('dl', { class: 'test-figures' }, ...figures.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))))] : []);

/** @param {RunSummary} run */
const failures = ({ failed }) => (failed.length ? [h('div', {}, h('p', {}, testWords.failed(failed.length)), h('ul', { class: 'test-list' }, ...failed.map(({ question, reason }) => h('li', { dir: 'auto' }, testWords.failedRow(question, reason)))))] : []);
