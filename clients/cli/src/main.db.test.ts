import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { VERSION } from './cli/version.js';
import {
  collectOutput,
  getInstalled,
  runProgram,
  setUpProgram,
  startProgram,
} from './testing/installed-program.js';

/** Each poll starts a process, which is slow on a busy machine. */
const PATIENCE_MS = 60_000;

setUpProgram();

describe('the package', () => {
  it('contains only the program, its types, README and licence', () => {
    const { cli } = getInstalled();
    expect(cli.files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/main.js', 'dist/client.d.ts']),
    );
    const others = cli.files.filter((path) => !path.startsWith('dist/')).sort();
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(cli.files.filter((path) => /test|\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('runs from the unpacked package', async () => {
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect((await runProgram(['help'])).stdout).toContain('tool-gateway call math evaluate');
  });
});

describe('the program', () => {
  it('reads piped input and exits when done, despite a keep-alive connection', async () => {
    const { env } = getInstalled();
    // This server offers to keep connections alive for an hour.
    const forwarding = createServer(async (req, res) => {
      const target = new URL(req.url ?? '/', env.TOOL_GATEWAY_URL);
      const headers = { ...req.headers, host: target.host };
      const forwarded = request(target, { method: req.method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] });
        answer.pipe(res);
      });
      req.pipe(forwarded);
    });
    forwarding.keepAliveTimeout = 3_600_000;
    await new Promise<void>((done) => forwarding.listen(0, '127.0.0.1', done));
    const { port } = forwarding.address() as AddressInfo;
    try {
      const { code, stdout, stderr } = await runProgram(
        ['call', 'math', 'evaluate', '--input', '-'],
        '{"expression":"6 * 7"}',
        { TOOL_GATEWAY_URL: `http://127.0.0.1:${port}` },
      );
      expect({ code, stderr, result: JSON.parse(stdout).output.result }).toEqual({
        code: 0,
        stderr: '',
        result: '42',
      });
    } finally {
      forwarding.closeAllConnections();
      forwarding.close();
    }
  });

  it('prints a failure as the error response and exits with its code', async () => {
    const { code, stdout, stderr } = await runProgram([
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

  it('writes a large response completely to a slow pipe', async () => {
    const message = 'x'.repeat(95_000);
    const child = startProgram(['call', 'diagnostics', 'echo', '--input', '-']);
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), 300);
    const { stdout } = await collectOutput(child, JSON.stringify({ message }));
    expect(JSON.parse(stdout).output.message).toBe(message);
  });

  it('exits with 130 after Ctrl-C and prints the job that continues', async () => {
    const child = startProgram([
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
    const { code, stderr } = await collectOutput(child);
    expect(code).toBe(130);
    const { job_id } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    await expect
      .poll(async () => (await runProgram(['jobs', 'cancel', job_id])).code, { timeout: PATIENCE_MS })
      .toBe(0);
  });

  it('prints no API key', async () => {
    const { env } = getInstalled();
    const answers = await Promise.all([
      runProgram(['whoami']),
      runProgram(['balance']),
      runProgram(['keys', 'list']),
    ]);
    for (const { stdout, stderr } of answers) expect(stdout + stderr).not.toContain(env.TOOL_GATEWAY_KEY);
  });
});

describe('tool-gateway mcp', () => {
  const ping = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  })}\n`;

  it('answers piped requests before it exits', async () => {
    const { code, stdout } = await runProgram(['mcp'], ping);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  });

  it('lets the gateway see numbers that a double cannot hold', async () => {
    const call = {
      name: 'call_tool',
      arguments: { tool: 'diagnostics', skill: 'echo', input: { message: 7 } },
    };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    const { stdout } = await runProgram(['mcp'], `${request.replace('7}', '725653563933458433}')}\n`);
    expect(JSON.parse(stdout).error.message).toContain('input.message: 725653563933458433 would change');
  });

  it('answers with an error when the gateway is unreachable', async () => {
    const { stdout } = await runProgram(['mcp'], ping, { TOOL_GATEWAY_URL: 'http://127.0.0.1:9' });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('gateway') },
    });
  });

  it('forwards the message of the gateway when the key is invalid', async () => {
    const { stdout } = await runProgram(['mcp'], ping, { TOOL_GATEWAY_KEY: 'tg_live_wrong_key' });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('is cut off, masked or misspelt') },
    });
  });
});
