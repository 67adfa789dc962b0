/**
 * The only module that talks to the program. Everything it throws, but for an abort, is an ApiError.
 *
 * @typedef {import('./contract.js').Health} Health
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Job} Job
 * @typedef {import('./contract.js').Report} Report
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').PageText} PageText
 * @typedef {import('./contract.js').Conversation} Conversation
 * @typedef {import('./contract.js').WholeConversation} WholeConversation
 * @typedef {import('./contract.js').Problem} Problem
 */

import { eventsOf } from './event-stream.js';
import { problemInWords, words } from './messages.js';

const VIEWABLE = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/webp']);
export const JSON_HEADERS = { 'Content-Type': 'application/json' };

export class ApiError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** @param {number} status @param {unknown} body @returns {Problem} */
function problemOf(status, body) {
  const error = /** @type {{error?: Partial<Problem>} | null} */ (body)?.error;
  if (!error || typeof error.message !== 'string') return words.unclear(status);
  return { ...problemInWords({ code: error.code ?? `http-${status}`, message: error.message, fix: error.fix ?? '' }), said: error.message };
}

/**
 * What the program says. Characters that reverse what follows are shown as such: "21" must not be read as "12".
 * @param {string} json
 */
const parsed = (json) => JSON.parse(json.replace(/[\u202d\u202e]/g, '\ufffd'));

/** @param {string} path @param {RequestInit} [init] */
async function reach(path, init) {
  try {
    return await fetch(path, { cache: 'no-store', ...init });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ApiError(words.offline);
  }
}

/** @param {Response} response @param {AbortSignal | null} [signal] @returns {Promise<unknown>} */
async function bodyOf(response, signal) {
  if (response.status === 204) return null;
  let body = null;
  try {
    body = parsed(await response.text());
  } catch (error) {
    if (signal?.aborted) throw error;
    if (response.ok) throw new ApiError(words.unclear(response.status));
  }
  if (!response.ok) throw new ApiError(problemOf(response.status, body));
  return body;
}

/** @param {string} path @param {RequestInit} [init] */
export async function request(path, init) {
  return bodyOf(await reach(path, init), init?.signal);
}

/** @param {string} documentId */
const documentPath = (documentId) => `/api/documents/${encodeURIComponent(documentId)}`;

/** @param {string} documentId */
export const originalUrl = (documentId) => `${documentPath(documentId)}/original`;

/** The original as the browser shows it by itself; `null` for kinds that are downloads only. @param {string} documentId @param {string} mediaType */
export function viewUrl(documentId, mediaType) {
  return VIEWABLE.has(mediaType) ? `${originalUrl(documentId)}?view=true` : null;
}

/** @param {string} documentId @param {number} page */
export const pageImageUrl = (documentId, page) => `${documentPath(documentId)}/pages/${page}`;

export async function getHealth() {
  return /** @type {Health} */ (await request('/health'));
}

export async function listDocuments() {
  const body = /** @type {{documents: RagDocument[]}} */ (await request('/api/documents'));
  return body.documents;
}

/** Goes out even where the page is being left. @param {string} documentId */
export async function deleteDocument(documentId) {
  await request(documentPath(documentId), { method: 'DELETE', keepalive: true });
}

/** @param {string} documentId @param {readonly string[]} tags */
export async function tagDocument(documentId, tags) {
  const body = JSON.stringify({ tags });
  return /** @type {RagDocument} */ (await request(documentPath(documentId), { method: 'PATCH', headers: JSON_HEADERS, body }));
}

/** The headings of a document, in its order. @param {string} documentId @param {AbortSignal} signal */
export async function listSections(documentId, signal) {
  const body = /** @type {{sections: import('./contract.js').Section[]}} */ (await request(`${documentPath(documentId)}/sections`, { signal }));
  return body.sections;
}

/** Where words stand in a document. @param {string} documentId @param {string} sought @param {AbortSignal} signal */
export async function findInDocument(documentId, sought, signal) {
  const path = `${documentPath(documentId)}/search?q=${encodeURIComponent(sought)}`;
  return /** @type {import('./contract.js').Found} */ (await request(path, { signal }));
}

export async function deleteAllDocuments() {
  await request('/api/documents', { method: 'DELETE' });
}

/** @param {string} documentId @param {number} page @param {AbortSignal} signal @param {{start: number, end: number} | null} [stretch]   code points whose boxes are wanted too */
export async function getPageText(documentId, page, signal, stretch = null) {
  const wanted = stretch ? `?start=${stretch.start}&end=${stretch.end}` : '';
  return /** @type {PageText} */ (await request(`${pageImageUrl(documentId, page)}/text${wanted}`, { signal }));
}

/** Why a page's picture did not come: an image element does not tell. @param {string} url @returns {Promise<Problem | null>} */
export async function pageImageProblem(url) {
  try {
    const response = await fetch(url, { cache: 'no-store' });
    return response.ok ? null : problemOf(response.status, await response.json());
  } catch {
    return null;
  }
}

/** How each page was read. @param {string} documentId @param {AbortSignal} signal */
export async function getReport(documentId, signal) {
  return /** @type {Report} */ (await request(`${documentPath(documentId)}/report`, { signal }));
}

/** @param {string} jobId */
const jobPath = (jobId) => `/api/jobs/${encodeURIComponent(jobId)}`;

/** Newest first. */
export async function listJobs() {
  const body = /** @type {{jobs: Job[]}} */ (await request('/api/jobs'));
  return body.jobs;
}

/** The stream of the jobs' changes. It holds one of the six connections that a browser opens to a host. */
export const openJobEvents = () => new EventSource('/api/jobs/events');

/** Stops a job, or takes one that has ended off the list. @param {string} jobId */
export async function deleteJob(jobId) {
  return /** @type {Job} */ (await request(jobPath(jobId), { method: 'DELETE' }));
}

/** @param {string} jobId @param {string} [password]   opens the file */
export async function retryJob(jobId, password) {
  const body = JSON.stringify(password === undefined ? {} : { password });
  return /** @type {Job} */ (await request(`${jobPath(jobId)}/retry`, { method: 'POST', headers: JSON_HEADERS, body }));
}

/**
 * Asks, and tells how far the answer is. Aborting it stops the work.
 * @param {{question: string, documentIds: string[] | null, conversationId: string | null}} asked
 * @param {{signal: AbortSignal, onEvent: (name: string, data: any) => void}} options
 * @returns {Promise<Answer>}
 */
export async function ask({ question, documentIds, conversationId }, { signal, onEvent }) {
  const body = { question, document_ids: documentIds, conversation_id: conversationId };
  return /** @type {Answer} */ (await followed('/api/query', body, { signal, onEvent }));
}

/**
 * Sends what takes its time, and tells how far it is until it is done. Aborting it stops the work.
 * @param {string} path
 * @param {unknown} sent
 * @param {{signal: AbortSignal, onEvent: (name: string, data: any) => void}} options
 * @returns {Promise<unknown>}
 */
export async function followed(path, sent, { signal, onEvent }) {
  const headers = { ...JSON_HEADERS, Accept: 'text/event-stream' };
  const response = await reach(path, { method: 'POST', headers, body: JSON.stringify(sent), signal });
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return bodyOf(response, signal);
  }
  try {
    for await (const { event, data } of eventsOf(response.body)) {
      const told = parsed(data);
      if (event === 'done') return told;
      if (event === 'error') throw new ApiError(problemOf(response.status, told));
      onEvent(event, told);
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error;
    throw new ApiError(words.cutOff);
  }
  throw new ApiError(words.cutOff);
}

const CONVERSATIONS = '/api/conversations';

/** @param {string} conversationId */
const conversationPath = (conversationId) => `${CONVERSATIONS}/${encodeURIComponent(conversationId)}`;

/** @param {AbortSignal} [signal] */
export async function beginConversation(signal) {
  return /** @type {Conversation} */ (await request(CONVERSATIONS, { method: 'POST', headers: JSON_HEADERS, body: '{}', signal }));
}

/** Those asked in last first. @param {string | null} before   what the page before gave as `next` @param {AbortSignal} [signal] */
export async function listConversations(before, signal) {
  const query = before ? `&before=${encodeURIComponent(before)}` : '';
  return /** @type {{conversations: Conversation[], next: string | null}} */ (await request(`${CONVERSATIONS}?limit=200${query}`, { signal }));
}

/** @param {string} conversationId @param {number | null} last   only so many of its latest turns */
export async function getConversation(conversationId, last) {
  return /** @type {WholeConversation} */ (await request(`${conversationPath(conversationId)}${last ? `?last=${last}` : ''}`));
}

/** @param {string} conversationId @param {string} title */
export async function renameConversation(conversationId, title) {
  const body = JSON.stringify({ title });
  return /** @type {Conversation} */ (await request(conversationPath(conversationId), { method: 'PATCH', headers: JSON_HEADERS, body }));
}

/** @param {string} conversationId */
export async function deleteConversation(conversationId) {
  await request(conversationPath(conversationId), { method: 'DELETE' });
}

export async function deleteAllConversations() {
  await request(CONVERSATIONS, { method: 'DELETE' });
}

/** Where a conversation, or one answer of it, can be had as a file. @param {string} conversationId @param {number | null} turn @param {string} format */
export function exportUrl(conversationId, turn, format) {
  const part = turn === null ? '' : `/turns/${turn}`;
  const query = format === 'pages' ? 'format=html&pages=true' : `format=${format}`;
  return `${conversationPath(conversationId)}${part}/export?${query}`;
}

/** A file that comes with the page. @param {string} path @param {string} name   that it gets @returns {Promise<File>} */
export async function ownFile(path, name) {
  const response = await reach(path);
  if (!response.ok) throw new ApiError(words.unclear(response.status));
  return new File([await response.blob()], name);
}

/**
 * Sends one file, and gives the job that adds it. `fetch` cannot tell how much has been sent, hence the older request.
 * @param {File} file
 * @param {{onSent: (share: number) => void, signal: AbortSignal}} options
 * @returns {Promise<Job>}
 */
export function upload(file, { onSent, signal }) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name);
    xhr.open('POST', '/api/documents');
    xhr.setRequestHeader('Prefer', 'respond-async');
    xhr.responseType = 'json';
    xhr.upload.addEventListener('progress', (event) => {
      // The form around the file counts too: only `load` says that all of it is on its way.
      if (event.lengthComputable) onSent(Math.min(0.999, event.loaded / event.total));
    });
    xhr.upload.addEventListener('load', () => onSent(1));
    xhr.addEventListener('load', () => {
      const job = xhr.status === 202 ? xhr.response?.job : null;
      if (job) resolve(job);
      else reject(new ApiError(problemOf(xhr.status, xhr.response)));
    });
    xhr.addEventListener('error', () => reject(new ApiError(words.offline)));
    xhr.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}
