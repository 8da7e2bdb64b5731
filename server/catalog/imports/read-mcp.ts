import { cleanLine, cleanText, toTitle } from '../../kit/clean-text';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import {
  connectMcpHttp,
  connectMcpStdio,
  type McpConnection,
  type McpEra,
  type McpListing,
} from '../../platform/ports/mcp-upstream';
import { checkSchema } from './check-schema';
import type { PinnedSkill, SkippedSkill, SourceSnapshot } from './definition';
import { DefinitionSize } from './definition-size';
import { pinnedFetch, type SendRequest } from './pinned-fetch';

const MAX_TITLE_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_VERSION_CHARS = 40;
/** Per page of a list, which the SDK parses and checks in one go. */
const MAX_LIST_BYTES = 2 * 1024 * 1024;
const LIST_MS = 20_000;

/** Reads what an MCP server over HTTP offers now. */
export async function readMcpHttp(
  url: string,
  ask: SendRequest,
  signal: AbortSignal,
): Promise<SourceSnapshot> {
  const fetch = pinnedFetch(new URL(url).origin, ask, { maxBytes: MAX_LIST_BYTES, timeoutMs: LIST_MS });
  // Negotiates the revision each time: the server may have been upgraded.
  return await readFrom(await connectMcpHttp({ url, fetch, era: null, signal }), signal);
}

/** Starts a program, reads what it offers now, and ends it. */
export async function readMcpStdio(program: {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  onStderr?(text: string): void;
}): Promise<SourceSnapshot> {
  const ignore = () => undefined;
  const connection = await connectMcpStdio({
    onStderr: ignore,
    onClose: ignore,
    onToolsChanged: ignore,
    era: null,
    ...program,
  });
  return await readFrom(connection, program.signal);
}

async function readFrom(connection: McpConnection, signal: AbortSignal): Promise<SourceSnapshot> {
  try {
    return await readListing(await connection.list(signal));
  } finally {
    await connection.close();
  }
}

/**
 * Converts a listing to skills, with the reasons for the tools that cannot be one. Lets other work
 * run between tools.
 */
export async function readListing(listing: McpListing): Promise<SourceSnapshot> {
  const { title, version, description, tools, era } = listing;
  const skills: PinnedSkill[] = [];
  const leftOut: SkippedSkill[] = [];
  const seen = new Set<string>();
  const size = new DefinitionSize();
  for (const tool of tools) {
    await yieldToEventLoop();
    const upstream = cleanLine(tool.name, 128);
    const read =
      upstream === tool.name && !seen.has(upstream)
        ? toSkill(tool, upstream)
        : 'Its name is not valid or not unique.';
    seen.add(upstream);
    if (typeof read === 'string') leftOut.push({ upstream, reason: read });
    else {
      size.add(read);
      skills.push(read);
    }
  }
  return {
    title: cleanLine(title, MAX_TITLE_CHARS),
    description: cleanText(description, MAX_DESCRIPTION_CHARS),
    version: cleanLine(version, MAX_VERSION_CHARS),
    skills,
    leftOut,
    warnings: [],
    connection: era satisfies McpEra | null,
    namedServer: null,
    schemes: {},
  };
}

function toSkill(tool: McpListing['tools'][number], upstream: string): PinnedSkill | string {
  if (upstream === '') return 'It has no name.';
  if (tool.execution?.taskSupport === 'required')
    return 'It runs only as an MCP task, which is not supported.';
  const input = checkSchema(tool.inputSchema, 'input');
  if (!input.ok) return input.reason;
  const output = tool.outputSchema === undefined ? null : checkSchema(tool.outputSchema, 'output');
  if (output && !output.ok) return output.reason;
  const hints = tool.annotations ?? {};
  const readOnly = hints.readOnlyHint === true;
  return {
    upstream,
    title: cleanLine(tool.title ?? hints.title, MAX_TITLE_CHARS) || toTitle(upstream),
    description: cleanText(tool.description, MAX_DESCRIPTION_CHARS),
    input: input.schema,
    output: output?.schema ?? null,
    annotations: {
      readOnly,
      idempotent: readOnly || hints.idempotentHint === true,
      // The MCP specification assumes the worse if a hint is missing.
      destructive: !readOnly && hints.destructiveHint !== false,
    },
  };
}
