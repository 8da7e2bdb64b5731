import { followPointer } from '../../kit/follow-pointer';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Keywords that check the same value with another schema, or with a list or map of schemas. */
const SAME_VALUE = new Map<string, 'one' | 'several'>([
  ['allOf', 'several'],
  ['anyOf', 'several'],
  ['oneOf', 'several'],
  ['dependencies', 'several'],
  ['dependentSchemas', 'several'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['not', 'one'],
]);

type Node = Record<string, unknown>;

interface Step {
  schema: Node;
  /** The last reference on the way to it. */
  reference: string;
}

/**
 * Returns a reference by which a schema applies to the same value again, without an end; null if
 * there is none. References to a part of the value, as in a tree, end with the value. Pure.
 */
export function findEndlessReference(root: object): string | null {
  return new ReferenceGraph(root).findCycle();
}

class ReferenceGraph {
  readonly #root: object;
  /** Every cycle has one of them. */
  readonly #referring: Node[] = [];
  readonly #targets = new Map<string, unknown>();
  readonly #done = new Set<Node>();

  constructor(root: object) {
    this.#root = root;
    const found = [root as Node];
    // The list grows while it is read.
    for (const node of found) {
      if (REFERENCES.some((key) => typeof node[key] === 'string')) this.#referring.push(node);
      for (const name of [node.$anchor, node.$dynamicAnchor])
        if (typeof name === 'string') this.#targets.set(`#${name}`, node);
      for (const key in node) {
        const value = node[key];
        if (isNode(value)) found.push(value);
      }
    }
  }

  findCycle(): string | null {
    for (const schema of this.#referring) {
      const found = this.#findCycleFrom(schema);
      if (found !== null) return found;
    }
    return null;
  }

  /** Iterative, because a chain of references may be long. */
  #findCycleFrom(start: Node): string | null {
    if (this.#done.has(start)) return null;
    const open = new Set([start]);
    const path = [{ schema: start, next: this.#listNext(start, '#') }];
    for (let current = path.at(-1); current; current = path.at(-1)) {
      const step = current.next.pop();
      if (!step) {
        open.delete(current.schema);
        this.#done.add(current.schema);
        path.pop();
      } else if (open.has(step.schema)) return step.reference;
      else if (!this.#done.has(step.schema)) {
        open.add(step.schema);
        path.push({ schema: step.schema, next: this.#listNext(step.schema, step.reference) });
      }
    }
    return null;
  }

  /** Lists the schemas that are applied to the same value. */
  #listNext(schema: Node, before: string): Step[] {
    const steps: Step[] = [];
    if (Array.isArray(schema)) return steps;
    for (const key of REFERENCES) {
      const reference = schema[key];
      if (typeof reference !== 'string') continue;
      const target = this.#follow(reference);
      if (isNode(target)) steps.push({ schema: target, reference });
    }
    for (const key in schema) {
      const kind = SAME_VALUE.get(key);
      const value = kind && schema[key];
      if (!isNode(value)) continue;
      for (const item of kind === 'one' ? [value] : Object.values(value))
        if (isNode(item)) steps.push({ schema: item, reference: before });
    }
    return steps;
  }

  #follow(reference: string): unknown {
    if (!this.#targets.has(reference))
      this.#targets.set(
        reference,
        /^#(\/|$)/.test(reference) ? followPointer(this.#root, reference) : undefined,
      );
    return this.#targets.get(reference);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
