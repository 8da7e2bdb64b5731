import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { gatewaySurface } from './gateway-surface';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  ({ key } = await harness.person(1_000_000n));
});
afterAll(() => harness.close());

async function callTool(name: string, args: object) {
  const params = { name, arguments: args };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { text } = await harness.request('POST', '/mcp', { key, json });
  return readEvents(text)[0]?.data.result;
}

it.each(gatewaySurface.tools.map(({ listed }) => [listed.name, listed.inputSchema] as const))(
  '%s lists all its arguments, and refuses any other by name',
  async (name, schema) => {
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const { isError, structuredContent } = await callTool(name, { surprise: 1 });
    expect([isError, structuredContent.error.code]).toEqual([true, 'INVALID_INPUT']);
    const named = (structuredContent.error.fields as { path: string; message: string }[]).filter(
      ({ path }) => path === 'surprise',
    );
    expect(named).toMatchObject([{ message: expect.stringContaining('Unknown field `surprise`.') }]);
  },
);

it('does not charge the personal account for a misspelt billing argument', async () => {
  const args = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
  const { structuredContent } = await callTool('call_tool', { ...args, biling: 'my-team' });
  expect(structuredContent.error.fields).toEqual([
    { path: 'biling', message: 'Unknown field `biling`. Did you mean `billing`?' },
  ]);
  const balance = await harness.request('GET', '/v1/billing/balance', { key });
  expect(balance.body.available_usd).toBe(1);
});
