/** What we read of a JSON Schema (2020-12). */
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
/** References that lead to references: more is a ring. */
const MAX_REFERENCES = 16;

/** The schema behind local references; one that leads elsewhere is as good as none. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let step = 0; step < MAX_REFERENCES && at.$ref !== undefined; step++)
    at = (at.$ref.startsWith(LOCAL) && root.$defs?.[at.$ref.slice(LOCAL.length)]) || {};
  return at;
}

/** The schemas of which a value needs to fit one. */
export function alternatives(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const at = resolved(schema, root);
  const choices = at.anyOf ?? at.oneOf;
  if (choices) return choices.flatMap((choice) => alternatives(choice, root));
  if (Array.isArray(at.type)) return at.type.map((type) => ({ ...at, type }));
  return [at];
}

/** Whether a field takes a file: an asset id or an address. */
export function takesFile(schema: JsonSchema, root: JsonSchema): boolean {
  return alternatives(schema, root).some(
    ({ contentMediaType, format }) => contentMediaType !== undefined && format === 'uri-reference',
  );
}

/** The type in a word or two, for people: `number`, `list of string`, `a | b`. */
export function typeWords(schema: JsonSchema, root: JsonSchema): string {
  const words = alternatives(schema, root).map((choice) => {
    if (choice.enum) return choice.enum.map(String).join('|');
    if (choice.const !== undefined) return String(choice.const);
    if (takesFile(choice, root)) return 'file';
    if (choice.type === 'array') return `list of ${typeWords(choice.items ?? {}, root)}`;
    return typeof choice.type === 'string' ? choice.type : 'any';
  });
  return [...new Set(words)].join(' or ');
}
