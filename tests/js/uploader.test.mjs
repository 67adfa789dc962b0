import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../web/js/api.js';
import { createUploader } from '../../web/js/uploader.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const file = (name, size = 10) => ({ name, size });

/** An uploader whose requests are answered by the test. */
function bench({ limit = 100 } = {}) {
  const actions = [];
  const requests = [];
  const send = (sent, options) => new Promise((resolve, reject) => requests.push({ name: sent.name, resolve, reject, ...options }));
  const uploader = createUploader({ dispatch: (action) => actions.push(action), send, limit: () => limit, now: () => 0 });
  return { uploader, actions, requests, types: () => actions.map((action) => action.type) };
}

test('two files are sent at once, the third when one of them is done', async () => {
  const { uploader, requests } = bench();
  uploader.add([file('a'), file('b'), file('c')]);
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b']);
  requests[0].resolve({ outcome: 'created', document: {} });
  await settled();
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b', 'c']);
});

test('a file over the limit is refused without being sent, with the limit named', async () => {
  const { uploader, actions, requests } = bench({ limit: 1000 });
  uploader.add([file('big', 2000)]);
  await settled();
  assert.equal(requests.length, 0);
  assert.match(actions.at(-1).problem.message, /1 kB/);
});

test('a failure keeps the file, so that it can be tried again', async () => {
  const { uploader, actions, requests } = bench();
  uploader.add([file('a')]);
  const problem = { code: 'no-text', message: 'No text.', fix: 'Send another.' };
  requests[0].reject(new ApiError(problem));
  await settled();
  assert.deepEqual(actions.at(-1), { type: 'upload-failed', uploadId: 'upload-1', problem });
  uploader.retry('upload-1');
  assert.deepEqual(requests.map((request) => request.name), ['a', 'a']);
});

test('a dropped file is aborted, and its failure is not reported', async () => {
  const { uploader, requests, types } = bench();
  uploader.add([file('a'), file('b'), file('c')]);
  uploader.drop('upload-3');
  uploader.drop('upload-1');
  assert.equal(requests[0].signal.aborted, true);
  requests[0].reject(new DOMException('Aborted', 'AbortError'));
  await settled();
  assert.deepEqual(requests.map((request) => request.name), ['a', 'b']);
  assert.equal(types().includes('upload-failed'), false);
});
