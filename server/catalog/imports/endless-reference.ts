import { followPointer } from './follow-pointer';

/** Keywords that check the same value with another schema, a list of schemas, or a map of them. */
const ONE = ['else', 'if', 'not', 'then'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const MAPS = ['dependencies', 'dependentSchemas'];
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Returns a reference by which a schema applies to the same value again, without an end; null if
 * there is none. References to a part of the value, as in a tree, end with the value. Pure.
 */
export function findEndlessReference(root: object): string | null {
  const anchors = new Map<string, unknown>();
  const schemas = listObjects(root);
  for (const schema of schemas)
    for (const [key, name] of Object.entries(schema))
      if (key === '$anchor' || key === '$dynamicAnchor') anchors.set(`#${String(name)}`, schema);
  const follow = (reference: string) =>
    /^#(\/|$)/.test(reference) ? followPointer(root, reference) : anchors.get(reference);
  const done = new Set<object>();
  for (const schema of schemas) {
    const found = findCycle(schema, follow, done);
    if (found !== null) return found;
  }
  return null;
}

function listObjects(root: object): object[] {
  const found = [root];
  // The list grows while it is read.
  for (const node of found) for (const value of Object.values(node)) if (isObject(value)) found.push(value);
  return found;
}

/** Iterative, because a chain of references may be long. */
function findCycle(start: object, follow: (reference: string) => unknown, done: Set<object>): string | null {
  if (done.has(start)) return null;
  const open = new Set([start]);
  const path = [{ schema: start, next: listNext(start, follow) }];
  for (let current = path.at(-1); current; current = path.at(-1)) {
    const step = current.next.pop();
    if (!step) {
      open.delete(current.schema);
      done.add(current.schema);
      path.pop();
    } else if (open.has(step.schema)) return step.reference;
    else if (!done.has(step.schema)) {
      open.add(step.schema);
      path.push({ schema: step.schema, next: listNext(step.schema, follow) });
    }
  }
  return null;
}

interface Step {
  schema: object;
  /** The reference to it. */
  reference: string;
}

/** Lists the schemas that are applied to the same value. */
function listNext(schema: object, follow: (reference: string) => unknown): Step[] {
  if (Array.isArray(schema)) return [];
  const node = schema as Record<string, unknown>;
  const steps: Step[] = [];
  const add = (value: unknown, reference = '#') => {
    if (isObject(value)) steps.push({ schema: value, reference });
  };
  for (const key of REFERENCES) {
    const reference = node[key];
    if (typeof reference === 'string') add(follow(reference), reference);
  }
  for (const key of ONE) add(node[key]);
  for (const key of [...LISTS, ...MAPS]) {
    const value = node[key];
    if (isObject(value)) for (const item of Object.values(value)) add(item);
  }
  return steps;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
