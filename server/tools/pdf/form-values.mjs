// Reads what was filled into a page: values of form fields, and text typed on top of the page.
// pdf.js leaves both out of the text; pdftotext and MuPDF put them where they are printed.

/**
 * @typedef {{ name: string, type: 'text' | 'choice' | 'checkbox' | 'radio' | 'signature', page:
 *   number, value: string | string[] | boolean | null }} FormField
 */
/** @typedef {import('./text-worker.mjs').TextItem} TextItem */
/** @typedef {Record<string, any>} Annotation as pdf.js describes it */

/** Flags of an annotation that is not displayed: hidden, or no view. */
const NOT_DISPLAYED = 2 | 32;

/**
 * Describes the fields of a page, a radio group once.
 * @param {Annotation[]} annotations
 * @param {number} page
 * @returns {FormField[]}
 */
export function listFields(annotations, page) {
  /** @type {Map<string, FormField>} */
  const fields = new Map();
  for (const annotation of annotations) {
    const type = getFieldType(annotation);
    if (type === undefined) continue;
    const name = String(annotation.fieldName ?? '');
    // The widgets of a group or of a repeated field share a name; boxes can differ in value.
    const key = type === 'checkbox' ? `${name}\n${annotation.exportValue}` : name;
    if (!fields.has(key)) fields.set(key, { name, type, page, value: readValue(annotation, type) });
  }
  return [...fields.values()];
}

/** @param {Annotation} annotation @returns {FormField['type'] | undefined} */
function getFieldType({ subtype, fieldType, checkBox, radioButton }) {
  if (subtype !== 'Widget') return undefined;
  if (fieldType === 'Tx') return 'text';
  if (fieldType === 'Ch') return 'choice';
  if (fieldType === 'Sig') return 'signature';
  if (checkBox) return 'checkbox';
  return radioButton ? 'radio' : undefined;
}

/** @param {Annotation} annotation @param {FormField['type']} type @returns {FormField['value']} */
function readValue(annotation, type) {
  const { fieldValue, password } = annotation;
  if (type === 'checkbox') return isOn(annotation);
  if (type === 'signature' || password || fieldValue === undefined) return null;
  if (type === 'radio') return fieldValue === 'Off' ? null : fieldValue;
  if (type === 'text') return typeof fieldValue === 'string' && fieldValue !== '' ? fieldValue : null;
  const labels = [fieldValue ?? []].flat().map((value) => getLabel(annotation, String(value)));
  return labels.length > 1 ? labels : (labels[0] ?? null);
}

/** @param {Annotation} annotation @param {string} value */
function getLabel({ options }, value) {
  const found = (options ?? []).find((/** @type {Annotation} */ option) => option.exportValue === value);
  return String(found?.displayValue ?? value);
}

/** Whether a box or button of a group is on. @param {Annotation} annotation */
function isOn({ fieldValue, exportValue, buttonValue }) {
  const on = exportValue ?? buttonValue;
  return fieldValue !== 'Off' && fieldValue != null && (on === undefined || fieldValue === on);
}

/**
 * Puts the visible values of a page between its pieces of text, in reading order.
 * @param {TextItem[]} items text of the page, in the order of pdf.js
 * @param {Annotation[]} annotations
 * @returns {TextItem[]}
 */
export function insertValues(items, annotations) {
  const merged = [...items];
  for (const annotation of annotations) {
    const text = getVisibleText(annotation);
    if (text !== '') insertItem(merged, text, annotation.rect);
  }
  return merged;
}

/** @param {Annotation} annotation */
function getVisibleText(annotation) {
  if ((annotation.annotationFlags ?? 0) & NOT_DISPLAYED) return '';
  if (annotation.subtype === 'FreeText') return String(annotation.contentsObj?.str ?? '');
  const type = getFieldType(annotation);
  if (type === undefined) return '';
  if (type === 'checkbox' || type === 'radio') return isOn(annotation) ? '[x]' : '';
  const value = readValue(annotation, type);
  return typeof value === 'boolean' ? '' : [value ?? []].flat().join(', ');
}

/**
 * @param {TextItem[]} items changed
 * @param {string} text
 * @param {number[]} rect left, bottom, right and top of the field
 */
function insertItem(items, text, [left = 0, bottom = 0, right = 0, top = 0]) {
  const height = Math.min(12, top - bottom);
  const str = text.replace(/\r\n?/g, '\n');
  const added = { str, transform: [1, 0, 0, 1, left, bottom], width: right - left, height, hasEOL: false };
  const places = items.map((item, at) => ({ at, x: item.transform[4] ?? 0, y: item.transform[5] ?? 0 }));
  const words = places.filter(({ at }) => items[at]?.str.trim() !== '');
  const line = words.filter(({ y }) => y > bottom - height / 2 && y < top);
  const before = line.filter(({ x }) => x <= left).sort((a, b) => b.x - a.x)[0];
  const [after] = line.sort((a, b) => a.x - b.x);
  if (!before && after) {
    items.splice(after.at, 0, added);
    return;
  }
  const above = words.filter(({ y }) => y >= top).sort((a, b) => a.y - b.y || b.at - a.at)[0];
  const place = (before ?? above)?.at ?? -1;
  const previous = items[place];
  if (previous && (!before || previous.hasEOL)) {
    // A value on its own line ends it, as does one that follows the last word of a line.
    added.hasEOL = true;
    items[place] = { ...previous, hasEOL: !before };
  } else if (!previous) added.hasEOL = true;
  items.splice(place + 1, 0, added);
}
