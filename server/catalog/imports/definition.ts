import { canonicalJson, hashCanonicalJson } from '../../kit/canonical-json';
import type { JsonSchema } from '../../tools/sdk/define-tool';

/** The source of a tool. It is part of the pinned definition: another source is another tool. */
export type Source =
  | { kind: 'mcp-http'; url: string }
  /** A program that speaks MCP over stdio and runs on the gateway's machine. */
  | { kind: 'mcp-stdio'; command: string; args: string[]; env?: Record<string, string> }
  /**
   * `url` is the document's address, null if it came from a file; `server` receives the requests.
   */
  | { kind: 'openapi'; url: string | null; server: string };

export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json';

/** How an input value is sent in a request. */
export interface RequestParameter {
  /** The input property. */
  property: string;
  name: string;
  in: 'path' | 'query' | 'header';
  /** Encoding of a list in the query: `a=1&a=2` if true, `a=1,2` if false. */
  explode: boolean;
  /**
   * OpenAPI's style; `json` sends JSON. Absent: the default of its place, without objects, for
   * which a definition of an earlier release has no reliable `explode`.
   */
  style?: ParameterStyle;
  allowReserved?: true;
}

/** How a field of a form is sent, where the document says so. */
export interface FormEncoding {
  style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  explode: boolean;
}

/** The HTTP request of an OpenAPI operation. */
export interface OperationRequest {
  method: string;
  /** With `{name}` placeholders for path parameters, and a fixed query if the document has one. */
  path: string;
  parameters: RequestParameter[];
  /**
   * `fields`: the body consists of the input properties that are not parameters. `nested`: the body
   * is the input property `body`.
   */
  body: 'none' | 'fields' | 'nested';
  bodyRequired: boolean;
  /** By field; absent: the body is JSON. */
  form?: Record<string, FormEncoding>;
  /** The document's name for the required credential; null if there is none. */
  scheme: string | null;
  /** The operation's own server, if the document names one. Its origin is that of the tool. */
  server?: string;
}

/** A skill as it was approved: everything that callers rely on. */
export interface PinnedSkill {
  /** The upstream's name: that of an MCP tool, or `GET /pets/{id}`. */
  upstream: string;
  title: string;
  description: string;
  input: JsonSchema;
  /** The upstream's output schema; null if it has none. */
  output: JsonSchema | null;
  annotations: { readOnly: boolean; idempotent: boolean; destructive: boolean };
  /** Only for OpenAPI operations. */
  request?: OperationRequest;
}

/** The part of a tool that is approved, compared and hashed. */
export interface Definition {
  source: Source;
  /** Sorted by the upstream's names. */
  skills: PinnedSkill[];
}

/** A tool or operation of the upstream that cannot become a skill. */
export interface SkippedSkill {
  upstream: string;
  reason: string;
}

/** What the source offers now. */
export interface SourceSnapshot {
  /** The upstream's own title; empty if it has none. */
  title: string;
  description: string;
  version: string;
  skills: PinnedSkill[];
  leftOut: SkippedSkill[];
  /** What a skill does not offer of its operation. */
  warnings: SkippedSkill[];
  /** The server that a document names now, which may no longer be the approved one; else null. */
  namedServer: string | null;
  /** Details that make the next connection faster; callers do not rely on them. */
  connection: unknown;
  /** The document's credentials, by their names in it. */
  schemes: Record<string, { header: string; format: string }>;
}

/** Builds a definition, with its skills sorted. Pure. */
export function createDefinition(source: Source, skills: readonly PinnedSkill[]): Definition {
  return { source, skills: [...skills].sort((a, b) => (a.upstream < b.upstream ? -1 : 1)) };
}

/** Returns the SHA-256 of everything that callers rely on. Pure. */
export function definitionHash(definition: Definition): string {
  return hashCanonicalJson(definition);
}

/** A difference between the approved definition and the current one. */
export interface Difference {
  upstream: string;
  /** `extended`: it accepts everything that it accepted, and more optional input. */
  kind: 'added' | 'removed' | 'changed' | 'extended';
  /** For a changed or extended skill, its changed parts. */
  parts: string[];
}

/** Compares two definitions; the result is sorted by name. Pure. */
export function compareDefinitions(pinned: Definition, now: Definition): Difference[] {
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
    if (parts.length === 0) return [];
    const isExtended =
      parts.every((part) => part === 'input' || part === 'request') && extendsSkill(old, next);
    return [{ upstream, kind: isExtended ? 'extended' : 'changed', parts }];
  });
}

/**
 * Whether all that a skill accepted is accepted and sent as before. Where input may have unnamed
 * fields, a new name is no addition: callers may send it already. An optional body is one.
 */
function extendsSkill(old: PinnedSkill, next: PinnedSkill): boolean {
  const { properties, $defs, ...input } = old.input;
  const { properties: nextProperties, $defs: nextDefinitions, ...nextInput } = next.input;
  const { parameters = [], ...request } = old.request ?? {};
  const { parameters: nextParameters = [], ...nextRequest } = omitNewBody(old.request, next.request);
  const sent = new Set(nextParameters.map(canonicalJson));
  return (
    input.additionalProperties === false &&
    canonicalJson(input) === canonicalJson(nextInput) &&
    canonicalJson(request) === canonicalJson(nextRequest) &&
    parameters.every((parameter) => sent.has(canonicalJson(parameter))) &&
    includesAll(nextProperties, properties) &&
    includesAll(nextDefinitions, $defs)
  );
}

/** Returns a request without its optional body, if there was none before. */
function omitNewBody(old?: OperationRequest, next?: OperationRequest): Partial<OperationRequest> {
  if (!next || old?.body !== 'none' || next.bodyRequired) return next ?? {};
  const { form: _form, ...request } = next;
  return { ...request, body: 'none' };
}

function includesAll(all: unknown, some: unknown): boolean {
  const given = new Map(Object.entries(all ?? {}));
  return Object.entries(some ?? {}).every(
    ([name, value]) => given.has(name) && canonicalJson(given.get(name)) === canonicalJson(value),
  );
}

/**
 * Whether a difference must stop calls: something that callers rely on was changed or removed.
 * Added skills and optional input are unused until they are approved. Pure.
 */
export function breaksCallers(differences: readonly Difference[]): boolean {
  return differences.some(({ kind }) => kind === 'removed' || kind === 'changed');
}
