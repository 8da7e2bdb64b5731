import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../billing/reconcile';
import { fetchAdapter } from '../http/fetch-adapter';
import { type Harness, startHarness } from '../testing/harness';
import { connectMcp, MCP_CLIENTS, type McpClient } from '../testing/mcp-client';
import { createProbe, PROBE_PRICE } from '../testing/probe-tool';
import { tools } from '../tools/registry';
import { META } from './meta';

const SOON = { timeout: 5_000, interval: 20 };
const PRICE_USD = Number(PROBE_PRICE) / 1e6;

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  const used = tools.filter(({ name }) => ['diagnostics', 'math', 'data'].includes(name));
  const env = { RATE_PER_MINUTE: '1000' };
  harness = await startHarness({ listen: true, tools: [...used, probe.tool], env });
});
afterAll(() => harness.close());

async function balanceOf(key: string): Promise<number> {
  return (await harness.ask('GET', '/v1/billing/balance', { key })).body.available_usd;
}

/** A call that waits, as the client of 2026-07-28 sends it to a Next route. */
function modernCall(key: string, id: string): Request {
  const { host } = new URL(harness.baseUrl);
  return new Request(`${harness.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      host,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'call_tool',
        arguments: { tool: 'probe', skill: 'wait_paid', input: { id } },
        _meta: {
          progressToken: 1,
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
}

describe.each(MCP_CLIENTS)('the client %s', (kind) => {
  let key: string;
  let mcp: McpClient;
  beforeAll(async () => {
    ({ key } = await harness.person(1_000_000n));
    mcp = await connectMcp(harness.baseUrl, kind, key);
  });
  afterAll(() => mcp.close());

  it('learns what to do, and finds nine tools with schemas and hints', async () => {
    expect(mcp.client.getInstructions()).toContain('search_tools');
    const { tools: listed } = await mcp.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      'search_tools',
      'get_tool',
      'call_tool',
      'get_job',
      'cancel_job',
      'get_balance',
      'get_usage',
      'upload_asset',
      'review_tool',
    ]);
    for (const tool of listed) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(JSON.stringify(tool)).not.toContain('$ref');
      expect(tool.annotations).toHaveProperty('readOnlyHint');
    }
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['use_tools']);
    const { messages } = await mcp.client.getPrompt({
      name: 'use_tools',
      arguments: { task: 'Add two numbers' },
    });
    expect(JSON.stringify(messages)).toContain('Add two numbers');
  });

  it('goes from a wish to a charged result: search, get, dry run, call', async () => {
    const found = await mcp.callTool('search_tools', { q: 'work out a formula', limit: 3 });
    expect(found.structuredContent.tools[0].name).toBe('math');
    const { structuredContent: tool } = await mcp.callTool('get_tool', { tool: 'probe', skill: 'ok_paid' });
    expect(tool.skills).toHaveLength(1);
    expect(tool.skills[0]).toMatchObject({ input: { type: 'object' }, pricing: { price_usd: PRICE_USD } });
    const call = { tool: 'probe', skill: 'ok_paid', input: { id: `${kind}-flow` } };
    const dry = await mcp.callTool('call_tool', { ...call, dry_run: true });
    expect(dry.structuredContent).toMatchObject({ valid: true, estimated_cost_usd: PRICE_USD });
    expect(probe.runs(`${kind}-flow`)).toBe(0);
    const before = await balanceOf(key);
    const result = await mcp.callTool('call_tool', call);
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({
      status: 'success',
      output: { id: `${kind}-flow`, run: 1 },
      usage: { cost: PRICE_USD, credits_remaining: before - PRICE_USD },
      billed: true,
    });
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
    expect(result._meta?.[META.rateLimit]).toMatchObject({ policy: 'minute', limit: 1000 });
    // As REST answers, but for what is new each time.
    const { body: rest } = await harness.ask('POST', '/v1/tools/call', { key, json: call });
    expect(Object.keys(result.structuredContent)).toEqual(Object.keys(rest));
    expect(rest.usage.cost).toBe(result.structuredContent.usage.cost);
    expect((await mcp.callTool('get_balance', {})).structuredContent.available_usd).toBe(
      before - 2 * PRICE_USD,
    );
  });

  it('is told of the progress of a call, ever further', async () => {
    const told: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    const input = { seconds: 0.4, log_every_seconds: 0.1 };
    const result = await mcp.callTool(
      'call_tool',
      { tool: 'diagnostics', skill: 'sleep', input },
      undefined,
      {
        onprogress: (progress) => told.push(progress),
      },
    );
    expect(result.structuredContent).toMatchObject({
      status: 'success',
      output: { log_lines: expect.any(Number) },
    });
    expect(told.length).toBeGreaterThanOrEqual(4);
    expect(told.some(({ message }) => message?.startsWith('slept'))).toBe(true);
    for (const [index, { progress }] of told.entries())
      if (index > 0) expect(progress).toBeGreaterThan((told[index - 1] as { progress: number }).progress);
    expect(told.at(-1)).toMatchObject({ total: 1 });
  });

  it('cancels a call: its tool stops, and nothing is charged', async () => {
    const id = `${kind}-cancel`;
    const before = await balanceOf(key);
    const abort = new AbortController();
    const call = { tool: 'probe', skill: 'wait_paid', input: { id } };
    const called = mcp
      .callTool('call_tool', call, undefined, { signal: abort.signal })
      .catch((error) => error);
    await probe.untilBegun(id);
    abort.abort();
    expect(await called).toBeInstanceOf(Error);
    await expect
      .poll(async () => (await harness.ask('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ skill: 'wait_paid', status: 'error', error_code: 'CANCELLED', cost_usd: 0 });
    expect(await balanceOf(key)).toBe(before);
  });

  it.each([
    ['', undefined],
    [', with progress', () => undefined],
  ])('follows a call that takes long as a job%s', async (name, onprogress) => {
    const id = `${kind}-long${name}`;
    const call = { tool: 'probe', skill: 'wait_paid', input: { id }, wait_seconds: 0 };
    const pending = await mcp.callTool('call_tool', call, undefined, onprogress ? { onprogress } : {});
    expect(pending.structuredContent).toMatchObject({
      status: 'pending',
      job_id: expect.stringMatching(/^job_/),
      poll_url: expect.stringContaining(harness.baseUrl),
      billed: false,
    });
    expect(JSON.stringify(pending.content)).toContain('get_job');
    const { job_id } = pending.structuredContent;
    const running = await mcp.callTool('get_job', { job_id, wait_seconds: 0 });
    expect(running.structuredContent).toMatchObject({ status: 'running', tool: 'probe' });
    const ended = mcp.callTool('get_job', { job_id });
    probe.letGo(id);
    expect((await ended).structuredContent).toMatchObject({
      status: 'completed',
      output: { id },
      usage: { cost: PRICE_USD },
    });
    const late = await mcp.callTool('cancel_job', { job_id });
    expect(late).toMatchObject({ isError: true, structuredContent: { error: { code: 'JOB_NOT_RUNNING' } } });
  });

  it('cancels a job, which costs nothing', async () => {
    const id = `${kind}-job`;
    const before = await balanceOf(key);
    const call = { tool: 'probe', skill: 'wait_paid', input: { id }, wait_seconds: 0 };
    const { job_id } = (await mcp.callTool('call_tool', call)).structuredContent;
    expect((await mcp.callTool('cancel_job', { job_id })).structuredContent).toEqual({
      cancelled: true,
      job_id,
    });
    expect((await mcp.callTool('get_job', { job_id })).structuredContent.status).toBe('cancelled');
    expect(await balanceOf(key)).toBe(before);
  });

  it('cancels a call that a worker runs', async () => {
    const id = `${kind}-queued`;
    const before = await balanceOf(key);
    const abort = new AbortController();
    const call = { tool: 'probe', skill: 'queued_paid', input: { id } };
    const called = mcp
      .callTool('call_tool', call, undefined, { signal: abort.signal })
      .catch((error) => error);
    await probe.untilBegun(id);
    abort.abort();
    expect(await called).toBeInstanceOf(Error);
    await expect
      .poll(async () => (await harness.ask('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ skill: 'queued_paid', error_code: 'CANCELLED', cost_usd: 0 });
    expect(await balanceOf(key)).toBe(before);
  });

  it('uploads a file, gives it to a tool, and reads what the tool made', async () => {
    const uploaded = await mcp.callTool('upload_asset', { filename: 'few.csv', text: 'a,b\n1,2\n' });
    const { asset_id } = uploaded.structuredContent;
    expect(uploaded.content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', uri: `asset://${asset_id}` }),
    );
    const read = await mcp.client.readResource({ uri: `asset://${asset_id}` });
    expect(read.contents).toEqual([expect.objectContaining({ mimeType: 'text/csv', text: 'a,b\n1,2\n' })]);
    const input = { file: asset_id, to: 'json' };
    const made = await mcp.callTool('call_tool', { tool: 'data', skill: 'convert', input });
    const { asset_id: madeId } = made.structuredContent.output.file;
    const [content] = (await mcp.client.readResource({ uri: `asset://${madeId}` })).contents;
    expect(JSON.parse((content as { text: string }).text)).toEqual([{ a: 1, b: 2 }]);
    const { resources } = await mcp.client.listResources();
    expect(resources.slice(0, 2).map(({ uri }) => uri)).toEqual([`asset://${madeId}`, `asset://${asset_id}`]);
    const bytes = Buffer.from([0, 255, 1, 254]).toString('base64');
    const binary = await mcp.callTool('upload_asset', { filename: 'few.bin', base64: bytes });
    const uri = `asset://${binary.structuredContent.asset_id}`;
    expect((await mcp.client.readResource({ uri })).contents).toEqual([
      expect.objectContaining({ blob: bytes }),
    ]);
  });

  it('reads what a tool does, and completes its name', async () => {
    const { resources } = await mcp.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('tool://probe');
    const [document] = (await mcp.client.readResource({ uri: 'tool://math' })).contents;
    expect(document).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('```json') });
    const ref = { type: 'ref/resource' as const, uri: 'tool://{name}' };
    const { completion } = await mcp.client.complete({ ref, argument: { name: 'name', value: 'dia' } });
    expect(completion.values).toEqual(['diagnostics']);
    await expect(mcp.client.readResource({ uri: 'tool://nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reviews a tool, and reads what it has used', async () => {
    const reviewed = await mcp.callTool('review_tool', { tool: 'probe', rating: 5, review: 'Exact.' });
    expect(reviewed.structuredContent).toMatchObject({ tool: 'probe', rating: 5, verified: true });
    const sums = (await mcp.callTool('get_usage', { period: 'day' })).structuredContent;
    expect(sums.calls).toBeGreaterThanOrEqual(4);
    const { records } = (await mcp.callTool('get_usage', { view: 'history', limit: 2 })).structuredContent;
    expect(records).toHaveLength(2);
  });

  it('is refused in the Error shape of REST, with what to do next', async () => {
    const call = { tool: 'probe', skill: 'ok', input: {} };
    const refusals: [args: Record<string, unknown>, json: unknown][] = [
      [
        { ...call, tool: 'nothing' },
        { ...call, tool: 'nothing' },
      ],
      [
        { ...call, skill: 'nothing' },
        { ...call, skill: 'nothing' },
      ],
      [
        { ...call, input: { id: 5 } },
        { ...call, input: { id: 5 } },
      ],
      [
        { ...call, billing: 'no-team' },
        { ...call, billing: 'no-team' },
      ],
      [
        { tool: 'probe', skill: 'fail', input: {} },
        { tool: 'probe', skill: 'fail', input: {} },
      ],
      [{ tool: 'probe' }, { tool: 'probe' }],
    ];
    for (const [args, json] of refusals) {
      const { isError, structuredContent } = await mcp.callTool('call_tool', args);
      const { body } = await harness.ask('POST', '/v1/tools/call', { key, json });
      const { request_id: _, ...rest } = body.error;
      const { request_id: __, ...error } = structuredContent.error;
      expect(isError).toBe(true);
      expect({ status: structuredContent.status, error }).toEqual({ status: 'error', error: rest });
    }
    const bad = await mcp.callTool('search_tools', { q: 'x', limit: 1000 });
    expect(bad.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ path: 'limit' }] });
  });

  it('spends no more than there is', async () => {
    const poor = await harness.person(PROBE_PRICE - 1n);
    const theirs = await connectMcp(harness.baseUrl, kind, poor.key);
    const refused = await theirs.callTool('call_tool', { tool: 'probe', skill: 'ok_paid', input: {} });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INSUFFICIENT_CREDITS', limit: 'account', billed: false } },
    });
    await theirs.close();
  });
});

describe('what a request does to its call', () => {
  it('lost before 2026-07-28, is no cancel: the call goes on as a job', async () => {
    const { key } = await harness.person(1_000_000n);
    const leaving = new AbortController();
    const sent = fetch(`${harness.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'call_tool',
          arguments: { tool: 'probe', skill: 'wait_paid', input: { id: 'lost' } },
          _meta: { progressToken: 1 },
        },
      }),
      signal: leaving.signal,
    }).then((response) => response.text());
    await probe.untilBegun('lost');
    leaving.abort();
    await expect(sent).rejects.toThrow();
    await wait(100);
    probe.letGo('lost');
    await expect
      .poll(async () => (await harness.ask('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ status: 'success', cost_usd: PRICE_USD });
  });

  it('closed from 2026-07-28 on, is the cancel, also where Next answers', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await fetchAdapter(harness.dispatcher)(modernCall(key, 'closed'));
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toContain('notifications/progress');
    await probe.untilBegun('closed');
    await reader?.cancel();
    await expect
      .poll(async () => (await harness.ask('GET', '/v1/usage/history', { key })).body.records[0], SOON)
      .toMatchObject({ status: 'error', error_code: 'CANCELLED', cost_usd: 0 });
  });

  it('leaves every account balanced, whatever was cancelled', async () => {
    await expect.poll(() => harness.runtime.running.size, SOON).toBe(0);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
    expect(harness.runtime.notices.waiting).toBe(0);
  });
});
