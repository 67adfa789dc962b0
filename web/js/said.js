/**
 * What an action is said as, to those who do not see the page: ends of stages, never the ticks between.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./state-types.js').Upload} Upload
 */

import { outcomeInWords, problemInWords, stageSaid, words } from './messages.js';
import { isSettled } from './state-uploads.js';
import { progressInWords, talkWords } from './talk-messages.js';

const MOST_FOLLOWED = 3; // of more files, only their ends are said

/** @param {Action} action @param {State} before @param {State} after @returns {string | null} */
export function saidOf(action, before, after) {
  switch (action.type) {
    case 'answered':
      return action.answer.refused ? words.refusedTitle : words.saidAnswer(action.answer.citations.length);
    case 'asked':
      return words.searching;
    case 'stage-told': {
      const turn = after.turns.find(({ turnId }) => turnId === action.turnId);
      const had = before.turns.find(({ turnId }) => turnId === action.turnId);
      // The first stage has been said by asking.
      return turn?.stage && had?.stage && turn.stage.stage !== 'cite' ? progressInWords(turn) : null;
    }
    case 'ask-stopped':
      return words.stopped;
    case 'conversation-opened':
      return before.talk.phase === 'opening' ? talkWords.saidOpened(after.talk.title || words.unnamed) : null;
    case 'upload-failed': {
      const row = before.uploads.find((upload) => upload.uploadId === action.uploadId);
      return row ? words.saidFailed(row.name, problemInWords(action.problem).message) : null;
    }
    case 'job-seen':
      return saidOfJob(action.job, before, after);
    default:
      return null;
  }
}

/** @param {import('./contract.js').Job} job @param {State} before @param {State} after */
function saidOfJob(job, before, after) {
  const had = before.uploads.find((upload) => upload.jobId === job.job_id);
  const has = after.uploads.find((upload) => upload.jobId === job.job_id);
  const isNew = after.uploads.length > before.uploads.length;
  if (has?.phase === 'failed') return !isNew ? words.saidFailed(job.name, job.error ? problemInWords(job.error).message : '') : null;
  if (has && !isSettled(has)) {
    const few = after.uploads.filter((upload) => !isSettled(upload)).length <= MOST_FOLLOWED;
    return few && had?.phase !== has.phase ? stageSaid(has.phase, job.name) : null;
  }
  // A small file can be done before the page knew which job it was.
  if (after.uploads === before.uploads || isNew) return null;
  if (job.state !== 'searchable') return words.saidCancelled(job.name);
  const stored = after.documents?.find((document) => document.document_id === job.document_id)?.name ?? job.name;
  return words.saidUploaded(job.name, outcomeInWords(job.outcome ?? 'created', job.name, stored));
}
