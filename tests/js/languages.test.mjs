import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { filled, language, speak } from '../../web/js/language.js';
import { dateInWords, documentInWords, millisecondsInWords, problemInWords, scopeInWords, sizeInWords, speakIn, words } from '../../web/js/messages.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const web = join(root, 'web');
const codes = readdirSync(join(web, 'js', 'languages')).map((name) => name.replace(/\.js$/, ''));
const catalogues = new Map(await Promise.all(codes.map(async (code) => [code, (await import(`../../web/js/languages/${code}.js`)).default])));
const english = catalogues.get('en');

after(() => speakIn('en'));

/** Every text of a catalogue by its path; plural forms are one text, whose placeholders are those of all of them. */
function leaves(value, path = '') {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value.other === 'string') return [[path, Object.values(value).join(' ')]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

const placeholders = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const said = (catalogue) => leaves({ ...catalogue, problems: {} });

test('every language says the same things with the same values', () => {
  assert.ok(codes.includes('de'));
  for (const [code, catalogue] of catalogues) {
    assert.deepEqual(said(catalogue).map(([path]) => path).sort(), said(english).map(([path]) => path).sort(), code);
    const wanted = new Map(said(english));
    for (const [path, text] of said(catalogue)) {
      assert.notEqual(text.trim(), '', `${code} ${path}`);
      assert.deepEqual(placeholders(text), placeholders(wanted.get(path)), `${code} ${path}`);
    }
  }
});

test('every language has the plural forms that it needs', () => {
  for (const [code, catalogue] of catalogues) {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
    const plurals = (value) => (typeof value === 'string' ? [] : typeof value.other === 'string' ? [value] : Object.values(value).flatMap(plurals));
    for (const text of plurals(catalogue)) for (const form of forms) assert.ok(text[form], `${code} ${JSON.stringify(text)} ${form}`);
  }
});

test('every problem that the program names is said in every language but its own', () => {
  const errors = readFileSync(join(root, 'src', 'local_rag', 'errors.py'), 'utf8');
  const named = [...errors.matchAll(/^ {4}code(?:: ClassVar\[str\])? = "([a-z-]+)"/gm)].map((match) => match[1]);
  assert.ok(named.length > 25);
  for (const [code, { problems }] of catalogues) {
    if (code !== 'en') assert.deepEqual(Object.keys(problems).sort(), [...new Set(named)].sort(), code);
  }
});

/** The modules that a page loads, without those that hold the texts. */
function modules(folder = join(web, 'js')) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'languages' ? [] : modules(join(folder, entry.name));
    return entry.name.endsWith('.js') ? [join(folder, entry.name)] : [];
  });
}

const withoutComments = (source) => source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');

/** Names that the browser and the program give to things; nobody reads them. */
const NAMES = /^(?:Arrow\w+|Enter|Escape|Home|End|PageDown|PageUp|Files|GET|POST|PATCH|DELETE|AbortError|Aborted|Prefer|Content-Type|JetBrains)$/;
/** Where a string is a list of classes, a selector, a query or a path. */
const UNSEEN = /(?:class: |className = |[cC]lassList\.\w+\(|querySelector(?:All)?\(|closest\(|matches\(|matchMedia\(|getPropertyValue\(|setProperty\(|find\(|openDialog\(.*|new Set\(\[|from |import\(|'d', |look = |viewBox', |line\(box, sheet, .*|'aria-describedby': )$/;

test('no word that is shown or read out stands outside the catalogues', () => {
  const found = [];
  for (const path of modules()) {
    for (const line of withoutComments(readFileSync(path, 'utf8')).split('\n')) {
      if (/^import |^\s*(?:\w+: )?'M[\d. ]/.test(line)) continue;
      for (const match of line.matchAll(/'([^'\\]*(?:\\.[^'\\]*)*)'|`([^`]*)`/g)) {
        const text = (match[1] ?? match[2]).replace(/\$\{[^}]*\}/g, ' ').trim();
        const isWord = /^\p{Lu}\p{Ll}/u.test(text) || /\p{L}{2,} \p{L}{2,}/u.test(text);
        if (!isWord || text.includes('--') || NAMES.test(text) || UNSEEN.test(line.slice(0, match.index))) continue;
        found.push(`${path.slice(web.length)}: ${text}`);
      }
    }
  }
  assert.deepEqual(found, []);
});

test('the page itself holds slots for words, its name, and what is said without scripts, in every language', () => {
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const unscripted = html.match(/<noscript>[\s\S]*?<\/noscript>/g).join('');
  for (const code of codes) if (code !== 'en') assert.match(unscripted, new RegExp(`lang="${code}"`));
  const rest = html.replace(/<noscript>[\s\S]*?<\/noscript>/g, '').replace(/<title>[^<]*<\/title>/, '').replace(/<!--[\s\S]*?-->/g, '');
  for (const [, text] of rest.matchAll(/(?:aria-label|title|placeholder)="([^"]*)"/g)) assert.match(text, /^\{\{\w+\}\}$/);
  assert.equal(rest.replace(/<[^>]*>|\{\{\w+\}\}|\?/g, '').trim(), '');
});

test('values are written as the language writes them', async () => {
  await speakIn('de');
  assert.equal(words.staysHere, 'Nichts verlässt diesen Rechner');
  assert.equal(sizeInWords(1_499_000), '1,5 MB');
  assert.equal(millisecondsInWords(1234), '1,2 Sek.');
  assert.equal(dateInWords('2026-11-30T12:00:00+00:00'), '30.11.2026');
  assert.equal(scopeInWords(1200, 5000), 'Durchsucht 1.200 von 5.000');
  assert.equal(documentInWords({ media_type: 'application/pdf', page_count: 1, size_bytes: 999 }), '1 Seite · 999 Byte');
  assert.equal(words.passages(2), '2 Textstellen');
  assert.equal(problemInWords({ code: 'empty-file', message: 'The file is empty.', fix: '' }).message, 'Die Datei ist leer.');
  assert.equal(problemInWords({ code: 'new-kind', message: 'Something new.', fix: '' }).message, 'Something new.');
  await speakIn('en');
  assert.equal(words.passages(1), '1 passage');
  assert.equal(dateInWords('nonsense'), '');
});

test('a text takes its plural form and leaves unknown values out', async () => {
  await speak('en');
  assert.equal(filled({ one: '{count} page', other: '{count} pages' }, { count: 1 }), '1 page');
  assert.equal(filled({ one: '{count} page', other: '{count} pages' }, { count: 2000 }), '2,000 pages');
  assert.equal(filled('{a}, {b}', { a: '{b}' }), '{b}, ');
  assert.equal(language.code, 'en');
});

/** Of the page's files: no browser loads the types; what is of tests alone is loaded when somebody opens them. */
const NEVER_SENT = /(?:^|\/)(?:contract\.js|state-types\.js|jsconfig\.json|package\.json)$/;
const ON_DEMAND = /(?:^|\/)tests?[-.][^/]*$/;

test('all that a visit loads stays under 150 kB as it is sent, and what comes on demand under 25 kB', () => {
  const files = readdirSync(web, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const bytesOf = (wanted) => files.filter(wanted).reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  const onDemand = bytesOf((path) => ON_DEMAND.test(path));
  const rest = bytesOf((path) => !ON_DEMAND.test(path) && !NEVER_SENT.test(path));
  assert.ok(rest < 150_000, `${rest} bytes`);
  assert.ok(onDemand > 0 && onDemand < 25_000, `${onDemand} bytes`);
});
