// Runs in a worker process: pdf.js computes for seconds, and documents are untrusted.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getDocumentProxy } from 'unpdf';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { insertValues, listFields } from './form-values.mjs';
import { MAX_PAGES } from './limits.mjs';
import { parsePages } from './page-ranges.mjs';
import { openWithPassword } from './passwords.mjs';

/** Adobe's predefined CMaps, which many CJK documents refer to; unpdf has pdf.js without them. */
const CMAPS = fileURLToPath(new URL('cmaps/', import.meta.resolve('pdf.js-extract')));
/** Fonts without a character map yield these characters, and PostgreSQL cannot store NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
const MAX_INFO_CHARS = 1_000;
/** A gap wider than this share of the text height counts as a space. */
const SPACE_GAP = 0.2;

/**
 * Reads the text of a document, page by page.
 * @param {{ input: string, pages?: string | undefined, password?: string | undefined, maxChars:
 *   number }} payload
 */
export function extractText({ input, pages, password, maxChars }) {
  return refusable(async () => {
    const pdf = await openForText(input, password);
    const wanted = parsePages(pages, pdf.numPages, 'pages');
    if (wanted.length > MAX_PAGES)
      throw new Refusal(
        `pages: ${wanted.length} pages are selected; the limit per call is ${MAX_PAGES}. Select fewer.`,
      );
    /** @type {{ page: number, text: string }[]} */
    const read = [];
    const fields = new FieldList(maxChars);
    let left = maxChars;
    for (const number of wanted) {
      if (left <= 0) break;
      const { text, annotations } = await readPage(pdf, number);
      read.push({ page: number, text: cutText(text, left) });
      fields.add(listFields(annotations, number));
      left -= text.length;
    }
    const empty = read.filter(({ text }) => text.trim() === '').map(({ page }) => page);
    return {
      page_count: pdf.numPages,
      metadata: toMetadata(await pdf.getMetadata().catch(() => undefined)),
      pages: read,
      characters: read.reduce((sum, { text }) => sum + text.length, 0),
      truncated: left < 0 || read.length < wanted.length || fields.truncated,
      has_text: empty.length < read.length,
      pages_without_text: [...new Set(empty)],
      form_fields: fields.listed,
    };
  });
}

/**
 * @param {Awaited<ReturnType<typeof openForText>>} pdf
 * @param {number} number
 */
async function readPage(pdf, number) {
  try {
    const page = await pdf.getPage(number);
    const annotations = await page.getAnnotations();
    const { items } = await page.getTextContent();
    const pieces = items.flatMap((item) => (isText(item) ? [item] : []));
    const text = joinText(insertValues(pieces, annotations));
    page.cleanup();
    return { text, annotations };
  } catch {
    throw new Refusal(`file: page ${number} is damaged. Leave it out with pages, or send an intact PDF.`);
  }
}

/** Collects the fields of a document, up to a number of characters. */
class FieldList {
  /** @type {import('./form-values.mjs').FormField[]} */
  listed = [];
  truncated = false;
  #seen = new Set();
  #left;

  /** @param {number} maxChars */
  constructor(maxChars) {
    this.#left = maxChars;
  }

  /** @param {import('./form-values.mjs').FormField[]} fields of a page */
  add(fields) {
    for (const field of fields) {
      const key = JSON.stringify([field.name, field.type, field.value]);
      if (this.#seen.has(key)) continue;
      this.#left -= key.length;
      if (this.#left < 0) this.truncated = true;
      else this.listed.push(cleanField(field));
      this.#seen.add(key);
    }
  }
}

/**
 * @param {import('./form-values.mjs').FormField} field
 * @returns {import('./form-values.mjs').FormField}
 */
function cleanField({ value, ...field }) {
  const clean = (/** @type {string} */ text) => text.replace(UNPRINTABLE, '');
  const name = clean(field.name);
  if (Array.isArray(value)) return { ...field, name, value: value.map(clean) };
  return { ...field, name, value: typeof value === 'string' ? clean(value) : value };
}

/** @param {string} input @param {string | undefined} password */
async function openForText(input, password) {
  // Disables eval for font programs, and loads nothing but the CMaps.
  const options = {
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    cMapUrl: CMAPS,
    cMapPacked: true,
  };
  const file = await readFile(input);
  try {
    return await openWithPassword(
      password,
      // pdf.js takes the bytes away from its caller.
      (form) => getDocumentProxy(new Uint8Array(file), { ...options, password: form }),
      isWrongPassword,
    );
  } catch (error) {
    if (!isWrongPassword(error))
      throw new Refusal('file: the file is not a PDF, or it is damaged. Send an intact PDF.');
    if (password === undefined) throw new Refusal('file: the PDF is encrypted. Pass its password.');
    throw new Refusal('password: wrong password for this PDF.');
  }
}

/** @param {unknown} error thrown by pdf.js */
function isWrongPassword(error) {
  return error instanceof Error && error.name === 'PasswordException';
}

/**
 * A text item of pdf.js.
 * @typedef {{ str: string, transform: number[], width: number, height: number, hasEOL: boolean }}
 *   TextItem
 */

/** Joins pieces of text, each a letter, word or line, to lines. @param {TextItem[]} items */
function joinText(items) {
  let text = '';
  /** @type {TextItem | undefined} */
  let before;
  for (const item of items) {
    if (before && item.str !== '' && needsSpace(before, item, text)) text += ' ';
    text += item.str;
    if (item.hasEOL && !text.endsWith('\n')) text += '\n';
    before = item;
  }
  return text
    .replace(UNPRINTABLE, '')
    .replace(/[ \t]+\n/g, '\n')
    .trim();
}

/** @param {unknown} item @returns {item is TextItem} */
function isText(item) {
  return typeof item === 'object' && item !== null && 'str' in item;
}

/** @param {TextItem} before @param {TextItem} item @param {string} text */
function needsSpace(before, item, text) {
  if (before.hasEOL || /\s$/.test(text) || /^\s/.test(item.str) || text === '') return false;
  const gap = (item.transform[4] ?? 0) - ((before.transform[4] ?? 0) + before.width);
  return gap > SPACE_GAP * (item.height || 10);
}

/** Cuts a text without splitting a surrogate pair. @param {string} text @param {number} most */
function cutText(text, most) {
  return text.length <= most
    ? text
    : Buffer.from(text.slice(0, most))
        .toString()
        .replace(/\ufffd$/, '');
}

/** @param {{ info?: object } | undefined} found */
function toMetadata(found) {
  const info = /** @type {Record<string, unknown>} */ (found?.info ?? {});
  const textAt = (/** @type {string} */ key) => {
    const value = info[key];
    const text = typeof value === 'string' ? value.replace(UNPRINTABLE, ' ').trim() : '';
    return text === '' ? null : text.slice(0, MAX_INFO_CHARS);
  };
  return {
    title: textAt('Title'),
    author: textAt('Author'),
    subject: textAt('Subject'),
    keywords: textAt('Keywords'),
    creator: textAt('Creator'),
    producer: textAt('Producer'),
    created_at: parseTime(textAt('CreationDate')),
    modified_at: parseTime(textAt('ModDate')),
    pdf_version: textAt('PDFFormatVersion'),
  };
}

/**
 * Converts `D:20260102030405+01'00'` to ISO 8601; null if it is not a time.
 * @param {string | null} text
 */
function parseTime(text) {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?'?)?/.exec(text ?? '');
  if (!match) return null;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone,
    zoneMinute = '00',
  ] = match;
  const offset = zone ? `${zone}:${zoneMinute}` : 'Z';
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
