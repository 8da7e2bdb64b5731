/** The subset of JSON Schema (2020-12) that the CLI reads. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  description?: string;
  default?: unknown;
  format?: string;
  contentMediaType?: string;
}

const LOCAL = '#/$defs/';
/** Longest chain of references followed; a longer one is treated as a cycle. */
const MAX_REFERENCES = 16;

/** Resolves local references; any other reference resolves to an empty schema. */
export function resolveReferences(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let step = 0; step < MAX_REFERENCES && at.$ref !== undefined; step++)
    at = (at.$ref.startsWith(LOCAL) && root.$defs?.[at.$ref.slice(LOCAL.length)]) || {};
  return at;
}

/** Lists the alternatives of a schema; a value must match one of them. */
export function listAlternatives(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const at = resolveReferences(schema, root);
  const choices = at.anyOf ?? at.oneOf;
  if (choices) return choices.flatMap((choice) => listAlternatives(choice, root));
  if (Array.isArray(at.type)) return at.type.map((type) => ({ ...at, type }));
  return [at];
}

/** Whether a field takes a file, as an asset id or a URL. */
export function takesFile(schema: JsonSchema, root: JsonSchema): boolean {
  return listAlternatives(schema, root).some(
    ({ contentMediaType, format }) => contentMediaType !== undefined && format === 'uri-reference',
  );
}

/** Describes the type for people: `number`, `list of string`, `a|b`, `number or string`. */
export function describeType(schema: JsonSchema, root: JsonSchema): string {
  const words = listAlternatives(schema, root).map((choice) => {
    if (choice.enum) return choice.enum.map(String).join('|');
    if (choice.const !== undefined) return String(choice.const);
    if (takesFile(choice, root)) return 'file';
    if (choice.type === 'array') return `list of ${describeType(choice.items ?? {}, root)}`;
    return typeof choice.type === 'string' ? choice.type : 'any';
  });
  return [...new Set(words)].join(' or ');
}
