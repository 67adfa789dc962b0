import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createFollower } from '../../web/js/follower.js';
import { FakeStream, job, settled } from './jobs.mjs';

/** A follower of a program that the test plays; delays end when the test says so. */
function bench(...jobs) {
  const told = { streams: [], seen: [], gone: [], lost: 0, found: 0 };
  const program = { jobs, answers: true };
  const delays = [];
  const follower = createFollower({
    open() {
      told.streams.push(new FakeStream());
      return told.streams.at(-1);
    },
    async list() {
      if (!program.answers) throw new Error('gone');
      return program.jobs;
    },
    onJob: ({ job_id, state }, news) => told.seen.push([job_id, state, news]),
    onGone: (jobIds) => told.gone.push(...jobIds),
    onLost: () => (told.lost += 1),
    onFound: () => (told.found += 1),
    later: (act, delayMs) => delays.push({ act, delayMs }),
  });
  /** Lets the delays of this length pass. */
  const pass = async (delayMs = 2000) => {
    for (const delay of delays.splice(0).filter((each) => each.delayMs === delayMs || !delays.push(each))) delay.act();
    await settled();
  };
  return { follower, program, told, pass, stream: () => told.streams.at(-1) };
}

test('what is here at the beginning is no news, oldest first; what the stream tells is', async () => {
  const { follower, told, stream } = bench(job('b', 'queued'), job('a', 'failed'));
  await follower.start();
  stream().tells(job('b', 'extracting'));
  assert.deepEqual(told.seen, [['a', 'failed', false], ['b', 'queued', false], ['b', 'extracting', true]]);
  assert.equal(told.streams.length, 1);
});

test('what is known already is not told again', async () => {
  const same = job('a', 'queued');
  const { follower, told, stream } = bench(same);
  await follower.start();
  stream().tells(same);
  stream().tells({ ...same, elapsed_ms: 2000 });
  assert.equal(told.seen.length, 1);
});

test('a snapshot that is older than the stream changes nothing', async () => {
  const old = job('a', 'queued');
  const { follower, told, stream } = bench(old);
  await follower.start();
  stream().tells(job('a', 'extracting'));
  await follower.look();
  assert.deepEqual(told.seen.at(-1), ['a', 'extracting', true]);
});

test('a job that was taken off the list elsewhere is gone at the next look', async () => {
  const { follower, program, told } = bench(job('a', 'failed'), job('b', 'failed'));
  await follower.start();
  program.jobs = [program.jobs[0]];
  await follower.look();
  assert.deepEqual(told.gone, ['b']);
});

test('while the stream is down it polls, and stops when the stream is back', async () => {
  const { follower, program, told, pass, stream } = bench();
  await follower.start();
  stream().breaks();
  program.jobs = [job('a', 'queued')];
  await pass();
  program.jobs = [job('a', 'extracting')];
  await pass();
  assert.deepEqual(told.seen.map(([, state]) => state), ['queued', 'extracting']);
  stream().opens();
  await settled();
  program.jobs = [job('a', 'embedding')];
  await pass();
  assert.equal(told.seen.length, 2);
  assert.equal(told.streams.length, 1);
});

test('a stream that is refused is opened anew after a while', async () => {
  const { follower, told, pass, stream } = bench();
  await follower.start();
  stream().breaks(2);
  await pass(10_000);
  assert.equal(told.streams.length, 2);
});

test('a program that does not answer is said once, and once that it is back', async () => {
  const { follower, program, told, pass, stream } = bench();
  await follower.start();
  program.answers = false;
  stream().breaks();
  await pass();
  await pass();
  assert.deepEqual([told.lost, told.found], [1, 0]);
  program.answers = true;
  await pass();
  assert.deepEqual([told.lost, told.found], [1, 1]);
});

test('a page that stops gives its connection back and hears no more; it can start again', async () => {
  const { follower, told, pass, stream } = bench(job('a', 'queued'));
  await follower.start();
  const first = stream();
  first.breaks();
  follower.stop();
  assert.equal(first.closed, true);
  first.tells(job('a', 'extracting'));
  await pass();
  assert.equal(told.seen.length, 1);
  await follower.start();
  assert.equal(told.streams.length, 2);
});

test('a forgotten job stays forgotten, whatever the stream still tells', async () => {
  const { follower, told, stream } = bench(job('a', 'failed'));
  await follower.start();
  follower.forget('a');
  stream().tells(job('a', 'failed'));
  assert.equal(told.seen.length, 1);
});
