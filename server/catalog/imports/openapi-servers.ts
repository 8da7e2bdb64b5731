import { isSkillError, SkillError } from '../../core/errors/skill-error';
import { canonicalJson } from '../../kit/canonical-json';
import { cleanLine } from '../../kit/clean-text';
import { isNode, type Node, Unusable } from './openapi-schema';

const MAX_SHOWN_CHARS = 200;
/** Also bounds the work of its pattern. */
const MAX_URL_CHARS = 2_000;

/** Where a tool's requests go: what a document says about servers is compared with it. */
export interface ServerContext {
  /** The base of a relative server URL; null for a document from a file. */
  url: string | null;
  /** The server of the tool, which the operator sees before the import. */
  server: string;
}

/**
 * Returns the server that receives the operations' requests.
 * @param documentUrl the base of a relative server URL
 * @throws SkillError if the document names no usable server
 */
export function getServerUrl(document: Node, documentUrl: string | null): string {
  const [first] = listServers(document);
  try {
    return resolveServer(first ?? { url: '/' }, documentUrl);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw new SkillError(`${error.message} Set the server with --server https://….`);
  }
}

/** Returns the server that a document names; null if it is not usable. */
export function findNamedServer(document: Node, documentUrl: string | null): string | null {
  try {
    return getServerUrl(document, documentUrl);
  } catch (error) {
    if (isSkillError(error)) return null;
    throw error;
  }
}

/**
 * Returns the server of an operation if that is not the tool's. A tool sends requests, and its
 * credential, to one origin only.
 * @param nodes the operation and its path item, in this order
 * @throws Unusable with the reason, for the operator
 */
export function findOwnServer(
  document: Node,
  nodes: readonly Node[],
  { url, server }: ServerContext,
): string | undefined {
  const own = nodes.map(listServers).find((servers) => servers.length > 0);
  // One that repeats the document's is replaced with it, if the operator names another.
  if (!own || identify(own[0]) === identify(listServers(document)[0])) return undefined;
  const { origin, href } = new URL(server);
  const others: string[] = [];
  for (const item of own) {
    const address = resolveServer(item, url ?? server);
    if (new URL(address).origin === origin) return address === href.replace(/\/$/, '') ? undefined : address;
    others.push(address);
  }
  const [other = ''] = others;
  throw new Unusable(
    `Its own server is ${other}, but this tool sends its requests and its credential to ${origin} only: import it as another tool with --server ${other}.`,
  );
}

/**
 * Returns the server that the operator named, as it is stored.
 * @throws SkillError if it is not a usable server
 */
export function parseServer(url: string): string {
  return getServerUrl({ servers: [{ url }] }, null);
}

/** The same for servers that differ only in texts for people. */
function identify(server: Node | undefined): string {
  return canonicalJson([server?.url ?? null, server?.variables ?? null]);
}

/** An empty list means the same as none. */
function listServers({ servers }: Node): Node[] {
  return Array.isArray(servers) ? servers.filter(isNode) : [];
}

/** @throws Unusable if the result is not an http address without a query or user name */
function resolveServer(server: Node, base: string | null): string {
  const template = typeof server.url === 'string' ? server.url : '/';
  if (template.length > MAX_URL_CHARS)
    throw new Unusable(`A server has an address of more than ${MAX_URL_CHARS} characters.`);
  const variables = isNode(server.variables) ? server.variables : {};
  const text = template.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!isNode(variable) || variable.default === undefined)
      throw new Unusable(
        `The server ${cleanLine(template, MAX_SHOWN_CHARS)} has a variable without a default value.`,
      );
    return String(variable.default);
  });
  if (base === null && !/^https?:/i.test(text))
    throw new Unusable('The document comes from a file and does not name its server.');
  const url = URL.canParse(text, base ?? undefined) ? new URL(text, base ?? undefined) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Unusable(`The server ${cleanLine(text, MAX_SHOWN_CHARS)} is not an http address.`);
  if (url.search || url.hash || url.username || url.password)
    throw new Unusable(`The server ${url.host} has a query, fragment or user name, which is not sent.`);
  return url.href.replace(/\/$/, '');
}
