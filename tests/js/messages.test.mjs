import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outcomeInWords, pageInWords, scopeInWords, sizeInWords } from '../../web/js/messages.js';

test('a page is named as it is printed, and its sheet where the two differ', () => {
  const pdf = { media_type: 'application/pdf' };
  assert.equal(pageInWords({ ...pdf, page: 4, page_label: null }), 'page 4');
  assert.equal(pageInWords({ ...pdf, page: 4, page_label: '4' }), 'page 4');
  assert.equal(pageInWords({ ...pdf, page: 4, page_label: 'iv' }), 'p. iv (sheet 4)');
  assert.equal(pageInWords({ media_type: 'text/markdown', page: 1, page_label: null }), '');
});

test('the scope is said in words', () => {
  assert.deepEqual([scopeInWords(0, 0), scopeInWords(0, 1), scopeInWords(0, 5), scopeInWords(5, 5), scopeInWords(2, 5)], [
    'No documents yet',
    'Searching your one document',
    'Searching all 5 documents',
    'Searching all 5 documents',
    'Searching 2 of 5',
  ]);
});

test('outcomes are said in words', () => {
  assert.equal(outcomeInWords('unchanged', 'a.pdf', 'a.pdf'), 'Already here');
  assert.equal(outcomeInWords('duplicate', 'b.pdf', 'a.pdf'), 'Already here as \u2068a.pdf\u2069');
  assert.equal(outcomeInWords('replaced', 'a.pdf', 'a.pdf'), 'Replaced the earlier version');
});

test('sizes are said with the unit that fits', () => {
  assert.deepEqual([1, 999, 1000, 1_499_000, 50_000_000].map(sizeInWords), ['1 byte', '999 bytes', '1 kB', '1.5 MB', '50 MB']);
});
