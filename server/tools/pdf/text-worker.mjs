// Runs in a worker process: pdf.js computes for seconds, and documents are untrusted.
import { readFile } from 'node:fs/promises';
import { getDocumentProxy } from 'unpdf';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { MAX_PAGES } from './limits.mjs';
import { parsePages } from './page-ranges.mjs';
import { openWithPassword } from './passwords.mjs';

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
    let left = maxChars;
    for (const number of wanted) {
      if (left <= 0) break;
      const page = await pdf.getPage(number);
      const text = joinText((await page.getTextContent()).items);
      page.cleanup();
      read.push({ page: number, text: cutText(text, left) });
      left -= text.length;
    }
    return {
      page_count: pdf.numPages,
      metadata: toMetadata(await pdf.getMetadata().catch(() => undefined)),
      pages: read,
      characters: read.reduce((sum, { text }) => sum + text.length, 0),
      truncated: left < 0 || read.length < wanted.length,
      has_text: read.some(({ text }) => text.trim() !== ''),
    };
  });
}

/** @param {string} input @param {string | undefined} password */
async function openForText(input, password) {
  // Disables eval for font programs, and loads nothing else.
  const options = {
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
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

/** Joins pieces of text, each a letter, word or line, to lines. @param {unknown[]} items */
function joinText(items) {
  let text = '';
  /** @type {TextItem | undefined} */
  let before;
  for (const item of items) {
    if (!isText(item)) continue;
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
