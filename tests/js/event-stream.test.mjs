import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createEventParser, eventsOf } from '../../web/js/event-stream.js';

const TEXT = 'event: stage\ndata: {"stage": "search"}\n\n: still here\n\nevent: claim\ndata: über 🌊\n\n';
const EVENTS = [
  { event: 'stage', data: '{"stage": "search"}' },
  { event: 'claim', data: 'über 🌊' },
];

/** @param {string[]} stretches */
function parsed(stretches) {
  const parse = createEventParser();
  return stretches.flatMap((stretch) => parse(stretch));
}

/** @param {Uint8Array[]} chunks */
function streamOf(chunks, onCancel = () => {}) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
    cancel: onCancel,
  });
}

async function collected(body) {
  const events = [];
  for await (const event of eventsOf(body)) events.push(event);
  return events;
}

test('an event comes out once its blank line is there, and not before', () => {
  const parse = createEventParser();
  assert.deepEqual(parse('event: stage\ndata: 1\n'), []);
  assert.deepEqual(parse('\n'), [{ event: 'stage', data: '1' }]);
  assert.deepEqual(parse(''), []);
});

test('a text cut at any place gives the same events', () => {
  for (let cut = 0; cut <= TEXT.length; cut += 1) {
    assert.deepEqual(parsed([TEXT.slice(0, cut), TEXT.slice(cut)]), EVENTS, `cut at ${cut}`);
  }
  assert.deepEqual(parsed(Array.from(TEXT)), EVENTS);
});

test('lines may end in CRLF or CR, also where the two halves come apart', () => {
  for (const end of ['\r\n', '\r']) {
    const text = `${TEXT.replaceAll('\n', end)}event: more`;
    assert.deepEqual(parsed([text]), EVENTS);
    assert.deepEqual(parsed(Array.from(text)), EVENTS);
  }
});

test('comments and fields that nobody knows are passed over', () => {
  assert.deepEqual(parsed([': hello\nid: 7\nretry: 10\nnonsense\ndata: x\n\n']), [{ event: 'message', data: 'x' }]);
});

test('data over several lines is joined, and only one leading space is dropped', () => {
  assert.deepEqual(parsed(['data: a\ndata:  b\ndata\ndata:c\n\n']), [{ event: 'message', data: 'a\n b\n\nc' }]);
});

test('a name without data is no event, and does not name the next one', () => {
  assert.deepEqual(parsed(['event: stage\n\ndata: x\n\n']), [{ event: 'message', data: 'x' }]);
});

test('a mark of the byte order at the beginning is no part of the first field', () => {
  assert.deepEqual(parsed(['\ufeffdata: x\n\n', 'data: y\n\n']).map(({ data }) => data), ['x', 'y']);
});

test('bytes cut within a character give the whole character', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    assert.deepEqual(await collected(streamOf([bytes.slice(0, cut), bytes.slice(cut)])), EVENTS, `cut at ${cut}`);
  }
  assert.deepEqual(await collected(streamOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))), EVENTS);
});

test('what is cut off before its blank line is dropped', async () => {
  assert.deepEqual(await collected(streamOf([new TextEncoder().encode('data: x\n\ndata: half')])), [{ event: 'message', data: 'x' }]);
});

test('leaving the loop gives the connection up', async () => {
  let given = false;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
    cancel: () => {
      given = true;
    },
  });
  for await (const event of eventsOf(body)) {
    assert.deepEqual(event, EVENTS[0]);
    break;
  }
  assert.equal(given, true);
});
