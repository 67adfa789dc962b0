/**
 * What the page says of a document's pages, and of how they were read.
 *
 * @typedef {import('./contract.js').RagDocument} RagDocument
 * @typedef {import('./contract.js').Report} Report
 * @typedef {import('./contract.js').PageReading} PageReading
 */

import { filled, language, numberFormat as numbers } from './language.js';
import { kindOf, namedPage, percent } from './messages.js';
import { meanConfidence } from './pages.js';

const texts = () => language.texts;

/** @param {import('./pages.js').Sign} sign */
export const signInWords = (sign) => texts().signs[sign];

/** A page within a sentence. @param {Pick<RagDocument, 'media_type' | 'page_count'>} document @param {number} page @param {string | null} [label] */
export function pageOfInWords({ media_type: mediaType, page_count: pages }, page, label = null) {
  return pages === 1 && !kindOf(mediaType).unit ? texts().theText : namedPage(mediaType, page, label);
}

/** A page as a title. @param {Pick<RagDocument, 'media_type' | 'page_count'>} document @param {number} page @param {string | null} [label] */
export const placeInWords = (document, page, label = null) => capital(pageOfInWords(document, page, label));

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase(language.locale) + text.slice(1);

/** How a page was read, and how well. @param {PageReading} reading */
export function readingInWords({ path, flags, words: count, coverage, ocr_confidence: confidence }) {
  const { paths, wordCount, layerKept, ocrConfidence } = texts();
  const rest = flags.filter((flag) => flag !== 'ocr' && flag !== 'failed').map(signInWords);
  return [
    capital(paths[path]),
    filled(wordCount, { count }),
    coverage !== null && filled(layerKept, { share: percent(coverage) }),
    confidence !== null && filled(ocrConfidence, { share: percent(confidence) }),
    ...rest,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** How the pages of a document were read, in a sentence. @param {Report} report */
export function reportInWords({ document, pages: read, words: wordCount }) {
  const said = texts();
  if (read.length === 0) return said.notNoted;
  const { unit } = kindOf(document.media_type);
  const counted = { pages: filled(said.counts[unit ?? 'part'], { count: read.length }), words: filled(said.wordCount, { count: wordCount }) };
  /** @param {...import('./contract.js').PagePath} paths */
  const by = (...paths) => read.filter(({ path }) => paths.includes(path)).length;
  const fromText = by('text', 'plain', 'layout');
  const confidence = meanConfidence(read);
  /** @type {[number, string][]} */
  const all = [
    [fromText, fromText === 1 ? said.fromTextOne : said.fromTextMany],
    [by('mixed'), said.fromBoth],
    [by('ocr'), confidence === null ? said.byOcr : filled(said.byOcrMean, { share: percent(confidence) })],
    [by('failed'), said.unreadable],
    [read.filter(({ flags }) => flags.includes('no-text')).length, said.withoutText],
  ];
  const parts = all.filter(([many]) => many > 0);
  if (parts.length > 1) {
    const list = parts.map(([many, how]) => `${numbers().format(many)} ${how}`).join(', ');
    return filled(said.reportMany, { ...counted, list });
  }
  const [[, how]] = parts;
  if (read.length > 1) return filled(said.reportAll, { ...counted, how });
  return unit ? filled(said.reportOne, { ...counted, how }) : filled(said.reportWhole, { ...counted, how: capital(how) });
}
