import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addIdempotencyRecord, addJob } from '@/test/support/aged-rows';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';
import { sweep } from './sweep';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const sql = () => harness.runtime.sql;
const swept = async () => (await sweep(harness.runtime)).removed;
const exists = async (table: string, column: string, value: string) =>
  (await sql().unsafe(`select 1 from ${table} where ${column} = $1`, [value])).length > 0;
const echo = (key: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } },
  });

describe('an unclaimed account', () => {
  async function provision(age = '31 days') {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const { api_key: key, account_id: accountId, claim_url } = body;
    await echo(key);
    await harness.request('POST', '/v1/reviews', { key, json: { tool: 'math', rating: 4 } });
    await addJob(sql(), { accountId, finished: '1 hour' });
    await addIdempotencyRecord(sql(), { accountId, created: '2 hours', finished: '1 hour' });
    await addPurchase(accountId);
    await sql()`update accounts set created_at = now() - ${age}::interval where id = ${accountId}`;
    await sql()`update api_keys set created_at = now() - ${age}::interval, last_used_at = now() - ${age}::interval
      where account_id = ${accountId}`;
    return { key, accountId, token: new URL(claim_url).searchParams.get('token') as string } as {
      key: string;
      accountId: string;
      token: string;
    };
  }
  /**
   * Such an account cannot buy credit, but a leftover order must not block the rest of the sweep.
   */
  async function addPurchase(accountId: string) {
    await sql()`insert into payment_profiles (account_id, mode, customer_id) values (${accountId}, 'test', ${newId('request')})`;
    await sql()`insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd, total_cents)
      values (${newId('order')}, 'checkout', 'test', ${accountId}, 'test', 10000000, 800000, 1080)`;
    await sql()`insert into outgoing_emails (kind, account_id) values ('low_balance', ${accountId})`;
  }
  const OWNED = ['api_keys', 'usage_records', 'usage_rollups', 'jobs', 'idempotency_keys', 'reviews'];
  OWNED.push('orders', 'payment_profiles', 'outgoing_emails');
  const isThere = (id: string) => exists('accounts', 'id', id);

  it('is deleted after a month without use, with all its data @B9 @B10', async () => {
    const { key, accountId, token } = await provision();
    for (const table of OWNED) expect(await exists(table, 'account_id', accountId)).toBe(true);
    expect(await swept()).toMatchObject({ unclaimedAccounts: 1 });
    expect(await isThere(accountId)).toBe(false);
    for (const table of OWNED) expect(await exists(table, 'account_id', accountId)).toBe(false);
    expect((await echo(key)).status).toBe(401);
    const { key: asker } = await harness.person();
    expect((await harness.request('POST', '/v1/auth/claim', { key: asker, json: { token } })).status).toBe(
      404,
    );
  });

  it.each<[string, (account: { accountId: string; key: string; token: string }) => Promise<unknown>]>([
    [
      'was used lately',
      ({ accountId }) =>
        sql()`update api_keys set last_used_at = now() - interval '29 days' where account_id = ${accountId}`,
    ],
    [
      'is new',
      ({ accountId }) =>
        sql()`update accounts set created_at = now() - interval '29 days' where id = ${accountId}`,
    ],
    ['has a job that waits or runs', ({ accountId }) => addJob(sql(), { accountId })],
    [
      'has a request that runs',
      ({ accountId }) => addIdempotencyRecord(sql(), { accountId, created: '1 hour', lease: '-1 minute' }),
    ],
    [
      'was claimed',
      async ({ token }) => {
        const { key } = await harness.person();
        expect((await harness.request('POST', '/v1/auth/claim', { key, json: { token } })).status).toBe(200);
      },
    ],
  ])('that %s stays', async (_, make) => {
    const account = await provision();
    await make(account);
    expect(await swept()).toMatchObject({ unclaimedAccounts: 0 });
    expect(await isThere(account.accountId)).toBe(true);
    expect((await echo(account.key)).status).toBe(200);
  });

  it('stays while a call is running, with its concurrency slot', async () => {
    const { accountId } = await provision();
    const [row] = await sql()`select id from api_keys where account_id = ${accountId}`;
    const keyId = row?.id as string;
    const { flush } = harness.runtime;
    const open = {
      id: newId('call'),
      keyId,
      accountId,
      billing: 'personal',
      tool: 'math',
      skill: 'evaluate',
      rulesVersion: 0,
    };
    expect(await flush.admitCall({ ...open, hold: 0n, durable: false })).toMatchObject({ outcome: 'opened' });
    expect(await swept()).toMatchObject({ unclaimedAccounts: 0 });
    const end = { success: true, markup: 0n, raw: 0n, byok: false, errorCode: null, latencyMs: 1 };
    expect(await flush.endCall({ id: open.id, keyId, ...end, response: null })).toMatchObject({
      state: 'closed',
    });
  });

  it('stays if it has ledger entries, spent or not, because they are permanent', async () => {
    const { accountId, key } = await provision();
    const enter = (kind: string, counter: string, ref: string, amount: number) =>
      sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
        values (${kind}, ${ref}, ${accountId}, ${counter}, ${amount})`;
    await enter('grant', 'grants', newId('request'), 5);
    await sql()`update accounts set balance_microusd = 5 where id = ${accountId}`;
    expect(await swept()).toMatchObject({ unclaimedAccounts: 0 });
    await enter('call', 'revenue', newId('call'), -5);
    await sql()`update accounts set balance_microusd = 0 where id = ${accountId}`;
    expect(await swept()).toMatchObject({ unclaimedAccounts: 0 });
    expect((await echo(key)).status).toBe(200);
    // Restores consistent entries for the check after each test.
    await enter('grant', 'grants', newId('request'), 5);
    await sql()`update accounts set balance_microusd = 5 where id = ${accountId}`;
    const [record] =
      await sql()`select ref from ledger_entries where account_id = ${accountId} and kind = 'call'`;
    await sql()`insert into usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd,
        markup_microusd, byok, latency_ms, created_at, finished_at)
      select ${accountId}, ${record?.ref}, id, 'personal', 'late', 'x', 'success', 0, 5, false, 1, now(), now()
      from api_keys where account_id = ${accountId}`;
    await sql()`insert into usage_rollups
      select account_id, date_trunc('hour', finished_at, 'UTC'), key_id, tool, 1, 0, 0, 0, 5, 1
      from usage_records where id = ${record?.ref}`;
    await sql()`update api_keys set credits_used_microusd = 5 where account_id = ${accountId}`;
  });
});
