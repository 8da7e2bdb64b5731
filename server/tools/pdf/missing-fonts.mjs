// Finds fonts that a document names without holding them. PDFium has no font for Chinese, Japanese
// and Korean of its own, so their text stays blank.
import { PDFArray, PDFDict, PDFName, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

const name = PDFName.of;
const FONT_FILES = ['FontFile', 'FontFile2', 'FontFile3'];
const MAX_FORMS = 1_000;

/**
 * Returns the names of the composite fonts of a page that are not embedded.
 * @param {import('@cantoo/pdf-lib').PDFPage} page
 * @returns {string[]}
 */
export function listMissingFonts(page) {
  const missing = new Set();
  /** @type {Set<PDFObject>} */
  const seen = new Set();
  const waiting = [page.node.Resources()];
  for (let read = 0; waiting.length > 0 && read < MAX_FORMS; read += 1) {
    const resources = waiting.pop();
    if (!resources || seen.has(resources)) continue;
    seen.add(resources);
    for (const font of readEntries(resources, 'Font'))
      if (font instanceof PDFDict && isMissing(font)) missing.add(readName(font));
    for (const form of readEntries(resources, 'XObject')) {
      const inner = form instanceof PDFStream ? form.dict.lookup(name('Resources')) : undefined;
      if (inner instanceof PDFDict) waiting.push(inner);
    }
  }
  return [...missing];
}

/** @param {PDFDict} resources @param {string} key */
function readEntries(resources, key) {
  const entries = resources.lookup(name(key));
  return entries instanceof PDFDict ? entries.keys().map((entry) => entries.lookup(entry)) : [];
}

/** @param {PDFDict} font */
function isMissing(font) {
  const descendants = font.lookup(name('DescendantFonts'));
  const descendant = descendants instanceof PDFArray ? descendants.lookup(0) : undefined;
  if (!(descendant instanceof PDFDict)) return false;
  const descriptor = descendant.lookup(name('FontDescriptor'));
  return !(descriptor instanceof PDFDict) || FONT_FILES.every((key) => !descriptor.has(name(key)));
}

/** @param {PDFDict} font */
function readName(font) {
  const base = font.lookup(name('BaseFont'));
  return base instanceof PDFName ? base.decodeText() : 'unnamed';
}
