/**
 * Which documents the library shows, and in which order. Pure.
 *
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {'added' | 'name' | 'size'} Order
 */

/** Without case and accents, for comparing. @param {string} text */
export const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** All that a document can be found by. @param {RagDocument} document */
export const soughtText = ({ name, title, tags }) => folded([name, title ?? '', ...(tags ?? [])].join('\n'));

/** Whether every word of the filter is in the text. @param {string} text   folded @param {string} filter */
export function fits(text, filter) {
  return folded(filter).split(/\s+/).every((word) => text.includes(word));
}

/** @param {readonly RagDocument[]} documents @param {Order} order @param {Intl.Collator} collator @returns {RagDocument[]} */
export function ordered(documents, order, collator) {
  const sorted = [...documents];
  if (order === 'name') sorted.sort((a, b) => collator.compare(a.name, b.name));
  if (order === 'size') sorted.sort((a, b) => b.size_bytes - a.size_bytes || collator.compare(a.name, b.name));
  return sorted; // the program lists the newest first
}

/** Every tag with how many documents have it, those of most documents first. @param {readonly RagDocument[]} documents @returns {[string, number][]} */
export function countTags(documents) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { tags } of documents) for (const tag of tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

/** What lies between two of a list, both counted. @param {readonly string[]} ids @param {string | null} from @param {string} to */
export function range(ids, from, to) {
  const end = ids.indexOf(to);
  const start = from === null ? -1 : ids.indexOf(from);
  if (end < 0) return [];
  return start < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** The tags of a line of text, parted by commas. @param {string} text */
export const parseTags = (text) => text.split(',').map((tag) => tag.trim()).filter(Boolean);
