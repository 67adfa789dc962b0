import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerInMarkdown, escaped } from '../../web/js/as-markdown.js';

const citation = (id, source, quote) => ({ id, source, quote, section: 'Walls', page: 2, page_label: null, media_type: 'application/pdf' });
const answer = (text, rest = {}) => ({ answer: text, citations: [citation(1, 'harbour.pdf', 'It was finished in 1931.')], notes: [], unsupported_parts: [], refused: false, ...rest });

test('an answer is copied with its question, its numbers and what they quote', () => {
  assert.equal(
    answerInMarkdown('When?', answer('It was finished in 1931. [1]')),
    '## When?\n\nIt was finished in 1931. [1]\n\n### Sources\n\n[1] harbour.pdf, page 2 · Walls\n\n> It was finished in 1931.\n',
  );
});

test('lists stay lists, and what was not found is said', () => {
  const text = answerInMarkdown('Which?', answer('- One. [1]\n- Two. [1]', { unsupported_parts: ['and who?'], notes: ['Only two were looked at.'] }));
  assert.match(text, /\n- One\. \[1\]\n- Two\. \[1\]\n\nOnly two were looked at\.\n\nNot found in your documents:\n\n- and who\?\n/);
});

test('nothing from a document or a name becomes markup, a link or a picture', () => {
  const hostile = '![a](https://evil.example/?q=1) [b](javascript:x) <img src=x onerror=y> `c` **d** &lt; | e';
  const text = answerInMarkdown(hostile, answer(`${hostile} [1]`, { citations: [citation(1, `${hostile}.pdf`, hostile)] }));
  assert.doesNotMatch(text, /(?<!\\)!(?=\[)|(?<!\\)[<`*|]|(?<!\\)\](?=\()|https?:\/\/|(?<!\\)&lt/);
  assert.equal(text.match(/evil/g).length, 4);
});

test('a line that begins like a heading, a list or a quote stays a line', () => {
  assert.equal(escaped('# no\n- no\n+ no\n> no\n12. no\n---'), '\\# no\n\\- no\n\\+ no\n\\> no\n12\\. no\n\\---');
  assert.equal(escaped('3.5 metres and 4 - 2'), '3.5 metres and 4 - 2');
});
