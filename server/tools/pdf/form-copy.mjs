// Copies the form fields of pages to another document.
import {
  PDFArray,
  PDFBool,
  PDFCheckBox,
  PDFDict,
  PDFDropdown,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFOptionList,
  PDFRadioGroup,
  PDFRef,
  PDFString,
  PDFTextField,
} from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('./object-copier.mjs').ObjectCopier} ObjectCopier */

const name = PDFName.of;
const MAX_DEPTH = 50;
const MAX_NAMED = 5;

/** The form of a source document, of which the fields on some pages go to a target. */
export class FormCopy {
  #source;
  #target;
  #pages;
  #needsAppearances = false;
  /** @type {PDFRef[]} fields at the top that stay */
  #roots = [];

  /** @param {PDFDocument} source @param {PDFDocument} target @param {PDFPage[]} pages */
  constructor(source, target, pages) {
    this.#source = source;
    this.#target = target;
    this.#pages = pages;
  }

  get #form() {
    const form = this.#source.catalog.lookup(name('AcroForm'));
    return form instanceof PDFDict ? form : undefined;
  }

  /**
   * Draws values that have no appearance, which only their form makes visible.
   * @returns {string[]} warnings
   */
  updateAppearances() {
    if (!this.#form) return [];
    const warnings = [];
    if (this.#form.has(name('XFA'))) {
      this.#form.delete(name('XFA'));
      warnings.push('The XFA form was left out; its ordinary form fields were copied.');
    }
    const stale = this.#form.lookup(name('NeedAppearances')) === PDFBool.True;
    const form = this.#source.getForm();
    /** @type {string[]} */
    const failed = [];
    for (const field of form.getFields()) {
      const isDrawn = isValueField(field) && field.needsAppearancesUpdate();
      const isText = field instanceof PDFTextField || field instanceof PDFDropdown;
      if (!isDrawn && !(stale && isText)) continue;
      try {
        if (!isDrawable(field, form.getDefaultFont())) throw new Error('Not in the font');
        field.defaultUpdateAppearances(form.getDefaultFont());
      } catch {
        failed.push(field.getName());
      }
    }
    this.#form.delete(name('NeedAppearances'));
    this.#needsAppearances = failed.length > 0;
    if (failed.length > 0)
      warnings.push(
        `The values of these form fields are kept, but only programs that draw forms themselves show them: ${listNames(failed)}.`,
      );
    return warnings;
  }

  /** Keeps fields of other pages, and their values, out. @param {ObjectCopier} copier */
  dropOthers(copier) {
    const kept = new Set(this.#pages.flatMap((page) => page.node.Annots()?.asArray() ?? []));
    /** @param {PDFObject} ref @param {number} depth @returns {boolean} */
    const keep = (ref, depth) => {
      const field = this.#source.context.lookup(ref);
      if (!(ref instanceof PDFRef) || !(field instanceof PDFDict) || depth > MAX_DEPTH) return false;
      const kids = field.lookup(name('Kids'));
      const stays =
        kids instanceof PDFArray
          ? kids.asArray().filter((kid) => keep(kid, depth + 1)).length > 0
          : kept.has(ref);
      if (!stays) copier.preset(ref, PDFNull);
      return stays;
    };
    const fields = this.#form?.lookup(name('Fields'));
    const roots = fields instanceof PDFArray ? fields.asArray() : [];
    this.#roots = roots.filter((ref) => ref instanceof PDFRef).filter((ref) => keep(ref, 0));
  }

  /**
   * Adds the copied fields to the form of the target.
   * @param {ObjectCopier} copier
   * @returns {string[]} warnings
   */
  finish(copier) {
    if (!this.#form || this.#roots.length === 0) return [];
    const form = this.#target.catalog.getOrCreateAcroForm();
    if (this.#needsAppearances) form.dict.set(name('NeedAppearances'), PDFBool.True);
    this.#copyResources(form.dict, copier);
    const taken = new Set(form.getFields().map(([field]) => readText(field.dict.lookup(name('T')))));
    const renamed = [];
    const signed = [];
    for (const root of this.#roots) {
      const ref = copier.copy(root);
      const field = this.#target.context.lookup(ref);
      if (!(ref instanceof PDFRef) || !(field instanceof PDFDict)) continue;
      if (cleanField(field, 0)) signed.push(readText(field.lookup(name('T'))));
      this.#inheritDefaults(field);
      const old = readText(field.lookup(name('T')));
      const unique = findFreeName(old, taken);
      taken.add(unique);
      if (old !== '' && unique !== old) {
        field.set(name('T'), PDFHexString.fromText(unique));
        renamed.push(`${old} to ${unique}`);
      }
      form.addField(ref);
    }
    this.#copyCalculationOrder(form.dict, copier);
    return [
      ...(renamed.length === 0
        ? []
        : [`Form fields with the name of another were renamed: ${listNames(renamed)}.`]),
      ...(signed.length === 0
        ? []
        : [`Digital signatures would not be valid and were left out: ${listNames(signed)}.`]),
    ];
  }

  /** Default font and alignment come from the form, which is another now. @param {PDFDict} field */
  #inheritDefaults(field) {
    for (const key of ['DA', 'Q']) {
      const value = this.#form?.lookup(name(key));
      if (value && !field.has(name(key))) field.set(name(key), value.clone());
    }
  }

  /** @param {PDFDict} form of the target @param {ObjectCopier} copier */
  #copyResources(form, copier) {
    const resources = this.#form?.lookup(name('DR'));
    if (!(resources instanceof PDFDict)) return;
    const existing = form.lookup(name('DR'));
    const copied = copier.copy(resources);
    if (!(existing instanceof PDFDict)) form.set(name('DR'), copied);
    else if (copied instanceof PDFDict) addMissing(existing, copied);
  }

  /** @param {PDFDict} form of the target @param {ObjectCopier} copier */
  #copyCalculationOrder(form, copier) {
    const order = this.#form?.lookup(name('CO'));
    if (!(order instanceof PDFArray)) return;
    const existing = form.lookup(name('CO'));
    const all = existing instanceof PDFArray ? existing : PDFArray.withContext(this.#target.context);
    for (const field of order.asArray()) {
      const copied = copier.copy(field);
      if (copied !== PDFNull) all.push(copied);
    }
    form.set(name('CO'), all);
  }
}

/** Whether a field shows a value, unlike push buttons and signatures. @param {unknown} field */
function isValueField(field) {
  return [PDFTextField, PDFDropdown, PDFOptionList, PDFCheckBox, PDFRadioGroup].some(
    (type) => field instanceof type,
  );
}

/**
 * Whether the font has all characters of a value; pdf-lib would draw question marks.
 * @param {import('@cantoo/pdf-lib').PDFField} field
 * @param {import('@cantoo/pdf-lib').PDFFont} font
 */
function isDrawable(field, font) {
  const value = field.acroField.getInheritableAttribute(name('V'));
  const resolved = value instanceof PDFRef ? field.doc.context.lookup(value) : value;
  const items = resolved instanceof PDFArray ? resolved.asArray() : [resolved];
  const known = new Set(font.getCharacterSet());
  return items.every((item) =>
    [...readText(item)].every((char) => /\s/.test(char) || known.has(char.codePointAt(0) ?? 0)),
  );
}

/**
 * Removes the references to fields that were left out, and signatures.
 * @param {PDFDict} field
 * @param {number} depth
 * @returns {boolean} whether there was a signature
 */
function cleanField(field, depth) {
  let signed = false;
  if (field.lookup(name('FT')) === name('Sig') && field.has(name('V'))) {
    field.delete(name('V'));
    signed = true;
  }
  const kids = field.lookup(name('Kids'));
  if (!(kids instanceof PDFArray) || depth > MAX_DEPTH) return signed;
  for (let at = kids.size() - 1; at >= 0; at -= 1) {
    const kid = kids.lookup(at);
    if (kid instanceof PDFDict) signed = cleanField(kid, depth + 1) || signed;
    else kids.remove(at);
  }
  return signed;
}

/** @param {PDFDict} to @param {PDFDict} from two levels of resources */
function addMissing(to, from) {
  for (const [key, value] of from.entries()) {
    const [existing, added] = [to.lookup(key), from.lookup(key)];
    if (!existing) to.set(key, value);
    else if (existing instanceof PDFDict && added instanceof PDFDict)
      for (const [inner, item] of added.entries()) if (!existing.has(inner)) existing.set(inner, item);
  }
}

/** @param {PDFObject | undefined} value */
function readText(value) {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}

/** As qpdf does: `name`, then `name+1`. @param {string} wanted @param {Set<string>} taken */
function findFreeName(wanted, taken) {
  let free = wanted;
  for (let count = 1; taken.has(free); count += 1) free = `${wanted}+${count}`;
  return free;
}

/** @param {string[]} names */
function listNames(names) {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
