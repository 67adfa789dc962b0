/**
 * The queue of files on their way to the program: two at a time, the rest wait.
 *
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./contract.js').Job} Job
 * @typedef {(file: File, options: {onSent: (share: number) => void, signal: AbortSignal}) => Promise<Job>} Send
 * @typedef {{file: File, stop: AbortController, allSent: boolean, withdrawn: boolean}} Entry
 */

import { ApiError } from './api.js';
import { words } from './messages.js';

const AT_ONCE = 2;

/**
 * @param {object} options
 * @param {(action: Action) => void} options.dispatch
 * @param {Send} options.send
 * @param {() => number} options.limit   most bytes of a file
 * @param {(uploadId: string, job: Job, withdrawn: boolean) => void} options.onAccepted   withdrawn: it was cancelled meanwhile
 * @param {() => number} [options.now]
 */
export function createUploader({ dispatch, send, limit, onAccepted, now = Date.now }) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {string[]} */
  let queue = [];
  let running = 0;
  let counter = 0;

  /** @param {File} file @returns {Entry} */
  const entryOf = (file) => ({ file, stop: new AbortController(), allSent: false, withdrawn: false });

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
    /** @param {number} share */
    const onSent = (share) => {
      entry.allSent = share === 1;
      dispatch({ type: 'upload-sent', uploadId, share });
    };
    try {
      const job = await send(file, { onSent, signal: stop.signal });
      entry.allSent = false;
      onAccepted(uploadId, job, entry.withdrawn);
    } catch (error) {
      if (stop.signal.aborted) return;
      entry.allSent = false;
      const problem = error instanceof ApiError ? error.problem : words.unreadable;
      dispatch(entry.withdrawn ? { type: 'upload-dropped', uploadId } : { type: 'upload-failed', uploadId, problem });
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
        entries.set(uploadId, entryOf(file));
        queue.push(uploadId);
        return { uploadId, name: file.name, sizeBytes: file.size };
      });
      if (uploads.length === 0) return;
      dispatch({ type: 'uploads-added', uploads, at: now() });
      pump();
    },
    /** Sends a file once more. @param {string} uploadId */
    resend(uploadId) {
      const entry = entries.get(uploadId);
      if (!entry) return;
      entries.set(uploadId, entryOf(entry.file));
      dispatch({ type: 'upload-requeued', uploadId, jobId: null, at: now() });
      queue.push(uploadId);
      pump();
    },
    /** Stops an upload that the program has not answered yet. @param {string} uploadId */
    cancel(uploadId) {
      const entry = entries.get(uploadId);
      if (entry?.allSent) {
        // Too late to stop the request: the job that it makes is stopped instead.
        entry.withdrawn = true;
        dispatch({ type: 'upload-cancelling', uploadId, on: true });
        return;
      }
      queue = queue.filter((id) => id !== uploadId);
      entries.delete(uploadId);
      entry?.stop.abort();
      dispatch({ type: 'upload-dropped', uploadId });
    },
    /** Lets go of the files that will not be sent again. @param {ReadonlySet<string>} uploadIds */
    keepOnly(uploadIds) {
      for (const uploadId of entries.keys()) if (!uploadIds.has(uploadId)) entries.delete(uploadId);
    },
  };
}
