import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { speakIn } from '../../web/js/messages.js';
import { figureInWords, figuresInWords, runInWords, shortened, statusInWords, testWords, verdictInWords } from '../../web/js/tests-messages.js';

after(() => speakIn('en'));

const figure = (changes) => ({ value: 0.875, low: 0.625, high: 1, n: 8, of: 9, ...changes });
const gate = (metric, kind, kept) => ({ metric, kind, kept, told: '' });
const test1 = (changes) => ({ question: 'Why?', review_status: 'approved_gold', reviewer: '', ...changes });

test('a figure says over how many tests it is and how sure', () => {
  assert.equal(figureInWords(figure()), '88% (8 of 9 tests, likely between 63% and 100%)');
  assert.equal(figureInWords(figure({ low: null, high: null })), '88% (8 of 9 tests)');
});

test('what could not be measured is no zero', () => {
  assert.equal(figureInWords(figure({ value: null, low: null, high: null, n: 0 })), 'not measured (0 of 9 tests)');
  assert.equal(figureInWords(figure({ value: 0, low: 0, high: 0 })), '0% (8 of 9 tests, likely between 0% and 0%)');
});

test('a metric that the page does not know keeps its name', () => {
  assert.deepEqual(figuresInWords({ hit: figure(), new_one: figure() }).map(([name]) => name), ['Proof was found', 'new_one']);
});

test('each goal that was missed is named once, and what only became worse as such', () => {
  assert.equal(verdictInWords({ passed: null, gates: [] }), '');
  assert.equal(verdictInWords({ passed: true, gates: [gate('hit', 'bound', true)] }), 'All goals are met.');
  const gates = [gate('hit', 'bound', false), gate('hit', 'regression', false), gate('mrr', 'bound', true), gate('mrr', 'regression', false)];
  assert.equal(verdictInWords({ passed: false, gates }), 'Goals missed: Proof was found and How high up the proof stands (worse than in the run before).');
});

test('a run is told with its time, its tests and its speed', () => {
  const run = { begun_at: '2026-11-30T10:00:00+00:00', cases: 1, approved: 0, latency_ms: null };
  assert.equal(runInWords(run, new Date('2027-01-01')).counts, '1 test, 0 approved');
  assert.equal(runInWords(run, new Date('2027-01-01')).title, 'The last run, Nov 30, 2026');
  assert.equal(runInWords(run).speed, '');
  assert.match(runInWords({ ...run, latency_ms: { p50: 40, p95: 1500 } }).speed, /within 40 ms.* within 1.5 sec/);
});

test('a status names who decided, and a row says what opening it does', () => {
  assert.equal(statusInWords(test1({})), 'Approved');
  assert.equal(statusInWords(test1({ reviewer: 'Ann' })), 'Approved by \u2068Ann\u2069');
  assert.equal(testWords.openOf(test1({ review_status: 'needs_review' })), 'Review: Why?');
  assert.equal(testWords.openOf(test1({})), 'Open: Why?');
});

test('a long quote is shortened to one line', () => {
  assert.equal(shortened(' a\n b '), 'a b');
  assert.equal(shortened('x'.repeat(500)).length, 160);
});

test('it is all said in German too', async () => {
  await speakIn('de');
  assert.equal(figureInWords(figure()), '88\u00a0% (8 von 9 Tests, wohl zwischen 63\u00a0% und 100\u00a0%)');
  assert.equal(verdictInWords({ passed: true, gates: [gate('hit', 'bound', true)] }), 'Alle Ziele sind erreicht.');
});
