import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVERYTHING } from '@/test/support/everything-server';
import { createLogger } from '../../kit/log';
import { connectMcpStdio, type McpCall } from '../../platform/ports/mcp-upstream';
import { setWorkerCaller } from '../../platform/workers/worker-callers';
import { createDefinition, type Source } from './definition';
import { readListing } from './read-mcp';
import { type Program, StdioPrograms } from './stdio-programs';

/** More than the concurrent calls of a program, and fewer than its queue holds. */
const FLOOD = 40;

let dataDir: string;
let program: Program;
let programs: StdioPrograms;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stdio-programs-'));
  const command = process.execPath;
  const args = [EVERYTHING, 'stdio'];
  const ignore = () => undefined;
  const events = { onStderr: ignore, onClose: ignore, onToolsChanged: ignore };
  const connection = await connectMcpStdio({ command, args, cwd: dataDir, env: {}, era: null, ...events });
  const source: Source = { kind: 'mcp-stdio', command, args };
  const definition = createDefinition(source, (await readListing(await connection.list())).skills);
  await connection.close();
  program = { tool: 'everything', command, args, variables: {}, env: {}, era: null, definition };
  programs = new StdioPrograms({ dataDir, log: createLogger(ignore), onDefinitionChanged: ignore });
});
afterAll(async () => {
  await programs.close();
  await rm(dataDir, { recursive: true, force: true });
});

function call(accountId: string, name: string, input: Record<string, unknown>, stop: AbortSignal) {
  const signal = AbortSignal.any([stop]);
  setWorkerCaller(signal, { accountId, provisional: false, spentMs: 0 });
  const asked: McpCall = {
    name,
    arguments: input,
    inputSchema: { type: 'object' },
    signal,
    onProgress: () => undefined,
  };
  return programs.call(program, asked);
}

it('serves an account while another one floods the program with calls that never end @F7', async () => {
  const flood = new AbortController();
  let ended = 0;
  const calls = Array.from({ length: FLOOD }, () =>
    call('flood', 'trigger-long-running-operation', { duration: 600, steps: 1 }, flood.signal).catch(
      () => (ended += 1),
    ),
  );
  const other = await call('other', 'get-sum', { a: 2, b: 3 }, new AbortController().signal);
  expect(other.content).toEqual([{ type: 'text', text: expect.stringContaining('5') }]);
  expect(ended).toBe(0);
  flood.abort();
  await Promise.all(calls);
  expect(ended).toBe(FLOOD);
});
