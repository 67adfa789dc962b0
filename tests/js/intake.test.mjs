import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../web/js/api.js';
import { createIntake } from '../../web/js/intake.js';
import { saidOf } from '../../web/js/said.js';
import { initialState, reduce } from '../../web/js/state.js';
import { FakeStream, job, settled } from './jobs.mjs';

const needsPassword = { code: 'password-required', message: 'Opens with a password only.', fix: 'Give it.' };
const broken = { code: 'unreadable-file', message: 'Broken.', fix: 'Send another.' };

/** An intake whose program is played by the test. */
async function bench(...jobs) {
  const asked = [];
  const told = { state: initialState, said: [], changed: 0, lost: [] };
  const stream = new FakeStream();
  const replies = { deleteJob: async () => job('j', 'cancelled'), retryJob: async () => job('j', 'queued') };
  const sends = [];
  const intake = createIntake({
    state: () => told.state,
    dispatch(action) {
      const before = told.state;
      told.state = reduce(before, action);
      const said = saidOf(action, before, told.state);
      if (said) told.said.push(said);
    },
    program: {
      upload: (file, options) => new Promise((resolve, reject) => sends.push({ file, resolve, reject, ...options })),
      listJobs: async () => jobs,
      openJobEvents: () => stream,
      deleteJob: (...args) => (asked.push(['delete', ...args]), replies.deleteJob(...args)),
      retryJob: (...args) => (asked.push(['retry', ...args]), replies.retryJob(...args)),
    },
    onLibraryChanged: () => (told.changed += 1),
    onLost: (problem) => told.lost.push(problem.code),
    onFound: () => {},
    now: () => 0,
    later: () => {},
  });
  await intake.start();
  return { intake, told, stream, asked, replies, sends, rows: () => told.state.uploads };
}

/** One whose file `u` is the job `j`. */
async function sent() {
  const all = await bench();
  all.intake.add([{ name: 'j.pdf', size: 10 }]);
  all.sends[0].onSent(1);
  all.sends[0].resolve(job('j', 'queued'));
  await settled();
  return all;
}

test('a file is followed from its sending to its end, and only the ends of stages are said', async () => {
  const { told, stream, rows } = await sent();
  for (const done of [0, 1, 2]) stream.tells(job('j', 'extracting', { done, total: 3 }));
  for (const done of [0, 16]) stream.tells(job('j', 'embedding', { done, total: 32 }));
  stream.tells(job('j', 'committing'));
  assert.equal(rows()[0].phase, 'storing');
  stream.tells(job('j', 'searchable', { outcome: 'created', document_id: 'd' }));
  assert.deepEqual(rows(), []);
  assert.deepEqual(told.said, ['Reading j.pdf', 'Read, now preparing j.pdf', 'j.pdf: Added']);
  assert.equal(told.changed, 1);
});

test('a job that ended before the reply came leaves no row behind', async () => {
  const { intake, sends, stream, rows } = await bench();
  intake.add([{ name: 'sent name.pdf', size: 10 }]);
  sends[0].onSent(1);
  stream.tells(job('j', 'extracting'));
  const last = job('j', 'searchable', { outcome: 'created', document_id: 'd' });
  stream.tells(last);
  sends[0].resolve(job('j', 'queued'));
  await settled();
  assert.deepEqual(rows(), []);
});

test('cancelling stops the job, and takes it off the list when it has stopped', async () => {
  const { intake, stream, asked, replies, rows, told } = await sent();
  stream.tells(job('j', 'extracting'));
  const uploadId = rows()[0].uploadId;
  replies.deleteJob = async () => job('j', 'extracting');
  await intake.drop(uploadId);
  assert.equal(rows()[0].cancelling, true);
  await intake.drop(uploadId);
  stream.tells(job('j', 'cancelled', { error: { code: 'cancelled', message: '', fix: '' } }));
  await settled();
  assert.deepEqual(rows(), []);
  assert.deepEqual(asked, [['delete', 'j'], ['delete', 'j']]);
  assert.equal(told.said.at(-1), 'j.pdf cancelled');
});

test('a file that was cancelled after its last byte is stopped as soon as its job is known', async () => {
  const { intake, sends, asked, rows } = await bench();
  intake.add([{ name: 'a.pdf', size: 10 }]);
  sends[0].onSent(1);
  await intake.drop(rows()[0].uploadId);
  sends[0].resolve(job('j', 'queued'));
  await settled();
  assert.deepEqual(asked[0], ['delete', 'j']);
  assert.deepEqual(rows(), []);
});

test('a password is handed on, and is nowhere in the state', async () => {
  const { intake, stream, asked, rows, told } = await sent();
  stream.tells(job('j', 'failed', { error: needsPassword, can_retry: true }));
  await intake.retry(rows()[0].uploadId, 'open sesame');
  assert.deepEqual(asked, [['retry', 'j', 'open sesame']]);
  assert.equal(rows()[0].phase, 'waiting');
  assert.equal(JSON.stringify(told.state).includes('sesame'), false);
});

test('a file that the program does not keep is sent again, and its failed job is taken off the list', async () => {
  const { intake, stream, asked, rows, sends } = await sent();
  stream.tells(job('j', 'failed', { error: broken }));
  await intake.retry(rows()[0].uploadId);
  assert.deepEqual(asked, [['delete', 'j']]);
  assert.equal(sends.length, 2);
  sends[1].onSent(1);
  sends[1].resolve(job('k', 'queued'));
  await settled();
  assert.deepEqual(rows().map(({ jobId, phase }) => [jobId, phase]), [['k', 'waiting']]);
});

test('a failed job is dismissed for every page; one that is gone already is no fault', async () => {
  const { intake, stream, asked, replies, rows, told } = await sent();
  replies.deleteJob = async () => {
    throw new ApiError({ code: 'unknown-job', message: '', fix: '' });
  };
  stream.tells(job('j', 'failed', { error: broken }));
  await intake.drop(rows()[0].uploadId);
  assert.deepEqual([rows(), asked, told.lost], [[], [['delete', 'j']], []]);
});

test('a failed job of an earlier visit is shown without being read out', async () => {
  const { told, rows } = await bench(job('old', 'failed', { error: broken }), job('ok', 'searchable', { outcome: 'created', document_id: 'd' }));
  assert.deepEqual(rows().map(({ jobId, phase, canResend }) => [jobId, phase, canResend]), [['old', 'failed', false]]);
  assert.deepEqual([told.said, told.changed], [[], 0]);
});

test('what another program adds is news for the list of documents', async () => {
  const { told, stream } = await bench();
  stream.tells(job('x', 'searchable', { outcome: 'created', document_id: 'd' }));
  assert.equal(told.changed, 1);
});
