import assert from 'node:assert/strict';
import { test } from 'node:test';

import { speakIn } from '../../web/js/messages.js';
import { asksInWords, momentInWords, progressInWords, readInWords, scopeOfTurn, verdictInWords, weightsInWords, writerNamed } from '../../web/js/talk-messages.js';

const stage = (name, rest = {}) => ({ stage: { stage: name, attempt: 1, writer: null, model_state: null, ...rest }, found: null });
const plain = (text) => text.replace(/[\u2066-\u2069]/g, '');

test('how far an answer is, is said in words', () => {
  const model = { writer: 'ollama llama3.2:3b', model_state: 'ready' };
  const cases = [
    [{ stage: null, found: null }, 'Searching your documents…'],
    [stage('understand'), 'Understanding your question…'],
    [stage('search'), 'Searching your documents…'],
    [stage('search', { attempt: 2 }), 'A document changed meanwhile. Searching again…'],
    [stage('write', { writer: 'extractive' }), 'Choosing what answers you…'],
    [stage('write', { ...model, model_state: 'loading' }), 'llama3.2:3b is being loaded. The first time this can take minutes…'],
    [{ ...stage('write', model), found: { passages: 3, documents: 1 } }, 'Found 3 passages in 1 document. llama3.2:3b is writing…'],
    [stage('cite'), 'Marking the lines…'],
    [{ ...stage('audit'), claims: [{}], checked: 0 }, 'Checking 1 statement against what it cites…'],
    [{ ...stage('audit'), claims: [{}, {}, {}], checked: 2 }, '2 of 3 statements checked against what they cite…'],
  ];
  assert.deepEqual(cases.map(([turn]) => plain(progressInWords(turn))), cases.map(([, said]) => said));
});

test('a verdict is a reason, and a duplicate names the better one', () => {
  const rows = [{ chunk_id: 'a', verdict: 'first' }, { chunk_id: 'b', verdict: 'duplicate', duplicate_of: 'a' }, { chunk_id: 'c', verdict: 'duplicate', duplicate_of: 'z' }];
  assert.deepEqual(rows.map((row) => verdictInWords(row, rows)), ['the best one', 'says the same as no. 1', 'says what a better one says']);
  assert.equal(verdictInWords({ verdict: 'unheard-of' }, []), 'unheard-of');
  assert.equal(readInWords({ rows: [{ kept: true }, { kept: false }] }), '2 passages found, 1 read for the answer');
});

test('the weights are shares with their reason, a new reason as the program says it', () => {
  assert.equal(weightsInWords({ weights: { dense: 1, lexical: 1, reason: 'Both rankings count alike.' } }), 'Meaning counted 50%, words counted 50%. Both rankings count alike.');
  assert.equal(weightsInWords({ weights: { dense: 0, lexical: 1, reason: 'Something new.' } }), 'Meaning counted 0%, words counted 100%. Something new.');
});

test('what a part asks for beyond its words is said', () => {
  assert.deepEqual(asksInWords({ context: 'Who?', exhaustive: true, phrases: ['a b'] }).map(plain), ['Searched together with “Who?”', 'Asks for all of a kind', 'Must hold word for word: “a b”']);
  assert.deepEqual(asksInWords({ context: '', exhaustive: false, phrases: [] }), []);
});

test('a kept question says how many documents it searched, a fresh one as it was said then', () => {
  assert.equal(scopeOfTurn({ scope: '', documentIds: null }), '');
  assert.equal(scopeOfTurn({ scope: 'Searching 1 of 2', documentIds: ['a'] }), 'Searching 1 of 2');
  assert.equal(scopeOfTurn({ scope: '', documentIds: ['a'] }), 'Searched one document only');
});

test('a moment of today is an hour, another one a day', () => {
  const now = new Date(2026, 4, 7, 18);
  assert.match(momentInWords(new Date(2026, 4, 7, 9, 5).toISOString(), now), /^today, 9:05/);
  assert.equal(momentInWords(new Date(2026, 3, 30).toISOString(), now), 'Apr 30, 2026');
  assert.equal(momentInWords('nonsense', now), '');
});

test('the writer is named by its model', async () => {
  assert.deepEqual([writerNamed('extractive'), writerNamed('ollama llama3.2:3b')], ['exact quotes, no model', 'llama3.2:3b']);
  await speakIn('de');
  assert.equal(plain(progressInWords(stage('understand'))), 'Versteht Ihre Frage …');
  await speakIn('en');
});
