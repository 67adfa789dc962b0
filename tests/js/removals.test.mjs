import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../web/js/api.js';
import { createRemovals } from '../../web/js/removals.js';
import { initialState, reduce } from '../../web/js/state.js';

const doc = (document_id) => ({ document_id, name: `${document_id}.pdf`, media_type: 'application/pdf' });

/** Removals whose program and toast are played by the test. */
function bench(deleteDocument = async () => {}) {
  const told = { state: initialState, said: [], sent: [], refreshed: 0, back: [] };
  const dispatch = (action) => (told.state = reduce(told.state, action));
  let offer = null;
  const toast = {
    offer: (text, made) => ((offer = made), (told.offered = text)),
    finish() {
      const made = offer;
      offer = null;
      made?.done();
    },
  };
  const removals = createRemovals({
    state: () => told.state,
    dispatch,
    toast: () => toast,
    deleteDocument: (id) => (told.sent.push(id), deleteDocument(id)),
    refresh: async () => void (told.refreshed += 1),
    say: (text) => told.said.push(text),
    onBack: (id) => told.back.push(id),
  });
  const undo = () => {
    const made = offer;
    offer = null;
    made.undo();
  };
  dispatch({ type: 'documents-loaded', documents: [doc('a'), doc('b'), doc('c')] });
  dispatch({ type: 'documents-picked', documentIds: ['a'], on: true });
  return { told, removals, toast, undo };
}

const here = (state) => state.documents.map(({ document_id: id }) => id);

test('a removal that is undone sends nothing and gives the tick back', () => {
  const { told, removals, undo } = bench();
  removals.remove(['a', 'c']);
  assert.deepEqual([here(told.state), told.state.selected, told.offered], [['b'], [], '2 documents removed']);
  undo();
  assert.deepEqual([here(told.state), told.state.selected, told.sent, told.back], [['a', 'b', 'c'], ['a'], [], ['a']]);
});

test('what is removed is sent at once for all when the time for undoing ends', () => {
  const { told, removals, toast } = bench(() => new Promise(() => {}));
  removals.remove(['a', 'c']);
  assert.deepEqual(told.sent, []);
  toast.finish();
  assert.deepEqual(told.sent, ['a', 'c']);
});

test('a second removal ends the time of the first, and settling waits for both', async () => {
  const { told, removals } = bench();
  removals.remove(['a']);
  removals.remove(['b']);
  assert.deepEqual(told.sent, ['a']);
  await removals.settle();
  assert.deepEqual([told.sent, told.refreshed, told.said[0]], [['a', 'b'], 2, 'a.pdf removed. Press U to undo.']);
});

test('a document that could not be removed comes back with the reason; one that was gone does not', async () => {
  const fail = (code) => bench(() => Promise.reject(new ApiError({ code, message: 'm', fix: 'f' })));
  const broken = fail('store-fault');
  broken.removals.remove(['a']);
  await broken.removals.settle();
  assert.deepEqual([here(broken.told.state), broken.told.state.problem.code], [['a', 'b', 'c'], 'store-fault']);
  const gone = fail('unknown-document');
  gone.removals.remove(['a']);
  await gone.removals.settle();
  assert.deepEqual([here(gone.told.state), gone.told.state.problem], [['b', 'c'], null]);
});

test('nothing happens for documents that are not there', () => {
  const { told, removals } = bench();
  removals.remove(['x']);
  assert.deepEqual([told.offered, told.said], [undefined, []]);
});
