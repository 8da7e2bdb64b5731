// Copies pages of a document to another with what belongs to them: form fields, bookmarks, links
// and layers.
import { PDFArray, PDFDict, PDFName, PDFNull, PDFPage, PDFPageLeaf, PDFRef } from '@cantoo/pdf-lib';
import { Destinations } from './destinations.mjs';
import { FormCopy } from './form-copy.mjs';
import { ObjectCopier } from './object-copier.mjs';
import { readBookmarks } from './outline-copy.mjs';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('./outline-copy.mjs').Bookmark} Bookmark */

const name = PDFName.of;

/**
 * Appends pages to a document.
 * @param {PDFDocument} target
 * @param {PDFDocument} source
 * @param {number[]} pages from 1
 * @returns {Promise<{ bookmarks: Bookmark[], warnings: string[] }>} the bookmarks of these pages,
 *   for writeBookmarks, and what could not be copied
 */
export async function copyPages(target, source, pages) {
  /** @type {string[]} */
  const warnings = [];
  const all = source.getPages();
  const chosen = pages.map((page) => all[page - 1]).filter((page) => page !== undefined);
  const form = new FormCopy(source, target, chosen);
  warnings.push(...form.updateAppearances());
  await source.flush();
  const copier = new ObjectCopier(source.context, target.context);
  const taken = new Set(chosen);
  for (const page of all) copier.preset(page.ref, taken.has(page) ? target.context.nextRef() : PDFNull);
  form.dropOthers(copier);
  const destinations = new Destinations(source);
  /** @type {Set<PDFRef>} */
  const used = new Set();
  for (const page of chosen) {
    const first = copier.copy(page.ref);
    // A page that is taken twice needs an object of its own.
    const ref = first instanceof PDFRef && !used.has(first) ? first : target.context.nextRef();
    used.add(ref);
    const leaf = copier.copy(detach(page.node));
    if (!(leaf instanceof PDFPageLeaf)) throw new Error('Not a page');
    target.context.assign(ref, leaf);
    target.addPage(PDFPage.of(leaf, ref, target));
    resolveLinks(leaf, destinations, copier);
  }
  warnings.push(...form.finish(copier));
  copyLayers(target, source, copier);
  if (hasAttachments(source)) warnings.push('Files attached to the document were left out.');
  return { bookmarks: readBookmarks(source, destinations, copier), warnings };
}

/** Copies what a page inherits from its parent, and cuts it off. @param {PDFPageLeaf} page */
function detach(page) {
  const detached = page.clone();
  for (const key of PDFPageLeaf.InheritableEntries) {
    const value = detached.getInheritableAttribute(name(key));
    if (!detached.get(name(key)) && value) detached.set(name(key), value);
  }
  detached.delete(name('Parent'));
  return detached;
}

/**
 * Replaces names in links by their pages: the list of names stays behind.
 * @param {PDFPageLeaf} page of the target
 * @param {Destinations} destinations
 * @param {ObjectCopier} copier
 */
function resolveLinks(page, destinations, copier) {
  const annotations = page.Annots();
  for (let at = 0; at < (annotations?.size() ?? 0); at += 1) {
    const link = annotations?.lookup(at);
    if (!(link instanceof PDFDict)) continue;
    const action = link.lookup(name('A'));
    for (const [holder, key] of /** @type {const} */ ([
      [link, 'Dest'],
      [action, 'D'],
    ])) {
      if (!(holder instanceof PDFDict)) continue;
      if (key === 'D' && holder.lookup(name('S')) !== name('GoTo')) continue;
      const value = holder.lookup(name(key));
      if (value === undefined || value instanceof PDFArray) continue;
      const resolved = destinations.resolve(value);
      if (resolved) holder.set(name(key), copier.copy(resolved));
    }
  }
}

/**
 * Copies the layers, without which hidden content would appear.
 * @param {PDFDocument} target
 * @param {PDFDocument} source
 * @param {ObjectCopier} copier
 */
function copyLayers(target, source, copier) {
  const layers = source.catalog.lookup(name('OCProperties'));
  if (!(layers instanceof PDFDict)) return;
  const copied = copier.copy(layers);
  const existing = target.catalog.lookup(name('OCProperties'));
  if (!(copied instanceof PDFDict)) return;
  if (!(existing instanceof PDFDict)) {
    target.catalog.set(name('OCProperties'), copied);
    return;
  }
  appendArrays(existing, copied, ['OCGs']);
  const [to, from] = [existing.lookup(name('D')), copied.lookup(name('D'))];
  if (to instanceof PDFDict && from instanceof PDFDict)
    appendArrays(to, from, ['ON', 'OFF', 'Order', 'Locked', 'AS']);
}

/** @param {PDFDict} to @param {PDFDict} from @param {string[]} keys */
function appendArrays(to, from, keys) {
  for (const key of keys) {
    const [existing, added] = [to.lookup(name(key)), from.lookup(name(key))];
    if (!(added instanceof PDFArray)) continue;
    if (existing instanceof PDFArray) for (const item of added.asArray()) existing.push(item);
    else to.set(name(key), added);
  }
}

/** @param {PDFDocument} source */
function hasAttachments(source) {
  const names = source.catalog.lookup(name('Names'));
  return names instanceof PDFDict && names.lookup(name('EmbeddedFiles')) instanceof PDFDict;
}
