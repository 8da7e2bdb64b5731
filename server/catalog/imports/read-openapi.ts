import { SkillError } from '../../core/errors/skill-error';
import { cleanLine, cleanText } from '../../kit/clean-text';
import { parseJson, replaceInexactNumbers } from '../../kit/parse-json';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import type { PinnedSkill, SkippedSkill, SourceSnapshot } from './definition';
import { DefinitionSize } from './definition-size';
import { readOperation } from './openapi-operation';
import { HEADER_NAME } from './openapi-parameters';
import { isNode, type Node, resolveReference, Unusable } from './openapi-schema';
import { findNamedServer, findOwnServer, type ServerContext } from './openapi-servers';
import { convertYaml, looksLikeYaml } from './read-yaml';

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head'] as const;
const OTHER_METHODS = ['options', 'trace', 'query'] as const;
const MAX_OPERATIONS = 2_000;
/** Also bounds the work of patterns on it. */
const MAX_PATH_CHARS = 2_000;
const MAX_TITLE_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_VERSION_CHARS = 40;
export const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/**
 * Parses a document in JSON or YAML. Numbers that a double cannot hold become text
 * (`readSchemaNumbers`).
 * @throws SkillError with the reason
 */
export async function parseDocument(text: string): Promise<Node> {
  if (text.length > MAX_DOCUMENT_BYTES)
    throw new SkillError(`The document is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB.`);
  const json = looksLikeYaml(text) ? await convertYaml(text, MAX_DOCUMENT_BYTES) : text;
  let document: unknown;
  try {
    document = parseJson(Buffer.from(await replaceInexactNumbers(Buffer.from(json))).toString());
  } catch (error) {
    if (error instanceof RangeError) throw new SkillError('The document is nested too deeply.');
    throw new SkillError('The document is neither JSON nor YAML of OpenAPI.');
  }
  if (!isNode(document)) throw new SkillError('The document is not an OpenAPI document.');
  const { openapi, swagger } = document;
  if (typeof swagger === 'string')
    throw new SkillError('The document is Swagger 2.0: convert it to OpenAPI 3 first.');
  if (typeof openapi !== 'string' || !/^3\.[012]\./.test(openapi))
    throw new SkillError('The document must be OpenAPI 3.0, 3.1 or 3.2.');
  return document;
}

/**
 * Converts a document's operations to skills, with the reasons for those that cannot be one.
 * Fetches nothing, and lets other work run between operations.
 * @param context where the tool's requests go
 */
export async function readDocument(document: Node, context: ServerContext): Promise<SourceSnapshot> {
  const isOld = /^3\.0\./.test(String(document.openapi));
  const schemes = readSchemes(document);
  const skills: PinnedSkill[] = [];
  const warnings: SkippedSkill[] = [];
  const { operations, leftOut } = listOperations(document);
  const seen = new Set<string>();
  const size = new DefinitionSize();
  for (const operation of operations) {
    await yieldToEventLoop();
    const { method, path, node, item } = operation;
    const id = cleanLine(node.operationId, 128);
    const upstream = id !== '' && id === node.operationId && !seen.has(id) ? id : `${method} ${path}`;
    seen.add(upstream);
    try {
      const scheme = findScheme(document, node, schemes);
      const server = findOwnServer(document, [node, item], context);
      const read = readOperation(document, isOld, { ...operation, upstream, scheme, server });
      size.add(read.skill);
      skills.push(read.skill);
      warnings.push(...read.warnings.map((reason) => ({ upstream, reason })));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      leftOut.push({ upstream: cleanLine(upstream, 128), reason: error.message });
    }
  }
  const info = isNode(document.info) ? document.info : {};
  return {
    title: cleanLine(info.title, MAX_TITLE_CHARS),
    description: cleanText(info.description, MAX_DESCRIPTION_CHARS),
    version: cleanLine(info.version, MAX_VERSION_CHARS),
    skills,
    leftOut,
    warnings,
    namedServer: findNamedServer(document, context.url),
    connection: null,
    schemes,
  };
}

interface ListedOperation {
  method: string;
  path: string;
  /** The operation object; `item` is its path item. */
  node: Node;
  item: Node;
  /** Those of its path before its own. */
  parameters: unknown[];
}

function listOperations(document: Node): { operations: ListedOperation[]; leftOut: SkippedSkill[] } {
  const paths = isNode(document.paths) ? document.paths : {};
  const operations: ListedOperation[] = [];
  const leftOut: SkippedSkill[] = [];
  const skip = (upstream: string, reason: string) =>
    void leftOut.push({ upstream: cleanLine(upstream, 128), reason });
  for (const [path, given] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const item = readPathItem(document, path, given);
    if (typeof item === 'string') {
      skip(path, item);
      continue;
    }
    for (const method of OTHER_METHODS)
      if (isNode(item[method])) skip(`${method.toUpperCase()} ${path}`, 'Its method is not supported.');
    if (isNode(item.additionalOperations))
      for (const method of Object.keys(item.additionalOperations))
        skip(`${method} ${path}`, 'Its method is not supported.');
    for (const method of METHODS) {
      const node = item[method];
      if (!isNode(node)) continue;
      const parameters = [item.parameters, node.parameters].flatMap((list) =>
        Array.isArray(list) ? list : [],
      );
      operations.push({ method: method.toUpperCase(), path, node, item, parameters });
    }
    if (operations.length + leftOut.length > MAX_OPERATIONS)
      throw new SkillError(`The document has more than ${MAX_OPERATIONS} operations.`);
  }
  return { operations, leftOut };
}

/** Returns the path item, with what it refers to; or the reason for leaving it out. */
function readPathItem(document: Node, path: string, given: unknown): Node | string {
  if (!path.startsWith('/')) return 'Its path does not start with a slash.';
  if (path.length > MAX_PATH_CHARS) return `Its path has more than ${MAX_PATH_CHARS} characters.`;
  try {
    const { $ref: _ref, ...own } = isNode(given) ? given : {};
    // What stands next to a reference replaces the same part of its target.
    return { ...resolveReference(document, given), ...own };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return error.message;
  }
}

/** Returns the credentials that are sent in a header; others cannot be used. */
function readSchemes(document: Node): SourceSnapshot['schemes'] {
  const components = isNode(document.components) ? document.components : {};
  const given = isNode(components.securitySchemes) ? components.securitySchemes : {};
  const usable = new Map<string, { header: string; format: string }>();
  for (const [name, scheme] of Object.entries(given)) {
    if (!isNode(scheme)) continue;
    const { type, in: place, name: header } = scheme;
    const isHeader = type === 'apiKey' && place === 'header' && typeof header === 'string';
    if (isHeader && HEADER_NAME.test(header)) usable.set(name, { header, format: '{}' });
    const kind = type === 'http' ? String(scheme.scheme).toLowerCase() : '';
    if (kind === 'basic') usable.set(name, { header: 'Authorization', format: 'Basic {base64}' });
    if (kind === 'bearer' || type === 'oauth2' || type === 'openIdConnect')
      usable.set(name, { header: 'Authorization', format: 'Bearer {}' });
  }
  return Object.fromEntries(usable);
}

/** Returns the credential that an operation needs; null if it works without one. */
function findScheme(document: Node, node: Node, schemes: SourceSnapshot['schemes']): string | null {
  const given = [node.security, document.security].find((list) => Array.isArray(list));
  const list: unknown[] = Array.isArray(given) ? given : [];
  const wanted = list.filter(isNode).map((requirement) => Object.keys(requirement));
  if (wanted.length === 0 || wanted.some((names) => names.length === 0)) return null;
  const single = wanted.find((names) => names.every((name) => isSameHeader(schemes, name, names[0])));
  if (single?.[0] !== undefined) return single[0];
  const names = cleanLine(wanted.flat().join(', '), 80);
  throw new Unusable(
    `It needs a credential that is not a single header (${names}): credentials in a URL or a cookie are not supported.`,
  );
}

/** Whether two of a document's credentials are the same header, so that one value serves both. */
export function isSameHeader(
  schemes: SourceSnapshot['schemes'],
  name: string,
  other: string | null | undefined,
): boolean {
  const find = (key: string) => (Object.hasOwn(schemes, key) ? schemes[key] : undefined);
  const [one, two] = [find(name), find(other ?? '')];
  return one !== undefined && one.header === two?.header && one.format === two.format;
}
