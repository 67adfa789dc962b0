import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rowsOf, treeKey, visibleRows } from '../../web/js/tree.js';

const section = (title, level, page_number = 1) => ({ section_id: title, title, level, page_number, path: [] });
const rows = rowsOf([section('', 0), section('A', 1), section('A1', 2), section('A2', 3, 2), section('B', 1, 3), section('C', 3, 4), section('D', 2, 5)]);
const key = (at, pressed, closed = []) => treeKey(rows, new Set(closed), at, pressed);

test('sections hang below the heading before them that is higher', () => {
  assert.deepEqual(
    rows.map(({ title, level, parent, position, size, opens }) => [title, level, parent, position, size, opens]),
    [
      ['A', 1, -1, 1, 2, true],
      ['A1', 2, 0, 1, 1, true],
      ['A2', 3, 1, 1, 1, false],
      ['B', 1, -1, 2, 2, true],
      ['C', 2, 3, 1, 2, false],
      ['D', 2, 3, 2, 2, false],
    ],
  );
});

test('what hangs below a closed row cannot be seen', () => {
  assert.deepEqual(visibleRows(rows, new Set([0])), [true, false, false, true, true, true]);
  assert.deepEqual(visibleRows(rows, new Set([1, 3])), [true, true, false, true, false, false]);
});

test('the keys lead where the pattern of a tree says', () => {
  assert.deepEqual(key(0, 'ArrowDown', [0]), { to: 3 });
  assert.deepEqual(key(3, 'ArrowUp', [0]), { to: 0 });
  assert.deepEqual(key(0, 'ArrowUp'), { to: 0 });
  assert.deepEqual(key(5, 'ArrowDown'), { to: 5 });
  assert.deepEqual(key(4, 'Home'), { to: 0 });
  assert.deepEqual(key(0, 'End', [3]), { to: 3 });
  assert.deepEqual(key(0, 'ArrowRight', [0]), { open: 0 });
  assert.deepEqual(key(0, 'ArrowRight'), { to: 1 });
  assert.deepEqual(key(2, 'ArrowRight'), { to: 2 });
  assert.deepEqual(key(0, 'ArrowLeft'), { close: 0 });
  assert.deepEqual(key(2, 'ArrowLeft'), { to: 1 });
  assert.deepEqual(key(0, 'ArrowLeft', [0]), { to: 0 });
  assert.deepEqual(key(0, 'a'), { to: 1 });
  assert.deepEqual(key(3, 'a', [0]), { to: 0 });
  assert.equal(key(0, 'Tab'), null);
});
