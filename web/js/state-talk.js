/**
 * The part of the state that is the conversation: its questions, their answers, and the passage on show.
 *
 * @typedef {import('./state-types.js').State} State
 * @typedef {import('./state-types.js').Action} Action
 * @typedef {import('./state-types.js').Turn} Turn
 * @typedef {import('./state-types.js').Talk} Talk
 * @typedef {import('./contract.js').Citation} Citation
 * @typedef {import('./contract.js').KeptTurn} KeptTurn
 * @typedef {import('./contract.js').LedgerRow} LedgerRow
 */

/** @type {Talk} */
export const untitled = Object.freeze({ conversationId: null, title: '', earlier: 0, phase: 'open', problem: null });

const BLANK = Object.freeze({ stage: null, found: null, claims: Object.freeze([]), checked: 0, answer: null, number: null, problem: null });

/** @param {State} state @param {Action} action @returns {State} */
export function reduceTalk(state, action) {
  switch (action.type) {
    case 'asked': {
      const { turnId, question, documentIds, scope, at: since } = action;
      /** @type {Turn} */
      const turn = { ...BLANK, turnId, question, documentIds, scope, phase: 'asking', since };
      return { ...state, turns: [...state.turns, turn], place: 'conversation' };
    }
    case 'stage-told':
      return told(state, action.turnId, (turn) => {
        const isNew = turn.stage !== null && action.stage.attempt > turn.stage.attempt;
        return isNew ? { ...turn, stage: action.stage, claims: [], checked: 0, found: null } : { ...turn, stage: action.stage };
      });
    case 'evidence-told': {
      const { passages, documents } = action;
      return told(state, action.turnId, (turn) => ({ ...turn, found: { passages, documents } }));
    }
    case 'claim-told':
      return told(state, action.turnId, (turn) => ({ ...turn, claims: [...turn.claims, action.claim] }));
    case 'audit-told':
      return told(state, action.turnId, (turn) => ({ ...turn, checked: turn.checked + action.count }));
    case 'answered':
      return told(state, action.turnId, (turn) => ({ ...turn, phase: 'answered', answer: action.answer, number: action.answer.turn ?? null, claims: [], stage: null }));
    case 'ask-failed':
      return told(state, action.turnId, (turn) => ({ ...turn, phase: 'failed', problem: action.problem, stage: null }));
    case 'ask-stopped':
      return told(state, action.turnId, (turn) => ({ ...turn, phase: 'stopped', stage: null }));
    case 'turn-dropped':
      return { ...state, turns: state.turns.filter((turn) => turn.turnId !== action.turnId), open: state.open?.turnId === action.turnId ? null : state.open };
    case 'conversation-begun':
      return { ...state, talk: { ...state.talk, conversationId: action.conversationId } };
    case 'conversation-lost':
      return { ...state, talk: { ...state.talk, conversationId: null } };
    case 'conversation-opening':
      return { ...state, ...closed(state), turns: [], talk: { ...untitled, conversationId: action.conversationId, phase: 'opening' }, place: 'conversation' };
    case 'conversation-opened':
      return opened(state, action.conversation);
    case 'conversation-failed':
      return { ...state, talk: { ...state.talk, phase: 'failed', problem: action.problem } };
    case 'conversation-renamed':
      return state.talk.conversationId === action.conversationId ? { ...state, talk: { ...state.talk, title: action.title } } : state;
    case 'conversation-cleared':
      return { ...state, ...closed(state), turns: [], talk: untitled };
    case 'evidence-switched':
      return { ...state, evidence: action.on };
    default:
      return state;
  }
}

/** @param {State} state @returns {Pick<State, 'open' | 'place'>} */
const closed = ({ place }) => ({ open: null, place: place === 'source' ? 'conversation' : place });

/** Changes a turn that waits for its answer; what comes late changes nothing. @param {State} state @param {string} turnId @param {(turn: Turn) => Turn} change */
function told(state, turnId, change) {
  return { ...state, turns: state.turns.map((turn) => (turn.turnId === turnId && turn.phase === 'asking' ? change(turn) : turn)) };
}

/**
 * Shows turns as they are kept. Those on show already stay the same, so that what is open under them stays open.
 * @param {State} state
 * @param {import('./contract.js').WholeConversation} whole
 * @returns {State}
 */
function opened(state, { conversation_id: conversationId, title, turn_count: count, turns: kept }) {
  if (state.talk.conversationId !== conversationId) return state;
  const here = new Map(state.turns.map((turn) => [turn.number, turn]));
  const unkept = state.turns.filter(({ number }) => number === null);
  const turns = kept.map((turn) => here.get(turn.number) ?? turnOf(conversationId, turn));
  return { ...state, turns: [...turns, ...unkept], talk: { conversationId, title, earlier: Math.max(0, count - kept.length), phase: 'open', problem: null } };
}

/** @param {string} conversationId @param {KeptTurn} kept @returns {Turn} */
function turnOf(conversationId, kept) {
  const { question, number, document_ids: documentIds } = kept;
  return { ...BLANK, turnId: `${conversationId}-${number}`, question, documentIds, scope: '', phase: 'answered', since: Date.parse(kept.asked_at), answer: kept, number };
}

/** The turn that waits for its answer. @param {State} state */
export function askingTurn(state) {
  return state.turns.find((turn) => turn.phase === 'asking') ?? null;
}

/** What a turn cites: of its answer, or of the statements that it has so far. @param {Turn} turn @returns {readonly Citation[]} */
export function citationsOf({ answer, claims }) {
  if (answer) return answer.citations;
  // The latest statement knows the most of what a passage is quoted for.
  const byNumber = new Map(claims.flatMap((claim) => claim.citations.map((citation) => [citation.id, citation])));
  return [...byNumber.values()].sort((a, b) => a.id - b.id);
}

/** The passage on show, with its neighbours. @param {State} state */
export function openCitation(state) {
  const { open } = state;
  const turn = open && state.turns.find(({ turnId }) => turnId === open.turnId);
  if (!turn) return null;
  const citations = open.part === null ? citationsOf(turn) : (turn.answer?.ledger[open.part]?.rows ?? []).map(asCitation);
  const index = citations.findIndex((citation) => citation.id === open.number);
  if (index < 0) return null;
  const citation = citations[index];
  const gone = state.documents !== null && !state.documents.some((document) => document.document_id === citation.document_id);
  return { turnId: open.turnId, part: open.part, citation, citations, index, gone };
}

/** @type {WeakMap<LedgerRow, Citation>} the same object each time, for those who look whether it changed */
const CITATIONS = new WeakMap();

/** A row of what was found, as a citation that quotes nothing. @param {LedgerRow} row @param {number} index */
function asCitation(row, index) {
  const known = CITATIONS.get(row);
  if (known) return known;
  /** @type {Citation} */
  const citation = { ...row, id: index + 1, page_label: null, page_width: 0, page_height: 0, quote: '', spans: [], rectangles: [] };
  CITATIONS.set(row, citation);
  return citation;
}
