/** Saving an answer as a test: what the person says of it, and what proves the right answer. */

import { listDocuments } from '../api.js';
import { emit, h } from '../dom.js';
import { language } from '../language.js';
import { citationInWords, words } from '../messages.js';
import { draftTest, saveTest } from '../tests-api.js';
import { testWords } from '../tests-messages.js';
import { openDialog } from './dialogs.js';
import { faultLine, field, lineBox, linesOf, placeFields, reviewerBox, styled, tagsOf, textBox, tick } from './test-fields.js';

/**
 * @typedef {import('../tests-api.js').Saving} Saving
 * @typedef {import('../tests-api.js').Verdict} Verdict
 * @typedef {import('../state-types.js').Turn} Turn
 */

/** @type {readonly Verdict[]} */
const OF_ANSWERS = ['right', 'wrong', 'should_have_been_refused'];
/** @type {readonly Verdict[]} */
const OF_REFUSALS = ['right', 'should_have_been_answered'];

/** @param {Turn} turn @param {string} conversationId */
export async function showSaving(turn, conversationId) {
  const { answer, number } = turn;
  if (!answer || number === null) return;
  const said = language.texts.tests;
  await styled();
  const body = h('div', { class: 'test-fields' }, h('p', { class: 'quiet', role: 'status' }, words.loading));
  const cancel = h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, words.cancel);
  const save = h('button', { type: 'button', class: 'button button--primary', disabled: true }, words.save);
  const dialog = openDialog(said.save, [body], [cancel, save], 'dialog dialog--saving');
  const fault = faultLine();
  /** @type {Saving} */
  const asked = { conversation_id: conversationId, turn: number, verdict: 'right' };
  try {
    const [draft, documents] = await Promise.all([draftTest(asked), listDocuments()]);
    if (draft.same_as !== null) return done(said.duplicate);
    const form = savingForm(turn, draft, documents);
    body.replaceChildren(...form.rows, fault.line);
    form.focus();
    save.disabled = false;
    save.addEventListener('click', async () => {
      fault.clear();
      save.disabled = true;
      try {
        const { test, outcome } = await saveTest({ ...asked, ...form.value() });
        done(outcome === 'duplicate' ? said.duplicate : test.review_status === 'approved_gold' ? said.savedApproved : said.saved);
      } catch (error) {
        save.disabled = false;
        fault.show(error);
      }
    });
  } catch (error) {
    body.replaceChildren(fault.line);
    fault.show(error);
  }

  /** @param {string} text */
  function done(text) {
    const open = h('button', { type: 'button', class: 'button', onclick: () => (dialog.close(), emit(document, 'tests-asked')) }, said.openTests);
    body.replaceChildren(h('p', { role: 'status' }, text));
    cancel.textContent = words.closeDialog;
    save.replaceWith(open);
    cancel.focus();
    emit(document, 'said', text);
  }
}

/** @param {Turn} turn @param {import('../tests-api.js').Draft} draft @param {import('../contract.js').RagDocument[]} documents */
function savingForm({ answer, turnId }, draft, documents) {
  const said = language.texts.tests;
  const refused = answer?.refused ?? false;
  const citations = answer?.citations ?? [];
  /** @type {Verdict} */
  let verdict = 'right';
  const names = { ...said.verdicts, ...(refused ? { right: said.rightRefusal } : {}) };
  const radios = (refused ? OF_REFUSALS : OF_ANSWERS).map((one) => {
    const radio = h('input', { type: 'radio', name: `verdict-${turnId}`, value: one, checked: one === verdict, onchange: () => ((verdict = one), draw()) });
    return h('label', { class: 'test-tick' }, radio, h('span', {}, names[one]));
  });
  const question = textBox(draft.question, 2);
  const written = textBox('', 3);
  const ticks = citations.map((citation) => ({ id: citation.id, ...tick(testWords.evidenceRow(citationInWords(citation), citation.quote), true) }));
  const facts = textBox(draft.required_facts.join('\n'), Math.min(5, Math.max(2, draft.required_facts.length)));
  const place = placeFields(documents);
  const tags = lineBox('', 1000);
  const name = reviewerBox();
  const named = field(said.name, name);
  const confirm = tick(said.confirm, false, () => draw());
  const group = (/** @type {string} */ title, /** @type {HTMLElement[]} */ ...rows) => h('fieldset', { class: 'test-group' }, h('legend', { class: 'label' }, title), ...rows);
  const rows = {
    lead: h('p', { class: 'quiet' }, said.saveLead),
    verdict: group(said.verdict, ...radios),
    question: field(words.question, question),
    written: field(said.rightAnswer, written),
    evidence: group(said.evidence, ...ticks.map(({ row }) => row)),
    facts: field(said.facts, facts, said.factsHint),
    place: place.row,
    tags: field(said.tags, tags),
    confirm: h('div', { class: 'test-fields' }, confirm.row, named),
  };

  function draw() {
    const writes = verdict === 'wrong' || verdict === 'should_have_been_answered';
    const answers = writes || (verdict === 'right' && !refused);
    rows.written.hidden = !writes;
    rows.evidence.hidden = !answers || citations.length === 0;
    rows.facts.hidden = verdict !== 'right' || refused;
    rows.place.hidden = !answers;
    rows.confirm.hidden = writes;
    named.hidden = !confirm.box.checked;
  }
  draw();
  return {
    rows: Object.values(rows),
    focus: () => radios[0].querySelector('input')?.focus(),
    /** @returns {Partial<Saving>} */
    value() {
      return {
        verdict,
        question: question.value,
        tags: tagsOf(tags),
        ...(rows.written.hidden ? {} : { reference_answer: written.value }),
        ...(rows.evidence.hidden ? {} : { citations: ticks.filter(({ box }) => box.checked).map(({ id }) => id) }),
        ...(rows.facts.hidden ? {} : { required_facts: linesOf(facts) }),
        ...(rows.place.hidden ? {} : { places: place.value() }),
        ...(rows.confirm.hidden || !confirm.box.checked ? {} : { confirmed_by: name.value }),
      };
    },
  };
}
