import { randomUUID } from 'node:crypto';

/** Unknown to callers and to other systems, and safe in URLs and headers. */
const MARK = `number${randomUUID().replaceAll('-', '')}`;
const QUOTED = new RegExp(`"${MARK}(-?[\\d.eE+-]+)"`, 'g');

/** A JSON number as marked text, in JSON. */
export function quoteNumber(literal: string): string {
  return `"${MARK}${literal}"`;
}

/**
 * Marks texts that stand for numbers, in a copy: `JSON.stringify` cannot write a number with more
 * digits than a double has. `writeNumberTexts` and `removeNumberMarks` end the mark.
 * @param paths of texts that are JSON numbers
 */
export function markNumberTexts<T>(value: T, paths: readonly (readonly string[])[]): T {
  if (paths.length === 0) return value;
  const copy = structuredClone(value);
  for (const path of paths) {
    let holder: unknown = copy;
    for (const key of path.slice(0, -1)) holder = getField(holder, key);
    const key = path.at(-1) ?? '';
    const text = getField(holder, key);
    if (typeof holder === 'object' && holder !== null && typeof text === 'string')
      Object.defineProperty(holder, key, { value: `${MARK}${text}`, enumerable: true });
  }
  return copy;
}

function getField(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** Writes marked texts in JSON as numbers. */
export function writeNumberTexts(json: string): string {
  return json.includes(MARK) ? json.replace(QUOTED, '$1') : json;
}

/** Removes the marks from text that is not JSON, such as a URL or a header. */
export function removeNumberMarks(text: string): string {
  return text.replaceAll(MARK, '');
}
