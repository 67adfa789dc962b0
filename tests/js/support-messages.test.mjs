import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answerInMarkdown } from '../../web/js/as-markdown.js';
import { speakIn } from '../../web/js/messages.js';
import { checkerInWords, commonReason, countsInWords, flagInWords, modeInWords, oddsInWords, passagesOf, reasonInWords, repairInWords, statusOf, supportLines } from '../../web/js/support-messages.js';

const plain = (text) => text.replace(/[\u2066-\u2069]/g, '');
const check = (action, relation, p = {}) => ({
  status: 'completed', action, error: null, requested_model: 'jev-1.13.0', returned_model: 'jev-1.13.0', excerpts: [],
  assessment: { relation, probabilities: { supported: 0, contradicted: 0, insufficient: 0, ...p } },
});
const unavailable = (error) => ({ ...check(null, 'supported'), status: 'unavailable', assessment: null, returned_model: null, error });
const audit = (one, rest = {}) => ({ claim: 'It stands.', part: 0, citations: [1], threshold: 0.9, repair: null, ...one, ...rest });

test('the status is what the policy suggests, not the likeliest relation', () => {
  const cases = [
    [check('keep', 'supported'), 'supported'],
    [check('withhold', 'contradicted'), 'contradicted'],
    [check('withhold', 'insufficient'), 'insufficient'],
    [check('review', 'supported'), 'review'],
    [check('review', 'contradicted'), 'review'],
    [unavailable('The check failed.'), 'unavailable'],
  ];
  assert.deepEqual(cases.map(([one]) => statusOf(one)), cases.map(([, status]) => status));
  assert.equal(countsInWords(cases.map(([one]) => audit(one))), '1 supported · 1 contradicted · 1 not enough · 2 to be reviewed · 1 check unavailable');
  assert.equal(countsInWords([]), '');
});

test('the mode is said with its model, and that it is online where it is', () => {
  const said = (health) => plain(modeInWords(health).text);
  assert.equal(said({}), 'off');
  assert.equal(said({ jev_mode: 'off', auditor: { model: null, local: true } }), 'off');
  assert.equal(said({ jev_mode: 'observe', auditor: { model: 'kev', local: true } }), 'observe (kev)');
  assert.equal(said({ jev_mode: 'repair', auditor: { model: 'kev', local: false } }), 'repair (kev, online)');
  assert.match(modeInWords({ jev_mode: 'repair', auditor: { model: 'kev', local: true } }).hint, /another passage that does is cited instead/);
});

test('probabilities are shares that never round to certainty what is not', () => {
  assert.equal(oddsInWords('supported', 0.97), 'supported 97%');
  assert.equal(oddsInWords('insufficient', 0.9961), 'not enough 99.6%');
});

test('a known reason is said in the language of the page, a new one as the program says it', async () => {
  const at = 'The decision model at http://127.0.0.1:1';
  const cases = [
    ['The time for checks was over.', 'The time for checks was over.'],
    [`${at} is busy (HTTP 529).`, 'The server that checks is busy (HTTP 529).'],
    [`${at} does not let us in (HTTP 403). It was not asked again, for the server could not be used before.`, 'The server that checks does not accept the key (HTTP 403).'],
    [`${at} runs a model that is no decision model, not jev (HTTP 501).`, 'The server that checks has no such decision model (HTTP 501).'],
    [`${at} refused the call (HTTP 422).`, 'The server that checks answered with an error (HTTP 422).'],
    [`${at} does not answer.`, 'The server that checks does not answer.'],
    [`The reply of the decision model is unsound: it has no usage.`, 'The server’s reply could not be trusted.'],
    ['Something new.', 'Something new.'],
    [null, 'The check failed.'],
  ];
  assert.deepEqual(cases.map(([error]) => reasonInWords(error)), cases.map(([, said]) => said));
  await speakIn('de');
  assert.equal(reasonInWords(`${at} is busy (HTTP 429).`), 'Der prüfende Server ist überlastet (HTTP 429).');
  await speakIn('en');
});

test('a reason that is the same for all is said once', () => {
  const busy = audit(unavailable('It is busy (HTTP 429).'));
  assert.equal(commonReason([busy, busy]), 'The server that checks is busy (HTTP 429).');
  assert.equal(commonReason([busy, audit(unavailable('The check failed.'))]), '');
  assert.equal(commonReason([busy, audit(check('keep', 'supported'))]), '');
  assert.equal(commonReason([audit(check('keep', 'supported'))]), '');
});

test('what came of trying other passages is said', () => {
  const lacks = check('withhold', 'insufficient');
  const repaired = (succeeded, ...attempts) => repairInWords(audit(lacks, { repair: { succeeded, original: lacks, attempts } }));
  assert.equal(repairInWords(audit(lacks)), '');
  assert.equal(repaired(true, check('keep', 'supported')), 'Citation repaired');
  assert.equal(repaired(false), 'There was no other passage to try. The citation stays.');
  assert.match(repaired(false, lacks, lacks), /^2 other passages were tried; none/);
  assert.match(repaired(false, lacks, unavailable('The time for checks was over.')), /ended early\. The citation stays\. The time for checks was over\.$/);
  assert.match(repaired(false, check('keep', 'supported')), /could not be cited any more/);
});

test('a passage is found among what is cited, and else among what was found for the same part', () => {
  const row = (chunk_id) => ({ chunk_id });
  const answer = { citations: [{ id: 1, chunk_id: 'b' }], ledger: [{ rows: [row('x')] }, { rows: [row('a'), row('b'), row('c')] }] };
  const one = { ...check('keep', 'supported', { supported: 0.97 }), excerpts: ['b', 'c', 'x'].map((chunk_id) => ({ chunk_id })) };
  const found = passagesOf(answer, audit(one, { part: 1 }), one);
  assert.deepEqual(found.map(({ citation, row: has, number }) => [citation?.id, has?.chunk_id, number]), [[1, 'b', 2], [undefined, 'c', 3], [undefined, undefined, 0]]);
  assert.equal(found[0].odds, 'supported 97%');
  assert.deepEqual(passagesOf({ citations: [], ledger: [] }, audit(one), unavailable('No.')), []);
});

test('a flag says what to look at, one of a new kind as the program says it', () => {
  assert.equal(plain(flagInWords({ kind: 'number', surface: '12', message: '' })), 'Look at the number 12: not in the cited text');
  assert.equal(plain(flagInWords({ kind: 'hedge', surface: 'may', message: '' })), 'Look at how certain it is: the cited text says “may”');
  assert.equal(flagInWords({ kind: 'tone', surface: 'x', message: 'check the tone' }), 'check the tone');
});

test('a copied answer holds its checks and flags as text', () => {
  const answer = {
    answer: 'It *stands*. [1]', citations: [], notes: [], unsupported_parts: [], refused: false,
    audits: [audit(check('keep', 'supported'), { claim: 'It *stands*.', repair: { succeeded: true } }), audit(unavailable('The check failed.'))],
    flags: [{ kind: 'number', surface: '12', message: '', claim: 'It has 12 rooms.' }],
  };
  assert.deepEqual(supportLines(answer).map(plain), [
    'Answer support check: Supported (Citation repaired): It *stands*.',
    'Answer support check: Check unavailable (The check failed.): It stands.',
    'Look at the number 12: not in the cited text: It has 12 rooms.',
  ]);
  assert.match(answerInMarkdown('Why?', answer), /Citation repaired\): It \\\*stands\\\*\./);
  assert.deepEqual(supportLines({}), []);
});

test('who checked is named once', () => {
  const said = plain(checkerInWords([audit(check('keep', 'supported')), audit(unavailable('No.'))]));
  assert.match(said, /^jev-1\.13\.0 held each statement/);
});
