import { PDFArray, PDFCatalog, PDFDict, PDFName, PDFPageLeaf, PDFPageTree, PDFRef } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */

const KIDS = PDFName.of('Kids');
const PARENT = PDFName.of('Parent');
const TYPE = PDFName.of('Type');

/**
 * Gives the catalog and all pages the types and parents that pdf-lib relies on. Viewers, which only
 * follow the tree down, need neither.
 * @param {PDFDocument} document
 */
export function repairPages(document) {
  const { context } = document;
  /** @type {PDFDict} */
  const root = document.catalog;
  if (!(root instanceof PDFCatalog)) {
    const catalog = PDFCatalog.fromMapWithContext(root.asMap(), context);
    const { Root } = context.trailerInfo;
    if (Root instanceof PDFRef) context.assign(Root, catalog);
    Object.assign(document, { catalog });
  }
  const first = root.get(PDFName.of('Pages'));
  const waiting = first instanceof PDFRef ? [first] : [];
  const seen = new Set(waiting);
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const node = assignType(document, ref);
    const kids = node?.lookup(KIDS);
    if (!(kids instanceof PDFArray)) continue;
    for (const kid of kids.asArray()) {
      const child = kid instanceof PDFRef && !seen.has(kid) ? context.lookup(kid) : undefined;
      if (!(kid instanceof PDFRef) || !(child instanceof PDFDict)) continue;
      if (child.get(PARENT) !== ref) child.set(PARENT, ref);
      seen.add(kid);
      waiting.push(kid);
    }
  }
}

/** @param {PDFDocument} document @param {PDFRef} ref */
function assignType({ context }, ref) {
  const node = context.lookup(ref);
  if (!(node instanceof PDFDict)) return undefined;
  const type = node.lookup(KIDS) instanceof PDFArray ? PDFPageTree : PDFPageLeaf;
  if (node instanceof type) return node;
  const typed = type.fromMapWithContext(node.asMap(), context);
  typed.set(TYPE, PDFName.of(type === PDFPageTree ? 'Pages' : 'Page'));
  context.assign(ref, typed);
  return typed;
}
