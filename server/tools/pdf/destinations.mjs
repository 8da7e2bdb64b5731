// Finds the pages that the links and bookmarks of a document lead to.
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFRef, PDFString } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

const name = PDFName.of;
/** Nodes of a name tree that are read; a broken tree refers to itself. */
const MAX_NODES = 20_000;

export class Destinations {
  #document;
  /** @type {Map<string, PDFObject> | undefined} */
  #named;

  /** @param {import('@cantoo/pdf-lib').PDFDocument} document */
  constructor(document) {
    this.#document = document;
  }

  /**
   * Resolves a destination, which may be a name.
   * @param {PDFObject | undefined} value
   * @returns {PDFArray | undefined} a reference to a page, and how to show it
   */
  resolve(value) {
    let found = value;
    if (found instanceof PDFName) {
      const dests = this.#document.catalog.lookup(name('Dests'));
      found = dests instanceof PDFDict ? dests.lookup(found) : undefined;
    } else if (isText(found)) found = this.#findNamed(found);
    if (found instanceof PDFDict) found = found.lookup(name('D'));
    if (!(found instanceof PDFArray) || found.size() === 0) return undefined;
    const first = found.get(0);
    if (first instanceof PDFRef) return found;
    // Some programs write the index of the page instead.
    const page = first instanceof PDFNumber ? this.#document.getPages()[first.asNumber()] : undefined;
    if (!page) return undefined;
    const exact = found.clone();
    exact.set(0, page.ref);
    return exact;
  }

  /** @param {PDFString | PDFHexString} text */
  #findNamed(text) {
    this.#named ??= this.#readNames();
    const found = this.#named.get(toKey(text));
    return found instanceof PDFRef ? this.#document.context.lookup(found) : found;
  }

  #readNames() {
    /** @type {Map<string, PDFObject>} */
    const named = new Map();
    const names = this.#document.catalog.lookup(name('Names'));
    const waiting = names instanceof PDFDict ? [names.lookup(name('Dests'))] : [];
    for (let read = 0; waiting.length > 0 && read < MAX_NODES; read += 1) {
      const node = waiting.pop();
      if (!(node instanceof PDFDict)) continue;
      const kids = node.lookup(name('Kids'));
      if (kids instanceof PDFArray) waiting.push(...kids.asArray().map((_kid, at) => kids.lookup(at)));
      const pairs = node.lookup(name('Names'));
      for (let at = 0; pairs instanceof PDFArray && at + 1 < pairs.size(); at += 2) {
        const [key, value] = [pairs.lookup(at), pairs.get(at + 1)];
        if (isText(key)) named.set(toKey(key), value);
      }
    }
    return named;
  }
}

/** @param {unknown} value @returns {value is PDFString | PDFHexString} */
function isText(value) {
  return value instanceof PDFString || value instanceof PDFHexString;
}

/** @param {PDFString | PDFHexString} text */
function toKey(text) {
  return Buffer.from(text.asBytes()).toString('latin1');
}
