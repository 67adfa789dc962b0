/** An answer as Markdown, in which whatever the documents and their names hold stays text. */

import { citationInWords, words } from './messages.js';
import { supportLines } from './support-messages.js';
import { parseAnswer } from './text.js';

/**
 * @typedef {import('./contract.js').Answer} Answer
 * @typedef {import('./text.js').Inline} Inline
 */

const ACTIVE = /[\\`*_[\]<>~|]|!(?=\[)|https?(?=:\/\/)|&(?=#?\w)/gi;
const FIRST = /^(\s{0,3})(#{1,6}(?=\s|$)|[-+](?=\s|$)|[-=]{3,}|\d{1,9}(?=[.)](\s|$)))/gmu;

/** Text that no reader of Markdown takes for markup, for a link or for a picture. @param {string} text */
export function escaped(text) {
  return text
    .replace(ACTIVE, (match) => (match.length > 1 ? `${match}\\` : `\\${match}`))
    .replace(FIRST, (_, indent, mark) => (/^\d/.test(mark) ? `${indent}${mark}\\` : `${indent}\\${mark}`));
}

/** One line. @param {string} text */
const line = (text) => escaped(text.replace(/\s+/gu, ' ').trim());

/** @param {readonly Inline[]} inlines */
const inline = (inlines) => inlines.map((part) => ('citation' in part ? `[${part.citation}]` : escaped(part.text))).join('');

/** The question as a heading, the answer, and its sources with what they are quoted for. @param {string} question @param {Answer} answer */
export function answerInMarkdown(question, answer) {
  const known = new Set(answer.citations.map(({ id }) => id));
  const blocks = parseAnswer(answer.answer, known).map((block) => {
    if (block.kind === 'paragraph') return inline(block.inlines);
    return block.items.map((item) => `${item.value === null ? '-' : `${item.value}.`} ${inline(item.inlines)}`).join('\n');
  });
  const missing = answer.unsupported_parts.map((part) => `- ${line(part)}`);
  const sources = answer.citations.map((citation) => {
    const place = [citationInWords(citation), citation.section].filter(Boolean).join(' · ');
    return `[${citation.id}] ${line(place)}${citation.quote ? `\n\n> ${line(citation.quote)}` : ''}`;
  });
  return [
    `## ${line(question)}`,
    ...blocks,
    ...answer.notes.map(line),
    ...supportLines(answer).map(line),
    ...(missing.length && !answer.refused ? [`${words.unsupportedTitle}:`, missing.join('\n')] : []),
    ...(sources.length ? [`### ${words.sources}`, ...sources] : []),
  ].join('\n\n').concat('\n');
}
