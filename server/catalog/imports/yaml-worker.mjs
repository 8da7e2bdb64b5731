// Parses YAML in a worker: three megabytes take most of a second.
import { gzipSync } from 'node:zlib';
import yaml from 'js-yaml';
import { isExactNumber, isNumberLiteral } from '../../kit/exact-number.mjs';

/** Objects, lists and values, each counted as often as aliases repeat it. */
const MAX_PARTS = 500_000;

/**
 * A number that a double would change stays a text, as in JSON documents.
 * @param {import('js-yaml').TypeOptions} type
 * @param {string} tag
 */
function keepDigits(type, tag) {
  return new yaml.Type(tag, {
    kind: 'scalar',
    resolve: type.resolve,
    construct: (text) => (isNumberLiteral(text) && !isExactNumber(text) ? text : type.construct(text)),
  });
}

const { types } = yaml;
/** Without dates, which are texts in JSON. */
const SCHEMA = yaml.FAILSAFE_SCHEMA.extend({
  implicit: [
    types.null,
    types.bool,
    keepDigits(types.int, 'tag:yaml.org,2002:int'),
    keepDigits(types.float, 'tag:yaml.org,2002:float'),
    types.merge,
  ],
});

/**
 * Converts a YAML document to JSON, compressed, because a worker returns 2 MiB at most.
 * @param {{ bytes: Uint8Array, maxChars: number }} payload with the most characters of the JSON
 * @returns {{ gzip: string } | { problem: string }} in base64
 */
export function convertYaml({ bytes, maxChars }) {
  try {
    const document = yaml.load(Buffer.from(bytes).toString(), { schema: SCHEMA });
    if (!isWithin(document, maxChars)) return { problem: 'Its aliases repeat too much.' };
    return { gzip: gzipSync(JSON.stringify(document) ?? 'null').toString('base64') };
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'It is nested too deeply.' };
    if (!(error instanceof yaml.YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    return { problem: `Line ${line + 1}, column ${column + 1}: ${error.reason}.` };
  }
}

/**
 * Whether the JSON of a value stays within limits. An alias may contain itself.
 * @param {unknown} document
 * @param {number} maxChars
 */
function isWithin(document, maxChars) {
  const open = [document];
  let chars = 0;
  for (let parts = 0; open.length > 0; parts += 1) {
    const value = open.pop();
    if (typeof value === 'string') chars += value.length;
    if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) {
        chars += key.length;
        open.push(child);
      }
    if (parts > MAX_PARTS || chars > maxChars || open.length > MAX_PARTS) return false;
  }
  return true;
}
