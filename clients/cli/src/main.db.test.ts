import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/server/testing/harness';
import { VERSION } from './cli/version.js';
import { type InstalledCli, installCli } from './testing/install-cli.js';
import { type Desk, openDesk } from './testing/type-command.js';

const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Each look is a process: on a machine with much to do that takes its time. */
const PATIENCE_MS = 20_000;
const README_MS = 120_000;

let gateway: Harness;
let cli: InstalledCli;
let desk: Desk;
let env: Record<string, string>;

beforeAll(async () => {
  [gateway, cli, desk] = await Promise.all([startHarness({ listen: true }), installCli(), openDesk()]);
  const { key } = await gateway.person(1_000_000n);
  env = {
    PATH: process.env.PATH ?? '',
    HOME: desk.home,
    TOOL_GATEWAY_URL: gateway.baseUrl,
    TOOL_GATEWAY_KEY: key,
  };
});
afterAll(() => Promise.all([gateway.close(), cli.remove(), desk.leave()]));

function begin(args: readonly string[], more: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [cli.bin, ...args], { env: { ...env, ...more } as NodeJS.ProcessEnv });
}

async function ended(child: ChildProcessWithoutNullStreams, stdin = '') {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
}

const type = (args: readonly string[], stdin?: string, more?: Record<string, string>) =>
  ended(begin(args, more), stdin);

describe('the package', () => {
  it('holds the program, its types, README and licence, and nothing else', () => {
    expect(cli.files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/main.js', 'dist/client.d.ts']),
    );
    const others = cli.files.filter((path) => !path.startsWith('dist/')).sort();
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(cli.files.filter((path) => /test|\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('runs where it is unpacked', async () => {
    expect(await type(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect((await type(['help'])).stdout).toContain('tool-gateway call math evaluate');
  });

  it(
    'does what its README shows, line by line',
    async () => {
      const readme = await readFile(join(cli.bin, '../../README.md'), 'utf8');
      const blocks = [...readme.matchAll(/^```(sh|js)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({
        language,
        code,
      }));
      const shell = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
      const [program = ''] = blocks.filter(({ language }) => language === 'js').map(({ code }) => code);
      expect([shell.length, program.length > 0]).toEqual([4, true]);
      const script = `set -euo pipefail; cd "$HOME"\ntool-gateway() { "${process.execPath}" "${cli.bin}" "$@"; }\n${shell.join('\n')}`;
      const inShell = await ended(spawn('bash', ['-c', script], { env: env as NodeJS.ProcessEnv }));
      expect(inShell, inShell.stderr).toMatchObject({ code: 0 });
      expect(inShell.stdout).toContain('"steps_done":3');
      // The package finds itself by its name, as a program that has installed it does.
      const file = join(cli.bin, '../../readme.mjs');
      await writeFile(file, program);
      const asProgram = await ended(spawn(process.execPath, [file], { env: env as NodeJS.ProcessEnv }));
      expect(asProgram, asProgram.stderr).toMatchObject({ code: 0, stderr: '' });
      expect(asProgram.stdout).toMatch(/^42\nstarted/);
      expect(asProgram.stdout).toContain('INVALID_INPUT');
      await rm(file);
    },
    README_MS,
  );

  it('has types that strict programs compile against', async () => {
    const folder = join(cli.bin, '../..');
    await writeFile(
      join(folder, 'typed.ts'),
      `import { type CallEvent, createClient, GatewayError, type Shape } from '@tool-gateway/cli';
const gateway = createClient({ baseUrl: 'http://a.test' });
export const result: Promise<Shape<'ToolCallResult'>> = gateway.callTool({ tool: 'a', skill: 'b', input: {} });
export const events: AsyncGenerator<CallEvent, void> = gateway.streamTool({ tool: 'a', skill: 'b', input: {} });
export const isOurs = (error: unknown): string | false => error instanceof GatewayError && error.code;
// @ts-expect-error the document has no such route
void gateway.api.GET('/v1/nothing', {});
`,
    );
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      'typed.ts',
    ];
    const child = spawn(process.execPath, [tsc, ...options], { cwd: folder });
    expect(await ended(child)).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('the program', () => {
  it('takes its input from a pipe and ends when it is done', async () => {
    const child = begin(['call', 'math', 'evaluate', '--input', '-']);
    let saidAt = Number.POSITIVE_INFINITY;
    child.stdout.once('data', () => {
      saidAt = performance.now();
    });
    const { code, stdout, stderr } = await ended(child, '{"expression":"6 * 7"}');
    expect({ code, stderr, result: JSON.parse(stdout).output.result }).toEqual({
      code: 0,
      stderr: '',
      result: '42',
    });
    // No connection that is kept open holds it: they are kept for 4 s.
    expect(performance.now() - saidAt).toBeLessThan(3_500);
  });

  it('gives a failure as the body of the Error, with its exit code', async () => {
    const { code, stdout, stderr } = await type([
      'call',
      'diagnostics',
      'flaky',
      '--mode',
      'throw',
      '--json',
    ]);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      status: 'error',
      error: { code: 'HANDLER_ERROR', type: 'provider' },
    });
  });

  it('writes all of a large answer into a slow pipe', async () => {
    const message = 'x'.repeat(95_000);
    const child = begin(['call', 'diagnostics', 'echo', '--input', '-']);
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 700);
    const { stdout } = await ended(child, JSON.stringify({ message }));
    expect(JSON.parse(stdout).output.message).toBe(message);
  });

  it('left by Ctrl-C ends with 130 and names the job that goes on', async () => {
    const child = begin([
      'call',
      'diagnostics',
      'sleep',
      '--seconds',
      '30',
      '--log_every_seconds',
      '0.1',
      '--stream',
    ]);
    child.stderr.once('data', () => child.kill('SIGINT'));
    const { code, stderr } = await ended(child);
    expect(code).toBe(130);
    const { job_id } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    await expect
      .poll(async () => (await type(['jobs', 'cancel', job_id])).code, { timeout: PATIENCE_MS })
      .toBe(0);
  });

  it('has no secret in its arguments, and prints none', async () => {
    const answers = await Promise.all([type(['whoami']), type(['balance']), type(['keys', 'list'])]);
    for (const { stdout, stderr } of answers) expect(stdout + stderr).not.toContain(env.TOOL_GATEWAY_KEY);
  });
});

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('tool-gateway mcp, for a client of %s', (version, mode) => {
  async function connect(key = env.TOOL_GATEWAY_KEY): Promise<{ client: Client; log: () => string }> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const child = { ...env };
    if (key === undefined || key === '') delete child.TOOL_GATEWAY_KEY;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli.bin, 'mcp'],
      env: child,
      stderr: 'pipe',
    });
    let log = '';
    transport.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    await client.connect(transport);
    return { client, log: () => log };
  }

  it('passes discovery, a call with its progress, and a failure, as they are', async () => {
    const { client, log } = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('call_tool');
    const progress: string[] = [];
    const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 1.5, log_every_seconds: 0.1 } };
    const result = await client.callTool(
      { name: 'call_tool', arguments: call },
      { onprogress: ({ message }) => progress.push(message ?? '') },
    );
    expect(result.structuredContent).toMatchObject({
      status: 'success',
      output: { slept_seconds: expect.any(Number) },
    });
    expect(progress.length).toBeGreaterThanOrEqual(3);
    const failed = await client.callTool({
      name: 'call_tool',
      arguments: { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
    });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed.content)).toContain('HANDLER_ERROR');
    await client.close();
    expect(log()).toBe('');
  });

  it('cancels what the client cancels', async () => {
    const { client } = await connect();
    const controller = new AbortController();
    const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60, log_every_seconds: 0.1 } };
    const running = client.callTool(
      { name: 'call_tool', arguments: call },
      { signal: controller.signal, onprogress: () => controller.abort() },
    );
    await expect(running).rejects.toThrow();
    const history = async () => {
      const { records } = JSON.parse((await type(['usage', '--history', '--limit', '1'])).stdout);
      return records[0];
    };
    await expect
      .poll(history, { timeout: PATIENCE_MS })
      .toMatchObject({ skill: 'sleep', error_code: 'CANCELLED', cost_usd: 0 });
    await client.close();
  });

  it('finds tools without a key, and says how to get one when a call needs it', async () => {
    const { client, log } = await connect('');
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
    const found = await client.callTool({ name: 'search_tools', arguments: { q: 'qr code' } });
    expect(JSON.stringify(found.structuredContent ?? found.content)).toContain('codes');
    const call = { tool: 'math', skill: 'evaluate', input: { expression: '1' } };
    const refused = await client
      .callTool({ name: 'call_tool', arguments: call })
      .catch((error: Error) => error);
    expect(refused instanceof Error ? refused.message : JSON.stringify(refused)).toMatch(/provision/);
    expect(log()).toContain('tool-gateway provision');
    await client.close();
  });
});

describe('tool-gateway mcp', () => {
  const ping = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  })}\n`;

  it('answers what was piped in before it ends', async () => {
    const { code, stdout } = await type(['mcp'], ping);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  });

  it('answers with an error where the gateway is not there, so that nobody waits', async () => {
    const { stdout } = await type(['mcp'], ping, { TOOL_GATEWAY_URL: 'http://127.0.0.1:9' });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('gateway') },
    });
  });

  it('says why a wrong key is refused, in the words of the gateway', async () => {
    const { stdout } = await type(['mcp'], ping, { TOOL_GATEWAY_KEY: 'tg_live_wrong_key' });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('not valid') },
    });
  });
});
