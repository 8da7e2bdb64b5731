// Checks whether one JSON Schema can replace another. In a request it must accept all that the old
// one accepted; in a response it must allow nothing new. Unknown changes count as breaking.
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {Record<string, any>} Json
 * @typedef {'request' | 'response'} Direction
 * @typedef {object} Found
 * @property {string[]} breaking
 * @property {string[]} compatible
 * @typedef {object} Side an old or a new document
 * @property {(value: any) => any} resolve follows references
 */

/** Keywords without effect on validation; the others are compared below. */
const ANNOTATIONS = [
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  '$comment',
  'contentMediaType',
];
const COMPARED = [
  ...[
    'type',
    'enum',
    'const',
    'format',
    'pattern',
    'default',
    'anyOf',
    'oneOf',
    'items',
    'properties',
    'required',
  ],
  ...[
    'additionalProperties',
    'propertyNames',
    'minimum',
    'exclusiveMinimum',
    'minLength',
    'minItems',
    'minProperties',
  ],
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
];
const KNOWN = new Set([...ANNOTATIONS, ...COMPARED]);
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** The code of a failure: for an unknown one, clients use its type (versioning guide). */
const FAILURE_CODE = / [45]\d\d( [\w./+-]+)?(\.error)?\.code$/;

/** Compares the schemas of one pair of documents. */
export class SchemaComparison {
  #before;
  #after;
  /** @type {Set<string>} pairs of references being compared: schemas may be recursive */
  #open = new Set();

  /** @param {Side} before @param {Side} after */
  constructor(before, after) {
    this.#before = before;
    this.#after = after;
  }

  /**
   * @param {Json | boolean | undefined} before
   * @param {Json | boolean | undefined} after
   * @param {Direction} direction
   * @param {string} at the place, as reported
   * @returns {Found}
   */
  compare(before, after, direction, at) {
    const pair = `${direction} ${getRef(before)} ${getRef(after)}`;
    const isReference = getRef(before) !== '' && getRef(after) !== '';
    if (isReference && this.#open.has(pair)) return { breaking: [], compatible: [] };
    if (isReference) this.#open.add(pair);
    const found = this.#compare(
      toSchema(this.#before.resolve(before)),
      toSchema(this.#after.resolve(after)),
      direction,
      at,
    );
    this.#open.delete(pair);
    return found;
  }

  /**
   * @param {Json} before @param {Json} after @param {Direction} direction @param {string} at
   * @returns {Found}
   */
  #compare(before, after, direction, at) {
    if (isUnion(before) || isUnion(after)) return this.#compareUnions(before, after, direction, at);
    const found = {
      breaking: [...listUnknownChanges(before, after, at)],
      compatible: /** @type {string[]} */ ([]),
    };
    const [wide, narrow] = direction === 'request' ? [after, before] : [before, after];
    const types = listTypes(narrow).filter((type) => !allows(listTypes(wide), type));
    if (types.length > 0)
      found.breaking.push(`${at}: its type was ${formatValue(before.type)}, is ${formatValue(after.type)}`);
    compareValues(before, after, direction, at, found);
    if (direction === 'request') compareBounds(before, after, at, found);
    for (const keyword of ['items', 'additionalProperties', 'propertyNames'])
      this.#compareInner(
        before[keyword],
        after[keyword],
        direction,
        `${at}${keyword === 'items' ? '[]' : '{}'}`,
        found,
      );
    this.#compareProperties(before, after, direction, at, found);
    return found;
  }

  /**
   * Each variant of the narrower side needs a variant of the wider side that contains it.
   * @param {Json} before @param {Json} after @param {Direction} direction @param {string} at
   * @returns {Found}
   */
  #compareUnions(before, after, direction, at) {
    const [old, now] = [listVariants(before), listVariants(after)];
    /** @param {any} one @param {any} two */
    const differences = (one, two) => this.compare(one, two, direction, at);
    const tries =
      direction === 'request'
        ? old.map((one) => now.map((two) => differences(one, two)))
        : now.map((two) => old.map((one) => differences(one, two)));
    const breaking = tries.flatMap((found) =>
      found.some((each) => each.breaking.length === 0) ? [] : closest(found, `${at}: no variant matches`),
    );
    const fits = tries.flatMap((found) => found.find((each) => each.breaking.length === 0)?.compatible ?? []);
    const isOther = now.length !== old.length && breaking.length === 0;
    const more = isOther ? [`${at}: had ${old.length} variants, has ${now.length}`] : [];
    return { breaking, compatible: [...new Set([...fits, ...more])] };
  }

  /**
   * @param {any} before @param {any} after @param {Direction} direction @param {string} at
   * @param {Found} found
   */
  #compareInner(before, after, direction, at, found) {
    if (before === undefined && after === undefined) return;
    if (direction === 'response' && (before === false || after === false)) return;
    const inner = this.compare(before, after, direction, at);
    found.breaking.push(...inner.breaking);
    found.compatible.push(...inner.compatible);
  }

  /**
   * @param {Json} before @param {Json} after @param {Direction} direction @param {string} at
   * @param {Found} found
   */
  #compareProperties(before, after, direction, at, found) {
    const [old, now] = [before.properties ?? {}, after.properties ?? {}];
    const [needed, needs] = [new Set(before.required), new Set(after.required)];
    for (const name of Object.keys(old)) {
      const where = `${at}.${name}`;
      if (!Object.hasOwn(now, name)) {
        found.breaking.push(`${where}: is gone`);
        continue;
      }
      if (needs.has(name) && !needed.has(name))
        found[direction === 'request' ? 'breaking' : 'compatible'].push(
          `${where}: was optional, is required`,
        );
      if (needed.has(name) && !needs.has(name))
        found[direction === 'request' ? 'compatible' : 'breaking'].push(
          `${where}: was required, is optional`,
        );
      const inner = this.compare(old[name], now[name], direction, where);
      found.breaking.push(...inner.breaking);
      found.compatible.push(...inner.compatible);
    }
    for (const name of Object.keys(now)) {
      if (Object.hasOwn(old, name)) continue;
      const isDemand = direction === 'request' && needs.has(name);
      found[isDemand ? 'breaking' : 'compatible'].push(
        `${at}.${name}: is new${isDemand ? ' and required' : ''}`,
      );
    }
  }
}

/** @param {any} schema */
function getRef(schema) {
  return typeof schema?.$ref === 'string' ? schema.$ref : '';
}

/** @param {Json | boolean | undefined} schema @returns {Json} absent or true accepts everything */
function toSchema(schema) {
  if (schema === false) return { enum: [] };
  return schema === undefined || schema === true ? {} : schema;
}

/** @param {Json} schema */
function isUnion(schema) {
  return schema.anyOf !== undefined || schema.oneOf !== undefined;
}

/** @param {Json} schema @returns {any[]} */
function listVariants(schema) {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

/**
 * @param {Found[]} tries @param {string} otherwise @returns {string[]} differences of the closest
 *   variant
 */
function closest(tries, otherwise) {
  const [nearest] = [...tries].sort((a, b) => a.breaking.length - b.breaking.length);
  return nearest ? nearest.breaking : [otherwise];
}

/** @param {Json} schema @returns {string[]} */
function listTypes({ type }) {
  return type === undefined ? ['anything'] : [type].flat();
}

/** @param {string[]} types @param {string} type */
function allows(types, type) {
  return (
    types.includes('anything') || types.includes(type) || (type === 'integer' && types.includes('number'))
  );
}

/** @param {Json} before @param {Json} after @param {string} at @returns {string[]} */
function listUnknownChanges(before, after, at) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((keyword) => !KNOWN.has(keyword) && !keyword.startsWith('x-'))
    .filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]))
    .map((keyword) => `${at}: ${keyword} has changed, which cannot be compared`);
}

/**
 * @param {Json} before @param {Json} after @param {Direction} direction @param {string} at
 * @param {Found} found
 */
function compareValues(before, after, direction, at, found) {
  const [old, now] = [listValues(before), listValues(after)];
  const [wide, narrow] = direction === 'request' ? [now, old] : [old, now];
  if (narrow && !wide)
    found.compatible.push(`${at}: its values were ${formatValue(old)}, are ${formatValue(now)}`);
  if (wide && !narrow)
    found.breaking.push(
      `${at}: ${direction === 'request' ? 'accepts' : 'returned'} only ${formatValue(wide)}`,
    );
  if (wide && narrow) {
    const lost = narrow.filter((value) => !wide.some((other) => isDeepStrictEqual(value, other)));
    if (lost.length > 0)
      found[FAILURE_CODE.test(at) ? 'compatible' : 'breaking'].push(
        `${at}: ${direction === 'request' ? 'no longer accepts' : 'may now return'} ${formatValue(lost)}`,
      );
    else if (old?.length !== now?.length)
      found.compatible.push(`${at}: its values were ${formatValue(old)}, are ${formatValue(now)}`);
  }
  for (const keyword of ['format', ...(direction === 'request' ? ['pattern', 'default'] : [])]) {
    if (isDeepStrictEqual(before[keyword], after[keyword])) continue;
    const loosened = direction === 'request' ? after[keyword] === undefined : before[keyword] === undefined;
    const isFine = loosened && keyword !== 'default';
    found[isFine ? 'compatible' : 'breaking'].push(
      `${at}: its ${keyword} was ${formatValue(before[keyword])}, is ${formatValue(after[keyword])}`,
    );
  }
}

/** @param {Json} schema @returns {any[] | undefined} */
function listValues(schema) {
  return 'const' in schema ? [schema.const] : schema.enum;
}

/** @param {Json} before @param {Json} after @param {string} at @param {Found} found */
function compareBounds(before, after, at, found) {
  for (const [keywords, tightened] of /** @type {const} */ ([
    [LEAST, (/** @type {number} */ old, /** @type {number} */ now) => now > old],
    [MOST, (/** @type {number} */ old, /** @type {number} */ now) => now < old],
  ]))
    for (const keyword of keywords) {
      const [old, now] = [before[keyword], after[keyword]];
      if (old === now) continue;
      const isTighter = now !== undefined && (old === undefined || tightened(old, now));
      found[isTighter ? 'breaking' : 'compatible'].push(
        `${at}: its ${keyword} was ${formatValue(old)}, is ${formatValue(now)}`,
      );
    }
}

/** @param {unknown} value */
function formatValue(value) {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
