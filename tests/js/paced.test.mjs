import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createPacer } from '../../web/js/paced.js';

/** A page whose time the test plays: each piece takes 5 ms. */
function bench() {
  const turns = [];
  const done = [];
  let at = 0;
  const pacer = createPacer((act) => turns.push(act), () => at);
  const piece = (name) => () => {
    done.push(name);
    at += 5;
  };
  return { pacer, turns, done, piece };
}

test('pieces are done in stretches, with room for others between them', () => {
  const { pacer, turns, done, piece } = bench();
  pacer.does(['a', 'b', 'c', 'd', 'e'].map(piece));
  assert.deepEqual(done, []);
  turns.shift()();
  assert.deepEqual(done, ['a', 'b']);
  turns.shift()();
  turns.shift()();
  assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e']);
  assert.equal(turns.length, 0);
});

test('what is wanted now takes the place of what was wanted before', () => {
  const { pacer, turns, done, piece } = bench();
  pacer.does([piece('a'), piece('b'), piece('c')]);
  turns.shift()();
  pacer.does([piece('x')]);
  while (turns.length > 0) turns.shift()();
  assert.deepEqual(done, ['a', 'b', 'x']);
});

test('a piece that fails keeps none of the others back', () => {
  const { pacer, turns, done, piece } = bench();
  const broken = () => {
    throw new Error('broken');
  };
  pacer.does([broken, piece('a')]);
  assert.throws(() => turns.shift()(), /broken/);
  turns.shift()();
  assert.deepEqual(done, ['a']);
});
