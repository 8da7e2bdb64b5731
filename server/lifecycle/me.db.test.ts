import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { CALL_WINDOWS } from '../core/limits/limits';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', listen: true });
});
afterAll(() => harness.close());

const me = (key: string) => harness.request('GET', '/v1/me', { key });
const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };

describe('GET /v1/me', () => {
  it('describes key, account, limits and allowances, as the routes of each part do', async () => {
    const person = await harness.person(1_000_000n);
    const { key } = person;
    await harness.request('PUT', '/v1/billing/preferences', { key, json: { budgetLimit: 5 } });
    await harness.request('POST', '/v1/tools/call', { key, json: SPEND });
    const { status, headers, body } = await me(key);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('ratelimit');
    expect(body).toMatchObject({
      account: { id: person.accountId, type: 'personal', disputed: false },
      plan: 'prepaid',
      key: { id: person.keyId, status: 'active', manages_account: true },
      restricted: false,
      limits: {
        windows: CALL_WINDOWS.map(({ name, quota, seconds }) => ({
          name,
          limit: quota,
          remaining: quota - 1,
          window_seconds: seconds,
        })),
        concurrent: { limit: 5, running: 0, remaining: 5 },
      },
      allowances: {
        available_usd: 0.75,
        key_credits_usd: null,
        monthly_limit_usd: 5,
        spent_this_month_usd: 0.25,
        storage: { used_bytes: 0, files: 0 },
      },
    });
    expect((await harness.request('GET', `/v1/keys/${person.keyId}`, { key })).body).toEqual(body.key);
    expect((await me(key)).body.limits.windows[0].remaining).toBe(59);
  });

  it('counts running calls, and the credits of a restricted key', async () => {
    const { accountId } = await harness.person(1_000_000n);
    const { key } = await harness.addKey(accountId, 500_000n);
    const json = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } };
    const started = await harness.request('POST', '/v1/tools/call', {
      key,
      json,
      headers: { prefer: 'wait=0' },
    });
    expect((await me(key)).body).toMatchObject({
      restricted: true,
      limits: { concurrent: { running: 1, remaining: 4 } },
      allowances: { key_credits_usd: 0.5, available_usd: 1 },
    });
    await harness.request('POST', `/v1/jobs/${started.body.job_id}/cancel`, { key });
  });

  it('works for a provisional key; is 401 without a key, 403 for a frozen account', async () => {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    expect((await me(body.api_key)).body).toMatchObject({
      plan: 'provisional',
      account: { id: body.account_id, type: 'provisional' },
    });
    expect((await harness.request('GET', '/v1/me')).status).toBe(401);
    const frozen = await harness.person();
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${frozen.accountId}`;
    expect(await me(frozen.key)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });

  it('reports a dispute to the keys of the account', async () => {
    const { key, accountId } = await harness.person();
    await harness.runtime.sql`update accounts set disputed_at = now() where id = ${accountId}`;
    expect((await me(key)).body.account.disputed).toBe(true);
  });

  it('is get_account over MCP', async () => {
    const { key, keyId } = await harness.person();
    const client = await connectMcp(harness.baseUrl, '2026-07-28', key);
    try {
      expect((await client.callTool('get_account', {})).structuredContent.key.id).toBe(keyId);
    } finally {
      await client.close();
    }
  });
});
