import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cutAtMarks, parseMarkdown, unitsOf } from '../../web/js/markdown.js';

const shown = (text) =>
  parseMarkdown(text).map((block) => {
    const line = (runs) => runs.map(({ start, end, style }) => (style ? `<${style}>${text.slice(start, end)}</${style}>` : text.slice(start, end))).join('');
    return block.tag === 'table' ? [block.hasHead ? 'head' : 'table', ...block.rows.map((row) => row.map(line).join(' / '))] : [block.tag, line(block.runs), ...(block.depth ? [block.depth] : [])];
  });

test('the kinds of blocks are told apart', () => {
  const text = '# One\n\nTwo\nlines\n\n- a\n  - b\n1. c\n\n> said\n\n---\n\n```js\n# code | x\n```\n\n## End';
  assert.deepEqual(shown(text), [['h1', 'One'], ['p', 'Two\nlines'], ['li', 'a'], ['li', 'b', 1], ['li', 'c'], ['blockquote', 'said'], ['pre', '# code | x\n'], ['h2', 'End']]);
});

test('a table is cut into cells', () => {
  assert.deepEqual(shown('| a | **b** |\n|---|---|\n| c \\| d |  |\n\n| no | head |'), [['head', 'a / <strong>b</strong>', 'c \\| d / '], ['table', 'no / head']]);
});

test('emphasis, code and links are shown without their marks, addresses not at all', () => {
  assert.deepEqual(shown('a **b** _c_ `d*` [e](javascript:alert(1)) ![f](https://x/y.png) snake_case_name 2*3*4'), [
    ['p', 'a <strong>b</strong> <em>c</em> <code>d*</code> e f snake_case_name 2*3*4'],
  ]);
});

test('HTML is text', () => {
  assert.deepEqual(shown('<b>x</b>\n<script>y</script>'), [['p', '<b>x</b>\n<script>y</script>']]);
});

test('every run is a stretch of the text, in order', () => {
  const text = 'a **b**\n\n| c | `d` |\n| - | - |\n\n~~~\nopen to the end';
  const runs = parseMarkdown(text).flatMap((block) => (block.tag === 'table' ? block.rows.flat(2) : block.runs));
  for (const [index, { start, end }] of runs.entries()) assert.ok(start <= end && end <= text.length && start >= (runs[index - 1]?.end ?? 0));
});

test('runs are cut where marks begin and end', () => {
  const mark = { start: 2, end: 7 };
  const cut = cutAtMarks([{ start: 0, end: 4, style: '' }, { start: 6, end: 9, style: 'em' }], [mark]);
  assert.deepEqual(cut.map(({ start, end, style, mark: on }) => [start, end, style, on === mark]), [[0, 2, '', false], [2, 4, '', true], [6, 7, 'em', true], [7, 9, 'em', false]]);
});

test('code points become units of JavaScript', () => {
  assert.deepEqual(unitsOf('a🍐b🍐', [0, 1, 2, 3, 4, 9]), [0, 1, 3, 4, 6, 6]);
});
