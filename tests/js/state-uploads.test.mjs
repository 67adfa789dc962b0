import assert from 'node:assert/strict';
import { test } from 'node:test';

import { initialState, reduce } from '../../web/js/state.js';
import { canTryAgain } from '../../web/js/state-uploads.js';
import { job } from './jobs.mjs';

const run = (...actions) => actions.reduce(reduce, initialState);
const add = (...ids) => ({ type: 'uploads-added', uploads: ids.map((uploadId) => ({ uploadId, name: `${uploadId}.pdf`, sizeBytes: 10 })), at: 5 });
const sending = (uploadId) => ({ type: 'upload-sending', uploadId, at: 6 });
const sent = (uploadId, share = 1) => ({ type: 'upload-sent', uploadId, share });
const accepted = (uploadId, jobId) => ({ type: 'upload-accepted', uploadId, jobId });
const seen = (...told) => ({ type: 'job-seen', job: job(...told), at: 5000 });
const phases = (state) => state.uploads.map(({ uploadId, phase }) => [uploadId, phase]);
const problem = { code: 'no-text', message: 'm', fix: 'f' };

test('an upload goes through its stages, and leaves when it is a document', () => {
  const way = [add('u'), sending('u'), sent('u'), accepted('u', 'j'), seen('j', 'extracting', { done: 2, total: 9 }), seen('j', 'embedding'), seen('j', 'committing')];
  const told = way.map((_, index) => run(...way.slice(0, index + 1)).uploads[0].phase);
  assert.deepEqual(told, ['waiting', 'sending', 'sending', 'waiting', 'reading', 'preparing', 'storing']);
  const reading = run(...way.slice(0, 5)).uploads[0];
  assert.deepEqual([reading.done, reading.total, reading.since], [2, 9, 6]);
  const end = run(...way, seen('j', 'searchable', { outcome: 'created', document_id: 'd' }));
  assert.deepEqual([end.uploads, end.fresh], [[], ['d']]);
});

test('only telling outcomes keep their row', () => {
  const end = (outcome) => run(add('u'), accepted('u', 'j'), seen('j', 'searchable', { outcome, document_id: 'd' }));
  assert.deepEqual(['unchanged', 'duplicate', 'replaced'].map((outcome) => [end(outcome).uploads[0].phase, end(outcome).fresh]), [['done', []], ['done', []], ['done', ['d']]]);
});

test('news of a job that is quicker than the reply finds the row of the file that was sent', () => {
  const early = run(add('u'), sending('u'), sent('u'), seen('j', 'extracting', { name: 'u.pdf' }));
  assert.deepEqual(phases(early), [['u', 'reading']]);
  assert.deepEqual(phases(reduce(early, accepted('u', 'j'))), [['u', 'reading']]);
});

test('news that found no row makes one, and the reply joins the two', () => {
  const early = run(add('u'), sending('u'), sent('u'), seen('j', 'extracting', { name: 'another name.pdf' }));
  assert.deepEqual(phases(early), [['u', 'sending'], ['j', 'reading']]);
  assert.deepEqual(phases(reduce(early, accepted('u', 'j'))), [['u', 'waiting']]);
});

test('jobs from elsewhere appear while they are worked on or have failed, not when they have ended well', () => {
  const state = run(seen('a', 'searchable', { outcome: 'created', document_id: 'd' }), seen('b', 'cancelled'), seen('c', 'failed', { error: problem, can_retry: true }), seen('e', 'queued'));
  assert.deepEqual(phases(state), [['c', 'failed'], ['e', 'waiting']]);
  assert.deepEqual([state.uploads[0].canRetry, state.uploads[0].canResend, state.uploads[1].since, state.fresh], [true, false, 4000, []]);
  assert.deepEqual(phases(reduce(state, { type: 'jobs-gone', jobIds: ['c'] })), [['e', 'waiting']]);
});

test('a failed upload stays through the next batch, a finished one does not', () => {
  const state = run(
    add('one', 'two'),
    { type: 'upload-failed', uploadId: 'one', problem },
    accepted('two', 'j'),
    seen('j', 'searchable', { outcome: 'unchanged', document_id: 'd' }),
    add('three'),
  );
  assert.deepEqual(phases(state), [['one', 'failed'], ['three', 'waiting']]);
  const again = reduce(state, { type: 'upload-requeued', uploadId: 'one', jobId: null, at: 7 });
  assert.deepEqual([again.uploads[0].phase, again.uploads[0].problem], ['waiting', null]);
});

test('a job that is tried again counts its seconds anew', () => {
  const failed = run(add('u'), accepted('u', 'j'), seen('j', 'failed', { error: problem, can_retry: true }));
  assert.equal(reduce(failed, seen('j', 'queued')).uploads[0].since, 5000);
});

test('what fails while it is being cancelled leaves without a word', () => {
  const state = run(add('u'), accepted('u', 'j'), { type: 'upload-cancelling', uploadId: 'u', on: true }, seen('j', 'failed', { error: problem }));
  assert.deepEqual(state.uploads, []);
});

test('trying again is offered where another attempt can end otherwise', () => {
  /** @param {string} code @param {boolean} canRetry @param {boolean} canResend */
  const offered = (code, canRetry, canResend) => canTryAgain({ problem: { ...problem, code }, canRetry, canResend });
  assert.deepEqual(
    [offered('unsupported-type', false, true), offered('no-text', false, true), offered('offline', false, true), offered('not-retryable', false, true)],
    [false, false, true, true],
  );
  assert.deepEqual([offered('extraction-crashed', true, false), offered('interrupted', false, false)], [true, false]);
});

test('a file that fails twice has one row, which knows what failed before', () => {
  const first = run(seen('j1', 'failed', { name: 'x.pdf', error: problem }), seen('j2', 'failed', { name: 'x.pdf', error: problem }));
  assert.deepEqual(first.uploads.map(({ jobId, earlierJobIds }) => [jobId, earlierJobIds]), [['j2', ['j1']]]);
  const sentAgain = reduce(first, { type: 'uploads-added', uploads: [{ uploadId: 'u', name: 'x.pdf', sizeBytes: 10 }], at: 5 });
  assert.deepEqual(sentAgain.uploads.map(({ uploadId, phase, earlierJobIds }) => [uploadId, phase, earlierJobIds]), [['u', 'waiting', ['j1', 'j2']]]);
  assert.equal(reduce(sentAgain, seen('j1', 'failed', { name: 'x.pdf', error: problem })), sentAgain);
  const other = reduce(first, seen('j3', 'failed', { name: 'y.pdf', error: problem }));
  assert.equal(other.uploads.length, 2);
});
