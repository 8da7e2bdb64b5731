import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  ({ key } = await harness.person());
});
afterAll(() => harness.close());

const REDACT = { tool: 'text', skill: 'redact', input: { text: 'Ann', words: ['Ann'] } };
const UNKNOWN = {
  path: 'input.words',
  message: expect.stringMatching(/^Unknown field `words`\. Known fields: .*`terms`/),
};
const REFUSED = { error: { code: 'INVALID_INPUT', billed: false, fields: [UNKNOWN] } };
const post = (path: string, json: object) => harness.request('POST', path, { key, json });

describe('a field that a skill does not know', () => {
  it('is refused with the known ones in a call, a dry run and a batch', async () => {
    expect(await post('/v1/tools/call', REDACT)).toMatchObject({ status: 400, body: REFUSED });
    const dryRun = await post('/v1/tools/call', { ...REDACT, dry_run: true });
    expect(dryRun.body).toMatchObject({ valid: false, input_valid: false, input_errors: [UNKNOWN] });
    const { body } = await post('/v1/tools/batch', { calls: [REDACT] });
    expect(body.results).toMatchObject([REFUSED]);
  });

  it('is refused over MCP, in a result that a model sees', async () => {
    const params = { name: 'call_tool', arguments: REDACT };
    const { text } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(readEvents(text)[0]?.data.result).toMatchObject({ isError: true, structuredContent: REFUSED });
  });

  it('is named at any depth, with the nearest name', async () => {
    const input = { expression: 'x', variables: { x: 1 }, precison: 'number' };
    const { body } = await post('/v1/tools/call', { tool: 'math', skill: 'evaluate', input });
    expect(body.error.message).toBe('Unknown field `precison`. Did you mean `precision`?');
  });
});

it('null for an optional field of a skill means absent', async () => {
  const input = { expression: '1 + 1', variables: null, precision: null };
  const { body } = await post('/v1/tools/call', { tool: 'math', skill: 'evaluate', input });
  expect(body.output).toMatchObject({ result: '2' });
  const required = await post('/v1/tools/call', {
    tool: 'math',
    skill: 'evaluate',
    input: { expression: null },
  });
  expect(required.body.error.fields).toMatchObject([{ path: 'input.expression' }]);
});

describe('what models send', () => {
  const EVALUATE = { tool: 'math', skill: 'evaluate', input: { expression: '1 + 1' } };
  const NULLS = { billing: null, dry_run: null, max_cost_usd: null, quote_id: null, webhook: null };
  const callTool = async (args: object) => {
    const params = { name: 'call_tool', arguments: args };
    const { text } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return readEvents(text)[0]?.data.result;
  };

  it.each([
    ['null for optional fields', { ...EVALUATE, ...NULLS }],
    ['an input as JSON text', { ...EVALUATE, input: '{"expression":"1 + 1","variables":null}' }],
  ])('%s is accepted in a call, a batch and over MCP', async (_, call) => {
    const { tool, skill, input } = call;
    expect((await post('/v1/tools/call', call)).body.output).toMatchObject({ result: '2' });
    const batch = { calls: [{ tool, skill, input, max_cost_usd: null, quote_id: null }], billing: null };
    expect((await post('/v1/tools/batch', batch)).body.results).toMatchObject([{ output: { result: '2' } }]);
    expect(await callTool({ ...call, wait_seconds: null, receipt: null })).toMatchObject({
      structuredContent: { output: { result: '2' } },
    });
  });

  it('another text is refused by name', async () => {
    const { body } = await post('/v1/tools/call', { ...EVALUATE, input: '1 + 1' });
    expect(body.error.fields).toEqual([
      { path: 'input', message: expect.stringContaining('`input` must be an object. A text must be') },
    ]);
  });

  it('a required field cannot be null', async () => {
    const { body } = await post('/v1/tools/call', { ...EVALUATE, tool: null });
    expect(body.error.fields).toMatchObject([{ path: 'tool' }]);
  });

  it('a call without a skill gets those of its tool, in a batch and over MCP too', async () => {
    const message = expect.stringMatching(/^`.*skill` .*Skills of `math`: .*`evaluate`/);
    const { skill, ...call } = EVALUATE;
    const single = await post('/v1/tools/call', call);
    expect([single.status, single.body.error.fields]).toEqual([400, [{ path: 'skill', message }]]);
    const batch = await post('/v1/tools/batch', { calls: [EVALUATE, { ...call, skill: null }] });
    expect([batch.status, batch.body.error.fields]).toEqual([400, [{ path: 'calls[1].skill', message }]]);
    expect(await callTool(call)).toMatchObject({
      isError: true,
      structuredContent: { error: { fields: [{ path: 'skill', message }] } },
    });
  });
});
