/**
 * The part of the state that follows files on their way in: sent from this page, or known as jobs only.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./state-types.js').Upload} Upload
 * @typedef {import('./state-types.js').Phase} Phase
 * @typedef {import('./contract.js').Job} Job
 */

/** @type {Partial<Record<import('./contract.js').JobState, Phase>>} */
const PHASES = { queued: 'waiting', extracting: 'reading', embedding: 'preparing', committing: 'storing' };

/** @param {Upload} upload */
export function isSettled(upload) {
  return upload.phase === 'done' || upload.phase === 'failed';
}

/** What is wrong with the file itself is wrong with it the next time, too. */
const FAULTS_OF_THE_FILE = new Set(['unsupported-type', 'wrong-content', 'empty-file', 'unreadable-file', 'no-text', 'too-large']);

/** Whether a failed file may come in when nothing but the attempt is another. @param {Pick<Upload, 'problem' | 'canRetry' | 'canResend'>} upload */
export function canTryAgain({ problem, canRetry, canResend }) {
  return canRetry || (canResend && !FAULTS_OF_THE_FILE.has(problem?.code ?? ''));
}

/** @param {State} state @param {Action} action @returns {State} */
export function reduceUploads(state, action) {
  /** @param {string} uploadId @param {Partial<Upload>} change @returns {State} */
  const change = (uploadId, change) => ({
    ...state,
    uploads: state.uploads.map((upload) => (upload.uploadId === uploadId ? { ...upload, ...change } : upload)),
  });
  switch (action.type) {
    case 'uploads-added':
      return added(
        state,
        action.uploads.map((upload) => ({ ...blank(action.at), ...upload, canResend: true })),
      );
    case 'upload-requeued':
      return change(action.uploadId, { phase: 'waiting', jobId: action.jobId, sentShare: 0, done: 0, total: 0, since: action.at, problem: null });
    case 'upload-sending':
      return change(action.uploadId, { phase: 'sending', jobId: null, sentShare: 0, since: action.at });
    case 'upload-sent':
      return change(action.uploadId, { sentShare: action.share });
    case 'upload-accepted': {
      const { uploadId, jobId } = action;
      const uploads = state.uploads.filter((upload) => upload.uploadId === uploadId || upload.jobId !== jobId);
      const tied = { jobId, phase: /** @type {Phase} */ ('waiting') };
      return {
        ...state,
        uploads: uploads.map((upload) => (upload.uploadId === uploadId && upload.jobId !== jobId ? { ...upload, ...tied } : upload)),
      };
    }
    case 'upload-failed':
      return change(action.uploadId, { phase: 'failed', problem: action.problem, cancelling: false });
    case 'upload-cancelling':
      return change(action.uploadId, { cancelling: action.on });
    case 'upload-dropped':
      return without(state, (upload) => upload.uploadId === action.uploadId);
    case 'jobs-gone':
      return without(state, (upload) => upload.jobId !== null && action.jobIds.includes(upload.jobId));
    case 'job-seen':
      return seen(state, action.job, action.at);
    default:
      return state;
  }
}

/** @param {State} state @param {(upload: Upload) => boolean} leaves @returns {State} */
const without = (state, leaves) => ({ ...state, uploads: state.uploads.filter((upload) => !leaves(upload)) });

/** @param {number} at @returns {Upload} */
function blank(at) {
  return {
    uploadId: '',
    jobId: null,
    name: '',
    sizeBytes: 0,
    phase: 'waiting',
    sentShare: 0,
    done: 0,
    total: 0,
    since: at,
    cancelling: false,
    outcome: null,
    documentId: null,
    problem: null,
    earlierJobIds: [],
    canRetry: false,
    canResend: false,
  };
}

/**
 * A batch that begins while nothing is on its way clears what the last one left to say. A file that failed before has one row
 * however often it is tried.
 * @param {State} state @param {Upload[]} uploads
 */
function added(state, uploads) {
  const idle = state.uploads.every(isSettled);
  const kept = idle ? state.uploads.filter((upload) => upload.phase !== 'done') : state.uploads;
  return uploads.reduce(joined, { ...state, uploads: kept, fresh: idle ? [] : state.fresh });
}

/** Adds a row in place of the failed one of the same file. @param {State} state @param {Upload} upload @returns {State} */
function joined(state, upload) {
  const before = state.uploads.filter(({ phase, name }) => phase === 'failed' && name === upload.name);
  const earlierJobIds = before.flatMap(({ jobId, earlierJobIds: ids }) => (jobId === null ? ids : [...ids, jobId]));
  return { ...state, uploads: [...state.uploads.filter((row) => !before.includes(row)), { ...upload, earlierJobIds }] };
}

/** @param {State} state @param {Job} job @param {number} at @returns {State} */
function seen(state, job, at) {
  const row = rowOf(state, job);
  switch (job.state) {
    case 'cancelled':
      return row ? without(state, (upload) => upload === row) : state;
    case 'searchable': {
      if (!row) return state;
      const { outcome, document_id: documentId } = job;
      const isNew = outcome === 'created' || outcome === 'replaced';
      const fresh = isNew && documentId ? [...state.fresh, documentId] : state.fresh;
      // A new document speaks for itself in the list; the other outcomes need their words.
      if (outcome === 'created') return { ...without(state, (upload) => upload === row), fresh };
      return { ...replaced(state, row, { phase: 'done', jobId: job.job_id, outcome, documentId, cancelling: false }), fresh };
    }
    case 'failed': {
      if (row?.cancelling) return without(state, (upload) => upload === row);
      /** @type {Partial<Upload>} */
      const change = { phase: 'failed', jobId: job.job_id, problem: job.error, canRetry: job.can_retry };
      if (row) return replaced(state, row, change);
      // Old news of a file that has a row by now.
      const another = state.uploads.find((upload) => upload.earlierJobIds.includes(job.job_id));
      return another ? state : joined(state, { ...rowFor(job, at), ...change });
    }
    default: {
      /** @type {Partial<Upload>} */
      const change = { phase: PHASES[job.state], jobId: job.job_id, done: job.done, total: job.total, problem: null, canRetry: false };
      if (!row) return added(state, [{ ...rowFor(job, at), ...change }]);
      return replaced(state, row, isSettled(row) ? { ...change, since: at, cancelling: false } : change);
    }
  }
}

/**
 * The row of a job. News of a job can be quicker than the reply to the request that sent its file: then it is the row
 * of a file of this name and size that has been sent.
 * @param {State} state @param {Job} job
 */
function rowOf(state, job) {
  return (
    state.uploads.find((upload) => upload.jobId === job.job_id) ??
    state.uploads.find(
      ({ jobId, phase, sentShare, name, sizeBytes }) =>
        jobId === null && phase === 'sending' && sentShare === 1 && name === job.name && sizeBytes === job.size_bytes,
    )
  );
}

/** @param {Job} job @param {number} at @returns {Upload} */
const rowFor = (job, at) => ({ ...blank(at - job.elapsed_ms), uploadId: job.job_id, name: job.name, sizeBytes: job.size_bytes });

/** @param {State} state @param {Upload} row @param {Partial<Upload>} change @returns {State} */
const replaced = (state, row, change) => ({
  ...state,
  uploads: state.uploads.map((upload) => (upload === row ? { ...upload, ...change } : upload)),
});
