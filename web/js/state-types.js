/**
 * The shapes of the page's state. Types only; no page loads this module.
 *
 * @typedef {import('./contract.js').Health} Health
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').Claim} Claim
 * @typedef {import('./contract.js').Stage} Stage
 * @typedef {import('./contract.js').WholeConversation} WholeConversation
 * @typedef {import('./contract.js').Problem} Problem
 * @typedef {import('./contract.js').Outcome} Outcome
 * @typedef {import('./contract.js').Job} Job
 * @typedef {'library' | 'conversation' | 'source'} Place
 *
 * @typedef {'waiting' | 'sending' | 'reading' | 'preparing' | 'storing' | 'done' | 'failed'} Phase   the last two are ends
 *
 * @typedef {object} Upload   a file on its way in, from this page or from elsewhere
 * @property {string} uploadId
 * @property {string | null} jobId   once the program has the file
 * @property {string} name
 * @property {number} sizeBytes
 * @property {Phase} phase
 * @property {number} sentShare   0 to 1
 * @property {number} done   pages while reading, passages while preparing
 * @property {number} total   0: not known yet
 * @property {number} since   when its way began, milliseconds
 * @property {boolean} cancelling
 * @property {Outcome | null} outcome
 * @property {string | null} documentId
 * @property {Problem | null} problem
 * @property {readonly string[]} earlierJobIds   of the same file, which failed before
 * @property {boolean} canRetry   the program keeps the file
 * @property {boolean} canResend   this page has the file
 *
 * @typedef {object} Turn
 * @property {string} turnId
 * @property {string} question
 * @property {string[] | null} documentIds   the scope that was sent
 * @property {string} scope   the scope in words
 * @property {'asking' | 'answered' | 'stopped' | 'failed'} phase
 * @property {number} since
 * @property {Stage | null} stage   how far it is
 * @property {{passages: number, documents: number} | null} found   while it is being answered
 * @property {readonly Claim[]} claims   that have passed their checks, while the answer is not whole
 * @property {number} checked   statements held against what they cite, while the answer is not whole
 * @property {Answer | null} answer
 * @property {number | null} number   in its conversation, once it is kept there
 * @property {Problem | null} problem
 *
 * @typedef {object} Talk   the conversation on show
 * @property {string | null} conversationId   null: it begins with the first question
 * @property {string} title   empty: its first question is its title
 * @property {number} earlier   turns before those on show
 * @property {'open' | 'opening' | 'failed'} phase
 * @property {Problem | null} problem   why it could not be opened
 *
 * @typedef {object} Open   the passage on show
 * @property {string} turnId
 * @property {number} number   of the citation, or of the row from 1
 * @property {number | null} part   of the question, from 0: a row of what was found for it; null: a citation
 *
 * @typedef {object} State
 * @property {Health | null} health
 * @property {Problem | null} problem   why the program cannot be reached
 * @property {readonly RagDocument[] | null} all   as the program lists them
 * @property {readonly string[]} leaving   ids of documents that are removed unless it is undone
 * @property {readonly RagDocument[] | null} documents   all but those that are leaving
 * @property {readonly string[]} selected   ids of ticked documents; none means all
 * @property {readonly string[]} fresh   ids of documents added by the latest batch
 * @property {readonly Upload[]} uploads
 * @property {readonly Turn[]} turns
 * @property {Talk} talk
 * @property {boolean} evidence   whether all that was found is shown under the latest answer
 * @property {Open | null} open
 * @property {{documentId: string, page: number} | null} reading   the document on show, opened from the library
 * @property {Place} place   which place a narrow screen shows
 *
 * @typedef {{type: 'health-loaded', health: Health}
 *   | {type: 'connection-failed', problem: Problem}
 *   | {type: 'documents-loaded', documents: RagDocument[]}
 *   | {type: 'documents-leaving', documentIds: readonly string[]}
 *   | {type: 'documents-returned', documentIds: readonly string[], selected: readonly string[]}
 *   | {type: 'document-changed', document: RagDocument}
 *   | {type: 'documents-picked', documentIds: readonly string[], on: boolean}
 *   | {type: 'selection-cleared'}
 *   | {type: 'uploads-added', uploads: {uploadId: string, name: string, sizeBytes: number}[], at: number}
 *   | {type: 'upload-sending', uploadId: string, at: number}
 *   | {type: 'upload-sent', uploadId: string, share: number}
 *   | {type: 'upload-accepted', uploadId: string, jobId: string}
 *   | {type: 'upload-failed', uploadId: string, problem: Problem}
 *   | {type: 'upload-requeued', uploadId: string, jobId: string | null, at: number}
 *   | {type: 'upload-cancelling', uploadId: string, on: boolean}
 *   | {type: 'job-seen', job: Job, at: number}
 *   | {type: 'jobs-gone', jobIds: readonly string[]}
 *   | {type: 'upload-dropped', uploadId: string}
 *   | {type: 'asked', turnId: string, question: string, documentIds: string[] | null, scope: string, at: number}
 *   | {type: 'stage-told', turnId: string, stage: Stage}
 *   | {type: 'evidence-told', turnId: string, passages: number, documents: number}
 *   | {type: 'claim-told', turnId: string, claim: Claim}
 *   | {type: 'audit-told', turnId: string, count: number}
 *   | {type: 'answered', turnId: string, answer: Answer}
 *   | {type: 'ask-failed', turnId: string, problem: Problem}
 *   | {type: 'ask-stopped', turnId: string}
 *   | {type: 'turn-dropped', turnId: string}
 *   | {type: 'conversation-begun', conversationId: string}
 *   | {type: 'conversation-lost'}
 *   | {type: 'conversation-opening', conversationId: string}
 *   | {type: 'conversation-opened', conversation: WholeConversation}
 *   | {type: 'conversation-failed', problem: Problem}
 *   | {type: 'conversation-renamed', conversationId: string, title: string}
 *   | {type: 'conversation-cleared'}
 *   | {type: 'evidence-switched', on: boolean}
 *   | {type: 'citation-opened', turnId: string, number: number, part?: number | null}
 *   | {type: 'document-opened', documentId: string, page: number}
 *   | {type: 'source-closed'}
 *   | {type: 'place-shown', place: Place}} Action
 */

export {};
