/**
 * Removing with a way back: the documents leave the page at once, and the program when nobody has undone it.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {{offer: (text: string, offer: {undo: () => void, done: () => void}) => void, finish: () => void}} Toast
 */

import { ApiError } from './api.js';
import { words } from './messages.js';

/**
 * @param {object} options
 * @param {() => State} options.state
 * @param {(action: Action) => void} options.dispatch
 * @param {() => Toast} options.toast
 * @param {(documentId: string) => Promise<void>} options.deleteDocument
 * @param {() => Promise<void>} options.refresh   lists the documents anew
 * @param {(text: string) => void} options.say
 * @param {(documentId: string) => void} options.onBack   a removal was undone
 */
export function createRemovals({ state, dispatch, toast, deleteDocument, refresh, say, onBack }) {
  /** @type {Promise<unknown>} */
  let sent = Promise.resolve();

  /** @param {string} documentId */
  async function removeOne(documentId) {
    try {
      await deleteDocument(documentId);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Gone already is what was wanted; anything else is said.
      if (error.problem.code === 'unknown-document') return;
      dispatch({ type: 'documents-returned', documentIds: [documentId], selected: [] });
      dispatch({ type: 'connection-failed', problem: error.problem });
    }
  }

  return {
    /** @param {readonly string[]} documentIds */
    remove(documentIds) {
      const going = (state().documents ?? []).filter((document) => documentIds.includes(document.document_id));
      if (going.length === 0) return;
      toast().finish();
      const ids = going.map((document) => document.document_id);
      const selected = state().selected.filter((id) => ids.includes(id));
      dispatch({ type: 'documents-leaving', documentIds: ids });
      const one = going.length === 1 ? going[0].name : null;
      const text = one === null ? words.removedMany(going.length) : words.removedOne(one);
      say(one === null ? text : words.saidRemoved(one));
      toast().offer(text, {
        undo() {
          dispatch({ type: 'documents-returned', documentIds: ids, selected });
          say(words.keptAfterAll);
          onBack(ids[0]);
        },
        done() {
          // All at once: on leaving the page there is no second moment.
          const removed = Promise.all(ids.map(removeOne)).then(refresh);
          sent = Promise.all([sent, removed]);
        },
      });
    },
    /** Ends the time for undoing, and waits until the program has removed all: nothing removed may answer a question. */
    async settle() {
      toast().finish();
      await sent;
    },
  };
}
