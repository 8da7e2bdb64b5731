import { McpClient } from 'mppx/mcp/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, MCP_CLIENTS } from '@/test/support/mcp-client';
import { SPEND } from '@/test/support/paid-call-client';
import { sandbox } from '../../../scripts/payment-methods.mjs';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ listen: true, fakeStripe: true, env: { PAY_PER_CALL: '1' } });
});
afterAll(() => harness.close());

const META = { credential: 'org.paymentauth/credential', receipt: 'org.paymentauth/receipt' };
const send = async (args: object, query = '', meta: object = {}) => {
  const response = await fetch(`${harness.baseUrl}/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'call_tool', arguments: args, _meta: meta },
    }),
  });
  const text = await response.text();
  const [, data] = /^data: (.*)$/m.exec(text) ?? [];
  return { status: response.status, json: JSON.parse(data ?? text) };
};

describe('call_tool without a key', () => {
  it('answers the payment error of the protocol, with the challenges of REST', async () => {
    const { json } = await send(SPEND);
    expect(json.error).toMatchObject({
      code: -32_042,
      data: {
        httpStatus: 402,
        challenges: [
          { method: 'stripe', intent: 'charge', request: { amount: '180', currency: 'usd' } },
          { method: 'sandbox', intent: 'charge', request: { amount: '180', currency: 'usd' } },
        ],
        problem: { type: 'https://paymentauth.org/problems/payment-required', status: 402 },
      },
    });
  });

  it('asks for a key for a free skill, a dry run, and at the endpoint that demands one', async () => {
    const free = { tool: 'math', skill: 'evaluate', input: { expression: '1' } };
    for (const args of [free, { ...SPEND, dry_run: true }])
      expect((await send(args)).json.result.structuredContent.error.code).toBe('AUTH_REQUIRED');
    expect((await send(SPEND, '?auth=required')).status).toBe(401);
  });

  it('refuses a wrong proof with the code for failed verification and fresh challenges', async () => {
    const { json } = await send(SPEND);
    const [, challenge] = json.error.data.challenges;
    const refused = await send(SPEND, '', { [META.credential]: { challenge, payload: { proof: 'ab' } } });
    expect(refused.json.error).toMatchObject({
      code: -32_043,
      data: { challenges: [{ method: 'stripe' }, { method: 'sandbox' }] },
    });
    const malformed = await send(SPEND, '', { [META.credential]: { challenge: 1 } });
    expect(malformed.json.error.code).toBe(-32_043);
  });

  it.each(MCP_CLIENTS)(
    'with the quote it was given is paid by the official client of the scheme on MCP %s',
    async (kind) => {
      const { callTool, close } = await connectMcp(harness.baseUrl, kind);
      const client = {
        callTool: (params: {
          name: string;
          arguments: Record<string, unknown>;
          _meta?: Record<string, unknown>;
        }) => callTool(params.name, params.arguments, params._meta),
      };
      const paying = McpClient.wrap(client, { methods: [sandbox()] });
      const refused = await callTool('call_tool', { ...SPEND, max_cost_usd: 0.05 });
      const quote = (refused.structuredContent as { error?: { quote?: { id: string } } } | undefined)?.error
        ?.quote;
      expect(quote?.id).toMatch(/^quote_/);
      const quoted = { ...SPEND, quote_id: quote?.id };
      const result = await paying.callTool({ name: 'call_tool', arguments: quoted });
      expect(result).toMatchObject({
        structuredContent: {
          status: 'success',
          usage: { cost: 0.1, credits_remaining: 0.9 },
          api_key: expect.stringMatching(/^tg_live_/),
          claim_url: expect.stringContaining('/claim?token='),
        },
        receipt: { method: 'sandbox', status: 'success', challengeId: expect.any(String) },
      });
      await close();
    },
  );
});

it('says how to buy credit in the words of the transport and of the kind of account', async () => {
  const { key, userId } = await harness.person();
  const { key: teamKey } = await harness.addKey(await harness.team(userId, 'buyers', 0n));
  const hint = async (of: string) =>
    (await harness.request('GET', '/v1/billing/balance', { key: of })).body.top_up_hint;
  const page = `${harness.baseUrl}/dashboard/billing`;
  expect(await hint(key)).toBe(`Buy credit at ${page}, or with POST /v1/billing/checkout.`);
  expect(await hint(teamKey)).toContain(`${page}?billing=buyers`);
  const { callTool, close } = await connectMcp(harness.baseUrl, 'v1', key);
  expect((await callTool('get_balance', {})).structuredContent.top_up_hint).toBe(`Buy credit at ${page}.`);
  await close();
});
