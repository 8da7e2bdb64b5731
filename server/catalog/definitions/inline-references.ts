import { followPointer } from '../../kit/follow-pointer';
import { isJson, type Json } from './json';

/** Recursive schemas grow without an end: from here on, anything is allowed. */
const MAX_NODES = 3000;
const MAX_DEPTH = 30;

const WITH_ONE = ['items', 'additionalProperties'];
const WITH_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/**
 * Not in the subset of every API, and no help to a model. Leaving them out allows more, which the
 * gateway refuses.
 */
const LEFT_OUT = new Set([
  ...[
    '$schema',
    '$id',
    '$anchor',
    '$dynamicAnchor',
    '$dynamicRef',
    '$recursiveRef',
    '$comment',
    '$vocabulary',
  ],
  ...['$defs', 'definitions', 'not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains'],
  ...['dependencies', 'dependentSchemas', 'dependentRequired', 'patternProperties', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'contentSchema'],
]);

/**
 * Copies a JSON Schema with its references replaced by their targets, and with only the keywords
 * that matter to a model. It accepts all that the schema accepts. A recursion ends in `{}`.
 */
export function inlineReferences(root: Json): Json {
  let nodes = 0;
  const copy = (schema: unknown, open: readonly string[], depth: number): unknown => {
    if (typeof schema === 'boolean') return schema;
    if (!isJson(schema) || ++nodes > MAX_NODES || depth > MAX_DEPTH) return {};
    const { $ref, ...rest } = schema;
    const inner = depth + 1;
    if (typeof $ref === 'string') {
      const target = open.includes($ref) ? {} : followPointer(root, $ref);
      const inlined = copy(target === true ? {} : target, [...open, $ref], inner);
      return isJson(inlined) ? { ...inlined, ...(copy(rest, open, inner) as Json) } : inlined;
    }
    const copied = Object.entries(rest).flatMap(([key, value]): [string, unknown][] => {
      if (LEFT_OUT.has(key)) return [];
      // Names that match a pattern would be refused without it.
      if (key === 'additionalProperties' && rest.patternProperties !== undefined) return [];
      if (key === 'properties' && isJson(value))
        return [[key, mapValues(value, (property) => copy(property, open, inner))]];
      if (key === 'items' && Array.isArray(value))
        return [['prefixItems', value.map((each) => copy(each, open, inner))]];
      if (WITH_ONE.includes(key)) return [[key, copy(value, open, inner)]];
      if (WITH_LIST.includes(key) && Array.isArray(value))
        return [[key, value.map((each) => copy(each, open, inner))]];
      return [[key, value]];
    });
    return Object.fromEntries(copied);
  };
  return copy(root, ['#'], 0) as Json;
}

function mapValues(object: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
