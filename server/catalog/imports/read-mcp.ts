import {
  connectMcpHttp,
  connectMcpStdio,
  type McpConnection,
  type McpEra,
  type McpListing,
} from '../../platform/ports/mcp-upstream';
import { checkSchema } from './check-schema';
import { cleanLine, cleanText, titleOf } from './clean-text';
import type { LeftOut, PinnedSkill, Reading } from './definition';
import { type AskPath, pinnedFetch } from './pinned-fetch';

const MAX_TITLE_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_VERSION_CHARS = 40;
/** Of one page of a list. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const LIST_MS = 20_000;

/** What a server over HTTP offers now. */
export async function readMcpHttp(url: string, ask: AskPath): Promise<Reading> {
  const fetch = pinnedFetch(new URL(url).origin, ask, { maxBytes: MAX_LIST_BYTES, timeoutMs: LIST_MS });
  // Asked anew each time which revision it speaks: it may have learned another one.
  return await readFrom(await connectMcpHttp({ url, fetch, era: null }));
}

/** What a program offers now; it is started for this, and ended. */
export async function readMcpStdio(program: {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  onStderr?(text: string): void;
}): Promise<Reading> {
  const ignore = () => undefined;
  const connection = await connectMcpStdio({
    onStderr: ignore,
    onClose: ignore,
    onToolsChanged: ignore,
    era: null,
    ...program,
  });
  return await readFrom(connection);
}

async function readFrom(connection: McpConnection): Promise<Reading> {
  try {
    return readListing(await connection.list());
  } finally {
    await connection.close();
  }
}

/** The tools of a listing as skills; those that cannot be any, with the reason. Pure. */
export function readListing({ title, version, description, tools, era }: McpListing): Reading {
  const skills: PinnedSkill[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const tool of tools) {
    const upstream = cleanLine(tool.name, 128);
    const read =
      upstream === tool.name && !seen.has(upstream)
        ? skillOf(tool, upstream)
        : 'Its name is no name, or there twice.';
    seen.add(upstream);
    if (typeof read === 'string') leftOut.push({ upstream, reason: read });
    else skills.push(read);
  }
  return {
    title: cleanLine(title, MAX_TITLE_CHARS),
    description: cleanText(description, MAX_DESCRIPTION_CHARS),
    version: cleanLine(version, MAX_VERSION_CHARS),
    skills,
    leftOut,
    connection: era satisfies McpEra | null,
    schemes: {},
  };
}

function skillOf(tool: McpListing['tools'][number], upstream: string): PinnedSkill | string {
  if (upstream === '') return 'It has no name.';
  if (tool.execution?.taskSupport === 'required')
    return 'It answers as an MCP task only, which is not supported.';
  const input = checkSchema(tool.inputSchema, 'input');
  if (!input.ok) return input.reason;
  const output = tool.outputSchema === undefined ? null : checkSchema(tool.outputSchema, 'output');
  if (output && !output.ok) return output.reason;
  const hints = tool.annotations ?? {};
  const readOnly = hints.readOnlyHint === true;
  return {
    upstream,
    title: cleanLine(tool.title ?? hints.title, MAX_TITLE_CHARS) || titleOf(upstream),
    description: cleanText(tool.description, MAX_DESCRIPTION_CHARS),
    input: input.schema,
    output: output?.schema ?? null,
    annotations: {
      readOnly,
      idempotent: readOnly || hints.idempotentHint === true,
      // What a server does not say is taken for the worse, as MCP has it.
      destructive: !readOnly && hints.destructiveHint !== false,
    },
  };
}
