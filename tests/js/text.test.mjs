import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countCodePoints, locatePassage, markSpans, parseAnswer, parseInline, visibleName } from '../../web/js/text.js';

test('lengths count code points, not UTF-16 units', () => {
  assert.equal(countCodePoints('🌊a'), 2);
});

test('spans cut a passage into marked and unmarked parts that join to the whole', () => {
  const text = '🌊 one two three';
  const segments = markSpans(text, [{ start: 2, end: 5 }, { start: 10, end: 15 }]);
  assert.deepEqual(segments, [
    { text: '🌊 ', marked: false },
    { text: 'one', marked: true },
    { text: ' two ', marked: false },
    { text: 'three', marked: true },
  ]);
});

test('spans out of order, overlapping, empty or out of range lose no text', () => {
  for (const spans of [
    [{ start: 4, end: 9 }, { start: 0, end: 6 }],
    [{ start: -3, end: 2 }, { start: 5, end: 99 }],
    [{ start: 3, end: 3 }, { start: 8, end: 2 }],
    [{ start: 50, end: 60 }],
    [],
  ]) {
    const segments = markSpans('0123456789', spans);
    assert.equal(segments.map((segment) => segment.text).join(''), '0123456789');
  }
  assert.deepEqual(markSpans('0123456789', [{ start: 4, end: 9 }, { start: 0, end: 6 }]), [
    { text: '012345678', marked: true },
    { text: '9', marked: false },
  ]);
});

test('a number is a citation only if the answer has that citation', () => {
  assert.deepEqual(parseInline('So it is [1][2], see [9] and [x].', new Set([1, 2])), [
    { text: 'So it is ' },
    { citation: 1 },
    { citation: 2 },
    { text: ', see [9] and [x].' },
  ]);
});

test('an answer is paragraphs, bullets and steps; any other markup is text', () => {
  const answer = 'First **line** [1]\nsecond line\n\n- <b>one</b> [1]\n- two\n  goes on\n\n3. third\n4. fourth';
  assert.deepEqual(parseAnswer(answer, new Set([1])), [
    { kind: 'paragraph', inlines: [{ text: 'First **line** ' }, { citation: 1 }, { text: '\nsecond line' }] },
    {
      kind: 'bullets',
      items: [
        { inlines: [{ text: '<b>one</b> ' }, { citation: 1 }], value: null },
        { inlines: [{ text: 'two\ngoes on' }], value: null },
      ],
    },
    {
      kind: 'steps',
      items: [
        { inlines: [{ text: 'third' }], value: 3 },
        { inlines: [{ text: 'fourth' }], value: 4 },
      ],
    },
  ]);
});

test('an empty answer has no blocks, and a year at the start of a line is no step', () => {
  assert.deepEqual(parseAnswer('', new Set()), []);
  assert.deepEqual(parseAnswer('2021. A year.', new Set()), [{ kind: 'paragraph', inlines: [{ text: '2021. A year.' }] }]);
});

test('a name shows every control that could turn or hide a part of it', () => {
  assert.equal(visibleName('inv\u202Efdp.exe'), 'inv[U+202E]fdp.exe');
  assert.equal(visibleName('a\u2066b\u200Bc\nd.txt'), 'a[U+2066]b[U+200B]c[U+000A]d.txt');
  assert.equal(visibleName('<img src=x onerror=alert(1)>.md'), '<img src=x onerror=alert(1)>.md');
  assert.equal(visibleName('👩\u200d🔬 données.pdf'), '👩\u200d🔬 données.pdf');
});

test('a passage is found at its own place in the page, or not at all', () => {
  const page = '🌊 def def ghi';
  assert.deepEqual(locatePassage(page, { text: 'def', page_start: 6, page_end: 9 }), { before: '🌊 def ', after: ' ghi' });
  assert.equal(locatePassage(page, { text: 'def', page_start: 0, page_end: 3 }), null);
  assert.equal(locatePassage(page, { text: '', page_start: 0, page_end: 0 }), null);
});
