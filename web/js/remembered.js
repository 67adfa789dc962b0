/** What the browser keeps of the conversation: which one is on show, in the address; whether all that was found is shown. */

const EVIDENCE_STORED_AS = 'local-rag.evidence';

/** The conversation that the address names. */
export function addressed() {
  const name = location.hash.slice(1);
  return /^[0-9a-f]{32}$/.test(name) ? name : null;
}

/** So a reload shows it, and the browser's Back leads to the one before. @param {string | null} conversationId @param {boolean} isNew   a step that one can go back from */
export function address(conversationId, isNew) {
  const url = conversationId === null ? location.pathname : `#${conversationId}`;
  if (isNew && addressed() !== conversationId) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

export function evidenceIsOn() {
  try {
    return localStorage.getItem(EVIDENCE_STORED_AS) === 'on';
  } catch {
    return false; // storage is forbidden here
  }
}

/** @param {boolean} on */
export function keepEvidence(on) {
  try {
    localStorage.setItem(EVIDENCE_STORED_AS, on ? 'on' : 'off');
  } catch {
    // It lasts as long as the page.
  }
}
