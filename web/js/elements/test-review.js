/** Reviewing a test: the source first, an answer of one's own, and only then the one that is proposed. */

import { listDocuments, pageImageUrl } from '../api.js';
import { emit, h, icon, shownName } from '../dom.js';
import { language } from '../language.js';
import { isolated, pageInWords, words } from '../messages.js';
import { visibleName } from '../text.js';
import { changeTest, deleteTest, getTest } from '../tests-api.js';
import { shortened, statusInWords, testWords } from '../tests-messages.js';
import { confirmed } from './dialogs.js';
import { choice, faultLine, field, lineBox, linesOf, placeFields, reviewerBox, tagsOf, textBox, tick } from './test-fields.js';

/**
 * @typedef {import('../tests-api.js').WholeTest} WholeTest
 * @typedef {import('../tests-api.js').Proposed} Proposed
 * @typedef {import('../tests-api.js').SourcePage} SourcePage
 * @typedef {import('../tests-api.js').ExpectedEvidence} ExpectedEvidence
 */

/**
 * Draws the review into a view.
 * @param {HTMLElement} view
 * @param {string} caseId
 * @param {() => void} back   to the list, which may have changed
 */
export async function showReview(view, caseId, back) {
  const said = language.texts.tests;
  const fault = faultLine();
  const leave = h('button', { type: 'button', class: 'button button--quiet button--small', onclick: back }, icon('left'), said.back);
  view.replaceChildren(leave, fault.line);
  leave.focus();
  try {
    draw(await getTest(caseId, false));
  } catch (error) {
    fault.show(error);
  }

  /** @param {WholeTest} whole */
  function draw({ test, places }) {
    const own = textBox('', 3);
    const rest = h('section', { class: 'test-fields' });
    const reveal = h('button', { type: 'button', class: 'button button--primary', onclick: () => void show() }, said.reveal);
    const sheets = places.map(sourceOf);
    const title = h('h3', { class: 'test-question', dir: 'auto', tabindex: -1 }, test.question);
    view.replaceChildren(
      leave,
      title,
      h('p', { class: 'quiet' }, [statusInWords(test), language.texts.tests.splits[test.split], ...test.tags.map(visibleName)].join(' · ')),
      h('h4', { class: 'label' }, said.readFirst),
      ...(sheets.length ? sheets.map(({ row }) => row) : [h('p', {}, said.noPlace)]),
      field(said.ownAnswer, own, said.ownHint),
      h('div', {}, reveal),
      fault.line,
      rest,
    );
    title.focus();

    async function show() {
      fault.clear();
      try {
        const whole = await getTest(caseId, true);
        reveal.remove();
        drawProposed(rest, whole, sheets);
      } catch (error) {
        fault.show(error);
      }
    }
  }

  /** @param {HTMLElement} rest @param {WholeTest} whole @param {ReturnType<typeof sourceOf>[]} sheets */
  function drawProposed(rest, { test, proposed }, sheets) {
    if (!proposed) return;
    for (const sheet of sheets) sheet.mark(proposed.expected_evidence);
    const name = reviewerBox();
    const problem = faultLine();
    /** @param {Record<string, unknown>} change @param {string} text */
    const send = async (change, text) => {
      problem.clear();
      try {
        await changeTest(caseId, { updated_at: test.updated_at, ...change });
      } catch (error) {
        return problem.show(error);
      }
      emit(document, 'said', text);
      back();
    };
    /** @param {'approve' | 'reject'} decision @param {string} text */
    const decide = (decision, text) => () => {
      if (name.value.trim()) return void send({ decision, reviewer: name.value }, text);
      problem.tell(said.needsName);
      name.focus();
    };
    const remove = async () => {
      if (!(await confirmed({ title: said.removeTitle, body: said.removeBody, confirm: said.remove }))) return;
      try {
        await deleteTest(caseId);
      } catch (error) {
        return problem.show(error);
      }
      back();
    };
    const heading = h('h4', { class: 'label', tabindex: -1 }, said.proposed);
    const actions = h(
      'div',
      { class: 'test-actions' },
      h('button', { type: 'button', class: 'button button--primary', onclick: decide('approve', said.saidApproved) }, icon('check'), said.approve),
      h('button', { type: 'button', class: 'button', onclick: decide('reject', said.saidRejected) }, said.reject),
      h('button', { type: 'button', class: 'button button--quiet', onclick: () => void edit() }, icon('edit'), said.edit),
      h('button', { type: 'button', class: 'button button--quiet', onclick: () => void remove() }, icon('bin'), said.remove),
    );
    const edit = async () => {
      try {
        const form = editForm(test, proposed, await listDocuments());
        const save = h('button', { type: 'button', class: 'button button--primary', onclick: () => void send(form.value(), said.saidEdited) }, words.save);
        const keep = h('button', { type: 'button', class: 'button', onclick: () => drawProposed(rest, { test, proposed, places: [], revealed: true }, sheets) }, words.cancel);
        rest.replaceChildren(...form.rows, problem.line, h('div', { class: 'test-actions' }, save, keep));
        rest.scrollIntoView();
        form.focus();
      } catch (error) {
        problem.show(error);
      }
    };
    rest.replaceChildren(heading, ...proposal(proposed), field(said.name, name), problem.line, actions);
    lead(heading);
  }
}

/** @param {HTMLElement} heading */
function lead(heading) {
  heading.focus({ preventScroll: true });
  heading.scrollIntoView();
}

/** @param {Proposed} proposed @returns {HTMLElement[]} */
function proposal({ verdict, answerable, reference_answer: answer, required_facts: facts, expected_evidence: evidence }) {
  const said = language.texts.tests;
  const quotes = evidence.flatMap(({ contains }) => contains.map((text) => h('li', { dir: 'auto' }, shortened(text))));
  return [
    h('blockquote', { class: 'test-answer', dir: 'auto' }, answerable ? answer : said.proposedRefusal),
    ...(facts.length ? [h('div', {}, h('h5', { class: 'label' }, said.facts), h('ul', { class: 'test-list' }, ...facts.map((fact) => h('li', { dir: 'auto' }, fact))))] : []),
    ...(quotes.length ? [h('div', {}, h('h5', { class: 'label' }, said.evidence), h('ul', { class: 'test-list' }, ...quotes))] : []),
    ...(verdict ? [h('p', { class: 'quiet' }, testWords.verdictWas(said.verdicts[verdict]))] : []),
  ];
}

/** @param {import('../tests-api.js').Test} test @param {Proposed} proposed @param {import('../contract.js').RagDocument[]} documents */
function editForm(test, proposed, documents) {
  const said = language.texts.tests;
  const question = textBox(test.question, 2);
  const answer = textBox(proposed.reference_answer, 3);
  const facts = textBox(proposed.required_facts.join('\n'), 3);
  const ticks = proposed.expected_evidence.map((one) => ({ one, ...tick(testWords.evidenceRow(visibleName(one.source), one.contains.join(' … ')), true) }));
  const place = placeFields(documents);
  const tags = lineBox(test.tags.join(', '), 1000);
  const split = choice(Object.entries(said.splits), test.split);
  const inside = h('div', { class: 'test-fields' }, field(said.rightAnswer, answer), h('fieldset', { class: 'test-group', hidden: ticks.length === 0 }, h('legend', { class: 'label' }, said.evidence), ...ticks.map(({ row }) => row)), place.row, field(said.facts, facts, said.factsHint));
  const answerable = tick(said.answerable, proposed.answerable, () => (inside.hidden = !answerable.box.checked));
  inside.hidden = !proposed.answerable;
  return {
    rows: [field(words.question, question), answerable.row, inside, field(said.tags, tags), field(said.split, split)],
    focus: () => question.focus(),
    value() {
      const known = { question: question.value.trim(), tags: tagsOf(tags), split: split.value, answerable: answerable.box.checked };
      if (!answerable.box.checked) return { ...known, reference_answer: '', required_facts: [], expected_evidence: [] };
      const kept = ticks.filter(({ box }) => box.checked).map(({ one }) => one);
      return { ...known, reference_answer: answer.value.trim(), required_facts: linesOf(facts), expected_evidence: kept, places: place.value() };
    },
  };
}

/** A page to be read: its picture where there is one, else its passages. @param {SourcePage} place */
function sourceOf(place) {
  const said = language.texts.tests;
  const { document_id: id, source, page, width_pt: width, height_pt: height, passages, is_same: isSame, media_type: mediaType } = place;
  const sheetName = page !== null && mediaType !== null ? pageInWords({ media_type: mediaType, page, page_label: null }) : '';
  const where = [isolated(source), sheetName].filter(Boolean).join(', ');
  const lines = h('div', { class: 'sheet__lines', 'aria-hidden': 'true' });
  const text = h('div', { class: 'test-passages' }, ...passages.map((passage) => h('p', { class: 'test-passage', dir: 'auto' }, passage)));
  const row = h('section', { class: 'test-source' }, h('h5', { class: 'test-source__name' }, shownName(source), sheetName && ` · ${sheetName}`));
  if (id === null) row.append(h('p', { class: 'quiet' }, said.gone));
  else if (!isSame) row.append(h('p', { class: 'quiet' }, said.changed));
  if (id !== null && page !== null && width > 0 && height > 0) {
    const image = h('img', { class: 'sheet__image', src: pageImageUrl(id, page), alt: words.pageImage(where, false, passages.join(' ')), onerror: () => scroller.remove() });
    const sheet = h('div', { class: 'sheet' }, image, lines);
    sheet.style.aspectRatio = `${width} / ${height}`;
    const scroller = h('div', { class: 'test-sheet', tabindex: 0, role: 'region', 'aria-label': where }, sheet);
    row.append(text, scroller);
  } else row.append(text);
  return {
    row,
    /** Marks what proves the answer. @param {readonly ExpectedEvidence[]} evidence */
    mark(evidence) {
      const boxes = evidence.filter((one) => one.source === source && one.page === page).flatMap(({ bbox }) => (bbox ? [bbox] : []));
      lines.replaceChildren(
        ...boxes.map(([x0, y0, x1, y1]) => {
          const line = h('span', { class: 'sheet__line' });
          line.style.left = `${(x0 / width) * 100}%`;
          line.style.top = `${(y0 / height) * 100}%`;
          line.style.width = `${((x1 - x0) / width) * 100}%`;
          line.style.height = `${((y1 - y0) / height) * 100}%`;
          return line;
        }),
      );
      const first = /** @type {HTMLElement | null} */ (lines.firstElementChild);
      const scroller = lines.closest('.test-sheet');
      if (first && scroller) scroller.scrollTop = first.offsetTop - scroller.clientHeight / 3;
    },
  };
}
