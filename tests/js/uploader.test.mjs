import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../web/js/api.js';
import { createUploader } from '../../web/js/uploader.js';
import { job, settled } from './jobs.mjs';

const file = (name, size = 10) => ({ name, size });

/** An uploader whose requests are answered by the test. */
function bench({ limit = 100 } = {}) {
  const actions = [];
  const requests = [];
  const accepted = [];
  const send = (sent, options) => new Promise((resolve, reject) => requests.push({ name: sent.name, resolve, reject, ...options }));
  const onAccepted = (uploadId, told, withdrawn) => accepted.push([uploadId, told.job_id, withdrawn]);
  const uploader = createUploader({ dispatch: (action) => actions.push(action), send, onAccepted, limit: () => limit, now: () => 0 });
  return { uploader, actions, requests, accepted, types: () => actions.map((action) => action.type) };
}

test('two files are sent at once, the third when the program has one of them', async () => {
  const { uploader, requests, accepted } = bench();
  uploader.add([file('a'), file('b'), file('c')]);
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b']);
  requests[0].resolve(job('j', 'queued'));
  await settled();
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b', 'c']);
  assert.deepEqual(accepted, [['upload-1', 'j', false]]);
});

test('a file over the limit is refused without being sent, with the limit named', async () => {
  const { uploader, actions, requests } = bench({ limit: 1000 });
  uploader.add([file('big', 2000)]);
  await settled();
  assert.equal(requests.length, 0);
  assert.match(actions.at(-1).problem.message, /1 kB/);
});

test('a failure keeps the file, so that it can be sent again', async () => {
  const { uploader, actions, requests } = bench();
  uploader.add([file('a')]);
  const problem = { code: 'too-large', message: 'Too large.', fix: 'Send another.' };
  requests[0].reject(new ApiError(problem));
  await settled();
  assert.deepEqual(actions.at(-1), { type: 'upload-failed', uploadId: 'upload-1', problem });
  uploader.resend('upload-1');
  assert.deepEqual(requests.map((request) => request.name), ['a', 'a']);
  uploader.keepOnly(new Set());
  uploader.resend('upload-1');
  assert.equal(requests.length, 2);
});

test('a cancelled file is aborted, and its failure is not reported', async () => {
  const { uploader, requests, types } = bench();
  uploader.add([file('a'), file('b'), file('c')]);
  uploader.cancel('upload-3');
  uploader.cancel('upload-1');
  assert.equal(requests[0].signal.aborted, true);
  requests[0].reject(new DOMException('Aborted', 'AbortError'));
  await settled();
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b']);
  assert.equal(types().includes('upload-failed'), false);
});

test('a file that is cancelled after its last byte was sent is withdrawn when the program has answered', async () => {
  const { uploader, requests, accepted, types } = bench();
  uploader.add([file('a'), file('b')]);
  for (const request of requests) request.onSent(1);
  uploader.cancel('upload-1');
  uploader.cancel('upload-2');
  assert.equal(requests[0].signal.aborted, false);
  requests[0].resolve(job('j', 'queued'));
  requests[1].reject(new ApiError({ code: 'too-large', message: '', fix: '' }));
  await settled();
  assert.deepEqual(accepted, [['upload-1', 'j', true]]);
  assert.deepEqual(types().slice(-2), ['upload-cancelling', 'upload-dropped']);
});
