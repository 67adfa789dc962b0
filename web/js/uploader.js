/**
 * The queue of files on their way to the program: two at a time, the rest wait.
 *
 * @typedef {import('./state.js').Action} Action
 * @typedef {import('./contract.js').Uploaded} Uploaded
 * @typedef {(file: File, options: {onSent: (share: number) => void, onReading: () => void, signal: AbortSignal}) => Promise<Uploaded>} Send
 */

import { ApiError } from './api.js';
import { words } from './messages.js';

const AT_ONCE = 2;

/**
 * @param {object} options
 * @param {(action: Action) => void} options.dispatch
 * @param {Send} options.send
 * @param {() => number} options.limit   most bytes of a file
 * @param {() => number} [options.now]
 */
export function createUploader({ dispatch, send, limit, now = Date.now }) {
  /** @type {Map<string, {file: File, stop: AbortController}>} */
  const entries = new Map();
  /** @type {string[]} */
  let queue = [];
  let running = 0;
  let counter = 0;

  /** @param {string} uploadId */
  async function run(uploadId) {
    const entry = entries.get(uploadId);
    if (!entry) return;
    const { file, stop } = entry;
    if (file.size > limit()) {
      dispatch({ type: 'upload-failed', uploadId, problem: words.tooLarge(file.size, limit()) });
      return;
    }
    dispatch({ type: 'upload-sending', uploadId, at: now() });
    try {
      const { outcome, document } = await send(file, {
        onSent: (share) => dispatch({ type: 'upload-sent', uploadId, share }),
        onReading: () => dispatch({ type: 'upload-reading', uploadId, at: now() }),
        signal: stop.signal,
      });
      entries.delete(uploadId);
      dispatch({ type: 'upload-finished', uploadId, outcome, document });
    } catch (error) {
      if (stop.signal.aborted) return;
      const problem = error instanceof ApiError ? error.problem : words.unreadable;
      dispatch({ type: 'upload-failed', uploadId, problem });
    }
  }

  function pump() {
    while (running < AT_ONCE && queue.length > 0) {
      const uploadId = /** @type {string} */ (queue.shift());
      running += 1;
      void run(uploadId).finally(() => {
        running -= 1;
        pump();
      });
    }
  }

  return {
    /** @param {readonly File[]} files */
    add(files) {
      const uploads = files.map((file) => {
        const uploadId = `upload-${(counter += 1)}`;
        entries.set(uploadId, { file, stop: new AbortController() });
        queue.push(uploadId);
        return { uploadId, name: file.name, sizeBytes: file.size };
      });
      if (uploads.length === 0) return;
      dispatch({ type: 'uploads-added', uploads, at: now() });
      pump();
    },
    /** @param {string} uploadId */
    retry(uploadId) {
      const entry = entries.get(uploadId);
      if (!entry) return;
      entry.stop = new AbortController();
      dispatch({ type: 'upload-requeued', uploadId, at: now() });
      queue.push(uploadId);
      pump();
    },
    /** Stops an upload that has not been sent yet, or forgets one that failed. @param {string} uploadId */
    drop(uploadId) {
      queue = queue.filter((id) => id !== uploadId);
      const entry = entries.get(uploadId);
      entries.delete(uploadId);
      entry?.stop.abort();
      dispatch({ type: 'upload-dropped', uploadId });
    },
  };
}
