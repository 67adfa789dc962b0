import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placeInWords, readingInWords, reportInWords, signInWords } from '../../web/js/page-messages.js';
import { countSigns, letterOf, meanConfidence, pagesOf, signsOf } from '../../web/js/pages.js';

const page = (path = 'plain', flags = [], more = {}) => ({ page_number: 1, path, flags, words: 10, coverage: null, ocr_confidence: null, ...more });
const scanned = (ocr_confidence) => page('ocr', ['ocr'], { ocr_confidence });
const pdf = { media_type: 'application/pdf', page_count: 15 };
const plain = (text) => text.replaceAll('\u00a0', ' ');

test('a plain page has no sign; others have theirs, the gravest first', () => {
  assert.deepEqual(signsOf(page()), []);
  assert.deepEqual(signsOf(page('ocr', ['table', 'ocr', 'low-coverage'])), ['low-coverage', 'ocr', 'table']);
  assert.deepEqual(signsOf(page('mixed', ['ocr'])), ['mixed']);
  assert.deepEqual(signsOf(page('failed')), ['failed']);
});

test('a picture that was not read has a letter of its own and is said', () => {
  const [sign] = signsOf(page('plain', ['table', 'unread-picture']));
  assert.equal(sign, 'unread-picture');
  assert.equal(letterOf(sign), 'P');
  assert.equal(signInWords(sign), 'unread picture that may hold text');
});

test('only the signs that occur are counted', () => {
  assert.deepEqual(countSigns([page(), page('plain', ['table']), scanned(0.9), page('plain', ['table'])]), [['ocr', 1], ['table', 2]]);
});

test('the mean confidence is that of the pages whose confidence is known', () => {
  assert.equal(meanConfidence([page(), scanned(null)]), null);
  assert.equal(meanConfidence([page(), scanned(0.5), scanned(1), scanned(null)]), 0.75);
});

test('a document whose readings were not noted still has its pages', () => {
  const report = { document: { ...pdf, page_count: 3 }, pages: [], words: 0 };
  assert.deepEqual(pagesOf(report).map(({ page_number, flags }) => [page_number, flags]), [[1, []], [2, []], [3, []]]);
  assert.match(reportInWords(report), /has not been noted/);
});

test('how a document was read is one sentence', () => {
  const said = (pages, document = pdf) => plain(reportInWords({ document, pages, words: 1234 }));
  const twelve = Array.from({ length: 12 }, () => page());
  assert.equal(
    said([...twelve, scanned(0.92), scanned(0.94), page('ocr', ['no-text', 'ocr'])]),
    '15 pages: 12 read from their text, 3 by OCR (mean confidence 93%), 1 without text. 1,234 words.',
  );
  assert.equal(said(twelve), '12 pages, all read from their text. 1,234 words.');
  assert.equal(said([page()]), '1 page, read from its text. 1,234 words.');
  assert.equal(said([page('text')], { media_type: 'text/plain', page_count: 1 }), 'Read from its text. 1,234 words.');
});

test('how a page was read is said with its measures', () => {
  const reading = page('ocr', ['low-coverage', 'ocr'], { words: 1, coverage: 0.5, ocr_confidence: 0.934 });
  assert.equal(plain(readingInWords(reading)), 'Read by OCR · 1 word · 50% of its text layer kept · OCR confidence 93% · words are missing');
});

test('a page is called what it is in its kind of file', () => {
  assert.equal(placeInWords(pdf, 1200), 'Page 1,200');
  assert.equal(placeInWords({ media_type: 'application/epub+zip', page_count: 9 }, 2), 'Chapter 2');
  assert.equal(placeInWords({ media_type: 'text/plain', page_count: 3 }, 2), 'Part 2');
  assert.equal(placeInWords({ media_type: 'text/plain', page_count: 1 }, 1), 'The whole text');
});
