import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countTags, fits, ordered, parseTags, range, soughtText } from '../../web/js/shelf.js';

const doc = (name, more = {}) => ({ name, title: null, tags: [], size_bytes: 1, ...more });
const collator = new Intl.Collator('en', { numeric: true });

test('a document is found by any words of its name, title and tags', () => {
  const text = soughtText(doc('Café 2021.pdf', { title: 'The Harbour', tags: ['Sea Side'] }));
  assert.deepEqual(['cafe', 'HARB side', 'caf 2021 sea', '', 'cafe inland'].map((filter) => fits(text, filter)), [true, true, true, true, false]);
});

test('documents are ordered by name as people count, by size, or as they came', () => {
  const documents = [doc('b10', { size_bytes: 5 }), doc('b9', { size_bytes: 7 }), doc('A1', { size_bytes: 5 })];
  const names = (order) => ordered(documents, order, collator).map(({ name }) => name);
  assert.deepEqual(names('added'), ['b10', 'b9', 'A1']);
  assert.deepEqual(names('name'), ['A1', 'b9', 'b10']);
  assert.deepEqual(names('size'), ['b9', 'A1', 'b10']);
  assert.equal(documents[0].name, 'b10');
});

test('a range runs either way and is one document where it has no beginning', () => {
  const ids = ['a', 'b', 'c', 'd'];
  assert.deepEqual(range(ids, 'b', 'd'), ['b', 'c', 'd']);
  assert.deepEqual(range(ids, 'd', 'b'), ['b', 'c', 'd']);
  assert.deepEqual(range(ids, null, 'c'), ['c']);
  assert.deepEqual(range(ids, 'gone', 'c'), ['c']);
  assert.deepEqual(range(ids, 'a', 'gone'), []);
});

test('tags are counted, the commonest first, and read from a line', () => {
  assert.deepEqual(countTags([doc('a', { tags: ['x', 'y'] }), doc('b', { tags: ['y'] }), doc('c', { tags: undefined })]), [['y', 2], ['x', 1]]);
  assert.deepEqual(parseTags(' a, , b c,'), ['a', 'b c']);
});
