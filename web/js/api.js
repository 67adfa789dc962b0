/**
 * The only module that talks to the program. Everything it throws, but for an abort, is an ApiError.
 *
 * @typedef {import('./contract.js').Health} Health
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Uploaded} Uploaded
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').PageText} PageText
 * @typedef {import('./contract.js').Problem} Problem
 */

import { words } from './messages.js';

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
  return { code: error.code ?? `http-${status}`, message: error.message, fix: error.fix ?? '' };
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<unknown>}
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', ...init });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ApiError(words.offline);
  }
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    if (response.ok) throw new ApiError(words.unclear(response.status));
  }
  if (!response.ok) throw new ApiError(problemOf(response.status, body));
  return body;
}

/** @param {string} documentId */
const documentPath = (documentId) => `/api/documents/${encodeURIComponent(documentId)}`;

/** @param {string} documentId */
export const originalUrl = (documentId) => `${documentPath(documentId)}/original`;

/** @param {string} documentId @param {number} page */
export const pageImageUrl = (documentId, page) => `${documentPath(documentId)}/pages/${page}`;

export async function getHealth() {
  return /** @type {Health} */ (await request('/health'));
}

export async function listDocuments() {
  const body = /** @type {{documents: RagDocument[]}} */ (await request('/api/documents'));
  return body.documents;
}

/** @param {string} documentId */
export async function deleteDocument(documentId) {
  await request(documentPath(documentId), { method: 'DELETE' });
}

export async function deleteAllDocuments() {
  await request('/api/documents', { method: 'DELETE' });
}

/** @param {string} documentId @param {number} page @param {AbortSignal} signal */
export async function getPageText(documentId, page, signal) {
  return /** @type {PageText} */ (await request(`${pageImageUrl(documentId, page)}/text`, { signal }));
}

/** @param {string} question @param {string[] | null} documentIds @param {AbortSignal} signal */
export async function ask(question, documentIds, signal) {
  const body = JSON.stringify({ question, document_ids: documentIds });
  const headers = { 'Content-Type': 'application/json' };
  return /** @type {Answer} */ (await request('/api/query', { method: 'POST', headers, body, signal }));
}

/**
 * Sends one file. `fetch` cannot tell how much has been sent, hence the older request.
 * @param {File} file
 * @param {{onSent: (share: number) => void, onReading: () => void, signal: AbortSignal}} options
 * @returns {Promise<Uploaded>}
 */
export function upload(file, { onSent, onReading, signal }) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name);
    xhr.open('POST', '/api/documents');
    xhr.responseType = 'json';
    xhr.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onSent(event.loaded / event.total);
    });
    xhr.upload.addEventListener('load', onReading);
    xhr.addEventListener('load', () => {
      const usable = xhr.status >= 200 && xhr.status < 300 && xhr.response?.document;
      if (usable) resolve(xhr.response);
      else reject(new ApiError(problemOf(xhr.status, xhr.response)));
    });
    xhr.addEventListener('error', () => reject(new ApiError(words.offline)));
    xhr.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}
