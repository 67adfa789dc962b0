/**
 * Holds the conversation: asks, stops, asks again, begins, reopens.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./contract.js').Stage} Stage
 * @typedef {import('./contract.js').Ledger} Ledger
 *
 * @typedef {object} Program
 * @property {(asked: {question: string, documentIds: string[] | null, conversationId: string | null}, options: {signal: AbortSignal, onEvent: (name: string, data: any) => void}) => Promise<Answer>} ask
 * @property {(signal?: AbortSignal) => Promise<import('./contract.js').Conversation>} beginConversation
 * @property {(conversationId: string, last: number | null) => Promise<import('./contract.js').WholeConversation>} getConversation
 */

import { ApiError } from './api.js';
import { scopeInWords } from './messages.js';
import { askingTurn, scopeOf } from './state.js';

/** Of a long conversation, those that are shown at once. */
export const FIRST_SHOWN = 30;

/**
 * @param {object} options
 * @param {() => State} options.state
 * @param {(action: Action) => void} options.dispatch
 * @param {Program} options.program
 * @param {(conversationId: string | null, isNew: boolean) => void} options.remember   which conversation is on show; `isNew`: a step that one can go back from
 * @param {() => Promise<void>} [options.ready]   what a question has to wait for
 * @param {() => number} [options.now]
 */
export function createTalk({ state, dispatch, program, remember, ready = async () => {}, now = Date.now }) {
  let count = 0;
  let stopping = new AbortController();

  /** @param {string} question */
  async function ask(question) {
    if (!question || askingTurn(state()) || state().talk.phase === 'opening') return;
    const turnId = `turn-${(count += 1)}`;
    const documentIds = scopeOf(state());
    const scope = scopeInWords(documentIds?.length ?? 0, state().documents?.length ?? 0);
    stopping = new AbortController();
    const { signal } = stopping;
    dispatch({ type: 'asked', turnId, question, documentIds, scope, at: now() });
    try {
      await ready();
      const conversationId = await begun(signal);
      const answer = await program.ask({ question, documentIds, conversationId }, { signal, onEvent: teller(turnId, signal) });
      if (!signal.aborted) dispatch({ type: 'answered', turnId, answer });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      // It was deleted elsewhere: the next try begins another.
      if (error.problem.code === 'unknown-conversation') forget();
      dispatch({ type: 'ask-failed', turnId, problem: error.problem });
    }
  }

  /** The conversation to ask in. @param {AbortSignal} signal */
  async function begun(signal) {
    const { conversationId } = state().talk;
    if (conversationId !== null) return conversationId;
    const { conversation_id: fresh } = await program.beginConversation(signal);
    signal.throwIfAborted();
    dispatch({ type: 'conversation-begun', conversationId: fresh });
    remember(fresh, false);
    return fresh;
  }

  function forget() {
    dispatch({ type: 'conversation-lost' });
    remember(null, false);
  }

  /** Turns what is told of an answer into actions. A stage is told each second: only its changes count. @param {string} turnId @param {AbortSignal} signal */
  function teller(turnId, signal) {
    let last = '';
    return (/** @type {string} */ name, /** @type {any} */ data) => {
      if (signal.aborted) return;
      if (name === 'stage') {
        const { stage, attempt, writer, model_state } = /** @type {Stage} */ (data);
        const seen = [stage, attempt, writer, model_state].join(' ');
        if (seen !== last) dispatch({ type: 'stage-told', turnId, stage: { stage, attempt, writer, model_state } });
        last = seen;
      } else if (name === 'evidence') {
        const { evidence } = /** @type {{evidence: {document_id: string}[]}} */ (data);
        const documents = new Set(evidence.map(({ document_id: id }) => id)).size;
        dispatch({ type: 'evidence-told', turnId, passages: evidence.length, documents });
      } else if (name === 'claim') dispatch({ type: 'claim-told', turnId, claim: data });
      else if (name === 'audit') dispatch({ type: 'audit-told', turnId, count: /** @type {{audits: unknown[]}} */ (data).audits.length });
    };
  }

  function stop() {
    const turn = askingTurn(state());
    if (!turn) return;
    stopping.abort();
    dispatch({ type: 'ask-stopped', turnId: turn.turnId });
  }

  /** What came to nothing gives way to the new try; an answer stays. @param {string} turnId */
  function again(turnId) {
    const turn = state().turns.find((one) => one.turnId === turnId);
    if (!turn || askingTurn(state())) return undefined;
    if (turn.phase !== 'answered') dispatch({ type: 'turn-dropped', turnId });
    return ask(turn.question);
  }

  /** @param {string} conversationId @param {boolean} [isNew] */
  async function open(conversationId, isNew = true) {
    stop();
    dispatch({ type: 'conversation-opening', conversationId });
    remember(conversationId, isNew);
    await load(conversationId, FIRST_SHOWN);
  }

  async function showEarlier() {
    const { conversationId } = state().talk;
    if (conversationId !== null) await load(conversationId, null);
  }

  /** @param {string} conversationId @param {number | null} last */
  async function load(conversationId, last) {
    try {
      dispatch({ type: 'conversation-opened', conversation: await program.getConversation(conversationId, last) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (state().talk.conversationId === conversationId) dispatch({ type: 'conversation-failed', problem: error.problem });
    }
  }

  /** Leaves the conversation as it is kept, and begins anew with the next question. @param {boolean} [isNew] */
  function fresh(isNew = true) {
    stop();
    dispatch({ type: 'conversation-cleared' });
    remember(null, isNew);
  }

  return { ask, stop, again, open, showEarlier, fresh };
}
