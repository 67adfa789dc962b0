/**
 * Which language the page speaks, and its texts. A language is a file in `languages/`; the program lists them in the page's
 * `data-languages`, so that nothing else has to know of them.
 *
 * @typedef {typeof import('./languages/en.js').default} Texts
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Template
 */

/** A cookie, for the program reads it too: the page comes drawn in this language. Browsers keep none for longer than 400 days. */
const STORED_AS = 'local-rag.language';
const STORED_S = 400 * 24 * 3600;
const FALLBACK = 'en';

/** Making one takes longer than using it a hundred times. @type {Map<string, Intl.NumberFormat | Intl.DateTimeFormat>} */
const formats = new Map();

/** The page, where there is one: the pure modules are tested without. */
const root = globalThis.document?.documentElement;

/** What is said, and how numbers are written. Filled by `speak`. */
export const language = {
  code: FALLBACK,
  /** The reader's own variant of it, such as `de-AT`, for numbers and dates. */
  locale: FALLBACK,
  texts: /** @type {Texts} */ ({}),
  plural: new Intl.PluralRules(FALLBACK),
};

/** Codes of the languages that there are. */
export const languages = () => root?.dataset.languages?.split(' ').filter(Boolean) ?? [FALLBACK];

/** What a language calls itself. @param {string} code */
export function languageName(code) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** The reader's languages, the dearest first. */
const wanted = () => globalThis.navigator?.languages ?? [];

/** @param {string} locale */
const baseOf = (locale) => locale.split('-')[0].toLowerCase();

function stored() {
  try {
    const pairs = globalThis.document?.cookie.split('; ').map((pair) => pair.split('='));
    return pairs?.find(([name]) => name === STORED_AS)?.[1] ?? null;
  } catch {
    return null; // storage is forbidden here: the choice lasts as long as the page
  }
}

/** The language chosen in this browser, else the first of the browser's that there is. */
export function preferred() {
  const known = languages();
  const chosen = stored();
  if (chosen && known.includes(chosen)) return chosen;
  return wanted().map(baseOf).find((code) => known.includes(code)) ?? FALLBACK;
}

/** Remembers the reader's choice. @param {string} code */
export function prefer(code) {
  try {
    document.cookie = `${STORED_AS}=${code}; path=/; max-age=${STORED_S}; SameSite=Lax`;
  } catch {
    // It lasts as long as the page.
  }
}

/** Loads a language and makes it the page's. @param {string} code */
export async function speak(code) {
  const { default: texts } = await import(`./languages/${code}.js`);
  language.code = code;
  language.texts = texts;
  language.locale = (root && wanted().find((locale) => baseOf(locale) === code)) || code;
  language.plural = new Intl.PluralRules(language.locale);
  formats.clear();
  if (!root) return;
  root.lang = code;
  root.dir = isRightToLeft(code) ? 'rtl' : 'ltr';
}

/** How the language writes numbers. @param {Intl.NumberFormatOptions} [options] */
export const numberFormat = (options) => /** @type {Intl.NumberFormat} */ (kept(`number ${JSON.stringify(options)}`, () => new Intl.NumberFormat(language.locale, options)));

/** How the language writes dates. @param {Intl.DateTimeFormatOptions} options */
export const dateFormat = (options) => /** @type {Intl.DateTimeFormat} */ (kept(`date ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language.locale, options)));

/** @param {string} key @param {() => Intl.NumberFormat | Intl.DateTimeFormat} make */
function kept(key, make) {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

/** @param {string} code */
function isRightToLeft(code) {
  return ['ar', 'fa', 'he', 'ur'].includes(code);
}

/**
 * Puts values into a text: numbers as the language writes them, the plural form by `count`.
 * @param {Template} template
 * @param {Record<string, string | number>} [values]
 */
export function filled(template, values = {}) {
  const { plural } = language;
  const form = typeof template === 'string' ? template : (template[plural.select(Number(values.count))] ?? template.other ?? '');
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numberFormat().format(value) : value;
  });
}
