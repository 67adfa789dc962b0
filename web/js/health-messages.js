/**
 * What the page says of the program: who writes and searches, what leaves this machine.
 *
 * @typedef {import('./contract.js').Health} Health
 */

import { filled, language } from './language.js';

const texts = () => language.texts;

/** @param {Health} health */
export function writerInWords({ chat }) {
  if (chat.provider === 'extractive') return texts().quotesOnly;
  const model = chat.model ?? chat.provider;
  const named = chat.local ? model : filled(texts().online, { model, provider: chat.provider });
  return filled(texts().modelStates[chat.state ?? 'ready'], { model: named });
}

/** @param {Health} health */
export function searchInWords({ embedding }) {
  const model = embedding.model ?? embedding.provider;
  return embedding.local ? model : filled(texts().online, { model, provider: embedding.provider });
}

/** What is said while the index is made anew; empty where it is not. @param {Health} health */
export function reindexInWords({ reindex }) {
  if (reindex?.state !== 'running' && reindex?.state !== 'waiting') return '';
  const { reindexing, byWordsOnly, reindexWaits } = texts();
  return [
    filled(reindexing, { model: reindex.wanted, done: reindex.done, total: reindex.total }),
    reindex.by_words_only && byWordsOnly,
    reindex.state === 'waiting' && filled(reindexWaits, { message: reindex.message }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {Health} health */
const keptElsewhere = ({ database, index, sources }) => [database, index, sources].some((place) => place && !place.local);

/** @param {Health} health */
const modelAway = ({ chat, embedding }) => !chat.local || !embedding.local;

/** Whether what is checked goes to another machine. @param {Health} health */
const checkerAway = ({ auditor }) => auditor?.local === false;

/** What leaves this machine, a sentence each. @param {Health} health */
export function leavesInWords(health) {
  const parts = [
    ...(modelAway(health) ? [texts().leaves] : []),
    ...(checkerAway(health) ? [texts().checkLeaves] : []),
    ...(keptElsewhere(health) ? [texts().keptElsewhere] : []),
  ];
  return health.leaves_machine && parts.length === 0 ? [texts().leaves] : parts;
}

/** @param {Health | null} health */
export function filesStay(health) {
  const said = texts();
  if (!health?.leaves_machine) return said.filesHere;
  const elsewhere = keptElsewhere(health);
  const checked = checkerAway(health);
  return [
    elsewhere ? said.filesElsewhere : said.filesKeptHere,
    (modelAway(health) || !(elsewhere || checked)) && said.modelAway,
    checked && said.checkAway,
  ]
    .filter(Boolean)
    .join(' ');
}
