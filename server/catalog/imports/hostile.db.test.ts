import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EVERYTHING } from '@/test/support/everything-server';
import { type FakeMcp, startFakeMcp, TEXT_TOOL } from '@/test/support/fake-mcp';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { buildImportRequest, callSkill, importForTest } from '@/test/support/import-fixture';
import { createProbe } from '@/test/support/probe-tool';
import { McpProgram } from '../../platform/ports/mcp-program';
import type { ImportRequest } from './plan-import';
import { planImport } from './plan-import';
import { readSource } from './read-source';
import { saveToolSecret } from './save-tool-secret';

const SECRET = 'test-secret-of-a-program';
let harness: Harness;
/** Another process, in which calls time out after one second. */
let impatient: Harness;
let upstream: FakeMcp;
let inside: FakeSite;
let key: string;
let fine: FakeMcp['onCall'];

beforeAll(async () => {
  [harness, upstream, inside] = await Promise.all([
    startHarness({ tools: [createProbe().tool] }),
    startFakeMcp(),
    startFakeSite((_request, response) => response.end('inside')),
  ]);
  fine = upstream.onCall;
  ({ key } = await harness.person(1_000_000n));
  await importForTest(harness, { name: 'shouter', source: { kind: 'mcp-http', url: upstream.url } });
  impatient = await startHarness({
    tools: [createProbe().tool],
    env: { HANDLER_TIMEOUT_SECONDS: '1' },
    peer: harness,
  });
  await impatient.runtime.imports.check();
});
afterAll(async () => {
  await impatient?.close();
  await harness?.close();
  await Promise.all([upstream?.close(), inside?.close()]);
});
afterEach(() => {
  vi.useRealTimers();
  upstream.onCall = fine;
  upstream.onRequest = null;
  upstream.onList = null;
  upstream.tools = [TEXT_TOOL];
});

const call = (headers = {}, at = harness) => callSkill(at, key, 'shouter.shout', { text: 'hi' }, headers);
const balance = async () => (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
const plan = (request: Partial<ImportRequest>) =>
  planImport(
    harness.runtime,
    buildImportRequest({ name: 'other', source: { kind: 'mcp-http', url: upstream.url }, ...request }),
  );

describe('a hostile MCP server costs its callers nothing @C12 @F11', () => {
  it.each<[string, FakeMcp['onCall'], string]>([
    [
      'reports an error with markup',
      () => ({ isError: true, content: [{ type: 'text', text: '<b>no</b>\u0000' }] }),
      '<b>no</b>',
    ],
    [
      'responds with something other than MCP',
      (_message, _request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>');
        return null;
      },
      'a response that is not MCP',
    ],
    [
      'returns an invalid file',
      () => ({ content: [{ type: 'image', data: '!!', mimeType: 'image/png' }] }),
      '',
    ],
    [
      'redirects to an internal address',
      (_message, _request, response) => {
        response.writeHead(307, { location: inside.origin }).end();
        return null;
      },
      'redirect',
    ],
    [
      'sends an endless body',
      (_message, _request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const chunk = Buffer.alloc(1024 * 1024, 32);
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
        return null;
      },
      'more than 8 MiB',
    ],
    [
      'asks us to authorize elsewhere @C13',
      (_message, _request, response) => {
        response
          .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${inside.origin}/meta"` })
          .end();
        return null;
      },
      'refused the credential',
    ],
    [
      'closes the connection',
      (_message, _request, response) => {
        response.destroy();
        return null;
      },
      '',
    ],
  ])('that %s', async (_what, onCall, words) => {
    upstream.onCall = onCall;
    const before = await balance();
    const answer = await call();
    expect(answer.status).toBe(502);
    expect(answer.body.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
    expect(answer.body.error.message).toContain(words);
    expect(await balance()).toBe(before);
    expect(inside.requests).toHaveLength(0);
  });

  it('that never responds, and is notified when its caller disconnects', async () => {
    upstream.onCall = () => null;
    const before = await balance();
    let answer: Answer | undefined;
    const methods = () => upstream.received.map(({ method }) => method);
    // A call that timed out before it reached the upstream proves nothing.
    const callAgain = async () => {
      upstream.received.length = 0;
      answer = await call({}, impatient);
      return methods();
    };
    await expect.poll(callAgain).toContain('tools/call');
    expect(answer?.status).toBe(502);
    expect(answer?.body.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
    expect(answer?.body.error.message).toContain('within 1 second');
    expect(await balance()).toBe(before);
    await expect.poll(methods).toContain('notifications/cancelled');
  });

  it('gets no key of the gateway, of the caller, or for another provider @C13 @F11', async () => {
    upstream.received.length = 0;
    await call({ 'x-provider-key-openai': 'sk-test-secret-0123456789', 'x-anything': key });
    const sent = JSON.stringify(upstream.received.map(({ headers }) => headers));
    expect(sent).not.toContain(key);
    expect(sent).not.toContain('sk-test-secret');
    expect(sent).not.toContain('authorization');
  });
});

describe('an import of a hostile source', () => {
  it('refuses an internal address unless the operator allows it @C8', async () => {
    await expect(plan({ allowPrivate: false })).rejects.toThrow(/public internet|not a web port/);
    const source = { kind: 'openapi' as const, url: `${inside.origin}/openapi.json`, server: null };
    await expect(plan({ source, allowPrivate: false })).rejects.toThrow(/public internet|not a web port/);
    expect(inside.requests).toHaveLength(0);
  });

  it('follows no redirect to another host', async () => {
    upstream.onRequest = (_request, response) =>
      void response.writeHead(302, { location: inside.origin }).end();
    await expect(plan({})).rejects.toThrow(/redirect|refers to another host/);
    expect(inside.requests).toHaveLength(0);
  });

  it('follows no redirect to a path that resolves to another host', async () => {
    const asked: string[] = [];
    const api = await startFakeSite((request, response) => {
      asked.push(request.url ?? '');
      if (request.url !== '/a') return void response.end('here');
      response.writeHead(302, { location: `${api.origin}//other.example/x` }).end();
    });
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Open redirect', version: '1' },
      servers: [{ url: api.origin }],
      paths: { '/a': { get: { operationId: 'a' } } },
    });
    await importForTest(harness, { name: 'detour', source: { kind: 'openapi', text, server: null } });
    expect((await callSkill(harness, key, 'detour.a')).body.output).toMatchObject({ text: 'here' });
    expect(asked).toEqual(['/a', '//other.example/x']);
    await api.close();
  });

  it('is refused for a list of thousands of tools', async () => {
    upstream.tools = Array.from({ length: 3_000 }, (_, i) => ({ ...TEXT_TOOL, name: `tool-${i}` }));
    await expect(plan({})).rejects.toThrow('more than 2000 tools');
    upstream.tools = upstream.tools.slice(0, 150);
    await expect(plan({})).rejects.toThrow('--include');
    const { tool } = await plan({ include: ['tool-1?', 'tool-14*'] });
    expect(Object.values(tool.presentation.names)).toContain('tool_140');
  });

  it('leaves out unusable tools, with the reason for each @C13', async () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"}}');
    upstream.tools = [
      TEXT_TOOL,
      { name: '__proto__', description: '<script>alert(1)</script>', inputSchema: { type: 'object' } },
      { name: 'polluter', inputSchema: { type: 'object', properties } },
      {
        name: 'far',
        inputSchema: { type: 'object', properties: { a: { $ref: `${inside.origin}/s.json` } } },
      },
      { name: 'giant', inputSchema: { type: 'object', description: 'x'.repeat(300_000) } },
      { name: 'broken', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
      { name: 'twice', inputSchema: { type: 'object' } },
      { name: 'twice', inputSchema: { type: 'object' } },
      { name: 'e\u202Evil', inputSchema: { type: 'object' } },
    ];
    const { tool, leftOut } = await plan({});
    expect(Object.values(tool.presentation.names).sort()).toEqual(['polluter', 'proto', 'shout', 'twice']);
    const polluter = tool.definition.skills.find(({ upstream: name }) => name === 'polluter');
    expect(Object.keys(polluter?.input.properties ?? {})).toEqual([]);
    expect(leftOut.map(({ upstream: name }) => name).sort()).toEqual([
      'broken',
      'evil',
      'far',
      'giant',
      'twice',
    ]);
    expect(inside.requests).toHaveLength(0);
  });

  it('reports the output of a program that does not start, even if it exits before the first request', async () => {
    const source = {
      kind: 'mcp-stdio' as const,
      command: process.execPath,
      args: ['-e', 'console.error("no licence"); process.exit(3)'],
    };
    await expect(plan({ source })).rejects.toThrow('no licence');
    const { send } = McpProgram.prototype;
    const slow = vi.spyOn(McpProgram.prototype, 'send').mockImplementation(function (
      this: McpProgram,
      message,
    ) {
      // Simulates a process without CPU time: its event loop is blocked.
      for (const until = performance.now() + 500; performance.now() < until; );
      return send.call(this, message);
    });
    await expect(plan({ source })).rejects.toThrow('no licence');
    slow.mockRestore();
    await expect(plan({ source: { ...source, command: '/no/such/program' } })).rejects.toThrow();
  });
});

describe('a check of a source that answers slowly', () => {
  it('has one time limit for all pages and redirects @E27', async () => {
    let pages = 0;
    upstream.onList = async () => {
      await sleep(50);
      pages += 1;
      return { tools: [], nextCursor: String(pages) };
    };
    const detours = await startFakeSite(async (_request, response) => {
      await sleep(250);
      response.writeHead(302, { location: '/again' }).end();
    });
    const access = { tool: 'slow', allowPrivate: true, credentials: [] };
    const openapi = {
      kind: 'openapi' as const,
      url: `${detours.origin}/openapi.json`,
      server: detours.origin,
    };
    for (const source of [{ kind: 'mcp-http' as const, url: upstream.url }, openapi])
      await expect(readSource(harness.runtime, source, access, 500)).rejects.toThrow('longer than 0.5 s');
    expect(pages).toBeLessThan(20);
    await detours.close();
  });

  it('delays no check of another tool @E27', async () => {
    const slow = await startFakeMcp();
    await importForTest(harness, { name: 'slow', source: { kind: 'mcp-http', url: slow.url } });
    const held: ServerResponse[] = [];
    slow.onRequest = (_request, response) => void held.push(response);
    const { sql } = harness.runtime;
    await sql`update imported_tools set checked_at = now() - interval '1 day' where name in ('slow', 'shouter')`;
    await sql`update imported_tools set checked_at = null where name = 'slow'`;
    const round = harness.runtime.imports.check();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await expect
      .poll(
        () =>
          sql`select 1 from imported_tools where name = 'shouter' and checked_at > now() - interval '1 hour'`,
      )
      .toHaveLength(1);
    slow.onRequest = (_request, response) => void response.destroy();
    for (const response of held) response.destroy();
    await round;
    await slow.close();
  });
});

describe('a program', () => {
  it('gets its credential in its environment, hidden from callers', async () => {
    const carrier = { kind: 'env' as const, variable: 'API_TOKEN' };
    const none = { scheme: null, displayName: null, acquireUrl: null, setupGuide: null, value: null };
    await importForTest(harness, {
      name: 'program',
      source: { kind: 'mcp-stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] },
      slot: { slot: 'program-token', carrier, ...none },
    });
    expect((await callSkill(harness, key, 'program.get_env')).body.error.message).toContain(
      'has not set its credential',
    );
    await saveToolSecret(harness.runtime, 'operator:test', {
      name: 'program',
      slot: 'program-token',
      value: SECRET,
    });
    const answer = await callSkill(harness, key, 'program.get_env');
    expect(answer.body.output.text).toContain('"API_TOKEN": "[provider key]"');
    expect(answer.text).not.toContain(SECRET);
    const { body } = await harness.request('GET', '/v1/requirements');
    expect(JSON.stringify(body)).not.toContain('program-token');
  });

  it('is shared by concurrent calls, each with its own result, and restarted after it was killed', async () => {
    const sums = Array.from({ length: 5 }, (_, i) =>
      callSkill(harness, key, 'program.get_sum', { a: i, b: i }),
    );
    const texts = (await Promise.all(sums)).map(({ body }) => body.output?.text);
    expect(texts).toEqual([0, 1, 2, 3, 4].map((i) => `The sum of ${i} and ${i} is ${2 * i}.`));
    const { pid } = JSON.parse(await running()) as { pid: number };
    // The delay before the restart ends only when the test allows it.
    vi.useFakeTimers({ toFake: ['Date'] });
    process.kill(pid, 'SIGKILL');
    const sum = () => callSkill(harness, key, 'program.get_sum', { a: 1, b: 1 });
    await expect.poll(async () => (await sum()).body.error?.message).toContain('will restart in');
    vi.setSystemTime(Date.now() + 60_000);
    expect((await sum()).status).toBe(200);
  });
});

/** Finds the process of the tool `program`. */
async function running(): Promise<string> {
  const { execFileSync } = await import('node:child_process');
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString();
  const line = list.split('\n').find((text) => text.includes('server-everything'));
  return JSON.stringify({ pid: Number(line?.trim().split(/\s+/)[0]) });
}
