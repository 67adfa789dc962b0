/** Puts the page together: state in the middle, elements around it, the program behind it. */

import { ApiError, ask, deleteAllDocuments, deleteDocument, deleteJob, getHealth, listDocuments, listJobs, openJobEvents, retryJob, upload } from './api.js';
import { takeFiles } from './behaviours/files.js';
import { listenToKeys } from './behaviours/keys.js';
import { RagAnnouncer } from './elements/announcer.js';
import { RagComposer } from './elements/composer.js';
import { RagConversation } from './elements/conversation.js';
import { confirmed, showKeys } from './elements/dialogs.js';
import { RagElapsed } from './elements/elapsed.js';
import { RagLibrary } from './elements/library.js';
import { RagPageText } from './elements/page-text.js';
import { RagPage } from './elements/page.js';
import { RagPageView } from './elements/page-view.js';
import { showPages } from './elements/pages-dialog.js';
import { RagPlaces } from './elements/places.js';
import { RagSource } from './elements/source.js';
import { RagStatus } from './elements/status.js';
import { RagStrip } from './elements/strip.js';
import { RagUploads } from './elements/uploads.js';
import { createIntake } from './intake.js';
import { reindexInWords, scopeInWords, words } from './messages.js';
import { saidOf } from './said.js';
import { askingTurn, initialState, openCitation, reduce, scopeOf } from './state.js';

const REINDEX_LOOK_MS = 3000;

/**
 * @typedef {import('./state.js').Action} Action
 * @typedef {import('./contract.js').RagDocument} RagDocument
 */

for (const [tag, element] of /** @type {[string, CustomElementConstructor][]} */ ([
  ['rag-elapsed', RagElapsed],
  ['rag-uploads', RagUploads],
  ['rag-composer', RagComposer],
  ['rag-page', RagPage],
  ['rag-page-text', RagPageText],
  ['rag-page-view', RagPageView],
  ['rag-strip', RagStrip],
  ['rag-status', RagStatus],
  ['rag-library', RagLibrary],
  ['rag-conversation', RagConversation],
  ['rag-source', RagSource],
  ['rag-places', RagPlaces],
  ['rag-announcer', RagAnnouncer],
])) {
  customElements.define(tag, element);
}

/** @template {Element} T @param {string} selector @returns {T} */
const find = (selector) => /** @type {T} */ (document.querySelector(selector));

const app = /** @type {HTMLElement} */ (find('#app'));
const status = /** @type {RagStatus} */ (find('rag-status'));
const library = /** @type {RagLibrary} */ (find('rag-library'));
const conversation = /** @type {RagConversation} */ (find('rag-conversation'));
const source = /** @type {RagSource} */ (find('rag-source'));
const pageText = /** @type {RagPageText} */ (find('rag-page-text'));
const places = /** @type {RagPlaces} */ (find('rag-places'));
const announcer = /** @type {RagAnnouncer} */ (find('rag-announcer'));

let state = initialState;

/** @param {Action} action */
function dispatch(action) {
  const before = state;
  state = reduce(state, action);
  app.dataset.place = state.place;
  app.classList.toggle('app--proof', openCitation(state) !== null);
  for (const view of [status, library, conversation, source, places]) view.show(state);
  const said = saidOf(action, before, state);
  if (said) announcer.say(said);
}

/** @param {unknown} error @returns {import('./contract.js').Problem} */
function problemOf(error) {
  if (error instanceof ApiError) return error.problem;
  throw error;
}

// --- the library ---

async function connect() {
  try {
    await loadHealth();
    await refresh();
  } catch (error) {
    dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
}

async function loadHealth() {
  const health = await getHealth();
  dispatch({ type: 'health-loaded', health });
  // While the index is made anew, the line says how far it is.
  if (reindexInWords(health)) setTimeout(() => void loadHealth().catch(() => undefined), REINDEX_LOOK_MS);
}

let asked = 0;

async function refresh() {
  const mine = (asked += 1);
  try {
    const documents = await listDocuments();
    // A list that was asked for earlier must not overwrite a later one.
    if (mine === asked) dispatch({ type: 'documents-loaded', documents });
  } catch (error) {
    dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** Many files that end together are one refresh. */
function refreshSoon() {
  clearTimeout(soon);
  soon = setTimeout(() => void refresh(), 50);
}

const intake = createIntake({
  state: () => state,
  dispatch,
  program: { upload, listJobs, openJobEvents, deleteJob, retryJob },
  onLibraryChanged: refreshSoon,
  onLost: (problem) => dispatch({ type: 'connection-failed', problem }),
  onFound: () => void connect(),
});

/** @param {File[]} files @param {number} [skipped] */
function addFiles(files, skipped = 0) {
  if (files.length > 0) dispatch({ type: 'place-shown', place: 'library' });
  intake.add(files);
  if (skipped > 0) announcer.say(words.skipped(skipped));
}

/** @param {RagDocument} document */
async function remove(document) {
  const { document_id: documentId, name } = document;
  if (!(await confirmed({ title: words.removeTitle, body: words.removeBody(name), confirm: words.removeConfirm }))) return;
  const index = state.documents?.findIndex((item) => item.document_id === documentId) ?? 0;
  try {
    await deleteDocument(documentId);
    announcer.say(words.saidRemoved(name));
  } catch (error) {
    // Gone already is what was wanted; anything else is said.
    if (problemOf(error).code !== 'unknown-document') return dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
  await refresh();
  library.focusNear(index);
}

async function removeAll() {
  const total = state.documents?.length ?? 0;
  if (!(await confirmed({ title: words.removeAllTitle(total), body: words.removeAllBody, confirm: words.removeAllConfirm }))) return;
  try {
    await deleteAllDocuments();
    announcer.say(words.saidAllRemoved);
  } catch (error) {
    return dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
  await refresh();
  library.focusNear(0);
}

// --- the conversation ---

let turns = 0;
let stop = new AbortController();

/** @param {string} question */
async function askQuestion(question) {
  if (askingTurn(state)) return;
  const turnId = `turn-${(turns += 1)}`;
  const documentIds = scopeOf(state);
  const scope = scopeInWords(documentIds?.length ?? 0, state.documents?.length ?? 0);
  stop = new AbortController();
  const { signal } = stop;
  dispatch({ type: 'asked', turnId, question, documentIds, scope, at: Date.now() });
  try {
    dispatch({ type: 'answered', turnId, answer: await ask(question, documentIds, signal) });
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: 'ask-failed', turnId, problem: problemOf(error) });
  }
}

function stopAsking() {
  const turn = askingTurn(state);
  if (!turn) return;
  stop.abort();
  dispatch({ type: 'ask-stopped', turnId: turn.turnId });
}

async function clearConversation() {
  if (!(await confirmed({ title: words.clearTitle, body: words.clearBody, confirm: words.clearConfirm }))) return;
  stopAsking();
  dispatch({ type: 'conversation-cleared' });
  conversation.focusQuestion();
}

// --- the source ---

/** @type {HTMLElement | null} */
let opener = null;

/** @param {string} turnId @param {number} number @param {HTMLElement | null} from */
function openSource(turnId, number, from) {
  opener = from;
  dispatch({ type: 'citation-opened', turnId, number });
  source.focusTitle();
}

/** @param {number} step */
function stepSource(step) {
  const open = openCitation(state);
  const neighbour = open?.citations[open.index + step];
  if (open && neighbour) dispatch({ type: 'citation-opened', turnId: open.turnId, number: neighbour.id });
}

function closeSource() {
  const open = openCitation(state);
  if (!open) return dispatch({ type: 'place-shown', place: 'conversation' });
  dispatch({ type: 'citation-closed' });
  const number = open.citation.id;
  const same = opener?.isConnected && opener.dataset.number === String(number);
  (same ? opener : conversation.citationButton(open.turnId, number))?.focus();
}

// --- news from the elements ---

/** @type {Record<string, (detail: any, target: HTMLElement) => unknown>} */
const news = {
  'connect-asked': connect,
  'help-asked': showKeys,
  'place-asked': (place) => dispatch({ type: 'place-shown', place }),
  'files-asked': () => library.choose(),
  'files-chosen': (files) => addFiles(files),
  'upload-retried': ({ uploadId, password }) => intake.retry(uploadId, password),
  'upload-dropped': (uploadId) => intake.drop(uploadId),
  'uploads-left': () => library.focusTitle(),
  'document-toggled': (detail) => dispatch({ type: 'document-toggled', ...detail }),
  'selection-cleared': () => dispatch({ type: 'selection-cleared' }),
  'pages-asked': showPages,
  'document-remove-asked': remove,
  'library-clear-asked': removeAll,
  'question-asked': askQuestion,
  'question-repeated': (turnId) => askQuestion(state.turns.find((turn) => turn.turnId === turnId)?.question ?? ''),
  'stop-asked': stopAsking,
  'conversation-clear-asked': clearConversation,
  'citation-asked': ({ turnId, number }, target) => openSource(turnId, number, target),
  'citation-step-asked': stepSource,
  'source-close-asked': closeSource,
  'page-failed': ({ citation, problem }) => pageText.showCitation(citation, words.pageFailed, problem ? words.pageProblem(problem) : ''),
};
for (const [type, act] of Object.entries(news)) {
  document.addEventListener(type, (event) => void act(/** @type {CustomEvent} */ (event).detail, /** @type {HTMLElement} */ (event.target)));
}

takeFiles({ onFiles: addFiles, accepts: () => state.health?.accepts ?? [] });
listenToKeys({
  escape: () => (openCitation(state) ? closeSource() : stopAsking()),
  question() {
    dispatch({ type: 'place-shown', place: 'conversation' });
    conversation.focusQuestion();
  },
  help: showKeys,
  next: () => stepSource(1),
  previous: () => stepSource(-1),
});
// Another tab, or another program, may have changed the library meanwhile.
addEventListener('focus', () => {
  if (state.documents) void refresh();
  void intake.look();
});
// A browser has six connections for all pages of this host: a page that nobody sees gives its own back.
document.addEventListener('visibilitychange', () => (document.hidden ? intake.stop() : void intake.start()));
addEventListener('pagehide', () => intake.stop());
addEventListener('pageshow', (event) => void (event.persisted && intake.start()));

dispatch({ type: 'place-shown', place: 'conversation' });
void connect();
if (!document.hidden) void intake.start();
