import assert from 'node:assert/strict';
import { test } from 'node:test';

import { askingTurn, initialState, openCitation, openDocument, reduce, scopeOf } from '../../web/js/state.js';

const doc = (document_id, name = `${document_id}.pdf`) => ({ document_id, name, media_type: 'application/pdf' });
const run = (...actions) => actions.reduce(reduce, initialState);
const loaded = (...documents) => ({ type: 'documents-loaded', documents });
const tick = (documentId, on = true) => ({ type: 'documents-picked', documentIds: [documentId], on });
const asked = (turnId) => ({ type: 'asked', turnId, question: 'Why?', documentIds: null, scope: '', at: 0 });
const answer = { answer: 'So [1] [2].', citations: [{ id: 1, document_id: 'a' }, { id: 2, document_id: 'b' }] };

test('no tick and every tick both mean the whole library', () => {
  assert.equal(scopeOf(run(loaded(doc('a'), doc('b')))), null);
  assert.equal(scopeOf(run(loaded(doc('a'), doc('b')), tick('a'), tick('b'))), null);
  assert.deepEqual(scopeOf(run(loaded(doc('a'), doc('b')), tick('a'))), ['a']);
  assert.equal(scopeOf(run(loaded(doc('a'), doc('b')), tick('a'), tick('a', false))), null);
});

test('a removed document loses its tick', () => {
  const state = run(loaded(doc('a'), doc('b'), doc('c')), tick('a'), tick('b'), loaded(doc('b'), doc('c')));
  assert.deepEqual(state.selected, ['b']);
});

test('a replaced document keeps its tick under its new id', () => {
  const state = run(loaded(doc('a', 'x.pdf'), doc('b')), tick('a'), loaded(doc('a2', 'x.pdf'), doc('b')));
  assert.deepEqual(state.selected, ['a2']);
});

test('stopping keeps the earlier answer, and a late answer to a stopped question is dropped', () => {
  const state = run(asked('t1'), { type: 'answered', turnId: 't1', answer }, asked('t2'), { type: 'ask-stopped', turnId: 't2' }, {
    type: 'answered',
    turnId: 't2',
    answer,
  });
  assert.deepEqual(state.turns.map((turn) => [turn.phase, turn.answer]), [['answered', answer], ['stopped', null]]);
  assert.equal(askingTurn(state), null);
});

test('the open citation knows its neighbours and whether its document is still there', () => {
  const open = (number) => ({ type: 'citation-opened', turnId: 't1', number });
  const before = [loaded(doc('a'), doc('b')), asked('t1'), { type: 'answered', turnId: 't1', answer }];
  const second = openCitation(run(...before, open(2)));
  assert.deepEqual([second.citation.id, second.index, second.citations.length, second.gone], [2, 1, 2, false]);
  assert.equal(openCitation(run(...before, open(2), loaded(doc('a')))).gone, true);
  assert.equal(openCitation(run(...before, open(7))), null);
  assert.equal(openCitation(run(...before, open(1), { type: 'source-closed' })), null);
});

test('a narrow screen follows: to the source when it opens, back when it closes', () => {
  const state = run(asked('t1'), { type: 'answered', turnId: 't1', answer }, { type: 'citation-opened', turnId: 't1', number: 1 });
  assert.equal(state.place, 'source');
  assert.equal(reduce(state, { type: 'source-closed' }).place, 'conversation');
});

test('the reducer never changes the state it is given', () => {
  const freeze = (value) => {
    if (value && typeof value === 'object') Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const actions = [
    loaded(doc('a')),
    tick('a'),
    { type: 'uploads-added', uploads: [{ uploadId: 'u', name: 'a', sizeBytes: 1 }], at: 0 },
    { type: 'upload-sending', uploadId: 'u', at: 1 },
    { type: 'upload-sent', uploadId: 'u', share: 0.5 },
    { type: 'upload-accepted', uploadId: 'u', jobId: 'j' },
    { type: 'job-seen', job: { job_id: 'j', name: 'a', state: 'extracting' }, at: 2 },
    { type: 'job-seen', job: { job_id: 'k', name: 'b', state: 'queued' }, at: 2 },
    { type: 'jobs-gone', jobIds: ['k'] },
    { type: 'upload-dropped', uploadId: 'u' },
    asked('t'),
    { type: 'ask-failed', turnId: 't', problem: { code: 'c', message: 'm', fix: 'f' } },
    { type: 'conversation-cleared' },
  ];
  actions.reduce((state, action) => freeze(reduce(state, action)), freeze(structuredClone(initialState)));
});

test('a document that is about to be removed is hidden, neither ticked nor searched, and can come back', () => {
  const before = run(loaded(doc('a'), doc('b')), tick('a'));
  const leaving = reduce(before, { type: 'documents-leaving', documentIds: ['a'] });
  assert.deepEqual([leaving.documents.map(({ document_id: id }) => id), leaving.selected], [['b'], []]);
  const listed = reduce(leaving, loaded(doc('a'), doc('b'), doc('c')));
  assert.deepEqual(listed.documents.map(({ document_id: id }) => id), ['b', 'c']);
  const back = reduce(listed, { type: 'documents-returned', documentIds: ['a'], selected: ['a'] });
  assert.deepEqual([back.documents.length, back.selected, back.leaving], [3, ['a'], []]);
  const gone = reduce(leaving, loaded(doc('b')));
  assert.deepEqual([gone.documents.length, gone.leaving], [1, []]);
});

test('a document and a citation are shown in turn, and closing leads back to where each came from', () => {
  const cited = run(loaded(doc('a'), doc('b')), asked('t1'), { type: 'answered', turnId: 't1', answer }, { type: 'citation-opened', turnId: 't1', number: 1 });
  const reading = reduce(cited, { type: 'document-opened', documentId: 'b', page: 3 });
  assert.deepEqual([openCitation(reading), openDocument(reading)], [null, { document: doc('b'), page: 3 }]);
  assert.equal(reduce(reading, { type: 'source-closed' }).place, 'library');
  const again = reduce(reading, { type: 'citation-opened', turnId: 't1', number: 2 });
  assert.deepEqual([openCitation(again).index, openDocument(again)], [1, null]);
  assert.equal(reduce(again, { type: 'source-closed' }).place, 'conversation');
});

test('a document that changed keeps its place', () => {
  const state = run(loaded(doc('a'), doc('b')), { type: 'document-changed', document: { ...doc('a'), tags: ['x'] } });
  assert.deepEqual(state.documents.map(({ tags }) => tags), [['x'], undefined]);
});
