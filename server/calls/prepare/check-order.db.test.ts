import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { perCall } from '../../tools/sdk/define-tool';

const skill = (name: string) =>
  defineTestSkill<{ n: number }, object>({
    name,
    input: z.object({ n: z.number() }),
    output: z.object({}),
    price: perCall(10_000n),
    annotations: { estimatedSeconds: 1 },
    run: async () => ({ output: {} }),
  });
const tool = defineTestTool('probe', [
  skill('works'),
  { ...skill('without_key'), requirements: ['openai'] },
  { ...skill('outage'), requirements: ['openai'], findEngine: async () => ({ reason: 'No engine.' }) },
]);

let harness: Harness;
const keys: Record<string, string> = {};
beforeAll(async () => {
  harness = await startHarness({ tools: [tool] });
  const { sql } = harness.runtime;
  keys.unclaimed = (await harness.request('POST', '/v1/auth/provision')).body.api_key;
  keys['no funds'] = (await harness.person()).key;
  const limited = await harness.person();
  keys['spending limit'] = limited.key;
  await sql`update accounts set budget_limit_microusd = 0 where id = ${limited.accountId}`;
  keys.funded = (await harness.person(1_000_000n)).key;
  const frozen = await harness.person();
  keys.frozen = frozen.key;
  await sql`update accounts set frozen_at = now() where id = ${frozen.accountId}`;
});
afterAll(() => harness.close());

const post = (path: string, key: string | undefined, json: object) =>
  harness.request('POST', path, { key, json });
const OK = { n: 1 };

/** What each key is refused for, if the call has that defect and every later one. */
const REFUSALS = {
  unclaimed: 'CLAIM_REQUIRED',
  'another account': 'FORBIDDEN',
  'spending limit': 'SPENDING_LIMIT_EXCEEDED',
  'no funds': 'INSUFFICIENT_CREDITS',
  funded: undefined,
};

describe.each(Object.entries(REFUSALS))('a call with the key: %s', (who, refusal) => {
  const key = () => keys[who] ?? keys['no funds'];
  const billing = who === 'another account' ? { billing: 'no-such-team' } : {};
  it.each([
    ['an unknown skill', { skill: 'nothing', input: {} }, 'SKILL_NOT_FOUND'],
    ['invalid input', { skill: 'outage', input: {} }, 'INVALID_INPUT'],
    ['an outage', { skill: 'outage', input: OK }, 'TOOL_UNAVAILABLE'],
    ['no provider key', { skill: 'without_key', input: OK }, 'MISSING_CREDENTIALS'],
    ['nothing wrong', { skill: 'works', input: OK }, refusal],
  ])('and %s', async (_, call, code) => {
    const { body } = await post('/v1/tools/call', key(), { tool: 'probe', ...call, ...billing });
    expect(body.error?.code).toBe(code);
  });
});

it('a frozen account comes first', async () => {
  const call = { tool: 'probe', skill: 'nothing', input: {} };
  expect((await post('/v1/tools/call', keys.frozen, call)).body.error.code).toBe('FORBIDDEN');
});

it('has the same order in a batch and over MCP', async () => {
  const calls = ['outage', 'without_key', 'works'].map((name) => ({ tool: 'probe', skill: name, input: OK }));
  const codes = ['TOOL_UNAVAILABLE', 'MISSING_CREDENTIALS', 'CLAIM_REQUIRED'];
  const batch = await post('/v1/tools/batch', keys.unclaimed, { calls });
  expect(batch.body.results.map((one: { error: { code: string } }) => one.error.code)).toEqual(codes);
  for (const [at, call] of calls.entries()) {
    const params = { name: 'call_tool', arguments: call };
    const { text } = await post('/mcp', keys.unclaimed, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    });
    expect(readEvents(text)[0]?.data.result.structuredContent.error.code).toBe(codes[at]);
  }
});

describe('a dry run of an unclaimed key', () => {
  const dryRun = (name: string) =>
    post('/v1/tools/call', keys.unclaimed, { tool: 'probe', skill: name, input: OK, dry_run: true });

  it('has the price and the claim link, without a quote', async () => {
    const { status, body } = await dryRun('works');
    expect([status, body]).toMatchObject([
      200,
      {
        valid: false,
        input_valid: true,
        credentials_ok: true,
        availability: 'ready',
        estimated_cost_usd: 0.01,
        claim_required: true,
        claim_url: expect.stringContaining('/claim?token='),
      },
    ]);
    expect(body.quote).toBeUndefined();
  });

  it('reports what a claim would not change', async () => {
    expect((await dryRun('without_key')).body).toMatchObject({
      valid: false,
      credentials_ok: false,
      availability: 'needs_provider_key',
      missing_credentials: [{ name: 'openai', header: 'X-Provider-Key-openai' }],
    });
    expect((await dryRun('outage')).body).toMatchObject({
      availability: 'unavailable',
      unavailable_reason: 'No engine.',
    });
  });
});
