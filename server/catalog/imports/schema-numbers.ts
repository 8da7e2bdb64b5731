import { isExactNumber, isNumberLiteral } from '../../kit/exact-number.mjs';

/** Keywords that compare a value, or its size, with a number. */
const BOUNDS = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
]);
/** Values for the reader, which are not schemas. */
const NOTES = new Set(['default', 'example', 'examples']);

/**
 * Rounds the bounds that are text, because a double cannot hold them: the values compared with them
 * are rounded, too. Notes stay text. Values of `enum` and `const` are rounded in an output; in an
 * input, a caller who read a rounded one would send it.
 * @returns the schema, or the number that an input cannot have
 */
export function readSchemaNumbers(schema: object, what: 'input' | 'output'): object | string {
  let problem: string | undefined;
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (typeof node !== 'object' || node === null) return node;
    const allowsNumber = hasNumberType((node as { type?: unknown }).type);
    const round = (value: unknown) => {
      if (!isInexact(value)) return value;
      problem ??= value;
      return Number(value);
    };
    const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
      if (NOTES.has(key)) return [[key, value]];
      if (key === 'enum' && Array.isArray(value)) return [[key, allowsNumber ? value.map(round) : value]];
      if (key === 'const') return [[key, allowsNumber ? round(value) : value]];
      if (!BOUNDS.has(key) || !isInexact(value)) return [[key, convert(value)]];
      const bound = Number(value);
      // No value is beyond it, and JSON has no infinity.
      return Number.isFinite(bound) && bound !== 0 ? [[key, bound]] : [];
    });
    return Object.fromEntries(entries);
  };
  const converted = convert(schema) as object;
  return what === 'input' && problem !== undefined ? problem : converted;
}

function isInexact(value: unknown): value is string {
  return typeof value === 'string' && isNumberLiteral(value) && !isExactNumber(value);
}

function hasNumberType(type: unknown): boolean {
  const types = [type].flat();
  return (types.includes('integer') || types.includes('number')) && !types.includes('string');
}
