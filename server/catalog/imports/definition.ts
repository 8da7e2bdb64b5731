import type { JsonSchema } from '../../tools/sdk/define-tool';
import { canonicalJson, hashOf } from './canonical-json';

/** Where a tool is from. Part of what is pinned: another source is another tool. */
export type Source =
  | { kind: 'mcp-http'; url: string }
  /** A program that speaks MCP on its standard streams; it runs on this machine, as the gateway does. */
  | { kind: 'mcp-stdio'; command: string; args: string[] }
  /** `url` is where the document is, null for one that came from a file; `server` is what its operations are asked of. */
  | { kind: 'openapi'; url: string | null; server: string };

/** How a value of the input gets into a request. */
export interface RequestParameter {
  /** The property of the input. */
  property: string;
  name: string;
  in: 'path' | 'query' | 'header';
  /** Of a list in the query: `a=1&a=2` where true, `a=1,2` where false. */
  explode: boolean;
}

/** The request that an operation of an OpenAPI document is. */
export interface OperationRequest {
  method: string;
  /** With `{name}` where a parameter of the path goes. */
  path: string;
  parameters: RequestParameter[];
  /** `fields`: the properties of the input that are no parameters are the body. `nested`: its property `body` is. */
  body: 'none' | 'fields' | 'nested';
  bodyRequired: boolean;
  /** What the document calls the credential it is asked with; null where it needs none. */
  scheme: string | null;
}

/** One skill as it was approved: all that a caller relies on. */
export interface PinnedSkill {
  /** What the upstream calls it: the name of an MCP tool, or `GET /pets/{id}`. */
  upstream: string;
  title: string;
  description: string;
  input: JsonSchema;
  /** What the upstream says it answers; null where it says nothing. */
  output: JsonSchema | null;
  annotations: { readOnly: boolean; idempotent: boolean; destructive: boolean };
  /** Of an OpenAPI operation. */
  request?: OperationRequest;
}

/** What is approved, compared and hashed. */
export interface Definition {
  source: Source;
  /** By the upstream's names, in their order. */
  skills: PinnedSkill[];
}

/** Something the upstream has that makes no skill. */
export interface LeftOut {
  upstream: string;
  reason: string;
}

/** What is at the source now. */
export interface Reading {
  /** What the upstream calls itself; empty where it does not. */
  title: string;
  description: string;
  version: string;
  skills: PinnedSkill[];
  leftOut: LeftOut[];
  /** How to connect the next time with less asking; nothing that callers rely on. */
  connection: unknown;
  /** Credentials that the document names, by its own names for them. */
  schemes: Record<string, { header: string; format: string }>;
}

/** Pure. */
export function definitionOf(source: Source, skills: readonly PinnedSkill[]): Definition {
  return { source, skills: [...skills].sort((a, b) => (a.upstream < b.upstream ? -1 : 1)) };
}

/** SHA-256 of all that a caller relies on. Pure. */
export function definitionHash(definition: Definition): string {
  return hashOf(definition);
}

/** How what is there now differs from what was approved. */
export interface Difference {
  upstream: string;
  kind: 'added' | 'removed' | 'changed';
  /** Of one that changed: which of its parts. */
  parts: string[];
}

/** What was added, removed or changed, in the order of names. Pure. */
export function differencesOf(pinned: Definition, now: Definition): Difference[] {
  const before = new Map(pinned.skills.map((skill) => [skill.upstream, skill]));
  const after = new Map(now.skills.map((skill) => [skill.upstream, skill]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((upstream): Difference[] => {
    const old = before.get(upstream);
    const next = after.get(upstream);
    if (!old) return [{ upstream, kind: 'added', parts: [] }];
    if (!next) return [{ upstream, kind: 'removed', parts: [] }];
    const parts = (['title', 'description', 'input', 'output', 'annotations', 'request'] as const).filter(
      (part) => canonicalJson(old[part]) !== canonicalJson(next[part]),
    );
    return parts.length === 0 ? [] : [{ upstream, kind: 'changed', parts }];
  });
}

/**
 * Whether calls have to stop: something that callers rely on has gone or is another thing now. What the upstream has
 * added is nobody's yet: it waits until it is approved. Pure.
 */
export function breaksCallers(differences: readonly Difference[]): boolean {
  return differences.some(({ kind }) => kind !== 'added');
}
