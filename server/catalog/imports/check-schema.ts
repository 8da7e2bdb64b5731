import type { JsonSchema } from '../../tools/sdk/define-tool';
import { findEndlessReference } from './endless-reference';
import { readSchemaNumbers } from './schema-numbers';

/** Per schema. */
const MAX_BYTES = 128 * 1024;
const MAX_DEPTH = 40;
const MAX_NODES = 5_000;
/** Each takes at least two characters. */
const MAX_ENTRIES = MAX_BYTES / 2;

/** Direction controls and tag characters: a model reads them, a person who approves does not. */
const HIDING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

export type CheckedSchema = { ok: true; schema: JsonSchema } | { ok: false; reason: string };

/**
 * Checks an untrusted JSON Schema: bounded, and with internal references only, so that nothing is
 * ever fetched (threats C13). Pure.
 * @param what `input` or `output`, for the reason
 */
export function checkSchema(given: unknown, what: 'input' | 'output'): CheckedSchema {
  const refuse = (why: string): CheckedSchema => ({ ok: false, reason: `Its ${what} schema ${why}.` });
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return refuse('is not an object');
  const problem = findProblem(given);
  if (problem) return refuse(problem);
  if (JSON.stringify(given).length > MAX_BYTES) return refuse(`is larger than ${MAX_BYTES / 1024} KiB`);
  const endless = findEndlessReference(given);
  if (endless !== null)
    return refuse(`refers to itself without an end at ${endless}, so no value could be checked`);
  const read = readSchemaNumbers(given, what);
  if (typeof read === 'string')
    return refuse(
      `allows the number ${read.slice(0, 40)}, which most programs round, so another one would be sent`,
    );
  const type = (given as { type?: unknown }).type;
  if (type !== undefined && type !== 'object') return refuse('does not describe an object');
  const { $id: _id, id: _old, ...schema } = read as Record<string, unknown>;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return { ok: true, schema: { ...schema, type: 'object', properties } };
}

/**
 * Returns the first problem, or null. Iterative, so that deep nesting cannot overflow the stack.
 */
function findProblem(root: object): string | null {
  const waiting: { node: object; depth: number; root: boolean }[] = [{ node: root, depth: 1, root: true }];
  let entries = 0;
  for (let nodes = 0; ; nodes++) {
    const next = waiting.pop();
    if (!next) return null;
    if (nodes > MAX_NODES) return `has more than ${MAX_NODES} parts`;
    if (next.depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    for (const key in next.node) {
      entries += 1;
      if (entries > MAX_ENTRIES) return `is larger than ${MAX_BYTES / 1024} KiB`;
      const value = (next.node as Record<string, unknown>)[key];
      const problem = findEntryProblem(key, value, next.root);
      if (problem) return problem;
      if (typeof value === 'object' && value !== null)
        waiting.push({ node: value, depth: next.depth + 1, root: false });
    }
  }
}

function findEntryProblem(key: string, value: unknown, atRoot: boolean): string | null {
  if (key === '__proto__') return 'has a property named __proto__, which is not allowed';
  if (/[\p{Cc}\p{Cs}]/u.test(key)) return 'has a property name with control characters';
  if (HIDING.test(key) || (typeof value === 'string' && HIDING.test(value)))
    return 'has characters that hide text or change its direction';
  if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#'))
    return `refers to ${value.slice(0, 80)}, but only references within the document are followed`;
  if (key === '$id' && typeof value === 'string' && !atRoot)
    return 'has a nested $id, which would change the meaning of its references';
  return typeof value === 'string' && value.includes('\u0000') ? 'contains a NUL character' : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
