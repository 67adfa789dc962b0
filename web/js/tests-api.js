/**
 * What the page asks the program about tests: golden cases that the library keeps.
 *
 * @typedef {'right' | 'wrong' | 'should_have_been_refused' | 'should_have_been_answered'} Verdict
 * @typedef {'synthetic_silver' | 'needs_review' | 'approved_gold' | 'rejected'} ReviewStatus
 * @typedef {'dev' | 'holdout' | 'smoke'} Split
 *
 * @typedef {object} Test   without what it proposes
 * @property {string} case_id
 * @property {string} question
 * @property {string} question_type
 * @property {Split} split
 * @property {ReviewStatus} review_status
 * @property {string} reviewer
 * @property {string | null} reviewed_at
 * @property {string[]} tags
 * @property {string} created_at
 * @property {string} updated_at
 *
 * @typedef {object} ExpectedEvidence
 * @property {string} source
 * @property {string} source_sha256
 * @property {number | null} page
 * @property {string[]} contains
 * @property {string} evidence_group
 * @property {import('./contract.js').Box | null} bbox
 *
 * @typedef {object} Proposed
 * @property {Verdict | null} verdict
 * @property {boolean} answerable
 * @property {string} reference_answer
 * @property {string[]} required_facts
 * @property {ExpectedEvidence[]} expected_evidence
 *
 * @typedef {object} SourcePage
 * @property {string} source
 * @property {number | null} page
 * @property {string | null} document_id   null: not in the library
 * @property {string | null} media_type
 * @property {boolean} is_same   the document has the bytes that the test was made of
 * @property {string[]} passages
 * @property {number} width_pt
 * @property {number} height_pt
 *
 * @typedef {{test: Test, places: SourcePage[], revealed: boolean, proposed?: Proposed}} WholeTest
 * @typedef {Proposed & {question: string, split: Split, tags: string[], same_as: string | null}} Draft
 * @typedef {{tests: Test[], counts: Record<ReviewStatus, number>, has_run: boolean}} Tests
 *
 * @typedef {{document_id: string, page: number | null, contains: string[]}} NamedPlace
 * @typedef {{conversation_id: string, turn: number, verdict: Verdict, question?: string, reference_answer?: string, required_facts?: string[], citations?: number[], places?: NamedPlace[], tags?: string[], confirmed_by?: string}} Saving
 * @typedef {{value: number | null, low: number | null, high: number | null, n: number, of: number}} Figure
 *
 * @typedef {object} RunSummary
 * @property {string} begun_at
 * @property {number} cases
 * @property {number} approved
 * @property {Record<string, Figure>} figures
 * @property {Record<string, Figure>} not_approved
 * @property {{p50: number, p95: number} | null} latency_ms
 * @property {{case_id: string, question: string, reason: string}[]} failed
 * @property {{metric: string, kind: 'bound' | 'regression', kept: boolean, told: string}[]} gates
 * @property {boolean | null} passed
 * @property {string} report   where it can be read
 */

import { followed, JSON_HEADERS, request } from './api.js';

const TESTS = '/api/tests';

/** @param {string} caseId */
const testPath = (caseId) => `${TESTS}/${encodeURIComponent(caseId)}`;

/** @param {string} method @param {unknown} body */
const sending = (method, body) => ({ method, headers: JSON_HEADERS, body: JSON.stringify(body) });

export const exportTestsUrl = `${TESTS}/export`;

export async function listTests() {
  return /** @type {Tests} */ (await request(TESTS));
}

/** What saving would make of an answer. @param {Saving} saving */
export async function draftTest(saving) {
  return /** @type {Draft} */ (await request(`${TESTS}/draft`, sending('POST', saving)));
}

/** @param {Saving} saving */
export async function saveTest(saving) {
  return /** @type {{test: Test, outcome: 'created' | 'duplicate'}} */ (await request(TESTS, sending('POST', saving)));
}

/** @param {string} caseId @param {boolean} revealed   with what it proposes */
export async function getTest(caseId, revealed) {
  return /** @type {WholeTest} */ (await request(`${testPath(caseId)}${revealed ? '?revealed=true' : ''}`));
}

/** @param {string} caseId @param {Record<string, unknown>} change */
export async function changeTest(caseId, change) {
  return /** @type {WholeTest} */ (await request(testPath(caseId), sending('PATCH', change)));
}

/** @param {string} caseId */
export async function deleteTest(caseId) {
  await request(testPath(caseId), { method: 'DELETE' });
}

/** @param {File} file */
export async function importTests(file) {
  const body = new FormData();
  body.append('file', file, file.name);
  return /** @type {{added: string[], skipped: {case_id: string, same_as: string}[]}} */ (await request(`${TESTS}/import`, { method: 'POST', body }));
}

/** Aborting it stops the run. @param {'approved' | 'all'} which @param {{signal: AbortSignal, onEvent: (name: string, data: any) => void}} options */
export async function runTests(which, options) {
  return /** @type {RunSummary} */ (await followed(`${TESTS}/run`, { which }, options));
}

export async function lastRun() {
  return /** @type {RunSummary} */ (await request(`${TESTS}/runs/last?summary=true`));
}
