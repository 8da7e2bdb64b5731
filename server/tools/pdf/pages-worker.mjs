// Runs in a worker process, as text-worker.mjs does.
import { readFile, writeFile } from 'node:fs/promises';
import { EncryptedPDFError, PDFDocument } from '@cantoo/pdf-lib';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { copyPages } from './copy-pages.mjs';
import './decrypted-strings.mjs';
import { MAX_PAGES, MAX_PARTS } from './limits.mjs';
import { listMissingFonts } from './missing-fonts.mjs';
import { writeBookmarks } from './outline-copy.mjs';
import { parsePages } from './page-ranges.mjs';
import { openWithPassword } from './passwords.mjs';
import { repairPages } from './repair-pages.mjs';

/**
 * @typedef {{ input: string, pages?: string | undefined, password?: string | undefined }} Source
 */

/**
 * Merges pages of several documents into one.
 * @param {{ sources: Source[], output: string, title?: string | undefined }} payload
 */
export function merge({ sources, output, title }) {
  return refusable(async () => {
    const merged = await PDFDocument.create();
    const counts = [];
    const bookmarks = [];
    /** @type {string[]} */
    const warnings = [];
    for (const [index, source] of sources.entries()) {
      const document = await openForPages(source, `files.${index}.file`, `files.${index}.password`);
      const pages = parsePages(source.pages, document.getPageCount(), `files.${index}.pages`);
      if (merged.getPageCount() + pages.length > MAX_PAGES)
        throw new Refusal(`files: the merged document would exceed ${MAX_PAGES} pages. Merge fewer pages.`);
      const field = `files.${index}.file`;
      const copied = await addPages(merged, document, pages, field);
      bookmarks.push(...copied.bookmarks);
      warnings.push(...copied.warnings.map((warning) => `${field}: ${warning}`));
      counts.push(pages.length);
    }
    if (title !== undefined) merged.setTitle(title);
    writeBookmarks(merged, bookmarks);
    await writeFile(output, await merged.save());
    return { page_count: merged.getPageCount(), counts, warnings };
  });
}

/**
 * Splits a document into several.
 * @param {Source & { output: string, ranges?: string[] | undefined, every?: number | undefined
 *   }} payload each part is written to output plus `-` and its number
 */
export function split({ output, ranges, every, ...source }) {
  return refusable(async () => {
    const document = await openForPages(source, 'file', 'password');
    const count = document.getPageCount();
    const parts = ranges
      ? ranges.map((range, index) => ({
          label: range.replace(/\s/g, ''),
          pages: parsePages(range, count, `ranges.${index}`),
        }))
      : buildChunks(count, every ?? 1);
    if (parts.length > MAX_PARTS)
      throw new Refusal(
        `every: ${count} pages would become ${parts.length} files; the limit per call is ${MAX_PARTS}. Use ranges, or a higher value.`,
      );
    if (parts.reduce((sum, { pages }) => sum + pages.length, 0) > MAX_PAGES)
      throw new Refusal(`ranges: they select more than ${MAX_PAGES} pages in total. Select fewer.`);
    const made = [];
    /** @type {Set<string>} */
    const warnings = new Set();
    for (const [index, { label, pages }] of parts.entries()) {
      const part = await PDFDocument.create();
      const copied = await addPages(part, document, pages, 'file');
      writeBookmarks(part, copied.bookmarks);
      for (const warning of copied.warnings) warnings.add(warning);
      const path = `${output}-${index + 1}`;
      await writeFile(path, await part.save());
      made.push({ path, pages: label, page_count: pages.length });
    }
    return { page_count: count, parts: made, warnings: [...warnings] };
  });
}

/**
 * Names the fonts of pages whose text a picture may lack.
 * @param {Source & { numbers: number[] }} payload pages from 1
 */
export async function findMissingFonts({ numbers, ...source }) {
  const document = await openForPages(source, 'file', 'password');
  const all = document.getPages();
  /** @type {Map<string, number[]>} pages by font */
  const missing = new Map();
  for (const number of new Set(numbers)) {
    const page = all[number - 1];
    for (const font of page ? listMissingFonts(page) : [])
      missing.set(font, [...(missing.get(font) ?? []), number]);
  }
  return [...missing].map(
    ([font, pages]) =>
      `The font ${font} is not in the PDF, so its text may be missing in the picture of page ${pages.join(', ')}; extract_text reads it.`,
  );
}

/** @param {number} count @param {number} every */
function buildChunks(count, every) {
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => {
    const first = at * every + 1;
    const last = Math.min(count, first + every - 1);
    const pages = Array.from({ length: last - first + 1 }, (_page, offset) => first + offset);
    return { label: first === last ? String(first) : `${first}-${last}`, pages };
  });
}

/**
 * @param {PDFDocument} target
 * @param {PDFDocument} source
 * @param {number[]} pages
 * @param {string} field
 */
async function addPages(target, source, pages, field) {
  try {
    return await copyPages(target, source, pages);
  } catch {
    throw new Refusal(unreadable(field));
  }
}

/** Viewers open more documents than the library that copies pages. @param {string} field */
function unreadable(field) {
  return `${field}: the PDF is damaged, or its structure is not supported, so its pages cannot be copied. Open it in a PDF viewer, save it as a new PDF, and send that.`;
}

/** Whether a file begins like a PDF; other bytes may come first. @param {Uint8Array} bytes */
function hasHeader(bytes) {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** @param {Source} source @param {string} field @param {string} passwordField */
async function openForPages({ input, password }, field, passwordField) {
  const bytes = new Uint8Array(await readFile(input));
  try {
    // An empty password opens a document that has only an owner password.
    const document = await openWithPassword(
      password,
      (form) => PDFDocument.load(bytes, { updateMetadata: false, password: form }),
      isWrongPassword,
    );
    repairPages(document);
    if (document.getPageCount() === 0) throw new Error('No pages');
    return document;
  } catch (error) {
    if (!isWrongPassword(error))
      throw new Refusal(
        hasHeader(bytes)
          ? unreadable(field)
          : `${field}: the file is not a PDF, or it is damaged. Send an intact PDF.`,
      );
    if (password === undefined) throw new Refusal(`${field}: the PDF is encrypted. Pass its password.`);
    throw new Refusal(`${passwordField}: wrong password for this PDF.`);
  }
}

/** @param {unknown} error thrown by pdf-lib */
function isWrongPassword(error) {
  return error instanceof EncryptedPDFError || /password/i.test(String(error));
}
