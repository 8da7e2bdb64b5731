import { GatewayError } from '../../core/errors/gateway-error';
import { isSkillError, SkillError } from '../../core/errors/skill-error';
import type { Runtime } from '../../core/runtime';
import { decodeText } from '../../kit/decode-text.mjs';
import type { Source, SourceSnapshot } from './definition';
import { buildAuthHeaders, type ToolCredential } from './imported';
import { joinUrl, pinnedFetch, type SendRequest } from './pinned-fetch';
import { ProgramSecrets } from './program-secrets';
import { readMcpHttp, readMcpStdio } from './read-mcp';
import { MAX_DOCUMENT_BYTES, parseDocument, readDocument } from './read-openapi';
import { programFolder } from './stdio-programs';

const DOCUMENT_MS = 30_000;
/** For all requests, pages and redirects; two readings are shorter than the lease of a check. */
const READ_MS = 60_000;
const MAX_OUTPUT_LINES = 5;
const MAX_OUTPUT_CHARS = 500;

/** How a source is reached. */
export interface Access {
  /** The tool's name; a program runs in its folder. */
  tool: string;
  allowPrivate: boolean;
  /** Its credentials with their values. */
  credentials: readonly { carrier: ToolCredential['carrier']; value: string }[];
}

/**
 * Reads what a source offers now.
 * @param limitMs for all that the source is asked; shorter in tests
 * @throws GatewayError HANDLER_ERROR with the reason, for the operator
 */
export async function readSource(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
  source: Source,
  access: Access,
  limitMs = READ_MS,
): Promise<SourceSnapshot> {
  const limit = new AbortController();
  const { signal } = limit;
  const late = new SkillError(`The source took longer than ${limitMs / 1000} s to list what it offers.`);
  const timer = setTimeout(() => limit.abort(late), limitMs).unref();
  try {
    switch (source.kind) {
      case 'mcp-http':
        return await readMcpHttp(source.url, createSender(runtime, source.url, access), signal);
      case 'mcp-stdio':
        return await readProgram(runtime, source, access, signal);
      case 'openapi':
        if (source.url === null)
          throw new SkillError('The document was imported from a file and cannot be fetched again.');
        return await readDocument(
          await parseDocument(await readText(runtime, source.url, access.allowPrivate, signal)),
          source,
        );
    }
  } catch (error) {
    if (!isSkillError(error)) throw error;
    throw new GatewayError('HANDLER_ERROR', { message: error.message, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fetches a document as text. Sends no credential: the document may be on another host than the
 * API.
 * @throws SkillError
 */
export async function readText(
  runtime: Pick<Runtime, 'ports'>,
  url: string,
  allowPrivate: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const ask = createSender(runtime, url, { allowPrivate, credentials: [] });
  const bounds = { maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: DOCUMENT_MS };
  const response = await pinnedFetch(
    new URL(url).origin,
    ask,
    bounds,
  )(url, {
    headers: { accept: 'application/json, application/yaml;q=0.9, */*;q=0.8' },
    ...(signal && { signal }),
  });
  if (response.status !== 200)
    throw new SkillError(`${new URL(url).host} returned status ${response.status} instead of the document.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return (await decodeText(bytes, response.headers.get('content-type') ?? '')).text;
}

function createSender(
  { ports }: Pick<Runtime, 'ports'>,
  address: string,
  { allowPrivate, credentials }: Pick<Access, 'allowPrivate' | 'credentials'>,
): SendRequest {
  const { origin } = new URL(address);
  const outbound = allowPrivate ? ports.outboundTo(origin) : ports.outbound;
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    for (const { carrier, value } of credentials)
      if (carrier.kind === 'header')
        for (const [name, text] of Object.entries(buildAuthHeaders(carrier, value))) headers.set(name, text);
    return outbound(joinUrl(origin, path), { ...init, headers });
  };
}

/** Reads a program's tools. If it does not start, its standard error explains best why. */
async function readProgram(
  { settings }: Pick<Runtime, 'settings'>,
  { command, args, env: variables }: Source & { kind: 'mcp-stdio' },
  { tool, credentials }: Access,
  signal: AbortSignal,
): Promise<SourceSnapshot> {
  const cwd = await programFolder(settings.dataDir, tool);
  const values: Record<string, string> = {};
  for (const { carrier, value } of credentials) if (carrier.kind === 'env') values[carrier.variable] = value;
  const env = { HOME: cwd, ...variables, ...values };
  let said = '';
  try {
    const onStderr = (text: string) => {
      said = (said + text).slice(-2 * MAX_OUTPUT_CHARS);
    };
    return await readMcpStdio({ command, args, cwd, env, signal, onStderr });
  } catch (error) {
    if (!isSkillError(error)) throw error;
    const lines = new ProgramSecrets(values)
      .redact(said)
      .trim()
      .split('\n')
      .slice(-MAX_OUTPUT_LINES)
      .join('\n')
      .slice(-MAX_OUTPUT_CHARS);
    throw new SkillError(`${error.message}${lines ? ` Its output:\n${lines}` : ''}`);
  }
}
