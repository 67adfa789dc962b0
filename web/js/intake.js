/**
 * Brings files into the library: sends them, follows their jobs, cancels them and tries them again.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./state-types.js').Upload} Upload
 * @typedef {import('./contract.js').Job} Job
 * @typedef {import('./contract.js').Problem} Problem
 *
 * @typedef {object} Program
 * @property {import('./uploader.js').Send} upload
 * @property {() => Promise<Job[]>} listJobs
 * @property {() => import('./follower.js').Stream} openJobEvents
 * @property {(jobId: string) => Promise<Job>} deleteJob
 * @property {(jobId: string, password?: string) => Promise<Job>} retryJob
 */

import { ApiError } from './api.js';
import { createFollower } from './follower.js';
import { isSettled } from './state-uploads.js';
import { createUploader } from './uploader.js';

/**
 * @param {object} options
 * @param {() => State} options.state
 * @param {(action: Action) => void} options.dispatch
 * @param {Program} options.program
 * @param {() => void} options.onLibraryChanged
 * @param {(problem: Problem) => void} options.onLost   the program does not answer
 * @param {() => void} options.onFound   it answers again
 * @param {() => number} [options.now]
 * @param {(act: () => void, delayMs: number) => unknown} [options.later]
 */
export function createIntake({ state, dispatch, program, onLibraryChanged, onLost, onFound, now = Date.now, later }) {
  const follower = createFollower({
    open: program.openJobEvents,
    list: program.listJobs,
    later,
    onJob,
    onGone: (jobIds) => dispatch({ type: 'jobs-gone', jobIds }),
    onLost(error) {
      onLost(problemOf(error));
    },
    onFound,
  });
  const uploader = createUploader({
    dispatch,
    now,
    send: program.upload,
    limit: () => state().health?.limits.max_upload_bytes ?? Infinity,
    onAccepted(uploadId, job, withdrawn) {
      dispatch({ type: 'upload-accepted', uploadId, jobId: job.job_id });
      // The stream may have told more already, when the row was not known to be this job's.
      const latest = follower.latest(job.job_id);
      if (latest) onJob(latest, true);
      else follower.see(job);
      const row = rowOf(uploadId);
      if (withdrawn && row) void cancelJob(row);
    },
  });

  /** @type {Set<string>} ids of jobs that this page has cancelled */
  const cancelled = new Set();

  /** @param {string} uploadId */
  const rowOf = (uploadId) => state().uploads.find((upload) => upload.uploadId === uploadId);

  /** @param {Job} job @param {boolean} news */
  function onJob(job, news) {
    const earlier = state().uploads.find((upload) => upload.jobId === job.job_id)?.earlierJobIds ?? [];
    dispatch({ type: 'job-seen', job, at: now() });
    if (job.state === 'searchable' && news) onLibraryChanged();
    if (job.state === 'searchable') forgetEarlier(earlier);
    const withdrawn = cancelled.has(job.job_id) && (job.state === 'cancelled' || job.state === 'failed');
    if (withdrawn) void dismissJob(job.job_id);
    keepNeededFiles();
  }

  /** What failed before its file came in after all has nothing more to say. @param {readonly string[]} jobIds */
  function forgetEarlier(jobIds) {
    for (const jobId of jobIds) void dismissJob(jobId);
  }

  /** Lets go of the files whose rows have left or need them no more. */
  function keepNeededFiles() {
    const needed = state().uploads.flatMap(({ uploadId, phase }) => (phase === 'done' ? [] : [uploadId]));
    uploader.keepOnly(new Set(needed));
  }

  /** @param {Upload} row */
  async function cancelJob({ uploadId, jobId }) {
    if (jobId === null) return;
    dispatch({ type: 'upload-cancelling', uploadId, on: true });
    cancelled.add(jobId);
    try {
      const job = await program.deleteJob(jobId);
      follower.see(job, { late: true });
      if (job.state === 'failed') dispatch({ type: 'upload-dropped', uploadId }); // it had just ended, and is off the list
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'unknown-job') return dispatch({ type: 'upload-dropped', uploadId });
      cancelled.delete(jobId);
      dispatch({ type: 'upload-cancelling', uploadId, on: false });
      onLost(problem);
    }
  }

  /** Takes a job that has ended off the list. @param {string} jobId */
  async function dismissJob(jobId) {
    follower.forget(jobId);
    try {
      await program.deleteJob(jobId);
    } catch (error) {
      if (problemOf(error).code !== 'unknown-job') onLost(problemOf(error));
    }
  }

  return {
    /** @param {readonly File[]} files */
    add: (files) => uploader.add(files),
    /** Cancels what is on its way, dismisses what has ended. @param {string} uploadId */
    async drop(uploadId) {
      const row = rowOf(uploadId);
      if (!row || row.cancelling) return;
      forgetEarlier(row.earlierJobIds);
      if (!isSettled(row)) return row.jobId === null ? uploader.cancel(uploadId) : cancelJob(row);
      dispatch({ type: 'upload-dropped', uploadId });
      keepNeededFiles();
      if (row.jobId !== null) await dismissJob(row.jobId);
    },
    /** Tries a failed one again; the password goes to the program and is kept nowhere. @param {string} uploadId @param {string} [password] */
    async retry(uploadId, password) {
      const row = rowOf(uploadId);
      if (row?.phase !== 'failed') return;
      const { jobId, canRetry } = row;
      if (jobId === null || !canRetry) {
        uploader.resend(uploadId);
        if (jobId !== null) await dismissJob(jobId);
        return;
      }
      dispatch({ type: 'upload-requeued', uploadId, jobId, at: now() });
      try {
        follower.see(await program.retryJob(jobId, password), { late: true });
      } catch (error) {
        dispatch({ type: 'upload-failed', uploadId, problem: problemOf(error) });
      }
    },
    start: () => follower.start(),
    stop: () => follower.stop(),
    look: () => follower.look(),
  };
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof ApiError) return error.problem;
  throw error;
}
