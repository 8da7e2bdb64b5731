import { cleanLine } from '../../kit/clean-text';
import { connectMcpHttp, type McpCall, type McpEra } from '../../platform/ports/mcp-upstream';
import type { SkillResult } from '../../tools/sdk/define-tool';
import type { SkillContext } from '../../tools/sdk/skill-context';
import type { PinnedSkill } from './definition';
import { mcpOutput } from './mcp-output';
import { joinUrl, pinnedFetch, type SendRequest } from './pinned-fetch';
import { ProgramSecrets } from './program-secrets';
import type { Program, StdioPrograms } from './stdio-programs';

type Input = Record<string, unknown>;
type Output = SkillResult<Record<string, unknown>>;

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Longer than any call: the gateway's own deadline ends it. */
const ANSWER_MS = 86_400_000;
const MAX_LOG_CHARS = 300;

/**
 * Returns the function that sends a call's requests to its upstream, with the call's credential if
 * the tool takes one.
 */
export function createRequester(
  context: SkillContext<Input>,
  origin: string,
  isSecured: boolean,
): SendRequest {
  if (isSecured) {
    const { provider } = context;
    return (path, init) => provider.fetch(path, init);
  }
  return (path, init) => context.fetch(joinUrl(origin, path), init);
}

/**
 * Calls a tool of an MCP server over HTTP on its own connection, so that callers never share
 * session state.
 * @throws SkillError with a message for the caller
 */
export async function runMcpHttp(
  context: SkillContext<Input>,
  {
    url,
    era,
    pinned,
    isSecured,
    input,
  }: { url: string; era: McpEra | null; pinned: PinnedSkill; isSecured: boolean; input: Input },
): Promise<Output> {
  const { origin } = new URL(url);
  const fetch = pinnedFetch(origin, createRequester(context, origin, isSecured), {
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: ANSWER_MS,
  });
  const connection = await connectMcpHttp({ url, fetch, era, signal: context.signal });
  try {
    const result = await connection.call(toMcpCall(context, pinned, input));
    return { output: await mcpOutput(result, pinned.output !== null, context.files) };
  } finally {
    void connection.close();
  }
}

/**
 * Calls a tool of the program that this process runs for it.
 * @throws SkillError with a message for the caller
 */
export async function runMcpStdio(
  context: SkillContext<Input>,
  {
    programs,
    program,
    pinned,
    input,
  }: { programs: StdioPrograms; program: Program; pinned: PinnedSkill; input: Input },
): Promise<Output> {
  const secrets = new ProgramSecrets(program.env);
  const guarded = secrets.guard(context);
  try {
    const result = await programs.call(program, toMcpCall(guarded, pinned, input));
    return { output: secrets.redactOutput(await mcpOutput(result, pinned.output !== null, guarded.files)) };
  } catch (error) {
    throw secrets.redactError(error);
  }
}

function toMcpCall(
  context: Pick<SkillContext<Input>, 'signal' | 'log' | 'progress'>,
  pinned: PinnedSkill,
  input: Input,
): McpCall {
  return {
    name: pinned.upstream,
    arguments: input,
    inputSchema: pinned.input,
    signal: context.signal,
    onProgress({ progress, total, message }) {
      const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, progress / total)) : undefined;
      if (share !== undefined) context.progress(share);
      const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
      context.log(cleanLine(message, MAX_LOG_CHARS) || amount);
    },
  };
}
