import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from '@/test/support/fake-provider';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProviderProbe, UNIT_COST, UNIT_FEE } from '@/test/support/provider-probe';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { runQueuedCall, runQueuedCallElsewhere } from '@/test/support/run-queued-call';
import { queuedContext } from '../../catalog/credentials/seal-context';
import { reconcile } from '../../money/reconcile/reconcile';

const FULL = Number(UNIT_FEE + UNIT_COST) / 1e6;
const SHARE = 56 / 1e6;
const PLATFORM_KEY = `sk-test-secret-platform-${randomBytes(8).toString('hex')}`;

let provider: FakeProvider;
let harness: Harness;
beforeAll(async () => {
  provider = await startFakeProvider();
  // Without a worker, so that queued calls stay until a test runs them.
  harness = await startHarness({
    tools: [createProviderProbe()],
    env: {
      JOBS: 'external',
      OPENAI_BASE_URL: provider.baseUrl,
      ANTHROPIC_BASE_URL: provider.baseUrl,
      ANTHROPIC_API_KEY: PLATFORM_KEY,
    },
  });
});
afterAll(async () => {
  await harness.close();
  await provider.close();
});
afterEach(() => {
  provider.received.length = 0;
  provider.rejectedKeys.clear();
});

const makeSecret = () => `sk-test-secret-${randomBytes(12).toString('hex')}`;
const queue = async (key: string, input: object, headers: Record<string, string> = {}) => {
  const { status, body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'provider-probe', skill: 'ask_queued', input },
    headers: { prefer: 'wait=0', ...headers },
  });
  expect(status).toBe(202);
  return { id: body.id as string, job: body.job_id as string, meta: body.meta };
};
const getJob = async (key: string, id: string) =>
  (await harness.request('GET', `/v1/jobs/${id}`, { key })).body;
const findState = async (callId: string) =>
  (
    await harness.runtime.sql<{ slot: string | null; source: string | null; sealed_key: string | null }[]>`
      select slot, source, sealed_key from queued_call_states where call_id = ${callId}`
  )[0];
const getBalance = async (key: string) =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

describe('a queued call', () => {
  it('stores the key of its header, sealed for this call only, and uses it', async () => {
    const { key } = await harness.person(1_000_000n);
    const [first, second] = [makeSecret(), makeSecret()];
    const one = await queue(key, {}, { 'x-provider-key-openai': first });
    const two = await queue(key, {}, { 'x-provider-key-openai': second });
    expect(one.meta.byok).toBe(true);
    const state = await findState(one.id);
    expect(state).toMatchObject({ slot: 'openai', source: 'header' });
    const { vault } = harness.runtime.ports;
    const sealed = state?.sealed_key ?? '';
    expect(vault.open(sealed, queuedContext(one.id))).toBe(first);
    expect(() => vault.open(sealed, queuedContext(two.id))).toThrow();
    await runQueuedCall(harness.runtime, one.id);
    await runQueuedCall(harness.runtime, two.id);
    expect(provider.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${first}`,
      `Bearer ${second}`,
    ]);
    expect(await getJob(key, one.job)).toMatchObject({
      status: 'completed',
      result: { usage: { cost: SHARE, raw_cost: 0 }, meta: { byok: true } },
    });
    expect([await findState(one.id), await findState(two.id)]).toEqual([undefined, undefined]);
    expect(await getBalance(key)).toBe(1 - 2 * SHARE);
  });

  it('uses the saved key it was opened with, even if that is replaced or deleted before it runs', async () => {
    const { key } = await harness.person(1_000_000n);
    const value = makeSecret();
    const json = { value };
    await harness.request('PUT', '/v1/account/requirements/openai', { key, json });
    const { id, job } = await queue(key, {});
    expect(await findState(id)).toMatchObject({ slot: 'openai', source: 'saved' });
    await harness.request('DELETE', '/v1/account/requirements/openai', { key });
    await runQueuedCall(harness.runtime, id);
    expect(provider.received).toMatchObject([{ headers: { authorization: `Bearer ${value}` } }]);
    expect(await getJob(key, job)).toMatchObject({ status: 'completed', result: { meta: { byok: true } } });
  });

  it('stores no platform key, only that it uses one, and costs the full price', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, job } = await queue(key, {});
    expect(await findState(id)).toEqual({ slot: 'anthropic', source: 'platform', sealed_key: null });
    await runQueuedCall(harness.runtime, id);
    expect(provider.received).toMatchObject([{ headers: { 'x-api-key': PLATFORM_KEY } }]);
    expect(await getJob(key, job)).toMatchObject({ status: 'completed', result: { usage: { cost: FULL } } });
  });

  it('stores no credential without a provider', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id } = await queue(key, { model: 'local' });
    expect(await findState(id)).toEqual({ slot: null, source: null, sealed_key: null });
  });

  it('keeps its sealed key when a checkpoint is written', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id } = await queue(key, {}, { 'x-provider-key-openai': makeSecret() });
    await harness.runtime
      .sql`insert into queued_call_states (call_id, checkpoint) values (${id}, '{"page":3}')
      on conflict (call_id) do update set checkpoint = excluded.checkpoint`;
    const [row] = await harness.runtime.sql`select * from queued_call_states where call_id = ${id}`;
    expect(row).toMatchObject({ slot: 'openai', source: 'header', checkpoint: { page: 3 } });
    expect(row?.sealed_key).toMatch(/^v1\./);
  });

  it('stores no state if it is refused', async () => {
    const { key } = await harness.person(1n);
    const refused = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'provider-probe', skill: 'ask_queued', input: {} },
      headers: { 'x-provider-key-openai': makeSecret() },
    });
    expect(refused.status).toBe(402);
    const [count] = await harness.runtime.sql`select count(*)::int as states from queued_call_states s
      where not exists (select 1 from jobs j where j.call_id = s.call_id)`;
    expect(count?.states).toBe(0);
  });
});

describe('the sealed key is deleted with a call', () => {
  it('that fails', async () => {
    const { key } = await harness.person(1_000_000n);
    const bad = makeSecret();
    provider.rejectedKeys.add(bad);
    const { id, job } = await queue(key, {}, { 'x-provider-key-openai': bad });
    await runQueuedCall(harness.runtime, id);
    expect(await getJob(key, job)).toMatchObject({ status: 'failed' });
    expect(await findState(id)).toBeUndefined();
    expect(await getBalance(key)).toBe(1);
  });

  it('that is cancelled while it runs', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, job } = await queue(key, { mode: 'wait' }, { 'x-provider-key-openai': makeSecret() });
    const run = runQueuedCall(harness.runtime, id);
    await expect.poll(() => provider.received.length).toBe(1);
    expect(await findState(id)).toBeDefined();
    expect((await harness.request('POST', `/v1/jobs/${job}/cancel`, { key })).status).toBe(200);
    await run;
    expect(await findState(id)).toBeUndefined();
  });

  it('that no worker leases in time', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, job } = await queue(key, {}, { 'x-provider-key-openai': makeSecret() });
    await harness.runtime
      .sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${id}`;
    await reapElsewhere(harness.runtime);
    expect(await getJob(key, job)).toMatchObject({ status: 'failed' });
    expect(await findState(id)).toBeUndefined();
  });

  it('with a job that is deleted', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, job } = await queue(key, {}, { 'x-provider-key-openai': makeSecret() });
    await harness.runtime.sql`delete from jobs where id = ${job}`;
    expect(await findState(id)).toBeUndefined();
  });
});

it('after a crash the next attempt uses the same key, and its earlier use still counts as BYOK', async () => {
  const { key } = await harness.person(1_000_000n);
  const own = makeSecret();
  const { id, job } = await queue(key, { mode: 'wait' }, { 'x-provider-key-openai': own });
  // This attempt hangs from here on; its late result is ignored.
  runQueuedCallElsewhere(harness.runtime, id).catch(() => undefined);
  await expect.poll(() => provider.received.length).toBe(1);
  const { sql } = harness.runtime;
  await sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${id}`;
  await reapElsewhere(harness.runtime);
  expect(await findState(id)).toMatchObject({ slot: 'openai', source: 'header' });
  // The second attempt does not need the provider again.
  await sql`update jobs set input = '{"mode":"not-ask"}' where id = ${job}`;
  await runQueuedCall(harness.runtime, id);
  expect(await getJob(key, job)).toMatchObject({
    status: 'completed',
    result: { output: { slot: 'openai', own: true }, usage: { cost: SHARE }, meta: { byok: true } },
  });
  expect(await findState(id)).toBeUndefined();
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

it('a worker that cannot open the key fails the call without a charge, and logs the reason', async () => {
  const { key } = await harness.person(1_000_000n);
  const { id, job } = await queue(key, {}, { 'x-provider-key-openai': makeSecret() });
  await harness.runtime
    .sql`update queued_call_states set sealed_key = regexp_replace(sealed_key, '^v1\\.k1', 'v1.gone')
    where call_id = ${id}`;
  harness.log.length = 0;
  await runQueuedCall(harness.runtime, id);
  expect(await getJob(key, job)).toMatchObject({ status: 'failed', error_code: 'HANDLER_ERROR' });
  expect(harness.log.join('')).toMatch(/vault key \\"gone\\"/);
  expect(provider.received).toEqual([]);
  expect(await getBalance(key)).toBe(1);
});
