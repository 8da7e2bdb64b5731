import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [probe.tool] });
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

async function begin(skill: string) {
  const { key, keyId } = await harness.person(1_000_000n);
  const id = newId('request');
  const json = { tool: 'probe', skill, input: { id } };
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json,
    headers: { prefer: 'wait=0' },
  });
  await probe.waitUntilStarted(id);
  const { sql } = harness.runtime;
  const lose = () =>
    sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${body.id}`;
  const job = async () => (await harness.request('GET', body.poll_url, { key })).body;
  return { id, callId: body.id as string, keyId, lose, job };
}

it('a stalled process renews its own leases before it reaps', async () => {
  const { id, lose, job } = await begin('wait_paid');
  await lose();
  expect(await harness.runtime.running.reap()).toBe(0);
  expect(await reapElsewhere(harness.runtime)).toBe(0);
  probe.release(id);
  expect((await job()).status).toBe('completed');
});

it('the next heartbeat stops a handler with a call that was ended elsewhere @E8', async () => {
  const { lose, job } = await begin('wait_paid');
  await lose();
  expect(await reapElsewhere(harness.runtime)).toBe(1);
  expect((await job()).status).toBe('failed');
  expect(harness.runtime.running.size).toBe(1);
  await harness.runtime.running.renewLeases();
  await expect.poll(() => harness.runtime.running.size).toBe(0);
});

it('a call abandoned long ago is reaped like any other, and can be polled and cancelled until then', async () => {
  const old = await begin('wait_paid');
  const { key, accountId } = await harness.person();
  const { sql } = harness.runtime;
  const age = (callId: string) => sql`
    with aged as (update jobs set created_at = now() - interval '300 days' where call_id = ${callId})
    update calls set created_at = now() - interval '300 days' where id = ${callId}`;
  await age(old.callId);
  const cancelled = await begin('wait_paid');
  await age(cancelled.callId);
  await sql`update jobs set account_id = ${accountId} where call_id = ${cancelled.callId}`;
  const path = `/v1/jobs/${cancelled.callId.replace('call_', 'job_')}/cancel`;
  expect((await harness.request('POST', path, { key })).body.cancelled).toBe(true);
  await old.lose();
  expect(await reapElsewhere(harness.runtime)).toBe(1);
  const { status, elapsed_seconds } = await old.job();
  expect(status).toBe('failed');
  expect(elapsed_seconds).toBeGreaterThan(299 * 86_400);
});
