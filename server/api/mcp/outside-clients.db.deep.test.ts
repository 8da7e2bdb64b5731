import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

// Clients of others, as their packages are published. Each runs in its own process: it lists the
// tools, calls one, gets an error, and follows a job.

const PACKAGES = [
  '@ai-sdk/mcp@1.0.102',
  '@langchain/core@1.4.0',
  '@langchain/mcp-adapters@1.1.4',
  '@mastra/core@0.24.9',
  '@mastra/mcp@0.14.5',
  // Of @openai/agents, which declares it as optional.
  '@modelcontextprotocol/client@2.0.0',
  '@modelcontextprotocol/inspector@0.22.0',
  '@modelcontextprotocol/sdk@1.32.2',
  '@openai/agents@0.20.0',
  'mcp-remote@0.15.1',
  'mcp-use@1.34.6',
  'zod@4.6.7',
];
const INSTALL_MS = 15 * 60_000;

/** Statements that define `list` and `call` with a client; `url` and `headers` are given. */
const CLIENTS: Record<string, string> = {
  '@modelcontextprotocol/sdk': `
    import { Client } from '@modelcontextprotocol/sdk/client/index.js';
    import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const list = async () => (await client.listTools()).tools.map(({ name }) => name);
    const call = (name, args) => client.callTool({ name, arguments: args });`,
  'mcp-remote': `
    import { Client } from '@modelcontextprotocol/sdk/client/index.js';
    import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
    const client = new Client({ name: 'test', version: '1.0.0' });
    const args = ['node_modules/mcp-remote/dist/proxy.js', url, '--allow-http', '--transport', 'http-only'];
    args.push('--header', 'Authorization: ' + headers.Authorization);
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const list = async () => (await client.listTools()).tools.map(({ name }) => name);
    const call = (name, args) => client.callTool({ name, arguments: args });`,
  '@ai-sdk/mcp': `
    import { createMCPClient } from '@ai-sdk/mcp';
    const client = await createMCPClient({ transport: { type: 'http', url, headers } });
    const tools = await client.tools();
    const list = async () => Object.keys(tools);
    const call = (name, args) => tools[name].execute(args, { messages: [], toolCallId: 'x' });`,
  '@langchain/mcp-adapters': `
    import { MultiServerMCPClient } from '@langchain/mcp-adapters';
    const mcpServers = { gateway: { transport: 'http', url, headers } };
    const client = new MultiServerMCPClient({ mcpServers });
    const tools = await client.getTools();
    const list = async () => tools.map(({ name }) => name);
    const call = (name, args) => tools.find((tool) => tool.name === name).invoke(args);`,
  '@openai/agents': `
    import { MCPServerStreamableHttp } from '@openai/agents';
    const client = new MCPServerStreamableHttp({ url, name: 'gateway', requestInit: { headers } });
    await client.connect();
    const list = async () => (await client.listTools()).map(({ name }) => name);
    const call = (name, args) => client.callTool(name, args);`,
  '@mastra/mcp': `
    import { MCPClient } from '@mastra/mcp';
    const servers = { gateway: { url: new URL(url), requestInit: { headers } } };
    const client = new MCPClient({ servers });
    const tools = await client.getTools();
    const list = async () => Object.keys(tools).map((name) => name.replace('gateway_', ''));
    const call = (name, args) => tools['gateway_' + name].execute({ context: args });`,
  'mcp-use': `
    import { MCPClient } from 'mcp-use/client';
    const client = new MCPClient({ mcpServers: { gateway: { url, headers } } });
    const session = await client.createSession('gateway');
    const list = async () => (await session.listTools()).map(({ name }) => name);
    const call = (name, args) => session.callTool(name, args);`,
  '@modelcontextprotocol/inspector': `
    import { execFileSync } from 'node:child_process';
    const cli = 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js';
    const inspect = (...args) => {
      const header = ['--header', 'Authorization: ' + headers.Authorization];
      const flags = [cli, '--cli', url, '--transport', 'http', ...header, ...args];
      return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
    };
    const list = async () => inspect('--method', 'tools/list').tools.map(({ name }) => name);
    const call = async (name, args) => {
      const texts = Object.entries(args).map(([key, value]) => key + '=' + (typeof value === 'string' ? value : JSON.stringify(value)));
      return inspect('--method', 'tools/call', '--tool-name', name, ...texts.flatMap((text) => ['--tool-arg', text]));
    };`,
};

/** Follows the definitions: what a client shows of a result differs, so it is compared as text. */
const STEPS = `
  const show = async (result) => {
    try { return JSON.stringify(await result); } catch (error) { return String(error); }
  };
  const math = { tool: 'math', skill: 'evaluate', input: { expression: '6 * 7' } };
  const listed = await list();
  const called = await show(call('call_tool', math));
  const failed = await show(call('call_tool', { ...math, skill: 'evaluat' }));
  const job = { tool: 'diagnostics', skill: 'background', input: { seconds: 0.2 }, wait_seconds: 0 };
  const started = await show(call('call_tool', job));
  const [job_id] = /job_[0-9a-z]{10,}/.exec(started) ?? [started];
  const ended = await show(call('get_job', { job_id, wait_seconds: 20 }));
  console.log('RESULT' + JSON.stringify({ listed, called, failed, ended }));
  process.exit(0);`;

const GIVEN = `
  const url = process.env.GATEWAY_URL;
  const headers = { Authorization: 'Bearer ' + process.env.GATEWAY_KEY };`;

const run = promisify(execFile);
let harness: Harness;
let key: string;
let folder: string;
/** Why the packages are not installed. */
let missing: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-clients-'));
  const flags = [
    '--ignore-scripts',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel=error',
  ];
  try {
    await run('npm', ['install', '--prefix', folder, ...flags, ...PACKAGES], { timeout: INSTALL_MS });
  } catch (error) {
    missing = `npm install failed: ${String(error).slice(0, 500)}`;
    return;
  }
  harness = await startHarness({ role: 'web', listen: true });
  ({ key } = await harness.person(1_000_000n));
}, INSTALL_MS + 60_000);
afterAll(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

it.for(Object.keys(CLIENTS))(
  '%s lists, calls, reads an error and follows a job',
  { timeout: 150_000 },
  async (name, { skip }) => {
    skip(missing !== undefined, missing);
    const program = join(folder, `${name.replace(/\W+/g, '-')}.mjs`);
    await writeFile(program, `${GIVEN}${CLIENTS[name]}${STEPS}`);
    const env = { ...process.env, GATEWAY_URL: `${harness.baseUrl}/mcp`, GATEWAY_KEY: key };
    const { stdout } = await run(process.execPath, [program], { cwd: folder, env, timeout: 120_000 });
    const { listed, called, failed, ended } = JSON.parse(stdout.slice(stdout.indexOf('RESULT') + 6));
    expect(listed).toEqual(expect.arrayContaining(['search_tools', 'call_tool', 'get_job']));
    expect(called).toContain('42');
    expect(failed).toContain('SKILL_NOT_FOUND');
    expect(ended).toContain('completed');
  },
);
