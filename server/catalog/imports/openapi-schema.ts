import { followPointer } from '../../kit/follow-pointer';
import { toUnicodePattern } from './unicode-pattern';

/** A JSON object in a document. */
export type Node = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';
const MAX_REFERENCES = 20;
/** Keywords with a schema, a list of schemas, or a map of schemas as value. */
const ONE = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];
/** Keywords that OpenAPI adds to JSON Schema, and those without meaning outside the document. */
const DROPPED = new Set([
  'discriminator',
  'example',
  'externalDocs',
  'nullable',
  'xml',
  '$id',
  '$schema',
  'id',
]);
/** `checkSchema` refuses deeper nesting; this limit only protects the stack. */
const MAX_DEPTH = 60;
/** Of the patterns of an operation, which are read before the size of its schemas is known. */
const MAX_PATTERN_CHARS = 16_384;
/** `checkSchema` refuses more parts; this limit only protects the event loop. */
const MAX_PARTS = 5_000;

/** A part of the document that cannot be used; the message has the reason, for the operator. */
export class Unusable extends Error {}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Resolves a reference within the document, or returns the value itself. External references are
 * never followed (threats C13).
 * @throws Unusable
 */
export function resolveReference(document: Node, value: unknown): Node {
  let node = value;
  for (let i = 0; isNode(node) && typeof node.$ref === 'string'; i++) {
    if (i === MAX_REFERENCES) throw new Unusable('Its chain of references is too long.');
    node = followReference(document, node.$ref);
  }
  if (!isNode(node)) throw new Unusable('A part that it refers to is missing.');
  return node;
}

function followReference(document: Node, reference: string): unknown {
  if (!reference.startsWith('#/'))
    throw new Unusable(
      `It refers to ${reference.slice(0, 80)}, but only references within the document are followed.`,
    );
  return followPointer(document, reference);
}

/**
 * Extracts a skill's schemas from their document, as JSON Schema 2020-12 with referenced schemas in
 * `$defs`. Recursive schemas stay recursive.
 */
export class SchemaExtractor {
  readonly #document: Node;
  readonly #isOld: boolean;
  readonly #definitions = new Map<string, unknown>();
  /** The definitions' keys, by the references to them. */
  readonly #keys = new Map<string, string>();
  /** Patterns that no regular expression of JSON Schema can express, and that are left out. */
  readonly leftOut = new Set<string>();
  #patternChars = 0;
  /** How many references share a key, except for the number at its end. */
  readonly #sharing = new Map<string, number>();
  #parts = 0;

  /** @param isOld whether the document is OpenAPI 3.0, which has its own schema dialect */
  constructor(document: Node, isOld: boolean) {
    this.#document = document;
    this.#isOld = isOld;
  }

  /** @throws Unusable */
  extract(schema: unknown): unknown {
    return this.#convert(schema, 0);
  }

  /** The schemas referenced so far, by name; undefined if there are none. */
  get definitions(): Node | undefined {
    return this.#definitions.size === 0 ? undefined : Object.fromEntries(this.#definitions);
  }

  #convert(schema: unknown, depth: number): unknown {
    if (typeof schema === 'boolean') return schema;
    if (!isNode(schema)) throw new Unusable('One of its schemas is not a schema.');
    if (depth > MAX_DEPTH) throw new Unusable('One of its schemas is nested too deeply.');
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new Unusable(`Its schemas have more than ${MAX_PARTS} parts.`);
    const made: [string, unknown][] = [];
    for (const [key, value] of Object.entries(schema)) {
      if (DROPPED.has(key) || key.startsWith('x-')) continue;
      if (key === 'pattern' && typeof value === 'string') made.push(...this.#convertPattern(value));
      else made.push([key, this.#convertKeyword(key, value, depth)]);
    }
    const converted = Object.fromEntries(made);
    return this.#isOld ? modernizeSchema(converted, schema) : converted;
  }

  #convertPattern(given: string): [string, string][] {
    this.#patternChars += given.length;
    if (this.#patternChars > MAX_PATTERN_CHARS)
      throw new Unusable(`Its patterns have more than ${MAX_PATTERN_CHARS} characters together.`);
    const pattern = toUnicodePattern(given);
    if (pattern === null) this.leftOut.add(given);
    return pattern === null ? [] : [['pattern', pattern]];
  }

  #convertKeyword(key: string, value: unknown, depth: number): unknown {
    if (key === '$ref' && typeof value === 'string') return this.#refer(value, depth);
    if (ONE.includes(key) && (isNode(value) || typeof value === 'boolean'))
      return this.#convert(value, depth + 1);
    if (LISTS.includes(key) && Array.isArray(value))
      return value.map((item) => this.#convert(item, depth + 1));
    if (!MAPS.includes(key) || !isNode(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#convert(item, depth + 1)]),
    );
  }

  #refer(reference: string, depth: number): string {
    let key = this.#keys.get(reference);
    if (key === undefined) {
      key = this.#chooseKey(reference);
      this.#keys.set(reference, key);
      // Registered before the conversion, because it may refer to itself.
      this.#definitions.set(key, true);
      this.#definitions.set(key, this.#convert(followReference(this.#document, reference), depth + 1));
    }
    return `#/$defs/${key}`;
  }

  /** Different names may differ only in characters that a key cannot have. */
  #chooseKey(reference: string): string {
    const name = reference.startsWith(SCHEMAS) ? reference.slice(SCHEMAS.length) : reference;
    const clean = name.replace(/[^A-Za-z0-9._-]/g, '_');
    let key = clean;
    let sharing = this.#sharing.get(clean) ?? 1;
    for (; this.#definitions.has(key); key = `${clean}_${sharing}`) sharing += 1;
    this.#sharing.set(clean, sharing);
    return key;
  }
}

/** Converts the `nullable` and exclusive bounds of OpenAPI 3.0. */
function modernizeSchema(schema: Node, old: Node): Node {
  const made = { ...schema };
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue;
    if (made[exclusive] && made[bound] !== undefined) {
      made[exclusive] = made[bound];
      delete made[bound];
    } else delete made[exclusive];
  }
  if (old.nullable !== true) return made;
  if (Array.isArray(made.enum) && !made.enum.includes(null)) made.enum = [...made.enum, null];
  if (typeof made.type === 'string') return { ...made, type: [made.type, 'null'] };
  return { anyOf: [made, { type: 'null' }] };
}
