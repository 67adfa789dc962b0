/** Puts the page together: state in the middle, elements around it, the program behind it. */

import { ApiError, ask, beginConversation, deleteAllDocuments, deleteDocument, deleteJob, getConversation, getHealth, listDocuments, listJobs, openJobEvents, ownFile, retryJob, tagDocument, upload } from './api.js';
import { ofKinds, takeFiles } from './behaviours/files.js';
import { listenToKeys } from './behaviours/keys.js';
import './elements/all.js';
import { confirmed, showKeys } from './elements/dialogs.js';
import { askTags } from './elements/tags-dialog.js';
import { createIntake } from './intake.js';
import { prefer } from './language.js';
import { reindexInWords } from './health-messages.js';
import { speakIn, words } from './messages.js';
import { address, addressed, evidenceIsOn, keepEvidence } from './remembered.js';
import { createRemovals } from './removals.js';
import { saidOf } from './said.js';
import { countTags } from './shelf.js';
import { initialState, openCitation, openDocument, reduce } from './state.js';
import { createTalk } from './talk.js';

const REINDEX_LOOK_MS = 3000;

/**
 * @typedef {import('./state.js').Action} Action
 * @typedef {import('./contract.js').RagDocument} RagDocument
 */

/** @template {Element} T @param {string} selector @returns {T} */
const find = (selector) => /** @type {T} */ (document.querySelector(selector));

const app = /** @type {HTMLElement} */ (find('#app'));
const announcer = /** @type {import('./elements/announcer.js').RagAnnouncer} */ (find('rag-announcer'));

/** The elements that show the state. They are made anew where the language changes. */
const parts = () => ({
  status: /** @type {import('./elements/status.js').RagStatus} */ (find('rag-status')),
  library: /** @type {import('./elements/library.js').RagLibrary} */ (find('rag-library')),
  conversation: /** @type {import('./elements/conversation.js').RagConversation} */ (find('rag-conversation')),
  source: /** @type {import('./elements/source.js').RagSource} */ (find('rag-source')),
  places: /** @type {import('./elements/places.js').RagPlaces} */ (find('rag-places')),
  toast: /** @type {import('./elements/toast.js').RagToast} */ (find('rag-toast')),
});
let { status, library, conversation, source, places, toast } = parts();

let state = initialState;

/** @param {Action} action */
function dispatch(action) {
  const before = state;
  state = reduce(state, action);
  draw();
  const said = saidOf(action, before, state);
  if (said) announcer.say(said);
}

function draw() {
  if (app.dataset.place !== state.place) app.classList.add('app--moved');
  app.dataset.place = state.place;
  app.classList.toggle('app--proof', openCitation(state) !== null || openDocument(state) !== null);
  for (const view of [status, library, conversation, source, places]) view.show(state);
}

/** Draws all in another language; what is being typed stays. @param {string} code */
async function changeLanguage(code) {
  prefer(code);
  toast.finish();
  await speakIn(code);
  const typed = /** @type {HTMLTextAreaElement | null} */ (find('rag-composer textarea'))?.value ?? '';
  for (const old of [status, library, conversation, source, places, toast]) old.replaceWith(old.cloneNode(false));
  ({ status, library, conversation, source, places, toast } = parts());
  draw();
  const box = /** @type {HTMLTextAreaElement | null} */ (find('rag-composer textarea'));
  if (box && typed) {
    box.value = typed;
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }
  status.focusLanguage();
}

/** @param {unknown} error @returns {import('./contract.js').Problem} */
function problemOf(error) {
  if (error instanceof ApiError) return error.problem;
  throw error;
}

// --- the library ---

const connect = () => refresh(loadHealth());

async function loadHealth() {
  const health = await getHealth();
  dispatch({ type: 'health-loaded', health });
  // While the index is made anew, the line says how far it is.
  if (reindexInWords(health)) setTimeout(() => void loadHealth().catch(() => undefined), REINDEX_LOOK_MS);
}

let asked = 0;

/** @param {Promise<void>} [first]   is shown before the documents are */
async function refresh(first) {
  const mine = (asked += 1);
  try {
    const [documents] = await Promise.all([listDocuments(), first]);
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

const removals = createRemovals({
  state: () => state,
  dispatch,
  toast: () => toast,
  deleteDocument,
  refresh,
  say: (text) => announcer.say(text),
  onBack: (documentId) => library.openButton(documentId)?.focus(),
});

/** @param {readonly string[]} documentIds */
function remove(documentIds) {
  const index = library.indexOf(documentIds[0]);
  removals.remove(documentIds);
  library.focusNear(Math.max(0, index));
}

/** @param {RagDocument} document */
async function tag(document) {
  const known = countTags(state.documents ?? []).map(([name]) => name);
  const tags = await askTags(document, known);
  if (!tags) return;
  try {
    dispatch({ type: 'document-changed', document: await tagDocument(document.document_id, tags) });
  } catch (error) {
    dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
}

async function removeAll() {
  toast.finish();
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

const talk = createTalk({
  state: () => state,
  dispatch,
  program: { ask, beginConversation, getConversation },
  ready: () => removals.settle(),
  remember: address,
});

/** @param {string} question */
async function askQuestion(question) {
  await talk.ask(question);
  leadToAnswer();
}

/** @param {string} turnId */
async function askAgain(turnId) {
  await talk.again(turnId);
  leadToAnswer();
}

function leadToAnswer() {
  const turn = state.turns.at(-1);
  if (turn?.phase === 'answered') conversation.focusAnswer(turn.turnId);
}

/** Shows the conversation that the address names. */
function followAddress() {
  const wanted = addressed();
  if (wanted === state.talk.conversationId) return;
  if (wanted) void talk.open(wanted, false);
  else talk.fresh(false);
}

function beginConversationAnew() {
  talk.fresh();
  conversation.focusQuestion();
}

/** @param {string} conversationId */
async function openConversation(conversationId) {
  await talk.open(conversationId);
  conversation.focusQuestion();
}

/** @param {string[]} conversationIds */
function conversationsDeleted(conversationIds) {
  announcer.say(words.saidDeleted);
  if (conversationIds.includes(state.talk.conversationId ?? '')) talk.fresh(false);
}

/** What few visits use comes when it is asked for. @template M @param {Promise<M>} coming @param {(module: M) => void} use */
async function once(coming, use) {
  const module = await coming.catch(() => null);
  if (module) use(module);
  else dispatch({ type: 'connection-failed', problem: words.offline });
}

const openHistory = () => once(import('./elements/history.js'), ({ showHistory }) => showHistory(state.talk.conversationId));

/** @param {boolean} on */
function switchEvidence(on) {
  dispatch({ type: 'evidence-switched', on });
  keepEvidence(on);
}

async function addSample() {
  try {
    intake.add([await ownFile(`/static/samples/lighthouse.${document.documentElement.lang === 'de' ? 'de' : 'en'}.pdf`, words.sampleName)]);
  } catch (error) {
    dispatch({ type: 'connection-failed', problem: problemOf(error) });
  }
}

// --- the source ---

/** @type {HTMLElement | null} */
let opener = null;

/** @param {import('./state-types.js').Open} open @param {HTMLElement | null} from */
function openSource({ turnId, number, part = null }, from) {
  opener = from;
  dispatch({ type: 'citation-opened', turnId, number, part });
  source.focusTitle();
}

/** @param {number} step */
function stepSource(step) {
  const open = openCitation(state);
  const neighbour = open?.citations[open.index + step];
  if (open && neighbour) dispatch({ type: 'citation-opened', turnId: open.turnId, number: neighbour.id, part: open.part });
}

/** @param {string} documentId */
function openFromLibrary(documentId) {
  dispatch({ type: 'document-opened', documentId, page: 1 });
  source.focusTitle();
}

function closeSource() {
  const { open } = state;
  const cited = openCitation(state);
  const read = openDocument(state);
  dispatch({ type: 'source-closed' });
  if (read) library.openButton(read.document.document_id)?.focus();
  if (!open || !cited) return;
  const same = opener?.isConnected && opener.dataset.number === String(open.number) && (opener.dataset.part ?? null) === (open.part === null ? null : String(open.part));
  (same ? opener : conversation.opener(open))?.focus();
}

const sourceIsOpen = () => openCitation(state) !== null || openDocument(state) !== null;

// --- news from the elements ---

/** @type {Record<string, (detail: any, target: HTMLElement) => unknown>} */
const news = {
  'connect-asked': connect,
  'help-asked': showKeys,
  'place-asked': (place) => dispatch({ type: 'place-shown', place }),
  'files-asked': () => library.choose(),
  'files-chosen': (files) => addFiles(files),
  'folder-chosen': (files) => {
    const { wanted, skipped } = ofKinds(files, state.health?.accepts ?? []);
    addFiles(wanted, skipped);
  },
  'upload-retried': ({ uploadId, password }) => intake.retry(uploadId, password),
  'upload-dropped': (uploadId) => intake.drop(uploadId),
  'uploads-left': () => library.focusTitle(),
  'documents-picked': (detail) => dispatch({ type: 'documents-picked', ...detail }),
  'selection-cleared': () => dispatch({ type: 'selection-cleared' }),
  'pages-asked': (document) => once(import('./elements/pages-dialog.js'), ({ showPages }) => showPages(document)),
  'tags-asked': tag,
  'document-open-asked': ({ document_id: documentId }) => openFromLibrary(documentId),
  'document-remove-asked': ({ document_id: documentId }) => remove([documentId]),
  'documents-remove-asked': remove,
  'library-clear-asked': removeAll,
  'question-asked': askQuestion,
  'question-repeated': askAgain,
  'question-edited': (question) => conversation.editQuestion(question),
  'question-typed': () => conversation.focusQuestion(),
  'stop-asked': talk.stop,
  'history-asked': openHistory,
  'conversation-clear-asked': beginConversationAnew,
  'conversation-open-asked': openConversation,
  'conversation-renamed': (detail) => dispatch({ type: 'conversation-renamed', ...detail }),
  'conversation-deleted': conversationsDeleted,
  'earlier-asked': talk.showEarlier,
  'evidence-switched': switchEvidence,
  'sample-asked': addSample,
  'test-save-asked': async ({ turn, conversationId }) => (await import('./elements/test-saving.js')).showSaving(turn, conversationId),
  'tests-asked': async () => (await import('./elements/tests.js')).showTests(),
  'citation-asked': openSource,
  'citation-step-asked': stepSource,
  'source-close-asked': closeSource,
  'language-chosen': changeLanguage,
  said: (text) => announcer.say(text),
};
for (const [type, act] of Object.entries(news)) {
  document.addEventListener(type, (event) => void act(/** @type {CustomEvent} */ (event).detail, /** @type {HTMLElement} */ (event.target)));
}

takeFiles({ onFiles: addFiles, accepts: () => state.health?.accepts ?? [] });
listenToKeys({
  escape: () => (sourceIsOpen() ? closeSource() : talk.stop()),
  question() {
    dispatch({ type: 'place-shown', place: 'conversation' });
    conversation.focusQuestion();
  },
  help: showKeys,
  history: openHistory,
  evidence: () => conversation.switchEvidence(),
  next: () => stepSource(1),
  previous: () => stepSource(-1),
  nextPage: () => source.viewer.turn(1),
  previousPage: () => source.viewer.turn(-1),
  larger: () => source.viewer.magnify(1),
  smaller: () => source.viewer.magnify(-1),
  find: () => source.viewer.find(),
  contents: () => source.viewer.toggleContents(),
  documents() {
    dispatch({ type: 'place-shown', place: 'library' });
    library.focusFilter();
  },
  undo: () => toast.undo(),
});
// Another tab, or another program, may have changed the library meanwhile.
addEventListener('focus', () => {
  if (state.documents) void refresh();
  void intake.look();
});
// A browser has six connections for all pages of this host: a page that nobody sees gives its own back.
document.addEventListener('visibilitychange', () => (document.hidden ? intake.stop() : void intake.start()));
addEventListener('pagehide', () => {
  toast.finish();
  intake.stop();
});
addEventListener('pageshow', (event) => void (event.persisted && intake.start()));

addEventListener('popstate', followAddress);

dispatch({ type: 'evidence-switched', on: evidenceIsOn() });
void connect();
followAddress();
if (!document.hidden) void intake.start();
