// Copies bookmarks (the outline of a document) to the pages that were taken.
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

/**
 * A bookmark with objects of the new document.
 * @typedef {{ entries: Map<string, PDFObject>, open: boolean, children: Bookmark[] }} Bookmark
 */

const name = PDFName.of;
const MAX_BOOKMARKS = 20_000;
const MAX_DEPTH = 50;
/** Title, colour and style. */
const KEPT = ['Title', 'C', 'F'];

/**
 * Reads the bookmarks that lead to pages which were taken, and those above them.
 * @param {PDFDocument} source
 * @param {import('./destinations.mjs').Destinations} destinations
 * @param {import('./object-copier.mjs').ObjectCopier} copier
 * @returns {Bookmark[]}
 */
export function readBookmarks(source, destinations, copier) {
  const seen = new Set();

  /** @param {PDFDict} parent @param {number} depth @returns {Bookmark[]} */
  const readChildren = (parent, depth) => {
    const bookmarks = [];
    let item = parent.lookup(name('First'));
    while (item instanceof PDFDict && !seen.has(item) && seen.size < MAX_BOOKMARKS) {
      seen.add(item);
      const bookmark = readItem(item, depth < MAX_DEPTH ? readChildren(item, depth + 1) : []);
      if (bookmark) bookmarks.push(bookmark);
      item = item.lookup(name('Next'));
    }
    return bookmarks;
  };

  /** @param {PDFDict} item @param {Bookmark[]} children @returns {Bookmark | undefined} */
  const readItem = (item, children) => {
    const action = item.lookup(name('A'));
    const goesTo = action instanceof PDFDict && action.lookup(name('S')) === name('GoTo');
    const wanted = item.lookup(name('Dest')) ?? (goesTo ? action.lookup(name('D')) : undefined);
    const found = destinations.resolve(wanted);
    const destination = found && copier.copy(found);
    const isTaken = destination instanceof PDFArray && destination.get(0) instanceof PDFRef;
    const isLink = action instanceof PDFDict && action.lookup(name('S')) === name('URI');
    if (!isTaken && !isLink && children.length === 0) return undefined;
    /** @type {Bookmark['entries']} */
    const entries = new Map();
    for (const key of KEPT) {
      const value = item.lookup(name(key));
      if (value) entries.set(key, copier.copy(value));
    }
    if (isTaken) entries.set('Dest', destination);
    else if (isLink) entries.set('A', copier.copy(action));
    const count = item.lookup(name('Count'));
    return { entries, children, open: count instanceof PDFNumber && count.asNumber() > 0 };
  };

  const outlines = source.catalog.lookup(name('Outlines'));
  return outlines instanceof PDFDict ? readChildren(outlines, 0) : [];
}

/** @param {PDFDocument} target @param {Bookmark[]} bookmarks */
export function writeBookmarks(target, bookmarks) {
  if (bookmarks.length === 0) return;
  const { context } = target;
  const root = context.obj({ Type: 'Outlines' });
  const ref = context.register(root);
  writeChildren(root, ref, bookmarks, context);
  root.set(name('Count'), PDFNumber.of(countVisible(bookmarks)));
  target.catalog.set(name('Outlines'), ref);
}

/**
 * @param {PDFDict} parent
 * @param {PDFRef} parentRef
 * @param {Bookmark[]} bookmarks
 * @param {import('@cantoo/pdf-lib').PDFContext} context
 */
function writeChildren(parent, parentRef, bookmarks, context) {
  const refs = bookmarks.map(() => context.nextRef());
  for (const [at, { entries, open, children }] of bookmarks.entries()) {
    const item = context.obj({});
    const ref = refs[at];
    if (!ref) continue;
    for (const [key, value] of entries) item.set(name(key), value);
    item.set(name('Parent'), parentRef);
    const [previous, next] = [refs[at - 1], refs[at + 1]];
    if (previous) item.set(name('Prev'), previous);
    if (next) item.set(name('Next'), next);
    context.assign(ref, item);
    if (children.length === 0) continue;
    writeChildren(item, ref, children, context);
    const visible = countVisible(children);
    item.set(name('Count'), PDFNumber.of(open ? visible : -visible));
  }
  const [first, last] = [refs[0], refs.at(-1)];
  if (first) parent.set(name('First'), first);
  if (last) parent.set(name('Last'), last);
}

/** @param {Bookmark[]} bookmarks @returns {number} */
function countVisible(bookmarks) {
  return bookmarks.reduce((sum, { open, children }) => sum + 1 + (open ? countVisible(children) : 0), 0);
}
