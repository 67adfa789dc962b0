import assert from 'node:assert/strict';
import { test } from 'node:test';

import { filesStay, leavesInWords, reindexInWords, writerInWords } from '../../web/js/health-messages.js';
import { documentInWords, kindsInWords, outcomeInWords, pageInWords, scopeInWords, sizeInWords, stageInWords, words } from '../../web/js/messages.js';

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

test('kinds of files are said in words, each once; any other ending is source code', () => {
  const accepts = ['.pdf', '.docx', '.xlsx', '.pptx', '.epub', '.html', '.htm', '.csv', '.md', '.markdown', '.txt', '.png', '.jpg', '.py', '.rs'];
  assert.equal(kindsInWords(accepts), 'PDF, Word, Excel, PowerPoint, EPUB, web page, CSV, Markdown, plain text, image, or source code');
});

test('a document is measured in what its kind has', () => {
  const office = 'application/vnd.openxmlformats-officedocument.';
  const said = (media_type, page_count = 1) => documentInWords({ media_type, page_count, size_bytes: 2000 });
  assert.deepEqual(
    [said('application/pdf', 2), said(`${office}presentationml.presentation`, 9), said(`${office}wordprocessingml.document`), said('text/csv'), said('text/markdown')],
    ['2 pages · 2 kB', '9 slides · 2 kB', 'Word · 2 kB', 'Table · 2 kB', 'Text · 2 kB'],
  );
  assert.equal(pageInWords({ media_type: `${office}spreadsheetml.sheet`, page: 2, page_label: 'Budget' }), 'sheet 2 (Budget)');
});

test('the stage of a file is said with how far it has come', () => {
  const upload = { jobId: 'j', cancelling: false, sizeBytes: 2000, sentShare: 0.437, done: 4, total: 12 };
  const said = (phase, more = {}) => stageInWords({ ...upload, phase, ...more });
  assert.deepEqual(
    [said('waiting', { jobId: null }), said('waiting'), said('sending'), said('reading'), said('reading', { total: 0 }), said('reading', { done: 12 }), said('preparing'), said('storing'), said('reading', { cancelling: true })],
    ['Waiting to be sent · 2 kB', 'Waiting to be read', 'Sending 43%', 'Reading page 5 of 12', 'Reading…', 'Reading page 12 of 12', 'Preparing passage 5 of 12', 'Storing…', 'Cancelling…'],
  );
});

test('what could not be searched yet is said in one sentence', () => {
  assert.equal(words.stillReading(1), '1 file is still being read and could not be searched. Ask again when it is done.');
  assert.equal(words.stillReading(1200), '1,200 files are still being read and could not be searched. Ask again when they are done.');
});

test('what leaves this machine is said, models and stores apart', () => {
  const here = { local: true };
  const away = { local: false };
  const health = { chat: here, embedding: here, database: here, index: here, sources: here, leaves_machine: false };
  assert.deepEqual(leavesInWords(health), []);
  assert.match(filesStay(health), /Nothing is sent anywhere/);
  const model = { ...health, chat: away, leaves_machine: true };
  assert.deepEqual(leavesInWords(model), ['Passages are sent to an online model']);
  assert.match(filesStay(model), /on this machine\. Passages .* online model/);
  const checked = { ...health, auditor: away, leaves_machine: true };
  assert.deepEqual(leavesInWords(checked), ['Statements and cited passages are sent to an online checker']);
  assert.match(filesStay(checked), /on this machine\. The statements .* online checker that is set up\.$/);
  assert.equal(leavesInWords({ ...checked, chat: away }).length, 2);
  for (const store of ['database', 'index', 'sources']) {
    const kept = { ...health, [store]: away, leaves_machine: true };
    assert.deepEqual(leavesInWords(kept), ['Documents are kept on other machines']);
    assert.match(filesStay(kept), /not on this one alone\.$/);
    assert.equal(leavesInWords({ ...kept, embedding: away }).length, 2);
    assert.match(filesStay({ ...kept, embedding: away }), /online model/);
  }
});

test('while the index is made anew the line says how far it is and what it means', () => {
  const reindex = { state: 'running', done: 1200, total: 5000, message: '', made_with: 'a', wanted: 'bge-m3', by_words_only: true };
  assert.equal(
    reindexInWords({ reindex }),
    'Preparing the documents for bge-m3: 1,200 of 5,000 passages. Until then they are searched by words alone.',
  );
  assert.equal(
    reindexInWords({ reindex: { ...reindex, state: 'waiting', message: 'Nothing answers.', by_words_only: false } }),
    'Preparing the documents for bge-m3: 1,200 of 5,000 passages. It waits: Nothing answers.',
  );
  assert.equal(reindexInWords({ reindex: { ...reindex, state: 'done' } }), '');
  assert.equal(reindexInWords({}), '');
});

test('what writes the answers is said in words', () => {
  const chat = { provider: 'ollama', model: 'llama3.2:3b', state: 'ready', local: true };
  const said = (changes) => writerInWords({ chat: { ...chat, ...changes } });
  assert.deepEqual(
    [said({}), said({ state: null }), said({ state: 'loading' }), said({ state: 'missing' }), said({ state: 'unreachable' })],
    ['llama3.2:3b', 'llama3.2:3b', 'llama3.2:3b (loading)', 'llama3.2:3b (not installed, quotes instead)', 'llama3.2:3b (not reachable, quotes instead)'],
  );
  assert.equal(said({ local: false }), 'llama3.2:3b (ollama, online)');
  assert.equal(said({ provider: 'extractive', model: null, state: null }), 'exact quotes, no model');
});
