import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../web/js/api.js';
import { saidOf } from '../../web/js/said.js';
import { citationsOf, openCitation } from '../../web/js/state-talk.js';
import { initialState, reduce } from '../../web/js/state.js';
import { createTalk, FIRST_SHOWN } from '../../web/js/talk.js';

const ID = 'c'.repeat(32);
const stage = (name, attempt = 1, rest = {}) => ({ stage: name, attempt, writer: null, model_state: null, elapsed_ms: 5, ...rest });
const citation = (id, quote = '') => ({ id, document_id: 'd', quote });
const claim = (text, ...citations) => ({ text, citations });
const answer = (text, rest = {}) => ({ answer: text, citations: [citation(1)], ledger: [], turn: 1, refused: false, ...rest });
const kept = (number) => ({ ...answer(`Answer ${number}`), number, question: `Question ${number}?`, asked_at: '2026-01-01T10:00:00Z', document_ids: null, gone_documents: [] });
const whole = (count, from = 1) => ({ conversation_id: ID, title: 'A title', turn_count: count, turns: Array.from({ length: count - from + 1 }, (_, i) => kept(from + i)) });

/** A conversation whose program is played by the test. */
function bench(program = {}) {
  const told = { state: initialState, said: [], remembered: [], asked: [], opened: [] };
  const pending = [];
  const talk = createTalk({
    state: () => told.state,
    dispatch(action) {
      const before = told.state;
      told.state = reduce(before, action);
      const said = saidOf(action, before, told.state);
      if (said) told.said.push(said);
    },
    program: {
      beginConversation: async () => ({ conversation_id: ID }),
      getConversation: async (id, last) => (told.opened.push([id, last]), whole(2)),
      ask(asked, { signal, onEvent }) {
        told.asked.push(asked);
        return new Promise((resolve, reject) => {
          pending.push({ resolve, reject, tell: onEvent });
          signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
        });
      },
      ...program,
    },
    remember: (...args) => told.remembered.push(args),
    now: () => 0,
  });
  return { talk, told, pending, turns: () => told.state.turns };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

async function asking(question = 'Why?', program = {}) {
  const all = bench(program);
  const done = all.talk.ask(question);
  await settled();
  return { ...all, done };
}

test('the first question begins a conversation, and the next ones are asked in it', async () => {
  const { talk, told, pending, done } = await asking();
  pending[0].resolve(answer('So [1].'));
  await done;
  const second = talk.ask('And then?');
  await settled();
  pending[1].resolve(answer('Thus [1].', { turn: 2 }));
  await second;
  assert.deepEqual(told.asked.map(({ question, conversationId }) => [question, conversationId]), [['Why?', ID], ['And then?', ID]]);
  assert.deepEqual(told.remembered, [[ID, false]]);
  assert.deepEqual(told.state.turns.map(({ phase, number }) => [phase, number]), [['answered', 1], ['answered', 2]]);
});

test('statements come one by one, cite at once, and give way to the answer', async () => {
  const { told, turns, pending, done } = await asking();
  pending[0].tell('stage', stage('search'));
  pending[0].tell('evidence', { evidence: [{ document_id: 'a' }, { document_id: 'a' }, { document_id: 'b' }] });
  assert.deepEqual(turns()[0].found, { passages: 3, documents: 2 });
  pending[0].tell('claim', claim('One [1].', citation(1, 'one')));
  pending[0].tell('claim', claim('Two [1] [2].', citation(1, 'one … two'), citation(2)));
  assert.deepEqual(citationsOf(turns()[0]).map(({ id, quote }) => [id, quote]), [[1, 'one … two'], [2, '']]);
  const open = { type: 'citation-opened', turnId: turns()[0].turnId, number: 2 };
  assert.equal(openCitation(reduce(told.state, open)).citation.id, 2);
  pending[0].resolve(answer('One [1].'));
  await done;
  assert.deepEqual([turns()[0].claims, turns()[0].answer.answer], [[], 'One [1].']);
});

test('a new attempt makes void what was told before it', async () => {
  const { turns, pending } = await asking();
  pending[0].tell('stage', stage('search'));
  pending[0].tell('claim', claim('One [1].', citation(1)));
  pending[0].tell('stage', stage('cite'));
  pending[0].tell('audit', { part: 0, audits: [{}, {}] });
  pending[0].tell('audit', { part: 1, audits: [{}] });
  assert.deepEqual([turns()[0].claims.length, turns()[0].checked], [1, 3]);
  pending[0].tell('stage', stage('search', 2));
  assert.deepEqual([turns()[0].claims, turns()[0].checked, turns()[0].found], [[], 0, null]);
});

test('stages are said as they change, not each second', async () => {
  const { told, pending, done } = await asking();
  const writing = (elapsed_ms) => stage('write', 1, { writer: 'ollama llama3.2:3b', model_state: 'ready', elapsed_ms });
  for (const ms of [1, 2, 3]) pending[0].tell('stage', stage('search', 1, { elapsed_ms: ms }));
  for (const ms of [4, 5, 6]) pending[0].tell('stage', writing(ms));
  pending[0].tell('stage', stage('cite'));
  pending[0].resolve(answer('So [1].'));
  await done;
  assert.deepEqual(told.said, ['Searching your documents…', '\u2068llama3.2:3b\u2069 is writing…', 'Answer ready, 1 source']);
});

test('stopping keeps the statements so far, and what is told later changes nothing', async () => {
  const { talk, turns, pending, done } = await asking();
  pending[0].tell('claim', claim('One [1].', citation(1)));
  talk.stop();
  pending[0].tell('claim', claim('Two [1].', citation(1)));
  await done;
  assert.deepEqual([turns()[0].phase, turns()[0].claims.length], ['stopped', 1]);
});

test('asking again takes the place of what came to nothing, and leaves an answer', async () => {
  const { talk, turns, pending, done } = await asking();
  talk.stop();
  await done;
  void talk.again(turns()[0].turnId);
  await settled();
  assert.deepEqual(turns().map(({ question, phase }) => [question, phase]), [['Why?', 'asking']]);
  pending[1].resolve(answer('So [1].'));
  await settled();
  void talk.again(turns()[0].turnId);
  assert.deepEqual(turns().map(({ phase }) => phase), ['answered', 'asking']);
});

test('a failure is kept with the question; a conversation that is gone is begun anew', async () => {
  const { talk, told, turns, pending, done } = await asking();
  pending[0].reject(new ApiError({ code: 'unknown-conversation', message: 'It is gone.', fix: '' }));
  await done;
  assert.deepEqual([turns()[0].phase, turns()[0].problem.message, told.state.talk.conversationId], ['failed', 'It is gone.', null]);
  void talk.again(turns()[0].turnId);
  await settled();
  assert.equal(told.state.talk.conversationId, ID);
});

test('two questions are never asked at once, nor an empty one', async () => {
  const { talk, turns } = await asking();
  await talk.ask('Another?');
  await talk.ask('');
  assert.equal(turns().length, 1);
});

test('reopening shows what is kept, the latest first, and the rest on demand', async () => {
  const program = { getConversation: async (id, last) => whole(40, last ? 41 - last : 1) };
  const { talk, told } = bench(program);
  await talk.open(ID);
  assert.deepEqual([told.state.turns.length, told.state.turns[0].question, told.state.talk.earlier], [FIRST_SHOWN, 'Question 11?', 10]);
  const before = told.state.turns.at(-1);
  await talk.showEarlier();
  assert.deepEqual([told.state.turns.length, told.state.turns[0].question, told.state.talk.earlier], [40, 'Question 1?', 0]);
  assert.equal(told.state.turns.at(-1), before, 'what is on show stays the same');
  assert.deepEqual(told.said, ['A title opened']);
});

test('what comes late for a conversation that was left is dropped', async () => {
  let give = () => {};
  const { talk, told } = bench({ getConversation: () => new Promise((resolve) => (give = resolve)) });
  const opening = talk.open(ID);
  talk.fresh();
  give(whole(2));
  await opening;
  assert.deepEqual([told.state.turns, told.state.talk.conversationId], [[], null]);
  assert.deepEqual(told.remembered, [[ID, true], [null, true]]);
});

test('a conversation that cannot be opened says why', async () => {
  const problem = { code: 'unknown-conversation', message: 'It is gone.', fix: '' };
  const { talk, told } = bench({ getConversation: async () => Promise.reject(new ApiError(problem)) });
  await talk.open(ID);
  assert.deepEqual([told.state.talk.phase, told.state.talk.problem], ['failed', problem]);
});

test('a row of what was found opens as a passage, with the other rows as its neighbours', async () => {
  const row = (chunk_id) => ({ chunk_id, document_id: 'd', source: 's.md', text: chunk_id, lead: '', page_start: 0, page_end: 1 });
  const { told, turns, pending, done } = await asking();
  pending[0].resolve(answer('So [1].', { ledger: [{ rows: [] }, { rows: [row('a'), row('b')] }] }));
  await done;
  const open = { type: 'citation-opened', turnId: turns()[0].turnId, number: 2, part: 1 };
  const state = reduce(told.state, open);
  const shown = openCitation(state);
  assert.deepEqual([shown.part, shown.index, shown.citations.length, shown.citation.text, shown.citation.spans], [1, 1, 2, 'b', []]);
  assert.equal(openCitation(state).citation, shown.citation, 'the same each time it is looked at');
});
