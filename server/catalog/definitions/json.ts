export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schemas of a keyword with a list; an empty list if it is absent. */
export function listSchemas(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}
