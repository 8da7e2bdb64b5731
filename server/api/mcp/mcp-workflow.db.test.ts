import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, MCP_CLIENTS, type McpClient, readText } from '@/test/support/mcp-client';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { tools } from '../../tools/registry';
import { META } from './meta';

const PRICE_USD = Number(PROBE_PRICE) / 1e6;

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  const used = tools.filter(({ name }) => ['diagnostics', 'math', 'data'].includes(name));
  const env = { RATE_PER_MINUTE: '1000' };
  harness = await startHarness({ listen: true, tools: [...used, probe.tool], env });
});
afterAll(() => harness.close());

async function fetchBalance(key: string): Promise<number> {
  return (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;
}

describe.each(MCP_CLIENTS)('the client %s', (kind) => {
  let key: string;
  let mcp: McpClient;
  beforeAll(async () => {
    ({ key } = await harness.person(1_000_000n));
    mcp = await connectMcp(harness.baseUrl, kind, key);
  });
  afterAll(() => mcp.close());

  it('sees the version of the gateway', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(mcp.client.getServerVersion()).toMatchObject({ name: 'tool-gateway', version });
  });

  it('reads the instructions, and finds the tools with schemas and hints in 10 kB', async () => {
    expect(mcp.client.getInstructions()).toContain('search_tools');
    const { tools: listed } = await mcp.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      'search_tools',
      'get_tool',
      'call_tool',
      'get_key',
      'get_job',
      'list_jobs',
      'cancel_job',
      'get_webhook_secret',
      'get_account',
      'get_balance',
      'get_usage',
      'get_receipt',
      'upload_asset',
      'list_assets',
      'delete_asset',
      'review_tool',
    ]);
    for (const tool of listed) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema).toBeUndefined();
      expect(JSON.stringify(tool)).not.toContain('$ref');
      expect(tool.annotations).toHaveProperty('readOnlyHint');
    }
    expect(JSON.stringify(listed).length).toBeLessThan(10_000);
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['use_tools']);
    const { messages } = await mcp.client.getPrompt({
      name: 'use_tools',
      arguments: { task: 'Add two numbers' },
    });
    expect(JSON.stringify(messages)).toContain('Add two numbers');
  });

  it('gets from a task to a charged result: search, get, dry run, call', async () => {
    const found = await mcp.callTool('search_tools', { q: 'work out a formula', limit: 3 });
    expect(readText(found).tools[0].name).toBe('math');
    const named = { tool: 'probe', skill: 'ok_paid' };
    const tool = readText(await mcp.callTool('get_tool', named));
    expect(tool.skills).toHaveLength(1);
    expect(tool.skills[0]).toMatchObject({ input: { type: 'object' }, pricing: { price_usd: PRICE_USD } });
    expect(tool.skills[0]).not.toHaveProperty('outputSchema');
    const whole = readText(await mcp.callTool('get_tool', { ...named, output_schema: true }));
    expect(whole.skills[0]).toMatchObject({ outputSchema: { type: 'object' } });
    const call = { tool: 'probe', skill: 'ok_paid', input: { id: `${kind}-flow` } };
    const dry = await mcp.callTool('call_tool', { ...call, dry_run: true });
    expect(dry.structuredContent).toMatchObject({ valid: true, estimated_cost_usd: PRICE_USD });
    expect(probe.runs(`${kind}-flow`)).toBe(0);
    const before = await fetchBalance(key);
    const result = await mcp.callTool('call_tool', call);
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({
      status: 'success',
      output: { id: `${kind}-flow`, run: 1 },
      usage: { cost: PRICE_USD, credits_remaining: before - PRICE_USD },
      billed: true,
    });
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
    expect(result._meta?.[META.rateLimit]).toMatchObject({ policy: 'hour', limit: 1000 });
    // The same as REST, except for what is new each time.
    const { body: rest } = await harness.request('POST', '/v1/tools/call', { key, json: call });
    expect(Object.keys(result.structuredContent)).toEqual(Object.keys(rest));
    expect(rest.usage.cost).toBe(result.structuredContent.usage.cost);
    expect((await mcp.callTool('get_balance', {})).structuredContent.available_usd).toBe(
      before - 2 * PRICE_USD,
    );
  });

  it('uploads a file, passes it to a tool, and reads the file that the tool made', async () => {
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

  it('reads the document of a tool, and completes its name', async () => {
    const { resources } = await mcp.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('tool://probe');
    const [document] = (await mcp.client.readResource({ uri: 'tool://math' })).contents;
    expect(document).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('```json') });
    const ref = { type: 'ref/resource' as const, uri: 'tool://{name}' };
    const { completion } = await mcp.client.complete({ ref, argument: { name: 'name', value: 'dia' } });
    expect(completion.values).toEqual(['diagnostics']);
    await expect(mcp.client.readResource({ uri: 'tool://nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('reviews a tool, and reads its usage', async () => {
    const reviewed = await mcp.callTool('review_tool', { tool: 'probe', rating: 5, review: 'Exact.' });
    expect(reviewed.structuredContent).toMatchObject({ tool: 'probe', rating: 5, verified: true });
    const sums = (await mcp.callTool('get_usage', { period: 'day' })).structuredContent;
    expect(sums.calls).toBeGreaterThanOrEqual(2);
    const { records } = (await mcp.callTool('get_usage', { view: 'history', limit: 2 })).structuredContent;
    expect(records).toHaveLength(2);
  });

  it('receives errors in the Error shape of REST, with a hint', async () => {
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
      const { body } = await harness.request('POST', '/v1/tools/call', { key, json });
      // Besides the ids only the hint differs: it names MCP tools.
      const { request_id: _, call_id: callId, resolution_hint: _hint, ...rest } = body.error;
      const { request_id: __, call_id: ownId, resolution_hint: hint, ...error } = structuredContent.error;
      expect(typeof ownId).toBe(typeof callId);
      expect(hint).not.toMatch(/\/v1\//);
      expect(isError).toBe(true);
      expect({ status: structuredContent.status, error }).toEqual({ status: 'error', error: rest });
    }
    const bad = await mcp.callTool('search_tools', { q: 'x', limit: 1000 });
    expect(bad.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ path: 'limit' }] });
  });

  it('cannot spend more than the balance', async () => {
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
