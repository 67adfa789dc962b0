/** The conversations that are kept: open, find, rename, delete. */

import { ApiError, deleteAllConversations, deleteConversation, listConversations, renameConversation } from '../api.js';
import { emit, h, icon, setText } from '../dom.js';
import { words } from '../messages.js';
import { conversationInWords, talkWords } from '../talk-messages.js';
import { visibleName } from '../text.js';
import { confirmed, openDialog } from './dialogs.js';

/** @typedef {import('../contract.js').Conversation} Conversation */

/** @param {unknown} error @returns {import('../contract.js').Problem} */
function problemOf(error) {
  if (error instanceof ApiError) return error.problem;
  throw error;
}

/** @param {Conversation} conversation */
const titleOf = ({ title }) => title || words.unnamed;

/** @param {string | null} currentId   the conversation on show */
export function showHistory(currentId) {
  const rows = h('ul', { class: 'history__rows', 'aria-label': words.history });
  const note = h('p', { class: 'quiet history__note', role: 'status' }, words.loading);
  const filter = h('input', { type: 'search', class: 'field', 'aria-label': words.filterConversations, placeholder: words.filterConversations, autocomplete: 'off', autofocus: true, oninput: () => draw() });
  const close = h('button', { type: 'button', class: 'button button--icon', 'aria-label': words.closeDialog, title: words.closeDialog, onclick: () => dialog.close() }, icon('close'));
  const clear = h('button', { type: 'button', class: 'button button--quiet button--small', onclick: () => void removeAll() }, words.deleteAll);
  const fresh = h('button', { type: 'button', class: 'button button--small', onclick: () => leave('conversation-clear-asked') }, icon('plus'), words.newConversation);
  const body = h('div', { class: 'history' }, h('div', { class: 'history__tools' }, filter, fresh), note, rows, h('div', { class: 'history__foot' }, clear));
  const dialog = openDialog(words.history, [body], [close], 'dialog dialog--history');
  const loading = new AbortController();
  dialog.addEventListener('close', () => loading.abort());
  /** @type {Conversation[]} */
  let all = [];
  let isWhole = false;

  /** @param {string} type @param {unknown} [detail] */
  function leave(type, detail) {
    dialog.close();
    emit(document, type, detail);
  }

  async function load() {
    /** @type {string | null} */
    let before = null;
    try {
      do {
        /** @type {{conversations: Conversation[], next: string | null}} */
        const page = await listConversations(before, loading.signal);
        if (loading.signal.aborted) return;
        // One whose first question was stopped holds nothing.
        all = [...all, ...page.conversations.filter((one) => one.turn_count > 0)];
        before = page.next;
        draw();
      } while (before);
      isWhole = true;
      draw();
    } catch (error) {
      if (!loading.signal.aborted) fail(problemOf(error));
    }
  }

  /** @param {import('../contract.js').Problem} problem */
  function fail(problem) {
    setText(note, words.pageProblem(problem));
    note.hidden = false;
  }

  function draw() {
    const wanted = filter.value.trim().toLocaleLowerCase();
    const shown = wanted ? all.filter((one) => titleOf(one).toLocaleLowerCase().includes(wanted)) : all;
    rows.replaceChildren(...shown.map(drawn));
    clear.hidden = all.length === 0;
    const said = !isWhole && all.length === 0 ? words.loading : all.length === 0 ? words.noConversations : shown.length === 0 ? words.noneFits : wanted ? talkWords.foundConversations(shown.length) : '';
    setText(note, said);
    note.hidden = said === '';
  }

  /** @type {WeakMap<Conversation, HTMLElement>} */
  const made = new WeakMap();

  /** @param {Conversation} conversation */
  function drawn(conversation) {
    const row = made.get(conversation) ?? rowOf(conversation);
    made.set(conversation, row);
    return row;
  }

  /** @param {Conversation} conversation */
  function rowOf(conversation) {
    const { conversation_id: id } = conversation;
    const title = titleOf(conversation);
    const isCurrent = id === currentId;
    const open = h(
      'button',
      { type: 'button', class: 'history__open', 'aria-label': talkWords.openConversation(title), 'aria-current': isCurrent && 'true', onclick: () => leave('conversation-open-asked', id) },
      h('span', { class: 'history__title', dir: 'auto' }, visibleName(title)),
      h('span', { class: 'history__facts' }, [conversationInWords(conversation), isCurrent && words.currentConversation].filter(Boolean).join(' · ')),
    );
    const row = h('li', { class: 'history__row', 'data-id': id });
    const plain = () =>
      row.replaceChildren(open, tool('edit', talkWords.renameConversation(title), () => renaming(row, conversation, plain)), tool('bin', talkWords.deleteConversation(title), () => deleting(row, conversation, plain)));
    plain();
    return row;
  }

  /** @param {string} shape @param {string} label @param {() => void} onclick */
  function tool(shape, label, onclick) {
    return h('button', { type: 'button', class: 'button button--icon', 'aria-label': label, title: label, onclick }, icon(shape));
  }

  /** @param {HTMLElement} row @param {Conversation} conversation @param {() => void} back */
  function renaming(row, conversation, back) {
    const field = h('input', { class: 'field', value: conversation.title, maxlength: 200, 'aria-label': words.newTitle, autocomplete: 'off' });
    const stay = () => {
      back();
      /** @type {HTMLElement | null} */ (row.querySelector('.button--icon'))?.focus();
    };
    const save = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const title = field.value.trim();
      if (!title || title === conversation.title) return stay();
      try {
        const renamed = await renameConversation(conversation.conversation_id, title);
        all = all.map((one) => (one.conversation_id === renamed.conversation_id ? renamed : one));
        emit(document, 'conversation-renamed', { conversationId: renamed.conversation_id, title: renamed.title });
        draw();
        focusRow(renamed.conversation_id);
      } catch (error) {
        fail(problemOf(error));
      }
    };
    const keep = h('button', { type: 'button', class: 'button button--quiet button--small', onclick: stay }, words.cancel);
    row.replaceChildren(h('form', { class: 'history__form', onsubmit: save, onkeydown: escaping(stay) }, field, h('button', { class: 'button button--small' }, words.save), keep));
    field.select();
  }

  /** @param {HTMLElement} row @param {Conversation} conversation @param {() => void} back */
  function deleting(row, conversation, back) {
    const { conversation_id: id } = conversation;
    const stay = () => {
      back();
      /** @type {HTMLElement | null} */ (row.querySelector('.button--icon:last-child'))?.focus();
    };
    const remove = async () => {
      const at = Array.from(rows.children).indexOf(row);
      try {
        await deleteConversation(id);
      } catch (error) {
        // Gone already is what was wanted.
        if (problemOf(error).code !== 'unknown-conversation') return fail(problemOf(error));
      }
      all = all.filter((one) => one.conversation_id !== id);
      emit(document, 'conversation-deleted', [id]);
      draw();
      const next = rows.children[Math.min(at, rows.children.length - 1)];
      /** @type {HTMLElement | null} */ (next?.querySelector('.history__open') ?? filter)?.focus();
    };
    const keep = h('button', { type: 'button', class: 'button button--small', onclick: stay }, words.keepIt);
    const yes = h('button', { type: 'button', class: 'button button--danger button--small', onclick: () => void remove() }, words.deleteOne);
    row.replaceChildren(h('div', { class: 'history__sure', role: 'group', onkeydown: escaping(stay) }, h('span', { dir: 'auto' }, talkWords.deleteSure(titleOf(conversation))), keep, yes));
    keep.focus();
  }

  async function removeAll() {
    if (!(await confirmed({ title: talkWords.deleteAllTitle(all.length), body: words.deleteAllBody, confirm: words.deleteAll }))) return;
    try {
      await deleteAllConversations();
      emit(document, 'conversation-deleted', all.map(({ conversation_id: id }) => id));
      all = [];
      draw();
      filter.focus();
    } catch (error) {
      fail(problemOf(error));
    }
  }

  /** @param {string} id */
  const focusRow = (id) => /** @type {HTMLElement | null} */ (rows.querySelector(`[data-id="${id}"] .history__open`))?.focus();

  void load();
}

/** Escape leaves the row's question, not the whole dialog. @param {() => void} stay */
const escaping = (stay) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  stay();
};
