/**
 * The page's state and the one function that changes it. No DOM, no clock, no network.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./state-types.js').Upload} Upload
 * @typedef {import('./state-types.js').Turn} Turn
 * @typedef {import('./state-types.js').Place} Place
 * @typedef {import('./contract.js').RagDocument} RagDocument
 */

import { reduceTalk, untitled } from './state-talk.js';
import { reduceUploads } from './state-uploads.js';

export { askingTurn, openCitation } from './state-talk.js';

/** @type {State} */
export const initialState = Object.freeze({
  health: null,
  problem: null,
  all: null,
  leaving: [],
  documents: null,
  selected: [],
  fresh: [],
  uploads: [],
  turns: [],
  talk: untitled,
  evidence: false,
  open: null,
  reading: null,
  place: 'conversation',
});

/**
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  switch (action.type) {
    case 'health-loaded':
      return { ...state, health: action.health, problem: null };
    case 'connection-failed':
      return { ...state, problem: action.problem };
    case 'documents-loaded':
    case 'documents-leaving':
    case 'documents-returned':
    case 'document-changed':
    case 'documents-picked':
    case 'selection-cleared':
      return reduceLibrary(state, action);
    case 'citation-opened':
      return { ...state, open: { turnId: action.turnId, number: action.number, part: action.part ?? null }, reading: null, place: 'source' };
    case 'document-opened':
      return { ...state, open: null, reading: { documentId: action.documentId, page: action.page }, place: 'source' };
    case 'source-closed': {
      const back = state.reading ? 'library' : 'conversation';
      return { ...state, open: null, reading: null, place: state.place === 'source' ? back : state.place };
    }
    case 'place-shown':
      return { ...state, place: action.place };
    default:
      return reduceUploads(reduceTalk(state, action), action);
  }
}

/** @param {State} state @param {Action} action @returns {State} */
function reduceLibrary(state, action) {
  switch (action.type) {
    case 'documents-loaded': {
      const known = new Set(action.documents.map((document) => document.document_id));
      const leaving = state.leaving.filter((id) => known.has(id));
      const after = withDocuments({ ...state, problem: null, leaving }, action.documents);
      return { ...after, selected: keepSelection(state, after.documents ?? []) };
    }
    case 'documents-leaving': {
      const gone = new Set(action.documentIds);
      const leaving = [...state.leaving.filter((id) => !gone.has(id)), ...action.documentIds];
      const selected = state.selected.filter((id) => !gone.has(id));
      return withDocuments({ ...state, leaving, selected }, state.all);
    }
    case 'documents-returned': {
      const back = new Set(action.documentIds);
      const leaving = state.leaving.filter((id) => !back.has(id));
      const selected = [...new Set([...state.selected, ...action.selected])];
      return withDocuments({ ...state, leaving, selected }, state.all);
    }
    case 'document-changed': {
      const { document } = action;
      return withDocuments(state, state.all?.map((old) => (old.document_id === document.document_id ? document : old)) ?? null);
    }
    case 'documents-picked': {
      const picked = new Set(action.documentIds);
      const others = state.selected.filter((id) => !picked.has(id));
      return { ...state, selected: action.on ? [...others, ...picked] : others };
    }
    case 'selection-cleared':
      return { ...state, selected: [] };
    default:
      return state;
  }
}

/** The documents that the page shows: all but those about to be removed. @param {State} state @param {readonly RagDocument[] | null} all @returns {State} */
function withDocuments(state, all) {
  const leaving = new Set(state.leaving);
  return { ...state, all, documents: leaving.size === 0 || !all ? all : all.filter((document) => !leaving.has(document.document_id)) };
}

/**
 * Ticked documents that are still there. One that was replaced keeps its tick under its new id:
 * else replacing the only ticked document would widen the search to all of them.
 * @param {State} state
 * @param {readonly RagDocument[]} documents
 */
function keepSelection(state, documents) {
  const here = new Set(documents.map((document) => document.document_id));
  const before = state.documents ?? [];
  const kept = state.selected.flatMap((id) => {
    if (here.has(id)) return [id];
    const name = before.find((document) => document.document_id === id)?.name;
    const heir = documents.find((document) => document.name === name);
    return heir ? [heir.document_id] : [];
  });
  return [...new Set(kept)];
}

/** The scope of the next question: `null` for all. @param {State} state @returns {string[] | null} */
export function scopeOf(state) {
  const total = state.documents?.length ?? 0;
  return state.selected.length === 0 || state.selected.length === total ? null : [...state.selected];
}

/** The document on show that was opened from the library. @param {State} state */
export function openDocument(state) {
  const { reading, documents } = state;
  const document = reading && documents?.find(({ document_id: id }) => id === reading.documentId);
  return document ? { document, page: reading.page } : null;
}
